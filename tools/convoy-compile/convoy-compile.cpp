//===- convoy-compile.cpp - Convolutions to objects, ahead of time -*- C++
//-*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/Passes.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Runtime/FileIO.h"
#include "convoy/Target/CPUTarget.h"
#include "convoy/Target/EmitInterface.h"
#include "convoy/Target/EmitObject.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::FlagStatus;
using ::convoy::Problem;
using ::convoy::ProblemDefaults;
namespace cl = llvm::cl;

namespace {
enum class Target { CPU, ROCm, Vulkan };
enum class Emission { MLIR, LLVM, Assembly, Object, SharedObject };
} // namespace

static cl::OptionCategory category("Options of convoy-compile");
static cl::list<std::string> words(
    cl::Positional, cl::cat(category),
    cl::desc("INPUT: a problem, @FILE with one problem a line, or a .mlir "
             "file"));
static cl::opt<Target> target(
    "target", cl::cat(category), cl::init(Target::CPU),
    cl::desc("What to compile for"),
    cl::values(clEnumValN(Target::CPU, "cpu", "this machine's architecture"),
               clEnumValN(Target::ROCm, "rocm", "AMD GPUs"),
               clEnumValN(Target::Vulkan, "vulkan", "GPUs through Vulkan")));
static cl::opt<Emission> emission(
    "emit", cl::cat(category), cl::init(Emission::Object),
    cl::desc(
        "What to write; the default follows from the name after -o, and is "
        "obj where that says nothing"),
    cl::values(clEnumValN(Emission::MLIR, "mlir", "convolutions, not lowered"),
               clEnumValN(Emission::LLVM, "llvm", "optimized LLVM IR"),
               clEnumValN(Emission::Assembly, "asm", "assembly"),
               clEnumValN(Emission::Object, "obj", "an object"),
               clEnumValN(Emission::SharedObject, "so", "a shared object")));
static cl::opt<std::string>
    outputPath("o", cl::cat(category), cl::value_desc("FILE"),
               cl::desc("Where to write; - is standard output"));
static cl::opt<std::string>
    cpu("cpu", cl::cat(category), cl::init("host"), cl::value_desc("NAME"),
        cl::desc("CPU to compile for, as in LLVM's -mcpu, or host"));
static cl::opt<unsigned> optLevel("O", cl::cat(category), cl::Prefix,
                                  cl::init(3), cl::value_desc("0..3"),
                                  cl::desc("LLVM's optimization level"));
static cl::opt<std::string>
    kernelName("name", cl::cat(category), cl::init("conv"),
               cl::value_desc("PREFIX"),
               cl::desc("Name of the kernel; several problems number theirs "
                        "from 0"));
static cl::opt<std::string>
    headerPath("header", cl::cat(category), cl::value_desc("FILE"),
               cl::desc("Also write a C header with the kernels' prototypes"));
static cl::opt<std::string> manifestPath(
    "manifest", cl::cat(category), cl::value_desc("FILE"),
    cl::desc("Also write what a program needs to launch the kernels, as JSON"));

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// Prints one line and fails.
static LogicalResult fail(const llvm::Twine &message) {
  llvm::errs() << "convoy-compile: " << message << '\n';
  return failure();
}

/// Prints a diagnostic and its notes, a line each.
static void printDiagnostic(const Diagnostic &diagnostic) {
  std::string place = "convoy-compile";
  if (auto loc = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
    place = llvm::formatv("{0}:{1}:{2}", loc.getFilename().getValue(),
                          loc.getLine(), loc.getColumn());
  StringRef severity =
      diagnostic.getSeverity() == DiagnosticSeverity::Note     ? "note: "
      : diagnostic.getSeverity() == DiagnosticSeverity::Remark ? "remark: "
                                                               : "";
  llvm::errs() << place << ": " << severity << diagnostic << '\n';
  for (const Diagnostic &note : diagnostic.getNotes())
    printDiagnostic(note);
}

//===----------------------------------------------------------------------===//
// Input
//===----------------------------------------------------------------------===//

static bool isIdentifier(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

static FailureOr<std::string> readText(StringRef path) {
  std::string error;
  std::optional<std::vector<std::byte>> bytes =
      ::convoy::readFile(path.str(), error);
  if (!bytes)
    return fail(error);
  return std::string(reinterpret_cast<const char *>(bytes->data()),
                     bytes->size());
}

/// The module in a .mlir file, its convolutions raised.
static OwningOpRef<ModuleOp> readModule(MLIRContext *context, StringRef path) {
  if (kernelName.getNumOccurrences() > 0)
    return (void)fail("expected a problem with --name, but got " + path +
                      ", whose functions have names"),
           nullptr;
  FailureOr<std::string> text = readText(path);
  if (failed(text))
    return nullptr;
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(*text, ParserConfig(context), path);
  if (!module)
    return nullptr;
  PassManager pm(context);
  pm.addPass(createRaiseLinalgPass());
  pm.addPass(createRaiseTosaPass());
  return succeeded(pm.run(*module)) ? std::move(module) : nullptr;
}

/// A module with a kernel for each problem of `text`, or of the file that it
/// names.
static OwningOpRef<ModuleOp> buildProblems(MLIRContext *context, StringRef text,
                                           const ProblemDefaults &defaults) {
  if (!isIdentifier(kernelName))
    return (void)fail("expected --name to be an identifier of C, but got '" +
                      kernelName + "'"),
           nullptr;
  std::string error;
  std::optional<std::vector<Problem>> problems;
  if (text.consume_front("@")) {
    FailureOr<std::string> lines = readText(text);
    if (failed(lines))
      return nullptr;
    problems = ::convoy::parseProblemFile(*lines, defaults, error);
    if (!problems)
      error = (text + ": " + error).str();
  } else {
    problems = ::convoy::parseProblems(text, defaults, error);
  }
  if (!problems)
    return (void)fail(error), nullptr;
  if (problems->empty())
    return (void)fail("expected a problem, but " + text + " has none"), nullptr;
  OwningOpRef<ModuleOp> module = buildModule(context, *problems, kernelName);
  if (problems->size() == 1)
    (*module->getOps<func::FuncOp>().begin()).setName(kernelName);
  return module;
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

static LogicalResult write(StringRef path, StringRef text) {
  if (path == "-") {
    llvm::outs() << text;
    llvm::outs().flush();
    if (!llvm::outs().has_error())
      return success();
    std::string reason = llvm::outs().error().message();
    llvm::outs().clear_error();
    return fail("cannot write standard output: " + reason);
  }
  std::string error;
  if (!::convoy::writeFile(path.str(),
                           std::as_bytes(std::span(text.data(), text.size())),
                           error))
    return fail(error);
  return success();
}

/// `object` linked into a shared object.
static FailureOr<std::string>
linkObject(StringRef object, function_ref<InFlightDiagnostic()> emitError) {
  SmallString<128> objectPath, sharedPath;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("convoy", "o", objectPath))
    return fail("cannot make a temporary file: " + code.message());
  llvm::FileRemover removeObject(objectPath);
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("convoy", "so", sharedPath))
    return fail("cannot make a temporary file: " + code.message());
  llvm::FileRemover removeShared(sharedPath);
  if (failed(write(objectPath, object)) ||
      failed(linkSharedObject(objectPath, sharedPath, emitError)))
    return failure();
  return readText(sharedPath);
}

/// What --emit asks for, of a module in LLVM's dialect.
static FailureOr<std::string> emit(ModuleOp module,
                                   llvm::TargetMachine &machine) {
  auto emitError = [&] { return module.emitError(); };
  llvm::LLVMContext context;
  FailureOr<std::unique_ptr<llvm::Module>> translated =
      translateForCPU(module, context, machine, optLevel);
  if (failed(translated))
    return failure();
  SmallString<0> bytes;
  llvm::raw_svector_ostream os(bytes);
  if (emission == Emission::LLVM) {
    (*translated)->print(os, nullptr);
    return bytes.str().str();
  }
  auto kind = emission == Emission::Assembly
                  ? llvm::CodeGenFileType::AssemblyFile
                  : llvm::CodeGenFileType::ObjectFile;
  if (failed(emitMachineCode(**translated, machine, kind, os, emitError)))
    return failure();
  if (emission == Emission::SharedObject)
    return linkObject(bytes, emitError);
  return bytes.str().str();
}

/// `CONVOLUTION_H` for `dir/convolution.h`.
static std::string getHeaderGuard(StringRef path) {
  std::string guard = llvm::sys::path::filename(path).upper();
  for (char &c : guard)
    if (!llvm::isAlnum(c))
      c = '_';
  return "CONVOY_" + guard;
}

/// Writes the header and the manifest, where they are asked for.
static LogicalResult writeInterfaces(ArrayRef<KernelInterface> kernels) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!headerPath.empty()) {
    for (const KernelInterface &kernel : kernels)
      if (!isIdentifier(kernel.name))
        return fail("expected a name that is an identifier of C for the "
                    "header, but got '" +
                    kernel.name + "'");
    emitHeader(kernels, getHeaderGuard(headerPath), os);
    if (failed(write(headerPath, text)))
      return failure();
  }
  if (manifestPath.empty())
    return success();
  text.clear();
  os << llvm::formatv("{0:2}\n",
                      makeManifest(kernels, "cpu", resolveCPU(cpu).cpu));
  return write(manifestPath, text);
}

//===----------------------------------------------------------------------===//
// Main
//===----------------------------------------------------------------------===//

/// Takes the flags of problems and the name of a file of problems out of `argv`
/// before LLVM's parser sees them: it would read @FILE as more arguments.
static LogicalResult takeProblemWords(int argc, char **argv,
                                      ProblemDefaults &defaults,
                                      std::string &file,
                                      SmallVectorImpl<const char *> &rest) {
  rest.push_back(argv[0]);
  for (const char *word : ArrayRef(argv, argc).drop_front()) {
    std::string error;
    if (word[0] == '@') {
      if (!file.empty())
        return fail(llvm::Twine("expected one input, but got ") + file +
                    " and " + word);
      file = word;
      continue;
    }
    switch (::convoy::parseProblemFlag(word, defaults, error)) {
    case FlagStatus::NotAFlag:
      rest.push_back(word);
      break;
    case FlagStatus::Accepted:
      break;
    case FlagStatus::Rejected:
      return fail(error);
    }
  }
  return success();
}

/// What is wrong with the options, or else the kind of output that the name
/// after -o asks for.
static LogicalResult checkOptions() {
  if (target != Target::CPU)
    return fail(llvm::Twine("expected --target=cpu: ") +
                (target == Target::ROCm ? "rocm" : "vulkan") +
                " is not built in yet");
  if (outputPath.empty())
    return fail("expected -o FILE, or -o - for standard output");
  if (optLevel > 3)
    return fail("expected --O=0 to --O=3, but got " + llvm::Twine(optLevel));
  if (emission.getNumOccurrences() == 0)
    emission =
        llvm::StringSwitch<Emission>(llvm::sys::path::extension(outputPath))
            .Case(".mlir", Emission::MLIR)
            .Case(".ll", Emission::LLVM)
            .Case(".s", Emission::Assembly)
            .Case(".so", Emission::SharedObject)
            .Default(Emission::Object);
  return success();
}

static LogicalResult compile(MLIRContext *context, StringRef input,
                             const ProblemDefaults &defaults) {
  FailureOr<std::unique_ptr<llvm::TargetMachine>> machine =
      createCPUTargetMachine(
          cpu, [&] { return emitError(UnknownLoc::get(context)); });
  if (failed(machine))
    return failure();
  OwningOpRef<ModuleOp> module = input.ends_with(".mlir")
                                     ? readModule(context, input)
                                     : buildProblems(context, input, defaults);
  if (!module)
    return failure();

  std::string imported;
  llvm::raw_string_ostream(imported) << *module << '\n';
  if (emission == Emission::MLIR && headerPath.empty() && manifestPath.empty())
    return write(outputPath, imported);
  CompileOptions options;
  options.cpu = cpu;
  options.optLevel = optLevel;
  if (failed(lowerForCPU(*module, options)))
    return failure();
  SmallVector<KernelInterface> kernels = getKernelInterfaces(*module);
  if (kernels.empty())
    return fail("expected a public function to compile, but " + input +
                " has none");
  FailureOr<std::string> output =
      emission == Emission::MLIR ? imported : emit(*module, **machine);
  if (failed(output) || failed(write(outputPath, *output)))
    return failure();
  return writeInterfaces(kernels);
}

int main(int argc, char **argv) {
  ProblemDefaults defaults;
  std::string file;
  SmallVector<const char *> rest;
  if (failed(takeProblemWords(argc, argv, defaults, file, rest)))
    return 1;
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      rest.size(), rest.data(),
      "Compiles convolutions into kernels for other programs to link\n");
  if (failed(checkOptions()))
    return 1;
  std::string input = llvm::join(words, " ");
  if (!file.empty() && !input.empty())
    return (void)fail("expected one input, but got " + file + " and " + input),
           1;
  if (!file.empty())
    input = file;
  if (input.empty())
    return (void)fail("expected a problem, @FILE or a .mlir file"), 1;

  DialectRegistry registry;
  registerAll(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  ScopedDiagnosticHandler handler(&context, printDiagnostic);
  return failed(compile(&context, input, defaults));
}
