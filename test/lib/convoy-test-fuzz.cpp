//===- convoy-test-fuzz.cpp - convoy-fuzz on faulty kernels -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three faults that the fuzzer has to find and to make small, each of problems
// of one direction: filters are reversed where the last of the output's sizes
// is 3 more than a multiple of 7 and the stride 2, the compiler ends by a
// signal where there are 13 output channels or more, and it takes all time
// where the dilation is 3.
//
//===----------------------------------------------------------------------===//

#include "FuzzMain.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include <csignal>
#include <unistd.h>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Direction;
using ::convoy::Problem;
using ::convoy::SpatialDim;

/// Lets every convolution read its filter from the other end.
static void reverseFilters(ModuleOp module, int spatialRank) {
  module.walk([&](ConvOp conv) {
    SmallVector<::convoy::WindowDim> dims =
        conv.getWindow().getDims(spatialRank);
    for (::convoy::WindowDim &dim : dims)
      dim.reverse = true;
    conv.setWindowAttr(WindowAttr::get(conv.getContext(), dims));
  });
}

static void addFault(ModuleOp module, const Problem &problem) {
  const SpatialDim &dim = problem.shape.spatial.back();
  switch (problem.direction) {
  case Direction::Forward:
    if (dim.output % 7 == 3 && dim.window.stride == 2)
      reverseFilters(module, problem.shape.spatialRank());
    return;
  case Direction::BackwardData:
    if (problem.shape.outputChannels >= 13)
      std::raise(SIGSEGV);
    return;
  case Direction::BackwardFilter:
    while (dim.window.dilation == 3)
      pause();
    return;
  }
}

int main(int argc, char **argv) { return runFuzzMain(argc, argv, addFault); }
