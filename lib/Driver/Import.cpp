//===- Import.cpp - Reads inputs, reports errors in a line ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/Import.h"

#include "convoy/Driver/Progress.h"
#include "convoy/Pipelines/Pipelines.h"
#include "convoy/Runtime/FileIO.h"
#include "convoy/Support/Interruption.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::convoy;

/// The first place in a file that `loc` stands for.
static FileLineColLoc findFile(Location loc) {
  FileLineColLoc found;
  loc->walk([&](Location part) {
    found = dyn_cast<FileLineColLoc>(part);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

std::string mlir::convoy::getPlace(Location loc) {
  std::string place;
  if (FileLineColLoc file = findFile(loc))
    llvm::raw_string_ostream(place)
        << file.getFilename().getValue() << ':' << file.getLine() << ':'
        << file.getColumn() << ": ";
  return place;
}

/// The problem that `loc` stands for, where it is in no file.
static std::string getProblem(Location loc) {
  std::string problem;
  loc->walk([&](Location part) {
    if (auto name = dyn_cast<NameLoc>(part))
      problem = name.getName().str() + ": ";
    return problem.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return problem;
}

/// What the notes of `diagnostic` at its own place give as reasons, in
/// parentheses; others point at places. The op that it is about, which MLIR
/// adds as a note, is none.
static std::string getReasons(Diagnostic &diagnostic) {
  std::vector<std::string> reasons;
  for (Diagnostic &note : diagnostic.getNotes()) {
    std::string text = note.str();
    if (note.getLocation() == diagnostic.getLocation() &&
        !StringRef(text).starts_with("see current operation"))
      reasons.push_back(std::move(text));
  }
  return reasons.empty() ? "" : " (" + llvm::join(reasons, "; ") + ")";
}

/// Its place, the severity unless it is an error, the text and the reasons. Who
/// reports an error of a problem says which.
static std::string toLine(Diagnostic &diagnostic) {
  std::string line = getPlace(diagnostic.getLocation());
  if (line.empty() && diagnostic.getSeverity() != DiagnosticSeverity::Error)
    line = getProblem(diagnostic.getLocation());
  llvm::raw_string_ostream os(line);
  if (diagnostic.getSeverity() == DiagnosticSeverity::Warning)
    os << "warning: ";
  if (diagnostic.getSeverity() == DiagnosticSeverity::Remark)
    os << "remark: ";
  os << diagnostic.str() << getReasons(diagnostic);
  llvm::replace(line, '\n', ' ');
  return line;
}

static void printLine(DiagnosticSeverity, StringRef line) {
  eraseProgress();
  llvm::errs() << line << '\n';
}

FirstErrorHandler::FirstErrorHandler(MLIRContext *context)
    : FirstErrorHandler(context, printLine) {}

FirstErrorHandler::FirstErrorHandler(MLIRContext *context, Show show)
    : ScopedDiagnosticHandler(context) {
  setHandler([this, show = std::move(show)](Diagnostic &diagnostic) {
    switch (diagnostic.getSeverity()) {
    case DiagnosticSeverity::Error:
      if (error.empty()) {
        error = toLine(diagnostic);
        problem = ::getProblem(diagnostic.getLocation());
      }
      break;
    case DiagnosticSeverity::Warning:
    case DiagnosticSeverity::Remark:
      if (std::string line = toLine(diagnostic); shown.insert(line).second)
        show(diagnostic.getSeverity(), line);
      break;
    case DiagnosticSeverity::Note:
      break;
    }
  });
}

/// The elements of `resource`, an attribute of `op`; null after an error.
static Attribute readResource(Operation *op,
                              DenseResourceElementsAttr resource) {
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob) {
    op->emitOpError("expected the bytes of resource '")
        << resource.getRawHandle().getKey() << "', but the file has none";
    return {};
  }
  ShapedType type = resource.getType();
  bool isSplat = false;
  if (DenseElementsAttr::isValidRawBuffer(type, blob->getData(), isSplat))
    return DenseElementsAttr::getFromRawBuffer(type, blob->getData());
  op->emitOpError("expected the elements of ")
      << type << " as resource '" << resource.getRawHandle().getKey()
      << "', but got " << blob->getData().size() << " bytes";
  return {};
}

/// Writes constants out whose bytes are resources of the file, so that all that
/// looks at constants knows them.
static LogicalResult inlineResources(ModuleOp module) {
  WalkResult walked = module.walk([](Operation *op) {
    for (NamedAttribute attribute : op->getAttrDictionary()) {
      auto resource = dyn_cast<DenseResourceElementsAttr>(attribute.getValue());
      if (!resource)
        continue;
      Attribute elements = readResource(op, resource);
      if (!elements)
        return WalkResult::interrupt();
      op->setAttr(attribute.getName(), elements);
    }
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

OwningOpRef<ModuleOp> mlir::convoy::readModule(MLIRContext *context,
                                               StringRef path) {
  std::string error;
  std::optional<std::vector<std::byte>> bytes =
      ::convoy::readFile(path.str(), error, ::convoy::kMaxTextBytes);
  if (!bytes) {
    emitError(UnknownLoc::get(context)) << error;
    return {};
  }
  StringRef text(reinterpret_cast<const char *>(bytes->data()), bytes->size());
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, path),
                             llvm::SMLoc());
  auto module = parseSourceFile<ModuleOp>(sources, context);
  return module && succeeded(inlineResources(*module)) ? std::move(module)
                                                       : nullptr;
}

LogicalResult mlir::convoy::runAllPasses(PassManager &pm, ModuleOp module) {
  return failure(failed(pm.run(module)) || ::convoy::isInterrupted());
}

LogicalResult mlir::convoy::importModule(
    ModuleOp module,
    const std::function<LogicalResult(PassManager &)> &configure) {
  PassManager pm(module.getContext());
  if (configure && failed(configure(pm)))
    return failure();
  buildConvoyImportPipeline(pm);
  return runAllPasses(pm, module);
}

template <typename ProblemT>
using Parse = std::optional<std::vector<ProblemT>>(
    std::string_view text, const ::convoy::ProblemDefaults &defaults,
    std::string &error);

/// What `parseLine` makes of `input`, or `parseFile` of the file that it names.
template <typename ProblemT>
static std::optional<std::vector<ProblemT>>
readAll(StringRef input, const ::convoy::ProblemDefaults &defaults,
        std::string &error, Parse<ProblemT> parseLine,
        Parse<ProblemT> parseFile) {
  std::optional<std::vector<ProblemT>> problems;
  StringRef path = input;
  if (path.consume_front("@")) {
    std::optional<std::vector<std::byte>> bytes =
        ::convoy::readFile(path.str(), error, ::convoy::kMaxTextBytes);
    if (!bytes)
      return std::nullopt;
    problems = parseFile(
        {reinterpret_cast<const char *>(bytes->data()), bytes->size()},
        defaults, error);
    if (!problems)
      error = path.str() + ": " + error;
  } else {
    problems = parseLine(path.str(), defaults, error);
  }
  if (problems && problems->empty()) {
    error = "expected a problem, but " + path.str() + " has none";
    return std::nullopt;
  }
  return problems;
}

std::optional<std::vector<::convoy::Problem>>
mlir::convoy::readProblems(StringRef input,
                           const ::convoy::ProblemDefaults &defaults,
                           std::string &error) {
  return readAll<::convoy::Problem>(input, defaults, error,
                                    ::convoy::parseProblems,
                                    ::convoy::parseProblemFile);
}

std::optional<std::vector<::convoy::AnyProblem>>
mlir::convoy::readAnyProblems(StringRef input,
                              const ::convoy::ProblemDefaults &defaults,
                              std::string &error) {
  auto problems = readAll<::convoy::AnyProblem>(input, defaults, error,
                                                ::convoy::parseAnyProblems,
                                                ::convoy::parseAnyProblemFile);
  if (problems && !::convoy::checkDefaults(defaults, *problems, error))
    return std::nullopt;
  return problems;
}
