//===- FuzzMain.cpp - The fuzzer's main program -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FuzzMain.h"

#include "CommandLine.h"

#include "convoy/Driver/StartTool.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace mlir::convoy;

static int fail(const Twine &text) {
  llvm::errs() << "convoy-fuzz: " << text << "\n";
  return 1;
}

/// `text` as one word of the shell.
static std::string quote(StringRef text) {
  std::string quoted = "'";
  for (char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

int mlir::convoy::runFuzzMain(int argc, char **argv, ModuleHook hook) {
  llvm::InitLLVM init(argc, argv);
  guardStandardOutput("convoy-fuzz");
  Options options;
  std::string error;
  if (!parseCommandLine(argc, argv, options, error))
    return ::fail(error);
  if (options.isWorker)
    return serveCases(hook);
  if (!options.testFolder.empty())
    if (std::error_code code =
            llvm::sys::fs::create_directories(options.testFolder))
      return ::fail("cannot create '" + options.testFolder +
                    "': " + code.message());
  // What a case prints as it crashes, which takes long, its command prints,
  // too.
  options.workerCommand =
      "env LLVM_DISABLE_SYMBOLIZATION=1 " +
      quote(llvm::sys::fs::getMainExecutable(
          argv[0], reinterpret_cast<void *>(&runFuzzMain))) +
      " --worker 2>/dev/null";
  return int(Fuzzer(options).run());
}
