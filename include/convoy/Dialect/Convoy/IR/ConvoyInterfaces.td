//===- ConvoyInterfaces.td - What the convolution ops share ---------- -*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_INTERFACES_TD
#define CONVOY_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Convoy_ConvolutionOpInterface : OpInterface<"ConvolutionOpInterface"> {
  let cppNamespace = "::mlir::convoy";
  let description = [{
    A convolution in one of its three directions. Layout, window and sizes are
    those of the forward convolution, whichever the direction.
  }];
  let methods = [
    StaticInterfaceMethod<"What the op computes.",
                    "::convoy::Direction", "getDirection", (ins)>,
    InterfaceMethod<"The layouts of the forward convolution.",
                    "::mlir::convoy::ConvLayoutAttr", "getLayout", (ins)>,
    InterfaceMethod<"The window of the forward convolution.",
                    "::mlir::convoy::WindowAttr", "getWindow", (ins)>,
    InterfaceMethod<"How elements are read and summed.",
                    "::mlir::convoy::NumericsAttr", "getNumerics", (ins)>,
    InterfaceMethod<"Changes how elements are read and summed.",
                    "void", "setNumericsAttr",
                    (ins "::mlir::convoy::NumericsAttr":$numerics)>,
    InterfaceMethod<"The value that the sums are added to.",
                    "::mlir::Value", "getInit", (ins)>,
    InterfaceMethod<"The zero points: none, or one of each operand in their order.",
                    "::mlir::OperandRange", "getZeroPoints", (ins)>,
  ];
  let extraSharedClassDeclaration = [{
    /// The value that plays `operand`; the result's role is played by the init.
    ::mlir::Value getOperandFor(::convoy::Operand operand) {
      auto roles = ::mlir::convoy::getOperandRoles($_op.getDirection());
      if (operand == roles.result)
        return $_op.getInit();
      return $_op->getOperand(operand == roles.first ? 0 : 1);
    }
    /// Type of the tensor that plays `operand`.
    ::mlir::RankedTensorType getTypeFor(::convoy::Operand operand) {
      return ::llvm::cast<::mlir::RankedTensorType>(
          getOperandFor(operand).getType());
    }
    /// Size of the dimension `letter` of `operand`; may be dynamic.
    int64_t getSize(::convoy::Operand operand, char letter) {
      auto layouts = $_op.getLayout().getLayouts();
      return getTypeFor(operand).getDimSize(layouts[operand].position(letter));
    }
    /// Type that products and sums are formed in.
    ::mlir::Type getAccumulatorType() {
      if (::mlir::Type type = $_op.getNumerics().getAccumulator())
        return type;
      return ::mlir::getElementTypeOrSelf($_op.getInit().getType());
    }
    bool hasStaticSizes() {
      using ::convoy::Operand;
      return getTypeFor(Operand::Input).hasStaticShape() &&
             getTypeFor(Operand::Filter).hasStaticShape() &&
             getTypeFor(Operand::Output).hasStaticShape();
    }
    /// Whether a tensor is known to have no elements, so that nothing is added
    /// to the init. No slice of a dimension without positions is legal.
    bool hasEmptyTensor() {
      using ::convoy::Operand;
      for (auto operand : {Operand::Input, Operand::Filter, Operand::Output})
        if (::llvm::is_contained(getTypeFor(operand).getShape(), 0))
          return true;
      return false;
    }
  }];
  let extraClassDeclaration = [{
    /// All sizes. The sizes must be static.
    ::convoy::ConvShape getConvShape();
    /// The exact set of (output element, input element, filter element) triples
    /// that the op multiplies and adds.
    ::mlir::convoy::IndexRelation getIndexRelation();
  }];
  let verify = "return ::mlir::convoy::verifyConvolution($_op);";
}

#endif // CONVOY_INTERFACES_TD
