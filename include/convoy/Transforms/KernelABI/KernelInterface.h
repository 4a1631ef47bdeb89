//===- KernelInterface.h - What a caller must know of a kernel --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_KERNELABI_KERNELINTERFACE_H
#define CONVOY_TRANSFORMS_KERNELABI_KERNELINTERFACE_H

#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace mlir::convoy {

/// One argument of a kernel.
struct KernelArgument {
  std::string name;   ///< an identifier
  Type type;          ///< ranked tensor, or the scalar's type
  std::string layout; ///< dimension letters, empty where unknown
  bool isWritten = false;
  /// A traced value, no result that the function is there for.
  bool isTraced = false;
  /// The kernel that makes it of what the user has, once: that kernel's only
  /// written argument. Empty where users have it themselves.
  std::string packer;
  /// How often a term of a sum of products, which it is written with, is
  /// rounded at most, as `convoy.sums` has it. Null where that is not known.
  DictionaryAttr sums = {};
};

/// A size that is not known when compiling, an argument of the kernel.
struct KernelSize {
  std::string name;  ///< an identifier, no argument's name
  unsigned argument; ///< number of the argument that it belongs to
  int64_t dim;       ///< dimension of that argument
};

/// A number of bytes, of which some are there for each image of a batch whose
/// size is not known when compiling.
struct KernelBytes {
  int64_t fixed = 0, ofImage = 0;

  int64_t at(int64_t batch) const { return fixed + ofImage * batch; }
};

/// A part of the bytes of an argument, of a constant or of the workspace.
struct KernelBinding {
  enum class Kind { Argument, Constant, Workspace };

  Kind kind;
  unsigned number = 0; ///< of the argument or of the constant
  KernelBytes offset, bytes;
};

/// Seconds, of which some are there for each image of a batch whose size is not
/// known when compiling.
struct GroupTime {
  double fixed = 0, ofImage = 0;
};

/// One kernel of a GPU, run over a grid of workgroups.
struct KernelLaunch {
  /// Of a batch: ceil(batch * times / divide).
  struct Groups {
    int64_t times, divide;
  };

  std::string kernel;                     ///< its symbol
  std::array<int64_t, 3> grid, workgroup; ///< sizes along x, y, z
  /// How many times as many workgroups there are along z.
  std::optional<Groups> groups;
  SmallVector<KernelBinding> bindings; ///< its buffers, in order
  bool takesBatch = false;             ///< as a number after the buffers
  /// How long a workgroup keeps the whole device busy, at most and by estimate;
  /// nothing for kernels that no Vulkan device runs.
  std::optional<GroupTime> groupTime;

  /// The grid for a batch of this size, which may be empty.
  std::array<int64_t, 3> getGrid(int64_t batch) const;
  /// How many workgroups of a launch for a batch of this size should run at a
  /// time, so that the device is not busy with them for more than a second; 0:
  /// any number.
  uint32_t getMostGroups(int64_t batch) const;
};

/// A kernel's interface: on a CPU a C function that takes its arguments in
/// order, then the workspace, then the arguments' dynamic sizes as `int64_t`,
/// in order; on a GPU a sequence of launches, each of which sees what those
/// before it wrote.
struct KernelInterface {
  std::string name;
  SmallVector<KernelArgument, 0> arguments;
  /// Bytes of workspace; nothing where they depend on dynamic sizes and
  /// `<name>_workspace_size` computes them.
  std::optional<int64_t> workspaceBytes;
  /// On a GPU, where there are dynamic sizes, which all are that of the batch:
  /// how many bytes of workspace there are for each image besides, and how many
  /// images there may be for indices to fit into 32 bits.
  int64_t workspaceBytesOfImage = 0;
  std::optional<int64_t> largestBatch;
  SmallVector<KernelLaunch, 0> launches;
  /// Tensors that the launches read and that are no argument.
  SmallVector<ElementsAttr, 0> constants;

  /// The dynamic sizes, dimension by dimension of each argument.
  SmallVector<KernelSize> getSizes() const;
  /// The name of the function that computes the workspace of dynamic sizes.
  std::string getSizeFunctionName() const { return name + "_workspace_size"; }
  /// The name of the constant that tells the workspace of static sizes.
  std::string getSizeConstantName() const { return name + "_workspace_bytes"; }
  /// The name of the constant that tells how many elements `argument`, which a
  /// packer makes, has.
  std::string getElementsConstantName(const KernelArgument &argument) const {
    return name + "_" + argument.name + "_elements";
  }
};

/// Alignment of a workspace in bytes, and of each buffer in it: that of CPUs'
/// vectors, and what any Vulkan device takes as the offset of a buffer.
constexpr int64_t kWorkspaceAlignment = 64;
constexpr int64_t kGPUWorkspaceAlignment = 256;
/// Which of them holds for the target of the module around `op`.
int64_t getWorkspaceAlignment(Operation *op);

/// Elements that a buffer of a kernel may have for indices to have 32 bits:
/// half of what fits, for indices beyond its end that are masked later. Who
/// launches kernels sees to it that buffers of dynamic size have no more.
constexpr int64_t kMaxNarrowElements = int64_t(1) << 30;

/// What kernels return.
enum KernelStatus {
  kKernelOk = 0,
  kKernelNullPointer = 1,
  kKernelMisaligned = 2,
  kKernelWrongSizes = 3 ///< negative, or contradicting each other
};

/// The internal function that says whether a kernel's dynamic sizes agree.
inline std::string getSizeCheckName(StringRef kernel) {
  return kernel.str() + ".sizes";
}

/// The arguments as an attribute, and back.
ArrayAttr toAttribute(MLIRContext *context, ArrayRef<KernelArgument> arguments);
SmallVector<KernelArgument> getKernelArguments(ArrayAttr attribute);

/// The interface of a function that has been through
/// `convoy-add-destinations` and, for the workspace,
/// `convoy-allocate-workspace`; nothing for other functions. Of a function with
/// launches on buffers it has those, too.
std::optional<KernelInterface> getKernelInterface(Operation *function);

/// Checks that `function` does nothing but launch kernels on parts of its
/// arguments, of constants and of its workspace, and that they write all
/// elements of its results. Emits an error at what it does beside, or lacks.
LogicalResult checkLaunches(FunctionOpInterface function);

/// Appends to `interface` the launches of `function` that are known as data,
/// and what follows from them.
void appendLaunches(FunctionOpInterface function, KernelInterface &interface);

/// The elements of a constant as they lie in memory, row-major and of this
/// machine's byte order; truth values are bytes. Nothing where the constant
/// does not hold them.
std::optional<std::vector<char>> getConstantBytes(ElementsAttr constant);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_KERNELABI_KERNELINTERFACE_H
