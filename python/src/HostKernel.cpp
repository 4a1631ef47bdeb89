//===- HostKernel.cpp - A kernel of the CPU, called in place ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostKernel.h"

#include "Error.h"

#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace convoy;
using namespace convoy::python;
using mlir::convoy::kWorkspaceAlignment;

Workspaces::Workspaces(int64_t bytes)
    : bytes(llvm::alignTo(std::max<int64_t>(bytes, 1), kWorkspaceAlignment)) {}

Workspaces::Piece Workspaces::take() {
  std::lock_guard lock(mutex);
  if (idle.empty())
    return {static_cast<std::byte *>(
                std::aligned_alloc(kWorkspaceAlignment, bytes)),
            std::free};
  Piece piece = std::move(idle.back());
  idle.pop_back();
  return piece;
}

void Workspaces::give(Piece piece) {
  std::lock_guard lock(mutex);
  idle.push_back(std::move(piece));
}

void HostKernel::call(const std::vector<uintptr_t> &addresses,
                      const std::vector<size_t> &sizes) {
  std::vector<Buffer> buffers(addresses.size());
  std::vector<convoy_buffer *> operands;
  for (size_t number = 0; number < addresses.size(); ++number) {
    throwIfFailed(device.wrapBuffer(
        {reinterpret_cast<std::byte *>(addresses[number]), sizes[number]},
        buffers[number]));
    operands.push_back(buffers[number].get());
  }
  Workspaces::Piece piece = workspaces.take();
  if (!piece)
    throwError("there is no memory for a workspace of " +
               std::to_string(workspaces.getBytes(piece).size()) + " bytes");
  Buffer workspace;
  Status status = device.wrapBuffer(workspaces.getBytes(piece), workspace);
  if (status.ok())
    status = function.launch(operands, workspace.get());
  workspaces.give(std::move(piece));
  throwIfFailed(status);
}
