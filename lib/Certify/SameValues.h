//===- SameValues.h - Functions of the same values --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_SAMEVALUES_H
#define CONVOY_LIB_CERTIFY_SAMEVALUES_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::convoy::certify {

/// All that `op` says besides its operands, regions and types: its discardable
/// attributes, and its properties, which ops of dialects that are not known
/// have, too.
std::pair<Attribute, Attribute> getAllAttributes(Operation *op);

/// Whether both functions are made of the same ops on the same values, so that
/// they do the same, whatever these ops do: `after` may compute scalars and
/// vectors elsewhere, more often or less often, and indices as other sums of
/// the same terms. Of all other ops it has none that `before` does not run in
/// the same loops and branches. Symbols may be other things in other modules,
/// and what others left in a buffer may be other numbers.
bool haveSameOps(FunctionOpInterface before, FunctionOpInterface after);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_SAMEVALUES_H
