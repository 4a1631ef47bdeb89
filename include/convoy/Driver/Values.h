//===- Values.h - Tensor values as text -------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_VALUES_H
#define CONVOY_DRIVER_VALUES_H

#include "convoy/Runtime/HostArray.h"

#include "mlir/Support/LLVM.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>

namespace mlir::convoy {

/// `1x3x2xf32`
std::string getTypeText(const ::convoy::HostArray &array);

/// Reads a value as IREE's tools write it: `1x3x2xf32=0,1,0,0,0,0`, one number
/// for all elements, none for zeros, or `@FILE` for a .npy file. Brackets may
/// stand around numbers, blanks between them. On failure returns nothing and
/// puts one sentence into `error`.
std::optional<::convoy::HostArray> parseValue(StringRef text,
                                              std::string &error);

/// Prints `1x2x2xf32=[[5 6][0 0]]`, with "..." in the place of the elements
/// after the first `limit`.
void printValue(const ::convoy::HostArray &array, size_t limit,
                llvm::raw_ostream &os);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_VALUES_H
