//===- CountMultiplyAdds.cpp - How much convolutions compute ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "llvm/Support/FormatVariadic.h"

namespace example {
#define GEN_PASS_DEF_COUNTMULTIPLYADDSPASS
#include "Passes.h.inc"
} // namespace example

using namespace mlir;
using mlir::convoy::ConvolutionOpInterface;

namespace {
struct CountMultiplyAddsPass final
    : example::impl::CountMultiplyAddsPassBase<CountMultiplyAddsPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([this](ConvolutionOpInterface conv) { count(conv); });
  }

private:
  void count(ConvolutionOpInterface conv) {
    if (!conv.hasStaticSizes()) {
      conv->emitRemark("its multiply-adds are known when it runs");
      return;
    }
    double number = conv.getConvShape().multiplyAdds();
    conv->emitRemark() << llvm::formatv("{0:f0} multiply-adds", number);
    if (annotate)
      conv->setAttr("example.multiply_adds",
                    Builder(conv.getContext()).getF64FloatAttr(number));
  }
};
} // namespace
