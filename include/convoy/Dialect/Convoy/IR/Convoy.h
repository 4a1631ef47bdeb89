//===- Convoy.h - The convoy dialect, its attributes and ops ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DIALECT_CONVOY_IR_CONVOY_H
#define CONVOY_DIALECT_CONVOY_IR_CONVOY_H

#include "convoy/Dialect/Convoy/IR/CoreTraits.h"
#include "convoy/Support/CPUDotInstruction.h"
#include "convoy/Support/ConvShape.h"
#include "convoy/Support/GPUMatrixInstruction.h"
#include "convoy/Support/VulkanProfile.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/Hashing.h"

namespace convoy {
/// For attributes that hold limits.
llvm::hash_code hash_value(const VulkanLimits &limits);
} // namespace convoy

#include "convoy/Dialect/Convoy/IR/ConvoyOpsDialect.h.inc"

#include "convoy/Dialect/Convoy/IR/ConvoyEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "convoy/Dialect/Convoy/IR/ConvoyAttrs.h.inc"

namespace mlir::convoy {

/// The terms of a convolution as an exact relation. A point of the iteration
/// space is one product; `space` names its dimensions: n, g, f, c, then output
/// positions, taps and input positions (`od`, `oh`, `ow`, `kd`, …, `iw`), of
/// which the input positions are determined by the others through `terms`.
struct IndexRelation {
  SmallVector<std::string> space;
  /// Element of each tensor that a point touches, in the tensor's own layout.
  AffineMap input, filter, output;
  /// The points: sizes (symbols, in the order of `space`) and
  /// e*i = s*o + d*k' - pl for each spatial dimension.
  IntegerSet terms;
};

/// The elements of a matrix instruction's operands and of its result.
struct MatrixTypes {
  Type operand, result;
};
MatrixTypes getMatrixTypes(const ::convoy::GPUMatrixInstruction &instruction,
                           MLIRContext *context);

/// What traces write to: it keeps passes from dropping and reordering them.
struct TraceResource final : SideEffects::Resource::Base<TraceResource> {
  StringRef getName() final { return "ConvoyTraces"; }
};

/// Which tensors of the forward convolution an op of a direction multiplies, in
/// the order of its operands, and which it computes.
struct OperandRoles {
  ::convoy::Operand first, second, result;
  char reduced; ///< letter of the channels, or of the batch, that are added up
};
OperandRoles getOperandRoles(::convoy::Direction direction);

/// Checks the constraints that the three directions share (see ConvoyOps.td).
LogicalResult verifyConvolution(Operation *op);

/// Checks the constraints that a deformable convolution and its gradients share
/// (see ConvoyDeformOps.td).
LogicalResult verifyDeformed(Operation *op);

/// Whether `type` is `narrow`, or wider and able to hold each of its values.
/// No float holds integers, and no integer floats.
bool holdsValuesOf(Type type, Type narrow);

/// Whether `value` is in the range of integer `type`, read as signed or as
/// unsigned.
bool fitsInto(const APInt &value, Type type, bool isUnsigned);

} // namespace mlir::convoy

#include "convoy/Dialect/Convoy/IR/ConvoyInterfaces.h.inc"

#define GET_OP_CLASSES
#include "convoy/Dialect/Convoy/IR/ConvoyOps.h.inc"

#endif // CONVOY_DIALECT_CONVOY_IR_CONVOY_H
