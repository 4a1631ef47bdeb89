//===- Corpus.cpp - The IR of the tests, to be mutated ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Corpus.h"

#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <unistd.h>

using namespace mlir;
using namespace mlir::convoy::test;

//===----------------------------------------------------------------------===//
// Passes and RUN lines
//===----------------------------------------------------------------------===//

static bool isPass(StringRef name) {
  return PassInfo::lookup(name) || PassPipelineInfo::lookup(name);
}

std::vector<std::string> mlir::convoy::test::listPasses() {
  // The registry can only be printed.
  FILE *file = std::tmpfile();
  if (!file)
    return {};
  llvm::outs().flush();
  int standardOutput = dup(1);
  dup2(fileno(file), 1);
  printRegisteredPasses();
  llvm::outs().flush();
  dup2(standardOutput, 1);
  close(standardOutput);

  std::string text(size_t(lseek(fileno(file), 0, SEEK_END)), '\0');
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  std::vector<std::string> passes;
  for (StringRef line : llvm::split(text, '\n')) {
    StringRef word = line.trim().take_until(llvm::isSpace);
    if (word.consume_front("--") && isPass(word) && word.contains("convoy"))
      passes.push_back(word.str());
  }
  llvm::sort(passes);
  passes.erase(llvm::unique(passes), passes.end());
  return passes;
}

/// Splits a RUN line at blanks outside quotes, and drops the quotes.
static SmallVector<std::string> splitWords(StringRef line) {
  SmallVector<std::string> words(1);
  char quote = 0;
  for (char c : line) {
    if (quote ? c == quote : c == '\'' || c == '"')
      quote = quote ? 0 : c;
    else if (!quote && llvm::isSpace(c))
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

/// The lists of passes that the RUN lines of `text` give to convoy-opt.
static std::vector<PassList> findRuns(StringRef text) {
  std::string commands;
  for (StringRef line : llvm::split(text, '\n')) {
    if (!line.ltrim("/# ").starts_with("RUN:"))
      continue;
    StringRef command = line.split("RUN:").second.trim();
    bool continues = command.consume_back("\\");
    commands += command;
    commands += continues ? ' ' : '|';
  }
  std::vector<PassList> runs;
  for (StringRef command : llvm::split(commands, '|')) {
    PassList run;
    for (StringRef word : splitWords(command)) {
      auto [name, options] = word.ltrim('-').split('=');
      if (word.starts_with("-") && isPass(name) && !options.contains('%'))
        run.push_back(options.empty() ? name.str()
                                      : (name + "{" + options + "}").str());
    }
    if (!run.empty() && !llvm::is_contained(runs, run))
      runs.push_back(std::move(run));
  }
  return runs;
}

//===----------------------------------------------------------------------===//
// Pieces of tests
//===----------------------------------------------------------------------===//

static std::string dropComments(StringRef text) {
  std::string result;
  for (StringRef line : llvm::split(text, '\n')) {
    StringRef code = line.substr(0, line.find("//")).rtrim();
    if (!code.empty())
      (result += code) += '\n';
  }
  return result;
}

size_t mlir::convoy::test::findValueEnd(StringRef text, size_t begin) {
  int depth = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"') {
      i = text.find('"', i + 1);
      if (i == StringRef::npos)
        return text.size();
    } else if (StringRef("([{<").contains(c)) {
      ++depth;
    } else if (StringRef(")]}").contains(c) ||
               (c == '>' && text[i - 1] != '-')) {
      if (--depth < 0)
        return i;
    } else if (depth == 0 && (c == ',' || c == '\n')) {
      return i;
    }
  }
  return text.size();
}

std::vector<AttrRange> mlir::convoy::test::findAttributes(StringRef text) {
  std::vector<AttrRange> ranges;
  auto isName = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; };
  for (size_t i = text.find(" = "); i != StringRef::npos;
       i = text.find(" = ", i + 1)) {
    size_t name = i;
    while (name > 0 && isName(text[name - 1]))
      --name;
    if (name < i && name > 0 && StringRef("{ (").contains(text[name - 1]))
      ranges.push_back({name, i + 3, findValueEnd(text, i + 3)});
  }
  return ranges;
}

/// The generic form of `text`, or nothing where it does not parse.
static std::string printGeneric(StringRef text,
                                const DialectRegistry &registry) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return {};
  std::string result;
  llvm::raw_string_ostream os(result);
  module->print(os, OpPrintingFlags().printGenericOpForm());
  return result;
}

static void addSeeds(StringRef path, StringRef text, Corpus &corpus,
                     const DialectRegistry &registry) {
  std::vector<PassList> runs = findRuns(text);
  for (StringRef rest = text; !rest.empty();) {
    auto [piece, tail] = rest.split("// -----");
    rest = tail;
    std::string code = dropComments(piece);
    std::string generic = printGeneric(code, registry);
    if (generic.empty())
      continue;
    corpus.seeds.push_back({path.str(), std::move(code), runs});
    corpus.seeds.push_back({path.str(), std::move(generic), runs});
  }
}

/// Collects what the seeds' generic forms have in attributes and names of ops.
static void collectParts(Corpus &corpus) {
  llvm::StringSet<> attrs, values, ops;
  for (const Seed &seed : corpus.seeds) {
    StringRef text = seed.text;
    for (AttrRange range : findAttributes(text)) {
      StringRef name = text.slice(range.name, range.value - 3);
      StringRef value = text.slice(range.value, range.end);
      if (value.size() > 400)
        continue;
      if (values.insert(value).second)
        corpus.values.push_back(value.str());
      if (name.contains('.') && attrs.insert((name + "=" + value).str()).second)
        corpus.discardable.push_back({name.str(), value.str()});
    }
    for (size_t i = text.find("\"("); i != StringRef::npos;
         i = text.find("\"(", i + 1)) {
      StringRef name = text.substr(0, i).rsplit('"').second;
      if (name.contains('.') && ops.insert(name).second)
        corpus.opNames.push_back(name.str());
    }
  }
}

FailureOr<Corpus>
mlir::convoy::test::readCorpus(StringRef folder,
                               const DialectRegistry &registry) {
  std::vector<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end;
       it != end && !error; it.increment(error))
    if (llvm::sys::path::extension(it->path()) == ".mlir")
      paths.push_back(it->path());
  llvm::sort(paths);
  Corpus corpus;
  for (const std::string &path : paths)
    if (auto buffer = llvm::MemoryBuffer::getFile(path))
      addSeeds(StringRef(path).substr(folder.size()).ltrim('/'),
               (*buffer)->getBuffer(), corpus, registry);
  if (corpus.seeds.empty())
    return failure();
  collectParts(corpus);
  for (StringRef name : getDiscardableAttrNames())
    corpus.ownNames.push_back(name.str());
  corpus.ownNames.push_back("convoy.unknown");
  return corpus;
}
