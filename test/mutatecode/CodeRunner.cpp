//===- CodeRunner.cpp - Mutants of machine code, run ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeRunner.h"

#include "convoy/Driver/ChildProcess.h"
#include "convoy/Driver/Import.h"
#include "convoy/Target/CPUTarget.h"
#include "convoy/Target/EmitInterface.h"
#include "convoy/Target/EmitObject.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::test;
using namespace ::convoy;

/// Odd sizes: remainders of tiles, borders, groups, strides and dilations.
static constexpr std::array<StringLiteral, 8> Shapes = {
    "mb2_ic5iw9_oc7_kw3_pw1",
    "mb1_ic3ih9iw7_oc17_kh3kw2_ph1pw1",
    "mb2_ic19ih6iw5_oc37_kh1kw1",
    "mb1_ic6ih11iw9_oc5_kh3kw3_sh2sw2_ph1pw1",
    "g3mb2_ic6ih7iw5_oc9_kh3kw2_ph1",
    "g13mb1_ic13ih8iw9_oc13_kh3kw3_ph1pw1",
    "mb1_ic4ih9iw10_oc6_kh2kw3_dh1dw1_pw2",
    "mb1_ic2id4ih5iw6_oc7_kd2kh3kw2_ph1"};
static constexpr std::array<StringLiteral, 3> Directions = {"FWD_B", "BWD_D",
                                                            "BWD_W"};
static constexpr std::array<StringLiteral, 5> Types = {"f32", "f64", "f16",
                                                       "bf16", "i8"};

/// Of these what is made of each number is exact.
static constexpr std::array<StringLiteral, 5> Epilogues = {
    "", "", "--attr-post-ops=relu", "--attr-post-ops=add:f32:per_tensor+relu",
    "--attr-post-ops=linear:2:1+clip:-8:100+add:f32:per_oc"};

CodeRunner::CodeRunner(const CodeOptions &options)
    : options(options), random(options.seed),
      context(makeRegistry(), MLIRContext::Threading::DISABLED) {}

std::optional<Problem> CodeRunner::drawProblem() {
  while (true) {
    StringRef direction = Directions[random() % Directions.size()];
    StringRef epilogue = Epilogues[random() % Epilogues.size()];
    // Gradients of filters have none.
    std::string text = llvm::formatv("--dir={0} --type={1} {2} {3}", direction,
                                     Types[random() % Types.size()],
                                     direction == "BWD_W" ? "" : epilogue,
                                     Shapes[random() % Shapes.size()]);
    std::string error;
    std::optional<std::vector<Problem>> problems =
        readProblems(text, {}, error);
    if (!problems) {
      llvm::errs() << error << '\n';
      return std::nullopt;
    }
    if (planIdentityTest(describeProblem(problems->front()), error))
      return problems->front();
  }
}

bool CodeRunner::compile(const Problem &problem, llvm::TargetMachine &machine,
                         Subject &subject) {
  subject.text = toString(problem);
  subject.conv = describeProblem(problem);
  CompileOptions compileOptions;
  OwningOpRef<ModuleOp> module = buildModule(&context, {problem});
  if (failed(lowerForCPU(*module, compileOptions)))
    return false;
  subject.kernels = getKernelInterfaces(*module);
  llvm::LLVMContext llvmContext;
  auto translated =
      translateForCPU(*module, llvmContext, machine, compileOptions.optLevel);
  SmallString<0> bytes;
  llvm::raw_svector_ostream os(bytes);
  if (failed(translated) ||
      failed(emitMachineCode(**translated, machine,
                             llvm::CodeGenFileType::ObjectFile, os,
                             [&] { return module->emitError(); })))
    return false;
  subject.object = bytes.str().str();
  for (ScalarType type : subject.conv.numerics.types)
    subject.elementBytes =
        std::max(subject.elementBytes, int64_t(scalarSize(type)));
  constexpr uint64_t MostInputs = 6;
  for (uint64_t seed = 0; seed < MostInputs; ++seed) {
    CheckOptions check;
    check.data = seed % 2 ? DataKind::Normal : DataKind::Int;
    check.seed = 1000 + seed;
    subject.inputs.push_back(generateArguments(subject.conv, check));
  }
  bool passes = false;
  subject.expected = runAll(subject, subject.object, passes);
  if (!passes)
    llvm::errs() << subject.text << ": fails unchanged\n";
  return passes;
}

std::vector<CheckResult> CodeRunner::runAll(const Subject &subject,
                                            const std::string &object,
                                            bool &passes) {
  passes = false;
  FailureOr<CPUModule> functions = CPUModule::loadObject(
      llvm::MemoryBuffer::getMemBufferCopy(object), subject.kernels,
      [&] { return emitError(UnknownLoc::get(&context)); });
  if (failed(functions))
    return {};
  CompiledModule compiled(std::move(*functions));
  LoadedModule loaded(compiled, device);
  if (!loaded.load().ok())
    return {};
  LoadedKernel kernel{loaded, compiled.getKernels().front()};
  CheckOptions check;
  check.seed = 1;
  check.threads = 1;
  passes =
      runIdentityTest(subject.conv, kernel, subject.inputs.front(), check)[0]
          .passed.has_value();
  std::vector<CheckResult> results;
  for (const std::vector<HostArray> &input : subject.inputs)
    results.push_back(runUncompared(kernel, input, 1));
  return results;
}

/// Whether both have the same numbers, up to the last place, and nothing to
/// complain of: an instruction may round in another way, of which sums of
/// integers know nothing.
static bool isSame(const CheckResult &a, const CheckResult &b) {
  if (!a.error.empty() || !b.error.empty() || a.faults != b.faults ||
      a.results.size() != 1 || b.results.size() != 1)
    return false;
  const HostArray &left = a.results[0], &right = b.results[0];
  double place =
      isFloat(left.type) ? 2 * floatFormat(left.type).unitRoundoff() : 0;
  for (int64_t i = 0; i < left.elementCount(); ++i)
    // Not a number is not the same.
    if (!(std::abs(left.at(i) - right.at(i)) <= place * std::abs(right.at(i))))
      return false;
  return true;
}

CodeRunner::Finding CodeRunner::judge(const Subject &subject,
                                      const std::string &object) {
  // A kernel takes microseconds; a changed one may never end.
  constexpr unsigned MostSeconds = 4;
  std::string error;
  std::optional<ChildOutcome> outcome = runInChild(
      MostSeconds,
      [&](TextSender &sender) {
        bool passes = false;
        std::vector<CheckResult> results = runAll(subject, object, passes);
        bool areSame =
            results.size() == subject.expected.size() &&
            llvm::all_of(llvm::zip_equal(results, subject.expected),
                         [](const auto &pair) {
                           return isSame(std::get<0>(pair), std::get<1>(pair));
                         });
        sender.send(!passes ? "found" : areSame ? "same" : "missed");
      },
      error);
  if (!outcome)
    llvm::report_fatal_error(StringRef(error));
  if (outcome->texts.empty())
    return Finding::Crashed;
  const std::string &text = outcome->texts.front();
  return text == "found"  ? Finding::Found
         : text == "same" ? Finding::Same
                          : Finding::Missed;
}

std::optional<int64_t> CodeRunner::run() {
  if (!openTarget("cpu", device).ok())
    return std::nullopt;
  auto machine = createCPUTargetMachine(CompileOptions().cpu, [&] {
    return emitError(UnknownLoc::get(&context));
  });
  if (failed(machine))
    return std::nullopt;
  constexpr int64_t MutantsOfProblem = 10;
  int64_t missed = 0;
  for (int64_t done = 0; done < options.count; done += MutantsOfProblem) {
    std::optional<Problem> problem = drawProblem();
    Subject subject;
    if (!problem || !compile(*problem, **machine, subject))
      return std::nullopt;
    CodeMutations mutations(subject.object, **machine);
    for (int64_t number = 0; number < MutantsOfProblem; ++number) {
      CodeMutations::Mutant mutant =
          mutations.mutate(subject.elementBytes, random);
      Counts &kind = counts[mutant.kind];
      switch (judge(subject, mutant.object)) {
      case Finding::Found:
        ++kind.found;
        break;
      case Finding::Crashed:
        ++kind.crashed;
        break;
      case Finding::Same:
        ++kind.same;
        break;
      case Finding::Missed:
        ++kind.missed;
        ++missed;
        llvm::outs() << "missed: " << subject.text << ": '" << mutant.before
                     << "' became '" << mutant.after << "'\n";
        break;
      }
    }
  }
  printTable();
  return missed;
}

void CodeRunner::printTable() {
  Counts all;
  auto printRow = [](StringRef kind, const Counts &counts) {
    llvm::outs() << llvm::formatv("{0,-8}  {1,6}  {2,7}  {3,6}  {4,6}\n", kind,
                                  counts.found, counts.crashed, counts.missed,
                                  counts.same);
  };
  llvm::outs() << "changed    found  crashed  missed    same\n";
  for (const auto &[kind, one] : counts) {
    printRow(kind, one);
    all.found += one.found;
    all.crashed += one.crashed;
    all.missed += one.missed;
    all.same += one.same;
  }
  printRow("all", all);
}
