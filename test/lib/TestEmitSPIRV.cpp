//===- TestEmitSPIRV.cpp - Shows validated SPIR-V ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"

#include "convoy/Target/EmitSPIRV.h"

#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::convoy;

namespace {
struct TestEmitSPIRVPass final
    : PassWrapper<TestEmitSPIRVPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestEmitSPIRVPass)

  StringRef getArgument() const override { return "test-convoy-emit-spirv"; }
  StringRef getDescription() const override {
    return "Serialize the module's SPIR-V, validate it and print its text";
  }

  void runOnOperation() override {
    FailureOr<SmallVector<uint32_t>> binary = emitSPIRV(getOperation());
    if (failed(binary))
      return signalPassFailure();
    FailureOr<std::string> text =
        disassembleSPIRV(*binary, [&] { return getOperation().emitError(); });
    if (failed(text))
      return signalPassFailure();
    llvm::outs() << *text;
  }
};
} // namespace

void mlir::convoy::test::registerTestEmitSPIRVPass() {
  PassRegistration<TestEmitSPIRVPass>();
}
