//===- CommandLine.cpp - What the user asked for ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "convoy/Transforms/KernelNames.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::convoy;
namespace cl = llvm::cl;

/// Made on its first use, after the options of LLVM's libraries are gone.
static cl::OptionCategory &getCategory() {
  static cl::OptionCategory category(
      "convoy-compile options",
      "INPUT is a problem (benchdnn's or MIOpenDriver's words), @FILE with one "
      "problem a line, or a .mlir file with linalg, TOSA or convoy ops. "
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
  cl::opt<std::string> emission{
      "emit", cl::cat(getCategory()), cl::value_desc("mlir|llvm|asm|obj|so"),
      cl::desc("What to write: convolutions that are not lowered, optimized "
               "LLVM IR, assembly, an object or a shared object (default: what "
               "the name after -o says, else obj)")};
  cl::opt<std::string> output{"o", cl::cat(getCategory()),
                              cl::value_desc("FILE"),
                              cl::desc("Where to write; - is standard output")};
  cl::opt<std::string> name{
      "name", cl::cat(getCategory()), cl::init("conv"),
      cl::value_desc("PREFIX"),
      cl::desc("Name of a problem's kernel (default: conv); several problems "
               "number theirs from 0")};
  cl::opt<std::string> header{
      "header", cl::cat(getCategory()), cl::value_desc("FILE"),
      cl::desc("Also write a C header with the kernels' prototypes")};
  cl::opt<std::string> manifest{
      "manifest", cl::cat(getCategory()), cl::value_desc("FILE"),
      cl::desc("Also write what a program needs to launch the kernels, as "
               "JSON")};
  cl::opt<bool> certify{
      "certify", cl::cat(getCategory()),
      cl::desc("Prove each pass down to tiles (docs/Certificates.md), and "
               "write nothing unless all are certified")};
  ThreadsFlag threads{getCategory()};
};
} // namespace

static bool checkTarget(StringRef target, std::string &error) {
  if (target == "cpu")
    return true;
  if (target == "rocm" || target == "vulkan")
    return fail(error,
                "expected --target=cpu: " + target + " is not built in yet");
  return fail(error, "expected cpu, rocm or vulkan for '--target', but got '" +
                         target + "'");
}

/// What --emit or else the name of the output asks for.
static bool readEmission(const Flags &flags, Emission &emission,
                         std::string &error) {
  if (!flags.emission.getNumOccurrences()) {
    emission =
        llvm::StringSwitch<Emission>(llvm::sys::path::extension(flags.output))
            .Case(".mlir", Emission::MLIR)
            .Case(".ll", Emission::LLVM)
            .Case(".s", Emission::Assembly)
            .Case(".so", Emission::SharedObject)
            .Default(Emission::Object);
    return true;
  }
  std::optional<Emission> named =
      llvm::StringSwitch<std::optional<Emission>>(flags.emission)
          .Case("mlir", Emission::MLIR)
          .Case("llvm", Emission::LLVM)
          .Case("asm", Emission::Assembly)
          .Case("obj", Emission::Object)
          .Case("so", Emission::SharedObject)
          .Default(std::nullopt);
  if (!named)
    return fail(error, "expected mlir, llvm, asm, obj or so for '--emit', but "
                       "got '" +
                           flags.emission + "'");
  emission = *named;
  return true;
}

/// Checks that INPUT and the options go together.
static bool checkInput(const Flags &flags, const Options &options,
                       std::string &error) {
  if (options.output.empty())
    return fail(error, "expected -o FILE, or -o - for standard output");
  if (!options.isFile() && !isKernelName(options.name))
    return fail(error, "expected a name for C and C++ for '--name', but got '" +
                           options.name + "'");
  return checkIsForProblem(flags.name.getNumOccurrences() ? "--name" : "",
                           options, error);
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
      !checkTarget(flags.target, error) ||
      !readEmission(flags, options.emission, error) ||
      !parseNumber(flags.threads, 1, kMaxThreads, options.threads, error) ||
      !readCommonOptions(flags, words, options, error))
    return false;
  options.output = flags.output;
  options.name = flags.name;
  options.header = flags.header;
  options.manifest = flags.manifest;
  options.certify = flags.certify;
  return checkInput(flags, options, error);
}
