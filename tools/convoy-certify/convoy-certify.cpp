//===- convoy-certify.cpp - Proves that two files mean the same -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Certify/Certify.h"
#include "convoy/InitAll.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::convoy;
namespace cl = llvm::cl;

static cl::OptionCategory category("Options of convoy-certify");
static cl::opt<std::string> beforePath(cl::Positional, cl::Required,
                                       cl::cat(category), cl::desc("BEFORE"));
static cl::opt<std::string> afterPath(cl::Positional, cl::Required,
                                      cl::cat(category), cl::desc("AFTER"));
static cl::opt<std::string>
    functionName("function", cl::cat(category), cl::value_desc("NAME"),
                 cl::desc("Compare this function alone"));

namespace {
enum ExitCode { Ok = 0, BadInput = 1, Different = 2, Undecided = 4 };
} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM y(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "certify\n");
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::convoy::registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sourceManager;
  SourceMgrDiagnosticHandler handler(sourceManager, &context);
  OwningOpRef<ModuleOp> before =
      parseSourceFile<ModuleOp>(beforePath, &context);
  OwningOpRef<ModuleOp> after = parseSourceFile<ModuleOp>(afterPath, &context);
  if (!before || !after)
    return BadInput;
  int code = Ok;
  for (auto function : before->getOps<FunctionOpInterface>()) {
    auto other = after->lookupSymbol<FunctionOpInterface>(function.getName());
    if (!other)
      return BadInput;
    Certificate certificate = certifyRewrite(function, other);
    llvm::outs() << function.getName() << ": "
                 << (certificate.verdict == Certificate::Verdict::Certified
                         ? "certified"
                     : certificate.verdict == Certificate::Verdict::Different
                         ? "different"
                         : "undecided")
                 << ": " << certificate.message << " (" << certificate.numPieces
                 << " pieces, " << certificate.numFamilies << " families)\n";
    if (certificate.op)
      certificate.op->emitRemark("here");
    if (certificate.verdict != Certificate::Verdict::Certified)
      code = certificate.verdict == Certificate::Verdict::Different ? Different
                                                                    : Undecided;
  }
  return code;
}
