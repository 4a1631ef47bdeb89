//===- EmitSPIRV.cpp - From SPIR-V's dialect to binaries --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Target/EmitSPIRV.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Support/SPIRVTools.h"

#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/SPIRV/Serialization.h"

#include <spirv-tools/libspirv.hpp>

using namespace mlir;
using namespace mlir::convoy;

static bool hasCooperativeMatrices(spirv::ModuleOp module) {
  std::optional<spirv::VerCapExtAttr> triple = module.getVceTriple();
  return triple && llvm::is_contained(triple->getCapabilities(),
                                      spirv::Capability::CooperativeMatrixKHR);
}

static LogicalResult validate(ModuleOp module, spv_target_env environment,
                              ArrayRef<uint32_t> binary) {
  spvtools::SpirvTools tools(environment);
  std::string fault;
  tools.SetMessageConsumer([&](spv_message_level_t, const char *,
                               const spv_position_t &, const char *message) {
    if (fault.empty())
      fault = message;
  });
  if (tools.Validate(binary.data(), binary.size()))
    return success();
  // The instruction that it is about is on lines of its own.
  return module.emitError()
         << "invalid SPIR-V: " << StringRef(fault).split('\n').first;
}

FailureOr<SmallVector<uint32_t>> mlir::convoy::emitSPIRV(ModuleOp module) {
  auto profile = VulkanProfileAttr::lookup(module);
  if (!profile)
    return module.emitError()
           << "expected " << VulkanProfileAttr::getModuleAttrName()
           << " on the module";
  auto modules = llvm::to_vector(module.getOps<spirv::ModuleOp>());
  if (modules.size() != 1)
    return module.emitError()
           << "expected one spirv.module, but got " << modules.size();
  SmallVector<uint32_t> binary;
  if (failed(spirv::serialize(modules.front(), binary)))
    return failure();
  bool isKnown = !hasCooperativeMatrices(modules.front()) ||
                 ::convoy::knowsCooperativeMatrices();
  if (isKnown && failed(validate(module,
                                 ::convoy::getVulkanEnvironment(
                                     profile.getLimits().minorVersion),
                                 binary)))
    return failure();
  return binary;
}

FailureOr<std::string>
mlir::convoy::disassembleSPIRV(ArrayRef<uint32_t> binary,
                               function_ref<InFlightDiagnostic()> emitError) {
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  std::string fault;
  tools.SetMessageConsumer([&](spv_message_level_t, const char *,
                               const spv_position_t &,
                               const char *message) { fault = message; });
  std::string text;
  if (tools.Disassemble(binary.data(), binary.size(), &text,
                        SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES |
                            SPV_BINARY_TO_TEXT_OPTION_INDENT |
                            SPV_BINARY_TO_TEXT_OPTION_NO_HEADER))
    return text;
  return emitError() << "this SPIRV-Tools cannot print the kernels: " << fault;
}
