//===- RegisterTileAttr.cpp - Tiles for a CPU's registers -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/ConvoyPlans.h"

#include "AttrSyntax.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::convoy;

/// Checks numbers of `steps`, of the field `name`, and that each loop is new.
static LogicalResult verifySteps(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef name, ArrayRef<LoopSteps> steps,
                                 llvm::SmallDenseSet<unsigned> &seen) {
  for (const LoopSteps &step : steps) {
    if (step.size < 1)
      return emitError() << "expected a positive number of steps in " << name
                         << ", but got " << step.size;
    if (!seen.insert(step.loop).second)
      return emitError() << "expected each loop once, but got " << step.loop
                         << " again in " << name;
  }
  return success();
}

LogicalResult RegisterTileAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, LoopSteps lanes,
    int64_t vectorLanes, bool masked, ArrayRef<LoopSteps> rows,
    std::optional<LoopSteps> terms, bool matrices, bool packed,
    std::optional<LoopSteps> outerLanes, ArrayRef<LoopSteps> blocks,
    bool blocksOutside, ArrayRef<LoopSteps> rowBlocks, FloatAttr cycles) {
  if (vectorLanes < 1)
    return emitError() << "expected a positive vector_lanes, but got "
                       << vectorLanes;
  if (cycles && !(cycles.getType().isF64() && cycles.getValue().isFinite() &&
                  cycles.getValueAsDouble() > 0))
    return emitError() << "expected positive cycles as an f64, but got "
                       << cycles;
  llvm::SmallDenseSet<unsigned> ofTile, ofBlocks, ofRowBlocks;
  if (failed(verifySteps(emitError, "lanes", lanes, ofTile)) ||
      failed(verifySteps(emitError, "rows", rows, ofTile)) ||
      failed(verifySteps(emitError, "terms", toList(terms), ofTile)) ||
      failed(
          verifySteps(emitError, "outer_lanes", toList(outerLanes), ofTile)) ||
      failed(verifySteps(emitError, "blocks", blocks, ofBlocks)) ||
      failed(verifySteps(emitError, "row_blocks", rowBlocks, ofRowBlocks)))
    return failure();
  if (outerLanes && !packed)
    return emitError() << "expected packed = true beside outer_lanes";
  if (blocksOutside && blocks.empty())
    return emitError() << "expected blocks beside blocks_outside = true";
  if (matrices && (masked || !terms))
    return emitError() << "expected terms and no masked lanes beside "
                          "matrices = true";
  return success();
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// Parses `[3, 32]`.
static FailureOr<LoopSteps> parseSteps(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t loop, size;
  if (parser.parseLSquare() || parser.parseInteger(loop) ||
      parser.parseComma() || parser.parseInteger(size) || parser.parseRSquare())
    return failure();
  if (!llvm::isUInt<16>(loop))
    return parser.emitError(loc, "expected the number of a loop, but got ")
           << loop;
  return LoopSteps{unsigned(loop), size};
}

/// Parses `[[3, 32], [2, 6]]`.
static ParseResult parseStepsList(AsmParser &parser,
                                  SmallVector<LoopSteps> &list) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        FailureOr<LoopSteps> steps = parseSteps(parser);
        if (failed(steps))
          return failure();
        list.push_back(*steps);
        return success();
      });
}

Attribute RegisterTileAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  std::optional<LoopSteps> lanes, terms, outerLanes;
  SmallVector<LoopSteps> rows, blocks, rowBlocks;
  int64_t vectorLanes = 1;
  bool masked = false, matrices = false, packed = false, blocksOutside = false;
  FloatAttr cycles;
  KeyedListParser fields(parser, "a register tile");
  auto addSteps = [&](StringRef name, std::optional<LoopSteps> &steps) {
    fields.add(name, [&]() -> ParseResult {
      FailureOr<LoopSteps> parsed = parseSteps(parser);
      if (failed(parsed))
        return failure();
      steps = *parsed;
      return success();
    });
  };
  auto addList = [&](StringRef name, SmallVector<LoopSteps> &list) {
    fields.add(name, [&] { return parseStepsList(parser, list); });
  };
  auto addFlag = [&](StringRef name, bool &flag) {
    fields.add(name, [&] { return parser.parseInteger(flag); });
  };
  addSteps("lanes", lanes);
  fields.add("vector_lanes", [&] { return parser.parseInteger(vectorLanes); });
  addFlag("masked", masked);
  addList("rows", rows);
  addSteps("terms", terms);
  addFlag("matrices", matrices);
  addFlag("packed", packed);
  addSteps("outer_lanes", outerLanes);
  addList("blocks", blocks);
  addFlag("blocks_outside", blocksOutside);
  addList("row_blocks", rowBlocks);
  fields.add("cycles", [&]() -> ParseResult {
    double value;
    if (parser.parseFloat(value))
      return failure();
    cycles = parser.getBuilder().getF64FloatAttr(value);
    return success();
  });
  if (fields.parse(AsmParser::Delimiter::LessGreater))
    return {};
  if (!lanes) {
    parser.emitError(loc, "expected lanes in a register tile");
    return {};
  }
  return parser.getChecked<RegisterTileAttr>(
      loc, parser.getContext(), *lanes, vectorLanes, masked,
      ArrayRef<LoopSteps>(rows), terms, matrices, packed, outerLanes,
      ArrayRef<LoopSteps>(blocks), blocksOutside,
      ArrayRef<LoopSteps>(rowBlocks), cycles);
}

static void printOne(raw_ostream &os, const LoopSteps &steps) {
  os << '[' << steps.loop << ", " << steps.size << ']';
}

void RegisterTileAttr::print(AsmPrinter &printer) const {
  KeyedListPrinter fields(printer);
  auto printList = [&](StringRef name, ArrayRef<LoopSteps> list) {
    if (list.empty())
      return;
    raw_ostream &os = fields.begin(name);
    os << '[';
    llvm::interleaveComma(list, os,
                          [&](const LoopSteps &steps) { printOne(os, steps); });
    os << ']';
  };
  auto printSteps = [&](StringRef name, std::optional<LoopSteps> steps) {
    if (steps)
      printOne(fields.begin(name), *steps);
  };
  auto printFlag = [&](StringRef name, bool flag) {
    if (flag)
      fields.begin(name) << "true";
  };
  printer << '<';
  printSteps("lanes", getLanes());
  fields.begin("vector_lanes") << getVectorLanes();
  printFlag("masked", getMasked());
  printList("rows", getRows());
  printSteps("terms", getTerms());
  printFlag("matrices", getMatrices());
  printFlag("packed", getPacked());
  printSteps("outer_lanes", getOuterLanes());
  printList("blocks", getBlocks());
  printFlag("blocks_outside", getBlocksOutside());
  printList("row_blocks", getRowBlocks());
  if (getCycles()) {
    fields.begin("cycles");
    printer.printFloat(getCycles().getValue());
  }
  printer << '>';
}
