//===- Peers.cpp - Other libraries that are timed ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Peers.h"

using namespace mlir;
using namespace mlir::convoy;

std::vector<StringRef> mlir::convoy::getPeerNames(bool onCPU) {
  if (!onCPU)
    return {"iree"};
  return {"onednn", "onednn-plain", "onnxruntime", "iree"};
}

bool mlir::convoy::needsWorker(StringRef name) {
  return name == "onnxruntime" || name == "iree";
}

std::unique_ptr<Peer> mlir::convoy::createPeer(StringRef name,
                                               const PeerOptions &options) {
  if (needsWorker(name))
    return createWorkerPeer(name, options);
  return createOneDNNPeer(name == "onednn-plain", options.vectorBytes);
}
