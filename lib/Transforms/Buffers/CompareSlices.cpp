//===- CompareSlices.cpp - Slices of the same elements ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Buffers/CompareSlices.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SubsetOpInterface.h"

using namespace mlir;

namespace {
/// Offsets, sizes or strides: constants, with values where they are dynamic.
struct Numbers {
  ArrayRef<int64_t> constants;
  OperandRange values;
};
} // namespace

/// Whether numbers of `first` and `second` with the same place are equal, if
/// that can be seen without looking at how they are computed.
static std::optional<bool> areEqual(const Numbers &first,
                                    const Numbers &second) {
  if (first.constants.size() != second.constants.size())
    return false;
  bool areSame = true;
  auto value = first.values.begin(), otherValue = second.values.begin();
  for (auto [constant, other] :
       llvm::zip_equal(first.constants, second.constants)) {
    bool isDynamic = ShapedType::isDynamic(constant);
    bool isOtherDynamic = ShapedType::isDynamic(other);
    if (!isDynamic && !isOtherDynamic && constant != other)
      return false;
    Value a = isDynamic ? *value++ : Value();
    Value b = isOtherDynamic ? *otherValue++ : Value();
    areSame &= a == b;
  }
  return areSame ? std::optional(true) : std::nullopt;
}

/// Whether `first` and `second` are of the same elements, if that can be seen.
static std::optional<bool> areEqual(OffsetSizeAndStrideOpInterface first,
                                    OffsetSizeAndStrideOpInterface second) {
  std::optional<bool> sizes =
      areEqual({first.getStaticSizes(), first.getSizes()},
               {second.getStaticSizes(), second.getSizes()});
  std::optional<bool> offsets =
      areEqual({first.getStaticOffsets(), first.getOffsets()},
               {second.getStaticOffsets(), second.getOffsets()});
  std::optional<bool> strides =
      areEqual({first.getStaticStrides(), first.getStrides()},
               {second.getStaticStrides(), second.getStrides()});
  if (sizes == false || offsets == false || strides == false)
    return false;
  return sizes && offsets && strides ? std::optional(true) : std::nullopt;
}

namespace {
/// MLIR's model, with what can be seen at once asked first.
template <typename OpTy>
struct SliceModel : SubsetOpInterface::ExternalModel<SliceModel<OpTy>, OpTy> {
  FailureOr<HyperrectangularSlice>
  getAccessedHyperrectangularSlice(Operation *op) const {
    return HyperrectangularSlice(cast<OffsetSizeAndStrideOpInterface>(op));
  }

  bool operatesOnEquivalentSubset(
      Operation *op, SubsetOpInterface candidate,
      llvm::function_ref<bool(Value, Value)> areEquivalent) const {
    auto other =
        dyn_cast<OffsetSizeAndStrideOpInterface>(candidate.getOperation());
    std::optional<bool> isEqual;
    if (other)
      isEqual = areEqual(cast<OffsetSizeAndStrideOpInterface>(op), other);
    if (!isEqual)
      return mlir::detail::defaultOperatesOnEquivalentSubset(op, candidate,
                                                             areEquivalent);
    return *isEqual &&
           areEquivalent(cast<SubsetOpInterface>(op).getTensorContainer(),
                         candidate.getTensorContainer());
  }
};
} // namespace

void mlir::convoy::registerSliceComparison(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::ExtractSliceOp::attachInterface<SliceModel<tensor::ExtractSliceOp>>(
        *context);
    tensor::InsertSliceOp::attachInterface<SliceModel<tensor::InsertSliceOp>>(
        *context);
    tensor::ParallelInsertSliceOp::attachInterface<
        SliceModel<tensor::ParallelInsertSliceOp>>(*context);
  });
}
