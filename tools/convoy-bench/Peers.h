//===- Peers.h - Other libraries that are timed -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_BENCH_PEERS_H
#define CONVOY_TOOLS_CONVOY_BENCH_PEERS_H

#include "Measure.h"

#include "convoy/Driver/CheckedConv.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir::convoy {

/// What a peer computes.
struct PeerTask {
  const ::convoy::Problem &problem;
  /// How the arguments lie, which are those of our kernel.
  const CheckedConv &conv;
  const std::vector<::convoy::HostArray> &arguments;
  int threads;
};

/// A peer's convolution, ready to run.
class PeerRun : public ::convoy::Timed {
public:
  /// The result of the last run, in the layout of the problem; false with one
  /// sentence in `error` where it cannot be had.
  virtual bool readResult(::convoy::HostArray &result, std::string &error) = 0;
  /// What the peer says of its implementation; may be empty.
  virtual std::string describe() const { return {}; }
};

/// A library that can compute convolutions.
class Peer {
public:
  virtual ~Peer() = default;
  /// As in tables.
  virtual std::string getTitle() const = 0;
  /// Makes it ready. Where it cannot, returns null and puts one sentence into
  /// `reason`.
  virtual std::unique_ptr<PeerRun> prepare(const PeerTask &task,
                                           std::string &reason) = 0;
};

/// The words for `--peers`: who runs on the CPU, or on Vulkan.
std::vector<StringRef> getPeerNames(bool onCPU);
/// Whether the peer `name` runs in a process of its own.
bool needsWorker(StringRef name);

/// How peers are made.
struct PeerOptions {
  /// Bytes of the widest vectors that the peer may use.
  int64_t vectorBytes;
  std::string worker;
  int workerTimeout;  ///< seconds
  std::string target; ///< cpu or vulkan
};
std::unique_ptr<Peer> createPeer(StringRef name, const PeerOptions &options);

/// oneDNN, in the layouts that it likes best or in the problem's own.
std::unique_ptr<Peer> createOneDNNPeer(bool ownLayouts, int64_t vectorBytes);

/// A library that `command`, with its name, times in a process of its own
/// (utils/bench-worker.py). It computes forward convolutions.
std::unique_ptr<Peer> createWorkerPeer(StringRef name,
                                       const PeerOptions &options);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_BENCH_PEERS_H
