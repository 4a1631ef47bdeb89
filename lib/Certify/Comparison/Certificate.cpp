//===- Certificate.cpp - What a proof came to -------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Certify/Comparison/Certificate.h"

using namespace mlir;
using namespace mlir::convoy;

using ::convoy::ExitCode;
using Verdict = Certificate::Verdict;

StringRef mlir::convoy::getWord(Verdict verdict) {
  switch (verdict) {
  case Verdict::Certified:
    return "certified";
  case Verdict::Different:
    return "different";
  case Verdict::Undecided:
    return "undecided";
  }
  llvm_unreachable("unknown verdict");
}

ExitCode mlir::convoy::getExitCode(Verdict verdict) {
  switch (verdict) {
  case Verdict::Certified:
    return ExitCode::Ok;
  case Verdict::Different:
    return ExitCode::WrongNumbers;
  case Verdict::Undecided:
    return ExitCode::Undecided;
  }
  llvm_unreachable("unknown verdict");
}
