//===- Side.h - One of two things to compare --------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_DIFF_SIDE_H
#define CONVOY_TOOLS_CONVOY_DIFF_SIDE_H

#include "CommandLine.h"

#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Import.h"
#include "convoy/Driver/Layers.h"
#include "convoy/Driver/RunKernel.h"
#include "convoy/Driver/Specialize.h"
#include "convoy/Interpreter/BoundedNumbers.h"
#include "convoy/Runtime/Npz.h"
#include "convoy/Support/ExitCode.h"

#include <optional>

namespace mlir::convoy {

/// Why something cannot be done, and what the tool then ends with.
struct Failure {
  std::string text;
  ::convoy::ExitCode code = ::convoy::ExitCode::BadInput;
};

/// A function of a file, as it was written, or with the sums that ranges allow.
struct Source {
  OwningOpRef<ModuleOp> module; ///< of which the function returns its traces
  func::FuncOp function;
  LayeredFunction layers;
};

/// Reads the function of `file`, to be summed as `side` does, and cuts it into
/// the layers that the options ask for; on failure says why in `error`, or to
/// the context's handlers. Where ranges decide how it sums, it is imported
/// first, and convolutions sum as they do in the whole function: layers know
/// only the ranges that they are told.
FailureOr<Source> readSource(MLIRContext *context, const Options &options,
                             StringRef file, const SideOptions &side,
                             std::string &error);

/// What a layer gave on one side.
struct LayerValue {
  ::convoy::HostArray value;
  TargetMath math;
  std::vector<std::string> faults; ///< other than wrong numbers
};

/// What computes layers: a target, or what was recorded.
class Side {
public:
  /// Both outlive this.
  Side(const SideOptions &options, const Source &source)
      : options(options), source(source) {}

  /// Opens the target and compiles all layers for it, or opens the archive;
  /// `errors` is the handler of the context.
  std::optional<Failure> prepare(FirstErrorHandler &errors);

  const std::string &getLabel() const { return options.label; }
  const LayeredFunction &getLayers() const { return source.layers; }
  ArrayRef<Type> getArgumentTypes() const {
    return func::FuncOp(source.function).getArgumentTypes();
  }
  /// Runs layer `number` on `inputs`, or reads what was recorded of it. On
  /// failure returns nothing and says why in `failure`.
  std::optional<LayerValue> run(unsigned number,
                                const std::vector<::convoy::HostArray> &inputs,
                                Failure &failure) const;

private:
  std::optional<LayerValue>
  runKernelOf(const Layer &layer,
              const std::vector<::convoy::HostArray> &inputs,
              Failure &failure) const;

  std::optional<LayerValue> readRecorded(const std::string &name,
                                         Failure &failure) const;

  const SideOptions &options;
  const Source &source;
  std::optional<::convoy::NamedArrays> archive;
  ::convoy::Device device;
  std::optional<CompiledModule> compiled;
  std::optional<LoadedModule> loaded;
};

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_DIFF_SIDE_H
