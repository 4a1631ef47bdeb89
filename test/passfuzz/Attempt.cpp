//===- Attempt.cpp - Passes on one text, in a process of its own *- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attempt.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Path.h"

#include <csignal>
#include <cstdlib>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::convoy::test;

//===----------------------------------------------------------------------===//
// Inside the process
//===----------------------------------------------------------------------===//

/// In the names of this program's own functions.
static constexpr llvm::StringLiteral kOwnNames = "mlir6convoy4test";

/// Where the process at hand writes how it ends.
static Slot *currentSlot = nullptr;

Outcome mlir::convoy::test::attempt(StringRef text, const PassList &passes,
                                    const DialectRegistry &registry) {
  currentSlot->parsed = false;
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return Outcome::Unparsed;
  currentSlot->parsed = true;
  PassManager manager(&context);
  manager.setNesting(OpPassManager::Nesting::Implicit);
  if (failed(
          parsePassPipeline(llvm::join(passes, ","), manager, llvm::nulls())))
    return Outcome::Unparsed;
  return succeeded(manager.run(*module)) ? Outcome::Passed : Outcome::Refused;
}

void mlir::convoy::test::onSignal(int signal) {
  currentSlot->numFrames = backtrace(currentSlot->frames, Slot::kMaxFrames);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void mlir::convoy::test::onOutOfMemory() {
  currentSlot->outOfMemory = true;
  std::abort();
}

void mlir::convoy::test::onBadAllocation(void *, const char *, bool) {
  onOutOfMemory();
}

void mlir::convoy::test::limitProcess(Slot &slot, const Limits &limits) {
  currentSlot = &slot;
  slot.outOfMemory = false;
  slot.numFrames = 0;
  // Loads what backtrace needs, which no handler can do.
  void *frame;
  backtrace(&frame, 1);
  static char stack[1 << 16];
  stack_t alternative = {};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof(stack);
  sigaltstack(&alternative, nullptr);
  struct sigaction action = {};
  action.sa_handler = onSignal;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (int signal :
       {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGPROF})
    sigaction(signal, &action, nullptr);
  std::signal(SIGALRM, SIG_DFL);
  std::set_new_handler(onOutOfMemory);
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler(onBadAllocation);
  // Sanitizers reserve far more than they use.
#if !defined(__SANITIZE_ADDRESS__) && !CONVOY_SANITIZED
  rlimit memory = {limits.bytes, limits.bytes};
  setrlimit(RLIMIT_AS, &memory);
#endif
  rlimit core = {0, 0};
  setrlimit(RLIMIT_CORE, &core);
  int null = open("/dev/null", O_WRONLY);
  dup2(null, 1);
  dup2(null, 2);
  close(null);
  restartTime(limits);
}

void mlir::convoy::test::restartTime(const Limits &limits) {
  // Its own time, since other processes may keep it waiting; and, many times as
  // long, the clock's, since it may wait without end.
  itimerval own = {{0, 0}, {time_t(limits.seconds), 0}};
  setitimer(ITIMER_PROF, &own, nullptr);
  alarm(limits.seconds * 10);
}

//===----------------------------------------------------------------------===//
// From outside
//===----------------------------------------------------------------------===//

void *mlir::convoy::test::allocateShared(size_t bytes) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    llvm::report_fatal_error("cannot share memory");
  return memory;
}

static std::string describeFrame(void *address) {
  // A frame holds where its call returns to, which may be another function.
  address = static_cast<char *>(address) - 1;
  Dl_info info;
  if (!dladdr(address, &info) || !info.dli_fname)
    return "?";
  std::string file = llvm::sys::path::filename(info.dli_fname).str();
  if (info.dli_sname && info.dli_saddr)
    return file + " " + info.dli_sname;
  return file + "+0x" +
         llvm::utohexstr(uintptr_t(address) - uintptr_t(info.dli_fbase), true);
}

std::string Crash::key() const {
  std::string key = kind;
  if (kind == "hang")
    return key;
  unsigned count = 0;
  for (StringRef frame : frames)
    if ((!frame.starts_with("lib") || frame.starts_with("libMLIR")) &&
        !frame.contains(kOwnNames))
      if (++count <= 3)
        (key += " ") += frame;
  return key;
}

bool Crash::isInUpstreamParser() const {
  if (parsed)
    return false;
  // There are no frames where the stack cannot be read.
  for (StringRef frame : frames) {
    if (frame.contains("mlir6convoy4test7attempt"))
      break;
    // Whoever called the parser, nothing of ours was called by it.
    if (frame.starts_with("libMLIR") && frame.contains("mlir6detail6Parser"))
      return true;
    // Templates of MLIR's headers lie in this program, too.
    bool isOurs = !frame.starts_with("lib") && !frame.contains(kOwnNames) &&
                  (frame.contains("6convoy") || !frame.contains(' '));
    if (isOurs)
      return false;
  }
  return true;
}

std::optional<Crash> mlir::convoy::test::readCrash(int status,
                                                   const Slot &slot) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return std::nullopt;
  Crash crash;
  if (WIFEXITED(status))
    crash.kind = "exit " + std::to_string(WEXITSTATUS(status));
  else if (slot.outOfMemory)
    crash.kind = "memory";
  else if (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM)
    crash.kind = "hang";
  else
    crash.kind = std::string("SIG") + sigabbrev_np(WTERMSIG(status));
  crash.parsed = slot.parsed;
  // Without the handler, and what returns from it.
  unsigned skipped = std::min<unsigned>(2, slot.numFrames);
  for (void *frame : ArrayRef(slot.frames, slot.numFrames).drop_front(skipped))
    crash.frames.push_back(describeFrame(frame));
  return crash;
}

std::optional<Crash>
mlir::convoy::test::attemptForked(StringRef text, const PassList &passes,
                                  const DialectRegistry &registry,
                                  const Limits &limits, Slot &slot) {
  pid_t child = fork();
  if (child == 0) {
    limitProcess(slot, limits);
    attempt(text, passes, registry);
    _exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child)
    llvm::report_fatal_error("cannot start a process");
  return readCrash(status, slot);
}
