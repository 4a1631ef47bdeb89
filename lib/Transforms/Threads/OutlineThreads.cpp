//===- OutlineThreads.cpp - Functions that threads run ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/KernelABI/KernelInterface.h"
#include "convoy/Transforms/Threads/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_OUTLINETHREADSPASS
#include "convoy/Transforms/Threads/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// A parallel loop that is all of its `omp.parallel`.
struct ThreadLoop {
  omp::ParallelOp parallel;
  omp::LoopNestOp loop;
  SetVector<Value> captured;       ///< what the body uses of the function
  SetVector<Operation *> computed; ///< what it can compute of `inputs`
  SetVector<Value> inputs;         ///< what it must be handed
  SmallVector<unsigned> slots;     ///< for each input, where it is handed over

  /// The loop in `parallel`, if there is nothing beside and no clause but the
  /// number of threads.
  static std::optional<ThreadLoop> match(omp::ParallelOp parallel);
  /// Finds what the body needs to have `value`.
  void addInput(Value value);
};

/// Takes the parallel loops of one function out of it.
class ThreadOutliner {
public:
  ThreadOutliner(LLVM::LLVMFuncOp function, SymbolTable &symbols)
      : function(function), symbols(symbols), builder(function.getContext()),
        loc(function.getLoc()),
        pointerType(LLVM::LLVMPointerType::get(function.getContext())) {}

  void outline();

private:
  void findLoops();
  /// Finds the arguments of the function that the kernel's buffers begin at.
  void findBuffers();
  /// Gives each input a place among the arguments that all functions take.
  void assignSlots();
  unsigned addSlot(Type type, bool isBuffer);
  LLVM::LLVMFuncOp createFunction(StringRef name, Type first);
  /// Makes the body of `loop` a function of its own.
  LLVM::LLVMFuncOp outlineBody(ThreadLoop &loop);
  /// Makes the function that lets threads run a function, of a loop whose body
  /// is gone.
  LLVM::LLVMFuncOp createStarter(ThreadLoop &loop, Type indexType);
  void callStarter(ThreadLoop &loop, LLVM::LLVMFuncOp starter,
                   LLVM::LLVMFuncOp body);

  LLVM::LLVMFuncOp function;
  SymbolTable &symbols;
  OpBuilder builder;
  Location loc;
  Type pointerType;
  SmallVector<ThreadLoop> loops;
  DenseSet<Value> buffers;
  SmallVector<Type> slotTypes;
  SmallVector<bool> slotIsBuffer;
};
} // namespace

/// The one operation of `region` beside a terminator; null if there are more,
/// or arguments.
static Operation *getOnly(Region &region) {
  bool isOnly =
      region.hasOneBlock() && region.getNumArguments() == 0 &&
      !region.front().empty() &&
      (llvm::hasSingleElement(region.front()) ||
       region.front().front().getNextNode() == region.front().getTerminator());
  return isOnly ? &region.front().front() : nullptr;
}

/// Whether `op` has no attributes but those of `names`.
static bool hasOnly(Operation *op, ArrayRef<StringRef> names) {
  return llvm::all_of(op->getAttrDictionary(), [&](NamedAttribute attribute) {
    return attribute.getName() == "operandSegmentSizes" ||
           llvm::is_contained(names, attribute.getName().strref());
  });
}

std::optional<ThreadLoop> ThreadLoop::match(omp::ParallelOp parallel) {
  auto share = dyn_cast_or_null<omp::WsloopOp>(getOnly(parallel.getRegion()));
  auto loop =
      share ? dyn_cast_or_null<omp::LoopNestOp>(getOnly(share.getRegion()))
            : nullptr;
  size_t clauses = parallel.getNumThreads() ? 1 : 0;
  if (!loop || parallel->getParentOfType<omp::ParallelOp>() ||
      parallel->getNumOperands() != clauses || share->getNumOperands() != 0 ||
      !hasOnly(parallel, {}) || !hasOnly(share, {"nowait"}) ||
      !hasOnly(loop, {"collapse_num_loops"}) ||
      loop.getRegion().getNumArguments() != 1 ||
      !LLVM::isCompatibleType(loop.getRegion().getArgument(0).getType()))
    return std::nullopt;
  return ThreadLoop{parallel, loop, {}, {}, {}, {}};
}

void ThreadLoop::addInput(Value value) {
  Operation *op = value.getDefiningOp();
  if (op && computed.contains(op))
    return;
  if (!op || op->getNumRegions() > 0 || !isMemoryEffectFree(op)) {
    inputs.insert(value);
    return;
  }
  for (Value operand : op->getOperands())
    addInput(operand);
  computed.insert(op);
}

/// How often `loop` runs, and in how many threads; nothing if that is not
/// known.
static std::optional<SmallVector<Attribute>> getCounts(ThreadLoop &loop) {
  SmallVector<Value> values(loop.parallel->getOperands());
  llvm::append_range(values, loop.loop->getOperands());
  SmallVector<Attribute> counts(values.size());
  for (auto [value, count] : llvm::zip_equal(values, counts))
    if (!matchPattern(value, m_Constant(&count)))
      return std::nullopt;
  return counts;
}

void ThreadOutliner::findLoops() {
  std::optional<SmallVector<Attribute>> counts;
  function.walk([&](omp::ParallelOp parallel) {
    std::optional<ThreadLoop> loop = ThreadLoop::match(parallel);
    if (!loop)
      return;
    getUsedValuesDefinedAbove(loop->loop.getRegion(), loop->captured);
    for (Value value : loop->captured)
      loop->addInput(value);
    if (llvm::any_of(loop->inputs, [](Value input) {
          return !LLVM::isCompatibleType(input.getType());
        }))
      return;
    // One function starts all of them.
    std::optional<SmallVector<Attribute>> its = getCounts(*loop);
    if (!its || (counts && its != counts))
      return;
    counts = its;
    loops.push_back(std::move(*loop));
  });
}

void ThreadOutliner::findBuffers() {
  std::optional<KernelInterface> interface = getKernelInterface(function);
  if (!interface)
    return;
  // Of a buffer there are two pointers, of which the second is the one that is
  // read and written through, an offset, sizes and strides.
  unsigned next = 0, count = function.getNumArguments();
  auto addBuffer = [&](int64_t rank) {
    if (next + 1 < count)
      buffers.insert(function.getArgument(next + 1));
    next += 3 + 2 * rank;
  };
  for (const KernelArgument &argument : interface->arguments) {
    if (auto tensor = dyn_cast<RankedTensorType>(argument.type))
      addBuffer(tensor.getRank());
    else
      ++next;
  }
  addBuffer(/*rank=*/1); // the workspace
}

unsigned ThreadOutliner::addSlot(Type type, bool isBuffer) {
  slotTypes.push_back(type);
  slotIsBuffer.push_back(isBuffer);
  return slotTypes.size() - 1;
}

void ThreadOutliner::assignSlots() {
  // The function's arguments are where they were in all calls.
  DenseMap<Value, unsigned> arguments;
  auto isArgument = [&](Value value) {
    return value.getParentBlock() == &function.getBody().front() &&
           isa<BlockArgument>(value);
  };
  for (ThreadLoop &loop : loops)
    for (Value input : loop.inputs)
      if (isArgument(input) && !arguments.contains(input))
        arguments[input] = addSlot(input.getType(), buffers.contains(input));
  unsigned firstOther = slotTypes.size();
  for (ThreadLoop &loop : loops) {
    BitVector used(slotTypes.size());
    for (Value input : loop.inputs) {
      if (isArgument(input)) {
        loop.slots.push_back(arguments[input]);
        continue;
      }
      unsigned slot = firstOther;
      while (slot < slotTypes.size() &&
             (used[slot] || slotTypes[slot] != input.getType()))
        ++slot;
      if (slot == slotTypes.size()) {
        addSlot(input.getType(), /*isBuffer=*/false);
        used.resize(slotTypes.size());
      }
      used.set(slot);
      loop.slots.push_back(slot);
    }
  }
}

LLVM::LLVMFuncOp ThreadOutliner::createFunction(StringRef name, Type first) {
  SmallVector<Type> inputs = {first};
  llvm::append_range(inputs, slotTypes);
  auto created = LLVM::LLVMFuncOp::create(
      builder, loc, name,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                  inputs),
      LLVM::Linkage::Internal);
  symbols.insert(created);
  created.addEntryBlock(builder);
  return created;
}

LLVM::LLVMFuncOp ThreadOutliner::outlineBody(ThreadLoop &loop) {
  Region &region = loop.loop.getRegion();
  Block *first = &region.front();
  builder.clearInsertionPoint();
  LLVM::LLVMFuncOp body = createFunction((function.getName() + ".part").str(),
                                         region.getArgument(0).getType());
  // Threads write what no other reads or writes meanwhile, and a body writes a
  // buffer through its pointer alone unless it is handed another one.
  bool hasOthers = llvm::any_of(loop.inputs, [&](Value input) {
    return isa<LLVM::LLVMPointerType>(input.getType()) &&
           !buffers.contains(input) && !input.getDefiningOp<LLVM::AllocaOp>();
  });
  for (auto [slot, isBuffer] : llvm::enumerate(slotIsBuffer))
    if (isBuffer && !hasOthers)
      body.setArgAttr(1 + slot, LLVM::LLVMDialect::getNoAliasAttrName(),
                      builder.getUnitAttr());
  Block *entry = &body.getBody().front();
  IRMapping mapping;
  for (auto [input, slot] : llvm::zip_equal(loop.inputs, loop.slots))
    mapping.map(input, entry->getArgument(1 + slot));
  builder.setInsertionPointToStart(entry);
  for (Operation *op : loop.computed)
    builder.clone(*op, mapping);
  for (Value value : loop.captured)
    value.replaceUsesWithIf(mapping.lookup(value), [&](OpOperand &use) {
      return region.isAncestor(use.getOwner()->getParentRegion());
    });
  first->getArgument(0).replaceAllUsesWith(entry->getArgument(0));
  entry->getOperations().splice(entry->end(), first->getOperations());
  first->erase();
  body.getBody().getBlocks().splice(body.getBody().end(), region.getBlocks());
  for (Block &block : body.getBody())
    if (auto yield = dyn_cast<omp::YieldOp>(block.getTerminator())) {
      builder.setInsertionPoint(yield);
      LLVM::ReturnOp::create(builder, loc, ValueRange());
      yield.erase();
    }
  return body;
}

LLVM::LLVMFuncOp ThreadOutliner::createStarter(ThreadLoop &loop,
                                               Type indexType) {
  builder.clearInsertionPoint();
  LLVM::LLVMFuncOp starter =
      createFunction((function.getName() + ".start").str(), pointerType);
  starter.setNoInline(true);
  Block *entry = &starter.getBody().front();
  builder.setInsertionPointToStart(entry);
  auto end = LLVM::ReturnOp::create(builder, loc, ValueRange());
  // The loop itself with what says how often it runs.
  SetVector<Value> bounds;
  getUsedValuesDefinedAbove(loop.parallel->getRegions(), bounds);
  bounds.insert_range(loop.parallel->getOperands());
  loop.parallel->moveBefore(end);
  builder.setInsertionPointToStart(entry);
  IRMapping mapping;
  for (Value bound : bounds)
    mapping.map(bound,
                builder.clone(*bound.getDefiningOp(), mapping)->getResult(0));
  for (Value bound : bounds)
    bound.replaceUsesWithIf(mapping.lookup(bound), [&](OpOperand &use) {
      return loop.parallel->isAncestor(use.getOwner());
    });
  // Threads that are done wait for each other at the end of the region.
  cast<omp::WsloopOp>(loop.loop->getParentOp()).setNowait(true);
  Block *block =
      builder.createBlock(&loop.loop.getRegion(), {}, {indexType}, {loc});
  SmallVector<Value> operands = {entry->getArgument(0), block->getArgument(0)};
  llvm::append_range(operands, entry->getArguments().drop_front());
  SmallVector<Type> types = {indexType};
  llvm::append_range(types, slotTypes);
  LLVM::CallOp::create(
      builder, loc,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                  types),
      operands);
  omp::YieldOp::create(builder, loc, ValueRange());
  return starter;
}

void ThreadOutliner::callStarter(ThreadLoop &loop, LLVM::LLVMFuncOp starter,
                                 LLVM::LLVMFuncOp body) {
  SmallVector<Value> slots(slotTypes.size());
  for (auto [input, slot] : llvm::zip_equal(loop.inputs, loop.slots))
    slots[slot] = input;
  for (auto [slot, type] : llvm::zip_equal(slots, slotTypes))
    if (!slot)
      slot = LLVM::PoisonOp::create(builder, loc, type);
  SmallVector<Value> operands = {
      LLVM::AddressOfOp::create(builder, loc, pointerType, body.getName())};
  llvm::append_range(operands, slots);
  LLVM::CallOp::create(builder, loc, starter, operands);
}

void ThreadOutliner::outline() {
  if (function.isExternal())
    return;
  findLoops();
  if (loops.empty())
    return;
  findBuffers();
  assignSlots();
  LLVM::LLVMFuncOp starter;
  for (ThreadLoop &loop : loops) {
    Operation *next = loop.parallel->getNextNode();
    Type indexType = loop.loop.getRegion().getArgument(0).getType();
    LLVM::LLVMFuncOp body = outlineBody(loop);
    if (!starter)
      starter = createStarter(loop, indexType);
    else
      loop.parallel.erase();
    builder.setInsertionPoint(next);
    callStarter(loop, starter, body);
  }
}

namespace {
struct OutlineThreadsPass final
    : mlir::convoy::impl::OutlineThreadsPassBase<OutlineThreadsPass> {
  using Base::Base;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto function :
         llvm::to_vector(getOperation().getOps<LLVM::LLVMFuncOp>()))
      ThreadOutliner(function, symbols).outline();
  }
};
} // namespace
