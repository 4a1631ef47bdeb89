//===- TestIndexRelation.cpp - Prints what ops do with indices --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::convoy;

namespace {
struct TestIndexRelationPass final
    : PassWrapper<TestIndexRelationPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestIndexRelationPass)

  StringRef getArgument() const override {
    return "test-convoy-index-relation";
  }
  StringRef getDescription() const override {
    return "Print index relations of convolutions and index maps of im2cols";
  }

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto conv = dyn_cast<ConvolutionOpInterface>(op))
        print(conv);
      else if (auto im2col = dyn_cast<Im2colOp>(op))
        llvm::outs() << op->getName() << "\n  input: " << im2col.getIndexMap()
                     << '\n';
    });
  }

private:
  static void print(ConvolutionOpInterface conv) {
    IndexRelation relation = conv.getIndexRelation();
    llvm::outs() << conv->getName() << "\n  space: ";
    llvm::interleaveComma(relation.space, llvm::outs());
    llvm::outs() << "\n  input: " << relation.input
                 << "\n  filter: " << relation.filter
                 << "\n  output: " << relation.output << "\n  terms: ";
    relation.terms.print(llvm::outs());
    llvm::outs() << '\n';
  }
};
} // namespace

void mlir::convoy::test::registerTestIndexRelationPass() {
  PassRegistration<TestIndexRelationPass>();
}
