//===- OneDNNPostOps.h - Epilogues in oneDNN's words ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_BENCH_ONEDNNPOSTOPS_H
#define CONVOY_TOOLS_CONVOY_BENCH_ONEDNNPOSTOPS_H

#include "Peers.h"

#include <dnnl.hpp>

namespace mlir::convoy {

/// What oneDNN calls `type`; nothing where it has none.
std::optional<dnnl::memory::data_type> getDataType(::convoy::ScalarType type);

/// The epilogue of a convolution: attributes of its primitive, and what that is
/// executed on besides.
class OneDNNPostOps {
public:
  /// False, with a sentence in `reason`, where oneDNN, or this, has no such
  /// epilogue.
  bool prepare(const PeerTask &task, const dnnl::engine &engine,
               std::string &reason);

  const dnnl::primitive_attr &getAttributes() const { return attributes; }
  /// The operands, each as the argument of the primitive that it is.
  const std::unordered_map<int, dnnl::memory> &getMemories() const {
    return memories;
  }
  /// What the result is to hold before the primitive runs, or null.
  const ::convoy::HostArray *getFormerResult() const { return formerResult; }

private:
  bool add(const PeerTask &task, const ::convoy::PostOp &postOp, int place,
           const dnnl::engine &engine, std::string &reason);
  bool addOperand(const PeerTask &task, const ::convoy::PostOp &postOp,
                  int place, const dnnl::engine &engine, std::string &reason);

  dnnl::post_ops postOps;
  dnnl::primitive_attr attributes;
  std::unordered_map<int, dnnl::memory> memories;
  const ::convoy::HostArray *formerResult = nullptr;
  size_t nextOperand = 0;
};

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_BENCH_ONEDNNPOSTOPS_H
