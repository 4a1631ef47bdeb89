//===- TargetAttrs.cpp - Targets and tiles for them -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "AttrSyntax.h"
#include "convoy/Dialect/Convoy/IR/ElementBits.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ElementType;
using ::convoy::GPUMatrixInstruction;

MatrixTypes
mlir::convoy::getMatrixTypes(const GPUMatrixInstruction &instruction,
                             MLIRContext *context) {
  Builder builder(context);
  switch (instruction.operand) {
  case ElementType::F16:
    return {builder.getF16Type(), builder.getF32Type()};
  case ElementType::BF16:
    return {builder.getBF16Type(), builder.getF32Type()};
  case ElementType::F32:
    return {builder.getF32Type(), builder.getF32Type()};
  case ElementType::I8:
    return {builder.getI8Type(), builder.getI32Type()};
  case ElementType::F64:
    break;
  }
  llvm_unreachable("no matrix instruction has such operands");
}

//===----------------------------------------------------------------------===//
// TargetAttr
//===----------------------------------------------------------------------===//

TargetAttr TargetAttr::getDefault(MLIRContext *context) {
  return get(context, 16, 16, 32768, 262144, {});
}

TargetAttr TargetAttr::lookup(Operation *op) {
  for (Operation *holder = op; holder; holder = holder->getParentOp())
    if (auto target = holder->getAttrOfType<TargetAttr>(getModuleAttrName()))
      return target;
  return getDefault(op->getContext());
}

int64_t TargetAttr::getVectorLanes(Type element) const {
  int64_t bytes = getElementBytes(element);
  return std::max<int64_t>(1, getVectorBytes() / bytes);
}

SmallVector<const ::convoy::CPUDotInstruction *>
TargetAttr::getDotInstructions() const {
  SmallVector<const ::convoy::CPUDotInstruction *> instructions;
  if (getDot())
    for (auto name : getDot().getAsRange<StringAttr>())
      instructions.push_back(::convoy::getDotInstruction(name.getValue()));
  return instructions;
}

const GPUMatrixInstruction *
TargetAttr::getMatrixInstruction(Type operand, Type result) const {
  if (!getMatrix())
    return nullptr;
  for (auto name : getMatrix().getAsRange<StringAttr>()) {
    const GPUMatrixInstruction *instruction =
        ::convoy::getMatrixInstruction(name.getValue());
    MatrixTypes types = getMatrixTypes(*instruction, getContext());
    if (types.operand == operand && types.result == result)
      return instruction;
  }
  return nullptr;
}

/// Checks that `name` is an instruction of waves of `subgroup` work-items.
static LogicalResult verifyMatrix(function_ref<InFlightDiagnostic()> emitError,
                                  StringAttr name, int64_t subgroup) {
  if (!name)
    return emitError() << "expected names of matrix instructions";
  const GPUMatrixInstruction *instruction =
      ::convoy::getMatrixInstruction(name.getValue());
  if (!instruction)
    return emitError() << "expected a matrix instruction such as "
                       << StringRef(::convoy::getMatrixInstructions()[0].name)
                       << ", but got " << name.getValue();
  if (instruction->wave != subgroup)
    return emitError() << "expected a subgroup of " << instruction->wave
                       << " work-items for " << name.getValue() << ", but got "
                       << subgroup;
  return success();
}

/// Checks that `dot`, if it is there, holds names of instructions.
static LogicalResult verifyDot(function_ref<InFlightDiagnostic()> emitError,
                               ArrayAttr dot) {
  for (Attribute name : dot ? dot.getValue() : ArrayRef<Attribute>()) {
    auto text = dyn_cast<StringAttr>(name);
    if (!text || !::convoy::getDotInstruction(text.getValue()))
      return emitError() << "expected dot to name instructions such as "
                         << StringRef(::convoy::getDotInstructions()[0].name)
                         << ", but got " << name;
  }
  return success();
}

/// What is known of a core, with the words of the attribute.
static constexpr std::pair<StringLiteral, int64_t CoreTraits::*> kCoreTraits[] =
    {{"line_bytes", &CoreTraits::lineBytes},
     {"page_bytes", &CoreTraits::pageBytes},
     {"critical_stride", &CoreTraits::criticalStride},
     {"tlb_entries", &CoreTraits::tlbEntries},
     {"last_level_bytes", &CoreTraits::lastLevelBytes},
     {"prefetch_streams", &CoreTraits::prefetchStreams},
     {"vector_units", &CoreTraits::vectorUnits},
     {"fma_latency", &CoreTraits::fmaLatency},
     {"masked_bytes", &CoreTraits::maskedBytes},
     {"indexed_bytes", &CoreTraits::indexedBytes}};

int64_t TargetAttr::getLastLevelBytes() const {
  if (getCore().lastLevelBytes != 0)
    return getCore().lastLevelBytes;
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  return getL2Bytes() > most / 8 ? most : getL2Bytes() * 8;
}

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 int64_t vectorBytes, int64_t registers,
                                 int64_t l1Bytes, int64_t l2Bytes,
                                 CoreTraits core, ArrayAttr dot,
                                 ArrayRef<int64_t> tile, int64_t subgroup,
                                 int64_t workgroupBytes, int64_t workgroupItems,
                                 ArrayAttr matrix, bool slowSharedMemory,
                                 int64_t computeUnits) {
  for (auto [name, value] :
       {std::pair<StringRef, int64_t>{"vector_bytes", vectorBytes},
        {"registers", registers},
        {"l1_bytes", l1Bytes},
        {"l2_bytes", l2Bytes}})
    if (value < 1)
      return emitError() << "expected a positive " << name << ", but got "
                         << value;
  for (auto [name, trait] : kCoreTraits)
    if (int64_t usual = CoreTraits().*trait;
        core.*trait < 1 && core.*trait != usual)
      return emitError() << "expected a positive " << name
                         << (usual == 0 ? " or 0" : "") << ", but got "
                         << core.*trait;
  if (!tile.empty() &&
      (tile.size() != 2 ||
       llvm::any_of(tile, [](int64_t size) { return size < 1; })))
    return emitError() << "expected tile to be a positive number of rows and "
                          "of vectors";
  if (!canUnroll(tile))
    return emitError() << "expected the rows times the vectors of tile to be "
                          "at most "
                       << kMostUnrolled << ", but got " << tile;
  if (computeUnits < 0)
    return emitError() << "expected a positive compute_units or 0, but got "
                       << computeUnits;
  if (failed(verifyDot(emitError, dot)))
    return failure();
  for (Attribute name : matrix ? matrix.getValue() : ArrayRef<Attribute>())
    if (failed(verifyMatrix(emitError, dyn_cast<StringAttr>(name), subgroup)))
      return failure();
  if (subgroup == 0 && workgroupBytes == 0 && workgroupItems == 0)
    return success();
  for (auto [name, value] :
       {std::pair<StringRef, int64_t>{"subgroup", subgroup},
        {"workgroup_bytes", workgroupBytes},
        {"workgroup_items", workgroupItems}})
    if (value < 1)
      return emitError() << "expected a positive " << name
                         << " for a GPU, but got " << value;
  if (!llvm::isPowerOf2_64(subgroup) || subgroup > workgroupItems)
    return emitError() << "expected subgroup to be a power of two up to "
                          "workgroup_items = "
                       << workgroupItems << ", but got " << subgroup;
  return success();
}

Attribute TargetAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  TargetAttr standard = getDefault(parser.getContext());
  int64_t vectorBytes = standard.getVectorBytes();
  int64_t registers = standard.getRegisters();
  int64_t l1Bytes = standard.getL1Bytes();
  int64_t l2Bytes = standard.getL2Bytes();
  CoreTraits core;
  SmallVector<int64_t> tile;
  int64_t subgroup = 0, workgroupBytes = 0, workgroupItems = 0,
          computeUnits = 0;
  ArrayAttr dot, matrix;
  bool slowSharedMemory = false;
  KeyedListParser fields(parser, "a target");
  fields.add("vector_bytes", [&] { return parser.parseInteger(vectorBytes); });
  fields.add("registers", [&] { return parser.parseInteger(registers); });
  fields.add("l1_bytes", [&] { return parser.parseInteger(l1Bytes); });
  fields.add("l2_bytes", [&] { return parser.parseInteger(l2Bytes); });
  for (auto [name, trait] : kCoreTraits)
    fields.add(name, [&parser, &number = core.*trait] {
      return parser.parseInteger(number);
    });
  fields.add("dot", [&] { return parser.parseAttribute(dot); });
  fields.add("tile", [&] { return parseIntegers(parser, tile); });
  fields.add("subgroup", [&] { return parser.parseInteger(subgroup); });
  fields.add("workgroup_bytes",
             [&] { return parser.parseInteger(workgroupBytes); });
  fields.add("workgroup_items",
             [&] { return parser.parseInteger(workgroupItems); });
  fields.add("matrix", [&] { return parser.parseAttribute(matrix); });
  fields.add("slow_shared_memory",
             [&] { return parser.parseInteger(slowSharedMemory); });
  fields.add("compute_units",
             [&] { return parser.parseInteger(computeUnits); });
  if (fields.parse(AsmParser::Delimiter::LessGreater))
    return {};
  return parser.getChecked<TargetAttr>(
      loc, parser.getContext(), vectorBytes, registers, l1Bytes, l2Bytes, core,
      dot, ArrayRef<int64_t>(tile), subgroup, workgroupBytes, workgroupItems,
      matrix, slowSharedMemory, computeUnits);
}

void TargetAttr::print(AsmPrinter &printer) const {
  printer << '<';
  KeyedListPrinter fields(printer);
  fields.begin("vector_bytes") << getVectorBytes();
  fields.begin("registers") << getRegisters();
  fields.begin("l1_bytes") << getL1Bytes();
  fields.begin("l2_bytes") << getL2Bytes();
  for (auto [name, trait] : kCoreTraits)
    if (getCore().*trait != CoreTraits().*trait)
      fields.begin(name) << getCore().*trait;
  if (getDot())
    fields.begin("dot") << getDot();
  fields.printList("tile", getTile());
  if (isGPU()) {
    fields.begin("subgroup") << getSubgroup();
    fields.begin("workgroup_bytes") << getWorkgroupBytes();
    fields.begin("workgroup_items") << getWorkgroupItems();
  }
  if (getMatrix())
    fields.begin("matrix") << getMatrix();
  if (getSlowSharedMemory())
    fields.begin("slow_shared_memory") << "true";
  if (getComputeUnits() != 0)
    fields.begin("compute_units") << getComputeUnits();
  printer << '>';
}

//===----------------------------------------------------------------------===//
// WorkgroupTileAttr
//===----------------------------------------------------------------------===//

/// Work-items that may add up one sum: those of a workgroup of every target.
static constexpr int64_t kMostSharers = 1024;
/// Subgroups are no larger than workgroups.
static constexpr int64_t kMostIdle = kMostSharers - 1;

const GPUMatrixInstruction *WorkgroupTileAttr::getMatrixInstruction() const {
  return getMatrix() ? ::convoy::getMatrixInstruction(getMatrix().getValue())
                     : nullptr;
}

LogicalResult
WorkgroupTileAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                          DenseI64ArrayAttr extents, DenseI64ArrayAttr sizes,
                          int64_t laneLoop, int64_t itemRows, int64_t itemLanes,
                          StringAttr matrix, bool staged, int64_t buffers,
                          int64_t sharers, int64_t idle) {
  if (sizes.size() != extents.size())
    return emitError() << "expected as many sizes as extents, but got "
                       << sizes.size() << " and " << extents.size();
  for (auto [loop, size, extent] :
       llvm::enumerate(sizes.asArrayRef(), extents.asArrayRef()))
    if (size < 1 || (!ShapedType::isDynamic(extent) && size > extent))
      return emitError() << "expected a size from 1 to the extent of loop "
                         << loop << ", but got " << size;
  if (laneLoop < 0 || laneLoop >= extents.size())
    return emitError() << "expected lane_loop to be one of " << extents.size()
                       << " loops, but got " << laneLoop;
  if (matrix && !::convoy::getMatrixInstruction(matrix.getValue()))
    return emitError() << "expected a matrix instruction, but got "
                       << matrix.getValue();
  int64_t unit = matrix ? GPUMatrixInstruction::kLines : 4;
  for (int64_t size : {itemRows, itemLanes})
    if (size < unit || size % unit != 0)
      return emitError() << "expected multiples of " << unit
                         << " as item_rows and item_lanes, but got " << size;
  if (!canUnroll({itemRows, itemLanes}))
    return emitError() << "expected item_rows times item_lanes to be at most "
                       << kMostUnrolled << ", but got " << itemRows << " and "
                       << itemLanes;
  if (buffers < 1 || buffers > (matrix ? 2 : 1))
    return emitError() << "expected "
                       << (matrix ? "1 or 2 buffers" : "1 buffer")
                       << ", but got " << buffers;
  int64_t mostSharers = staged ? 1 : kMostSharers;
  if (sharers < 1 || sharers > mostSharers || !llvm::isPowerOf2_64(sharers))
    return emitError() << "expected sharers to be a power of two, at most "
                       << mostSharers << ", but got " << sharers;
  int64_t mostIdle = matrix ? 0 : kMostIdle;
  if (idle < 0 || idle > mostIdle)
    return emitError() << "expected idle to be from 0 to " << mostIdle
                       << ", but got " << idle;
  return success();
}
