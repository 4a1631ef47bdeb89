//===- FactorType.h - Types of a problem's elements -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_PROBLEMTOCONVOY_FACTORTYPE_H
#define CONVOY_LIB_CONVERSION_PROBLEMTOCONVOY_FACTORTYPE_H

#include "convoy/Support/ElementType.h"

#include "mlir/IR/Builders.h"

namespace mlir::convoy {

/// The type of what is multiplied: in memory it has the elements of `type`.
inline Type getFactorType(Builder &builder, ::convoy::ElementType type) {
  switch (type) {
  case ::convoy::ElementType::F64:
    return builder.getF64Type();
  case ::convoy::ElementType::F32:
    return builder.getF32Type();
  case ::convoy::ElementType::F16:
    return builder.getF16Type();
  case ::convoy::ElementType::BF16:
    return builder.getBF16Type();
  case ::convoy::ElementType::I8:
    return builder.getI8Type();
  }
  llvm_unreachable("unknown element type");
}

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_PROBLEMTOCONVOY_FACTORTYPE_H
