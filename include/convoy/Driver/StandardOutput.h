//===- StandardOutput.h - Errors of standard output -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_STANDARDOUTPUT_H
#define CONVOY_DRIVER_STANDARDOUTPUT_H

#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstdlib>
#include <unistd.h>

namespace mlir::convoy {

/// Called at the start of main: where something could not be written to
/// standard output, as on a full disk, the program ends with one line and the
/// exit code 1, however it ends; LLVM would end it as a defect of its own, and
/// so at the limit of files' sizes. Called after LLVM's signal handlers are
/// installed.
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

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_STANDARDOUTPUT_H
