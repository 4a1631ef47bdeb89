//===- Function.h - A compiled function that Python calls -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_PYTHON_SRC_FUNCTION_H
#define CONVOY_PYTHON_SRC_FUNCTION_H

#include "HostKernel.h"
#include "Problems.h"

#include "convoy/Driver/CheckFunction.h"
#include "convoy/Driver/CheckProblem.h"
#include "convoy/Driver/Compile.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace convoy::python {

/// What a function of IR is compiled for.
struct FunctionOptions {
  std::string target, cpu;
  int threads = 1;
  /// Whether it takes its filters packed, which functions of their own do.
  bool packedFilters = false;
  std::string algorithm; ///< of convolutions, on the CPU
};

/// A kernel of a compiled function: its own, or that which packs a filter.
struct FunctionKernel {
  std::string name;
  std::vector<Argument> arguments;
  /// By argument: the kernel that packs it, or nothing.
  std::vector<std::string> packers;
  /// Nothing where they depend on the sizes of a call.
  std::optional<int64_t> workspaceBytes;
};

class Function;

/// What a function means for operands, whoever computes it: an interpreter says
/// it once, however many results are compared with it. Threads may use it at
/// once.
class Meaning {
public:
  /// For the operands at `addresses`, which are not packed, where `sizes` are
  /// the dynamic ones of operands and results. Bytes of results have signs
  /// unless they are `unsignedBytes`, which MLIR's types do not say. `function`
  /// outlives this. Throws.
  Meaning(Function &function, const Addresses &addresses, const Sizes &sizes,
          bool unsignedBytes);

  /// Compares the results at `addresses`, as if the function's target had
  /// computed them. Throws.
  mlir::convoy::CheckResult compare(const Addresses &addresses);
  /// Compares those in `result`, which `kind` of target has computed. Throws.
  void compare(mlir::convoy::CheckResult &result, const std::string &kind);

private:
  Function &function;
  std::vector<Argument> arguments;
  std::vector<HostArray> operands;
  bool unsignedBytes;
  mlir::convoy::FunctionReference reference;
};

/// A function compiled for a target and loaded onto its
/// device. Threads may use it at once, as a `Kernel`.
class Function {
public:
  /// Compiles the function `name` of `text`, or its only public one where that
  /// is empty; errors call the text `file`. Throws.
  Function(const std::string &text, const std::string &file,
           const std::string &name, const FunctionOptions &options);

  const std::string &getName() const { return name; }
  const std::vector<std::string> &getWarnings() const { return warnings; }
  const std::vector<std::string> &getRemarks() const { return remarks; }
  int64_t getCodeBytes() const { return compiled->getCodeBytes(); }
  /// The function's own kernel, then those that pack.
  const std::vector<FunctionKernel> &getKernels() const { return kernels; }

  /// What the function takes where nothing is packed, and what it returns.
  const std::vector<Argument> &getArguments() const { return unpacked; }

  /// The dynamic sizes of the results where the arguments have `sizes`. Throws.
  Sizes findResultSizes(const Sizes &sizes);

  /// Runs the kernel of that number on arrays that have its dynamic `sizes`, if
  /// it has some. Throws.
  void launch(size_t number, const Addresses &addresses, const Sizes &sizes);
  /// Writes generated data into the arrays that are read, which are not packed,
  /// and whose dynamic sizes are `sizes`. Throws.
  void generate(const std::string &data, uint64_t seed,
                const Addresses &addresses, const Sizes &sizes);
  /// Runs the function on inputs that are not packed, between guard zones, and
  /// compares each element with `meaning`, that of a function which takes and
  /// returns the same, for these inputs. Throws.
  mlir::convoy::CheckResult check(const Addresses &addresses,
                                  const Sizes &sizes, Meaning &meaning);

private:
  friend class Meaning;

  /// The function as it was written.
  mlir::func::FuncOp getSource() const;
  /// The same as what is right depends on it: with the algorithms of its
  /// convolutions, where these may be others than sums of products. Throws.
  mlir::func::FuncOp getReference();
  /// How it is lowered.
  mlir::convoy::CompileOptions getLowering() const;
  void compile();
  FunctionKernel describe(const mlir::convoy::KernelInterface &kernel) const;
  void launchOnCopies(size_t number, const Addresses &addresses,
                      const Sizes &sizes);
  /// The arguments of a check; the numbers of each that is read are in the
  /// range that it declares. Throws.
  std::vector<HostArray> copyOperands(const std::vector<Argument> &arguments,
                                      const Addresses &addresses);
  /// Runs the function between guard zones on the inputs at `addresses`.
  /// Throws.
  mlir::convoy::CheckResult runChecked(const Addresses &addresses,
                                       const Sizes &sizes);
  bool isOnCPU() const { return kind == "cpu"; }

  FunctionOptions options;
  std::string name, kind;
  std::vector<std::string> warnings, remarks;
  /// Holds the types in the kernels' interfaces, and the function as it was.
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// With the algorithms of convolutions; null before it is asked for.
  mlir::OwningOpRef<mlir::ModuleOp> algorithms;
  Device device;
  std::optional<mlir::convoy::CompiledModule> compiled;
  std::optional<mlir::convoy::LoadedModule> loaded;
  std::vector<FunctionKernel> kernels;
  std::vector<Argument> unpacked;
  /// By kernel and argument; nothing where these depend on the sizes of a call.
  std::vector<std::vector<size_t>> bytes;
  std::map<size_t, HostKernel> hostKernels; ///< on the CPU, by number
  std::mutex mutex; ///< of the context, and of devices that one thread uses
};

} // namespace convoy::python

#endif // CONVOY_PYTHON_SRC_FUNCTION_H
