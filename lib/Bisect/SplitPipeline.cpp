//===- SplitPipeline.cpp - The passes of a pipeline -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Bisect/Bisect.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::convoy;

/// Splits `text` at the commas that stand in no brackets.
static SmallVector<StringRef> splitAtCommas(StringRef text) {
  SmallVector<StringRef> parts;
  int depth = 0;
  size_t start = 0;
  for (auto [place, character] : llvm::enumerate(text)) {
    if (StringRef("({").contains(character))
      ++depth;
    else if (StringRef(")}").contains(character))
      --depth;
    if (character != ',' || depth > 0)
      continue;
    parts.push_back(text.slice(start, place).trim());
    start = place + 1;
  }
  if (!text.trim().empty())
    parts.push_back(text.drop_front(start).trim());
  return parts;
}

/// Appends the passes of `text`, a pass or `op(passes)`, each between `before`
/// and `after`.
static void appendPasses(StringRef text, const std::string &before,
                         const std::string &after,
                         std::vector<std::string> &passes) {
  size_t bracket = text.find_first_of("({");
  bool isNested = bracket != StringRef::npos && text[bracket] == '(';
  if (!isNested) {
    passes.push_back(before + text.str() + after);
    return;
  }
  StringRef inner = text.drop_front(bracket + 1).drop_back();
  std::string op = text.take_front(bracket).str();
  for (StringRef part : splitAtCommas(inner))
    appendPasses(part, before + op + "(", ")" + after, passes);
}

FailureOr<OpPassManager> mlir::convoy::parsePipeline(StringRef pipeline,
                                                     std::string &error) {
  llvm::raw_string_ostream errors(error);
  FailureOr<OpPassManager> parsed = parsePassPipeline(pipeline, errors);
  if (failed(parsed)) {
    error = StringRef(error).trim().split('\n').first.str();
    return failure();
  }
  if (parsed->getOpAnchorName() == ModuleOp::getOperationName())
    return parsed;
  error = "expected a pipeline 'builtin.module(...)', but got '" +
          pipeline.str() + "'";
  return failure();
}

std::optional<std::vector<std::string>>
mlir::convoy::splitPipeline(StringRef pipeline, std::string &error) {
  FailureOr<OpPassManager> parsed = parsePipeline(pipeline, error);
  if (failed(parsed))
    return std::nullopt;
  // Pipelines that have names are passes from here on.
  std::string text;
  llvm::raw_string_ostream os(text);
  parsed->printAsTextualPipeline(os);
  StringRef inner = text;
  std::string anchor = ModuleOp::getOperationName().str() + "(";
  inner.consume_front(anchor);
  inner.consume_back(")");
  std::vector<std::string> passes;
  for (StringRef part : splitAtCommas(inner))
    appendPasses(part, "", "", passes);
  return passes;
}

std::string mlir::convoy::joinPipeline(ArrayRef<std::string> passes) {
  return ModuleOp::getOperationName().str() + "(" + llvm::join(passes, ",") +
         ")";
}
