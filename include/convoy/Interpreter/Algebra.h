//===- Algebra.h - What an interpreter computes with ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_INTERPRETER_ALGEBRA_H
#define CONVOY_INTERPRETER_ALGEBRA_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/IR/BuiltinAttributes.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace mlir::convoy {

/// An element, an index or a condition. What the number of an element means is
/// the algebra's; indices and conditions are what they are.
struct Scalar {
  int64_t number = 0;
  /// How far a right target's number may be from this one, for algebras that
  /// know; a condition with an error may be either.
  double error = 0;

  Scalar(int64_t number = 0, double error = 0) : number(number), error(error) {}
  operator int64_t() const { return number; }
};

/// Sums that are built term by term, in an order that a target may change.
class Sums {
public:
  virtual ~Sums() = default;

  virtual void add(int64_t place, const Scalar &term) = 0;
  virtual Scalar get(int64_t place) = 0;
};

/// How images are sampled (docs/Sampling.md).
struct Sampling {
  SampleMode mode;
  SamplePadding padding;
  bool alignCorners;
  SmallVector<int64_t, 3> sizes; ///< of an image, outermost dimension first
  FloatType imageType, gridType;
};

/// Samples images of one size.
class Sampler {
public:
  using ReadElement = function_ref<Scalar(ArrayRef<int64_t> place)>;

  virtual ~Sampler() = default;

  /// Goes to the position that `coordinates` give, outermost dimension first.
  virtual void moveTo(ArrayRef<Scalar> coordinates) = 0;
  /// Goes to the position that lies `offsets` beside the elements `from`.
  virtual void moveBeside(ArrayRef<int64_t> from, ArrayRef<Scalar> offsets) = 0;
  /// The sample there of the image whose elements `read` returns. Weights are
  /// multiplied with `factor`, if it is given.
  virtual Scalar sample(ReadElement read,
                        std::optional<Scalar> factor = {}) = 0;

  using AddTerm = function_ref<void(ArrayRef<int64_t> place, Scalar term)>;
  using ReadChannel =
      function_ref<Scalar(int64_t channel, ArrayRef<int64_t> place)>;

  /// Calls `add` with what `gradient`, that of the sample there, gives to the
  /// elements which the sample is made of, in f32. Weights are multiplied with
  /// `factor`, if it is given.
  virtual void spread(Scalar gradient, AddTerm add,
                      std::optional<Scalar> factor = {}) = 0;
  /// The derivatives by the coordinates or offsets, outermost dimension first
  /// and in f32, of the sum of the samples there, of one image for each
  /// channel, times `gradients`.
  virtual SmallVector<Scalar, 3> differentiate(ArrayRef<Scalar> gradients,
                                               ReadChannel read) = 0;
};

/// A convolution, and what it is computed of, in the order of its operands.
struct ConvolutionTerms {
  ConvolutionOpInterface op;
  int64_t batch; ///< which may be dynamic in the op
  std::array<const std::vector<Scalar> *, 2> factors;
  ArrayRef<Scalar> inits;
};

/// What elements of tensors are, and what ops on scalars make of them.
class Algebra {
public:
  using Function = std::function<Scalar(ArrayRef<Scalar>)>;

  virtual ~Algebra() = default;

  /// An element that nothing has written.
  virtual Scalar getUndefined(Type type) = 0;
  virtual FailureOr<Scalar> getConstant(TypedAttr value) = 0;
  /// Element `position` of argument `argument`, in row-major order.
  virtual Scalar getElement(unsigned argument, int64_t position, Type type) = 0;
  /// What the scalar op `name` makes of operands of `types`; fails where the
  /// algebra does not know it.
  virtual FailureOr<Function> resolve(StringRef name, DictionaryAttr attributes,
                                      Type type, ArrayRef<Type> types) = 0;
  /// Sums of elements of `type` that start at `inits`, one for each place.
  /// Here they add in the order of the calls.
  virtual std::unique_ptr<Sums> startSums(Type type, std::vector<Scalar> inits);
  /// The same for those that `op` makes, which may be sums of products.
  virtual std::unique_ptr<Sums> startSumsOf(Operation *op, Type type,
                                            std::vector<Scalar> inits);
  /// Lets `sums`, the elements of the result of `terms`, be as far off as where
  /// a target computes tiles of so many of them along each spatial dimension by
  /// Winograd's algorithm. Algebras without errors have nothing to do.
  virtual void followWinograd(const ConvolutionTerms &terms,
                              ArrayRef<int64_t> tile,
                              MutableArrayRef<Scalar> sums) {}
  /// What samples as `sampling` says; null where the algebra does not know it.
  virtual std::unique_ptr<Sampler> startSampling(const Sampling &sampling);
};

} // namespace mlir::convoy

#endif // CONVOY_INTERPRETER_ALGEBRA_H
