//===- WorkerPeer.cpp - Times libraries in other processes ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Peers.h"

#include "convoy/Driver/WorkerProcess.h"
#include "convoy/Runtime/Npy.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

namespace {
/// A folder that exists as long as this.
class TemporaryFolder {
public:
  TemporaryFolder() {
    SmallString<128> made;
    if (!llvm::sys::fs::createUniqueDirectory("convoy-bench", made))
      path = made.str().str();
  }
  ~TemporaryFolder() {
    if (!path.empty())
      llvm::sys::fs::remove_directories(path);
  }

  bool exists() const { return !path.empty(); }
  std::string getFile(StringRef name) const {
    SmallString<128> file(path);
    llvm::sys::path::append(file, name);
    return file.str().str();
  }

private:
  std::string path;
};

class WorkerRun final : public PeerRun {
public:
  WorkerRun(WorkerProcess &worker, const TemporaryFolder &folder,
            StringRef target, PeerCheck check)
      : worker(worker), folder(folder), target(target), peerCheck(check) {}

  bool prepare(const PeerTask &task, std::string &reason);
  std::optional<double> run(int64_t count, std::string &error) override;
  bool readResult(HostArray &result, std::string &error) override;
  std::string describe() const override { return implementation; }
  PeerCheck getCheck() const override { return peerCheck; }

private:
  /// Writes the arguments that are read; their names by what they are.
  std::optional<llvm::json::Object> writeFiles(const PeerTask &task,
                                               std::string &error);

  WorkerProcess &worker;
  const TemporaryFolder &folder;
  StringRef target;
  PeerCheck peerCheck;
  std::string implementation;
};

class WorkerPeer final : public Peer {
public:
  WorkerPeer(StringRef name, const PeerOptions &options)
      : isCuDNN(name == "cudnn"), title(isCuDNN          ? "cuDNN"
                                        : name == "iree" ? "IREE"
                                                         : "ONNX Runtime"),
        target(options.target),
        worker(options.worker + " " + name.str(), options.workerTimeout) {}

  std::string getTitle() const override { return title; }
  std::unique_ptr<PeerRun> prepare(const PeerTask &task,
                                   std::string &reason) override;

private:
  /// Why `problem` is not timed, as one sentence, or nothing.
  std::optional<std::string> refuse(const Problem &problem) const;

  bool isCuDNN;
  std::string title, target;
  WorkerProcess worker;
  TemporaryFolder folder;
};
} // namespace

std::optional<llvm::json::Object> WorkerRun::writeFiles(const PeerTask &task,
                                                        std::string &error) {
  llvm::json::Object files;
  auto write = [&](StringRef name, unsigned argument,
                   std::vector<int64_t> shape) {
    HostArray array = task.arguments[argument];
    array.shape = std::move(shape);
    std::string path = folder.getFile((name + ".npy").str());
    files[name] = path;
    return writeNpy(path, array, error);
  };
  Operand result = directionRoles(task.problem.direction).result;
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output}) {
    size_t place = static_cast<size_t>(operand);
    if (operand == result)
      continue;
    if (!write(
            operandName(operand), task.conv.arguments[place],
            task.problem.shape.shape(operand, task.problem.layouts[operand])))
      return std::nullopt;
  }
  if (!task.problem.bias)
    return files;
  unsigned bias = *task.conv.init->argument;
  if (!write("bias", bias, {task.arguments[bias].elementCount()}))
    return std::nullopt;
  return files;
}

/// What the worker must know of a convolution beside its operands.
static llvm::json::Object describeConvolution(const PeerTask &task) {
  const Problem &problem = task.problem;
  llvm::json::Object layouts, shapes;
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output}) {
    StringRef name(operandName(operand));
    layouts[name] = problem.layouts[operand].letters();
    shapes[name] = llvm::json::Array(
        problem.shape.shape(operand, problem.layouts[operand]));
  }
  llvm::json::Array strides, dilations, low, high;
  for (const SpatialDim &dim : problem.shape.spatial) {
    strides.push_back(dim.window.stride);
    dilations.push_back(dim.window.dilation);
    low.push_back(dim.window.padLow);
    high.push_back(dim.window.padHigh);
  }
  Operand result = directionRoles(problem.direction).result;
  return llvm::json::Object{{"layouts", std::move(layouts)},
                            {"shapes", std::move(shapes)},
                            {"groups", problem.shape.groups},
                            {"strides", std::move(strides)},
                            {"dilations", std::move(dilations)},
                            {"pad_low", std::move(low)},
                            {"pad_high", std::move(high)},
                            {"computes", StringRef(operandName(result))},
                            {"type", StringRef(elementTypeName(problem.type))},
                            {"device", task.device},
                            {"rotated_bytes", task.rotatedBytes}};
}

bool WorkerRun::prepare(const PeerTask &task, std::string &reason) {
  std::optional<llvm::json::Object> files = writeFiles(task, reason);
  if (!files)
    return false;
  std::optional<llvm::json::Object> answer =
      worker.ask(llvm::json::Object{{"prepare", describeConvolution(task)},
                                    {"target", target},
                                    {"threads", task.threads},
                                    {"files", std::move(*files)}},
                 reason);
  if (!answer)
    return false;
  implementation = answer->getString("implementation").value_or("").str();
  return true;
}

std::optional<double> WorkerRun::run(int64_t count, std::string &error) {
  std::optional<llvm::json::Object> answer =
      worker.ask(llvm::json::Object{{"run", count}}, error);
  if (!answer)
    return std::nullopt;
  std::optional<double> seconds = answer->getNumber("seconds");
  if (!seconds)
    error = "expected seconds from the worker, but got none";
  return seconds;
}

bool WorkerRun::readResult(HostArray &result, std::string &error) {
  std::string path = folder.getFile("result.npy");
  if (!worker.ask(llvm::json::Object{{"result", path}}, error))
    return false;
  std::optional<HostArray> array = readNpy(path, error);
  if (!array)
    return false;
  if (array->type != result.type ||
      array->bytes.size() != result.bytes.size()) {
    error = "expected " + std::to_string(result.bytes.size()) +
            " bytes of result from the worker, but got " +
            std::to_string(array->bytes.size());
    return false;
  }
  result.bytes = std::move(array->bytes);
  return true;
}

std::optional<std::string> WorkerPeer::refuse(const Problem &problem) const {
  if (!isCuDNN && problem.direction != Direction::Forward)
    return "forward only";
  if (!isCuDNN && problem.type != ElementType::F32)
    return "only f32 is timed";
  if (isCuDNN && problem.type == ElementType::I8 &&
      problem.direction != Direction::Forward)
    return "bytes, in whose place f16 is timed, are timed forward only";
  if (isCuDNN && problem.bias)
    return "no bias is timed";
  if (!problem.epilogue.isEmpty())
    return "no attributes are timed";
  return std::nullopt;
}

std::unique_ptr<PeerRun> WorkerPeer::prepare(const PeerTask &task,
                                             std::string &reason) {
  if (!folder.exists())
    return reason = "cannot make a temporary folder", nullptr;
  if (std::optional<std::string> refusal = refuse(task.problem))
    return reason = *refusal, nullptr;
  PeerCheck check = !isCuDNN                               ? PeerCheck::Elements
                    : task.problem.type == ElementType::I8 ? PeerCheck::None
                                                           : PeerCheck::Whole;
  auto run = std::make_unique<WorkerRun>(worker, folder, target, check);
  if (!run->prepare(task, reason))
    return nullptr;
  return run;
}

std::unique_ptr<Peer>
mlir::convoy::createWorkerPeer(StringRef name, const PeerOptions &options) {
  return std::make_unique<WorkerPeer>(name, options);
}
