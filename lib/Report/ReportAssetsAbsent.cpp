//===- ReportAssetsAbsent.cpp - A build without reports -------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportAssets.h"

const mlir::convoy::ReportAssets *mlir::convoy::getReportAssets() {
  return nullptr;
}
