//===- StageFiles.cpp - What each stage of compiling leaves -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/StageFiles.h"

#include "convoy/Pipelines/Pipelines.h"
#include "convoy/Runtime/FileIO.h"
#include "convoy/Target/CPUTarget.h"
#include "convoy/Target/EmitObject.h"

#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;
using namespace mlir::convoy;

static LogicalResult writeText(Operation *op, const std::string &path,
                               StringRef text) {
  std::string error;
  if (::convoy::writeFile(
          path, std::as_bytes(std::span(text.data(), text.size())), error))
    return success();
  return op->emitError(error);
}

namespace {
class StageWriter : public PassInstrumentation {
public:
  StageWriter(std::string stem, int &number)
      : stem(std::move(stem)), number(number) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    if (number == 0)
      write("input", op);
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    if (!pass->getArgument().empty())
      write(pass->getArgument(), op);
  }

private:
  void write(StringRef stage, Operation *op) {
    Operation *module = op;
    while (module->getParentOp())
      module = module->getParentOp();
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os);
    if (text == last)
      return;
    last = text;
    (void)writeText(
        module, llvm::formatv("{0}.{1,0+2}-{2}.mlir", stem, number++, stage),
        text);
  }

  std::string stem;
  std::string last;
  int &number;
};
} // namespace

void mlir::convoy::writeStages(PassManager &pm, std::string stem, int &number) {
  pm.addInstrumentation(std::make_unique<StageWriter>(std::move(stem), number));
}

LogicalResult mlir::convoy::writeMachineFiles(ModuleOp module,
                                              const CompileOptions &options,
                                              const std::string &stem) {
  auto emitError = [&] { return module.emitError(); };
  FailureOr<std::unique_ptr<llvm::TargetMachine>> machine =
      createCPUTargetMachine(options.cpu, emitError);
  if (failed(machine))
    return failure();
  llvm::LLVMContext context;
  FailureOr<std::unique_ptr<llvm::Module>> translated =
      translateForCPU(module, context, **machine, options.optLevel);
  if (failed(translated))
    return failure();
  std::string text;
  llvm::raw_string_ostream(text) << **translated;
  if (failed(writeText(module, stem + ".ll", text)))
    return failure();
  using llvm::CodeGenFileType;
  for (CodeGenFileType kind :
       {CodeGenFileType::AssemblyFile, CodeGenFileType::ObjectFile}) {
    // Emitting changes the module.
    std::unique_ptr<llvm::Module> copy = llvm::CloneModule(**translated);
    SmallString<0> bytes;
    llvm::raw_svector_ostream os(bytes);
    if (failed(emitMachineCode(*copy, **machine, kind, os, emitError)))
      return failure();
    StringRef suffix = kind == CodeGenFileType::AssemblyFile ? ".s" : ".o";
    if (failed(writeText(module, stem + suffix.str(), bytes)))
      return failure();
  }
  return success();
}

std::optional<std::string> mlir::convoy::checkPassName(StringRef pass) {
  MLIRContext context;
  PassManager pm(&context);
  buildConvoyImportPipeline(pm);
  buildConvoyToLLVMPipeline(pm, {});
  std::string pipeline;
  llvm::raw_string_ostream os(pipeline);
  pm.printAsTextualPipeline(os);
  SmallVector<StringRef> names;
  llvm::SplitString(pipeline, names, "(),{}= ");
  if (!pass.empty() && llvm::is_contained(names, pass))
    return std::nullopt;
  return ("expected a pass of the pipeline, such as convoy-conv-to-im2col, but "
          "got '" +
          pass + "'")
      .str();
}
