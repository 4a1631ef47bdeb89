//===- Arguments.cpp - What kernels read and write --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"

#include "convoy/Driver/Memory.h"
#include "convoy/Driver/Progress.h"
#include "convoy/Driver/Values.h"
#include "convoy/Runtime/Npy.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::HostArray;
using ::convoy::ScalarType;

CheckOptions mlir::convoy::getCheckOptions(const Options &options,
                                           ::convoy::DataKind data) {
  CheckOptions check;
  check.data = data;
  check.seed = options.seed;
  check.areGiven = !options.inputs.empty();
  check.threads = options.referenceThreads;
  check.compare = options.check;
  check.runs = int(options.runs);
  check.survey = !options.report.empty();
  check.identity = options.deep;
  return check;
}

std::optional<std::vector<HostArray>>
mlir::convoy::readInputs(const Options &options, Report &report) {
  std::vector<HostArray> inputs;
  for (auto [number, text] : llvm::enumerate(options.inputs)) {
    std::string error;
    std::optional<HostArray> input = parseValue(text, error);
    if (!input) {
      report.addError("input " + std::to_string(number) + ": " + error,
                      ExitCode::BadInput);
      return std::nullopt;
    }
    inputs.push_back(std::move(*input));
  }
  return inputs;
}

/// Whether an array of `given` can stand where `wanted` is read: bytes have no
/// sign in memory.
static bool isSameInMemory(ScalarType given, ScalarType wanted) {
  auto isByte = [](ScalarType type) {
    return type == ScalarType::I8 || type == ScalarType::U8;
  };
  return given == wanted || (isByte(given) && isByte(wanted));
}

static bool fits(const HostArray &array, ScalarType type,
                 RankedTensorType tensor) {
  if (!isSameInMemory(array.type, type) ||
      int64_t(array.shape.size()) != tensor.getRank())
    return false;
  return llvm::all_of(llvm::zip(array.shape, tensor.getShape()), [](auto pair) {
    auto [size, known] = pair;
    return ShapedType::isDynamic(known) || size == known;
  });
}

/// `1x?x2xf32`
static std::string getTensorText(RankedTensorType tensor) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (int64_t size : tensor.getShape())
    if (ShapedType::isDynamic(size))
      os << "?x";
    else
      os << size << 'x';
  os << tensor.getElementType();
  return text;
}

/// The type of the elements of argument `number`.
static std::optional<ScalarType> getArgumentType(const KernelArgument &argument,
                                                 const CheckedConv *conv,
                                                 unsigned number) {
  if (conv)
    if (std::optional<ScalarType> type = conv->getType(number))
      return type;
  return getScalarType(getElementTypeOrSelf(argument.type));
}

bool mlir::convoy::arrangeArguments(
    const KernelInterface &kernel, const CheckedConv *conv,
    std::vector<HostArray> inputs,
    ArrayRef<std::optional<std::vector<int64_t>>> resultShapes,
    std::vector<HostArray> &arguments, std::string &error) {
  auto fail = [&](const Twine &sentence) {
    error = sentence.str();
    return false;
  };
  size_t expected = llvm::count_if(
      kernel.arguments, [](const KernelArgument &a) { return !a.isWritten; });
  if (inputs.size() != expected)
    return fail("expected " + Twine(expected) + " inputs of '" + kernel.name +
                "', but got " + Twine(inputs.size()));
  size_t next = 0;
  for (auto [number, argument] : llvm::enumerate(kernel.arguments)) {
    auto tensor = dyn_cast<RankedTensorType>(argument.type);
    std::optional<ScalarType> type = getArgumentType(argument, conv, number);
    assert(tensor && type && "kernels have tensors that files can hold");
    if (!argument.isWritten) {
      HostArray &input = inputs[next++];
      if (!fits(input, *type, tensor))
        return fail("expected " + getTensorText(tensor) + " for input " +
                    Twine(next - 1) + " ('" + argument.name + "'), but got " +
                    getTypeText(input));
      input.type = *type;
      arguments.push_back(std::move(input));
      continue;
    }
    std::optional<std::vector<int64_t>> shape = tensor.getShape().vec();
    if (!tensor.hasStaticShape())
      shape = resultShapes[arguments.size() - expected];
    if (!shape)
      return fail("expected sizes of the result '" + argument.name +
                  "' that follow from those of the inputs, but got " +
                  getTensorText(tensor));
    auto count = ::convoy::checkedElementCount(*type, *shape);
    if (auto shortage = checkMemory(2.0 * double(count.value_or(INT64_MAX)) *
                                        double(::convoy::scalarSize(*type)),
                                    "the result '" + argument.name + "'"))
      return fail(*shortage);
    arguments.emplace_back(*type, *shape);
  }
  return true;
}

bool mlir::convoy::checkOutputs(const Options &options, size_t count,
                                Report &report) {
  if (options.outputs.empty() || options.outputs.size() == count)
    return true;
  report.addError("expected '--output' for each of " + std::to_string(count) +
                      " results, but got " +
                      std::to_string(options.outputs.size()),
                  ExitCode::BadInput);
  return false;
}

/// Creates `folder` and those that it lies in; says so in `report` where it
/// cannot.
static bool createFolder(StringRef folder, Report &report) {
  std::error_code code = llvm::sys::fs::create_directories(folder);
  if (code)
    report.addError("cannot create '" + folder.str() + "': " + code.message(),
                    ExitCode::BadInput);
  return !code;
}

std::string mlir::convoy::getNameOnTarget(const Options &options,
                                          StringRef target,
                                          const std::string &name) {
  if (options.targets.size() == 1)
    return name;
  std::string folder = target.str();
  llvm::replace(folder, ':', '-');
  return folder + "/" + name;
}

/// Writes `result` of `target` to the file that `--output=@FILE` names.
static void writeOutput(const Options &options, StringRef target,
                        StringRef file, const HostArray &result,
                        Report &report) {
  SmallString<128> path(llvm::sys::path::parent_path(file));
  llvm::sys::path::append(
      path,
      getNameOnTarget(options, target, llvm::sys::path::filename(file).str()));
  if (options.targets.size() > 1 &&
      !createFolder(llvm::sys::path::parent_path(path), report))
    return;
  std::string error;
  if (!::convoy::writeNpy(path.str().str(), result, error))
    report.addError(error, ExitCode::BadInput);
}

void mlir::convoy::writeOutputs(const Options &options, StringRef target,
                                ArrayRef<HostArray> results, Report &report) {
  // As many as IREE's tools print.
  constexpr size_t ElidedCount = 1024;
  for (auto [number, result] : llvm::enumerate(results)) {
    bool isNamed = !options.outputs.empty();
    if (!isNamed && (options.inputs.empty() || options.printsJSON()))
      continue;
    if (isNamed && options.outputs[number] != "-") {
      writeOutput(options, target, options.outputs[number].substr(1), result,
                  report);
      continue;
    }
    eraseProgress();
    if (options.targets.size() > 1)
      llvm::outs() << target << ": ";
    printValue(result, isNamed ? SIZE_MAX : ElidedCount, llvm::outs());
  }
}

std::string mlir::convoy::getSizesOption(ArrayRef<int64_t> sizes) {
  std::string option;
  llvm::raw_string_ostream os(option);
  os << "--sizes=";
  llvm::interleave(sizes, os, ",");
  return option;
}

std::string mlir::convoy::getDataWord(const Options &options,
                                      ::convoy::DataKind data) {
  if (options.dataKinds.size() == 1)
    return "";
  return " --data=" + std::string(::convoy::dataKindName(data));
}

void mlir::convoy::writeTraces(const Options &options,
                               const ::convoy::NamedArrays &values,
                               Report &report) {
  std::string error;
  if (::convoy::isNpzPath(options.traceDir)) {
    if (!::convoy::writeNpz(options.traceDir, values, error))
      report.addError(error, ExitCode::BadInput);
    return;
  }
  if (!createFolder(options.traceDir, report))
    return;
  for (const auto &[name, value] : values) {
    SmallString<128> path(options.traceDir);
    llvm::sys::path::append(path, name + ".npy");
    if (!createFolder(llvm::sys::path::parent_path(path), report))
      return;
    if (!::convoy::writeNpy(path.str().str(), value, error))
      report.addError(error, ExitCode::BadInput);
  }
}
