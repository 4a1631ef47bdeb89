//===- EpilogueChain.cpp - What an epilogue tells of sums -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/Certificates.md says what follows from it, and why.
//
//===----------------------------------------------------------------------===//

#include "EpilogueChain.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

using StepKind = PostOp::Kind;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

namespace {
/// A number that a step makes.
struct Number {
  double value = 0;
  bool isExact = true;
};

/// Computes in f64, and says what `type` rounds.
struct Arithmetic {
  ScalarType type;

  Number check(double value, bool isExact) const {
    return {value,
            isExact && std::isfinite(value) && roundTo(type, value) == value};
  }
  Number add(Number a, double b) const {
    double sum = a.value + b, rest = sum - a.value;
    double lost = (a.value - (sum - rest)) + (b - rest);
    return check(sum, a.isExact && lost == 0);
  }
  Number mul(Number a, double b) const {
    double product = a.value * b;
    return check(product, a.isExact && std::fma(a.value, b, -product) == 0);
  }
  Number div(Number a, double b) const {
    double quotient = a.value / b;
    return check(quotient, a.isExact && std::fma(quotient, b, -a.value) == 0);
  }
};
} // namespace

/// ln(1 + exp(value)).
static double getSoftPlus(double value) {
  return std::max(value, 0.0) + std::log1p(std::exp(-std::abs(value)));
}

static double getLogistic(double value) { return 1 / (1 + std::exp(-value)); }

/// What a step of `kind` makes of `value`, but for those that may be exact.
static double callFunction(StepKind kind, double value, double alpha) {
  switch (kind) {
  case StepKind::Elu:
    return value > 0 ? value : alpha * std::expm1(value);
  case StepKind::Exp:
    return std::exp(value);
  case StepKind::GeluErf:
    return 0.5 * value * std::erfc(-value * std::sqrt(0.5));
  case StepKind::GeluTanh:
    // (1 + tanh(y)) / 2
    return value * getLogistic(2 * std::sqrt(2 / M_PI) *
                               (value + 0.044715 * value * value * value));
  case StepKind::Logistic:
    return getLogistic(value);
  case StepKind::Mish:
    return value * std::tanh(getSoftPlus(value));
  case StepKind::SoftRelu:
    return getSoftPlus(alpha * value) / alpha;
  case StepKind::Swish:
    return value * getLogistic(alpha * value);
  case StepKind::Tanh:
    return std::tanh(value);
  default:
    llvm_unreachable("it is no such function");
  }
}

/// Whether what a step of `kind` makes of numbers below zero is no more than
/// what it makes of zero, but goes up and down there.
static bool risesFromZero(StepKind kind) {
  return kind == StepKind::GeluErf || kind == StepKind::GeluTanh ||
         kind == StepKind::HardSwish || kind == StepKind::Mish ||
         kind == StepKind::Swish;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Why `postOp` tells no two numbers apart, or "".
static std::string findStepObstacle(const PostOp &postOp) {
  std::string name = "'" + std::string(postOpName(postOp.kind)) + "'";
  switch (postOp.kind) {
  case StepKind::Abs:
  case StepKind::Square:
    return name + ", which makes the same of a number and its negative";
  case StepKind::Log:
  case StepKind::Sqrt:
    return name + ", which makes no number of some";
  case StepKind::Elu:
  case StepKind::HardSwish:
  case StepKind::Relu:
  case StepKind::Swish:
    return postOp.alpha < 0 ? name + " with a factor below zero" : "";
  default:
    return "";
  }
}

void EpilogueChain::addStep(StepKind kind, double alpha, double beta) {
  steps.push_back({kind, roundTo(compute, alpha), roundTo(compute, beta)});
}

void EpilogueChain::addOperand(StepKind kind, unsigned operand, double alpha,
                               double beta) {
  roles.resize(std::max<size_t>(roles.size(), operand + 1));
  roles[operand] = kind == StepKind::Mul   ? Role::Factor
                   : kind == StepKind::Div ? Role::Divisor
                                           : Role::Added;
  steps.push_back(
      {kind, roundTo(compute, alpha), roundTo(compute, beta), operand});
}

/// Adds what comes before the post-ops: what scales the sum, and its bias.
void EpilogueChain::addScales(const Problem &problem) {
  const Epilogue &epilogue = problem.epilogue;
  unsigned bias = 0, next = problem.addsBiasToScaledSums() ? 1 : 0;
  if (!epilogue.inputScale.isOne())
    addStep(StepKind::Linear, epilogue.inputScale.value, 0);
  if (epilogue.filterScale.isPerChannel) {
    addOperand(StepKind::Mul, next);
    roles[next] = Role::Scale;
  } else if (!epilogue.filterScale.isOne()) {
    addStep(StepKind::Linear, epilogue.filterScale.value, 0);
  }
  if (problem.addsBiasToScaledSums())
    addOperand(StepKind::Add, bias);
}

/// Adds the post-ops, and what comes behind them.
void EpilogueChain::addPostOps(const Problem &problem) {
  const Epilogue &epilogue = problem.epilogue;
  unsigned next = (problem.addsBiasToScaledSums() ? 1 : 0) +
                  (epilogue.filterScale.isPerChannel ? 1 : 0);
  unsigned scale = next, zeroPoint = next;
  if (epilogue.resultScale.isPerChannel)
    zeroPoint = ++next;
  if (epilogue.resultZeroPoint.isPerChannel)
    ++next;
  for (const PostOp &postOp : epilogue.postOps) {
    if (postOp.kind == StepKind::Sum)
      addOperand(postOp.kind, next++, postOp.alpha, postOp.beta);
    else if (postOp.hasOperand())
      addOperand(postOp.kind, next++);
    else
      addStep(postOp.kind, postOp.alpha, postOp.beta);
  }
  if (epilogue.resultScale.isPerChannel)
    addOperand(StepKind::Div, scale);
  else if (!epilogue.resultScale.isOne())
    addStep(StepKind::Div, epilogue.resultScale.value, 0);
  if (epilogue.resultZeroPoint.isPerChannel) {
    addOperand(StepKind::Add, zeroPoint);
    if (problem.resultType() == DataType::U8)
      roles[zeroPoint] = Role::Byte;
  } else if (!epilogue.resultZeroPoint.isZero()) {
    addStep(StepKind::Linear, 1, epilogue.resultZeroPoint.value);
  }
}

std::optional<EpilogueChain> EpilogueChain::create(const Problem &problem,
                                                   std::string &reason) {
  for (const PostOp &postOp : problem.epilogue.postOps) {
    reason = findStepObstacle(postOp);
    if (!reason.empty())
      return std::nullopt;
  }
  EpilogueChain chain(problem.type == ElementType::F64 ? ScalarType::F64
                                                       : ScalarType::F32,
                      dataScalarType(problem.resultType()));
  chain.addScales(problem);
  chain.addPostOps(problem);
  return chain;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

namespace {
/// A number with its neighbours on the way through the steps.
struct State {
  std::array<Number, 3> numbers;
  bool isKnown = true;
  /// Whether what is made of numbers farther away lies farther away.
  bool isInOrder = true;
  double largest = 1;

  bool isExact() const {
    return llvm::all_of(numbers, [](Number n) { return n.isExact; });
  }
};
} // namespace

/// What a step of `kind` without an operand makes of `number`.
static Number applyFunction(const Arithmetic &arithmetic, StepKind kind,
                            double alpha, double beta, Number number) {
  auto linear = [&](Number of) {
    return arithmetic.add(alpha == 1 ? of : arithmetic.mul(of, alpha), beta);
  };
  auto clamp = [](Number of, double least, double most) {
    return Number{std::min(std::max(of.value, least), most), of.isExact};
  };
  switch (kind) {
  case StepKind::Clip:
    return clamp(number, alpha, beta);
  case StepKind::Div:
    return arithmetic.div(number, alpha);
  case StepKind::HardSigmoid:
    return clamp(linear(number), 0, 1);
  case StepKind::HardSwish: {
    Number factor = clamp(linear(number), 0, 1);
    Number product = arithmetic.mul(number, factor.value);
    return {product.value, product.isExact && factor.isExact};
  }
  case StepKind::Linear:
    return linear(number);
  case StepKind::Relu:
    return number.value > 0 ? number : arithmetic.mul(number, alpha);
  case StepKind::Round:
    return {std::nearbyint(number.value), number.isExact};
  default:
    return {callFunction(kind, number.value, alpha), false};
  }
}

/// What a step of `kind` makes of `number` and `operand`.
static Number applyOperand(const Arithmetic &arithmetic, StepKind kind,
                           double alpha, double beta, Number number,
                           double operand) {
  switch (kind) {
  case StepKind::Sum: {
    Number added =
        arithmetic.mul(arithmetic.add({operand, true}, -beta), alpha);
    Number sum = arithmetic.add(number, added.value);
    return {sum.value, sum.isExact && added.isExact};
  }
  case StepKind::Add:
    return arithmetic.add(number, operand);
  case StepKind::Sub:
    return arithmetic.add(number, -operand);
  case StepKind::Mul:
    return arithmetic.mul(number, operand);
  case StepKind::Div:
    return arithmetic.div(number, operand);
  case StepKind::Max:
    return {std::max(number.value, operand), number.isExact};
  case StepKind::Min:
    return {std::min(number.value, operand), number.isExact};
  default:
    llvm_unreachable("it has no operand");
  }
}

static void applyStep(const Arithmetic &arithmetic,
                      const EpilogueChain::Step &step,
                      ArrayRef<EpilogueChain::Triple> operands, State &state) {
  bool isAnyNegative =
      llvm::any_of(state.numbers, [](Number n) { return n.value < 0; });
  if (risesFromZero(step.kind) && isAnyNegative)
    state.isInOrder = false;
  // What is nearly half of a whole number is rounded either way.
  if (step.kind == StepKind::Round && !state.isExact())
    state.isKnown = false;
  for (size_t i = 0; i < state.numbers.size(); ++i) {
    Number &number = state.numbers[i];
    if (step.operand) {
      double operand = operands[*step.operand][i];
      state.largest = std::max(state.largest, std::abs(operand));
      number = applyOperand(arithmetic, step.kind, step.alpha, step.beta,
                            number, operand);
    } else {
      number =
          applyFunction(arithmetic, step.kind, step.alpha, step.beta, number);
    }
    state.largest = std::max(state.largest, std::abs(number.value));
    if (!std::isfinite(number.value))
      state.isKnown = false;
  }
}

static EpilogueChain::Outcome getOutcome(const State &state, ScalarType compute,
                                         ScalarType result) {
  // How far steps that round may be off, of the largest number on the way.
  constexpr double ErrorOfF32 = 0x1p-16, ErrorOfF64 = 0x1p-44;
  double error = state.isExact()              ? 0
                 : compute == ScalarType::F64 ? ErrorOfF64
                                              : ErrorOfF32;
  EpilogueChain::Triple least, most;
  for (size_t i = 0; i < least.size(); ++i) {
    double value = state.numbers[i].value;
    double distance = error * (std::abs(value) + state.largest);
    least[i] = roundTo(result, value - distance);
    most[i] = roundTo(result, value + distance);
  }
  bool goesUp = most[0] < least[1] && most[1] < least[2];
  bool goesDown = most[2] < least[1] && most[1] < least[0];
  EpilogueChain::Outcome outcome;
  outcome.least = least[1];
  outcome.most = most[1];
  outcome.tells = state.isKnown && state.isInOrder && (goesUp || goesDown);
  outcome.isKnown = outcome.tells || (state.isKnown && state.isExact());
  return outcome;
}

EpilogueChain::Outcome EpilogueChain::apply(Triple sum,
                                            ArrayRef<Triple> operands) const {
  Arithmetic arithmetic{compute};
  State state;
  for (auto [number, value] : llvm::zip_equal(state.numbers, sum)) {
    number = arithmetic.check(value, true);
    state.largest = std::max(state.largest, std::abs(value));
  }
  for (const Step &step : steps)
    applyStep(arithmetic, step, operands, state);
  return getOutcome(state, compute, result);
}
