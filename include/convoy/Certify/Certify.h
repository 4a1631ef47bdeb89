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

/// Compares what two functions on tensors with the same arguments and results
/// compute, for all finite values of the arguments: each element of each result
/// is the same expression, sums having the same terms as often in any order,
/// and nothing outside a tensor is read or written. `convoy.trace` is the
/// identity; what both functions trace under one name is compared as well. What
/// takes longer than `seconds` is undecided. What `before` takes for granted of
/// sizes and zero points holds for both, as does what `origin` does, which
/// `before` was made from.
Certificate certifyRewrite(FunctionOpInterface before,
                           FunctionOpInterface after, double seconds = 10,
                           FunctionOpInterface origin = {});

} // namespace mlir::convoy

#endif // CONVOY_CERTIFY_CERTIFY_H
