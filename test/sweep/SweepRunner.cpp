//===- SweepRunner.cpp - Compiles and checks many problems -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SweepRunner.h"
#include "SmallTarget.h"

#include "convoy/Certify/Certify.h"
#include "convoy/Driver/CheckProblem.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/PrettyStackTrace.h"

#include <thread>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Problem;

namespace {
/// Names the problems at hand should the compiler crash.
class CrashNote final : public llvm::PrettyStackTraceEntry {
public:
  explicit CrashNote(ArrayRef<Problem> problems) : problems(problems) {}

  void print(raw_ostream &os) const override {
    os << "one of these problems:\n";
    for (const Problem &problem : problems)
      os << ::convoy::toString(problem) << "\n";
  }

private:
  ArrayRef<Problem> problems;
};
} // namespace

/// The windows of a problem: its text leaves out high padding that no output
/// position reads.
static std::string describeWindows(const Problem &problem) {
  std::string text = "padding";
  for (const ::convoy::SpatialDim &dim : problem.shape.spatial)
    text += llvm::formatv(" [{0}, {1}]", dim.window.padLow, dim.window.padHigh);
  return text;
}

/// One thread's part of a sweep.
class SweepRunner::Worker {
public:
  explicit Worker(SweepRunner &runner)
      : runner(runner), options(runner.options) {
    registerAll(registry);
    ::convoy::Status status = openTarget(options.target, device);
    assert(status.ok() && "the tool has opened it before");
    (void)status;
  }

  void run();

private:
  void renewContext();
  /// What is wrong with each problem, in lines; empty where nothing is.
  using Faults = std::vector<std::string>;

  /// Tries `problems` together; where they do not compile, one by one. Returns
  /// how many passed.
  int64_t tryProblems(ArrayRef<Problem> problems);
  /// Fails where a problem does not compile.
  LogicalResult tryTogether(ArrayRef<Problem> problems, Faults &faults);
  LogicalResult certify(ArrayRef<Problem> problems, Faults &faults);
  void check(const Problem &problem, const LoadedKernel &kernel,
             std::string &faults);
  CompileOptions getCompileOptions(bool verify);

  SweepRunner &runner;
  const SweepOptions &options;
  DialectRegistry registry;
  std::unique_ptr<MLIRContext> context;
  std::string diagnostics;
  int64_t batches = 0;
  ::convoy::Device device;
};

/// A context keeps every type and attribute that it has ever seen.
void SweepRunner::Worker::renewContext() {
  constexpr int64_t BatchesOfContext = 64;
  if (batches++ % BatchesOfContext != 0)
    return;
  context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->getDiagEngine().registerHandler(
      [&](Diagnostic &diagnostic) { diagnostics += diagnostic.str() + "\n"; });
}

CompileOptions SweepRunner::Worker::getCompileOptions(bool verify) {
  CompileOptions compile;
  compile.optLevel = options.optLevel;
  compile.threads = options.threads;
  compile.packedFilters = options.packedFilters;
  compile.algorithm = options.algorithm;
  setDevice(compile, device);
  if (options.vulkan)
    compile.vulkan = *options.vulkan;
  if (!options.hostTile)
    compile.machine = getSmallTarget();
  compile.configure = [verify](PassManager &pm) {
    pm.enableVerifier(verify);
    return success();
  };
  return compile;
}

LogicalResult SweepRunner::Worker::certify(ArrayRef<Problem> problems,
                                           Faults &faults) {
  OwningOpRef<ModuleOp> before = buildModule(context.get(), problems);
  OwningOpRef<ModuleOp> after = before->clone();
  CompileOptions compile = getCompileOptions(/*verify=*/false);
  if (failed(lowerToTilesFor(getTargetKind(options.target), *after, compile)))
    return failure();
  CertifyOptions limits;
  limits.isExactFirst = options.algorithm != "direct";
  for (auto [number, function] :
       llvm::enumerate(before->getOps<func::FuncOp>())) {
    auto start = std::chrono::steady_clock::now();
    Certificate certificate = certifyRewrite(
        function, after->lookupSymbol<func::FuncOp>(function.getName()),
        limits);
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    runner.count(certificate, time.count());
    if (certificate.verdict != Certificate::Verdict::Certified)
      faults[number] += "not certified: " + certificate.message + "\n";
  }
  return success();
}

void SweepRunner::Worker::check(const Problem &problem,
                                const LoadedKernel &kernel,
                                std::string &faults) {
  CheckOptions checkOptions;
  checkOptions.data = options.data;
  checkOptions.seed = options.seed;
  checkOptions.threads = 1;
  CheckResult result = checkProblem(problem, kernel, checkOptions);
  if (result.passed())
    return;
  for (const std::string &fault : result.faults)
    faults += fault + "\n";
  if (!result.error.empty())
    faults += result.error + "\n";
  else if (result.faults.empty())
    faults += ::convoy::toString(result.report) + "\n";
}

LogicalResult SweepRunner::Worker::tryTogether(ArrayRef<Problem> problems,
                                               Faults &faults) {
  if (options.certify && failed(certify(problems, faults)))
    return failure();
  if (!options.run)
    return success();
  OwningOpRef<ModuleOp> module = buildModule(context.get(), problems);
  bool verify = options.verifyEvery != 0 && batches % options.verifyEvery == 0;
  FailureOr<CompiledModule> compiled = compileFor(
      getTargetKind(options.target), *module, getCompileOptions(verify));
  if (failed(compiled))
    return failure();
  LoadedModule loaded(*compiled, device);
  if (::convoy::Status status = loaded.load(); !status.ok())
    return module->emitError() << status.text;
  // Functions that pack filters come after all kernels.
  ArrayRef<KernelInterface> kernels =
      compiled->getKernels().take_front(problems.size());
  for (auto [problem, kernel, fault] :
       llvm::zip_equal(problems, kernels, faults))
    check(problem, LoadedKernel{loaded, kernel}, fault);
  return success();
}

int64_t SweepRunner::Worker::tryProblems(ArrayRef<Problem> problems) {
  CrashNote note(problems);
  diagnostics.clear();
  Faults faults(problems.size());
  if (failed(tryTogether(problems, faults))) {
    int64_t passed = 0;
    if (problems.size() > 1)
      for (const Problem &problem : problems)
        passed += tryProblems(problem);
    else
      runner.reportFailure(problems.front(), diagnostics);
    return passed;
  }
  for (auto [problem, fault] : llvm::zip_equal(problems, faults))
    if (!fault.empty())
      runner.reportFailure(problem, fault);
  return llvm::count(faults, "");
}

void SweepRunner::Worker::run() {
  for (;;) {
    auto [begin, end] = runner.takeBatch();
    if (begin == end)
      return;
    renewContext();
    std::vector<Problem> problems;
    for (int64_t row = begin; row < end; ++row)
      problems.push_back(runner.space.problem(runner.rows[row]));
    runner.reportBatch(tryProblems(problems));
  }
}

std::pair<int64_t, int64_t> SweepRunner::takeBatch() {
  int64_t begin = std::min(nextRow.fetch_add(options.batch), rows.size());
  return {begin, std::min(begin + options.batch, rows.size())};
}

void SweepRunner::reportFailure(const Problem &problem, StringRef text) {
  std::lock_guard<std::mutex> lock(mutex);
  ++numFailed;
  llvm::outs() << "FAIL " << ::convoy::toString(problem) << "\n"
               << describeWindows(problem) << "\n"
               << text;
  llvm::outs().flush();
}

void SweepRunner::count(const Certificate &certificate, double seconds) {
  std::lock_guard<std::mutex> lock(mutex);
  certificates.add(certificate.verdict, seconds);
}

double SweepRunner::secondsSinceStart() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

void SweepRunner::reportBatch(int64_t passedNow) {
  constexpr double SecondsBetweenReports = 10;
  std::lock_guard<std::mutex> lock(mutex);
  passed += passedNow;
  double seconds = secondsSinceStart();
  if (seconds < nextReport)
    return;
  nextReport = seconds + SecondsBetweenReports;
  double rate = double(passed + numFailed) / seconds;
  llvm::errs() << llvm::formatv(
      "{0} of {1} cases, {2} failed, {3:f0} cases/s, {4:f0} s left\n",
      passed + numFailed, rows.size(), numFailed, rate,
      double(rows.size() - passed - numFailed) / rate);
}

int64_t SweepRunner::run() {
  start = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  for (unsigned job = 0; job < std::max(1u, options.jobs); ++job)
    threads.emplace_back([this] { Worker(*this).run(); });
  for (std::thread &thread : threads)
    thread.join();
  llvm::outs() << llvm::formatv(
      "sweep: {0} cases, {1} passed, {2} failed in {3:f0} s\n", rows.size(),
      passed, numFailed, secondsSinceStart());
  if (options.certify)
    certificates.print(llvm::outs());
  return numFailed;
}
