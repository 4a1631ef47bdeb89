//===- CPUTargetTest.cpp - Tests of what is known of CPUs -----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Target/CPUTarget.h"

#include "convoy/Support/CacheSizes.h"
#include "convoy/Support/TlbEntries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/TargetParser/Triple.h"

#include <gtest/gtest.h>

using namespace mlir::convoy;

// Of the host the machine itself is asked, and LLVM where it says nothing.
TEST(CPUTargetTest, TheHostHasTheMachinesCaches) {
  AttachTargetPassOptions host = getAttachTargetOptions({"host"});
  AttachTargetPassOptions named =
      getAttachTargetOptions({resolveCPU({"host"}).cpu});
  convoy::CacheSizes caches = convoy::getHostCacheSizes();
  EXPECT_EQ(host.l1Bytes, caches.l1 > 0 ? caches.l1 : named.l1Bytes);
  EXPECT_EQ(host.l2Bytes, caches.l2 > 0 ? caches.l2 : named.l2Bytes);
  EXPECT_EQ(host.lineBytes, caches.line);
  EXPECT_EQ(host.criticalStride, caches.criticalStride);
  EXPECT_EQ(host.pageBytes, llvm::sys::Process::getPageSizeEstimate());
  EXPECT_EQ(host.tlbEntries, convoy::getHostTlbEntries());
  EXPECT_EQ(named.pageBytes, 0) << "which keeps the usual";
  EXPECT_TRUE(llvm::is_contained(host.asked, "page_bytes"));
  EXPECT_EQ(llvm::is_contained(host.asked, "l2_bytes"), caches.l2 > 0);
  EXPECT_FALSE(llvm::is_contained(host.asked, "registers"));
  EXPECT_TRUE(named.asked.empty());
}

// The machine is not asked for what the caller says.
TEST(CPUTargetTest, WhatIsGivenStays) {
  AttachTargetPassOptions given;
  given.l2Bytes = 12345;
  given.pageBytes = 8192;
  AttachTargetPassOptions host = getAttachTargetOptions({"host"}, given);
  EXPECT_EQ(host.l2Bytes, 12345);
  EXPECT_EQ(host.pageBytes, 8192);
  EXPECT_FALSE(llvm::is_contained(host.asked, "l2_bytes"));
  EXPECT_FALSE(llvm::is_contained(host.asked, "page_bytes"));
}

#ifdef __x86_64__
// Kernels for a CPU with a name are the same wherever they are compiled.
TEST(CPUTargetTest, NamedCPUsHaveTheCachesOfTheirRegisters) {
  for (const char *cpu : {"haswell", "x86-64", "znver2"}) {
    EXPECT_EQ(getAttachTargetOptions({cpu}).l1Bytes, 32 << 10) << cpu;
    EXPECT_EQ(getAttachTargetOptions({cpu}).l2Bytes, 256 << 10) << cpu;
  }
  for (const char *cpu : {"skylake-avx512", "x86-64-v4", "znver4"}) {
    EXPECT_EQ(getAttachTargetOptions({cpu}).l1Bytes, 32 << 10) << cpu;
    EXPECT_EQ(getAttachTargetOptions({cpu}).l2Bytes, 1 << 20) << cpu;
  }
}
#endif

// And so on any machine, for any other.
TEST(CPUTargetTest, KnowsCoresOfArm) {
  for (const char *triple : {"aarch64-linux-gnu", "arm64-apple-macos"}) {
    AttachTargetPassOptions small =
        getAttachTargetOptions({"cortex-a55", triple});
    EXPECT_EQ(small.vectorBytes, 16);
    EXPECT_EQ(small.registers, 32);
    EXPECT_EQ(small.l1Bytes, 32 << 10);
    EXPECT_EQ(small.lineBytes, 0) << "which keeps the usual";
    AttachTargetPassOptions large =
        getAttachTargetOptions({"apple-m1", triple});
    EXPECT_EQ(large.registers, 32);
    EXPECT_EQ(large.l1Bytes, 128 << 10);
    EXPECT_EQ(large.lineBytes, 128);
    EXPECT_TRUE(convertsF16({"cortex-a55", triple}));
  }
}

TEST(CPUTargetTest, KnowsWhatSumsProductsOfNeighbours) {
  auto getDot = [](const char *cpu, const char *triple) {
    return llvm::join(getAttachTargetOptions({cpu, triple}).dot, ",");
  };
  const char *x86 = "x86_64-linux-gnu", *arm = "aarch64-linux-gnu";
  EXPECT_EQ(getDot("x86-64", x86), "sse2_pmaddwd");
  EXPECT_EQ(getDot("haswell", x86), "avx2_pmaddwd");
  EXPECT_EQ(getDot("alderlake", x86), "avx_vpdpwssd,avx_vpdpbusd");
  EXPECT_EQ(getDot("skylake-avx512", x86), "avx512_pmaddwd");
  EXPECT_EQ(getDot("znver4", x86),
            "avx512_vpdpwssd,avx512_vpdpbusd,avx512_vdpbf16ps");
  EXPECT_EQ(getDot("sapphirerapids", x86),
            "avx512_vpdpwssd,avx512_vpdpbusd,avx512_vdpbf16ps,amx_tdpbf16ps,"
            "amx_tdpbssd,amx_tdpbsud,amx_tdpbusd,amx_tdpbuud");
  EXPECT_EQ(getDot("cortex-a72", arm), "none");
  EXPECT_EQ(getDot("cortex-a55", arm), "neon_sdot,neon_udot");
  EXPECT_EQ(getDot("neoverse-v1", arm),
            "neon_sdot,neon_udot,neon_usdot,neon_smmla,neon_ummla,neon_usmmla,"
            "neon_bfdot,neon_bfmmla");
  EXPECT_EQ(getDot("cortex-a76", arm), "neon_sdot,neon_udot");
}

TEST(CPUTargetTest, KnowsWhatInstructionsKernelsMayHave) {
  auto getFeatures = [](const char *cpu, const char *triple) {
    return llvm::join(getKernelFeatures({cpu, triple}), " ");
  };
  EXPECT_EQ(getFeatures("x86-64", "x86_64-linux-gnu"), "sse sse2");
  EXPECT_EQ(getFeatures("haswell", "x86_64-linux-gnu"),
            "avx avx2 bmi bmi2 f16c fma lzcnt movbe popcnt sse sse2 sse3 "
            "sse4.1 sse4.2 ssse3")
      << "and not what systems alone use, as xsave";
  EXPECT_EQ(getFeatures("cortex-a55", "aarch64-linux-gnu"),
            "dotprod fp-armv8 fullfp16 lse neon rcpc rdm");
}

TEST(CPUTargetTest, FindsWhatThisMachineLacks) {
  llvm::Triple own = getTriple({});
  EXPECT_EQ(findOtherMachine(own, getKernelFeatures({"host"})), "");
  EXPECT_EQ(findOtherMachine(own, {"no-such-feature"}), "");
  EXPECT_EQ(findOtherMachine(llvm::Triple("aarch64-apple-macos"), {}),
            "aarch64-apple-macos");
}

TEST(CPUTargetTest, TheHostIsNoOtherMachine) {
#ifdef __aarch64__
  const char *other = "x86_64-linux-gnu";
#else
  const char *other = "aarch64-linux-gnu";
#endif
  EXPECT_FALSE(convertsF16({"host", other}));
  AttachTargetPassOptions host = getAttachTargetOptions({"host", other});
  EXPECT_TRUE(host.asked.empty());
  EXPECT_EQ(host.registers, 16) << "of the baseline";
}
