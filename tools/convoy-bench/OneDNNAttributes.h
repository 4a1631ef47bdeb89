//===- OneDNNAttributes.h - Epilogues in oneDNN's words ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_BENCH_ONEDNNATTRIBUTES_H
#define CONVOY_TOOLS_CONVOY_BENCH_ONEDNNATTRIBUTES_H

#include "Peers.h"

#include <dnnl.hpp>

namespace mlir::convoy {

/// What oneDNN calls `type`; nothing where it has none.
std::optional<dnnl::memory::data_type> getDataType(::convoy::ScalarType type);

/// The epilogue and the zero points of a convolution: attributes of its
/// primitive, and what that is executed on besides.
class OneDNNAttributes {
public:
  OneDNNAttributes(const PeerTask &task, const dnnl::engine &engine)
      : task(task), engine(engine) {}

  /// False, with a sentence in `reason`, where oneDNN, or this, has no such
  /// epilogue.
  bool prepare(std::string &reason);

  const dnnl::primitive_attr &getAttributes() const { return attributes; }
  /// The operands, each as the argument of the primitive that it is.
  const std::unordered_map<int, dnnl::memory> &getMemories() const {
    return memories;
  }
  /// What the result is to hold before the primitive runs, or null.
  const ::convoy::HostArray *getFormerResult() const { return formerResult; }
  /// The bias, or null.
  const ::convoy::HostArray *getBias() const { return bias; }

private:
  /// The kernel's next operand.
  const CheckedOperand &takeOperand();
  void addScale(int argument, const ::convoy::Scale &scale);
  void addZeroPoint(int argument, const ::convoy::ZeroPoint &zeroPoint);
  /// Of output channels, in the filter that oneDNN takes.
  int getChannelMask() const;
  bool addPostOp(const ::convoy::PostOp &postOp, std::string &reason);
  bool addBinary(const CheckedOperand &operand, ::convoy::PostOp::Kind kind,
                 std::string &reason);

  const PeerTask &task;
  dnnl::engine engine;
  dnnl::post_ops postOps;
  dnnl::primitive_attr attributes;
  std::unordered_map<int, dnnl::memory> memories;
  const ::convoy::HostArray *formerResult = nullptr;
  const ::convoy::HostArray *bias = nullptr;
  size_t nextOperand = 0;
};

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_BENCH_ONEDNNATTRIBUTES_H
