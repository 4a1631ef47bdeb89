//===- BitBuilder.h - Arithmetic on the bits of floats ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_FLOATS_BITBUILDER_H
#define CONVOY_LIB_TRANSFORMS_FLOATS_BITBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::convoy {

/// Builds arithmetic on numbers, or on vectors of the shape of `like`.
class BitBuilder {
public:
  BitBuilder(Location loc, OpBuilder &builder, Type like)
      : builder(loc, builder), like(like) {}

  Type type(Type element) const {
    if (auto shaped = dyn_cast<ShapedType>(like))
      return shaped.clone(element);
    return element;
  }
  Type i16() { return type(builder.getI16Type()); }
  Type i32() { return type(builder.getI32Type()); }
  Type f16() { return type(builder.getF16Type()); }
  Type f32() { return type(builder.getF32Type()); }

  Value bits(uint32_t value) {
    return constant(i32(), builder.getI32IntegerAttr(int32_t(value)));
  }
  Value number(float value) {
    return constant(f32(), builder.getF32FloatAttr(value));
  }
  template <typename OpTy, typename... Args>
  Value create(Args &&...args) {
    return OpTy::create(builder, std::forward<Args>(args)...);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, uint32_t b) {
    return create<arith::CmpIOp>(predicate, a, bits(b));
  }

private:
  Value constant(Type type, TypedAttr value) {
    if (auto shaped = dyn_cast<ShapedType>(type))
      value = DenseElementsAttr::get(shaped, Attribute(value));
    return create<arith::ConstantOp>(value);
  }

  ImplicitLocOpBuilder builder;
  Type like;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_FLOATS_BITBUILDER_H
