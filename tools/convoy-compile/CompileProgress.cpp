//===- CompileProgress.cpp - How far compiling problems is ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileProgress.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"

using namespace mlir;
using namespace mlir::convoy;

class CompileProgress::Instrumentation : public PassInstrumentation {
public:
  explicit Instrumentation(CompileProgress &owner) : owner(owner) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    auto symbol =
        op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    if (!symbol || !owner.problems.contains(symbol))
      return;
    // Modules have kernels in the order of problems.
    size_t number = owner.numbers.try_emplace(symbol, owner.numbers.size() + 1)
                        .first->second;
    owner.progress.show(number, owner.problems.size(),
                        (symbol.getValue() + ": " + pass->getArgument()).str());
  }

private:
  CompileProgress &owner;
};

void CompileProgress::addTo(PassManager &pm) {
  if (problems.size() > 1)
    pm.addInstrumentation(std::make_unique<Instrumentation>(*this));
}

void CompileProgress::startEmission() {
  if (problems.size() > 1)
    progress.show(problems.size(), problems.size(), "machine code");
}
