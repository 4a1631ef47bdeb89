//===- ProblemInputs.cpp - Data for problems that are functions -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/ProblemInputs.h"

#include "convoy/Driver/CheckFunction.h"
#include "convoy/Driver/DeformInputs.h"
#include "convoy/Driver/FunctionInputs.h"
#include "convoy/Driver/SampleInputs.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::DataKind;
using ::convoy::HostArray;

std::optional<std::vector<HostArray>>
mlir::convoy::generateProblemInputs(const ::convoy::AnyProblem &problem,
                                    func::FuncOp function, DataKind kind,
                                    uint64_t seed, std::string &error) {
  if (const auto *samples = std::get_if<::convoy::SampleProblem>(&problem))
    return generateSampleInputs(*samples, kind, seed, error);
  if (const auto *deformed = std::get_if<::convoy::DeformProblem>(&problem))
    return generateDeformInputs(*deformed, kind, seed, error);
  CheckOptions options;
  options.data = kind == DataKind::Special ? DataKind::Uniform : kind;
  options.seed = seed;
  ArgumentShapes shapes;
  fillShapes(function, {}, shapes);
  return generateInputs(function, shapes, options, error);
}
