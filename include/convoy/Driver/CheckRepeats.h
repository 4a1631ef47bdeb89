//===- CheckRepeats.h - Whether results are the same again ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_CHECKREPEATS_H
#define CONVOY_DRIVER_CHECKREPEATS_H

#include "convoy/Driver/CheckProblem.h"

namespace mlir::convoy {

/// One of the kernels that have to give the same bits.
struct RepeatedKernel {
  LoadedKernel kernel;
  std::string name; ///< what tells it from the others, as `2 threads`
};

/// What an element is called: the one at `position` of `array`, which is the
/// kernel's result `number`.
using PlaceNamer = function_ref<std::string(
    size_t number, const ::convoy::HostArray &array, int64_t position)>;

/// Runs each of `kernels`, which compute the same, `runs` times on `arguments`,
/// and compares all bits with those of `result`, which the first kernel gave in
/// its first run. The first difference of each kernel, with its place, is a
/// fault of `result`, and so is a run that fails.
void checkRepeats(PlaceNamer getPlace, ArrayRef<RepeatedKernel> kernels,
                  const std::vector<::convoy::HostArray> &arguments,
                  unsigned runs, CheckResult &result);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_CHECKREPEATS_H
