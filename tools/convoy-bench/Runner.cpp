//===- Runner.cpp - Compiles, checks and times problems ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"

#include "Bandwidth.h"

#include "convoy/Driver/CheckProblem.h"
#include "convoy/Driver/FunctionInputs.h"
#include "convoy/Driver/ProblemInputs.h"
#include "convoy/Target/CPUTarget.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

std::vector<Problem>
mlir::convoy::expandLayouts(const Problem &problem,
                            const std::vector<std::string> &words) {
  if (words.empty())
    return {problem};
  std::string space(spatialLetters(problem.shape.spatialRank()));
  std::vector<Problem> expanded;
  auto add = [&](const std::string &input, const std::string &filter,
                 const std::string &output) {
    Problem &one = expanded.emplace_back(problem);
    one.layouts = {Layout::fromLetters(input), Layout::fromLetters(filter),
                   Layout::fromLetters(output)};
  };
  for (const std::string &word : words) {
    if (word == "nchw")
      add("nc" + space, "fc" + space, "nf" + space);
    else if (word == "nhwc")
      add("n" + space + "c", space + "cf", "n" + space + "f");
    else
      for (const std::string &filter : permutations(space + "cf"))
        add("n" + space + "c", filter, "n" + space + "f");
  }
  return expanded;
}

Runner::Runner(const Options &options)
    : options(options), compiler(options),
      vectorBytes(getAttachTargetOptions(options.cpu).vectorBytes) {
  for (const std::string &name : options.peers)
    peers.push_back(
        createPeer(name, {vectorBytes, options.worker, options.workerTimeout,
                          getTargetKind(options.target).str()}));
}

std::vector<PeerTitle> Runner::getTitles() const {
  std::vector<PeerTitle> titles;
  for (auto [name, peer] : llvm::zip_equal(options.peers, peers))
    titles.push_back({name, peer->getTitle()});
  return titles;
}

/// f16 and bf16 are multiplied as f32; no such peak holds for integers, nor for
/// devices.
std::unique_ptr<PeakLoop> Runner::createPeak(const Problem &problem,
                                             int threads) const {
  if (problem.type == ElementType::I8 || !options.isForCPU())
    return nullptr;
  return PeakLoop::create(vectorBytes, problem.type == ElementType::F64,
                          threads);
}

double Runner::getPeak(const CaseResult &result) const {
  const Problem *conv = result.getConvolution();
  if (!conv || conv->type == ElementType::I8)
    return 0;
  auto found = peaks.find({conv->type == ElementType::F64, result.threads});
  return found == peaks.end() ? 0 : found->second;
}

void Runner::add(CaseResult result) {
  results.push_back(std::move(result));
  if (options.quiet)
    return;
  const CaseResult &last = results.back();
  llvm::errs() << llvm::formatv("[{0}/{1}] {2}, {3}: ", results.size(),
                                caseCount, ::convoy::toString(last.problem),
                                last.getPlace());
  if (!last.wasTimed()) {
    llvm::errs() << last.error << '\n';
    return;
  }
  if (last.getConvolution())
    llvm::errs() << llvm::formatv("{0:f1} GF/s",
                                  1e-9 * last.getSpeed(last.measurement));
  else
    llvm::errs() << llvm::formatv("{0:f1} GB/s", 1e-9 * last.getByteSpeed());
  for (const PeerResult &peer : last.peers)
    if (double ratio = last.getRatio(peer))
      llvm::errs() << llvm::formatv(", {0:f2} x {1}", ratio, peer.name);
  llvm::errs() << '\n';
}

std::unique_ptr<PeerRun> Runner::preparePeer(Peer &peer, const PeerTask &task,
                                             const ReferenceResult &reference,
                                             PeerResult &result) {
  std::unique_ptr<PeerRun> run = peer.prepare(task, result.reason);
  if (!run)
    return nullptr;
  result.implementation = run->describe();
  Operand operand = directionRoles(task.conv.direction).result;
  HostArray values =
      task.arguments[task.conv.arguments[static_cast<size_t>(operand)]];
  if (!run->run(1, result.reason))
    return nullptr;
  if (run->getCheck() == PeerCheck::None)
    return run;
  if (!run->readResult(values, result.reason))
    return nullptr;
  if (run->getCheck() == PeerCheck::Whole) {
    double error = getRelativeError(task.conv, reference, values);
    if (error <= getMostRelativeError(values.type))
      return run;
    result.reason = llvm::formatv("wrong numbers: relative error {0:e1} of all "
                                  "elements together",
                                  error);
    return nullptr;
  }
  CompareReport report = compareWithReferenceOf(
      task.conv, task.arguments, reference, values.data(),
      {.target = compiler.getArithmetic()}, FunctionMath::Peer);
  if (report.passed())
    return run;
  result.reason = "wrong numbers: " + ::convoy::toString(report);
  return nullptr;
}

bool Runner::keepRanges(const Problem &problem, const CheckedConv &conv,
                        std::vector<HostArray> &arguments, std::string &error) {
  OwningOpRef<ModuleOp> module = compiler.buildReference(problem, error);
  if (!module)
    return false;
  auto function = *module->getOps<func::FuncOp>().begin();
  ranged.emplace(
      RangedReference{std::move(module), FunctionReference(function), {}});
  std::string mismatch;
  if (auto matched = matchConvolution(function, mismatch)) {
    ranged->conv = conv;
    ranged->conv->numerics = matched->numerics;
  }
  return keepDeclaredRanges(function, arguments, {}, error);
}

std::optional<std::string> Runner::check(ConvoyKernel &kernel,
                                         const PeerTask &task,
                                         const ReferenceResult &reference) {
  if (ranged && !ranged->conv)
    return kernel.check(ranged->function, task.arguments, !options.isForCPU());
  return kernel.check(ranged ? *ranged->conv : task.conv, task.arguments,
                      reference);
}

void Runner::addError(CaseResult result, const std::string &error) {
  result.error = error;
  for (const std::string &peer : options.peers)
    result.peers.push_back({peer, {}, "", "not timed"});
  add(std::move(result));
}

void Runner::addCosts(const ConvoyKernel &kernel, CaseResult &result) {
  result.compileSeconds = kernel.getCompileSeconds();
  result.codeBytes = kernel.getCodeBytes();
  result.workspaceBytes = kernel.getWorkspaceBytes();
  result.winogradTile = kernel.getWinogradTile();
}

void Runner::runThreads(CaseResult result, const PeerTask &task,
                        const ReferenceResult &reference) {
  std::string error;
  std::unique_ptr<ConvoyKernel> kernel =
      compiler.compile(task.problem, task.threads, /*candidate=*/0, error);
  if (!kernel)
    return addError(std::move(result), error);
  if (std::optional<std::string> fault =
          kernel->prepare(task.arguments, task.rotatedBytes))
    return addError(std::move(result), *fault);
  if (std::optional<std::string> fault = check(*kernel, task, reference)) {
    result.isWrong = true;
    return addError(std::move(result), "wrong numbers: " + *fault);
  }
  addCosts(*kernel, result);
  std::vector<std::unique_ptr<ConvoyKernel>> kernels;
  kernels.push_back(std::move(kernel));
  if (options.candidates > 1) {
    const TileEstimate &ours = kernels[0]->getEstimate();
    result.candidates.push_back({ours.tiles, ours.getCyclesPerLane(), {}, ""});
    for (auto &other : prepareCandidates(result, task, reference))
      kernels.push_back(std::move(other));
  }
  measure(std::move(result), kernels, task, reference);
}

std::vector<std::unique_ptr<ConvoyKernel>>
Runner::prepareCandidates(CaseResult &result, const PeerTask &task,
                          const ReferenceResult &reference) {
  std::vector<std::unique_ptr<ConvoyKernel>> kernels;
  for (int number = 1; number < options.candidates; ++number) {
    std::string error;
    std::unique_ptr<ConvoyKernel> kernel =
        compiler.compile(task.problem, task.threads, number, error);
    // A contraction of the kernel has no more.
    if (!kernel && StringRef(error).contains("expected a candidate below"))
      break;
    CandidateResult &candidate = result.candidates.emplace_back();
    if (!kernel) {
      candidate.reason = error;
      kernels.push_back(nullptr);
      continue;
    }
    candidate.tiles = kernel->getEstimate().tiles;
    candidate.estimate = kernel->getEstimate().getCyclesPerLane();
    std::optional<std::string> fault = kernel->prepare(task.arguments);
    if (!fault && (fault = check(*kernel, task, reference))) {
      result.isWrong = true;
      result.error = "wrong numbers of candidate " + std::to_string(number) +
                     ": " + *fault;
    }
    if (fault) {
      candidate.reason = *fault;
      kernel = nullptr;
    }
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

void Runner::measure(CaseResult result,
                     const std::vector<std::unique_ptr<ConvoyKernel>> &kernels,
                     const PeerTask &task, const ReferenceResult &reference) {
  // Each contestant with what its measurement, and an error of it, go into.
  std::vector<std::unique_ptr<Timed>> contestants;
  std::vector<std::pair<Measurement *, std::string *>> owners;
  contestants.push_back(kernels[0]->getTimed(options.isDeviceTimed()));
  owners.push_back({&result.measurement, &result.error});
  for (size_t number = 1; number < kernels.size(); ++number) {
    if (!kernels[number])
      continue;
    CandidateResult &candidate = result.candidates[number];
    contestants.push_back(kernels[number]->getTimed());
    owners.push_back({&candidate.measurement, &candidate.reason});
  }
  result.peers.resize(peers.size());
  for (auto [name, peer, one] :
       llvm::zip_equal(options.peers, peers, result.peers)) {
    one.name = name;
    if (std::unique_ptr<PeerRun> run =
            preparePeer(*peer, task, reference, one)) {
      contestants.push_back(std::move(run));
      owners.push_back({&one.measurement, &one.reason});
    }
  }
  std::unique_ptr<PeakLoop> peak = createPeak(task.problem, task.threads);
  double peakOperations = peak ? peak->getOperations() : 0;
  if (peak)
    contestants.push_back(std::move(peak));
  MeasureOptions measure = options.measure;
  // GNU's OpenMP, which oneDNN uses, lets threads wait for work in 300,000
  // steps of a loop before they sleep: 4 to 12 ms.
  measure.restTime = task.threads > 1 ? 0.05 : 0;
  std::vector<Measurement> measurements = measureInTurns(contestants, measure);
  if (peakOperations > 0) {
    double &best = peaks[{task.problem.type == ElementType::F64, task.threads}];
    best = std::max(best, peakOperations / measurements.back().best());
    measurements.pop_back();
  }
  for (auto [owner, measurement] : llvm::zip_equal(owners, measurements)) {
    *owner.second += measurement.error;
    *owner.first = std::move(measurement);
  }
  if (!result.candidates.empty())
    result.candidates[0].measurement = result.measurement;
  add(std::move(result));
}

/// Bytes of operands and result.
static double countBytes(const CheckedConv &conv) {
  double bytes = 0;
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output})
    bytes += double(conv.shape.elementCount(operand).value_or(0)) *
             double(scalarSize(conv.numerics.type(operand)));
  return bytes;
}

CaseResult Runner::startCase(const AnyProblem &problem, double bytes,
                             int threads) {
  CaseResult result;
  result.problem = problem;
  result.target = options.target;
  result.threads = threads;
  result.bytes = bytes;
  const Problem *conv = result.getConvolution();
  result.isFilterPacked = conv && options.packedFilters &&
                          conv->direction != Direction::BackwardFilter;
  if (conv)
    result.algorithm = options.algorithm;
  if (options.quiet)
    progress.show(results.size() + 1, caseCount,
                  ::convoy::toString(problem) + ", " + result.getPlace());
  return result;
}

void Runner::runOther(CaseResult result,
                      const std::vector<HostArray> &arguments,
                      FunctionReference &reference) {
  std::string error;
  std::unique_ptr<ConvoyKernel> kernel =
      compiler.compile(result.problem, result.threads, /*candidate=*/0, error);
  if (!kernel)
    return addError(std::move(result), error);
  if (std::optional<std::string> fault =
          kernel->prepare(arguments, options.rotatedBytes))
    return addError(std::move(result), *fault);
  if (std::optional<std::string> fault =
          kernel->check(reference, arguments, !options.isForCPU())) {
    result.isWrong = true;
    return addError(std::move(result), "wrong numbers: " + *fault);
  }
  addCosts(*kernel, result);
  std::vector<std::unique_ptr<Timed>> contestants;
  contestants.push_back(kernel->getTimed(options.isDeviceTimed()));
  result.measurement = measureInTurns(contestants, options.measure).front();
  result.error = result.measurement.error;
  for (const std::string &peer : options.peers)
    result.peers.push_back({peer, {}, "", "is timed for convolutions alone"});
  add(std::move(result));
}

/// Bytes of the arrays.
static double countBytes(const std::vector<HostArray> &arrays) {
  double bytes = 0;
  for (const HostArray &array : arrays)
    bytes += double(array.bytes.size());
  return bytes;
}

void Runner::runOther(const AnyProblem &problem) {
  std::string error;
  OwningOpRef<ModuleOp> module = compiler.buildReference(problem, error);
  func::FuncOp function =
      module ? *module->getOps<func::FuncOp>().begin() : func::FuncOp();
  FunctionReference reference(function);
  std::optional<std::vector<HostArray>> arguments;
  if (module)
    arguments = generateProblemInputs(problem, function, DataKind::Normal,
                                      /*seed=*/0, error);
  if (arguments && !keepDeclaredRanges(function, *arguments, {}, error))
    arguments.reset();
  if (arguments) {
    auto result = cast<RankedTensorType>(function.getResultTypes().front());
    arguments->emplace_back(*getScalarType(result.getElementType()),
                            result.getShape().vec());
  }
  for (int threads : options.threadCounts) {
    double bytes = arguments ? countBytes(*arguments) : 0;
    CaseResult result = startCase(problem, bytes, threads);
    if (arguments)
      runOther(std::move(result), *arguments, reference);
    else
      addError(std::move(result), error);
  }
}

void Runner::runLayout(const Problem &problem,
                       std::optional<ReferenceResult> &reference) {
  CheckedConv conv = describeProblem(problem);
  std::optional<std::string> shortage = checkMemoryFor(conv, true);
  std::vector<HostArray> arguments;
  if (!shortage) {
    arguments = generateArguments(conv, {});
    std::string error;
    if (!options.ranges.empty()) {
      // What is drawn from ranges differs with the layout.
      reference.reset();
      if (!keepRanges(problem, conv, arguments, error))
        shortage = error;
    }
  }
  if (!shortage) {
    if (!reference)
      reference = computeReferenceOf(conv, arguments, 0, !options.isForCPU());
  }
  for (int threads : options.threadCounts) {
    CaseResult result = startCase(problem, countBytes(conv), threads);
    if (shortage)
      addError(std::move(result), *shortage);
    else
      runThreads(std::move(result),
                 {problem, conv, arguments, threads, compiler.getDeviceName(),
                  options.rotatedBytes},
                 *reference);
  }
}

void Runner::addBandwidths() {
  std::map<int, double> bandwidths;
  for (int threads : options.threadCounts)
    bandwidths[threads] = measureBandwidth(threads);
  for (CaseResult &result : results)
    result.bandwidth = bandwidths[result.threads];
}

void Runner::run(const std::vector<AnyProblem> &problems) {
  std::vector<std::vector<Problem>> expanded; // empty of others
  bool hasOthers = false;
  for (const AnyProblem &problem : problems) {
    const auto *conv = std::get_if<Problem>(&problem);
    expanded.push_back(conv ? expandLayouts(*conv, options.layouts)
                            : std::vector<Problem>());
    hasOthers |= !conv;
    caseCount += std::max<size_t>(1, expanded.back().size()) *
                 options.threadCounts.size();
  }
  for (auto [problem, layouts] : llvm::zip_equal(problems, expanded)) {
    if (layouts.empty())
      runOther(problem);
    std::optional<ReferenceResult> reference;
    for (const Problem &one : layouts)
      runLayout(one, reference);
  }
  eraseProgress();
  for (CaseResult &result : results)
    result.peak = getPeak(result);
  if ((hasOthers || !options.report.empty()) && options.isForCPU())
    addBandwidths();
}
