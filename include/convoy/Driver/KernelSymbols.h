//===- KernelSymbols.h - What kernels of problems are called ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_KERNELSYMBOLS_H
#define CONVOY_DRIVER_KERNELSYMBOLS_H

#include "convoy/Support/AnyProblem.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::convoy {

/// What the kernel of a network's layer is called, as docs/Kernels.md describes
/// it: `resnet50_layer1_0_conv2` for `resnet50:layer1.0.conv2`.
std::string getLayerSymbol(StringRef layer);

/// What the kernel of `problem` is called where its layer has no name.
StringRef getStandardName(const ::convoy::AnyProblem &problem);

/// The symbols of kernels that compute `problems`, in order, as docs/Kernels.md
/// describes them: what `prefix`, where it is there, or else the name of the
/// layer gives. Where two would be the same, or `prefix` gives one that C
/// programs have already, returns nothing and puts one sentence into `error`.
std::optional<std::vector<std::string>>
chooseKernelSymbols(ArrayRef<::convoy::AnyProblem> problems,
                    const std::optional<std::string> &prefix,
                    std::string &error);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_KERNELSYMBOLS_H
