//===- ParseOptions.cpp - Reads options of tools ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/ToolOptions.h"

#include "convoy/Driver/StartTool.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::convoy;
namespace cl = llvm::cl;

/// Checks that options have values where they need them, and nowhere else:
/// LLVM's parser prints what it finds of this itself.
static bool checkForValues(ArrayRef<const char *> words, std::string &error) {
  for (size_t i = 0; i < words.size(); ++i) {
    auto [flag, value] = StringRef(words[i]).split('=');
    auto found = flag.starts_with("-")
                     ? cl::getRegisteredOptions().find(flag.ltrim('-'))
                     : cl::getRegisteredOptions().end();
    if (found == cl::getRegisteredOptions().end())
      continue;
    bool hasValue = flag.size() < StringRef(words[i]).size();
    cl::ValueExpected expected = found->second->getValueExpectedFlag();
    if (expected == cl::ValueDisallowed && hasValue)
      return fail(error, "expected no value for '" + flag + "', but got '" +
                             value + "'");
    if (expected == cl::ValueRequired && !hasValue && ++i == words.size())
      return fail(error, "expected a value for '" + flag + "'");
  }
  return true;
}

bool mlir::convoy::parseOptions(ArrayRef<const char *> arguments,
                                StringRef overview, std::string &error) {
  if (!checkForValues(arguments.drop_front(), error))
    return false;
  std::string text;
  llvm::raw_string_ostream os(text);
  setVersionPrinter();
  if (cl::ParseCommandLineOptions(arguments.size(), arguments.data(), overview,
                                  &os))
    return true;
  StringRef line = StringRef(text).split('\n').first;
  size_t prefix = line.find(": ");
  if (prefix != StringRef::npos)
    line = line.drop_front(prefix + 2);
  return fail(error, line.rtrim("!. "));
}
