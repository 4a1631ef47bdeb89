//===- KernelNames.h - Names in the C interface of kernels ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_KERNELABI_KERNELNAMES_H
#define CONVOY_TRANSFORMS_KERNELABI_KERNELNAMES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace mlir::convoy {

/// Whether a header can declare something called `name`, for C and for C++: an
/// identifier that is neither a keyword nor a name that kernels or their header
/// use themselves.
bool isKernelName(StringRef name);

/// Whether programs, kernels or their header use `name` themselves.
bool isUsedName(StringRef name);

/// Whether the libraries, headers and compilers of C programs have something
/// called `name`, as docs/Kernels.md lists it: a kernel of that name would be
/// called in its place, or break the header.
bool isLibraryName(StringRef name);

/// The name of a kernel's argument after its own arguments.
constexpr StringLiteral kWorkspaceName = "workspace";

/// Names of which each is given once.
class UniqueNames {
public:
  UniqueNames() { taken.insert(kWorkspaceName); }

  /// `name`, with the first number behind it that makes it new.
  std::string add(StringRef name);

private:
  llvm::StringSet<> taken;
};

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_KERNELABI_KERNELNAMES_H
