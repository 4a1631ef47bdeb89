//===- Operations.cpp - What Python sees of a module's ops ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operations.h"

#include "convoy/Driver/Import.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace convoy;
using namespace convoy::python;
using llvm::dyn_cast;
using llvm::isa;
using mlir::Attribute;
using mlir::Type;

template <typename T>
static std::string toText(T value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

static double toDouble(llvm::APFloat value) {
  bool losesInfo = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

static bool isUnsigned(Type type) {
  return type.isUnsignedInteger() || type.isInteger(1);
}

static int64_t toInteger(const llvm::APInt &value, Type type) {
  return isUnsigned(type) ? int64_t(value.getZExtValue())
                          : value.getSExtValue();
}

/// The elements, or the one that is all of them. Nothing where an integer has
/// more than 64 bits, or there are no such numbers in them.
static std::optional<DenseValue> toDense(mlir::DenseElementsAttr attribute) {
  DenseValue dense = {attribute.getType().getShape().vec(), {}};
  Type type = attribute.getElementType();
  bool isSplat = attribute.isSplat();
  if (isa<mlir::FloatType>(type)) {
    std::vector<double> elements;
    for (const llvm::APFloat &value : attribute.getValues<llvm::APFloat>()) {
      elements.push_back(toDouble(value));
      if (isSplat)
        break;
    }
    dense.elements = std::move(elements);
    return dense;
  }
  if (!type.isIndex() &&
      !(type.isInteger() && type.getIntOrFloatBitWidth() <= 64))
    return std::nullopt;
  std::vector<int64_t> elements;
  for (const llvm::APInt &value : attribute.getValues<llvm::APInt>()) {
    elements.push_back(toInteger(value, type));
    if (isSplat)
      break;
  }
  dense.elements = std::move(elements);
  return dense;
}

static AttributeValue toValue(Attribute attribute);

static AttributeDict toDict(mlir::DictionaryAttr dictionary) {
  AttributeDict dict;
  for (mlir::NamedAttribute named : dictionary)
    dict.push_back({named.getName().str(), toValue(named.getValue())});
  return dict;
}

template <typename Array>
static AttributeValue toNumbers(Array array) {
  AttributeList list;
  for (auto number : array.asArrayRef()) {
    if constexpr (std::is_same_v<decltype(number), bool>)
      list.push_back({bool(number)});
    else if constexpr (std::is_floating_point_v<decltype(number)>)
      list.push_back({double(number)});
    else
      list.push_back({IntegerText{std::to_string(number)}});
  }
  return {std::move(list)};
}

static AttributeValue toInteger(mlir::IntegerAttr attribute) {
  if (attribute.getType().isInteger(1))
    return {!attribute.getValue().isZero()};
  return {IntegerText{llvm::toString(attribute.getValue(), 10,
                                     !isUnsigned(attribute.getType()))}};
}

static AttributeValue toValue(Attribute attribute) {
  return llvm::TypeSwitch<Attribute, AttributeValue>(attribute)
      .Case<mlir::UnitAttr>([](auto) { return AttributeValue{true}; })
      .Case<mlir::IntegerAttr>([](auto one) { return toInteger(one); })
      .Case<mlir::FloatAttr>(
          [](auto one) { return AttributeValue{toDouble(one.getValue())}; })
      .Case<mlir::StringAttr>(
          [](auto one) { return AttributeValue{one.str()}; })
      .Case<mlir::TypeAttr>(
          [](auto one) { return AttributeValue{toText(one.getValue())}; })
      .Case<mlir::ArrayAttr>([](mlir::ArrayAttr array) {
        AttributeList list;
        for (Attribute one : array)
          list.push_back(toValue(one));
        return AttributeValue{std::move(list)};
      })
      .Case<mlir::DictionaryAttr>(
          [](auto one) { return AttributeValue{toDict(one)}; })
      .Case<mlir::DenseBoolArrayAttr, mlir::DenseI8ArrayAttr,
            mlir::DenseI16ArrayAttr, mlir::DenseI32ArrayAttr,
            mlir::DenseI64ArrayAttr, mlir::DenseF32ArrayAttr,
            mlir::DenseF64ArrayAttr>(
          [](auto array) { return toNumbers(array); })
      .Case<mlir::DenseIntOrFPElementsAttr>([](auto one) {
        if (std::optional<DenseValue> dense = toDense(one))
          return AttributeValue{std::move(*dense)};
        return AttributeValue{toText(Attribute(one))};
      })
      .Default([](Attribute one) { return AttributeValue{toText(one)}; });
}

static ValueInfo describe(mlir::Value value, mlir::AsmState &state) {
  ValueInfo info;
  llvm::raw_string_ostream os(info.name);
  value.printAsOperand(os, state);
  info.type = toText(value.getType());
  if (auto shaped = dyn_cast<mlir::ShapedType>(value.getType())) {
    info.element = toText(shaped.getElementType());
    if (shaped.hasRank()) {
      info.shape = shaped.getShape().vec();
      for (int64_t &size : *info.shape)
        size = mlir::ShapedType::isDynamic(size) ? -1 : size;
    }
  }
  return info;
}

template <typename Range>
static std::vector<ValueInfo> describeAll(Range values, mlir::AsmState &state) {
  std::vector<ValueInfo> infos;
  for (mlir::Value value : values)
    infos.push_back(describe(value, state));
  return infos;
}

std::vector<OperationInfo> python::listOperations(mlir::ModuleOp module) {
  mlir::AsmState state(module);
  llvm::DenseMap<mlir::Operation *, int64_t> numbers;
  std::vector<OperationInfo> infos;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (op == module)
      return;
    auto found = numbers.find(op->getParentOp());
    int64_t parent = found == numbers.end() ? -1 : found->second;
    numbers[op] = int64_t(infos.size());
    std::vector<ValueInfo> arguments;
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        for (mlir::BlockArgument argument : block.getArguments())
          arguments.push_back(describe(argument, state));
    std::string place = mlir::convoy::getPlace(op->getLoc());
    infos.push_back({op->getName().getStringRef().str(), parent,
                     describeAll(op->getOperands(), state),
                     describeAll(op->getResults(), state), std::move(arguments),
                     toDict(op->getAttrDictionary()),
                     llvm::StringRef(place).rtrim(": ").str()});
  });
  return infos;
}
