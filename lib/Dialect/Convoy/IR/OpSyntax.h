//===- OpSyntax.h - Clauses and checks that ops share -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_DIALECT_CONVOY_IR_OPSYNTAX_H
#define CONVOY_LIB_DIALECT_CONVOY_IR_OPSYNTAX_H

#include "AttrSyntax.h"

#include <array>

namespace mlir::convoy {

inline void printConvLayout(OpAsmPrinter &printer, Operation *,
                            ConvLayoutAttr attr) {
  printConvLayout(static_cast<AsmPrinter &>(printer), attr);
}

inline void printIm2colLayout(OpAsmPrinter &printer, Operation *,
                              Im2colLayoutAttr attr) {
  printIm2colLayout(static_cast<AsmPrinter &>(printer), attr);
}

inline void printSampleLayout(OpAsmPrinter &printer, Operation *,
                              SampleLayoutAttr attr) {
  printSampleLayout(static_cast<AsmPrinter &>(printer), attr);
}

/// A word of the enumeration of `Attr`, which `symbolize` reads.
template <typename Attr, typename Symbolize>
ParseResult parseWord(OpAsmParser &parser, StringRef words, Attr &attr,
                      Symbolize symbolize) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  auto value = symbolize(word);
  if (!value)
    return parser.emitError(loc)
           << "expected " << words << ", but got " << word;
  attr = Attr::get(parser.getContext(), *value);
  return success();
}

inline ParseResult parseSampleMode(OpAsmParser &parser, SampleModeAttr &attr) {
  return parseWord(parser, "linear, nearest or cubic", attr,
                   [](StringRef word) { return symbolizeSampleMode(word); });
}

inline void printSampleMode(OpAsmPrinter &printer, Operation *,
                            SampleModeAttr attr) {
  printer << stringifySampleMode(attr.getValue());
}

inline ParseResult parseSamplePadding(OpAsmParser &parser,
                                      SamplePaddingAttr &attr) {
  return parseWord(parser, "zeros, border or reflection", attr,
                   [](StringRef word) { return symbolizeSamplePadding(word); });
}

inline void printSamplePadding(OpAsmPrinter &printer, Operation *,
                               SamplePaddingAttr attr) {
  printer << stringifySamplePadding(attr.getValue());
}

inline ParseResult parsePaddingMode(OpAsmParser &parser,
                                    PaddingModeAttr &attr) {
  return parseWord(parser, "reflect, replicate or circular", attr,
                   [](StringRef word) { return symbolizePaddingMode(word); });
}

inline void printPaddingMode(OpAsmPrinter &printer, Operation *,
                             PaddingModeAttr attr) {
  printer << stringifyPaddingMode(attr.getValue());
}

/// The letters of one tensor's dimensions.
inline ParseResult parseLetters(OpAsmParser &parser, StringAttr &attr) {
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  attr = parser.getBuilder().getStringAttr(word);
  return success();
}

inline void printLetters(OpAsmPrinter &printer, Operation *, StringAttr attr) {
  printer << attr.getValue();
}

/// `window(..)`; left out where all of it is default.
inline ParseResult parseWindow(OpAsmParser &parser, WindowAttr &attr) {
  if (failed(parser.parseOptionalKeyword("window"))) {
    attr =
        WindowAttr::get(parser.getContext(), ArrayRef<::convoy::WindowDim>());
    return success();
  }
  return parseWindowBody(parser, AsmParser::Delimiter::Paren, attr);
}

inline void printWindow(OpAsmPrinter &printer, Operation *, WindowAttr attr) {
  if (attr.isDefault())
    return;
  printer << " window(";
  printWindowBody(printer, attr);
  printer << ')';
}

/// `numerics(..)`; left out where all of it is default.
inline ParseResult parseNumerics(OpAsmParser &parser, NumericsAttr &attr) {
  if (failed(parser.parseOptionalKeyword("numerics"))) {
    attr = NumericsAttr::getDefault(parser.getContext());
    return success();
  }
  return parseNumericsBody(parser, AsmParser::Delimiter::Paren, attr);
}

inline void printNumerics(OpAsmPrinter &printer, Operation *,
                          NumericsAttr attr) {
  if (attr.isDefault())
    return;
  printer << " numerics(";
  printNumericsBody(printer, attr);
  printer << ')';
}

/// The sizes of the result of `op`, which are its init's.
LogicalResult reifyFromInit(ConvolutionOpInterface op, OpBuilder &builder,
                            ReifiedRankedShapedTypeDims &shapes);

/// The three tensors of a convolution and the letters of their dimensions.
struct ConvOperands {
  Operation *op;
  ::convoy::ConvLayouts layouts;
  std::array<RankedTensorType, 3> types; ///< of input, filter, output

  /// Those of the forward convolution under `op`.
  explicit ConvOperands(ConvolutionOpInterface op);
  ConvOperands(Operation *op, ::convoy::ConvLayouts layouts,
               std::array<RankedTensorType, 3> types)
      : op(op), layouts(layouts), types(types) {}

  RankedTensorType getType(::convoy::Operand operand) const;
  int64_t getSize(::convoy::Operand operand, char letter) const;

  /// C2. (C1 is checked by the layout attribute itself.)
  LogicalResult verifyRanks() const;
  /// C4: sizes that two operands share.
  LogicalResult verifySharedSizes() const;
};

/// One of the tensors of an op that samples.
struct NamedTensor {
  StringRef name;
  RankedTensorType type;
  StringRef layout;

  int64_t getSize(char letter) const {
    return type.getDimSize(layout.find(letter));
  }
};

/// Checks that `tensor` has the rank that its layout has letters.
LogicalResult verifyRank(Operation *op, const NamedTensor &tensor);

/// Checks that `letter` has the same size in both tensors, where it is static.
LogicalResult verifySameSize(Operation *op, char letter,
                             const NamedTensor &first,
                             const NamedTensor &second);

/// Checks that `tensor` has elements of a type that is sampled.
LogicalResult verifySampledType(Operation *op, const NamedTensor &tensor);

/// Checks that spatial dimension `letter` of `image` has as many elements as
/// can be sampled, where the size is static.
LogicalResult verifyImageSize(Operation *op, char letter,
                              const NamedTensor &image);

/// C6 to C8: types, zero points and what stands only with integers.
LogicalResult verifyElements(ConvolutionOpInterface op);

/// All constraints of a transposed convolution.
LogicalResult verifyTransposed(ConvTransposeOp op);

/// Checks that each list of `window` is empty or has `spatialRank` entries.
LogicalResult verifyWindowSizes(Operation *op, WindowAttr window,
                                int64_t spatialRank);

/// Checks that `input`, of `op`, has the rank that its layout and `result` that
/// its, and both the same elements.
LogicalResult verifyUnfoldedTypes(Operation *op, RankedTensorType input,
                                  int64_t inputRank, RankedTensorType result,
                                  int64_t resultRank);

/// Checks that `output` is what `window` gives for `input` and `filter`; sizes
/// that are not static pass.
LogicalResult verifyOutputSize(Operation *op, char letter, int64_t input,
                               int64_t filter, int64_t output,
                               const ::convoy::WindowDim &window);

} // namespace mlir::convoy

#endif // CONVOY_LIB_DIALECT_CONVOY_IR_OPSYNTAX_H
