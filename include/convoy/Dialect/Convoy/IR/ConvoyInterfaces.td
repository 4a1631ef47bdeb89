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
    InterfaceMethod<"The zero points: none, or one of each operand in their order; the filter's may be a tensor.",
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
    /// Whether each channel of the result has a zero point of the filter of its
    /// own.
    bool hasZeroPointsPerChannel() {
      ::mlir::OperandRange zeroPoints = $_op.getZeroPoints();
      return !zeroPoints.empty() &&
             ::llvm::isa<::mlir::RankedTensorType>(zeroPoints.back().getType());
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
    /// All sizes, which must be static; the batch may be given.
    ::convoy::ConvShape getConvShape(std::optional<int64_t> batch = {});
    /// The exact set of (output element, input element, filter element) triples
    /// that the op multiplies and adds.
    ::mlir::convoy::IndexRelation getIndexRelation();
  }];
  let verify = "return ::mlir::convoy::verifyConvolution($_op);";
}

def Convoy_DeformOpInterface : OpInterface<"DeformOpInterface"> {
  let cppNamespace = "::mlir::convoy";
  let description = [{
    A deformable convolution or one of its gradients. Layouts, window and sizes
    are those of the convolution, whichever the op.
  }];
  let methods = [
    InterfaceMethod<"The layouts of the convolution.",
                    "::mlir::convoy::ConvLayoutAttr", "getLayout", (ins)>,
    InterfaceMethod<"The names of the dimensions of offset and mask.",
                    "::llvm::StringRef", "getOffsetLayout", (ins)>,
    InterfaceMethod<"The window of the convolution.",
                    "::mlir::convoy::WindowAttr", "getWindow", (ins)>,
    InterfaceMethod<"How far the taps are moved.",
                    "::mlir::Value", "getOffset", (ins)>,
    InterfaceMethod<"What samples are multiplied with; null for nothing, and "
                    "where it does not matter.",
                    "::mlir::Value", "getMask", (ins)>,
    InterfaceMethod<"The value that the sums are added to.",
                    "::mlir::Value", "getInit", (ins)>,
    InterfaceMethod<"The value that plays `operand`, or its gradient.",
                    "::mlir::Value", "getOperandFor",
                    (ins "::convoy::Operand":$operand)>,
  ];
  let extraSharedClassDeclaration = [{
    /// The largest stride, dilation and padding: with images of at
    /// most as many elements, positions of taps have room in 32 bits, and so have what lies
    /// 2^30 elements beside.
    static constexpr int64_t kMaxStep = int64_t(1) << 24;

    /// Type of the tensor that plays `operand`.
    ::mlir::RankedTensorType getTypeFor(::convoy::Operand operand) {
      return ::llvm::cast<::mlir::RankedTensorType>(
          $_op.getOperandFor(operand).getType());
    }
    /// Size of the dimension `letter` of `operand`; may be dynamic. Of `g`, 1
    /// where there are no groups.
    int64_t getSize(::convoy::Operand operand, char letter) {
      const auto layout = $_op.getLayout().getLayouts()[operand];
      if (letter == 'g' && !layout.hasGroups())
        return 1;
      return getTypeFor(operand).getDimSize(layout.position(letter));
    }
    /// Numbers of taps, outermost dimension first.
    ::std::array<int64_t, 2> getTaps() {
      return {getSize(::convoy::Operand::Filter, 'h'),
              getSize(::convoy::Operand::Filter, 'w')};
    }
    /// The channels of all groups.
    int64_t getChannels() {
      return getSize(::convoy::Operand::Input, 'c') *
             getSize(::convoy::Operand::Input, 'g');
    }
    /// How many groups of channels are moved alike.
    int64_t getOffsetGroups() {
      auto [rows, columns] = getTaps();
      auto type =
          ::llvm::cast<::mlir::RankedTensorType>($_op.getOffset().getType());
      return type.getDimSize($_op.getOffsetLayout().find('c')) /
             (2 * rows * columns);
    }
  }];
  let verify = "return ::mlir::convoy::verifyDeformed($_op);";
}

#endif // CONVOY_INTERFACES_TD
