//===- Chains.h - Functions that call kernels one by one --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chain is a function of calls: of a network, the layers between two ops that
// someone else computes. Compiled, it is a kernel like those that it calls:
// constants are data beside the code, filters among them packed, and what one
// call hands to the next lies in the workspace.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_CHAINS_H
#define CONVOY_DRIVER_CHAINS_H

#include "convoy/Target/EmitInterface.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace mlir::convoy {

/// What a call of a chain reads or writes.
struct ChainOperand {
  enum class Kind { Argument, Value, Constant };

  Kind kind;
  unsigned number; ///< of the chain's arguments, of its values, or of constants
};

/// One call.
struct ChainStep {
  std::string kernel;
  std::vector<std::string> nodes;     ///< of a model, that it computes
  SmallVector<ChainOperand> operands; ///< as the kernel takes them
  int64_t workspaceOffset = 0, workspaceBytes = 0;
};

/// What one call hands to others, and nobody else reads.
struct ChainValue {
  std::string name; ///< in a model, or nothing
  RankedTensorType type;
  unsigned first, last; ///< step that makes it, and last one that reads it
  int64_t offset = 0;   ///< in the workspace, in bytes
};

struct Chain {
  std::string name;
  SmallVector<KernelArgument, 0> arguments;
  SmallVector<ChainStep, 0> steps;
  SmallVector<ChainValue, 0> values;
  int64_t workspaceBytes = 0;
};

/// The chains of a module, with what they read that is no argument.
struct ChainModule {
  SmallVector<Chain, 0> chains;
  SmallVector<ElementsAttr, 0> constants;
  /// What a manifest says of the model that they are parts of.
  llvm::json::Value model = nullptr;
};

/// Takes the functions that call others out of `module`: they have constants,
/// reshapes and calls alone. The name of a node or a value is what calls say of
/// themselves: `onnx.nodes`, a list of texts, and `onnx.value`. Errors are
/// reported at the op.
FailureOr<ChainModule> takeChains(ModuleOp module);

/// Adds `chains` to `module`, which holds the kernels that they call in LLVM's
/// dialect: packs constants that kernels take packed, gives values and
/// workspaces places that are free while they are in use, and writes functions
/// with the interface of a kernel.
LogicalResult linkChains(ModuleOp module, ChainModule &chains);

/// What a header says of chains, and of the kernels that they call.
HeaderNotes getHeaderNotes(const ChainModule &chains);

/// The same for a manifest: for each chain its steps, and its values with their
/// places in the workspace.
llvm::json::Array toJSON(const ChainModule &chains);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_CHAINS_H
