//===- LoopAnnotation.cpp - What LLVM is told of loops ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/LoopAnnotation.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

/// Tells LLVM not to unroll `loop`, about vectors `vectorize`, or nothing, and
/// that accesses of the groups `parallel` depend on no other iteration.
static void annotate(Operation *loop, LLVM::LoopVectorizeAttr vectorize,
                     ArrayRef<LLVM::AccessGroupAttr> parallel = {}) {
  MLIRContext *context = loop->getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(
      context, /*disable=*/BoolAttr::get(context, true), /*count=*/{},
      /*runtimeDisable=*/{}, /*full=*/{}, /*followupUnrolled=*/{},
      /*followupRemainder=*/{}, /*followupAll=*/{});
  loop->setDiscardableAttr(
      mlir::convoy::kLoopAnnotationAttrName,
      LLVM::LoopAnnotationAttr::get(
          context, /*disableNonforced=*/{}, vectorize, /*interleave=*/{},
          unroll, /*unrollAndJam=*/{}, /*licm=*/{}, /*distribute=*/{},
          /*pipeline=*/{}, /*peeled=*/{}, /*unswitch=*/{}, /*mustProgress=*/{},
          /*isVectorized=*/{}, /*startLoc=*/{}, /*endLoc=*/{},
          /*parallelAccesses=*/parallel));
}

void mlir::convoy::forbidUnrolling(Operation *loop) { annotate(loop, {}); }

void mlir::convoy::markParallel(Operation *loop) {
  MLIRContext *context = loop->getContext();
  auto id = DistinctAttr::create(UnitAttr::get(context));
  annotate(loop, {}, LLVM::AccessGroupAttr::get(context, id));
}

void mlir::convoy::forbidTransforming(Operation *loop) {
  MLIRContext *context = loop->getContext();
  annotate(loop, LLVM::LoopVectorizeAttr::get(
                     context, /*disable=*/BoolAttr::get(context, true),
                     /*predicateEnable=*/{}, /*scalableEnable=*/{},
                     /*width=*/{}, /*followupVectorized=*/{},
                     /*followupEpilogue=*/{}, /*followupAll=*/{}));
}
