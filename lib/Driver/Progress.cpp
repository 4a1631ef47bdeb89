//===- Progress.cpp - How far a long run is ---------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/Progress.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

using namespace mlir;
using namespace mlir::convoy;

/// Of the terminal, and of what is drawn there.
static std::mutex mutex;
/// Columns of the line that is on the terminal.
static size_t shownColumns = 0;

static void eraseLine() {
  if (shownColumns == 0)
    return;
  llvm::errs() << '\r';
  llvm::errs().indent(unsigned(shownColumns)) << '\r';
  shownColumns = 0;
}

void mlir::convoy::eraseProgress() {
  std::lock_guard<std::mutex> lock(mutex);
  eraseLine();
}

/// How many columns a line may have without going on in the next one.
static size_t getMostColumns() {
  unsigned columns = llvm::sys::Process::StandardErrColumns();
  return columns > 1 ? columns - 1 : 79;
}

void Progress::draw() const {
  auto seconds = std::chrono::duration_cast<std::chrono::seconds>(
                     std::chrono::steady_clock::now() - start)
                     .count();
  std::string line =
      llvm::formatv("{0} {1}:{2,0+2} ", counter, seconds / 60, seconds % 60);
  size_t most = getMostColumns();
  if (line.size() + title.size() <= most) {
    line += title;
  } else {
    line += "...";
    size_t kept = most > line.size() ? most - line.size() : 0;
    line += StringRef(title).take_back(kept);
    line.resize(most);
  }
  eraseLine();
  llvm::errs() << line;
  shownColumns = line.size();
}

void Progress::tick() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!ended.wait_for(lock, std::chrono::seconds(1), [&] { return isOver; }))
    if (shownColumns != 0)
      draw();
}

void Progress::show(size_t number, size_t total, StringRef newTitle) {
  if (!llvm::errs().is_displayed())
    return;
  std::lock_guard<std::mutex> lock(mutex);
  counter = total ? llvm::formatv("[{0}/{1}]", number, total).str()
                  : llvm::formatv("[{0}]", number).str();
  title = newTitle.str();
  // Names of functions and files may hold what would move the cursor.
  for (char &c : title)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
      c = '?';
  draw();
  if (!ticker.joinable())
    ticker = std::thread([this] { tick(); });
}

Progress::~Progress() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isOver = true;
    eraseLine();
  }
  ended.notify_all();
  if (ticker.joinable())
    ticker.join();
}
