//===- ConvoyTestPlugin.cpp - Somebody else's passes ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What loads plugins is tested with this one, which uses MLIR alone.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;

namespace {
/// Says that it is there: ops may not have attributes of it.
class TestPluginDialect final : public Dialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestPluginDialect)

  static constexpr StringLiteral getDialectNamespace() { return "test_plugin"; }

  explicit TestPluginDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context,
                TypeID::get<TestPluginDialect>()) {}

  LogicalResult verifyOperationAttribute(Operation *op,
                                         NamedAttribute attribute) override {
    return op->emitError("is not to have ") << attribute.getName();
  }
};

/// Right: a product is the same the other way around.
struct CommutePass final : PassWrapper<CommutePass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CommutePass)

  StringRef getArgument() const override { return "test-plugin-commute"; }
  StringRef getDescription() const override {
    return "Exchange the factors of products";
  }
  void runOnOperation() override {
    getOperation()->walk(
        [](arith::MulFOp op) { op->setOperands({op.getRhs(), op.getLhs()}); });
  }
};

/// Wrong.
struct SubtractPass final : PassWrapper<SubtractPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SubtractPass)

  StringRef getArgument() const override { return "test-plugin-subtract"; }
  StringRef getDescription() const override {
    return "Make differences of sums";
  }
  void runOnOperation() override {
    getOperation()->walk([](arith::AddFOp op) {
      IRRewriter rewriter(op);
      rewriter.replaceOpWithNewOp<arith::SubFOp>(op, op.getLhs(), op.getRhs());
    });
  }
};

/// Fails, and gives no reason.
struct FailPass final : PassWrapper<FailPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FailPass)

  StringRef getArgument() const override { return "test-plugin-fail"; }
  StringRef getDescription() const override { return "Fail"; }
  void runOnOperation() override { signalPassFailure(); }
};
} // namespace

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "ConvoyTestPlugin", "1", [] {
            PassRegistration<CommutePass>();
            PassRegistration<SubtractPass>();
            PassRegistration<FailPass>();
          }};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {
      MLIR_PLUGIN_API_VERSION, "ConvoyTestPlugin", "1",
      [](DialectRegistry *registry) { registry->insert<TestPluginDialect>(); }};
}
