//===- ConvoyPlugin.cpp - Our dialect and passes for mlir-opt ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-opt --load-dialect-plugin=ConvoyPlugin.so
//     --load-pass-plugin=ConvoyPlugin.so
//     --pass-pipeline='builtin.module(convoy-conv-to-im2col)'
//
//===----------------------------------------------------------------------===//

#include "convoy/Certify/CertifyEach.h"
#include "convoy/InitAll.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

/// What `--load-dialect-plugin` asks for.
extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Convoy", CONVOY_VERSION,
          [](mlir::DialectRegistry *registry) {
            mlir::convoy::registerAllDialects(*registry);
          }};
}

/// What `--load-pass-plugin` asks for.
extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Convoy", CONVOY_VERSION, [] {
            mlir::convoy::registerAllPasses();
            mlir::convoy::registerCertifyPassesPass();
          }};
}
