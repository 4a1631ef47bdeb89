//===- Certificate.h - What a proof came to ---------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_CERTIFY_COMPARISON_CERTIFICATE_H
#define CONVOY_CERTIFY_COMPARISON_CERTIFICATE_H

#include "convoy/Support/ExitCode.h"

#include "mlir/IR/Operation.h"

#include <string>

namespace mlir::convoy {

/// What a proof came to.
struct Certificate {
  enum class Verdict {
    Certified, ///< same results for all finite values, see below
    Different, ///< `message` is a counterexample
    Undecided, ///< `message` says what is not understood
  };

  Verdict verdict = Verdict::Certified;
  /// Different in this alone: sums are formed in a wider type, which loses
  /// less.
  bool hasWiderSums = false;
  /// Certified as long as no sum, product or narrowing overflows, since zero
  /// times one was taken for zero.
  bool assumesNoOverflow = false;
  /// Certified in exact arithmetic alone: products of sums were multiplied out.
  bool isExactOnly = false;
  /// Certified as long as constants are the fractions of small denominators
  /// that they round.
  bool takesFractions = false;
  /// Whether a product of two sums of floating point was found.
  bool hasProductsOfSums = false;
  /// Certified as long as what the first function asserts holds.
  bool assumesAssertions = false;
  /// Certified as long as no dimension of an argument has the size 0.
  bool assumesElements = false;
  /// Certified as long as buffers in the place of tensors are memory of their
  /// own that may be overwritten.
  bool assumesOwnBuffers = false;
  /// Certified as long as no two elements of a buffer of the caller's, whose
  /// strides are not known, are one.
  bool assumesApartElements = false;
  std::string message;
  /// The op that the message is about, if any.
  Operation *op = nullptr;
  /// Elements of results that were compared, and sums among them, as sets.
  unsigned numPieces = 0, numFamilies = 0;

  /// Lets it be certified under what `other` is certified under, too.
  void addConditions(const Certificate &other);
};

/// As reports and Python name it: certified, different or undecided.
StringRef getWord(Certificate::Verdict verdict);

/// What is equal of functions that are certified, and where: `equal for all
/// finite values where nothing overflows`, or `the same ops`.
std::string describeEquality(const Certificate &certificate);

/// What a tool ends with that has found out no more than this.
::convoy::ExitCode getExitCode(Certificate::Verdict verdict);

} // namespace mlir::convoy

#endif // CONVOY_CERTIFY_COMPARISON_CERTIFICATE_H
