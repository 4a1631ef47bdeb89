//===- ElementKernel.cpp - A kernel of ops on single elements ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementKernel.h"

#include "convoy/Driver/Compile.h"
#include "convoy/Driver/RunKernel.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Device;
using ::convoy::HostArray;
using ::convoy::ScalarType;

static std::string name(ScalarType type) {
  return std::string(scalarTypeName(type));
}

namespace convoy {

HostArray runElementwise(StringRef cpu, StringRef body,
                         const std::vector<HostArray> &inputs,
                         ScalarType resultType) {
  auto list = [&](StringRef format) {
    std::string text;
    for (auto [number, input] : llvm::enumerate(inputs)) {
      std::string type = name(input.type);
      text += (number ? ", " : "") + llvm::formatv(format.data(),
                                                   char('a' + number), type,
                                                   input.elementCount())
                                         .str();
    }
    return text;
  };
  int64_t count = inputs[0].elementCount();
  std::string maps;
  for (size_t i = 0; i <= inputs.size(); ++i)
    maps += std::string(i ? ", " : "") + "affine_map<(i) -> (i)>";
  std::string result = name(resultType);
  std::string text = llvm::formatv(
      "func.func @f({0}) -> tensor<{1}x{2}> {{\n"
      "  %empty = tensor.empty() : tensor<{1}x{2}>\n"
      "  %0 = linalg.generic {{indexing_maps = [{3}], iterator_types = "
      "[\"parallel\"]} ins({4} : {5}) outs(%empty : tensor<{1}x{2}>) {{\n"
      "  ^bb0({6}, %out: {2}):\n    {7}\n    linalg.yield %r : {2}\n"
      "  } -> tensor<{1}x{2}>\n  return %0 : tensor<{1}x{2}>\n}\n",
      list("%t{0}: tensor<{2}x{1}>"), count, result, maps, list("%t{0}"),
      list("tensor<{2}x{1}>"), list("%{0}: {1}"), body);
  DialectRegistry registry;
  registerAll(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  HostArray output(resultType, {count});
  if (!module) {
    ADD_FAILURE() << text;
    return output;
  }
  CompileOptions options;
  options.cpu.name = cpu.str();
  FailureOr<CompiledModule> compiled = compileFor("cpu", *module, options);
  if (failed(compiled)) {
    ADD_FAILURE() << text;
    return output;
  }
  std::vector<HostArray> arguments = inputs;
  arguments.push_back(output);
  Device device;
  EXPECT_TRUE(Device::open("cpu", device).ok());
  LoadedModule loaded(*compiled, device);
  EXPECT_TRUE(loaded.load().ok());
  LoadedKernel kernel{loaded, compiled->getKernels()[0]};
  KernelOutcome outcome = runKernel(kernel, arguments, /*runs=*/1);
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.faults.empty()) << outcome.faults.front();
  return outcome.results.empty() ? output : outcome.results[0];
}

} // namespace convoy
