//===- convoy-fit-costs.cpp - Measures the cost models' constants ---------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Measurements.h"

#include "convoy/Driver/StartTool.h"
#include "convoy/Support/TextTable.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"

namespace cl = llvm::cl;
using namespace convoy;

static cl::OptionCategory category("convoy-fit-costs options");
static cl::opt<bool> json("json", cl::cat(category),
                          cl::desc("Print the table as JSON"));
static cl::opt<unsigned>
    repetitions("repetitions", cl::cat(category), cl::init(20),
                cl::value_desc("N"),
                cl::desc("Turns of each loop, of which the best counts (20)"));
static cl::opt<double> minTime("min-time", cl::cat(category), cl::init(5),
                               cl::value_desc("MS"),
                               cl::desc("Least milliseconds of a turn (5)"));

static void printJSON(const MeasuredMachine &machine,
                      const std::vector<Measurement> &measurements) {
  llvm::json::OStream out(llvm::outs(), /*IndentSize=*/2);
  out.object([&] {
    out.attribute("vector_bytes", machine.vectorBytes);
    out.attribute("l1_bytes", machine.l1Bytes);
    out.attribute("l2_bytes", machine.l2Bytes);
    out.attribute("line_bytes", machine.core.lineBytes);
    out.attribute("page_bytes", machine.core.pageBytes);
    out.attribute("gigahertz", machine.gigahertz);
    out.attributeArray("constants", [&] {
      for (const Measurement &one : measurements)
        out.object([&] {
          out.attribute("constant", one.constant);
          out.attribute("unit", one.unit);
          out.attribute("model", one.model);
          out.attribute("measured", one.measured);
        });
    });
  });
  llvm::outs() << '\n';
}

static void printTable(const MeasuredMachine &machine,
                       const std::vector<Measurement> &measurements) {
  llvm::outs() << "vectors of " << machine.vectorBytes << " bytes, "
               << (machine.l1Bytes >> 10) << " KiB of L1, "
               << (machine.l2Bytes >> 10) << " KiB of L2, lines of "
               << machine.core.lineBytes << " bytes, pages of "
               << machine.core.pageBytes << " bytes, "
               << toFixed(machine.gigahertz, 2) << " GHz\n";
  TextTable table({"constant", "unit", "model", "measured", "ratio"});
  for (const Measurement &one : measurements)
    table.addRow({one.constant, one.unit, toFixed(one.model, 2),
                  toFixed(one.measured, 2),
                  toFixed(one.measured / one.model, 2)});
  llvm::outs() << table.toString();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::convoy::startTool("convoy-fit-costs");
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Measures on this machine what cost models take for its constants\n");
  if (repetitions == 0 || !(minTime > 0)) {
    llvm::errs() << "convoy-fit-costs: expected positive numbers for "
                    "'--repetitions' and '--min-time', but got "
                 << repetitions << " and " << minTime << '\n';
    return EXIT_FAILURE;
  }
  MeasuredMachine machine;
  std::vector<Measurement> measurements = measureCosts(
      static_cast<int>(repetitions.getValue()), minTime / 1e3, machine);
  if (json)
    printJSON(machine, measurements);
  else
    printTable(machine, measurements);
  return EXIT_SUCCESS;
}
