//===- CertifyEach.cpp - Proves what each pass does -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Certify/CertifyEach.h"

#include "convoy/Certify/Certify.h"
#include "convoy/Certify/InlineCalls.h"
#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <chrono>

using namespace mlir;
using namespace mlir::convoy;

using Verdict = Certificate::Verdict;

::convoy::ExitCode CertifiedChanges::getFailureCode() const {
  return verdict == Verdict::Certified ? ::convoy::ExitCode::BadInput
                                       : getExitCode(verdict);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// The symbols around `function` and its own, which stay the same when passes
/// replace the op.
static std::string getPath(FunctionOpInterface function) {
  std::string path = function.getName().str();
  for (Operation *op = function->getParentOp(); op; op = op->getParentOp())
    if (auto name =
            op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      path = (name.getValue() + "::" + path).str();
  return path;
}

/// Whether another function makes an argument of `function`.
static bool takesPackedArgument(FunctionOpInterface function) {
  auto arguments = function->getAttrOfType<ArrayAttr>(kArgumentsAttrName);
  return arguments && llvm::any_of(getKernelArguments(arguments),
                                   [](const KernelArgument &argument) {
                                     return !argument.packer.empty();
                                   });
}

/// The first op of `function` on vectors, memory or kernels, or null; itself
/// where its arguments are not what they were. Results that are written to
/// buffers of the caller do not count.
static Operation *findOpBelowTensors(FunctionOpInterface function) {
  if (takesPackedArgument(function))
    return function;
  Operation *found = nullptr;
  auto isMemory = [](Type type) { return isa<BaseMemRefType>(type); };
  auto isVector = [](Type type) { return isa<VectorType>(type); };
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool writesResult = isa_and_nonnull<bufferization::BufferizationDialect>(
                            op->getDialect()) ||
                        isa<memref::CopyOp, memref::DimOp>(op);
    bool isBelow =
        op->getName().getDialectNamespace() == "llvm" || isa<LaunchOp>(op) ||
        llvm::any_of(op->getResultTypes(), isVector) ||
        (!writesResult && (llvm::any_of(op->getOperandTypes(), isMemory) ||
                           llvm::any_of(op->getResultTypes(), isMemory)));
    if (isBelow)
      found = op;
    return isBelow ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

/// A module that holds a copy of `function` alone, with what it calls in it.
static OwningOpRef<ModuleOp> copyFunction(FunctionOpInterface function) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(function.getLoc());
  auto copy = cast<FunctionOpInterface>(function->clone());
  module->push_back(copy);
  inlineCalls(copy, function->getParentOp());
  return module;
}

static FunctionOpInterface getOnlyFunction(ModuleOp module) {
  return cast<FunctionOpInterface>(module.getBody()->front());
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
      auto [it, isNew] = functions.try_emplace(getPath(function));
      // What launches kernels was compared, if at all, before it did.
      if (isNew && !launchesKernels(function))
        it->second = makeHistory(function);
    });
  }

  // Nested pipelines count as passes too: they are what a change to a part of
  // a function belongs to.
  void runAfterPass(Pass *pass, Operation *op) override {
    llvm::StringSet<> present;
    forEachFunction(op, [&](FunctionOpInterface function) {
      std::string path = getPath(function);
      present.insert(path);
      auto [it, isNew] = functions.try_emplace(path);
      // What is made of functions that are compared no more is not, either.
      if (isNew && changes.end.empty())
        it->second = makeHistory(function);
      else if (it->second.before)
        compare(pass, path, function, it->second);
    });
    if (!op->getParentOp())
      checkRemoved(pass, op, present);
  }

private:
  struct History {
    /// What it was after the last pass; null once it is compared no more.
    OwningOpRef<ModuleOp> before;
    /// What it was at first, when its ops said what it takes for granted.
    OwningOpRef<ModuleOp> origin;
    unsigned numCertified = 0;
    bool isCertified = true;
  };

  static bool launchesKernels(FunctionOpInterface function) {
    return function->walk([](LaunchOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  }

  static History makeHistory(FunctionOpInterface function) {
    History history;
    history.before = copyFunction(function);
    history.origin = copyFunction(function);
    return history;
  }

  static void
  forEachFunction(Operation *op,
                  function_ref<void(FunctionOpInterface)> callback) {
    op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
      // Kernels of a GPU, in modules of their own, work on memory from the
      // start.
      if (inner->hasTrait<OpTrait::SymbolTable>() && !isa<ModuleOp>(inner))
        return WalkResult::skip();
      auto function = dyn_cast<FunctionOpInterface>(inner);
      if (!function)
        return WalkResult::advance();
      if (!function.isExternal())
        callback(function);
      return WalkResult::skip();
    });
  }

  void compare(Pass *pass, StringRef path, FunctionOpInterface after,
               History &history);
  void stopAt(Operation *below, Pass *pass, StringRef path,
              FunctionOpInterface function, History &history);
  /// Reports a change that is not certified.
  void report(Pass *pass, StringRef path, FunctionOpInterface after,
              const Certificate &certificate, History &history);
  void checkRemoved(Pass *pass, Operation *root,
                    const llvm::StringSet<> &present);
  void worsen(Pass *pass, Verdict verdict);
  /// Writes both sides; returns a clause that says where.
  std::string writeSides(Pass *pass, StringRef path, ModuleOp before,
                         FunctionOpInterface after);

  CertifyEachOptions options;
  CertifiedChanges &changes;
  llvm::StringMap<History> functions;
};
} // namespace

/// What users call `pass`.
static std::string getName(Pass *pass) {
  return pass->getArgument().empty() ? "a nested pipeline"
                                     : pass->getArgument().str();
}

void CertifyEach::worsen(Pass *pass, Verdict verdict) {
  if (changes.verdict != Verdict::Different)
    changes.verdict = verdict;
  if (verdict == Verdict::Different || options.stopWhereUndecided)
    signalPassFailure(pass);
}

void CertifyEach::compare(Pass *pass, StringRef path, FunctionOpInterface after,
                          History &history) {
  FunctionOpInterface before = getOnlyFunction(*history.before);
  if (OperationEquivalence::isEquivalentTo(
          before, after, OperationEquivalence::IgnoreLocations))
    return;
  if (Operation *below = findOpBelowTensors(after))
    return stopAt(below, pass, path, after, history);
  OwningOpRef<ModuleOp> copy = copyFunction(after);
  auto start = std::chrono::steady_clock::now();
  Certificate certificate =
      certifyRewrite(before, getOnlyFunction(*copy), /*seconds=*/10,
                     getOnlyFunction(*history.origin));
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  changes.seconds += time.count();
  if (certificate.verdict == Verdict::Certified) {
    ++changes.numCertified;
    ++history.numCertified;
  } else {
    report(pass, path, after, certificate, history);
  }
  if (certificate.verdict == Verdict::Different)
    history.before = nullptr;
  else
    history.before = std::move(copy);
}

void CertifyEach::stopAt(Operation *below, Pass *pass, StringRef path,
                         FunctionOpInterface function, History &history) {
  if (changes.end.empty())
    changes.end = getName(pass);
  if (history.numCertified == 0 && history.isCertified) {
    Certificate certificate;
    certificate.verdict = Verdict::Undecided;
    certificate.message = "works on vectors, memory or kernels";
    certificate.op = below;
    report(pass, path, function, certificate, history);
  } else if (options.remarks) {
    emitRemark(function.getLoc())
        << (history.isCertified ? "certified" : "compared") << " @" << path
        << " up to " << getName(pass) << " (" << history.numCertified
        << " changes proved), whose '" << below->getName()
        << "' works on vectors, memory or kernels: what follows is not "
           "compared";
  }
  history.before = nullptr;
}

void CertifyEach::report(Pass *pass, StringRef path, FunctionOpInterface after,
                         const Certificate &certificate, History &history) {
  bool isDifferent = certificate.verdict == Verdict::Different;
  history.isCertified = false;
  std::string files = writeSides(pass, path, *history.before, after);
  InFlightDiagnostic error = emitError(after.getLoc());
  error << getName(pass)
        << (isDifferent ? " changed what @" : " is undecided on @") << path
        << (isDifferent ? " computes: " : ": ");
  if (certificate.op)
    error << "'" << certificate.op->getName() << "': ";
  error << certificate.message << files;
  if (certificate.op)
    error.attachNote(certificate.op->getLoc()) << "at this op";
  worsen(pass, certificate.verdict);
}

void CertifyEach::checkRemoved(Pass *pass, Operation *root,
                               const llvm::StringSet<> &present) {
  SmallVector<std::string> removed;
  for (const auto &entry : functions)
    if (!present.contains(entry.first()))
      removed.push_back(entry.first().str());
  for (const std::string &path : removed) {
    History &history = functions[path];
    // Nobody can call a private function that is gone.
    bool isMissed =
        history.before && getOnlyFunction(*history.before).isPublic();
    functions.erase(path);
    if (!isMissed)
      continue;
    emitError(root->getLoc()) << getName(pass) << " is undecided on @" << path
                              << ": it is no longer there";
    worsen(pass, Verdict::Undecided);
  }
}

std::string CertifyEach::writeSides(Pass *pass, StringRef path, ModuleOp before,
                                    FunctionOpInterface after) {
  if (options.folder.empty())
    return "";
  std::string stem = llvm::formatv(
      "{0}.{1}.{2}", path, changes.numPairsWritten++,
      pass->getArgument().empty() ? "nested" : pass->getArgument());
  for (char &c : stem)
    if (!llvm::isAlnum(c) && !StringRef("._-").contains(c))
      c = '_';
  SmallString<128> file(options.folder);
  llvm::sys::path::append(file, stem);
  std::string paths[] = {file.str().str() + ".before.mlir",
                         file.str().str() + ".after.mlir"};
  OwningOpRef<ModuleOp> copy = copyFunction(after);
  if (std::error_code code = llvm::sys::fs::create_directories(options.folder))
    return "; cannot make the folder '" + options.folder +
           "': " + code.message();
  ModuleOp sides[] = {before, *copy};
  for (auto [name, module] : llvm::zip_equal(paths, sides))
    if (llvm::Error error =
            llvm::writeToOutput(name, [module = module](raw_ostream &os) {
              module->print(os);
              os << '\n';
              return llvm::Error::success();
            }))
      return "; cannot write '" + name +
             "': " + llvm::toString(std::move(error));
  return "; both sides are in '" + paths[0] + "' and '" + paths[1] + "'";
}

void mlir::convoy::certifyEachPass(PassManager &pm,
                                   const CertifyEachOptions &options,
                                   CertifiedChanges &changes) {
  pm.addInstrumentation(std::make_unique<CertifyEach>(options, changes));
}
