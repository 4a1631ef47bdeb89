//===- NumberAlgebra.cpp - Scalars as exact numbers -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OracleAlgebras.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::test;

/// What an integer of `type` holds of `value`; floats hold everything.
static Scalar wrap(Type type, uint64_t value) {
  unsigned width = isa<FloatType>(type) ? 64 : type.getIntOrFloatBitWidth();
  return llvm::SignExtend64(value, width);
}

/// The next number of SplitMix64.
static uint64_t mix(uint64_t state) {
  state += 0x9E3779B97F4A7C15;
  state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9;
  state = (state ^ (state >> 27)) * 0x94D049BB133111EB;
  return state ^ (state >> 31);
}

Scalar NumberAlgebra::getUndefined(Type type) { return wrap(type, 1000003); }

FailureOr<Scalar> NumberAlgebra::getConstant(TypedAttr value) {
  if (auto number = dyn_cast<IntegerAttr>(value))
    return Scalar(number.getValue().getSExtValue());
  auto number = dyn_cast<FloatAttr>(value);
  if (!number || !number.getValue().isInteger())
    return failure();
  return Scalar(static_cast<int64_t>(number.getValueAsDouble()));
}

Scalar NumberAlgebra::getElement(unsigned argument, int64_t position,
                                 Type type) {
  uint64_t random = mix(mix(mix(seed) + argument) + uint64_t(position));
  if (auto it = zeroPoints.find(argument); it != zeroPoints.end()) {
    auto [isUnsigned, width] = it->second;
    return isUnsigned ? random & llvm::maskTrailingOnes<uint64_t>(width)
                      : llvm::SignExtend64(random, width);
  }
  // All bytes, so that signs count; floats small, so that sums are exact.
  return isa<FloatType>(type) ? Scalar(int64_t(random % 17) - 8)
                              : wrap(type, random);
}

/// Whether the first number is above or below the second, as the text of the
/// predicate says; others are not known.
static FailureOr<Algebra::Function> resolveComparison(DictionaryAttr attributes,
                                                      ArrayRef<Type> types) {
  if (llvm::any_of(types, isConcrete))
    return failure();
  int64_t number = cast<IntegerAttr>(attributes.get("predicate")).getInt();
  StringRef predicate =
      isa<FloatType>(types[0])
          ? arith::stringifyCmpFPredicate(arith::CmpFPredicate(number))
                .drop_front()
          : arith::stringifyCmpIPredicate(arith::CmpIPredicate(number));
  predicate.consume_front("s");
  if (predicate == "gt")
    return Algebra::Function([](ArrayRef<Scalar> operands) -> Scalar {
      return operands[0].number > operands[1].number;
    });
  if (predicate == "lt")
    return Algebra::Function([](ArrayRef<Scalar> operands) -> Scalar {
      return operands[0].number < operands[1].number;
    });
  return failure();
}

FailureOr<Algebra::Function> NumberAlgebra::resolve(StringRef name,
                                                    DictionaryAttr attributes,
                                                    Type type,
                                                    ArrayRef<Type> types) {
  if (name == "arith.cmpf" || name == "arith.cmpi")
    return resolveComparison(attributes, types);
  if (isConcrete(type) || llvm::any_of(types, isConcrete))
    return failure();
  using Compute = uint64_t (*)(uint64_t, uint64_t);
  Compute compute =
      llvm::StringSwitch<Compute>(name)
          .Cases({"arith.addf", "arith.addi"},
                 [](uint64_t a, uint64_t b) { return a + b; })
          .Cases({"arith.subf", "arith.subi"},
                 [](uint64_t a, uint64_t b) { return a - b; })
          .Cases({"arith.mulf", "arith.muli"},
                 [](uint64_t a, uint64_t b) { return a * b; })
          .Cases({"arith.maximumf", "arith.maxsi"},
                 [](uint64_t a, uint64_t b) {
                   return uint64_t(std::max(int64_t(a), int64_t(b)));
                 })
          .Cases({"arith.minimumf", "arith.minsi"},
                 [](uint64_t a, uint64_t b) {
                   return uint64_t(std::min(int64_t(a), int64_t(b)));
                 })
          // Any function will do: nothing is taken for granted of quotients.
          .Case("arith.divf",
                [](uint64_t a, uint64_t b) { return mix(mix(a) + b); })
          .Case("arith.negf", [](uint64_t a, uint64_t) { return -a; })
          .Cases({"arith.extf", "arith.truncf", "arith.extsi", "arith.trunci"},
                 [](uint64_t a, uint64_t) { return a; })
          .Case("arith.extui",
                [](uint64_t a, uint64_t mask) { return a & mask; })
          .Default(nullptr);
  if (!compute)
    return failure();
  uint64_t mask =
      llvm::maskTrailingOnes<uint64_t>(types[0].getIntOrFloatBitWidth());
  return Function([=](ArrayRef<Scalar> operands) -> Scalar {
    return wrap(type, compute(operands[0].number,
                              operands.size() > 1 ? operands[1].number : mask));
  });
}
