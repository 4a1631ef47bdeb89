//===- DeformInputs.h - Data of deformable convolutions ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_DEFORMINPUTS_H
#define CONVOY_DRIVER_DEFORMINPUTS_H

#include "convoy/Runtime/Generate.h"
#include "convoy/Runtime/HostArray.h"
#include "convoy/Support/DeformProblem.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::convoy {

/// The arguments of `problem`, of which a value follows from the seed and the
/// logical index. What the kinds are of offsets and masks, docs/Sampling.md
/// says. Where there is not enough memory, nothing, and one sentence in
/// `error`.
std::optional<std::vector<::convoy::HostArray>>
generateDeformInputs(const ::convoy::DeformProblem &problem,
                     ::convoy::DataKind kind, uint64_t seed,
                     std::string &error);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_DEFORMINPUTS_H
