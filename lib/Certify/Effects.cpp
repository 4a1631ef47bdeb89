//===- Effects.cpp - What functions do besides their results ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Effects.h"
#include "Buffers/Marks.h"
#include "Readers/IntrinsicReaders.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Verdict = Certificate::Verdict;

static Certificate getUndecidedAt(Operation *op, StringRef reason) {
  Certificate certificate;
  certificate.verdict = Verdict::Undecided;
  certificate.message = reason;
  certificate.op = op;
  return certificate;
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

static bool isBufferOfCaller(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument &&
         isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

/// Whether results show all that `op` itself, without the ops in its regions,
/// does.
static bool isShown(Operation *op) {
  // What is written to the caller's buffers is compared: see BufferUse.
  if (auto write = dyn_cast<bufferization::MaterializeInDestinationOp>(op))
    return isa<TensorType>(write.getDest().getType()) ||
           isBufferOfCaller(write.getDest());
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return isBufferOfCaller(copy.getTarget());
  if (isa<bufferization::ToTensorOp, bufferization::ToBufferOp,
          bufferization::AllocTensorOp, tensor::ParallelInsertSliceOp,
          cf::AssertOp, TraceOp>(op))
    return true;
  if (op->getName().getStringRef() == "iree_linalg_ext.im2col" ||
      isKnownIntrinsic(op))
    return true;
  return op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
         isMemoryEffectFree(op);
}

Certificate certify::checkEffects(FunctionOpInterface function) {
  Certificate certificate;
  function.getFunctionBody().walk([&](Operation *op) {
    if (isa<scf::WhileOp>(op))
      certificate = getUndecidedAt(op, "a loop that may not end");
    else if (isa<CallOpInterface>(op))
      certificate = getUndecidedAt(op, "a call whose effects are not known");
    else if (!isShown(op))
      certificate = getUndecidedAt(op, "an effect that results do not show");
    return certificate.op ? WalkResult::interrupt() : WalkResult::advance();
  });
  return certificate;
}

//===----------------------------------------------------------------------===//
// What nothing uses
//===----------------------------------------------------------------------===//

/// Whether nothing that `op` leads to leaves its block.
static bool isUnused(Operation *op, SmallPtrSetImpl<Operation *> &visited) {
  if (op->hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(op))
    return false;
  return !visited.insert(op).second ||
         llvm::all_of(op->getUsers(),
                      [&](Operation *user) { return isUnused(user, visited); });
}

/// The number that all elements of `value` are, or nothing.
static std::optional<APInt> getNumber(Value value) {
  APInt number;
  return matchPattern(value, m_ConstantInt(&number)) ? std::optional(number)
                                                     : std::nullopt;
}

/// Whether `op` divides integers by what is not known to be a number by which
/// all can be divided.
static bool mayDivideByZero(Operation *op) {
  if (!isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
           arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
    return false;
  std::optional<APInt> divisor = getNumber(op->getOperand(1));
  return !divisor || divisor->isZero() || divisor->isAllOnes();
}

static bool shiftsAllBits(Operation *op) {
  if (!isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op))
    return false;
  std::optional<APInt> bits = getNumber(op->getOperand(1));
  return bits && bits->uge(bits->getBitWidth());
}

Certificate certify::checkUnused(FunctionOpInterface function) {
  Certificate certificate;
  function.getFunctionBody().walk([&](Operation *op) {
    SmallPtrSet<Operation *, 8> visited;
    if (shiftsAllBits(op))
      certificate = getUndecidedAt(op, "a shift by as many bits as there are");
    else if (mayDivideByZero(op) && isUnused(op, visited))
      certificate = getUndecidedAt(
          op, "a division by what may be zero, whose result nothing uses");
    return certificate.op ? WalkResult::interrupt() : WalkResult::advance();
  });
  return certificate;
}

//===----------------------------------------------------------------------===//
// Promises
//===----------------------------------------------------------------------===//

/// Whether `function` says of this argument of its kernel that it is written;
/// nothing where it says nothing.
static std::optional<bool> isWritten(FunctionOpInterface function,
                                     unsigned number) {
  auto arguments = function->getAttrOfType<ArrayAttr>(kArgumentsAttrName);
  if (!arguments || number >= arguments.size())
    return std::nullopt;
  return getKernelArguments(arguments)[number].isWritten;
}

/// Whether `after` overwrites no buffer in the place of an argument of which
/// `promising` says that it is not writable.
static Certificate checkOverwritten(FunctionOpInterface promising,
                                    FunctionOpInterface after) {
  StringRef promise = bufferization::BufferizationDialect::kWritableAttrName;
  unsigned count =
      std::min(promising.getNumArguments(), after.getNumArguments());
  for (unsigned number = 0; number < count; ++number) {
    auto isWritable =
        promising.getArgAttrOfType<BoolAttr>(number, promise.str());
    if (isWritable && !isWritable.getValue() &&
        after.getArgAttr(number, kOverwrittenAttrName))
      return getUndecidedAt(after, ("argument " + Twine(number) +
                                    ", which is overwritten, but not '" +
                                    promise + "'")
                                       .str());
  }
  return Certificate();
}

/// Whether `attribute`, of an argument or a result, promises something to LLVM.
static bool isPromise(NamedAttribute attribute) {
  return attribute.getName().getValue().starts_with("llvm.");
}

/// Whether what is passed through to LLVM as `word`, or as a name and a value,
/// is no more than a hint.
static bool isHint(Attribute word) {
  if (auto pair = dyn_cast<ArrayAttr>(word))
    word = pair.empty() ? Attribute() : pair[0];
  auto name = dyn_cast_or_null<StringAttr>(word);
  return name && llvm::is_contained({"alwaysinline", "cold", "frame-pointer",
                                     "hot", "inlinehint", "minsize", "noinline",
                                     "optsize", "prefer-vector-width",
                                     "target-cpu", "target-features"},
                                    name.getValue());
}

/// Whether `attribute` of `function` is a promise, such as that it writes
/// nothing, or returns.
static bool isPromiseOf(FunctionOpInterface function,
                        NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  if (name == "passthrough") {
    auto words = dyn_cast<ArrayAttr>(attribute.getValue());
    return !words || !llvm::all_of(words, isHint);
  }
  if (isa<LLVM::LLVMFuncOp>(function))
    return !llvm::is_contained({"arg_attrs", "function_type", "res_attrs",
                                "sym_name", "sym_visibility"},
                               name);
  return isPromise(attribute) && name != "llvm.emit_c_interface";
}

bool certify::makesPromises(FunctionOpInterface function) {
  auto isOwn = [&](NamedAttribute attribute) {
    // Who calls a function by its name finds it.
    return isPromiseOf(function, attribute) &&
           attribute.getName() != "llvm.linkage";
  };
  return llvm::any_of(function->getAttrs(), isOwn) ||
         llvm::any_of(llvm::seq(function.getNumArguments()),
                      [&](unsigned number) {
                        return llvm::any_of(function.getArgAttrs(number),
                                            isPromise);
                      }) ||
         llvm::any_of(
             llvm::seq(function.getNumResults()), [&](unsigned number) {
               return llvm::any_of(function.getResultAttrs(number), isPromise);
             });
}

/// Whether the first function makes each of `promises`, which `after` makes of
/// `what`: those that it makes are `ofBefore`, or null.
static Certificate checkPromised(FunctionOpInterface after, const Twine &what,
                                 ArrayRef<NamedAttribute> promises,
                                 DictionaryAttr ofBefore,
                                 function_ref<bool(NamedAttribute)> isPromise) {
  for (NamedAttribute promise : promises)
    if (isPromise(promise) &&
        (!ofBefore || ofBefore.get(promise.getName()) != promise.getValue()))
      return getUndecidedAt(
          after, (what + ", of which only the second function says '" +
                  promise.getName().getValue() + "'")
                     .str());
  return Certificate();
}

Certificate certify::checkPromises(FunctionOpInterface before,
                                   FunctionOpInterface after,
                                   FunctionOpInterface origin) {
  for (FunctionOpInterface promising : {before, after, origin})
    if (promising)
      if (Certificate overwritten = checkOverwritten(promising, after);
          overwritten.verdict != Verdict::Certified)
        return overwritten;
  if (before.isPublic() && !after.isPublic())
    return getUndecidedAt(
        after, "a function that only the first one's module shows to others");
  Certificate ofItself = checkPromised(
      after, "a function", after->getAttrs(), before->getAttrDictionary(),
      [&](NamedAttribute attribute) { return isPromiseOf(after, attribute); });
  if (ofItself.verdict != Verdict::Certified ||
      before.getArgumentTypes() != after.getArgumentTypes())
    return ofItself;
  for (unsigned number = 0; number < after.getNumArguments(); ++number) {
    Certificate promised = checkPromised(
        after, "argument " + Twine(number), after.getArgAttrs(number),
        before.getArgAttrDict(number), isPromise);
    if (promised.verdict != Verdict::Certified)
      return promised;
    if (isWritten(before, number) == true && isWritten(after, number) == false)
      return getUndecidedAt(after, ("argument " + Twine(number) +
                                    ", which only the first function says "
                                    "that it writes")
                                       .str());
  }
  for (unsigned number = 0; number < after.getNumResults(); ++number) {
    DictionaryAttr ofBefore;
    if (number < before.getNumResults())
      ofBefore = before.getResultAttrDict(number);
    Certificate promised =
        checkPromised(after, "result " + Twine(number),
                      after.getResultAttrs(number), ofBefore, isPromise);
    if (promised.verdict != Verdict::Certified)
      return promised;
  }
  return Certificate();
}

//===----------------------------------------------------------------------===//
// Assertions
//===----------------------------------------------------------------------===//

/// The cases in which `op` fails.
static FailureOr<ConditionCases> getFailures(cf::AssertOp op,
                                             SymbolicEvaluator &evaluator) {
  FailureOr<ConditionCases> cases =
      evaluator.getIndices().evaluateCondition(op.getArg(), {});
  if (succeeded(cases))
    llvm::erase_if(*cases, [](const Case<bool> &one) { return one.value; });
  return cases;
}

bool certify::hasAssertions(FunctionOpInterface function) {
  return function->walk([](cf::AssertOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

Certificate certify::checkAssertions(FunctionOpInterface before,
                                     SymbolicEvaluator &evaluatorBefore,
                                     FunctionOpInterface after,
                                     SymbolicEvaluator &evaluatorAfter) {
  Solver &solver = evaluatorAfter.getSolver();
  // Assertions in loops and branches may not be reached.
  ConditionCases known;
  evaluatorBefore.getObstacle().ignoreIn([&] {
    for (auto op : before.getFunctionBody().front().getOps<cf::AssertOp>())
      if (auto failures = getFailures(op, evaluatorBefore); succeeded(failures))
        llvm::append_range(known, *failures);
  });
  /// Whether the first function has failed wherever `points` lie.
  auto isKnown = [&](const System &points) {
    std::optional<Parts> rest = Parts{Part()};
    for (const Case<bool> &one : known) {
      rest = solver.subtract(points, *rest, one.locals, one.domain);
      if (!rest)
        return false;
    }
    return rest->empty() || solver.isEmpty(points);
  };
  Certificate certificate;
  after.getFunctionBody().walk([&](cf::AssertOp op) {
    FailureOr<ConditionCases> failures = getFailures(op, evaluatorAfter);
    bool mayFail = failed(failures);
    for (const System &scope : evaluatorAfter.getScopes().getScopes(op))
      mayFail =
          mayFail || llvm::any_of(*failures, [&](const Case<bool> &failure) {
            return !isKnown(scope & failure.domain);
          });
    if (mayFail)
      certificate = getUndecidedAt(op, "an assertion that may fail");
    return mayFail ? WalkResult::interrupt() : WalkResult::advance();
  });
  return certificate;
}
