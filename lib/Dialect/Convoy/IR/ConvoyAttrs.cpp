//===- ConvoyAttrs.cpp - Windows, numerics and targets ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "AttrSyntax.h"
#include "convoy/Dialect/Convoy/IR/ConvoyPlans.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::WindowDim;

#include "convoy/Dialect/Convoy/IR/ConvoyEnums.cpp.inc"
#include "convoy/Dialect/Convoy/IR/ConvoyPlanEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "convoy/Dialect/Convoy/IR/ConvoyAttrs.cpp.inc"

void ConvoyDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "convoy/Dialect/Convoy/IR/ConvoyAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// WindowAttr
//===----------------------------------------------------------------------===//

/// `values`, or nothing where all of them are `standard`.
template <typename T>
static SmallVector<T> elideDefaults(SmallVector<T> values, T standard) {
  if (llvm::all_of(values, [&](T value) { return value == standard; }))
    values.clear();
  return values;
}

WindowAttr WindowAttr::get(MLIRContext *context, ArrayRef<WindowDim> dims) {
  auto collect = [&](auto WindowDim::*member) {
    return elideDefaults(
        llvm::map_to_vector(dims,
                            [&](const WindowDim &dim) { return dim.*member; }),
        WindowDim().*member);
  };
  SmallVector<int64_t> padLow, padHigh;
  if (llvm::any_of(dims, [](const WindowDim &dim) {
        return dim.padLow != 0 || dim.padHigh != 0;
      })) {
    for (const WindowDim &dim : dims) {
      padLow.push_back(dim.padLow);
      padHigh.push_back(dim.padHigh);
    }
  }
  return get(context, collect(&WindowDim::stride),
             collect(&WindowDim::dilation), padLow, padHigh,
             collect(&WindowDim::inputDilation), collect(&WindowDim::reverse));
}

WindowDim WindowAttr::getDim(int64_t dim) const {
  WindowDim result;
  auto pick = [&](auto list, auto &member) {
    if (!list.empty())
      member = list[dim];
  };
  pick(getStride(), result.stride);
  pick(getDilation(), result.dilation);
  pick(getPadLow(), result.padLow);
  pick(getPadHigh(), result.padHigh);
  pick(getInputDilation(), result.inputDilation);
  pick(getReverse(), result.reverse);
  return result;
}

SmallVector<WindowDim> WindowAttr::getDims(int64_t spatialRank) const {
  return llvm::map_to_vector(llvm::seq(spatialRank),
                             [&](int64_t dim) { return getDim(dim); });
}

bool WindowAttr::isDefault() const {
  return getStride().empty() && getDilation().empty() && getPadLow().empty() &&
         getInputDilation().empty() && getReverse().empty();
}

bool WindowAttr::hasInputDilation() const {
  return llvm::any_of(getInputDilation(),
                      [](int64_t dilation) { return dilation != 1; });
}

bool WindowAttr::hasPadding() const {
  auto isPositive = [](int64_t pad) { return pad > 0; };
  return llvm::any_of(getPadLow(), isPositive) ||
         llvm::any_of(getPadHigh(), isPositive);
}

LogicalResult
WindowAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                   ArrayRef<int64_t> stride, ArrayRef<int64_t> dilation,
                   ArrayRef<int64_t> padLow, ArrayRef<int64_t> padHigh,
                   ArrayRef<int64_t> inputDilation, ArrayRef<bool> reverse) {
  auto checkPositive = [&](StringRef name, ArrayRef<int64_t> values) {
    for (int64_t value : values)
      if (value < 1)
        return emitError() << "expected a positive " << name << ", but got "
                           << value,
               failure();
    return success();
  };
  if (padLow.size() != padHigh.size())
    return emitError() << "expected as many low as high pads, but got "
                       << padLow.size() << " and " << padHigh.size();
  return success(succeeded(checkPositive("stride", stride)) &&
                 succeeded(checkPositive("dilation", dilation)) &&
                 succeeded(checkPositive("input dilation", inputDilation)));
}

/// Parses `[[1, 1], [0, 1]]`.
static ParseResult parsePads(AsmParser &parser, SmallVector<int64_t> &low,
                             SmallVector<int64_t> &high) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        return failure(
            parser.parseLSquare() || parser.parseInteger(low.emplace_back()) ||
            parser.parseComma() || parser.parseInteger(high.emplace_back()) ||
            parser.parseRSquare());
      });
}

ParseResult mlir::convoy::parseIntegers(AsmParser &parser,
                                        SmallVectorImpl<int64_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(values.emplace_back());
  });
}

static ParseResult parseBools(AsmParser &parser, SmallVector<bool> &values) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        SMLoc loc = parser.getCurrentLocation();
        StringRef word;
        if (parser.parseKeyword(&word))
          return failure();
        if (word != "true" && word != "false")
          return parser.emitError(loc, "expected true or false, but got ")
                 << word;
        values.push_back(word == "true");
        return success();
      });
}

ParseResult mlir::convoy::parseWindowBody(AsmParser &parser,
                                          AsmParser::Delimiter delimiter,
                                          WindowAttr &attr) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> stride, dilation, low, high, inputDilation;
  SmallVector<bool> reverse;
  KeyedListParser fields(parser, "a window");
  fields.add("stride", [&] { return parseIntegers(parser, stride); });
  fields.add("dilation", [&] { return parseIntegers(parser, dilation); });
  fields.add("pad", [&] { return parsePads(parser, low, high); });
  fields.add("input_dilation",
             [&] { return parseIntegers(parser, inputDilation); });
  fields.add("reverse", [&] { return parseBools(parser, reverse); });
  if (fields.parse(delimiter))
    return failure();
  attr =
      parser.getChecked<WindowAttr>(loc, parser.getContext(), stride, dilation,
                                    low, high, inputDilation, reverse);
  return success(attr != nullptr);
}

void mlir::convoy::printWindowBody(AsmPrinter &printer, WindowAttr attr) {
  KeyedListPrinter fields(printer);
  fields.printList("stride", attr.getStride());
  fields.printList("dilation", attr.getDilation());
  if (!attr.getPadLow().empty()) {
    raw_ostream &os = fields.begin("pad");
    os << '[';
    llvm::interleaveComma(
        llvm::zip(attr.getPadLow(), attr.getPadHigh()), os, [&](auto pad) {
          os << '[' << std::get<0>(pad) << ", " << std::get<1>(pad) << ']';
        });
    os << ']';
  }
  fields.printList("input_dilation", attr.getInputDilation());
  if (!attr.getReverse().empty()) {
    raw_ostream &os = fields.begin("reverse");
    os << '[';
    llvm::interleaveComma(attr.getReverse(), os, [&](bool value) {
      os << (value ? "true" : "false");
    });
    os << ']';
  }
}

Attribute WindowAttr::parse(AsmParser &parser, Type) {
  WindowAttr attr;
  if (parseWindowBody(parser, AsmParser::Delimiter::LessGreater, attr))
    return {};
  return attr;
}

void WindowAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printWindowBody(printer, *this);
  printer << '>';
}

//===----------------------------------------------------------------------===//
// NumericsAttr
//===----------------------------------------------------------------------===//

NumericsAttr NumericsAttr::getDefault(MLIRContext *context) {
  return get(context, false, false, Type(), Policy::Normal, {}, {});
}

bool NumericsAttr::isDefault() const {
  return *this == getDefault(getContext());
}

NumericsAttr NumericsAttr::withAccumulator(Type accumulator) const {
  return get(getContext(), getInputUnsigned(), getFilterUnsigned(), accumulator,
             getPolicy(), getInputRange(), getFilterRange());
}

NumericsAttr NumericsAttr::withPolicy(Policy policy) const {
  return get(getContext(), getInputUnsigned(), getFilterUnsigned(),
             getAccumulator(), policy, getInputRange(), getFilterRange());
}

LogicalResult NumericsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   bool, bool, Type accumulator, Policy,
                                   DenseF64ArrayAttr inputRange,
                                   DenseF64ArrayAttr filterRange) {
  if (accumulator && !isa<FloatType>(accumulator) &&
      !accumulator.isSignlessInteger())
    return emitError() << "expected a signless integer or float accumulator, "
                          "but got "
                       << accumulator;
  auto checkRange =
      [&](StringRef name, DenseF64ArrayAttr range) {
        if (range && (range.size() != 2 || !std::isfinite(range[0]) ||
                      !std::isfinite(range[1]) || range[0] > range[1]))
          return emitError()
                     << "expected " << name
                     << " to be a low and a high finite number in this order",
                 failure();
        return success();
      };
  return success(succeeded(checkRange("input_range", inputRange)) &&
                 succeeded(checkRange("filter_range", filterRange)));
}

static ParseResult parseSign(AsmParser &parser, bool &isUnsigned) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  if (word != "signed" && word != "unsigned")
    return parser.emitError(loc, "expected signed or unsigned, but got ")
           << word;
  isUnsigned = word == "unsigned";
  return success();
}

static ParseResult parseRange(AsmParser &parser, DenseF64ArrayAttr &range) {
  double low, high;
  if (parser.parseLSquare() || parser.parseFloat(low) || parser.parseComma() ||
      parser.parseFloat(high) || parser.parseRSquare())
    return failure();
  range = DenseF64ArrayAttr::get(parser.getContext(), {low, high});
  return success();
}

ParseResult mlir::convoy::parseNumericsBody(AsmParser &parser,
                                            AsmParser::Delimiter delimiter,
                                            NumericsAttr &attr) {
  SMLoc loc = parser.getCurrentLocation();
  bool inputUnsigned = false, filterUnsigned = false;
  Type accumulator;
  Policy policy = Policy::Normal;
  DenseF64ArrayAttr inputRange, filterRange;
  KeyedListParser fields(parser, "numerics");
  fields.add("input", [&] { return parseSign(parser, inputUnsigned); });
  fields.add("filter", [&] { return parseSign(parser, filterUnsigned); });
  fields.add("accumulator", [&] { return parser.parseType(accumulator); });
  fields.add("policy", [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef word;
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<Policy> parsed = symbolizePolicy(word);
    if (!parsed)
      return parser.emitError(loc, "expected normal, high or low, but got ")
             << word;
    policy = *parsed;
    return success();
  });
  fields.add("input_range", [&] { return parseRange(parser, inputRange); });
  fields.add("filter_range", [&] { return parseRange(parser, filterRange); });
  if (fields.parse(delimiter))
    return failure();
  attr = parser.getChecked<NumericsAttr>(
      loc, parser.getContext(), inputUnsigned, filterUnsigned, accumulator,
      policy, inputRange, filterRange);
  return success(attr != nullptr);
}

void mlir::convoy::printNumericsBody(AsmPrinter &printer, NumericsAttr attr) {
  KeyedListPrinter fields(printer);
  if (attr.getInputUnsigned())
    fields.begin("input") << "unsigned";
  if (attr.getFilterUnsigned())
    fields.begin("filter") << "unsigned";
  if (attr.getAccumulator()) {
    fields.begin("accumulator");
    printer.printType(attr.getAccumulator());
  }
  if (attr.getPolicy() != Policy::Normal)
    fields.begin("policy") << stringifyPolicy(attr.getPolicy());
  auto printRange = [&](StringRef name, DenseF64ArrayAttr range) {
    if (!range)
      return;
    fields.begin(name) << '[';
    llvm::interleaveComma(
        range.asArrayRef(), printer.getStream(),
        [&](double value) { printer.printFloat(APFloat(value)); });
    printer << ']';
  };
  printRange("input_range", attr.getInputRange());
  printRange("filter_range", attr.getFilterRange());
}

Attribute NumericsAttr::parse(AsmParser &parser, Type) {
  NumericsAttr attr;
  if (parseNumericsBody(parser, AsmParser::Delimiter::LessGreater, attr))
    return {};
  return attr;
}

void NumericsAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printNumericsBody(printer, *this);
  printer << '>';
}
