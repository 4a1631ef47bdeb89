//===- SampleInputs.h - Images and positions to sample ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_SAMPLEINPUTS_H
#define CONVOY_DRIVER_SAMPLEINPUTS_H

#include "convoy/Runtime/Generate.h"
#include "convoy/Runtime/HostArray.h"
#include "convoy/Support/SampleProblem.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::convoy {

/// The arguments of `problem`, image and grid or what a gradient takes: a value
/// follows from the seed and the logical index, so that every layout sees the
/// same problem. What the kinds are of grids, docs/Sampling.md says. Where
/// there is not enough memory, nothing, and one sentence in `error`.
std::optional<std::vector<::convoy::HostArray>>
generateSampleInputs(const ::convoy::SampleProblem &problem,
                     ::convoy::DataKind kind, uint64_t seed,
                     std::string &error);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_SAMPLEINPUTS_H
