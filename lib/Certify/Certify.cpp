//===- Certify.cpp - Proves that two functions mean the same ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Certify/Certify.h"
#include "BoundsCheck.h"
#include "Buffers/Results.h"
#include "Buffers/Workspace.h"
#include "Comparison/CommonValues.h"
#include "Effects.h"
#include "Evaluator/Contracts.h"
#include "ParallelCheck.h"
#include "Readers/OpReaders.h"
#include "SameValues.h"
#include "SizesCheck.h"
#include "Terms/Fractions.h"

#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Verdict = Certificate::Verdict;

/// Assumes that the buffers of both functions are as large as the results of
/// the first, whose sizes these are.
static LogicalResult
assumeBufferSizes(ArrayRef<std::pair<FunctionResult, FunctionResult>> results,
                  SymbolicSizes &sizes, Arguments &arguments) {
  for (const auto &[before, after] : results)
    for (BlockArgument buffer : {before.buffer, after.buffer})
      if (buffer &&
          failed(assumeBufferSizes(buffer, before.value, sizes, arguments)))
        return failure();
  return success();
}

/// The number and type of an argument.
using NumberedType = std::pair<unsigned, Type>;

/// The arguments of `function` other than buffers; of tensors without
/// dimensions the types of their elements, since one is as good as the other.
static SmallVector<NumberedType> getInputs(FunctionOpInterface function) {
  SmallVector<NumberedType> inputs;
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.getRank() == 0)
      inputs.emplace_back(number, tensor.getElementType());
    else if (!isa<BaseMemRefType>(type))
      inputs.emplace_back(number, type);
  }
  return inputs;
}

static SmallVector<BlockArgument> getBuffers(FunctionOpInterface function) {
  SmallVector<BlockArgument> buffers;
  for (BlockArgument argument : function.getArguments())
    if (isa<BaseMemRefType>(argument.getType()))
      buffers.push_back(argument);
  return buffers;
}

/// Whether `before` and `after` take the same buffers, or `before` none.
static bool haveSameBuffers(FunctionOpInterface before,
                            FunctionOpInterface after) {
  SmallVector<BlockArgument> first = getBuffers(before),
                             second = getBuffers(after);
  auto isSame = [](BlockArgument a, BlockArgument b) {
    return a.getArgNumber() == b.getArgNumber() && a.getType() == b.getType();
  };
  return first.empty() || llvm::equal(first, second, isSame);
}

/// Whether no other argument is in the memory of `buffer`: there is none, or an
/// op that uses it says so.
static bool isApart(BlockArgument buffer) {
  bool isAlone =
      llvm::count_if(buffer.getOwner()->getArguments(),
                     [](BlockArgument argument) {
                       return isa<BaseMemRefType>(argument.getType());
                     }) == 1;
  return isAlone || llvm::any_of(buffer.getUsers(), [](Operation *user) {
           auto read = dyn_cast<bufferization::ToTensorOp>(user);
           auto write =
               dyn_cast<bufferization::MaterializeInDestinationOp>(user);
           return (read && read.getRestrict()) ||
                  (write && write.getRestrict());
         });
}

/// What is undecided since a buffer of `before` or `after` may be the memory of
/// another, so that the order counts in which they are used, if there is one.
/// Where the first function has no buffers, those of the second are its
/// results.
static std::optional<Certificate> findShared(FunctionOpInterface before,
                                             FunctionOpInterface after) {
  SmallVector<BlockArgument> buffers = getBuffers(before);
  // Kernels are given memory of its own for each argument.
  if (before->hasAttr(kArgumentsAttrName) || buffers.empty())
    return std::nullopt;
  llvm::append_range(buffers, getBuffers(after));
  auto *shared = llvm::find_if_not(buffers, isApart);
  if (shared == buffers.end())
    return std::nullopt;
  return getUndecided({shared->getOwner()->getParentOp(),
                       ("argument " + Twine(shared->getArgNumber()) +
                        ", a buffer that may be the memory of another")
                           .str()});
}

/// An op of `function` whose attributes and operands do not fit together, which
/// the verifier of tensor.pad lets through, or null.
static Operation *findMalformedOp(FunctionOpInterface function) {
  Operation *malformed = nullptr;
  function->walk([&](tensor::PadOp op) {
    auto fits = [](ArrayRef<int64_t> sizes, ValueRange dynamicSizes) {
      return llvm::count_if(sizes, ShapedType::isDynamic) ==
             int64_t(dynamicSizes.size());
    };
    if (fits(op.getStaticLow(), op.getLow()) &&
        fits(op.getStaticHigh(), op.getHigh()))
      return WalkResult::advance();
    malformed = op;
    return WalkResult::interrupt();
  });
  return malformed;
}

/// Whether `value`, an integer, becomes an index, or is a condition.
static bool becomesIndex(Value value) {
  return value.getType().isInteger(1) ||
         llvm::any_of(value.getUsers(), [](Operation *user) {
           return isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::CmpIOp>(
                      user) ||
                  (isa<arith::ExtSIOp, arith::ExtUIOp>(user) &&
                   (user->getResult(0).getType().isInteger(64) ||
                    becomesIndex(user->getResult(0))));
         });
}

/// Makes the narrow integers among the arguments of `function` that become
/// indices known as such, and with them their ranges.
static void findNarrowIndices(FunctionOpInterface function,
                              Arguments &arguments) {
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<IntegerType>(argument.getType());
    if (type && type.getWidth() < 64 && becomesIndex(argument))
      (void)arguments.getIndex(argument);
  }
}

/// Finds what `function` tells of its arguments, and whether its buffers may
/// hold what others left.
static void findAssumptions(FunctionOpInterface function,
                            Arguments &arguments) {
  findNarrowIndices(function, arguments);
  if (function->hasAttr(kLeftoversAttrName))
    arguments.assumeLeftovers();
}

/// Checks the ops and finds the results of one function.
static Certificate prepare(FunctionOpInterface function,
                           SymbolicEvaluator &evaluator,
                           FunctionResults &results) {
  if (function.isExternal() || !function.getFunctionBody().hasOneBlock())
    return getUndecided({function, "a function without one block"});
  if (Operation *op = findMalformedOp(function))
    return getUndecided({op, "not one operand for each dynamic size"});
  Certificate effects = checkEffects(function);
  if (effects.verdict != Verdict::Certified)
    return effects;
  FailureOr<FunctionResults> found =
      findResults(function, evaluator.getObstacle());
  if (failed(found))
    return getUndecided(evaluator.getObstacle().get());
  results = std::move(*found);
  if (results.empty())
    return getUndecided({function, "a function without results"});
  for (const FunctionResult &result : results)
    if (!isComparable(result.value.getType()))
      return getUndecided(
          {function, "a result that is neither a tensor nor an index"});
  return Certificate();
}

/// Whether neither function depends on the order of iterations in parallel.
static Certificate checkOrder(FunctionOpInterface before,
                              SymbolicEvaluator &evaluatorBefore,
                              FunctionOpInterface after,
                              SymbolicEvaluator &evaluatorAfter) {
  Certificate certificate = checkParallel(before, evaluatorBefore);
  return certificate.verdict == Verdict::Certified
             ? checkParallel(after, evaluatorAfter)
             : certificate;
}

/// The same, and whether `after` does nothing undefined that results do not
/// show.
static Certificate checkDefined(FunctionOpInterface before,
                                SymbolicEvaluator &evaluatorBefore,
                                FunctionOpInterface after,
                                SymbolicEvaluator &evaluatorAfter,
                                Arguments &arguments) {
  Certificate certificate =
      checkOrder(before, evaluatorBefore, after, evaluatorAfter);
  if (certificate.verdict == Verdict::Certified)
    certificate = checkSizes(after, evaluatorAfter);
  if (certificate.verdict == Verdict::Certified)
    certificate = checkElements(after, evaluatorAfter);
  if (certificate.verdict == Verdict::Certified)
    certificate = checkUnused(after);
  if (certificate.verdict == Verdict::Certified)
    certificate = ResultComparison(evaluatorAfter.getSolver(), arguments,
                                   evaluatorAfter, evaluatorAfter)
                      .checkEqualOperands(after);
  return certificate;
}

/// A function and what evaluates it.
struct EvaluatedFunction {
  FunctionOpInterface function;
  SymbolicEvaluator &evaluator;
};

/// What `all` says so far and whether each two of `results` are equal.
static Certificate
compareResults(ArrayRef<std::pair<FunctionResult, FunctionResult>> results,
               Solver &solver, Arguments &arguments, EvaluatedFunction before,
               EvaluatedFunction after, Certificate all) {
  ResultComparison comparison(solver, arguments, before.evaluator,
                              after.evaluator);
  for (const auto &[first, second] : results) {
    Certificate one = comparison.compare(first.value, second.value);
    if (one.verdict == Verdict::Different &&
        (before.evaluator.hasReadApart() || after.evaluator.hasReadApart() ||
         hasPhases(before.function) || hasPhases(after.function))) {
      Certificate order = checkOrder(before.function, before.evaluator,
                                     after.function, after.evaluator);
      return order.verdict == Verdict::Certified ? one : order;
    }
    if (one.verdict != Verdict::Certified)
      return one;
    merge(all, one);
  }
  return all;
}

static Certificate compareEvaluated(Solver &solver, Arguments &arguments,
                                    EvaluatedFunction first,
                                    EvaluatedFunction second,
                                    FunctionOpInterface origin) {
  auto [before, evaluatorBefore] = first;
  auto [after, evaluatorAfter] = second;
  FunctionResults resultsBefore, resultsAfter;
  Certificate all = prepare(before, evaluatorBefore, resultsBefore);
  if (all.verdict == Verdict::Certified)
    all = prepare(after, evaluatorAfter, resultsAfter);
  std::optional<Certificate> shared = findShared(before, after);
  if (all.verdict != Verdict::Certified)
    return shared.value_or(all);
  auto results = pairResults(resultsBefore, resultsAfter);
  if (!results || getInputs(before) != getInputs(after) ||
      !haveSameBuffers(before, after))
    return getDifferent("the functions have other arguments or results", after);
  if (shared)
    return *shared;
  if (results->empty())
    return getUndecided(
        {after, "no value that both functions return or trace"});
  for (FunctionOpInterface function : {before, after})
    findAssumptions(function, arguments);
  SymbolicSizes &sizes = evaluatorBefore.getSizes();
  if (failed(assumeBufferSizes(*results, sizes, arguments)) ||
      failed(assumeContracts(before, evaluatorBefore, arguments)))
    return getUndecided(evaluatorBefore.getObstacle().get());
  SymbolicEvaluator evaluatorOfOrigin(solver, arguments,
                                      {readResult, readState});
  bool hasOrigin = origin && getInputs(origin) == getInputs(before);
  if (hasOrigin &&
      failed(assumeContracts(origin, evaluatorOfOrigin, arguments)))
    return getUndecided(evaluatorOfOrigin.getObstacle().get());
  if (arguments.lacksAssumptions())
    return getUndecided({before, "sizes that settle nothing in all cases"});
  if (solver.isEmpty(arguments.getScope()))
    return getUndecided({before, "what is defined for no sizes and places"});
  Certificate bounds =
      checkBounds(before, evaluatorBefore, after, evaluatorAfter, arguments);
  if (bounds.verdict != Verdict::Certified)
    return bounds;
  Certificate assertions =
      checkAssertions(before, evaluatorBefore, after, evaluatorAfter);
  if (assertions.verdict != Verdict::Certified)
    return assertions;
  CommonValues(solver, arguments, evaluatorBefore, evaluatorAfter)
      .find(before, after, all);
  all = compareResults(*results, solver, arguments, first, second,
                       std::move(all));
  if (all.verdict != Verdict::Certified)
    return all;
  // Last: where results differ, that is more to know.
  Certificate defined =
      checkDefined(before, evaluatorBefore, after, evaluatorAfter, arguments);
  all.assumesAssertions = hasAssertions(before);
  return defined.verdict == Verdict::Certified ? all : defined;
}

static Certificate compareFunctions(Solver &solver, Arguments &arguments,
                                    FunctionOpInterface before,
                                    FunctionOpInterface after,
                                    FunctionOpInterface origin,
                                    Arithmetic arithmetic) {
  SymbolicEvaluator evaluatorBefore(solver, arguments, {readResult, readState},
                                    arithmetic);
  SymbolicEvaluator evaluatorAfter(solver, arguments, {readResult, readState},
                                   arithmetic);
  Certificate certificate =
      compareEvaluated(solver, arguments, {before, evaluatorBefore},
                       {after, evaluatorAfter}, origin);
  certificate.hasProductsOfSums =
      evaluatorBefore.hasProductsOfSums() || evaluatorAfter.hasProductsOfSums();
  return certificate;
}

/// Says what `system` does once; returns false if it has no points.
static bool compact(System &system) {
  SmallVector<Var> locals;
  DenseMap<Var, LinearExpr> values;
  return system.compact(locals, values);
}

/// Compares functions for all sizes of their arguments at once or, where that
/// is undecided, for each of the cases that minima of sizes fall into.
static Certificate compareInCases(Solver &solver, Arguments &arguments,
                                  FunctionOpInterface before,
                                  FunctionOpInterface after,
                                  FunctionOpInterface origin,
                                  Arithmetic arithmetic) {
  constexpr unsigned MostCases = 1000;
  Certificate all;
  SmallVector<System> cases = {System()};
  for (unsigned number = 0; number < cases.size(); ++number) {
    arguments.beginCase(cases[number]);
    Certificate one =
        compareFunctions(solver, arguments, before, after, origin, arithmetic);
    all.hasProductsOfSums |= one.hasProductsOfSums;
    one.hasProductsOfSums = all.hasProductsOfSums;
    if (one.verdict == Verdict::Different || solver.hasExpired())
      return one;
    all.addConditions(one);
    all.numPieces += one.numPieces;
    all.numFamilies += one.numFamilies;
    bool isSplit = one.verdict == Verdict::Undecided &&
                   !arguments.getSplits().empty() && cases.size() < MostCases;
    if (isSplit) {
      for (const System &split : arguments.getSplits()) {
        System narrower = arguments.getAssumptions() & split;
        if (compact(narrower))
          cases.push_back(narrower);
      }
    } else if (one.verdict == Verdict::Undecided &&
               all.verdict == Verdict::Certified) {
      all.verdict = one.verdict;
      all.message = one.message;
      all.op = one.op;
    }
  }
  return all;
}

/// The same where no argument is empty, if that decides what nothing else does:
/// an op that reads no element of one argument may have another too small.
static Certificate compareNonEmpty(Solver &solver, FunctionOpInterface before,
                                   FunctionOpInterface after,
                                   FunctionOpInterface origin,
                                   Arithmetic arithmetic) {
  Arguments arguments(solver);
  Certificate any =
      compareInCases(solver, arguments, before, after, origin, arithmetic);
  if (any.verdict != Verdict::Undecided || solver.hasExpired() ||
      !arguments.hasSizes())
    return any;
  Arguments withElements(solver);
  withElements.assumeElements();
  Certificate certificate =
      compareInCases(solver, withElements, before, after, origin, arithmetic);
  if (certificate.verdict == Verdict::Undecided)
    return any;
  certificate.assumesElements = certificate.verdict == Verdict::Certified;
  return certificate;
}

/// The same within the time that `options` give.
static Certificate compareInTime(FunctionOpInterface before,
                                 FunctionOpInterface after,
                                 const CertifyOptions &options,
                                 Arithmetic arithmetic) {
  Solver solver(options.seconds);
  Certificate certificate =
      compareNonEmpty(solver, before, after, options.origin, arithmetic);
  if (!solver.hasExpired())
    return certificate;
  Certificate expired =
      getUndecided({after, llvm::formatv("no decision within {0} seconds",
                                         options.seconds)});
  expired.hasProductsOfSums = certificate.hasProductsOfSums;
  return expired;
}

/// Whether a constant of `function` is rounded from a fraction.
static bool hasRoundedFractions(FunctionOpInterface function) {
  auto isRounded = [](const llvm::APFloat &value) {
    std::optional<Fraction> fraction = getRoundedFraction(value);
    return fraction && *fraction != *getFraction(value);
  };
  return function
      ->walk([&](arith::ConstantOp op) {
        auto number = dyn_cast<FloatAttr>(op.getValue());
        auto numbers = dyn_cast<DenseFPElementsAttr>(op.getValue());
        bool isOne = (number && isRounded(number.getValue())) ||
                     (numbers && llvm::any_of(numbers, isRounded));
        return isOne ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Compares functions in exact arithmetic. What is different is so for
/// constants as they are, and for the fractions that they round.
static Certificate compareExactly(FunctionOpInterface before,
                                  FunctionOpInterface after,
                                  const CertifyOptions &options) {
  bool takesFractions =
      hasRoundedFractions(before) || hasRoundedFractions(after);
  Certificate certificate =
      compareInTime(before, after, options,
                    takesFractions ? Arithmetic::Fractions : Arithmetic::Exact);
  certificate.takesFractions = takesFractions;
  if (takesFractions && certificate.verdict != Verdict::Certified) {
    Certificate asWritten =
        compareInTime(before, after, options, Arithmetic::Exact);
    bool isOtherwise = certificate.verdict == Verdict::Different
                           ? asWritten.verdict != Verdict::Different
                           : asWritten.verdict == Verdict::Certified;
    if (isOtherwise)
      certificate = asWritten;
  }
  certificate.isExactOnly = certificate.verdict == Verdict::Certified;
  // Terms that cancel out may overflow.
  certificate.assumesNoOverflow = true;
  return certificate;
}

Certificate mlir::convoy::certifyRewrite(FunctionOpInterface before,
                                         FunctionOpInterface after,
                                         const CertifyOptions &options) {
  Certificate same = checkPromises(before, after, options.origin);
  if (same.verdict != Verdict::Certified)
    return same;
  if (haveSameOps(before, after)) {
    same.message = "the same ops";
    return same;
  }
  Certificate exact;
  if (options.isExactFirst) {
    exact = compareExactly(before, after, options);
    if (exact.verdict == Verdict::Certified)
      return exact;
  }
  Certificate certificate =
      compareInTime(before, after, options, Arithmetic::AnyOrder);
  bool isLeft = certificate.verdict == Verdict::Undecided &&
                certificate.hasProductsOfSums;
  if (isLeft && !options.isExactFirst)
    exact = compareExactly(before, after, options);
  return isLeft ? exact : certificate;
}
