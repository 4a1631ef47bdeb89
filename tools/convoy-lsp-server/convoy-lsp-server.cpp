//===- convoy-lsp-server.cpp - Language server with our dialect -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HoverDocs.h"

#include "convoy/Driver/StartTool.h"
#include "convoy/InitAll.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/// Runs MLIR's server on standard input.
static int runServer(int argc, char **argv) {
  mlir::convoy::startTool("convoy-lsp-server");
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::convoy::registerAllDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}

/// Passes on what the server `child` writes to `output`; returns its exit code.
static int passOn(pid_t child, int output) {
  // Where nobody reads any more, writing fails, and the server ends as well.
  std::signal(SIGPIPE, SIG_IGN);
  std::FILE *messages = ::fdopen(output, "r");
  if (messages) {
    mlir::convoy::copyMessages(messages, stdout);
    std::fclose(messages);
  }
  int status = 0;
  if (::waitpid(child, &status, 0) != child)
    return 1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv) {
  int ends[2];
  pid_t child = ::pipe(ends) == 0 ? ::fork() : -1;
  if (child < 0) {
    std::perror("convoy-lsp-server: cannot start the server");
    return 1;
  }
  if (child > 0) {
    ::close(ends[1]);
    return passOn(child, ends[0]);
  }
  // Without who passes its answers on, nobody reads them.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  ::dup2(ends[1], STDOUT_FILENO);
  ::close(ends[0]);
  ::close(ends[1]);
  return runServer(argc, argv);
}
