//===- Version.cpp - Which Convoy this is -----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/Version.h"

#include "Revision.inc"

std::string convoy::getVersion() {
  std::string text = "Convoy " CONVOY_VERSION;
#ifdef CONVOY_REVISION
  constexpr size_t kDigits = 12;
  text += " (commit " + std::string(CONVOY_REVISION).substr(0, kDigits) + ")";
#endif
  return text;
}
