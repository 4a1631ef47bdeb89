//===- OneDNNAbsent.cpp - A build without oneDNN ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Peers.h"

using namespace mlir;
using namespace mlir::convoy;

namespace {
class OneDNNAbsent final : public Peer {
public:
  explicit OneDNNAbsent(bool ownLayouts) : ownLayouts(ownLayouts) {}

  std::string getTitle() const override {
    return ownLayouts ? "oneDNN-plain" : "oneDNN";
  }
  std::unique_ptr<PeerRun> prepare(const PeerTask &,
                                   std::string &reason) override {
    reason = "not built in";
    return nullptr;
  }

private:
  bool ownLayouts;
};
} // namespace

std::unique_ptr<Peer> mlir::convoy::createOneDNNPeer(bool ownLayouts, int64_t) {
  return std::make_unique<OneDNNAbsent>(ownLayouts);
}
