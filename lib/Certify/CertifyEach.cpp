//===- CertifyEach.cpp - Proves what each pass does -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Certify/CertifyEach.h"
#include "Buffers/BufferRoots.h"
#include "FunctionHistory.h"
#include "PassRun.h"
#include "UnreadOps.h"

#include "convoy/Certify/Certify.h"
#include "convoy/Certify/Functions.h"
#include "convoy/Certify/InlineKernels.h"
#include "convoy/Certify/InlinePackers.h"
#include "convoy/Certify/MemoryStates.h"
#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <chrono>

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Verdict = Certificate::Verdict;

::convoy::ExitCode CertifiedChanges::getFailureCode() const {
  return verdict == Verdict::Certified ? ::convoy::ExitCode::BadInput
                                       : getExitCode(verdict);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// `op`, if that is known, in front of what is said of it.
static std::string nameOp(Operation *op) {
  return op ? ("'" + op->getName().getStringRef() + "': ").str() : "";
}

/// Why a function is compared no more, in the place of a verb.
static constexpr StringLiteral BelowTensors =
    "works on vectors, memory or kernels";
static constexpr StringLiteral OfBlocks = "has several blocks";

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

/// Reports a change that is not certified as an error at `location`.
static void emitStep(const CertifiedStep &step, Location location) {
  InFlightDiagnostic error = emitError(location);
  error << step.pass
        << (step.verdict == Verdict::Different ? " changed what @"
                                               : " is undecided on @")
        << step.function
        << (step.verdict == Verdict::Different ? " computes: " : ": ");
  if (!step.op.empty())
    error << "'" << step.op << "': ";
  error << step.message << step.files;
  if (step.location)
    error.attachNote(step.location) << "at this op";
}

static std::string printModule(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  os << '\n';
  return text;
}

//===----------------------------------------------------------------------===//
// Instrumentation
//===----------------------------------------------------------------------===//

namespace {
class CertifyEach : public PassInstrumentation {
public:
  CertifyEach(const CertifyEachOptions &options, CertifiedChanges &changes)
      : options(options), changes(changes) {}

  void runBeforePass(Pass *, Operation *op) override {
    forEachFunction(op, [&](FunctionOpInterface function) {
      auto [it, isNew] = functions.try_emplace(getFunctionPath(function));
      if (isNew)
        it->second = FunctionHistory::begin(function);
    });
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    PassRun run{pass, op};
    llvm::StringSet<> present;
    unsigned numBefore = numSteps;
    SmallVector<std::pair<FunctionOpInterface, FunctionHistory *>> made;
    forEachFunction(op, [&](FunctionOpInterface function) {
      std::string path = getFunctionPath(function);
      present.insert(path);
      auto [it, isNew] = functions.try_emplace(path);
      if (isNew)
        made.emplace_back(function, &it->second);
      else if (it->second.before)
        compare(run, path, function, it->second);
    });
    // What is made of functions that are compared no more is not, either.
    if (changes.end.empty() && comparesAny())
      for (auto [function, history] : made)
        *history = FunctionHistory::begin(function);
    if (!op->getParentOp())
      checkRemoved(run, present);
    if (numSteps == numBefore)
      tellUnchanged(run, present);
  }

  void runAfterPassFailed(Pass *pass, Operation *op) override {
    PassRun run{pass, op};
    bool isOurs = changes.verdict == Verdict::Different && !options.keepGoing;
    if (run.isNestedPipeline() || isOurs || !changes.failed.empty())
      return;
    changes.failed = run.getName();
    tell(run, "", "failed");
  }

private:
  /// Whether there is a function that is still compared.
  bool comparesAny() const {
    return llvm::any_of(
        functions, [](const auto &entry) { return bool(entry.second.before); });
  }

  /// Whether what `function`, a part of its callers, does is compared as part
  /// of one of them.
  bool isComparedInCallers(FunctionOpInterface function) {
    llvm::SetVector<FunctionOpInterface> around;
    around.insert(function);
    for (size_t next = 0; next < around.size(); ++next) {
      auto it = functions.find(getFunctionPath(around[next]));
      if (next > 0 && it != functions.end() && it->second.wasCompared)
        return true;
      if (isPartOfCallers(around[next]))
        around.insert_range(getCallers(around[next]));
    }
    return false;
  }

  /// Calls `callback` with the functions that are compared after a pass on
  /// `op`.
  void forEachFunction(Operation *op,
                       function_ref<void(FunctionOpInterface)> callback) {
    auto alone = dyn_cast<FunctionOpInterface>(op);
    if (alone && isPartOfCallers(alone))
      op = op->getParentOp();
    SmallVector<FunctionOpInterface> parts;
    op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
      // Kernels of a GPU, in modules of their own, work on memory from the
      // start.
      if (inner->hasTrait<OpTrait::SymbolTable>() && !isa<ModuleOp>(inner))
        return WalkResult::skip();
      auto function = dyn_cast<FunctionOpInterface>(inner);
      if (!function)
        return WalkResult::advance();
      bool isWanted = options.function.empty() ||
                      getFunctionPath(function) == options.function;
      if (!isComputation(function) || !isWanted)
        return WalkResult::skip();
      if (options.function.empty() && isPartOfCallers(function))
        parts.push_back(function);
      else
        callback(function);
      return WalkResult::skip();
    });
    // What calls them is known now.
    for (FunctionOpInterface part : parts)
      if (!isComparedInCallers(part))
        callback(part);
  }

  void compare(const PassRun &run, StringRef path, FunctionOpInterface after,
               FunctionHistory &history);
  /// Compares what a function was with `after`, whose `values` are known, and
  /// reports it; `low`, if any, is an op where a proof may end. Returns whether
  /// the function is compared on.
  bool prove(const PassRun &run, StringRef path, FunctionOpInterface after,
             const Values &values, Operation *low, FunctionHistory &history);
  /// Its op `below`, if that is known, is or does what `reason` says.
  void stopAt(Operation *below, const Twine &reason, const PassRun &run,
              StringRef path, FunctionOpInterface function,
              FunctionHistory &history);
  /// Reports a change that is not certified.
  void report(const PassRun &run, StringRef path, FunctionOpInterface after,
              const Certificate &certificate, FunctionHistory &history,
              double seconds);
  void checkRemoved(const PassRun &run, const llvm::StringSet<> &present);
  void worsen(Pass *pass, Verdict verdict);
  /// Writes both sides; returns a clause that says where.
  std::string writeSides(const CertifiedStep &step);
  void tell(const CertifiedStep &step);
  void tell(const PassRun &run, StringRef path, StringRef message);
  void tellUnchanged(const PassRun &run, const llvm::StringSet<> &present);

  CertifyEachOptions options;
  CertifiedChanges &changes;
  unsigned numSteps = 0; ///< told
  llvm::StringMap<FunctionHistory> functions;
};
} // namespace

void CertifyEach::worsen(Pass *pass, Verdict verdict) {
  if (changes.verdict != Verdict::Different)
    changes.verdict = verdict;
  bool stops = verdict == Verdict::Different ? !options.keepGoing
                                             : options.stopWhereUndecided;
  if (stops)
    signalPassFailure(pass);
}

void CertifyEach::tell(const CertifiedStep &step) {
  ++numSteps;
  if (options.onStep)
    options.onStep(step);
}

void CertifyEach::tell(const PassRun &run, StringRef path, StringRef message) {
  tell({run.getName(), run.getPipeline(), path.str(), std::nullopt,
        message.str()});
}

void CertifyEach::tellUnchanged(const PassRun &run,
                                const llvm::StringSet<> &present) {
  if (!options.onStep || run.isNestedPipeline() || present.empty())
    return;
  bool isCompared = llvm::any_of(present.keys(), [&](StringRef path) {
    return bool(functions[path].before);
  });
  tell(run, present.size() == 1 ? *present.keys().begin() : "",
       isCompared ? "unchanged" : "not compared");
}

void CertifyEach::compare(const PassRun &run, StringRef path,
                          FunctionOpInterface after, FunctionHistory &history) {
  FunctionOpInterface before = getOnlyFunction(*history.before);
  Operation *launch = findOp(after, llvm::IsaPred<LaunchOp>);
  history.launches = launch != nullptr;
  OwningOpRef<ModuleOp> copy =
      hasOtherOpsInCopy(after) ? copyFunction(after) : nullptr;
  if (OperationEquivalence::isEquivalentTo(
          before, copy ? getOnlyFunction(*copy) : after,
          OperationEquivalence::IgnoreLocations))
    return;
  if (copy)
    after = getOnlyFunction(*copy);
  Operation *vector = findOp(after, isOfVectors);
  if (!copy)
    copy = copyFunction(after);
  if (Operation *op = findOp(after, hasSeveralBlocks))
    return stopAt(op, OfBlocks, run, path, after, history);
  Values values = Values::read(*copy, history.getType());
  if (!values.areKnown())
    return stopAt(values.certificate.op,
                  "is not understood (" + values.certificate.message + ")", run,
                  path, after, history);
  Operation *unread = findUnreadOp(getOnlyFunction(*values.module));
  if (!history.values.areKnown() || unread) {
    Operation *below = unread ? unread : findOp(after, isOfMemory);
    std::string reason =
        below ? describeUnread(below, BelowTensors) : BelowTensors.str();
    return stopAt(below, reason, run, path, after, history);
  }
  // How far the proof goes there is said; who asks for each step is told why.
  Operation *low = launch   ? launch
                   : vector ? vector
                            : findOp(after, isOfMemory);
  if (!prove(run, path, after, values, low, history))
    return;
  history.before = std::move(copy);
  history.values = std::move(values);
}

bool CertifyEach::prove(const PassRun &run, StringRef path,
                        FunctionOpInterface after, const Values &values,
                        Operation *low, FunctionHistory &history) {
  auto start = std::chrono::steady_clock::now();
  Certificate certificate = history.certify(values, options.seconds);
  history.hasProductsOfSums |= certificate.isExactOnly;
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  changes.seconds += time.count();
  if (certificate.verdict == Verdict::Undecided && low && !options.onStep) {
    stopAt(low,
           "is not proved right (" + nameOp(certificate.op) +
               certificate.message + ")",
           run, path, after, history);
    return false;
  }
  if (certificate.verdict == Verdict::Certified) {
    ++changes.numCertified;
    changes.conditions.addConditions(certificate);
    ++history.numCertified;
    if (options.onStep) {
      Certificate claim;
      claim.addConditions(certificate);
      CertifiedStep step{run.getName(), run.getPipeline(), path.str(),
                         certificate.verdict, describeEquality(claim)};
      step.seconds = time.count();
      tell(step);
    }
  } else {
    report(run, path, after, certificate, history, time.count());
  }
  bool isPassed =
      certificate.verdict != Verdict::Different || options.keepGoing;
  if (!isPassed)
    history.before = nullptr;
  return isPassed;
}

void CertifyEach::stopAt(Operation *below, const Twine &reason,
                         const PassRun &run, StringRef path,
                         FunctionOpInterface function,
                         FunctionHistory &history) {
  if (changes.end.empty())
    changes.end = run.getName();
  bool hasProof = history.numCertified > 0 || !history.isCertified;
  if (!below)
    below = function;
  if (!hasProof || options.onStep) {
    Certificate certificate;
    certificate.verdict = Verdict::Undecided;
    certificate.message = reason.str();
    if (options.onStep)
      certificate.message += ": what follows is not compared";
    certificate.op = below;
    report(run, path, function, certificate, history, /*seconds=*/0);
  } else if (options.remarks) {
    InFlightDiagnostic remark = emitRemark(function.getLoc());
    remark << (history.isCertified ? "certified" : "compared") << " @" << path
           << " up to " << run.getName() << " (" << history.numCertified
           << " changes proved"
           << (history.hasProductsOfSums ? " in exact arithmetic" : "")
           << "), whose '" << below->getName() << "' " << reason
           << ": what follows is not compared";
    if (below != function)
      remark.attachNote(below->getLoc()) << "at this op";
  }
  history.before = nullptr;
}

void CertifyEach::report(const PassRun &run, StringRef path,
                         FunctionOpInterface after,
                         const Certificate &certificate,
                         FunctionHistory &history, double seconds) {
  history.isCertified = false;
  CertifiedStep step{run.getName(), run.getPipeline(), path.str(),
                     certificate.verdict, certificate.message};
  if (certificate.op) {
    step.location = certificate.op->getLoc();
    step.op = certificate.op->getName().getStringRef().str();
  }
  step.seconds = seconds;
  if (options.onStep || !options.folder.empty()) {
    step.before = printModule(*history.before);
    step.after = printModule(*copyFunction(after));
  }
  step.files = writeSides(step);
  tell(step);
  if (!options.onStep)
    emitStep(step, after.getLoc());
  worsen(run.pass, certificate.verdict);
}

void CertifyEach::checkRemoved(const PassRun &run,
                               const llvm::StringSet<> &present) {
  SmallVector<std::string> removed;
  for (const auto &entry : functions)
    if (!present.contains(entry.first()))
      removed.push_back(entry.first().str());
  for (const std::string &path : removed) {
    FunctionHistory history = std::move(functions[path]);
    functions.erase(path);
    // Nobody can call a private function that is gone.
    if (!history.before || !getOnlyFunction(*history.before).isPublic())
      continue;
    // Kernels may stand alone, for others to launch.
    if (history.launches) {
      // A pipeline before this one may have proved what was launched.
      if (changes.end.empty())
        changes.end = run.getName();
      if (history.numCertified > 0)
        stopAt(nullptr, "is gone, so that its kernels stand alone", run, path,
               getOnlyFunction(*history.before), history);
      continue;
    }
    CertifiedStep step{run.getName(), run.getPipeline(), path,
                       Verdict::Undecided, "it is no longer there"};
    tell(step);
    if (!options.onStep)
      emitStep(step, run.op->getLoc());
    worsen(run.pass, Verdict::Undecided);
  }
}

std::string CertifyEach::writeSides(const CertifiedStep &step) {
  if (options.folder.empty())
    return "";
  std::string stem =
      llvm::formatv("{0}.{1}.{2}", step.function, changes.numPairsWritten++,
                    step.pass == NestedPipeline ? "nested" : step.pass);
  for (char &c : stem)
    if (!llvm::isAlnum(c) && !StringRef("._-").contains(c))
      c = '_';
  SmallString<128> file(options.folder);
  llvm::sys::path::append(file, stem);
  std::string paths[] = {file.str().str() + ".before.mlir",
                         file.str().str() + ".after.mlir"};
  if (std::error_code code = llvm::sys::fs::create_directories(options.folder))
    return "; cannot make the folder '" + options.folder +
           "': " + code.message();
  StringRef sides[] = {step.before, step.after};
  for (auto [name, text] : llvm::zip_equal(paths, sides))
    if (llvm::Error error =
            llvm::writeToOutput(name, [text = text](raw_ostream &os) {
              os << text;
              return llvm::Error::success();
            }))
      return "; cannot write '" + name +
             "': " + llvm::toString(std::move(error));
  return "; both sides are in '" + paths[0] + "' and '" + paths[1] + "'";
}

void mlir::convoy::certifyEachPass(PassManager &pm,
                                   const CertifyEachOptions &options,
                                   CertifiedChanges &changes) {
  loadMemoryDialects(*pm.getContext());
  // What a function calls, or packs its arguments, must not change meanwhile.
  pm.getContext()->disableMultithreading();
  pm.addInstrumentation(std::make_unique<CertifyEach>(options, changes));
}
