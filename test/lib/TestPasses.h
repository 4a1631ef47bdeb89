//===- TestPasses.h - Passes that only tests run ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_LIB_TESTPASSES_H
#define CONVOY_TEST_LIB_TESTPASSES_H

namespace mlir::convoy::test {

/// Registers `test-convoy-break`, which makes a mistake of a given kind.
void registerTestBreakPass();

/// Registers `test-convoy-emit-spirv`, which prints SPIR-V as text once it is
/// found valid.
void registerTestEmitSPIRVPass();

/// Registers `test-convoy-forget-transpose`, which makes convolutions read
/// their filters transposed.
void registerTestForgetTransposePass();

/// Registers `test-convoy-index-relation`, which prints the index relations of
/// convolutions and the index maps of im2cols.
void registerTestIndexRelationPass();

/// Registers `test-convoy-tile-im2col`, which tiles each im2col through its
/// TilingInterface.
void registerTestTileIm2colPass();

/// Registers all of the above.
inline void registerTestPasses() {
  registerTestBreakPass();
  registerTestEmitSPIRVPass();
  registerTestForgetTransposePass();
  registerTestIndexRelationPass();
  registerTestTileIm2colPass();
}

} // namespace mlir::convoy::test

#endif // CONVOY_TEST_LIB_TESTPASSES_H
