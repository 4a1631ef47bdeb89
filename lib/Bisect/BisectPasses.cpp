//===- BisectPasses.cpp - Finds the pass that is at fault -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Bisect/Bisect.h"

#include "JudgeStage.h"
#include "PassRecording.h"

using namespace mlir;
using namespace mlir::convoy;

using End = PassRecording::End;
using Kind = StageVerdict::Kind;
using ResultKind = BisectResult::Kind;

namespace {
/// A search among the stages of a recording.
class Search {
public:
  Search(MLIRContext *context, const PassRecording &recording,
         const BisectOptions &options)
      : context(context), recording(recording),
        judge(context, recording, options) {
    stages.push_back(0);
    for (auto [number, run] : llvm::enumerate(recording.runs))
      if (run.hasChanged)
        stages.push_back(number + 1);
  }

  BisectResult search();

private:
  /// Of the stage that is `place` among those that differ.
  const StageVerdict &getVerdict(size_t place) {
    return judge.judge(stages[place]);
  }
  /// Finds `right` and `wrong`.
  void findEnds();
  /// Moves them together as far as what lies between can be judged.
  void narrow();
  /// The decided place nearest to the middle between `right` and `wrong`.
  std::optional<size_t> findDecided();
  /// Where a run found the first wrong stage and a proof the last right one,
  /// runs of the latter must be right, too: else what finishes both is wrong.
  std::optional<StageVerdict> findWrongFinish();

  void describeWrong(BisectResult &result);
  void describeLast(BisectResult &result);
  void describeUndecided(BisectResult &result);
  /// The passes after the stage at `from` up to the one at `to`.
  void addSuspects(size_t from, size_t to, BisectResult &result);
  std::string print(size_t stage);

  MLIRContext *context;
  const PassRecording &recording;
  StageJudge judge;
  /// The input, and those that differ from the one before.
  std::vector<size_t> stages;
  /// The last place that is known to be right and the first that is wrong.
  size_t right = 0;
  std::optional<size_t> wrong;
};
} // namespace

void Search::findEnds() {
  for (size_t place = stages.size() - 1; place > 0; --place) {
    Kind kind = getVerdict(place).kind;
    if (kind == Kind::Right)
      right = place;
    if (kind == Kind::Wrong)
      wrong = place;
    if (kind != Kind::Undecided)
      return;
  }
}

std::optional<size_t> Search::findDecided() {
  size_t middle = right + (*wrong - right) / 2;
  for (size_t distance = 0; distance < *wrong - right; ++distance)
    for (size_t place : {middle - distance, middle + distance}) {
      bool isBetween = place > right && place < *wrong;
      if (isBetween && getVerdict(place).kind != Kind::Undecided)
        return place;
    }
  return std::nullopt;
}

void Search::narrow() {
  while (std::optional<size_t> place = findDecided()) {
    if (getVerdict(*place).kind == Kind::Wrong)
      wrong = *place;
    else
      right = *place;
  }
}

std::optional<StageVerdict> Search::findWrongFinish() {
  if (getVerdict(*wrong).isProved || right == 0 || !getVerdict(right).isProved)
    return std::nullopt;
  StageVerdict verdict = judge.run(stages[right]);
  if (verdict.kind != Kind::Wrong)
    return std::nullopt;
  return verdict;
}

std::string Search::print(size_t stage) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (OwningOpRef<ModuleOp> module =
          readStage(context, recording.getBytecode(stage)))
    module->print(os);
  return text;
}

void Search::addSuspects(size_t from, size_t to, BisectResult &result) {
  for (size_t place = from + 1; place <= to; ++place)
    result.suspects.push_back(recording.runs[stages[place] - 1].run);
  result.before = print(stages[from + 1] - 1);
}

void Search::describeWrong(BisectResult &result) {
  narrow();
  result.verdict = getVerdict(*wrong);
  if (std::optional<StageVerdict> finish = findWrongFinish()) {
    result.kind = ResultKind::Undecided;
    result.verdict = *finish;
    result.verdict.message =
        "what is certified up to here runs wrong, too, so that a pass is at "
        "fault that runs are finished with: " +
        finish->message;
  } else {
    result.kind = ResultKind::Wrong;
  }
  addSuspects(right, *wrong, result);
  result.after = print(stages[*wrong]);
  if (recording.end != End::Completed)
    result.message =
        "later " + recording.last.pass + " says: " + recording.message;
}

void Search::describeLast(BisectResult &result) {
  result.kind =
      recording.end == End::Failed ? ResultKind::Failed : ResultKind::Crashed;
  result.suspects.push_back(recording.last);
  result.verdict = getVerdict(stages.size() - 1);
  result.message = recording.message;
  result.before = print(recording.runs.size());
}

void Search::describeUndecided(BisectResult &result) {
  result.kind = ResultKind::Undecided;
  result.verdict = getVerdict(stages.size() - 1);
  addSuspects(right, stages.size() - 1, result);
  result.after = print(stages.back());
}

BisectResult Search::search() {
  BisectResult result;
  result.numPasses = recording.numPasses;
  findEnds();
  if (wrong)
    describeWrong(result);
  else if (recording.end != End::Completed)
    describeLast(result);
  else if (right + 1 < stages.size())
    describeUndecided(result);
  result.numJudged = judge.getNumJudged();
  return result;
}

std::optional<BisectResult>
mlir::convoy::bisectPasses(ModuleOp module, const BisectOptions &options,
                           std::string &error) {
  std::optional<PassRecording> recording =
      recordPasses(module, options.pipeline, options.seconds, error);
  if (!recording)
    return std::nullopt;
  BisectResult result =
      Search(module.getContext(), *recording, options).search();
  result.warnings = std::move(recording->warnings);
  return result;
}
