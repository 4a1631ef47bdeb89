//===- Side.cpp - One of two things to compare ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Side.h"

#include "convoy/Driver/Traces.h"
#include "convoy/Runtime/Npy.h"
#include "convoy/Target/CPUTarget.h"

#include "mlir/Support/DebugStringHelper.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::HostArray;
using ::convoy::ScalarType;

/// The function of `module` that the options name, or its only public one.
static func::FuncOp findFunction(ModuleOp module, const Options &options,
                                 StringRef file, std::string &error) {
  SmallVector<func::FuncOp> found;
  std::string names;
  for (auto candidate : module.getOps<func::FuncOp>()) {
    if (candidate.isPrivate() || candidate.isDeclaration())
      continue;
    names += (names.empty() ? "" : ", ") + candidate.getSymName().str();
    if (options.function.empty() || candidate.getSymName() == options.function)
      found.push_back(candidate);
  }
  if (found.size() == 1)
    return found.front();
  error = (file + ": expected one public function" +
           (options.function.empty() ? " or '--function'"
                                     : " '" + options.function + "'") +
           ", but got " + (names.empty() ? "none" : names))
              .str();
  return {};
}

FailureOr<Source> mlir::convoy::readSource(MLIRContext *context,
                                           const Options &options,
                                           StringRef file,
                                           const SideOptions &side,
                                           std::string &error) {
  Source source;
  source.module = readModule(context, file);
  if (!source.module)
    return failure();
  source.function = findFunction(*source.module, options, file, error);
  if (!source.function ||
      !declareRanges(source.function, options.ranges, error))
    return failure();
  // Traces are those of this function.
  for (auto other :
       llvm::make_early_inc_range(source.module->getOps<func::FuncOp>()))
    if (other != source.function && !other.isPrivate())
      other.setPrivate();
  bool hasTraces =
      source.module->walk([](TraceOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  std::vector<std::string> names = options.traces;
  if (names.empty() && !hasTraces)
    names = {kAllTraces.str()};
  if (failed(chooseTraces(*source.module, names)))
    return failure();
  std::string name = source.function.getSymName().str();
  bool needsRanges = side.needsRanges();
  if (needsRanges && (failed(importModule(*source.module)) ||
                      failed(applyPrecision(*source.module, side.lowering))))
    return failure();
  source.function = source.module->lookupSymbol<func::FuncOp>(name);
  RangeAnalysis ranges(*source.module);
  FailureOr<LayeredFunction> layers =
      splitIntoLayers(source.function, needsRanges ? &ranges : nullptr);
  if (failed(layers) || failed(lowerTraces(*source.module)))
    return failure();
  source.layers = std::move(*layers);
  return source;
}

std::optional<Failure> Side::prepare(FirstErrorHandler &errors) {
  if (options.target.empty()) {
    std::string error;
    if (::convoy::isNpzPath(options.values) &&
        !(archive = ::convoy::readNpz(options.values, error)))
      return Failure{error};
    return std::nullopt;
  }
  OwningOpRef<ModuleOp> module = source.layers.module.get().clone();
  // What ranges decide has been said of the whole function.
  ScopedDiagnosticHandler quiet(
      module->getContext(), [this](Diagnostic &diagnostic) {
        bool isRemark = diagnostic.getSeverity() == DiagnosticSeverity::Remark;
        return success(isRemark && options.needsRanges());
      });
  errors.clear();
  StringRef kind = getTargetKind(options.target);
  CompileOptions compile;
  compile.scalarsInMemory = true;
  compile.machine.tile = options.tile;
  // Where ranges have decided, the ops say how.
  if (!options.needsRanges())
    compile.precision = options.lowering.precision;
  bool hasCPU = kind == "cpu" && options.target != kind;
  if (hasCPU) {
    compile.cpu.name = options.target.substr(kind.size() + 1);
    if (auto wrong = checkCPU(compile.cpu))
      return Failure{*wrong};
  }
  if (::convoy::Status status = openTarget(
          hasCPU ? kind : StringRef(options.target), compile.cpu, device);
      !status.ok())
    return Failure{status.text, ::convoy::ExitCode(status.code)};
  setDevice(compile, device);
  if (failed(importModule(*module)))
    return Failure{errors.getError()};
  FailureOr<CompiledModule> made = compileFor(kind, *module, compile);
  if (failed(made))
    return Failure{"cannot compile for " + options.target + ": " +
                   errors.getError()};
  compiled.emplace(std::move(*made));
  loaded.emplace(*compiled, device);
  if (::convoy::Status status = loaded->load(); !status.ok())
    return Failure{status.text, ::convoy::ExitCode(status.code)};
  return std::nullopt;
}

/// The shape of what `layer` computes of `inputs`, if that is known.
static std::optional<std::vector<int64_t>>
getResultShape(const Layer &layer, const std::vector<HostArray> &inputs) {
  func::FuncOp function = layer.function;
  auto type = cast<RankedTensorType>(function.getResultTypes().front());
  if (type.hasStaticShape())
    return type.getShape().vec();
  ArgumentShapes shapes;
  for (const HostArray &input : inputs)
    shapes.push_back(input.shape);
  FailureOr<SpecializedFunction> specialized =
      SpecializedFunction::create(function, shapes);
  return failed(specialized) ? std::nullopt : specialized->getResultShape(0);
}

std::optional<LayerValue>
Side::runKernelOf(const Layer &layer, const std::vector<HostArray> &inputs,
                  Failure &failure) const {
  auto fail = [&](const Twine &text) {
    failure = {(options.label + ": layer '" + layer.name + "': " + text).str()};
    return std::nullopt;
  };
  func::FuncOp function = layer.function;
  Type result = function.getResultTypes().front();
  std::optional<ScalarType> type = getScalarType(getElementTypeOrSelf(result));
  std::optional<std::vector<int64_t>> shape = getResultShape(layer, inputs);
  if (!type || !shape)
    return fail("expected sizes that follow from those of the inputs and a "
                "type that files can hold, but got " +
                mlir::debugString(result));
  const KernelInterface &kernel = compiled->getKernel(function.getSymName());
  std::vector<HostArray> arguments = inputs;
  arguments.emplace_back(*type, *shape);
  KernelOutcome outcome = runKernel({*loaded, kernel}, arguments, /*runs=*/1);
  findUnwritten(outcome);
  if (!outcome.error.empty()) {
    failure = {options.label + ": layer '" + layer.name + "': " + outcome.error,
               outcome.errorCode};
    return std::nullopt;
  }
  return LayerValue{std::move(outcome.results.front()),
                    {outcome.arithmetic, isVulkan(options.target)},
                    std::move(outcome.faults)};
}

/// The array of `arrays` that is called `name`; on failure returns nothing and
/// says why in `error`.
static std::optional<HostArray> findArray(const ::convoy::NamedArrays &arrays,
                                          const std::string &name,
                                          std::string &error) {
  std::string names;
  for (const auto &[other, array] : arrays) {
    if (other == name)
      return array;
    names += (names.empty() ? "" : ", ") + other;
  }
  error = "expected an array '" + name + "', but got " +
          (names.empty() ? "none" : names);
  return std::nullopt;
}

std::optional<LayerValue> Side::readRecorded(const std::string &name,
                                             Failure &failure) const {
  SmallString<128> path(options.values);
  llvm::sys::path::append(path, name + ".npy");
  std::string error;
  std::optional<HostArray> recorded =
      archive ? findArray(*archive, name, error)
              : ::convoy::readNpy(path.str().str(), error);
  if (recorded)
    return LayerValue{std::move(*recorded), TargetMath(), {}};
  failure = {archive ? options.values + ": " + error : error};
  return std::nullopt;
}

std::optional<LayerValue> Side::run(unsigned number,
                                    const std::vector<HostArray> &inputs,
                                    Failure &failure) const {
  const Layer &layer = source.layers.layers[number];
  return options.target.empty() ? readRecorded(layer.name, failure)
                                : runKernelOf(layer, inputs, failure);
}
