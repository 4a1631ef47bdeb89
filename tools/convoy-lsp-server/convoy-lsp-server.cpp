//===- convoy-lsp-server.cpp - Language server with our dialect -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Completions.h"
#include "HoverDocs.h"
#include "Messages.h"

#include "convoy/Driver/StartTool.h"
#include "convoy/InitAll.h"
#include "convoy/Support/Version.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/FormatVariadic.h"

#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace json = llvm::json;

/// Runs MLIR's server on standard input.
static int runServer(int argc, char **argv) {
  mlir::convoy::startTool("convoy-lsp-server");
  mlir::DialectRegistry registry;
  mlir::convoy::registerAllDialects(registry);
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}

/// Names this server in the `answer` to an editor's first message; false where
/// that is not what it answers.
static bool addVersion(json::Object &answer) {
  json::Object *result = answer.getObject("result");
  json::Object *info = result ? result->getObject("serverInfo") : nullptr;
  if (!info)
    return false;
  (*info)["name"] = "convoy-lsp-server";
  (*info)["version"] = convoy::getVersion();
  return true;
}

/// `message` of the server with what it does not know of the dialect.
static std::string edit(std::string message,
                        mlir::convoy::Completions &completions) {
  llvm::Expected<json::Value> value = json::parse(message);
  if (!value) {
    llvm::consumeError(value.takeError());
    return message;
  }
  json::Object *answer = value->getAsObject();
  if (!answer || (!addVersion(*answer) && !mlir::convoy::addOpDoc(*answer) &&
                  !completions.answer(*answer)))
    return message;
  bool isPretty = message.find('\n') != std::string::npos;
  return isPretty ? llvm::formatv("{0:2}", *value).str()
                  : llvm::formatv("{0}", *value).str();
}

/// Passes on what the server `child` reads from `input` and writes to `output`;
/// returns its exit code.
static int passOn(pid_t child, int input, int output) {
  // Where nobody reads any more, writing fails, and the server ends as well.
  std::signal(SIGPIPE, SIG_IGN);
  // Waits for messages for as long as the program runs, and uses it for as
  // long.
  static mlir::convoy::Completions completions;
  std::thread([input] {
    mlir::convoy::copyMessages(STDIN_FILENO, input, [](std::string message) {
      completions.ask(message);
      return message;
    });
    ::close(input);
  }).detach();
  mlir::convoy::copyMessages(output, STDOUT_FILENO, [](std::string message) {
    return edit(std::move(message), completions);
  });
  ::close(output);
  int status = 0;
  if (::waitpid(child, &status, 0) != child)
    return 1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv) {
  int input[2], output[2];
  bool hasPipes = ::pipe(input) == 0 && ::pipe(output) == 0;
  pid_t child = hasPipes ? ::fork() : -1;
  if (child < 0) {
    std::perror("convoy-lsp-server: cannot start the server");
    return 1;
  }
  if (child > 0) {
    ::close(input[0]);
    ::close(output[1]);
    // The thread that waits for messages must not see the end of the program.
    ::_exit(passOn(child, input[1], output[0]));
  }
  // Without who passes its answers on, nobody reads them.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  ::dup2(input[0], STDIN_FILENO);
  ::dup2(output[1], STDOUT_FILENO);
  for (int end : {input[0], input[1], output[0], output[1]})
    ::close(end);
  return runServer(argc, argv);
}
