//===- Report.cpp - What was found, for people and programs -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "convoy/Runtime/FileIO.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <span>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ExitCode;

using Kind = BisectResult::Kind;

ExitCode mlir::convoy::getExitCode(Kind kind) {
  switch (kind) {
  case Kind::Nothing:
    return ExitCode::Ok;
  case Kind::Wrong:
  case Kind::Failed:
  case Kind::Crashed:
    return ExitCode::WrongNumbers;
  case Kind::Undecided:
    return ExitCode::Undecided;
  }
  llvm_unreachable("unknown kind");
}

static StringRef getWord(Kind kind) {
  switch (kind) {
  case Kind::Nothing:
    return "right";
  case Kind::Wrong:
    return "wrong";
  case Kind::Failed:
    return "failed";
  case Kind::Crashed:
    return "crashed";
  case Kind::Undecided:
    return "undecided";
  }
  llvm_unreachable("unknown kind");
}

static StringRef getWord(StageVerdict::Kind kind) {
  switch (kind) {
  case StageVerdict::Kind::Right:
    return "right";
  case StageVerdict::Kind::Wrong:
    return "wrong";
  case StageVerdict::Kind::Undecided:
    return "undecided";
  }
  llvm_unreachable("unknown kind");
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {
/// The lines that differ between two texts, from the first to the last.
struct Hunk {
  SmallVector<StringRef> before, after;

  Hunk(StringRef beforeText, StringRef afterText) {
    beforeText.split(before, '\n');
    afterText.split(after, '\n');
    auto isSame = [&] {
      return !before.empty() && !after.empty() && before.back() == after.back();
    };
    while (isSame()) {
      before.pop_back();
      after.pop_back();
    }
    size_t same = 0, most = std::min(before.size(), after.size());
    while (same < most && before[same] == after[same])
      ++same;
    before.erase(before.begin(), before.begin() + same);
    after.erase(after.begin(), after.begin() + same);
  }
};
} // namespace

/// Prints `lines` behind `mark`, or the first of many.
static void printLines(ArrayRef<StringRef> lines, char mark) {
  constexpr size_t MostLines = 12, MostCharacters = 200;
  for (StringRef line : lines.take_front(MostLines))
    llvm::outs() << mark << ' ' << line.take_front(MostCharacters)
                 << (line.size() > MostCharacters ? "..." : "") << '\n';
  if (lines.size() > MostLines)
    llvm::outs() << mark << " ... " << lines.size() - MostLines
                 << " more lines\n";
}

/// `pass 17 of 66, cse, on func.func @conv`
static std::string describe(const PassRun &run, size_t numPasses) {
  return "pass " + std::to_string(run.number) + " of " +
         std::to_string(numPasses) + ", " + run.pass + ", on " + run.op;
}

/// `@conv: what is wrong, as a proof shows`
static void printVerdict(const StageVerdict &verdict) {
  if (verdict.message.empty())
    return;
  llvm::outs() << "  ";
  if (!verdict.function.empty())
    llvm::outs() << '@' << verdict.function << ": ";
  llvm::outs() << verdict.message << '\n';
  if (!verdict.op.empty())
    llvm::outs() << "  at " << StringRef(verdict.op).split('\n').first << '\n';
}

/// Shows a file that was made smaller, to be pasted into another.
static void printSmallest(const Finding &finding) {
  if (!finding.smallest.empty())
    llvm::outs() << "the same with\n" << finding.smallest;
}

static std::string getReproduction(const Finding &finding,
                                   const Options &options) {
  return options.program + " " + finding.input + options.passOptions;
}

static void printReproduction(const Finding &finding, const Options &options) {
  llvm::outs() << "reproduce: " << getReproduction(finding, options) << '\n';
}

void mlir::convoy::printFinding(const Finding &finding,
                                const Options &options) {
  const BisectResult &result = finding.result;
  llvm::outs() << getWord(result.kind) << ": ";
  if (result.kind == Kind::Nothing) {
    llvm::outs() << "all " << result.numPasses << " passes: " << finding.input
                 << '\n';
    return;
  }
  llvm::interleave(
      result.suspects, llvm::outs(),
      [&](const PassRun &run) {
        llvm::outs() << describe(run, result.numPasses);
      },
      "\n    or ");
  llvm::outs() << '\n';
  bool isFault = result.kind == Kind::Failed || result.kind == Kind::Crashed;
  if (!result.message.empty())
    llvm::outs() << "  " << result.message << '\n';
  if (!isFault)
    printVerdict(result.verdict);
  else if (result.verdict.kind == StageVerdict::Kind::Right)
    llvm::outs() << "  what it was given is right\n";
  if (!result.after.empty()) {
    Hunk hunk(result.before, result.after);
    printLines(hunk.before, '-');
    printLines(hunk.after, '+');
  }
  printSmallest(finding);
  printReproduction(finding, options);
}

//===----------------------------------------------------------------------===//
// JSON and files
//===----------------------------------------------------------------------===//

static llvm::json::Object toStageJSON(const StageVerdict &verdict) {
  return llvm::json::Object{{"verdict", getWord(verdict.kind)},
                            {"by", verdict.isProved ? "proof" : "run"},
                            {"function", verdict.function},
                            {"message", verdict.message},
                            {"op", verdict.op}};
}

llvm::json::Object mlir::convoy::toJSON(const Finding &finding,
                                        const Options &options) {
  const BisectResult &result = finding.result;
  llvm::json::Array suspects;
  for (const PassRun &run : result.suspects)
    suspects.push_back(llvm::json::Object{{"number", int64_t(run.number)},
                                          {"pass", run.pass},
                                          {"pipeline", run.pipeline},
                                          {"op", run.op}});
  llvm::json::Object object{{"input", finding.input},
                            {"result", getWord(result.kind)},
                            {"passes", int64_t(result.numPasses)},
                            {"judged", int64_t(result.numJudged)},
                            {"suspects", std::move(suspects)},
                            {"reproduce", getReproduction(finding, options)}};
  if (result.kind == Kind::Nothing)
    return object;
  object["stage"] = toStageJSON(result.verdict);
  object["message"] = result.message;
  object["before"] = result.before;
  object["after"] = result.after;
  object["smallest"] = finding.smallest;
  return object;
}

bool mlir::convoy::writeSides(const Finding &finding, const Options &options,
                              StringRef stem, std::string &error) {
  if (finding.result.suspects.empty())
    return true;
  if (std::error_code code =
          llvm::sys::fs::create_directories(options.folder)) {
    error = "cannot create '" + options.folder + "': " + code.message();
    return false;
  }
  auto write = [&](StringRef side, StringRef text) {
    SmallString<128> path(options.folder);
    llvm::sys::path::append(path, stem + "." + side + ".mlir");
    return text.empty() ||
           ::convoy::writeFile(
               path.str().str(),
               std::as_bytes(std::span(text.data(), text.size())), error);
  };
  return write("before", finding.result.before) &&
         write("after", finding.result.after) &&
         write("smallest", finding.smallest);
}
