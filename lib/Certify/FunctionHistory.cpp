//===- FunctionHistory.cpp - What a function was before a pass --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionHistory.h"

#include "convoy/Certify/Certify.h"
#include "convoy/Certify/InlineKernels.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Verdict = Certificate::Verdict;

FunctionHistory FunctionHistory::begin(FunctionOpInterface function) {
  FunctionHistory history;
  OwningOpRef<ModuleOp> copy = copyFunction(function);
  // What launches kernels that are not read was compared, if at all, before
  // it did.
  if (launchesKernels(getOnlyFunction(*copy)))
    return history;
  history.before = std::move(copy);
  history.wasCompared = true;
  history.launches = launchesKernels(function);
  history.values = Values::read(*history.before);
  history.origin = history.before->clone();
  history.first = Values::read(*history.origin);
  return history;
}

FunctionType FunctionHistory::getType() const {
  return dyn_cast<FunctionType>(getOnlyFunction(*origin).getFunctionType());
}

Certificate FunctionHistory::certify(const Values &after, double seconds) {
  CertifyOptions limits{seconds, getOnlyFunction(*origin),
                        /*isExactFirst=*/hasProductsOfSums};
  auto compareWith = [&](const Values &earlier) {
    Certificate certificate =
        certifyRewrite(getOnlyFunction(*earlier.module),
                       getOnlyFunction(*after.module), limits);
    certificate.addConditions(earlier.certificate);
    certificate.addConditions(after.certificate);
    return certificate;
  };
  bool isAsAtFirst = isCertified && numCertified > 0 && first.areKnown();
  if (!isAsAtFirst)
    return compareWith(values);
  // The proof that is shorter may be either: what it was at first is written
  // more simply, but further away.
  Certificate certificate = compareWith(isFromFirst ? first : values);
  if (certificate.verdict != Verdict::Undecided)
    return certificate;
  Certificate other = compareWith(isFromFirst ? values : first);
  if (other.verdict != Verdict::Certified)
    return certificate;
  isFromFirst = !isFromFirst;
  return other;
}
