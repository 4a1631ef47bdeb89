//===- BufferPasses.td - Passes on copies of buffers -------*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_BUFFERPASSES_TD
#define CONVOY_TRANSFORMS_BUFFERPASSES_TD

include "mlir/Pass/PassBase.td"

def DecomposePadsPass : Pass<"convoy-decompose-pads"> {
  let summary = "Turn pads into copies and fills of the border";
  let description = [{
    Takes `tensor.pad` by one value; leaves a buffer that what is padded is copied
    into, and a `linalg.fill` for each border. Upstream fills all of the buffer
    first, and so writes most of it twice. What a copy alone gives is copied into
    the buffer from where the copy reads. Other pads are left.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect"];
}

def CopyToLinalgPass : Pass<"convoy-copy-to-linalg"> {
  let summary = "Turn copies of buffers into linalg, which becomes loops";
  let description = [{
    Takes `memref.copy`; leaves `linalg.generic`. Upstream lowers a copy between
    strided buffers to a call of a runtime library, which kernels do without.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def VectorizeCopiesPass : Pass<"convoy-vectorize-copies"> {
  let summary = "Copy and transpose buffers by vectors";
  let description = [{
    Takes `linalg.generic` that copies one buffer of static strides into another;
    leaves loops over vectors, as wide as `#convoy.target` on the module says.
    Loops that go through both buffers as one become one. Where the elements that
    lie side by side in the source do not in the destination, blocks of as many
    rows as lanes are transposed in registers; elements two to four apart in the
    source are read with what lies between. Other copies are left.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::convoy::ConvoyDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // CONVOY_TRANSFORMS_BUFFERPASSES_TD
