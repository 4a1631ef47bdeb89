//===- LayoutAttrs.cpp - Names and order of dimensions ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "AttrSyntax.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ConvLayouts;
using ::convoy::Layout;
using ::convoy::Operand;
using ::convoy::RowsLayout;

//===----------------------------------------------------------------------===//
// ConvLayoutAttr
//===----------------------------------------------------------------------===//

/// Parses one layout word of `operand` for an emitter of verification errors.
static FailureOr<Layout>
parseLayout(function_ref<InFlightDiagnostic()> emitError, StringRef word,
            Operand operand) {
  std::string error;
  std::optional<Layout> layout =
      Layout::parse({word.data(), word.size()}, operand, error);
  if (!layout)
    return emitError() << error, failure();
  return *layout;
}

LogicalResult
ConvLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       StringRef input, StringRef filter, StringRef output) {
  FailureOr<Layout> in = parseLayout(emitError, input, Operand::Input);
  if (failed(in))
    return failure();
  FailureOr<Layout> taps = parseLayout(emitError, filter, Operand::Filter);
  if (failed(taps))
    return failure();
  FailureOr<Layout> out = parseLayout(emitError, output, Operand::Output);
  if (failed(out))
    return failure();
  if (in->spatialRank() != taps->spatialRank() ||
      in->spatialRank() != out->spatialRank())
    return emitError() << "expected the same spatial letters in all layouts, "
                          "but got "
                       << input << " x " << filter << " -> " << output;
  if (in->hasGroups() != taps->hasGroups() ||
      in->hasGroups() != out->hasGroups())
    return emitError() << "expected g in all layouts or in none, but got "
                       << input << " x " << filter << " -> " << output;
  return success();
}

ConvLayouts ConvLayoutAttr::getLayouts() const {
  return {Layout::fromLetters(getInput().str()),
          Layout::fromLetters(getFilter().str()),
          Layout::fromLetters(getOutput().str())};
}

ConvLayoutAttr ConvLayoutAttr::get(MLIRContext *context,
                                   const ConvLayouts &layouts) {
  return get(context, layouts.input.letters(), layouts.filter.letters(),
             layouts.output.letters());
}

int64_t ConvLayoutAttr::getSpatialRank() const {
  return getLayouts().input.spatialRank();
}

/// Parses `input x other -> output`.
template <typename Attr>
static ParseResult parseThreeLayouts(AsmParser &parser, Attr &attr) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef input, other, output;
  if (parser.parseKeyword(&input) || parser.parseKeyword("x") ||
      parser.parseKeyword(&other) || parser.parseArrow() ||
      parser.parseKeyword(&output))
    return failure();
  attr =
      parser.getChecked<Attr>(loc, parser.getContext(), input, other, output);
  return success(attr != nullptr);
}

ParseResult mlir::convoy::parseConvLayout(AsmParser &parser,
                                          ConvLayoutAttr &attr) {
  return parseThreeLayouts(parser, attr);
}

void mlir::convoy::printConvLayout(AsmPrinter &printer, ConvLayoutAttr attr) {
  printer << attr.getInput() << " x " << attr.getFilter() << " -> "
          << attr.getOutput();
}

Attribute ConvLayoutAttr::parse(AsmParser &parser, Type) {
  ConvLayoutAttr attr;
  if (parser.parseLess() || parseConvLayout(parser, attr) ||
      parser.parseGreater())
    return {};
  return attr;
}

void ConvLayoutAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printConvLayout(printer, *this);
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Im2colLayoutAttr
//===----------------------------------------------------------------------===//

/// Checks that the letters of `word` are those of `expected`, in any order.
static LogicalResult verifyLetters(function_ref<InFlightDiagnostic()> emitError,
                                   StringRef what, StringRef word,
                                   std::string expected) {
  std::string sorted = word.str();
  llvm::sort(sorted);
  std::string wanted = expected;
  llvm::sort(wanted);
  if (sorted != wanted)
    return emitError() << "expected the letters " << expected << " in " << what
                       << ", but got " << word;
  return success();
}

static RowsLayout toRows(StringRef positions, StringRef window,
                         int64_t windowDim) {
  return {positions.str(), window.str(), size_t(windowDim)};
}

LogicalResult
Im2colLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                         StringRef input, StringRef positions, StringRef window,
                         int64_t windowDim) {
  FailureOr<Layout> in = parseLayout(emitError, input, Operand::Input);
  if (failed(in))
    return failure();
  std::string spatial(::convoy::spatialLetters(in->spatialRank()));
  std::string batch = in->hasGroups() ? "gn" : "n";
  if (failed(verifyLetters(emitError, "the positions", positions,
                           batch + spatial)) ||
      failed(verifyLetters(emitError, "the window", window, spatial + "c")))
    return failure();
  if (in->hasGroups() && (positions.front() != 'g' || windowDim == 0))
    return emitError() << "expected g first in the rows, but got "
                       << toRows(positions, window, windowDim).toString();
  return success();
}

Im2colLayoutAttr Im2colLayoutAttr::get(MLIRContext *context, StringRef input,
                                       const RowsLayout &rows) {
  return get(context, input, rows.positions, rows.window, rows.windowDim);
}

std::string Im2colLayoutAttr::getRowsLetters() const {
  std::string letters = getPositions().str();
  return letters.insert(getWindowDim(), getWindow());
}

int64_t Im2colLayoutAttr::getSpatialRank() const {
  return static_cast<int64_t>(getWindow().size()) - 1;
}

ParseResult mlir::convoy::parseIm2colLayout(AsmParser &parser,
                                            Im2colLayoutAttr &attr) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef input, part;
  if (parser.parseKeyword(&input) || parser.parseComma())
    return failure();
  SMLoc rowsLoc = parser.getCurrentLocation();
  std::string text;
  do {
    if (parser.parseKeyword(&part))
      return failure();
    text += (text.empty() ? "" : "|") + part.str();
  } while (succeeded(parser.parseOptionalVerticalBar()));
  std::optional<RowsLayout> rows = RowsLayout::parse(text);
  if (!rows)
    return parser.emitError(rowsLoc)
           << "expected positions and a window with c, such as nhw|hwc or "
              "n|chw|hw, but got "
           << text;
  attr = parser.getChecked<Im2colLayoutAttr>(
      loc, parser.getContext(), input, StringRef(rows->positions),
      StringRef(rows->window), int64_t(rows->windowDim));
  return success(attr != nullptr);
}

void mlir::convoy::printIm2colLayout(AsmPrinter &printer,
                                     Im2colLayoutAttr attr) {
  printer << attr.getInput() << ", "
          << toRows(attr.getPositions(), attr.getWindow(), attr.getWindowDim())
                 .toString();
}

Attribute Im2colLayoutAttr::parse(AsmParser &parser, Type) {
  Im2colLayoutAttr attr;
  if (parser.parseLess() || parseIm2colLayout(parser, attr) ||
      parser.parseGreater())
    return {};
  return attr;
}

void Im2colLayoutAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printIm2colLayout(printer, *this);
  printer << '>';
}

//===----------------------------------------------------------------------===//
// SampleLayoutAttr
//===----------------------------------------------------------------------===//

LogicalResult
SampleLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                         StringRef input, StringRef grid, StringRef output) {
  FailureOr<Layout> in = parseLayout(emitError, input, Operand::Input);
  if (failed(in))
    return failure();
  if (in->hasGroups() || in->spatialRank() == 1)
    return emitError() << "expected n, c and hw or dhw in the image, but got "
                       << input;
  std::string letters = "n";
  letters += ::convoy::spatialLetters(in->spatialRank());
  letters += 'c';
  return success(
      succeeded(verifyLetters(emitError, "the grid", grid, letters)) &&
      succeeded(verifyLetters(emitError, "the samples", output, letters)));
}

ParseResult mlir::convoy::parseSampleLayout(AsmParser &parser,
                                            SampleLayoutAttr &attr) {
  return parseThreeLayouts(parser, attr);
}

void mlir::convoy::printSampleLayout(AsmPrinter &printer,
                                     SampleLayoutAttr attr) {
  printer << attr.getInput() << " x " << attr.getGrid() << " -> "
          << attr.getOutput();
}

Attribute SampleLayoutAttr::parse(AsmParser &parser, Type) {
  SampleLayoutAttr attr;
  if (parser.parseLess() || parseSampleLayout(parser, attr) ||
      parser.parseGreater())
    return {};
  return attr;
}

void SampleLayoutAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printSampleLayout(printer, *this);
  printer << '>';
}
