//===- EmitErrorsTest.cpp - What cannot become bytes ----------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Modules that no pipeline leaves, but that a program which uses the libraries
// may hand over.
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Target/CPUTarget.h"
#include "convoy/Target/EmitHsaco.h"
#include "convoy/Target/EmitObject.h"
#include "convoy/Target/EmitSPIRV.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::convoy;

namespace {
class EmitErrorsTest : public testing::Test {
protected:
  EmitErrorsTest()
      : context(MLIRContext::Threading::DISABLED),
        handler(&context, [this](Diagnostic &diagnostic) {
          error = diagnostic.str();
          return success();
        }) {
    DialectRegistry registry;
    registry.insert<ConvoyDialect, func::FuncDialect>();
    registerTranslations(registry);
    context.appendDialectRegistry(registry);
  }

  OwningOpRef<ModuleOp> parse(StringRef text) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << error;
    return module;
  }

  MLIRContext context;
  std::string error; ///< the last one
  ScopedDiagnosticHandler handler;
};
} // namespace

TEST_F(EmitErrorsTest, CodeObjectsAreOfOneModule) {
  OwningOpRef<ModuleOp> module =
      parse("module attributes {convoy.rocm_chip = \"gfx942\"} {}");
  EXPECT_TRUE(
      failed(emitHsaco(*module, /*optLevel=*/1, HsacoStage::CodeObject)));
  EXPECT_EQ(error, "expected one gpu.module, but got 0");
}

TEST_F(EmitErrorsTest, SPIRVIsOfOneModule) {
  OwningOpRef<ModuleOp> module =
      parse("module attributes {convoy.vulkan_profile = "
            "#convoy.vulkan_profile<name = \"a\">} {}");
  EXPECT_TRUE(failed(emitSPIRV(*module)));
  EXPECT_EQ(error, "expected one spirv.module, but got 0");
}

TEST_F(EmitErrorsTest, OtherDialectsAreNotTranslated) {
  OwningOpRef<ModuleOp> module = parse("func.func @f() { return }");
  auto emitError = [&] { return module->emitError(); };
  FailureOr<std::unique_ptr<llvm::TargetMachine>> machine =
      createCPUTargetMachine({"host"}, emitError);
  ASSERT_TRUE(succeeded(machine)) << error;
  llvm::LLVMContext llvmContext;
  EXPECT_TRUE(failed(translateFor(*module, llvmContext, **machine)));
  EXPECT_EQ(error, "expected a module in LLVM's dialect");
}

TEST_F(EmitErrorsTest, OtherBytesAreNoObject) {
  OwningOpRef<ModuleOp> module = parse("module {}");
  auto emitError = [&] { return module->emitError(); };
  EXPECT_TRUE(failed(findMathFunctions("text", emitError)));
  EXPECT_TRUE(StringRef(error).starts_with("could not read the object: "))
      << error;
}
