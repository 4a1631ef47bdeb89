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

std::shared_ptr<Workspaces> Workspaces::get() {
  static std::mutex mutex;
  static std::weak_ptr<Workspaces> known;
  std::lock_guard lock(mutex);
  std::shared_ptr<Workspaces> workspaces = known.lock();
  if (!workspaces)
    known = workspaces = std::make_shared<Workspaces>();
  return workspaces;
}

Workspaces::Piece Workspaces::take(int64_t bytes) {
  size_t wanted =
      llvm::alignTo(std::max<int64_t>(bytes, 1), kWorkspaceAlignment);
  std::lock_guard lock(mutex);
  if (!idle.empty()) {
    Piece piece = std::move(idle.back());
    idle.pop_back();
    if (piece.bytes >= wanted)
      return piece;
  }
  auto *memory =
      static_cast<std::byte *>(std::aligned_alloc(kWorkspaceAlignment, wanted));
  return {{memory, std::free}, wanted};
}

void Workspaces::give(Piece piece) {
  std::lock_guard lock(mutex);
  idle.push_back(std::move(piece));
}

void HostKernel::call(const std::vector<uintptr_t> &addresses,
                      const std::vector<size_t> &bytes, int64_t workspaceBytes,
                      const std::vector<int64_t> &sizes) {
  std::vector<Buffer> buffers(addresses.size());
  std::vector<convoy_buffer *> operands;
  for (size_t number = 0; number < addresses.size(); ++number) {
    throwIfFailed(device.wrapBuffer(
        {reinterpret_cast<std::byte *>(addresses[number]), bytes[number]},
        buffers[number]));
    operands.push_back(buffers[number].get());
  }
  Workspaces::Piece piece = workspaces->take(workspaceBytes);
  if (!piece.memory)
    throwError("there is no memory for a workspace of " +
               std::to_string(piece.bytes) + " bytes");
  Buffer workspace;
  Status status = device.wrapBuffer(piece.getBytes(), workspace);
  if (status.ok())
    status = function.launch(operands, workspace.get(), sizes);
  workspaces->give(std::move(piece));
  throwIfFailed(status);
}
