//===- ReduceModule.cpp - The smallest IR with a fault ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Bisect/ReduceModule.h"

#include "ShrinkSizes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::convoy;

/// What a reader has to look at: ops, arguments, and how large tensors are.
static int64_t getComplexity(ModuleOp module) {
  constexpr int64_t Op = 32, Argument = 8; ///< in elements along a dimension
  int64_t complexity = 0;
  auto add = [&](ValueRange values) {
    for (Type type : values.getTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        for (int64_t size : tensor.getShape())
          complexity += ShapedType::isDynamic(size) ? 1 : size;
  };
  module->walk([&](Operation *op) {
    complexity += Op;
    add(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        complexity += Argument * block.getNumArguments();
        add(block.getArguments());
      }
  });
  return complexity;
}

/// Whether values of `type` can be arguments and results of kernels.
static bool isTensorOfNumbers(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getElementType().isIntOrFloat();
}

//===----------------------------------------------------------------------===//
// Changes of one function
//===----------------------------------------------------------------------===//

/// Lets the type of `function` be what its body takes and returns.
static void updateType(func::FuncOp function) {
  Block &body = function.front();
  function.setFunctionType(
      FunctionType::get(function.getContext(), body.getArgumentTypes(),
                        body.getTerminator()->getOperandTypes()));
}

/// Erases ops that nobody uses, and then such arguments.
static void eraseUnused(func::FuncOp function) {
  Block &body = function.front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
  llvm::BitVector unused(body.getNumArguments());
  for (BlockArgument argument : body.getArguments())
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
  (void)function.eraseArguments(unused);
}

/// Lets `function` return `value` alone.
static void returnAlone(func::FuncOp function, Value value) {
  function.front().getTerminator()->setOperands(value);
  function.removeResAttrsAttr();
  updateType(function);
}

static void dropResult(func::FuncOp function, unsigned number) {
  function.front().getTerminator()->eraseOperand(number);
  llvm::BitVector dropped(function.getNumResults());
  dropped.set(number);
  (void)function.eraseResults(dropped);
}

/// Lets a new argument stand for `value`.
static void makeArgument(func::FuncOp function, Value value) {
  unsigned number = function.getNumArguments();
  if (succeeded(function.insertArgument(number, value.getType(),
                                        DictionaryAttr(), value.getLoc())))
    value.replaceAllUsesWith(function.getArgument(number));
}

//===----------------------------------------------------------------------===//
// All changes
//===----------------------------------------------------------------------===//

namespace {
struct Candidate {
  OwningOpRef<ModuleOp> module;
  int64_t complexity;
};

/// Collects what is simpler than a module.
class Reducer {
public:
  explicit Reducer(ModuleOp start)
      : start(start), complexity(getComplexity(start)) {}

  std::vector<OwningOpRef<ModuleOp>> run();

private:
  /// Adds the start as `change` leaves its function `number`, if that verifies
  /// and is simpler.
  void add(unsigned number, function_ref<void(func::FuncOp)> change);
  /// The same for `change` of result `result` of the op at `place`.
  void addForOp(unsigned number, size_t place, unsigned result,
                function_ref<void(func::FuncOp, OpResult)> change);
  void reduce(unsigned number, func::FuncOp function);
  void reduceOp(unsigned number, size_t place, Operation &op);

  ModuleOp start;
  int64_t complexity;
  std::vector<Candidate> candidates;
};
} // namespace

static func::FuncOp getFunction(ModuleOp module, unsigned number) {
  return *std::next(module.getOps<func::FuncOp>().begin(), number);
}

void Reducer::add(unsigned number, function_ref<void(func::FuncOp)> change) {
  OwningOpRef<ModuleOp> changed = start.clone();
  change(getFunction(*changed, number));
  // What does not verify was no way to go.
  ScopedDiagnosticHandler silence(start.getContext(),
                                  [](Diagnostic &) { return success(); });
  int64_t reached = getComplexity(*changed);
  if (reached < complexity && succeeded(verify(*changed)))
    candidates.push_back({std::move(changed), reached});
}

void Reducer::addForOp(unsigned number, size_t place, unsigned result,
                       function_ref<void(func::FuncOp, OpResult)> change) {
  add(number, [&](func::FuncOp function) {
    Operation &op = *std::next(function.front().begin(), place);
    change(function, op.getResult(result));
    eraseUnused(function);
  });
}

void Reducer::reduceOp(unsigned number, size_t place, Operation &op) {
  for (OpResult result : op.getResults()) {
    unsigned which = result.getResultNumber();
    for (auto [operand, value] : llvm::enumerate(op.getOperands()))
      if (value.getType() == result.getType())
        addForOp(number, place, which,
                 [operand = operand](func::FuncOp, OpResult result) {
                   result.replaceAllUsesWith(
                       result.getOwner()->getOperand(operand));
                 });
    if (!isTensorOfNumbers(result.getType()))
      continue;
    addForOp(number, place, which, returnAlone);
    addForOp(number, place, which, makeArgument);
  }
}

void Reducer::reduce(unsigned number, func::FuncOp function) {
  if (!SymbolTable::symbolKnownUseEmpty(function, start))
    return;
  add(number, [](func::FuncOp function) { function.erase(); });
  if (function.isPrivate() || !function.getBody().hasOneBlock())
    return;
  for (unsigned result = 0; result < function.getNumResults(); ++result)
    if (function.getNumResults() > 1)
      add(number, [=](func::FuncOp function) {
        dropResult(function, result);
        eraseUnused(function);
      });
  for (auto [place, op] :
       llvm::enumerate(function.front().without_terminator()))
    reduceOp(number, place, op);
  for (const SizeChange &change : findSizeChanges(function))
    add(number, [&](func::FuncOp function) {
      changeSizes(function, change);
      updateType(function);
    });
}

std::vector<OwningOpRef<ModuleOp>> Reducer::run() {
  for (auto [number, function] : llvm::enumerate(start.getOps<func::FuncOp>()))
    reduce(number, function);
  llvm::stable_sort(candidates, [](const Candidate &a, const Candidate &b) {
    return a.complexity < b.complexity;
  });
  std::vector<OwningOpRef<ModuleOp>> modules;
  for (Candidate &candidate : candidates)
    if (!candidate.module->getOps<func::FuncOp>().empty())
      modules.push_back(std::move(candidate.module));
  return modules;
}

std::vector<OwningOpRef<ModuleOp>>
mlir::convoy::getSmallerModules(ModuleOp module) {
  return Reducer(module).run();
}

OwningOpRef<ModuleOp>
mlir::convoy::reduceModule(OwningOpRef<ModuleOp> module, unsigned mostTries,
                           function_ref<bool(ModuleOp)> hasFault) {
  auto takeStep = [&] {
    for (OwningOpRef<ModuleOp> &smaller : getSmallerModules(*module)) {
      if (mostTries-- == 0) {
        mostTries = 0;
        return false;
      }
      if (hasFault(*smaller)) {
        module = std::move(smaller);
        return true;
      }
    }
    return false;
  };
  while (takeStep())
    ;
  return module;
}
