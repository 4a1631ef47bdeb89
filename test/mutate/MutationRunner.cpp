//===- MutationRunner.cpp - Mutants against the certifier -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutationRunner.h"
#include "MutantSource.h"

#include "convoy/Certify/Certify.h"
#include "convoy/Driver/Compile.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <thread>

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::test;
using ::convoy::Problem;
using ::convoy::RandomNumbers;
using CertifierVerdict = Certificate::Verdict;

MutantCounts &MutantCounts::operator+=(const MutantCounts &other) {
  rejected += other.rejected;
  undecided += other.undecided;
  equalUndecided += other.equalUndecided;
  equal += other.equal;
  return *this;
}

static func::FuncOp getFunction(ModuleOp module) {
  return *module.getOps<func::FuncOp>().begin();
}

/// How far down `module` is: `linalg` as people write it, ops of ours, an
/// im2col and what is left of the convolution, or loops over tiles.
static StringRef getLevel(ModuleOp module) {
  bool hasLoops = false, hasIm2col = false, hasConvolution = false;
  module.walk([&](Operation *op) {
    hasLoops |= isa<LoopLikeOpInterface>(op);
    hasIm2col |= isa<Im2colOp>(op);
    hasConvolution |= isa<ConvolutionOpInterface>(op);
  });
  return hasLoops         ? "tiles"
         : hasIm2col      ? "im2col"
         : hasConvolution ? "convoy"
                          : "linalg";
}

namespace {
/// What makes a mutant of a function.
struct Change {
  std::string kind, text;
  bool keepsMeaning = true;
};
} // namespace

/// One thread's part of the mutants.
class MutationRunner::Worker {
public:
  explicit Worker(MutationRunner &runner) : runner(runner) {
    registerAll(registry);
  }

  void run() {
    while (std::optional<int64_t> number = runner.takeProblem())
      tryProblem(*number);
  }

private:
  void tryProblem(int64_t number);
  /// The function of problem `number`, whose text is kept.
  OwningOpRef<ModuleOp> build(MLIRContext *context, int64_t number);
  /// Certifies the lowering itself, stage by stage and as a whole.
  void checkLowering(std::vector<Stage> &stages, Oracle &oracle);
  /// A mutant of `original` that verifies, and what was changed: up to two
  /// times its form, and then, in half of them, its meaning as well.
  OwningOpRef<ModuleOp> makeMutant(ModuleOp original, RandomNumbers &random,
                                   Change &change);
  /// `original` after one change, which is added to `change`.
  OwningOpRef<ModuleOp> changeOnce(ModuleOp original, RandomNumbers &random,
                                   bool keepsMeaning, Change &change);
  void judgeMutant(func::FuncOp original, Stage &stage, ModuleOp mutant,
                   const Change &change, Oracle &oracle);
  Certificate certify(func::FuncOp before, func::FuncOp after);
  /// What was said of `before` and `after`, and both of them.
  std::string describe(const Twine &what, const Certificate &certificate,
                       const Oracle::Verdict &verdict, ModuleOp before,
                       ModuleOp after) const;

  MutationRunner &runner;
  DialectRegistry registry;
  std::string problemText;
  bool isLayered = false;
};

Certificate MutationRunner::Worker::certify(func::FuncOp before,
                                            func::FuncOp after) {
  auto start = std::chrono::steady_clock::now();
  Certificate certificate = certifyRewrite(before, after);
  runner.addTime(
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count());
  return certificate;
}

std::string MutationRunner::Worker::describe(const Twine &what,
                                             const Certificate &certificate,
                                             const Oracle::Verdict &verdict,
                                             ModuleOp before,
                                             ModuleOp after) const {
  return (problemText + "\n" + what + "\ncertifier: " +
          getWord(certificate.verdict) + ": " + certificate.message +
          "\noracle: " + (verdict.areEqual ? "equal" : "different") + ": " +
          verdict.message + verdict.error +
          (verdict.areNumbersEqual ? "" : " (numbers differ)") + "\n" +
          print(before) + "\n" + print(after) + "\n")
      .str();
}

void MutationRunner::Worker::checkLowering(std::vector<Stage> &stages,
                                           Oracle &oracle) {
  ModuleOp original = *stages.front().module;
  for (size_t number = 1; number < stages.size(); ++number) {
    ModuleOp module = *stages[number].module;
    Oracle::Verdict verdict = oracle.judge(getFunction(module));
    for (ModuleOp before : {original, *stages[number - 1].module}) {
      Certificate certificate =
          certify(getFunction(before), getFunction(module));
      // Between layers there may be more than can be proved.
      bool isUndecided = certificate.verdict == CertifierVerdict::Undecided &&
                         verdict.areEqual && verdict.areNumbersEqual;
      if (isUndecided && isLayered)
        runner.addUndecidedProof();
      else if (isUndecided)
        runner.reportUndecided(describe("lowered by " + stages[number].pass,
                                        certificate, verdict, before, module));
      else if (certificate.verdict != CertifierVerdict::Certified ||
               !verdict.areEqual || !verdict.areNumbersEqual)
        runner.reportWrong(describe("lowered by " + stages[number].pass,
                                    certificate, verdict, before, module));
      if (number == 1)
        break;
    }
  }
  std::lock_guard<std::mutex> lock(runner.mutex);
  ++runner.lowerings;
}

OwningOpRef<ModuleOp> MutationRunner::Worker::changeOnce(ModuleOp original,
                                                         RandomNumbers &random,
                                                         bool keepsMeaning,
                                                         Change &change) {
  constexpr int Attempts = 200;
  for (int attempt = 0; attempt < Attempts; ++attempt) {
    OwningOpRef<ModuleOp> mutant = original.clone();
    std::optional<Mutation> chosen = chooseMutation(
        findMutations(getFunction(*mutant), keepsMeaning), random);
    if (!chosen)
      return nullptr;
    std::string text = test::describe(*chosen);
    chosen->apply();
    if (failed(verify(*mutant)) || print(*mutant) == print(original))
      continue;
    change.kind = chosen->kind.str();
    change.text += text;
    change.keepsMeaning &= keepsMeaning;
    return mutant;
  }
  return nullptr;
}

OwningOpRef<ModuleOp> MutationRunner::Worker::makeMutant(ModuleOp original,
                                                         RandomNumbers &random,
                                                         Change &change) {
  OwningOpRef<ModuleOp> mutant = original.clone();
  int64_t numForms = random.below(3);
  for (int64_t i = 0; i < numForms; ++i)
    if (OwningOpRef<ModuleOp> form =
            changeOnce(*mutant, random, /*keepsMeaning=*/true, change))
      mutant = std::move(form);
  if (!change.kind.empty() && random.below(4) == 0)
    return mutant;
  return changeOnce(*mutant, random, /*keepsMeaning=*/false, change);
}

void MutationRunner::Worker::judgeMutant(func::FuncOp original, Stage &stage,
                                         ModuleOp mutant, const Change &change,
                                         Oracle &oracle) {
  func::FuncOp function = getFunction(mutant);
  Oracle::Verdict verdict = oracle.judge(function);
  Certificate certificate = certify(original, function);
  bool isDecided = certificate.verdict != CertifierVerdict::Undecided;
  bool saysEqual = certificate.verdict == CertifierVerdict::Certified;
  bool isOracleWrong = !verdict.error.empty() ||
                       (verdict.areEqual && !verdict.areNumbersEqual) ||
                       (change.keepsMeaning && !verdict.areEqual);
  if (isOracleWrong || (isDecided && saysEqual != verdict.areEqual)) {
    runner.reportWrong(describe("after " + stage.pass + ":\n" + change.text,
                                certificate, verdict, *stage.module, mutant));
    return;
  }
  MutantCounts counts;
  if (isDecided)
    ++(verdict.areEqual ? counts.equal : counts.rejected);
  else
    ++(verdict.areEqual ? counts.equalUndecided : counts.undecided);
  StringRef reason = certificate.message;
  reason = isDecided ? "" : reason.split(": ").first.split(", ").first;
  runner.add(change.kind, getLevel(mutant), counts, reason);
}

OwningOpRef<ModuleOp> MutationRunner::Worker::build(MLIRContext *context,
                                                    int64_t number) {
  uint64_t seed = runner.options.seed;
  isLayered = number % 4 == 3;
  if (isLayered || number % 8 == 5) {
    problemText =
        isLayered ? drawLayers(number, seed) : drawNamed(number, seed);
    return parseFunction(context, problemText);
  }
  Problem problem = drawProblem(number, seed);
  problemText = ::convoy::toString(problem);
  return buildFunction(context, problem, number % 2 != 0);
}

void MutationRunner::Worker::tryProblem(int64_t number) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // Most mutants do not verify.
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = build(&context, number);
  std::vector<Stage> stages =
      module ? lowerToTiles(*module) : std::vector<Stage>();
  if (stages.empty())
    return runner.reportWrong(problemText + "\ndoes not lower\n");
  func::FuncOp original = getFunction(*stages.front().module);
  Oracle oracle(original, runner.options.seed + uint64_t(number));
  if (!oracle.getError().empty())
    return runner.reportWrong(problemText + "\noracle: " + oracle.getError() +
                              "\n" + print(original) + "\n");
  checkLowering(stages, oracle);
  RandomNumbers random(RandomNumbers(runner.options.seed).next() ^
                       uint64_t(number));
  int64_t left = runner.options.count - number * MutantsOfProblem;
  for (int64_t i = 0; i < std::min(left, MutantsOfProblem); ++i) {
    Stage &stage = stages[random.below(stages.size())];
    Change change;
    if (OwningOpRef<ModuleOp> mutant =
            makeMutant(*stage.module, random, change))
      judgeMutant(original, stage, *mutant, change, oracle);
  }
}

//===----------------------------------------------------------------------===//
// The runner
//===----------------------------------------------------------------------===//

std::optional<int64_t> MutationRunner::takeProblem() {
  int64_t number = nextProblem++;
  if (number * MutantsOfProblem >= options.count)
    return std::nullopt;
  return number;
}

void MutationRunner::reportWrong(const Twine &text) {
  std::lock_guard<std::mutex> lock(mutex);
  ++wrong;
  llvm::outs() << "WRONG " << text;
  llvm::outs().flush();
}

void MutationRunner::reportUndecided(const Twine &text) {
  std::lock_guard<std::mutex> lock(mutex);
  ++undecidedLowerings;
  llvm::outs() << "UNDECIDED " << text;
  llvm::outs().flush();
}

void MutationRunner::add(StringRef kind, StringRef level,
                         const MutantCounts &counts, StringRef reason) {
  std::lock_guard<std::mutex> lock(mutex);
  kinds[kind.str()] += counts;
  levels[level.str()] += counts;
  if (!reason.empty())
    ++reasons[reason.str()];
}

void MutationRunner::addTime(double seconds) {
  std::lock_guard<std::mutex> lock(mutex);
  times.add(seconds);
}

void MutationRunner::addUndecidedProof() {
  std::lock_guard<std::mutex> lock(mutex);
  ++undecidedProofs;
}

void MutationRunner::printTables() {
  MutantCounts all;
  auto printRows = [](StringRef what,
                      const std::map<std::string, MutantCounts> &rows) {
    llvm::outs() << llvm::left_justify(what, 34)
                 << "rejected undecided equal (undecided)\n";
    for (const auto &[row, counts] : rows)
      llvm::outs() << llvm::formatv("{0,-34}{1,8}{2,10}{3,6}{4,12}\n", row,
                                    counts.rejected, counts.undecided,
                                    counts.equal, counts.equalUndecided);
  };
  printRows("kind", kinds);
  printRows("level", levels);
  for (const auto &[kind, counts] : kinds)
    all += counts;
  for (const auto &[reason, count] : reasons)
    llvm::outs() << llvm::formatv("undecided, {0} times: {1}\n", count, reason);
  llvm::outs() << llvm::formatv(
      "{0} lowerings, {1} proofs, {2} of layers undecided, {3} of single "
      "convolutions: {4}\n",
      lowerings, times.size(), undecidedProofs, undecidedLowerings,
      times.describe());
  int64_t undecided = all.undecided + all.equalUndecided;
  llvm::outs() << llvm::formatv(
      "mutants: {0} made, {1} different and rejected, {2} undecided, {3} "
      "equal, {4} wrong\n",
      all.rejected + undecided + all.equal + wrong, all.rejected, undecided,
      all.equal, wrong);
}

int64_t MutationRunner::run() {
  std::vector<std::thread> threads;
  for (unsigned job = 0; job < std::max(1u, options.jobs); ++job)
    threads.emplace_back([this] { Worker(*this).run(); });
  for (std::thread &thread : threads)
    thread.join();
  printTables();
  return wrong + undecidedLowerings;
}
