//===- DiscardableAttrs.h - Attributes on ops of others ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What users say of functions, and what passes leave for each other. The
// dialect checks each of them wherever it stands, and knows no others.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DIALECT_CONVOY_IR_DISCARDABLEATTRS_H
#define CONVOY_DIALECT_CONVOY_IR_DISCARDABLEATTRS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::convoy {

/// Names of the attributes of a function that hold its interface: an array with
/// a dictionary for each argument, and numbers of bytes.
constexpr StringLiteral kArgumentsAttrName = "convoy.arguments";
constexpr StringLiteral kWorkspaceAttrName = "convoy.workspace";
constexpr StringLiteral kImageWorkspaceAttrName = "convoy.image_workspace";

/// Names of the attributes of arguments and results that users may set: texts.
constexpr StringLiteral kNameAttrName = "convoy.name";
constexpr StringLiteral kLayoutAttrName = "convoy.layout";

/// Name of the attribute of arguments that bounds their finite elements:
/// `array<f64: low, high>`, or with the least magnitude that is not zero as a
/// third number.
constexpr StringLiteral kRangeAttrName = "convoy.range";

/// Name of the unit attribute of arguments that callers hand over packed.
constexpr StringLiteral kPrepackedAttrName = "convoy.prepacked";

/// Name of the unit attribute of results that are traced values, not what a
/// function is there for.
constexpr StringLiteral kTracedAttrName = "convoy.traced";

/// Name of the attribute of results that says how often a term of such a sum is
/// rounded to each type, at most: a dictionary with counts for types' names.
constexpr StringLiteral kSumsAttrName = "convoy.sums";

/// Name of the unit attribute in such a dictionary for results that may have
/// zero in the place of subnormal numbers, or were computed from zero there.
constexpr StringLiteral kFlushesName = "flushes";

inline bool flushesSubnormals(DictionaryAttr sums) {
  return sums && sums.contains(kFlushesName);
}

/// Name of the unit attribute in such a dictionary for results some of whose
/// roundings are to odd, not to nearest.
constexpr StringLiteral kRoundsToOddName = "rounds_to_odd";

inline bool roundsToOdd(DictionaryAttr sums) {
  return sums && sums.contains(kRoundsToOddName);
}

/// Name of the attribute of a module that names the chip that kernels are for.
constexpr StringLiteral kRocmChipAttrName = "convoy.rocm_chip";

/// Name of the unit attribute of copies in the order of vectors' lanes.
constexpr StringLiteral kPackedAttrName = "convoy.packed";

/// Name of the unit attribute of `scf.for` whose iterations change no element
/// of a tensor twice, and read none that another one has changed.
constexpr StringLiteral kIndependentAttrName = "convoy.independent";

/// Name of the unit attribute of barriers that hold for buffers.
constexpr StringLiteral kBufferBarrierAttrName = "convoy.buffer_barrier";

/// Name of the unit attribute of products, sums and differences of floats that
/// are rounded each, and never as one multiply-add.
constexpr StringLiteral kUncontractedAttrName = "convoy.uncontracted";

/// Name of the unit attribute of products of cooperative matrices whose factors
/// are bf16. `gpu.mma_matrix` has no such type: they are moved as f16, bit for
/// bit.
constexpr StringLiteral kBF16FactorsAttrName = "convoy.bf16_factors";

/// An attribute that stands on ops of other dialects: what it is, as in "a unit
/// attribute", and where it stands, as in "a loop".
struct DiscardableAttr {
  StringRef name;
  StringRef value;
  StringRef place;
};

/// All of the attributes above, and typed ones. Some stand in two places, and
/// are there twice.
SmallVector<DiscardableAttr> getDiscardableAttrs();

/// Their names, each once.
SmallVector<StringRef> getDiscardableAttrNames();

} // namespace mlir::convoy

#endif // CONVOY_DIALECT_CONVOY_IR_DISCARDABLEATTRS_H
