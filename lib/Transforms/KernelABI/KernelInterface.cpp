//===- KernelInterface.cpp - What a caller must know ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/KernelABI/KernelNames.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::convoy;

SmallVector<KernelSize> KernelInterface::getSizes() const {
  UniqueNames names;
  for (const KernelArgument &argument : arguments)
    names.add(argument.name);
  SmallVector<KernelSize> sizes;
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    auto tensor = dyn_cast<RankedTensorType>(argument.type);
    for (int64_t dim = 0; tensor && dim < tensor.getRank(); ++dim)
      if (tensor.isDynamicDim(dim)) {
        std::string suffix = argument.layout.empty()
                                 ? std::to_string(dim)
                                 : std::string(1, argument.layout[dim]);
        sizes.push_back(
            {names.add(argument.name + "_" + suffix), unsigned(number), dim});
      }
  }
  return sizes;
}

ArrayAttr mlir::convoy::toAttribute(MLIRContext *context,
                                    ArrayRef<KernelArgument> arguments) {
  auto entry = [&](StringRef name, Attribute value) {
    return NamedAttribute(StringAttr::get(context, name), value);
  };
  return ArrayAttr::get(
      context,
      llvm::map_to_vector(
          arguments, [&](const KernelArgument &argument) -> Attribute {
            SmallVector<NamedAttribute> entries = {
                entry("layout", StringAttr::get(context, argument.layout)),
                entry("name", StringAttr::get(context, argument.name)),
                entry("type", TypeAttr::get(argument.type)),
                entry("written", BoolAttr::get(context, argument.isWritten))};
            if (argument.isTraced)
              entries.push_back(entry("traced", UnitAttr::get(context)));
            if (!argument.packer.empty())
              entries.push_back(
                  entry("packer", StringAttr::get(context, argument.packer)));
            if (argument.sums)
              entries.push_back(entry("sums", argument.sums));
            return DictionaryAttr::get(context, entries);
          }));
}

SmallVector<KernelArgument>
mlir::convoy::getKernelArguments(ArrayAttr attribute) {
  return llvm::map_to_vector(
      attribute.getAsRange<DictionaryAttr>(), [](DictionaryAttr entry) {
        auto packer = entry.getAs<StringAttr>("packer");
        return KernelArgument{entry.getAs<StringAttr>("name").str(),
                              entry.getAs<TypeAttr>("type").getValue(),
                              entry.getAs<StringAttr>("layout").str(),
                              entry.getAs<BoolAttr>("written").getValue(),
                              entry.contains("traced"),
                              packer ? packer.str() : "",
                              entry.getAs<DictionaryAttr>("sums")};
      });
}

int64_t mlir::convoy::getWorkspaceAlignment(Operation *op) {
  return TargetAttr::lookup(op).isGPU() ? kGPUWorkspaceAlignment
                                        : kWorkspaceAlignment;
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

std::optional<KernelInterface>
mlir::convoy::getKernelInterface(Operation *function) {
  auto arguments = function->getAttrOfType<ArrayAttr>(kArgumentsAttrName);
  if (!arguments)
    return std::nullopt;
  KernelInterface interface;
  interface.name = SymbolTable::getSymbolName(function).str();
  interface.arguments = getKernelArguments(arguments);
  if (auto bytes = function->getAttrOfType<IntegerAttr>(kWorkspaceAttrName))
    interface.workspaceBytes = bytes.getInt();
  if (auto bytes =
          function->getAttrOfType<IntegerAttr>(kImageWorkspaceAttrName))
    interface.workspaceBytesOfImage = bytes.getInt();
  if (auto host = dyn_cast<FunctionOpInterface>(function))
    appendLaunches(host, interface);
  return interface;
}
