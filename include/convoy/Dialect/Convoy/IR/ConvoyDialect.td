//===- ConvoyDialect.td - The convoy dialect --------------------- -*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DIALECT_TD
#define CONVOY_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Convoy_Dialect : Dialect {
  let name = "convoy";
  let cppNamespace = "::mlir::convoy";
  let summary = "Convolutions in any layout and direction";
  let description = [{
    The dialect holds convolutions on tensors. Dimensions are named by letters:
    `n` batch, `g` group, `c` input channel, `f` output channel, `d h w` spatial
    (1-D is `w`); in a filter, `d h w` are the taps. A layout is a word in which
    each letter stands once and the first is outermost: `nhwc`, `gfchw`.
    With groups, `g` is a dimension of its own in all three operands and `c` and
    `f` count the channels of one group; a depthwise convolution has one `c` a
    group, and `f` is the channel multiplier.

    One equation gives the meaning of every op. For each spatial dimension with
    stride s, dilation d, low padding pl and input dilation e, output position o
    and tap k meet input position i where

        e*i = s*o + d*k' - pl,    k' = reverse ? K-1-k : k,    0 <= i < I.

    A term is `(ext(x) - zx) * (ext(w) - zw)` in the accumulator's type, and each
    op adds to every element of its init the terms that belong to it, in any
    order. Pairs that meet padding contribute nothing.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

class Convoy_Attr<string name, string attrMnemonic>
    : AttrDef<Convoy_Dialect, name> {
  let mnemonic = attrMnemonic;
}

#endif // CONVOY_DIALECT_TD
