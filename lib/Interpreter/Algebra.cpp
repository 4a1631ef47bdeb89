//===- Algebra.cpp - Sums in the order of the calls -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Interpreter/Algebra.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::convoy;

namespace {
class SumsInOrder final : public Sums {
public:
  SumsInOrder(Algebra::Function add, std::vector<Scalar> sums)
      : addTwo(std::move(add)), sums(std::move(sums)) {}

  void add(int64_t place, const Scalar &term) override {
    sums[place] = addTwo({sums[place], term});
  }
  Scalar get(int64_t place) override { return sums[place]; }

private:
  Algebra::Function addTwo;
  std::vector<Scalar> sums;
};
} // namespace

std::unique_ptr<Sums> Algebra::startSums(Type type, std::vector<Scalar> inits) {
  StringRef name = isa<FloatType>(type) ? "arith.addf" : "arith.addi";
  FailureOr<Function> add =
      resolve(name, DictionaryAttr::get(type.getContext()), type, {type, type});
  assert(succeeded(add) && "every algebra adds");
  return std::make_unique<SumsInOrder>(*add, std::move(inits));
}

std::unique_ptr<Sums> Algebra::startSumsOf(Operation *, Type type,
                                           std::vector<Scalar> inits) {
  return startSums(type, std::move(inits));
}

std::unique_ptr<Sampler> Algebra::startSampling(const Sampling &) {
  return nullptr;
}
