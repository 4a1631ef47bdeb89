//===- Certify.h - Proves that two functions mean the same ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_CERTIFY_CERTIFY_H
#define CONVOY_CERTIFY_CERTIFY_H

#include "convoy/Certify/Comparison/Certificate.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::convoy {

struct CertifyOptions {
  /// What takes longer is undecided.
  double seconds = 10;
  /// What the first function was made from, and what that takes for granted of
  /// sizes holds for both; null for nothing.
  FunctionOpInterface origin = {};
  /// Whether to begin in exact arithmetic: where a function is known to have
  /// products of sums, that takes less time.
  bool isExactFirst = false;
};

/// Compares what two functions on tensors with the same arguments and results
/// compute, for all finite values of the arguments: each element of each result
/// is the same expression, sums having the same terms as often in any order,
/// and nothing outside a tensor is read or written. `convoy.trace` is the
/// identity; what both functions trace under one name is compared as well. What
/// `before` takes for granted of sizes and zero points holds for both. Where
/// that is undecided and a function has products of sums of floating point,
/// these are multiplied out, in exact arithmetic, in as much time again.
Certificate certifyRewrite(FunctionOpInterface before,
                           FunctionOpInterface after,
                           const CertifyOptions &options = {});

} // namespace mlir::convoy

#endif // CONVOY_CERTIFY_CERTIFY_H
