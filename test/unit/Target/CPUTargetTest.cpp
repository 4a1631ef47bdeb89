//===- CPUTargetTest.cpp - Tests of what is known of CPUs -----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Target/CPUTarget.h"

#include "convoy/Support/CacheSizes.h"

#include <gtest/gtest.h>

using namespace mlir::convoy;

// Of the host the machine itself is asked, and LLVM where it says nothing.
TEST(CPUTargetTest, TheHostHasTheMachinesCaches) {
  AttachTargetPassOptions host = getAttachTargetOptions("host");
  AttachTargetPassOptions named =
      getAttachTargetOptions(resolveCPU("host").cpu);
  convoy::CacheSizes caches = convoy::getHostCacheSizes();
  EXPECT_EQ(host.l1Bytes, caches.l1 > 0 ? caches.l1 : named.l1Bytes);
  EXPECT_EQ(host.l2Bytes, caches.l2 > 0 ? caches.l2 : named.l2Bytes);
}

#ifdef __x86_64__
// Kernels for a CPU with a name are the same wherever they are compiled.
TEST(CPUTargetTest, NamedCPUsHaveTheCachesOfTheirRegisters) {
  for (const char *cpu : {"haswell", "x86-64", "znver2"}) {
    EXPECT_EQ(getAttachTargetOptions(cpu).l1Bytes, 32 << 10) << cpu;
    EXPECT_EQ(getAttachTargetOptions(cpu).l2Bytes, 256 << 10) << cpu;
  }
  for (const char *cpu : {"skylake-avx512", "x86-64-v4", "znver4"}) {
    EXPECT_EQ(getAttachTargetOptions(cpu).l1Bytes, 32 << 10) << cpu;
    EXPECT_EQ(getAttachTargetOptions(cpu).l2Bytes, 1 << 20) << cpu;
  }
}
#endif
