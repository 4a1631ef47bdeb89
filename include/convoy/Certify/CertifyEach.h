//===- CertifyEach.h - Proves what each pass does ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_CERTIFY_CERTIFYEACH_H
#define CONVOY_CERTIFY_CERTIFYEACH_H

#include "convoy/Certify/Certificate.h"

#include "mlir/Pass/PassManager.h"

#include <string>

namespace mlir::convoy {

struct CertifyEachOptions {
  /// Where both sides of a change that is not certified are written, as files
  /// for convoy-certify; made if it is not there. Empty: nowhere.
  std::string folder;
  /// Whether passes stop where a change is undecided, as they do where one
  /// makes a difference.
  bool stopWhereUndecided = false;
  /// Whether a remark says of each function where vectors, memory or kernels
  /// begin.
  bool remarks = true;
};

/// What became of all changes, over every pass manager that was given it.
struct CertifiedChanges {
  /// The worst: one difference makes it Different, else one change that is not
  /// decided Undecided.
  Certificate::Verdict verdict = Certificate::Verdict::Certified;
  unsigned numCertified = 0;
  double seconds = 0; ///< spent on all proofs
  unsigned numPairsWritten = 0;
  /// The pass that brought the first vector, memory or kernel: what it leaves
  /// and what follows is not compared. Empty if there was none.
  std::string end;

  /// What a tool ends with whose passes failed.
  ::convoy::ExitCode getFailureCode() const;
};

/// Makes `pm` compare each function that a pass changed with what it was
/// before. A difference is an error that names the first such pass, and fails
/// it; so is what cannot be decided, but passes go on. Once a function works on
/// vectors, memory or kernels it is compared no more, and a remark says so.
/// `changes` must outlive `pm`.
void certifyEachPass(PassManager &pm, const CertifyEachOptions &options,
                     CertifiedChanges &changes);

} // namespace mlir::convoy

#endif // CONVOY_CERTIFY_CERTIFYEACH_H
