//===- LinkELF.cpp - LLVM's linker, in this process -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkELF.h"

#include "lld/Common/Driver.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"

#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// While it lives, what LLVM would end the program for, such as a full disk,
/// ends the linker alone, and is kept.
class FatalErrorScope {
public:
  FatalErrorScope() {
    llvm::CrashRecoveryContext::Enable();
    llvm::install_fatal_error_handler(
        [](void *scope, const char *reason, bool) {
          static_cast<FatalErrorScope *>(scope)->reason = reason;
          if (auto *linker = llvm::CrashRecoveryContext::GetCurrent())
            linker->HandleExit(/*RetCode=*/1);
        },
        this);
  }
  ~FatalErrorScope() {
    llvm::remove_fatal_error_handler();
    llvm::CrashRecoveryContext::Disable();
  }

  std::string reason; ///< empty where there was none
};
} // namespace

llvm::Error mlir::convoy::linkELF(ArrayRef<const char *> arguments) {
  SmallVector<const char *> command = {"ld.lld", "--threads=1"};
  llvm::append_range(command, arguments);
  static std::mutex mutex; // the linker has global state
  static bool canRun = true;
  std::lock_guard lock(mutex);
  if (!canRun)
    return llvm::createStringError("the linker has failed before");
  std::string complaint;
  llvm::raw_string_ostream os(complaint);
  FatalErrorScope scope;
  lld::Result result =
      lld::lldMain(command, llvm::nulls(), os, {{lld::Gnu, &lld::elf::link}});
  canRun = result.canRunAgain;
  if (result.retCode == 0)
    return llvm::Error::success();
  StringRef reason = scope.reason.empty() ? StringRef(complaint) : scope.reason;
  // Memory that is a file ends a program where the disk is full.
  if (reason.empty())
    reason = "the linker crashed; is there room for temporary files?";
  return llvm::createStringError(reason.split('\n').first);
}
