//===- KernelMutants.cpp - Mutants of kernels, run --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelMutants.h"
#include "SmallTarget.h"

#include "Bisect/JudgeStage.h"
#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Driver/CertifyModules.h"
#include "convoy/Driver/ChildProcess.h"
#include "convoy/Pipelines/Pipelines.h"
#include "convoy/Transforms/Targets/Targets.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::test;
using ::convoy::Problem;
using Verdict = Certificate::Verdict;

KernelMutants::Counts &KernelMutants::Counts::operator+=(const Counts &other) {
  equal += other.equal;
  different += other.different;
  unseen += other.unseen;
  undecided += other.undecided;
  notRun += other.notRun;
  wrong += other.wrong;
  return *this;
}

KernelMutants::KernelMutants(const KernelOptions &options)
    : options(options), random(options.seed), registry(makeRegistry()),
      context(registry, MLIRContext::Threading::DISABLED) {}

//===----------------------------------------------------------------------===//
// Lowerings
//===----------------------------------------------------------------------===//

/// How far down `module` is, where mutants are made of it; else empty: on
/// tensors alone, or in the dialect of a target.
static StringRef getLevel(ModuleOp module) {
  bool hasKernels = false, hasMemory = false, hasVectors = false;
  bool isBelow = false;
  module.walk([&](Operation *op) {
    hasKernels |= isa<LaunchOp>(op);
    hasMemory |= llvm::any_of(op->getResultTypes(), llvm::IsaPred<MemRefType>);
    hasVectors |= llvm::any_of(op->getResultTypes(), llvm::IsaPred<VectorType>);
    isBelow |= isa<LLVM::LLVMFuncOp>(op) ||
               llvm::any_of(op->getRegions(), [](Region &region) {
                 return !region.empty() && !region.hasOneBlock();
               });
  });
  return isBelow      ? ""
         : hasKernels ? "kernels"
         : hasMemory  ? "memory"
         : hasVectors ? "vectors"
                      : "";
}

KernelMutants::Subject KernelMutants::makeSubject(int64_t number) {
  Problem problem = drawProblem(number, options.seed);
  Subject subject;
  int64_t kind = random.below(4);
  bool isOnGPU = kind >= 2;
  if (isOnGPU && random.below(2) != 0)
    problem = drawMatrixProblem(random);
  subject.text = ::convoy::toString(problem);
  subject.input = buildFunction(&context, problem, false);
  OwningOpRef<ModuleOp> module = subject.input->clone();
  CompileOptions &compile = subject.compile;
  std::function<void(OpPassManager &)> build;
  switch (kind) {
  case 0:
  case 1:
    compile.threads = 1 + random.below(2);
    if (random.below(2) != 0)
      compile.machine = getSmallTarget();
    subject.text += " on cpu, threads=" + std::to_string(compile.threads);
    build = [&](OpPassManager &pm) { buildConvoyToLLVMPipeline(pm, compile); };
    break;
  case 2:
    compile.vulkan = *::convoy::getVulkanProfile("nvidia");
    attachVulkanProfile(*module,
                        VulkanProfileAttr::get(&context, compile.vulkan));
    subject.text += " on vulkan-sim:nvidia";
    build = [&](OpPassManager &pm) {
      buildConvoyToKernelsPipeline(pm, compile);
    };
    break;
  default:
    compile.chip = random.below(2) != 0 ? "gfx942" : "gfx1100";
    (void)attachRocmChip(*module, compile.chip); // which is known
    subject.text += " on rocm-sim:" + compile.chip;
    build = [&](OpPassManager &pm) {
      buildConvoyToKernelsPipeline(pm, compile);
    };
  }
  subject.stages = lower(*module, build);
  subject.isLowered = !subject.stages.empty();
  llvm::erase_if(subject.stages, [](const Stage &stage) {
    return getLevel(*stage.module).empty();
  });
  return subject;
}

//===----------------------------------------------------------------------===//
// Mutants
//===----------------------------------------------------------------------===//

OwningOpRef<ModuleOp>
KernelMutants::mutate(ModuleOp original, std::string &kind, std::string &text) {
  constexpr int Attempts = 50;
  for (int attempt = 0; attempt < Attempts; ++attempt) {
    OwningOpRef<ModuleOp> mutant = original.clone();
    Mutations mutations;
    mutant->walk([&](Operation *op) {
      if (isa<ModuleOp, FunctionOpInterface>(op) ||
          op->hasTrait<OpTrait::SymbolTable>())
        return;
      findIndexMutations(op, mutations);
      findOpMutations(op, mutations);
      findMemoryMutations(op, mutations);
    });
    std::optional<Mutation> chosen = chooseMutation(mutations, random);
    if (!chosen)
      return nullptr;
    kind = chosen->kind.str();
    text = describe(*chosen);
    chosen->apply();
    if (succeeded(verify(*mutant)) && print(*mutant) != print(original))
      return mutant;
  }
  return nullptr;
}

/// Runs `work` in a child process for at most `seconds`.
static ChildOutcome runApart(unsigned seconds,
                             llvm::function_ref<void(TextSender &)> work) {
  std::string error;
  std::optional<ChildOutcome> outcome = runInChild(seconds, work, error);
  if (!outcome)
    llvm::report_fatal_error(StringRef(error));
  return *outcome;
}

/// The worst verdict on functions of `before` and `after`.
static Certificate compareFunctions(ModuleOp before, ModuleOp after) {
  // Calls and kernels are put into what is compared.
  OwningOpRef<ModuleOp> first = before.clone(), second = after.clone();
  CertifyModulesOptions names;
  names.beforeName = "before";
  names.afterName = "after";
  Certificate worst;
  auto missing =
      certifyModules(*first, *second, names, [&](const auto &function) {
        if (worst.verdict == Verdict::Certified)
          worst = function.certificate;
      });
  if (missing)
    worst.verdict = Verdict::Undecided;
  return worst;
}

std::optional<Verdict> KernelMutants::certify(ModuleOp before, ModuleOp after,
                                              std::string &message) {
  constexpr unsigned MostSeconds = 60;
  ChildOutcome outcome = runApart(MostSeconds, [&](TextSender &sender) {
    Certificate certificate = compareFunctions(before, after);
    sender.send(getWord(certificate.verdict));
    sender.send(describeEquality(certificate));
  });
  if (outcome.texts.size() < 2) {
    message = "the certifier " + outcome.crash;
    return std::nullopt;
  }
  message = outcome.texts[0] + ": " + outcome.texts[1];
  for (Verdict verdict : {Verdict::Certified, Verdict::Different})
    if (outcome.texts[0] == getWord(verdict))
      return verdict;
  return Verdict::Undecided;
}

/// What `stage` computes, sent as a word and a message.
static void sendNumbers(ModuleOp input, ModuleOp stage,
                        const BisectOptions &options, TextSender &sender) {
  OwningOpRef<ModuleOp> copy = input.clone();
  StageVerdict verdict =
      runStage(*copy, stage, nullptr, options, [&] { sender.send("runs"); });
  // That a number is read which nobody wrote changes no result by itself.
  bool isUnwritten = StringRef(verdict.message).contains("nobody wrote");
  if (isUnwritten && options.compile.checks) {
    BisectOptions unchecked = options;
    unchecked.compile.checks = false;
    return sendNumbers(input, stage, unchecked, sender);
  }
  sender.send(verdict.kind == StageVerdict::Kind::Right   ? "right"
              : verdict.kind == StageVerdict::Kind::Wrong ? "wrong"
                                                          : "nothing");
  sender.send(verdict.message);
}

KernelMutants::Outcome KernelMutants::compute(const Subject &subject,
                                              ModuleOp mutant,
                                              std::string &message) {
  constexpr unsigned MostSeconds = 20;
  ChildOutcome outcome = runApart(MostSeconds, [&](TextSender &sender) {
    BisectOptions bisect;
    bisect.compile = subject.compile;
    bisect.check.data = ::convoy::DataKind::Int;
    bisect.check.threads = subject.compile.threads;
    sendNumbers(subject.input.get(), mutant, bisect, sender);
  });
  bool runs = !outcome.texts.empty() && outcome.texts.front() == "runs";
  message = outcome.crash;
  // What crashes or never ends while it runs is something else.
  if (outcome.texts.size() < 2 || outcome.texts.back() == "runs")
    return runs ? Outcome::Other : Outcome::NotRun;
  message = outcome.texts.back();
  StringRef word = outcome.texts[outcome.texts.size() - 2];
  return word == "right"   ? Outcome::Same
         : word == "wrong" ? Outcome::Other
                           : Outcome::NotRun;
}

void KernelMutants::judge(const Subject &subject, const Stage &stage,
                          ModuleOp mutant, const std::string &kind,
                          const std::string &text) {
  std::string said, computed;
  std::optional<Verdict> verdict = certify(*stage.module, mutant, said);
  Counts counts;
  bool isWrong = !verdict;
  if (verdict == Verdict::Undecided) {
    ++counts.undecided;
  } else if (verdict) {
    Outcome outcome = compute(subject, mutant, computed);
    bool isCertified = verdict == Verdict::Certified;
    isWrong = isCertified && outcome == Outcome::Other;
    counts.notRun = outcome == Outcome::NotRun;
    counts.equal = isCertified && outcome == Outcome::Same;
    counts.different = !isCertified && outcome == Outcome::Other;
    counts.unseen = !isCertified && outcome == Outcome::Same;
  }
  counts.wrong = isWrong;
  if (isWrong)
    llvm::outs() << "WRONG " << subject.text << "\nafter " << stage.pass
                 << ":\n"
                 << text << said << "\nbut: " << computed << '\n'
                 << print(*stage.module) << '\n'
                 << print(mutant) << '\n';
  kinds[kind] += counts;
  levels[getLevel(*stage.module).str()] += counts;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

void KernelMutants::printTables() {
  Counts all;
  auto printRow = [](StringRef name, const Counts &counts) {
    llvm::outs() << llvm::formatv("{0,-24}{1,6}{2,10}{3,7}{4,10}{5,8}{6,6}\n",
                                  name, counts.equal, counts.different,
                                  counts.unseen, counts.undecided,
                                  counts.notRun, counts.wrong);
  };
  for (const auto &[what, rows] :
       {std::pair("kind", &kinds), std::pair("level", &levels)}) {
    llvm::outs() << llvm::formatv(
        "{0,-24} equal different unseen undecided not run wrong\n", what);
    for (const auto &[name, counts] : *rows)
      printRow(name, counts);
  }
  for (const auto &[name, counts] : levels)
    all += counts;
  printRow("all", all);
  llvm::outs() << "lowerings that are not right themselves: " << numFailed
               << '\n';
}

int64_t KernelMutants::run() {
  constexpr int64_t MutantsOfProblem = 8;
  // Most mutants do not verify.
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  int64_t made = 0;
  for (int64_t number = 0; made < options.count; ++number) {
    Subject subject = makeSubject(number);
    // Results without elements need neither vectors nor memory.
    if (subject.isLowered && subject.stages.empty())
      continue;
    std::string message = "does not lower";
    if (!subject.isLowered || compute(subject, *subject.stages.back().module,
                                      message) != Outcome::Same) {
      llvm::outs() << "not right: " << subject.text << ": " << message << '\n';
      ++numFailed;
      ++made;
      continue;
    }
    for (int64_t i = 0; i < MutantsOfProblem && made < options.count; ++i) {
      const Stage &stage = subject.stages[random.below(subject.stages.size())];
      std::string kind, text;
      OwningOpRef<ModuleOp> mutant = mutate(*stage.module, kind, text);
      ++made;
      if (mutant)
        judge(subject, stage, *mutant, kind, text);
    }
  }
  printTables();
  int64_t wrong = 0;
  for (const auto &[name, counts] : levels)
    wrong += counts.wrong;
  return wrong + numFailed;
}
