//===- CheckEpilogue.cpp - What becomes of sums -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckEpilogue.h"

#include "CheckElements.h"

#include "convoy/Driver/Compile.h"
#include "convoy/Interpreter/Interpreter.h"
#include "convoy/Runtime/Poison.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

namespace {
/// The sums of a reference, and the operands of an epilogue.
class EpilogueNumbers final : public BoundedNumbers {
public:
  EpilogueNumbers(const CheckedConv &conv,
                  const std::vector<HostArray> &arguments, TargetMath target)
      : BoundedNumbers(arguments, target), conv(conv) {}

  /// In the order of the result in memory.
  std::vector<Scalar> sums;

  Scalar getElement(unsigned argument, int64_t position, Type type) override {
    if (argument == 0)
      return sums[position];
    return BoundedNumbers::getElement(
        conv.epilogueOperands[argument - 1].argument, position, type);
  }

private:
  const CheckedConv &conv;
};

/// How far a target's sums may be from the reference's.
class SumBounds {
public:
  SumBounds(const CheckedConv &conv, const ReferenceResult &reference,
            const CompareOptions &options)
      : reference(reference), exact(options.exact) {
    if (isFloat(reference.type))
      bound.emplace(conv.direction, conv.getSumNumerics(), options.target);
  }

  /// Why there are no bounds, or nothing.
  std::string refuse() const {
    if (exact || reference.length.empty() || !bound)
      return "";
    return bound->refuse(*llvm::max_element(reference.length)).value_or("");
  }

  Scalar get(int64_t place) const {
    if (!bound)
      return int64_t(int32_t(uint32_t(uint64_t(reference.integer[place]))));
    return getFloat(place);
  }

private:
  BoundedFloat getFloat(int64_t place) const {
    SumFacts sum = getSumFacts(reference, place);
    if (!std::isfinite(sum.value) || bound->sumMayOverflow(sum))
      return {sum.value, kInfinity};
    double low =
        reference.valueLow.empty() ? 0 : std::abs(reference.valueLow[place]);
    return {sum.value, exact ? low : bound->sumError(sum) + low};
  }

  const ReferenceResult &reference;
  bool exact;
  std::optional<ErrorBound> bound; ///< of floats
};
} // namespace

static TargetMath getTargetMath(TargetArithmetic arithmetic,
                                FunctionMath math) {
  arithmetic.flushesSubnormals |= math == FunctionMath::Peer;
  return {arithmetic, math != FunctionMath::Own};
}

/// What the epilogue makes of the reference's sums, in the order of the result
/// in memory; nothing, with a reason in `refusal`, where that is not known.
static std::optional<Tensor>
interpret(const CheckedConv &conv, const std::vector<HostArray> &arguments,
          const ReferenceResult &reference, const CompareOptions &options,
          FunctionMath math, std::string &refusal) {
  SumBounds bounds(conv, reference, options);
  refusal = bounds.refuse();
  if (!refusal.empty())
    return std::nullopt;
  EpilogueNumbers numbers(conv, arguments, getTargetMath(options.target, math));
  const OperandIndex &index =
      conv.indices[static_cast<size_t>(directionRoles(conv.direction).result)];
  numbers.sums.resize(index.elementCount());
  ::convoy::forEachIndex(index.sizes, [&](const LogicalIndex &element) {
    numbers.sums[index.offset(element)] =
        bounds.get(reference.index.offset(element));
  });
  MLIRContext context(MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = buildEpilogueModule(&context, *conv.epilogue);
  Interpreter interpreter(numbers);
  FailureOr<std::vector<Tensor>> results =
      interpreter.run(*module->getOps<func::FuncOp>().begin());
  if (succeeded(results))
    return std::move(results->front());
  refusal = "there is no reference: " + interpreter.getFault().message;
  return std::nullopt;
}

CompareReport mlir::convoy::compareEpilogue(
    const CheckedConv &conv, const std::vector<HostArray> &arguments,
    const ReferenceResult &reference, const void *result,
    const CompareOptions &options, FunctionMath math) {
  CompareReport report;
  std::optional<Tensor> wanted =
      interpret(conv, arguments, reference, options, math, report.refusal);
  if (!wanted)
    return report;
  Operand operand = directionRoles(conv.direction).result;
  ScalarType type = conv.numerics.type(operand);
  ReportBuilder builder(type);
  if (options.survey) {
    std::vector<ErrorAxis> axes;
    for (auto [letter, size] :
         llvm::zip_equal(conv.resultLayout.letters(), wanted->shape))
      axes.push_back({std::string(1, letter), size});
    builder.survey(std::move(axes));
  }
  for (int64_t number = 0; number < wanted->size(); ++number) {
    ElementCheck check =
        checkElement(type, result, number, (*wanted->elements)[number]);
    // Integers may be what poison is made of.
    if (isPoison(type, result, number) && (isFloat(type) || !check.isRight)) {
      check.isUnwritten = true;
      check.isRight = check.isOverflow = false;
      check.error = kInfinity;
    }
    builder.add(check, [&] { return conv.getPlace(number); });
  }
  return builder.finish();
}

HostArray mlir::convoy::computeEpilogueOf(
    const CheckedConv &conv, const std::vector<HostArray> &arguments,
    const ReferenceResult &reference, std::string &error) {
  Operand operand = directionRoles(conv.direction).result;
  bool isOfFloats = isFloat(conv.numerics.type(operand));
  HostArray values(isOfFloats ? ScalarType::F64 : ScalarType::I32,
                   conv.shape.shape(operand, conv.resultLayout));
  std::optional<Tensor> wanted =
      interpret(conv, arguments, reference, {}, FunctionMath::Own, error);
  if (!wanted)
    return values;
  bool isUnsigned = conv.numerics.type(operand) == ScalarType::U8;
  for (int64_t number = 0; number < wanted->size(); ++number) {
    const Scalar &element = (*wanted->elements)[number];
    values.set(number, isOfFloats   ? BoundedFloat(element).value
                       : isUnsigned ? double(uint8_t(element.number))
                                    : double(element.number));
  }
  return values;
}
