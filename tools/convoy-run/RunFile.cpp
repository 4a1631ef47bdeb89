//===- RunFile.cpp - Runs functions of an IR file ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionRunner.h"

#include "convoy/Driver/Traces.h"

#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::convoy;

/// The functions of `module` to run: the one that the options name, or all
/// public ones. Where values are given, there must be only one.
static SmallVector<func::FuncOp>
findFunctions(ModuleOp module, const Options &options, std::string &error) {
  SmallVector<func::FuncOp> found;
  std::string names;
  for (auto candidate : module.getOps<func::FuncOp>()) {
    if (candidate.isPrivate() || candidate.isDeclaration())
      continue;
    names += (names.empty() ? "" : ", ") + candidate.getSymName().str();
    if (options.function.empty() || candidate.getSymName() == options.function)
      found.push_back(candidate);
  }
  if (names.empty())
    names = "none";
  bool hasValues = !options.inputs.empty() || !options.outputs.empty() ||
                   !options.traceDir.empty() || !options.ranges.empty();
  if (!options.function.empty() && found.empty())
    error = ": expected a public function '" + options.function +
            "', but got " + names;
  else if (found.empty() || (hasValues && found.size() > 1))
    error = ": expected one public function or '--function', but got " + names;
  return found;
}

void mlir::convoy::runFile(Compiler &compiler, const Options &options,
                           ArrayRef<OpenTarget> targets, Report &report) {
  compiler.getErrors().clear();
  OwningOpRef<ModuleOp> module =
      readModule(compiler.getContext(), options.input);
  std::string stem = llvm::sys::path::stem(options.input).str() + ".traces";
  auto configure = [&](PassManager &pm) {
    return compiler.configure(pm, stem);
  };
  if (!module || failed(chooseTraces(*module, options.traces, configure)) ||
      failed(lowerTraces(*module, configure)))
    return report.addError(compiler.getErrors().getError(),
                           compiler.getFailureCode());
  std::string error;
  SmallVector<func::FuncOp> functions = findFunctions(*module, options, error);
  if (!error.empty())
    return report.addError(options.input + error, ExitCode::BadInput);
  if (!options.ranges.empty() &&
      !declareRanges(functions.front(), options.ranges, error))
    return report.addError(error, ExitCode::BadInput);
  report.expect(functions.size() * options.countRuns(), targets.size());
  for (func::FuncOp function : functions)
    FunctionRunner(compiler, options, targets, report).run(function);
}
