//===- convoy-diff.cpp - Two targets, layer by layer ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "convoy/Driver/CheckFunction.h"
#include "convoy/Driver/FunctionInputs.h"
#include "convoy/Driver/Import.h"
#include "convoy/Driver/StartTool.h"
#include "convoy/Driver/Values.h"
#include "convoy/Runtime/FileIO.h"

#include "mlir/Support/DebugStringHelper.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"

#include <map>
#include <span>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ExitCode;
using ::convoy::HostArray;

static ExitCode report(const Failure &failure) {
  llvm::outs().flush();
  llvm::errs() << "convoy-diff: " << failure.text << '\n';
  return failure.code;
}

/// The values that the user gives for arguments of `function`, or nothing after
/// a sentence in `error`.
static std::optional<std::vector<HostArray>>
readInputs(func::FuncOp function, const Options &options, std::string &error) {
  std::vector<HostArray> inputs;
  for (auto [number, text] : llvm::enumerate(options.inputs)) {
    std::optional<HostArray> input = parseValue(text, error);
    if (!input) {
      error = "input " + std::to_string(number) + ": " + error;
      return std::nullopt;
    }
    inputs.push_back(std::move(*input));
  }
  ArgumentShapes shapes;
  for (const HostArray &input : inputs)
    shapes.push_back(input.shape);
  bool fits = fitShapes(function, shapes) &&
              llvm::all_of(llvm::zip(function.getArgumentTypes(), inputs),
                           [](auto pair) {
                             auto &[type, input] = pair;
                             return getScalarType(getElementTypeOrSelf(type)) ==
                                    input.type;
                           });
  if (fits)
    return inputs;
  std::string types;
  for (const HostArray &input : inputs)
    types += (types.empty() ? "" : ", ") + getTypeText(input);
  error = "expected inputs of the types " +
          mlir::debugString(function.getFunctionType()) + ", but got " + types;
  return std::nullopt;
}

static CheckOptions getCheckOptions(func::FuncOp function,
                                    const Options &options) {
  CheckOptions check;
  check.data = options.data;
  check.seed = options.seed;
  check.areGiven = !options.inputs.empty();
  noteDeclaredRanges(function, check);
  return check;
}

/// Data for the arguments of `function`.
static std::optional<std::vector<HostArray>>
drawArguments(func::FuncOp function, const Options &options,
              std::string &error) {
  ArgumentShapes shapes;
  size_t expected = fillShapes(function, options.sizes, shapes);
  if (expected != options.sizes.size()) {
    error = "expected " + std::to_string(expected) + " dynamic sizes of '" +
            function.getSymName().str() + "' for '--sizes', but got " +
            std::to_string(options.sizes.size());
    return std::nullopt;
  }
  return generateInputs(function, shapes, getCheckOptions(function, options),
                        error);
}

/// The arguments of `function`, in their declared ranges: the user's, or data.
static std::optional<std::vector<HostArray>>
makeArguments(func::FuncOp function, const Options &options,
              std::string &error) {
  CheckOptions check = getCheckOptions(function, options);
  std::optional<std::vector<HostArray>> arguments =
      check.areGiven ? readInputs(function, options, error)
                     : drawArguments(function, options, error);
  if (arguments && !keepDeclaredRanges(function, *arguments, check, error))
    return std::nullopt;
  return arguments;
}

static ExitCode print(const Options &options, ArrayRef<LayerDiff> diffs) {
  std::string error;
  bool isRight = !findFirstOutside(diffs).layer &&
                 !findFirstUnexplained(diffs).layer &&
                 !(options.suspiciousFails && findFirstSuspicious(diffs).layer);
  if (!options.printsJSON())
    llvm::outs() << toTable(options, diffs);
  if (!options.json.empty()) {
    llvm::json::Value document = mlir::convoy::toJSON(options, diffs);
    std::string text = llvm::formatv("{0:2}\n", document);
    if (options.printsJSON())
      llvm::outs() << text;
    else if (!::convoy::writeFile(options.json, std::as_bytes(std::span(text)),
                                  error))
      return report({error});
  }
  if (!options.report.empty() && !writePage(options, diffs, error))
    return report({error});
  return isRight ? ExitCode::Ok : ExitCode::WrongNumbers;
}

namespace {
/// Functions of files, each read once.
class Sources {
public:
  Sources(MLIRContext *context, const Options &options)
      : context(context), options(options) {}

  /// That of `file`, which sums as `side` does. On failure returns null and
  /// says why in `error`, or to the context's handlers.
  const Source *get(const std::string &file, const SideOptions &side,
                    std::string &error) {
    // Where ranges decide for both sides, these are told the same.
    auto key = std::pair(file, side.needsRanges());
    if (auto found = sources.find(key); found != sources.end())
      return &found->second;
    FailureOr<Source> source = readSource(context, options, file, side, error);
    return failed(source)
               ? nullptr
               : &sources.emplace(key, std::move(*source)).first->second;
  }

private:
  MLIRContext *context;
  const Options &options;
  std::map<std::pair<std::string, bool>, Source> sources;
};
} // namespace

static ExitCode compareSides(const Options &options) {
  MLIRContext context(makeRegistry(), MLIRContext::Threading::DISABLED);
  FirstErrorHandler errors(&context);
  std::string error;
  Sources sources(&context, options);
  Meanings meanings, written;
  for (auto [number, side] : llvm::enumerate(options.sides)) {
    meanings[number] = sources.get(options.sides[0].file, side, error);
    written[number] =
        meanings[number] ? sources.get(side.file, side, error) : nullptr;
    if (!written[number])
      return report({error.empty() ? errors.getError() : error});
  }
  Side a(options.sides[0], *written[0]);
  Side b(options.sides[1], *written[1]);
  if (std::optional<std::string> differs = checkSameLayers(a, b))
    return report({*differs});
  std::optional<std::vector<HostArray>> arguments =
      makeArguments(written[0]->function, options, error);
  if (!arguments)
    return report({options.sides[0].file + ": " + error});
  for (Side *side : {&a, &b})
    if (std::optional<Failure> failed = side->prepare(errors))
      return report(*failed);
  Failure failure;
  bool areDrawn =
      getCheckOptions(written[0]->function, options).hasRandomSigns();
  std::optional<std::vector<LayerDiff>> diffs = compareLayers(
      meanings, a, b, *arguments, areDrawn, !options.report.empty(), failure);
  return diffs ? print(options, *diffs) : report(failure);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  guardStandardOutput("convoy-diff");
  Options options;
  std::string error;
  if (!parseCommandLine(argc, argv, options, error))
    return int(report({error}));
  return int(compareSides(options));
}
