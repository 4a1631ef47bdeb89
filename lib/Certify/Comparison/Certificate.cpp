//===- Certificate.cpp - What a proof came to -------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Certify/Comparison/Certificate.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

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

void Certificate::addConditions(const Certificate &other) {
  isExactOnly |= other.isExactOnly;
  takesFractions |= other.takesFractions;
  assumesNoOverflow |= other.assumesNoOverflow;
  assumesElements |= other.assumesElements;
  assumesOwnBuffers |= other.assumesOwnBuffers;
  assumesApartElements |= other.assumesApartElements;
  assumesAssertions |= other.assumesAssertions;
}

/// Where `certificate` holds, as the end of a sentence; empty for everywhere.
static std::string describeConditions(const Certificate &certificate) {
  std::string text;
  SmallVector<StringRef> conditions;
  if (certificate.assumesNoOverflow)
    conditions.push_back("nothing overflows");
  if (certificate.assumesElements)
    conditions.push_back("no argument is empty");
  if (certificate.assumesOwnBuffers)
    conditions.push_back("arguments are apart and may be overwritten");
  if (certificate.assumesApartElements)
    conditions.push_back("no two elements of an argument are one");
  if (certificate.assumesAssertions)
    conditions.push_back("the first function's assertions hold");
  for (auto [number, condition] : llvm::enumerate(conditions)) {
    bool isLast = number + 1 == conditions.size();
    text += number == 0 ? " where " : isLast ? " and " : ", ";
    text += condition;
  }
  return text;
}

std::string mlir::convoy::describeEquality(const Certificate &certificate) {
  if (!certificate.message.empty())
    return certificate.message + describeConditions(certificate);
  std::string text = "equal";
  if (certificate.isExactOnly)
    text += " in exact arithmetic";
  if (certificate.takesFractions)
    text += ", constants being the fractions that they round,";
  return text + " for all finite values" + describeConditions(certificate);
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
