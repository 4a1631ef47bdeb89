//===- CommandLine.cpp - What the user asked for ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "convoy/Runtime/FileIO.h"
#include "convoy/Support/RocmChip.h"
#include "convoy/Transforms/KernelABI/KernelNames.h"
#include "convoy/Transforms/Threads/Passes.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::convoy;
namespace cl = llvm::cl;

/// Made on its first use, after the options of LLVM's libraries are gone.
static cl::OptionCategory &getCategory() {
  static cl::OptionCategory category(
      "convoy-compile options",
      "INPUT is a problem (benchdnn's or MIOpenDriver's words, or samples, "
      "windows, their sums and deformable convolutions with --grid-sample, "
      "--im2col, --col2im and --deform-conv; --padding-mode pads "
      "convolutions), @FILE with one problem a line, or a .mlir file with "
      "linalg, TOSA or convoy ops. "
      "Problems also take --dir, --type, --input-layout and the other flags of "
      "docs/Problems.md. Exit codes: 0 fine, 1 bad input; with --certify also "
      "2 proved different, 4 undecided");
  return category;
}

namespace {
/// The options as the parser fills them.
struct Flags : CommonFlags {
  Flags() : CommonFlags(getCategory()) {}

  cl::opt<std::string> target{"target", cl::cat(getCategory()), cl::init("cpu"),
                              cl::value_desc("cpu|rocm|vulkan"),
                              cl::desc("What to compile for (default: cpu)")};
  cl::opt<std::string> chip{
      "chip", cl::cat(getCategory()), cl::init("gfx942"),
      cl::value_desc("gfx90a|gfx942|gfx950|gfx1100|gfx1201"),
      cl::desc("AMD's GPU to compile for with rocm (default: gfx942)")};
  ProfileFlag profile{getCategory(), "generic",
                      "Vulkan devices to compile for: the one of this machine, "
                      "or those of a name (default: generic, all with Vulkan "
                      "1.2)"};
  cl::opt<std::string> emission{
      "emit", cl::cat(getCategory()), cl::value_desc(getEmissionWords()),
      cl::desc(
          "What to write: convolutions that are not lowered, optimized "
          "LLVM IR, assembly, an object, a static archive, a shared object, "
          "a code object or a SPIR-V binary (default: what the name after -o "
          "ends in, else obj, hsaco for rocm, spv for vulkan)")};
  cl::opt<std::string> output{"o", cl::cat(getCategory()),
                              cl::value_desc("FILE"),
                              cl::desc("Where to write; - is standard output")};
  cl::opt<std::string> name{
      "name", cl::cat(getCategory()), cl::value_desc("PREFIX"),
      cl::desc("Name of a problem's kernel (default: its layer's name, else "
               "conv); several problems number theirs from 0")};
  cl::opt<std::string> header{
      "header", cl::cat(getCategory()), cl::value_desc("FILE"),
      cl::desc("Also write a C header with the kernels' prototypes")};
  cl::opt<std::string> manifest{
      "manifest", cl::cat(getCategory()), cl::value_desc("FILE"),
      cl::desc("Also write what a program needs to launch the kernels, as "
               "JSON")};
  CertifyFlag certify{
      getCategory(), "Prove each pass down to LLVM's or a GPU's part "
                     "(docs/Certificates.md), and write nothing unless all are "
                     "certified"};
  cl::opt<std::string> triple{
      "triple", cl::cat(getCategory()), cl::value_desc("TRIPLE"),
      cl::desc("Architecture and system to compile for, as in LLVM's -mtriple, "
               "x86_64 or aarch64: aarch64-linux-gnu, arm64-apple-macos, "
               "x86_64-pc-windows-msvc (default: this machine's)")};
  ThreadsFlag threads{getCategory()};
  cl::opt<std::string> werror{
      "Werror", cl::cat(getCategory()), cl::value_desc("range"),
      cl::desc("Fail where f16 or integers are not proved to be wide enough "
               "(docs/Numerics.md)")};
};
} // namespace

static bool readTarget(StringRef text, Target &target, std::string &error) {
  std::optional<Target> named = llvm::StringSwitch<std::optional<Target>>(text)
                                    .Case("cpu", Target::CPU)
                                    .Case("rocm", Target::Rocm)
                                    .Case("vulkan", Target::Vulkan)
                                    .Default(std::nullopt);
  if (!named)
    return fail(error,
                "expected cpu, rocm or vulkan for '--target', but got '" +
                    text + "'");
  target = *named;
  return true;
}

/// Checks that no option is there that says nothing to `target`.
static bool checkIsForTarget(const Flags &flags, Target target,
                             std::string &error) {
  SmallVector<const cl::Option *> others = {&flags.profile, &flags.chip};
  if (target == Target::Vulkan)
    others = {&flags.chip,    &flags.cpu,    &flags.triple, &flags.optLevel,
              &flags.threads, &flags.header, &flags.filter, &flags.tile};
  if (target == Target::Rocm)
    others = {&flags.profile, &flags.cpu,    &flags.triple, &flags.threads,
              &flags.header,  &flags.filter, &flags.tile};
  for (const cl::Option *option : others)
    if (option->getNumOccurrences())
      return fail(error, "'--" + option->ArgStr +
                             "' is not for --target=" + flags.target);
  return true;
}

/// What --emit or else the name of the output asks for.
static bool readEmission(const Flags &flags, Options &options,
                         std::string &error) {
  std::optional<StringRef> word;
  if (flags.emission.getNumOccurrences())
    word = flags.emission.getValue();
  return chooseEmission(options.target, flags.target, word, flags.output,
                        options.emission, error);
}

/// Checks that INPUT and the options go together.
static bool checkInput(const Flags &flags, const Options &options,
                       std::string &error) {
  if (options.output.empty())
    return fail(error, "expected -o FILE, or -o - for standard output");
  std::vector<std::string> paths;
  for (const std::string &path :
       {options.output, options.header, options.manifest})
    if (!path.empty() && path != "-")
      paths.push_back(path);
  if (std::string same = ::convoy::findSameFile(paths); !same.empty())
    return fail(error, "expected different files for output, header and "
                       "manifest, but got '" +
                           same + "' twice");
  if (!options.isFile() && options.name && !isKernelName(*options.name))
    return fail(error, "expected a name for C and C++ for '--name', but got '" +
                           *options.name + "'");
  return checkIsForProblem(options.name ? "--name" : "", options, error);
}

bool mlir::convoy::parseCommandLine(int argc, char **argv, Options &options,
                                    std::string &error) {
  // LLVM's libraries register options of their own, some under our names.
  cl::ResetCommandLineParser();
  static Flags flags;
  InputWords words;
  if (!parseToolOptions(
          argc, argv, getCategory(),
          "Compiles convolutions into kernels for other programs to link\n",
          words, error) ||
      !readTarget(flags.target, options.target, error) ||
      !checkIsForTarget(flags, options.target, error) ||
      !flags.profile.read(options.vulkan, error) ||
      !checkChip(flags.chip, error) || !readEmission(flags, options, error) ||
      !parseNumber(flags.threads, 1, kMaxThreads, options.threads, error) ||
      !readCommonOptions(flags, words, options, error))
    return false;
  if (flags.werror.getNumOccurrences() && flags.werror != "range")
    return fail(error, "expected range for '--Werror', but got '" +
                           flags.werror + "'");
  options.strictRanges = flags.werror.getNumOccurrences() > 0;
  options.chip = flags.chip;
  options.cpu.triple = flags.triple;
  options.output = flags.output;
  if (flags.name.getNumOccurrences())
    options.name = flags.name;
  options.header = flags.header;
  options.manifest = flags.manifest;
  return flags.certify.read(options.certify, options.deep, error) &&
         checkCertificate(options, error) && checkInput(flags, options, error);
}
