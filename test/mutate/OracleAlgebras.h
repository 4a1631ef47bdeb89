//===- OracleAlgebras.h - Terms and exact numbers ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_MUTATE_ORACLEALGEBRAS_H
#define CONVOY_TEST_MUTATE_ORACLEALGEBRAS_H

#include "convoy/Interpreter/Interpreter.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <string>

namespace mlir::convoy::test {

/// Scalars as sums of terms, in a normal form: a sum is the multiset of its
/// terms, whatever the order, without those that are zero. Any other op is a
/// tree, except that products commute and vanish with a factor of zero,
/// constants are widened, a zero point is what its narrowing widens to, and the
/// larger of two elements, chosen by a comparison, is their maximum. A factor
/// of one is left out. What nothing has written is poison: a factor of zero
/// does not make a number of it.
class TermAlgebra final : public Algebra {
public:
  /// Scalar argument `argument` is a zero point: narrowed, then widened as its
  /// operand is, it is itself.
  void assumeZeroPoint(unsigned argument, bool isUnsigned) {
    zeroPoints[argument] = isUnsigned ? "arith.extui" : "arith.extsi";
  }

  Scalar getUndefined(Type type) override;
  FailureOr<Scalar> getConstant(TypedAttr value) override;
  Scalar getElement(unsigned argument, int64_t position, Type type) override;
  FailureOr<Function> resolve(StringRef name, DictionaryAttr attributes,
                              Type type, ArrayRef<Type> types) override;

  /// The one scalar with the same meaning: two are equal if these are.
  Scalar normalize(Scalar scalar);
  std::string toString(Scalar scalar);

private:
  Scalar apply(StringRef name, DictionaryAttr attributes, Type type,
               ArrayRef<Scalar> operands);

  enum class Kind { Undefined, Constant, Element, Apply, Sum };
  struct Node {
    Kind kind = Kind::Undefined;
    Type type = {};
    TypedAttr constant = {};
    unsigned argument = 0;
    int64_t position = 0;
    std::string name = {};
    DictionaryAttr attributes = {};
    /// Normal, except in a sum that is not.
    std::vector<Scalar> operands = {};
    /// How often a normal sum has each of its terms, as far as can be counted.
    std::vector<uint64_t> counts = {};
    bool isNormal = true;
    /// Whether something in it was never written.
    bool isPoison = false;
  };

  Scalar add(Node node);
  Scalar getZero(Type type);
  bool isZero(Scalar scalar) const;
  bool isOne(Scalar scalar) const;
  /// A simpler scalar that means the same as an op, if there is one.
  std::optional<Scalar> simplify(StringRef name, Type type,
                                 ArrayRef<Scalar> operands);
  std::optional<Scalar> widen(StringRef name, Type type, Scalar operand);
  /// The maximum or minimum that a choice between two elements is.
  std::optional<Scalar> choose(Type type, ArrayRef<Scalar> operands);

  std::vector<Node> nodes;
  std::map<std::vector<int64_t>, Scalar> numbers;
  std::map<std::string, int64_t> names;
  llvm::DenseMap<int64_t, int64_t> normalForms;
  std::map<unsigned, std::string> zeroPoints;
};

/// Scalars as numbers that the seed chooses. Floats are whole and exact, as
/// long as they have less than 63 bits; integers wrap as their types do.
class NumberAlgebra final : public Algebra {
public:
  explicit NumberAlgebra(uint64_t seed) : seed(seed) {}

  /// Scalar argument `argument` is a zero point of an operand of `width` bits.
  void assumeZeroPoint(unsigned argument, bool isUnsigned, unsigned width) {
    zeroPoints[argument] = {isUnsigned, width};
  }

  Scalar getUndefined(Type type) override;
  FailureOr<Scalar> getConstant(TypedAttr value) override;
  Scalar getElement(unsigned argument, int64_t position, Type type) override;
  FailureOr<Function> resolve(StringRef name, DictionaryAttr attributes,
                              Type type, ArrayRef<Type> types) override;

private:
  uint64_t seed;
  std::map<unsigned, std::pair<bool, unsigned>> zeroPoints;
};

} // namespace mlir::convoy::test

#endif // CONVOY_TEST_MUTATE_ORACLEALGEBRAS_H
