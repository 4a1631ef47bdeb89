//===- CPUTarget.h - What LLVM knows of a CPU, as a target ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TARGET_CPUTARGET_H
#define CONVOY_TARGET_CPUTARGET_H

#include "convoy/Target/CPUChoice.h"
#include "convoy/Transforms/Targets/Passes.h"

#include "mlir/Support/LLVM.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class TargetMachine;
class Triple;
} // namespace llvm

namespace mlir::convoy {

/// The architecture and the system that code for `cpu` is for, with words that
/// were left out as `unknown`.
llvm::Triple getTriple(const CPUChoice &cpu);

/// The name and features that LLVM's code generator takes for `cpu`; `host` is
/// the CPU that this program runs on, with the features it really has.
struct CPUName {
  std::string cpu, features;
};
CPUName resolveCPU(const CPUChoice &cpu);

/// What is wrong with `cpu`: a triple of other CPUs than those with 64 bits of
/// x86 and ARM and this machine's, a CPU that LLVM does not know, or `host` for
/// another machine. Nothing where code can be made for it.
std::optional<std::string> checkCPU(const CPUChoice &cpu);

/// A code generator for `cpu`, or an error that says what is wrong with it.
FailureOr<std::unique_ptr<llvm::TargetMachine>>
createCPUTargetMachine(const CPUChoice &cpu,
                       function_ref<InFlightDiagnostic()> emitError);

/// LLVM's names of the features of `cpu`, which is known, whose instructions
/// kernels may have, sorted.
std::vector<std::string> getKernelFeatures(const CPUChoice &cpu);

/// The machine that code for `cpu`, which is known, is for, such as
/// `aarch64-unknown-linux-gnu` or `a CPU with avx512f`; empty where it runs on
/// this one.
std::string findOtherMachine(const CPUChoice &cpu);

/// The same of code for `triple` that may have instructions of `features`.
/// Those that LLVM does not ask this machine for count as present.
std::string findOtherMachine(const llvm::Triple &triple,
                             ArrayRef<std::string> features);

/// Whether `cpu` has instructions that convert between f16 and f32. Where it
/// has none, LLVM calls a library. False for a CPU that LLVM does not know, and
/// where none is chosen.
bool convertsF16(const CPUChoice &cpu);

/// The vector registers and caches of `cpu`, as options of
/// `convoy-attach-target`. A CPU that LLVM does not know gets those of the
/// baseline. Caches follow from the name alone but for `host`, of which the
/// machine is asked. What `given` says stays.
AttachTargetPassOptions
getAttachTargetOptions(const CPUChoice &cpu,
                       const AttachTargetPassOptions &given = {});

/// Whether `cpu` has an instruction that adds products of bytes, of four pairs
/// in each lane: it multiplies bytes faster than floats then.
bool addsProductsOfBytes(const CPUChoice &cpu);

} // namespace mlir::convoy

#endif // CONVOY_TARGET_CPUTARGET_H
