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
  std::string device;       ///< what our kernel's is called; "" of the CPU
  int64_t rotatedBytes = 0; ///< as in Options
};

/// How a peer's result is compared with the reference.
enum class PeerCheck {
  Elements, ///< each with a bound
  Whole, ///< all together: its algorithm, which it chooses, has no such bound
  None,  ///< it computes with other numbers
};

/// A peer's convolution, ready to run.
class PeerRun : public ::convoy::Timed {
public:
  /// The result of the last run, in the layout of the problem; false with one
  /// sentence in `error` where it cannot be had.
  virtual bool readResult(::convoy::HostArray &result, std::string &error) = 0;
  /// What the peer says of its implementation; may be empty.
  virtual std::string describe() const { return {}; }
  virtual PeerCheck getCheck() const { return PeerCheck::Elements; }
};

/// How far `result`, which lies as `conv` says, is from `reference` as a whole:
/// the root of the sum of squared errors over that of squared numbers.
double getRelativeError(const CheckedConv &conv,
                        const ::convoy::ReferenceResult &reference,
                        const ::convoy::HostArray &result);
/// Up to where that is due to rounding, by whatever algorithm, in a result of
/// `type`; TF32's is more than f32's.
double getMostRelativeError(::convoy::ScalarType type);

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
/// (utils/bench-worker.py). But for cuDNN it computes forward convolutions of
/// f32.
std::unique_ptr<Peer> createWorkerPeer(StringRef name,
                                       const PeerOptions &options);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_BENCH_PEERS_H
