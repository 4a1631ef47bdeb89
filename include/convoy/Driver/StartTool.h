//===- StartTool.h - What all tools begin with ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_STARTTOOL_H
#define CONVOY_DRIVER_STARTTOOL_H

#include "convoy/Support/Version.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstdlib>
#include <unistd.h>

namespace mlir::convoy {

/// Where something could not be written to standard output, as on a full disk,
/// the program ends with one line and the exit code 1, however it ends; LLVM
/// would end it as a defect of its own, and so at the limit of files' sizes.
/// Called after LLVM's signal handlers are installed.
inline void guardStandardOutput(const char *tool) {
  static const char *name;
  name = tool;
  // A file that may not grow is an error of the call that writes it.
  std::signal(SIGXFSZ, SIG_IGN);
  // Streams check themselves when they are destroyed, which is after this since
  // it is registered later.
  llvm::outs();
  std::atexit([] {
    llvm::outs().flush();
    if (!llvm::outs().has_error())
      return;
    llvm::errs() << name << ": cannot write standard output: "
                 << llvm::outs().error().message() << '\n';
    llvm::outs().clear_error();
    ::_exit(1);
  });
}

/// Lets --version say which Convoy this is. Called before options are parsed,
/// and after cl::ResetCommandLineParser, which would take --version away.
inline void setVersionPrinter() {
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << ::convoy::getVersion() << " with LLVM " LLVM_VERSION_STRING "\n";
  });
}

/// Called at the start of main, after LLVM's signal handlers are installed, by
/// tools whose options are LLVM's: guards standard output and says the version.
inline void startTool(const char *tool) {
  guardStandardOutput(tool);
  setVersionPrinter();
}

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_STARTTOOL_H
