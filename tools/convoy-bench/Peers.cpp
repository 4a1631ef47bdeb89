//===- Peers.cpp - Other libraries that are timed ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Peers.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

std::vector<StringRef> mlir::convoy::getPeerNames(bool onCPU) {
  if (!onCPU)
    return {"iree", "cudnn"};
  return {"onednn", "onednn-plain", "onnxruntime", "iree"};
}

bool mlir::convoy::needsWorker(StringRef name) {
  return name == "onnxruntime" || name == "iree" || name == "cudnn";
}

std::unique_ptr<Peer> mlir::convoy::createPeer(StringRef name,
                                               const PeerOptions &options) {
  if (needsWorker(name))
    return createWorkerPeer(name, options);
  return createOneDNNPeer(name == "onednn-plain", options.vectorBytes);
}

double mlir::convoy::getRelativeError(const CheckedConv &conv,
                                      const ReferenceResult &reference,
                                      const HostArray &result) {
  Operand role = directionRoles(conv.direction).result;
  const OperandIndex &index = conv.indices[static_cast<size_t>(role)];
  double errors = 0, numbers = 0;
  forEachIndex(index.sizes, [&](const LogicalIndex &place) {
    double expected = reference.value[size_t(reference.index.offset(place))];
    double error = result.at(index.offset(place)) - expected;
    errors += error * error;
    numbers += expected * expected;
  });
  if (std::isnan(errors))
    return std::numeric_limits<double>::infinity();
  return errors == 0 ? 0 : std::sqrt(errors / numbers);
}

double mlir::convoy::getMostRelativeError(ScalarType type) {
  // TF32 has errors of about 3e-4, a result of bf16 of 2e-3; one that belongs
  // to another convolution has errors of about 1.
  bool isNarrow = type == ScalarType::F16 || type == ScalarType::BF16;
  return isNarrow ? 0.03 : 1e-4;
}
