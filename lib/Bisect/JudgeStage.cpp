//===- JudgeStage.cpp - Does a stage mean what was meant? -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JudgeStage.h"

#include "FinishStage.h"

#include "convoy/Certify/Certify.h"
#include "convoy/Certify/InlineCalls.h"
#include "convoy/Certify/InlinePackers.h"
#include "convoy/Driver/ChildProcess.h"
#include "convoy/Driver/Import.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::convoy;

using Kind = StageVerdict::Kind;

//===----------------------------------------------------------------------===//
// Proofs
//===----------------------------------------------------------------------===//

/// Compares one function.
static StageVerdict proveFunction(func::FuncOp before, ModuleOp stage,
                                  double seconds) {
  StageVerdict verdict;
  verdict.function = before.getSymName().str();
  auto after = stage.lookupSymbol<func::FuncOp>(before.getSymName());
  if (!after || after.isExternal()) {
    verdict.message = "is no function of tensors any more";
    return verdict;
  }
  if (takesPackedArgument(after)) {
    verdict.message = "takes an argument that another function packs";
    return verdict;
  }
  inlineCalls(before, before);
  inlineCalls(after, after);
  Certificate certificate = certifyRewrite(before, after, {seconds});
  if (certificate.verdict == Certificate::Verdict::Certified)
    verdict.kind = Kind::Right;
  else if (certificate.verdict == Certificate::Verdict::Different &&
           !certificate.hasWiderSums)
    verdict.kind = Kind::Wrong;
  verdict.message = certificate.message;
  if (certificate.op)
    llvm::raw_string_ostream(verdict.op) << *certificate.op;
  return verdict;
}

StageVerdict mlir::convoy::proveStage(ModuleOp input, ModuleOp stage,
                                      double seconds) {
  StageVerdict all;
  all.kind = Kind::Right;
  all.isProved = true;
  for (auto function : input.getOps<func::FuncOp>()) {
    if (function.isPrivate() || function.isExternal())
      continue;
    StageVerdict one = proveFunction(function, stage, seconds);
    one.isProved = true;
    if (one.kind == Kind::Wrong)
      return one;
    if (one.kind == Kind::Undecided)
      all = one;
  }
  return all;
}

//===----------------------------------------------------------------------===//
// The judge
//===----------------------------------------------------------------------===//

/// What a child process sends before it runs what may be wrong, and its
/// verdict.
static constexpr char kRuns[] = "runs";

static void sendVerdict(TextSender &sender, const StageVerdict &verdict) {
  sender.send(std::string(1, char('0' + int(verdict.kind))));
  for (const std::string &text :
       {verdict.function, verdict.message, verdict.op})
    sender.send(text);
}

/// The verdict among what a child process has sent; undecided if it is not
/// there.
static StageVerdict readVerdict(ArrayRef<std::string> texts) {
  StageVerdict verdict;
  if (texts.size() < 4)
    return verdict;
  texts = texts.take_back(4);
  verdict.kind = Kind(texts[0][0] - '0');
  verdict.function = texts[1];
  verdict.message = texts[2];
  verdict.op = texts[3];
  return verdict;
}

OwningOpRef<ModuleOp> StageJudge::readLaunchingStage(size_t stage) {
  for (; stage > 0; --stage) {
    OwningOpRef<ModuleOp> module =
        readStage(context, recording.getBytecode(stage));
    if (module && !findLaunches(*module).empty())
      return module;
  }
  return {};
}

StageVerdict StageJudge::judgeInChild(size_t stage, Method method) {
  auto work = [&](TextSender &sender) {
    FirstErrorHandler errors(context);
    OwningOpRef<ModuleOp> input = readStage(context, recording.input);
    OwningOpRef<ModuleOp> module =
        readStage(context, recording.getBytecode(stage));
    StageVerdict verdict;
    if (!input || !module)
      verdict.message = errors.getError();
    else if (method == Method::Prove)
      verdict = proveStage(*input, *module, options.seconds / 4.0);
    else
      verdict = runStage(*input, *module, *readLaunchingStage(stage), options,
                         [&] { sender.send(kRuns); });
    if (verdict.message.empty() && verdict.kind == Kind::Undecided)
      verdict.message = errors.getError();
    sendVerdict(sender, verdict);
  };
  StageVerdict verdict;
  std::optional<ChildOutcome> outcome =
      runInChild(options.seconds, work, verdict.message);
  if (!outcome)
    return verdict;
  if (outcome->crash.empty())
    verdict = readVerdict(outcome->texts);
  else
    verdict.message = outcome->crash;
  // What was compiled may do anything.
  bool hasRun = llvm::is_contained(outcome->texts, kRuns);
  if (!outcome->crash.empty() && hasRun) {
    verdict.kind = Kind::Wrong;
    verdict.message = "the kernel " + outcome->crash;
  }
  verdict.isProved = method == Method::Prove;
  return verdict;
}

StageVerdict StageJudge::run(size_t stage) {
  return judgeInChild(stage, Method::Run);
}

const StageVerdict &StageJudge::judge(size_t stage) {
  auto [it, isNew] = verdicts.try_emplace(stage);
  if (!isNew)
    return it->second;
  it->second = judgeInChild(stage, Method::Prove);
  if (it->second.kind == Kind::Undecided)
    it->second = run(stage);
  return it->second;
}
