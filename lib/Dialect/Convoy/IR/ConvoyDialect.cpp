//===- ConvoyDialect.cpp - Registration of the dialect ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::convoy;

#include "convoy/Dialect/Convoy/IR/ConvoyOpsDialect.cpp.inc"

namespace {
/// Any op may stand in the place of a call.
struct ConvoyInlinerInterface final : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void ConvoyDialect::initialize() {
  addInterfaces<ConvoyInlinerInterface>();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "convoy/Dialect/Convoy/IR/ConvoyOps.cpp.inc"
      >();
}
