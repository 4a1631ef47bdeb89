//===- OneDNNPeer.cpp - Times oneDNN ----------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OneDNNAttributes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <dlfcn.h>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;
using DnnlMemory = dnnl::memory;

/// Sets the number of threads of the OpenMP library that oneDNN's calls go to:
/// the first in this process, where another one is linked as well.
static void setThreads(int threads) {
  using Setter = void (*)(int);
  static auto setter =
      reinterpret_cast<Setter>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
  if (setter)
    setter(threads);
}

/// Whether `problem` is a gradient of the input that oneDNN has as a transposed
/// convolution alone: one of bytes, or one with an epilogue.
static bool needsTransposed(const Problem &problem) {
  return problem.direction == Direction::BackwardData &&
         (problem.type == ElementType::I8 || !problem.epilogue.isEmpty());
}

namespace {
/// How an operand lies, in oneDNN's words.
struct OperandDims {
  DnnlMemory::dims sizes, strides;

  void add(int64_t size, int64_t stride) {
    sizes.push_back(size);
    strides.push_back(stride);
  }
};

/// One convolution.
class OneDNNRun final : public PeerRun {
public:
  OneDNNRun(const PeerTask &task, dnnl::engine engine)
      : task(task), threads(task.threads), engine(engine), stream(engine),
        isTransposed(needsTransposed(task.problem)), attributes(task, engine) {}

  /// False with a sentence in `reason` where oneDNN has no such convolution.
  /// Throws oneDNN's errors.
  bool prepare(bool ownLayouts, std::string &reason);
  std::optional<double> run(int64_t count, std::string &error) override;
  bool readResult(HostArray &result, std::string &error) override;
  std::string describe() const override { return implementation; }

private:
  bool describeOperand(Operand operand, std::string &reason);
  void createPrimitive(bool ownLayouts);
  void createTransposed(const std::array<DnnlMemory::desc, 3> &wanted);
  void addAll(const DnnlMemory::desc &input, const DnnlMemory::desc &filter,
              const DnnlMemory::desc &output);
  /// The argument of the primitive that holds `operand`.
  int getArgument(Operand operand) const;
  void addMemory(Operand operand, const DnnlMemory::desc &wanted);
  void addBias();
  /// Lets the result hold what it is to hold before a sum is added.
  void fillResult();

  const PeerTask &task;
  int threads;
  dnnl::engine engine;
  dnnl::stream stream;
  /// Whether a gradient is computed as the transposed convolution that it is.
  bool isTransposed;
  OneDNNAttributes attributes;
  std::array<DnnlMemory::desc, 3> own;
  DnnlMemory::desc biasDesc;
  dnnl::primitive primitive;
  std::unordered_map<int, DnnlMemory> memories;
  std::string implementation;
};
} // namespace

/// Sizes and strides of `operand`; false where groups and channels are no
/// single dimension in memory, of which oneDNN has only the filter's.
static bool getDims(const CheckedConv &conv, Operand operand,
                    OperandDims &dims) {
  const OperandIndex &index = conv.indices[static_cast<size_t>(operand)];
  auto add = [&](char letter) {
    dims.add(index.sizes[logicalDim(letter)],
             index.strides[logicalDim(letter)]);
  };
  int64_t groups = conv.shape.groups;
  if (operand == Operand::Filter) {
    if (groups > 1)
      add('g');
    add('f');
    add('c');
  } else {
    size_t channel = logicalDim(operand == Operand::Input ? 'c' : 'f');
    int64_t size = index.sizes[channel], stride = index.strides[channel];
    int64_t groupStride = index.strides[logicalDim('g')];
    if (groups > 1 && size > 1 && groupStride != size * stride)
      return false;
    add('n');
    dims.add(groups * size, groups > 1 && size == 1 ? groupStride : stride);
  }
  for (char letter : spatialLetters(conv.shape.spatialRank()))
    add(letter);
  return true;
}

bool OneDNNRun::describeOperand(Operand operand, std::string &reason) {
  OperandDims dims;
  std::optional<DnnlMemory::data_type> type =
      getDataType(task.conv.numerics.type(operand));
  if (!type) {
    reason = "has no " + std::string(elementTypeName(task.problem.type)) +
             " convolution";
    return false;
  }
  if (!getDims(task.conv, operand, dims)) {
    reason = "has no layout " + task.problem.layouts[operand].letters();
    return false;
  }
  if (isTransposed && operand == Operand::Filter) {
    // The channels of the result first.
    size_t first = task.conv.shape.groups > 1 ? 1 : 0;
    std::swap(dims.sizes[first], dims.sizes[first + 1]);
    std::swap(dims.strides[first], dims.strides[first + 1]);
  }
  own[static_cast<size_t>(operand)] =
      DnnlMemory::desc(dims.sizes, *type, dims.strides);
  return true;
}

int OneDNNRun::getArgument(Operand operand) const {
  bool isResult = operand == directionRoles(task.conv.direction).result;
  bool isForward = task.conv.direction == Direction::Forward;
  if (isTransposed && operand != Operand::Filter)
    return isResult ? DNNL_ARG_DST : DNNL_ARG_SRC;
  switch (operand) {
  case Operand::Input:
    return isResult ? DNNL_ARG_DIFF_SRC : DNNL_ARG_SRC;
  case Operand::Filter:
    return isResult ? DNNL_ARG_DIFF_WEIGHTS : DNNL_ARG_WEIGHTS;
  case Operand::Output:
    return isForward ? DNNL_ARG_DST : DNNL_ARG_DIFF_DST;
  }
  llvm_unreachable("unknown operand");
}

/// Memory as the primitive wants it, with the operand's values.
void OneDNNRun::addMemory(Operand operand, const DnnlMemory::desc &wanted) {
  DnnlMemory memory(wanted, engine);
  if (operand != directionRoles(task.conv.direction).result) {
    size_t place = static_cast<size_t>(operand);
    const HostArray &array = task.arguments[task.conv.arguments[place]];
    DnnlMemory user(own[place], engine, const_cast<void *>(array.data()));
    dnnl::reorder(user, memory).execute(stream, user, memory);
    stream.wait();
  }
  memories[getArgument(operand)] = memory;
}

void OneDNNRun::addBias() {
  const HostArray &array = *attributes.getBias();
  DnnlMemory memory(biasDesc, engine);
  std::memcpy(memory.get_data_handle(), array.data(), array.bytes.size());
  memories[DNNL_ARG_BIAS] = memory;
}

void OneDNNRun::fillResult() {
  const HostArray *former = attributes.getFormerResult();
  if (!former)
    return;
  size_t place = static_cast<size_t>(task.problem.resultOperand());
  DnnlMemory user(own[place], engine, const_cast<void *>(former->data()));
  DnnlMemory &memory = memories[DNNL_ARG_DST];
  dnnl::reorder(user, memory).execute(stream, user, memory);
  stream.wait();
}

template <typename Primitive, typename Descriptor>
static std::pair<dnnl::primitive, std::string>
make(const Descriptor &descriptor) {
  return {Primitive(descriptor), descriptor.impl_info_str()};
}

namespace {
/// A window in oneDNN's words.
struct WindowDims {
  explicit WindowDims(const ConvShape &shape) {
    for (const SpatialDim &dim : shape.spatial) {
      strides.push_back(dim.window.stride);
      dilations.push_back(dim.window.dilation - 1);
      low.push_back(dim.window.padLow);
      high.push_back(dim.window.padHigh);
    }
  }

  DnnlMemory::dims strides, dilations, low, high;
};
} // namespace

void OneDNNRun::addAll(const DnnlMemory::desc &input,
                       const DnnlMemory::desc &filter,
                       const DnnlMemory::desc &output) {
  addMemory(Operand::Input, input);
  addMemory(Operand::Filter, filter);
  addMemory(Operand::Output, output);
}

void OneDNNRun::createTransposed(
    const std::array<DnnlMemory::desc, 3> &wanted) {
  using namespace dnnl;
  WindowDims window(task.conv.shape);
  const auto &[input, filter, output] = wanted;
  deconvolution_forward::primitive_desc transposed(
      engine, prop_kind::forward_inference, algorithm::deconvolution_direct,
      output, filter, biasDesc, input, window.strides, window.dilations,
      window.low, window.high, attributes.getAttributes());
  std::tie(primitive, implementation) = make<deconvolution_forward>(transposed);
  addAll(transposed.dst_desc(), transposed.weights_desc(),
         transposed.src_desc());
}

void OneDNNRun::createPrimitive(bool ownLayouts) {
  using namespace dnnl;
  std::array<DnnlMemory::desc, 3> wanted = own;
  if (!ownLayouts)
    for (DnnlMemory::desc &desc : wanted)
      desc = DnnlMemory::desc(desc.get_dims(), desc.get_data_type(),
                              DnnlMemory::format_tag::any);
  if (isTransposed)
    return createTransposed(wanted);
  auto &[input, filter, output] = wanted;
  WindowDims window(task.conv.shape);
  // Not convolution_auto, which may take Winograd's sums, of other numerics.
  algorithm kind = algorithm::convolution_direct;
  bool isForward = task.conv.direction == Direction::Forward;
  convolution_forward::primitive_desc forward(
      engine,
      isForward ? prop_kind::forward_inference : prop_kind::forward_training,
      kind, input, filter, biasDesc, output, window.strides, window.dilations,
      window.low, window.high, attributes.getAttributes());
  switch (task.conv.direction) {
  case Direction::Forward:
    std::tie(primitive, implementation) = make<convolution_forward>(forward);
    return addAll(forward.src_desc(), forward.weights_desc(),
                  forward.dst_desc());
  case Direction::BackwardData: {
    convolution_backward_data::primitive_desc backward(
        engine, kind, input, filter, output, window.strides, window.dilations,
        window.low, window.high, forward);
    std::tie(primitive, implementation) =
        make<convolution_backward_data>(backward);
    return addAll(backward.diff_src_desc(), backward.weights_desc(),
                  backward.diff_dst_desc());
  }
  case Direction::BackwardFilter: {
    convolution_backward_weights::primitive_desc backward(
        engine, kind, input, filter, output, window.strides, window.dilations,
        window.low, window.high, forward);
    std::tie(primitive, implementation) =
        make<convolution_backward_weights>(backward);
    return addAll(backward.src_desc(), backward.diff_weights_desc(),
                  backward.diff_dst_desc());
  }
  }
}

bool OneDNNRun::prepare(bool ownLayouts, std::string &reason) {
  setThreads(threads);
  if (!attributes.prepare(reason))
    return false;
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output})
    if (!describeOperand(operand, reason))
      return false;
  if (const HostArray *bias = attributes.getBias())
    biasDesc =
        DnnlMemory::desc({bias->elementCount()}, *getDataType(bias->type),
                         DnnlMemory::format_tag::a);
  createPrimitive(ownLayouts);
  if (attributes.getBias())
    addBias();
  for (const auto &[argument, memory] : attributes.getMemories())
    memories[argument] = memory;
  fillResult();
  return true;
}

std::optional<double> OneDNNRun::run(int64_t count, std::string &error) {
  try {
    setThreads(threads);
    return timeCalls(count, [&] {
      primitive.execute(stream, memories);
      stream.wait();
    });
  } catch (const dnnl::error &caught) {
    error = caught.what();
    return std::nullopt;
  }
}

bool OneDNNRun::readResult(HostArray &result, std::string &error) {
  try {
    Operand operand = directionRoles(task.conv.direction).result;
    DnnlMemory &memory = memories[getArgument(operand)];
    DnnlMemory user(own[static_cast<size_t>(operand)], engine, result.data());
    dnnl::reorder(memory, user).execute(stream, memory, user);
    stream.wait();
    return true;
  } catch (const dnnl::error &caught) {
    error = caught.what();
    return false;
  }
}

namespace {
class OneDNNPeer final : public Peer {
public:
  explicit OneDNNPeer(bool ownLayouts)
      : ownLayouts(ownLayouts), engine(dnnl::engine::kind::cpu, 0) {}

  std::string getTitle() const override {
    return ownLayouts ? "oneDNN-plain" : "oneDNN";
  }
  std::unique_ptr<PeerRun> prepare(const PeerTask &task,
                                   std::string &reason) override;

private:
  bool ownLayouts;
  dnnl::engine engine;
};
} // namespace

std::unique_ptr<PeerRun> OneDNNPeer::prepare(const PeerTask &task,
                                             std::string &reason) {
  try {
    auto run = std::make_unique<OneDNNRun>(task, engine);
    if (!run->prepare(ownLayouts, reason))
      return nullptr;
    return run;
  } catch (const dnnl::error &caught) {
    reason = caught.what();
    return nullptr;
  }
}

std::unique_ptr<Peer> mlir::convoy::createOneDNNPeer(bool ownLayouts,
                                                     int64_t vectorBytes) {
  // The same instructions as our kernels may use. Refused once oneDNN has made
  // a kernel, in this process for the same CPU.
  if (vectorBytes < 64)
    dnnl::set_max_cpu_isa(vectorBytes < 32 ? dnnl::cpu_isa::sse41
                                           : dnnl::cpu_isa::avx2);
  return std::make_unique<OneDNNPeer>(ownLayouts);
}
