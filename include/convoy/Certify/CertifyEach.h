//===- CertifyEach.h - Proves what each pass does ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_CERTIFY_CERTIFYEACH_H
#define CONVOY_CERTIFY_CERTIFYEACH_H

#include "convoy/Certify/Comparison/Certificate.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"

#include <functional>
#include <optional>
#include <string>

namespace mlir::convoy {

/// What one run of a pass did to a function.
struct CertifiedStep {
  std::string pass; ///< its flag
  /// The pass alone, with its options, for a module that holds the function
  /// alone, as in `builtin.module(func.func(cse))`.
  std::string pipeline;
  /// Its path, as in `module::kernel`; empty where a pass changed none of
  /// several.
  std::string function;
  /// None where nothing was compared, which `message` says the reason of; of
  /// what is certified it says what is equal, and where.
  std::optional<Certificate::Verdict> verdict;
  std::string message;
  /// Where the op is that the message is about, and what it is called; null
  /// and empty where there is none.
  LocationAttr location = {};
  std::string op = {};
  double seconds = 0; ///< that the proof took
  /// The function before and after, each in a module of its own, and a clause
  /// that says in which files; empty where it is certified.
  std::string before = {}, after = {}, files = {};
};

struct CertifyEachOptions {
  /// Where both sides of a change that is not certified are written, as files
  /// for convoy-certify; made if it is not there. Empty: nowhere.
  std::string folder;
  /// Whether passes stop where a change is undecided, as they do where one
  /// makes a difference.
  bool stopWhereUndecided = false;
  /// Whether a remark says of each function which pass brings what is not
  /// read: a workspace, threads, kernels.
  bool remarks = true;
  /// For a function, after which it is undecided.
  double seconds = 10;
  /// Whether passes go on after a difference, each compared with what it was
  /// given.
  bool keepGoing = false;
  /// The path of the only function to compare; empty: all.
  std::string function = {};
  /// If given, is told of every run of a pass, in the place of errors and
  /// remarks. A function with ops that are not read is undecided then.
  std::function<void(const CertifiedStep &)> onStep = {};
};

/// What became of all changes, over every pass manager that was given it.
struct CertifiedChanges {
  /// The worst: one difference makes it Different, else one change that is not
  /// decided Undecided.
  Certificate::Verdict verdict = Certificate::Verdict::Certified;
  unsigned numCertified = 0;
  /// Under which they are.
  Certificate conditions;
  double seconds = 0; ///< spent on all proofs
  unsigned numPairsWritten = 0;
  /// The pass that failed, if that was not for a difference.
  std::string failed;
  /// The first pass that brought what is not read, or after which vectors or
  /// memory are not proved: what it leaves and what follows is not compared.
  /// Empty if there was none.
  std::string end;

  /// What a tool ends with whose passes failed.
  ::convoy::ExitCode getFailureCode() const;
};

/// Makes `pm` compare each function that a pass changed with what it was
/// before. A difference is an error that names the first such pass, and fails
/// it; so is what cannot be decided, but passes go on. Once a function has ops
/// that are not read, or is not decided on vectors or in memory, it is compared
/// no more, and a remark says so. `changes` must outlive `pm`.
void certifyEachPass(PassManager &pm, const CertifyEachOptions &options,
                     CertifiedChanges &changes);

/// Registers the pass `convoy-certify-passes`, which runs a pipeline as
/// `certifyEachPass` does: tools of others have it by our plugin.
void registerCertifyPassesPass();

} // namespace mlir::convoy

#endif // CONVOY_CERTIFY_CERTIFYEACH_H
