//===- IRModule.h - IR that Python reads, rewrites and compares -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_PYTHON_SRC_IRMODULE_H
#define CONVOY_PYTHON_SRC_IRMODULE_H

#include "Operations.h"

#include "convoy/Certify/Comparison/Certificate.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace convoy::python {

/// Registers the passes and pipelines that `IRModule::run` takes. Called once.
void registerPasses();

/// Parses `text`; errors call it `name`. Throws.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(mlir::MLIRContext *context,
                                              const std::string &text,
                                              const std::string &name);

/// A module of MLIR with a context of its own. Threads use it in turn.
class IRModule {
public:
  /// Parses `text`; errors call it `name`. Throws.
  IRModule(const std::string &text, const std::string &name);

  /// Runs passes, as in `pass1,pass2` or `builtin.module(pass1)`; returns what
  /// they warned of and remarked, a line for each. Throws, and leaves the
  /// module as it was, where one fails.
  std::vector<std::string> run(const std::string &pipeline);

  /// The IR, with the places of ops where `locations` are wanted.
  std::string print(bool locations);

  /// All ops, each before those inside of it.
  std::vector<OperationInfo> list();

private:
  std::mutex mutex;
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// What was proved of one function of two modules.
struct FunctionVerdict {
  std::string function;
  mlir::convoy::Certificate::Verdict verdict;
  std::string message;  ///< empty where certified
  std::string location; ///< `file:line:col` of the op it is about, or empty
  std::string op;       ///< that op's name, or empty
  std::string text;     ///< the lines that convoy-certify prints
};

/// Compares the functions of two texts. Throws.
std::vector<FunctionVerdict> certifyTexts(const std::string &before,
                                          const std::string &after,
                                          const std::string &function,
                                          bool matchingOnly, double timeLimit);

} // namespace convoy::python

#endif // CONVOY_PYTHON_SRC_IRMODULE_H
