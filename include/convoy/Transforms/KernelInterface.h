//===- KernelInterface.h - What a caller must know of a kernel --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_KERNELINTERFACE_H
#define CONVOY_TRANSFORMS_KERNELINTERFACE_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <optional>
#include <string>

namespace mlir::convoy {

/// One argument of a kernel.
struct KernelArgument {
  std::string name;   ///< an identifier
  Type type;          ///< ranked tensor, or the scalar's type
  std::string layout; ///< dimension letters, empty where unknown
  bool isWritten = false;

  /// Number of sizes that are not known when compiling.
  int64_t getNumDynamicSizes() const;
};

/// A kernel's C interface: its arguments in order, then the workspace, then the
/// arguments' dynamic sizes as `int64_t`, in order.
struct KernelInterface {
  std::string name;
  SmallVector<KernelArgument> arguments;
  /// Bytes of workspace; nothing where they depend on dynamic sizes and
  /// `<name>_workspace_size` computes them.
  std::optional<int64_t> workspaceBytes;

  int64_t getNumDynamicSizes() const;
};

/// Alignment of a workspace in bytes.
constexpr int64_t kWorkspaceAlignment = 64;

/// What kernels return.
enum KernelStatus {
  kKernelOk = 0,
  kKernelNullPointer = 1,
  kKernelMisaligned = 2
};

/// Names of the attributes of a function that hold its interface.
constexpr StringLiteral kArgumentsAttrName = "convoy.arguments";
constexpr StringLiteral kWorkspaceAttrName = "convoy.workspace";
/// Names of the attributes of arguments and results that users may set.
constexpr StringLiteral kNameAttrName = "convoy.name";
constexpr StringLiteral kLayoutAttrName = "convoy.layout";

/// The arguments as an attribute, and back.
ArrayAttr toAttribute(MLIRContext *context, ArrayRef<KernelArgument> arguments);
SmallVector<KernelArgument> getKernelArguments(ArrayAttr attribute);

/// The interface of a function that has been through
/// `convoy-add-destinations` and, for the workspace,
/// `convoy-allocate-workspace`; nothing for other functions.
std::optional<KernelInterface> getKernelInterface(Operation *function);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_KERNELINTERFACE_H
