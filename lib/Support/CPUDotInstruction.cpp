//===- CPUDotInstruction.cpp - Dot products of CPUs -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the "Intel 64 and IA-32 Architectures Software Developer's Manual",
// volume 2, and the "Arm Architecture Reference Manual for A-profile
// architecture" (DDI 0487), whose BFDotAdd() and BFAdd() say how BFDOT rounds,
// and BFMatMulAdd() that BFMMLA rounds as two of BFDOT do, one after the other.
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/CPUDotInstruction.h"

#include <algorithm>
#include <bit>

using namespace convoy;
using Part = CPUDotInstruction::Part;

static constexpr CPUDotInstruction kInstructions[] = {
    {.name = "sse2_pmaddwd",
     .part = Part::I16,
     .adds = false,
     .intrinsics = {"", "llvm.x86.sse2.pmadd.wd"}},
    {.name = "avx2_pmaddwd",
     .part = Part::I16,
     .adds = false,
     .intrinsics = {"", "llvm.x86.sse2.pmadd.wd", "llvm.x86.avx2.pmadd.wd"}},
    {.name = "avx512_pmaddwd",
     .part = Part::I16,
     .adds = false,
     .intrinsics = {"", "llvm.x86.sse2.pmadd.wd", "llvm.x86.avx2.pmadd.wd",
                    "llvm.x86.avx512.pmaddw.d.512"}},
    {.name = "avx_vpdpwssd",
     .part = Part::I16,
     .intrinsics = {"", "llvm.x86.avx512.vpdpwssd.128",
                    "llvm.x86.avx512.vpdpwssd.256"}},
    {.name = "avx512_vpdpwssd",
     .part = Part::I16,
     .intrinsics = {"", "llvm.x86.avx512.vpdpwssd.128",
                    "llvm.x86.avx512.vpdpwssd.256",
                    "llvm.x86.avx512.vpdpwssd.512"}},
    {.name = "avx_vpdpbusd",
     .part = Part::I8,
     .aUnsigned = true,
     .intrinsics = {"", "llvm.x86.avx512.vpdpbusd.128",
                    "llvm.x86.avx512.vpdpbusd.256"}},
    {.name = "avx512_vpdpbusd",
     .part = Part::I8,
     .aUnsigned = true,
     .intrinsics = {"", "llvm.x86.avx512.vpdpbusd.128",
                    "llvm.x86.avx512.vpdpbusd.256",
                    "llvm.x86.avx512.vpdpbusd.512"}},
    {.name = "avx512_vdpbf16ps",
     .part = Part::BF16,
     .intrinsics = {"", "llvm.x86.avx512bf16.dpbf16ps.128",
                    "llvm.x86.avx512bf16.dpbf16ps.256",
                    "llvm.x86.avx512bf16.dpbf16ps.512"}},
    {.name = "amx_tdpbf16ps",
     .part = Part::BF16,
     .tileIntrinsic = "llvm.x86.tdpbf16ps"},
    {.name = "amx_tdpbssd",
     .part = Part::I8,
     .tileIntrinsic = "llvm.x86.tdpbssd"},
    {.name = "amx_tdpbsud",
     .part = Part::I8,
     .bUnsigned = true,
     .tileIntrinsic = "llvm.x86.tdpbsud"},
    {.name = "amx_tdpbusd",
     .part = Part::I8,
     .aUnsigned = true,
     .tileIntrinsic = "llvm.x86.tdpbusd"},
    {.name = "amx_tdpbuud",
     .part = Part::I8,
     .aUnsigned = true,
     .bUnsigned = true,
     .tileIntrinsic = "llvm.x86.tdpbuud"},
    {.name = "neon_sdot",
     .part = Part::I8,
     .intrinsics = {"llvm.aarch64.neon.sdot.v2i32.v8i8",
                    "llvm.aarch64.neon.sdot.v4i32.v16i8"}},
    {.name = "neon_udot",
     .part = Part::I8,
     .aUnsigned = true,
     .bUnsigned = true,
     .intrinsics = {"llvm.aarch64.neon.udot.v2i32.v8i8",
                    "llvm.aarch64.neon.udot.v4i32.v16i8"}},
    {.name = "neon_usdot",
     .part = Part::I8,
     .aUnsigned = true,
     .intrinsics = {"llvm.aarch64.neon.usdot.v2i32.v8i8",
                    "llvm.aarch64.neon.usdot.v4i32.v16i8"}},
    {.name = "neon_bfdot",
     .part = Part::BF16,
     .roundsToOdd = true,
     .intrinsics = {"llvm.aarch64.neon.bfdot.v2f32.v4bf16",
                    "llvm.aarch64.neon.bfdot.v4f32.v8bf16"}},
    {.name = "neon_smmla",
     .part = Part::I8,
     .wordBits = 64,
     .intrinsics = {"", "llvm.aarch64.neon.smmla.v4i32.v16i8"}},
    {.name = "neon_ummla",
     .part = Part::I8,
     .wordBits = 64,
     .aUnsigned = true,
     .bUnsigned = true,
     .intrinsics = {"", "llvm.aarch64.neon.ummla.v4i32.v16i8"}},
    {.name = "neon_usmmla",
     .part = Part::I8,
     .wordBits = 64,
     .aUnsigned = true,
     .intrinsics = {"", "llvm.aarch64.neon.usmmla.v4i32.v16i8"}},
    {.name = "neon_bfmmla",
     .part = Part::BF16,
     .wordBits = 64,
     .roundsToOdd = true,
     .intrinsics = {"", "llvm.aarch64.neon.bfmmla"}}};

std::string_view CPUDotInstruction::getIntrinsic(int64_t bytes) const {
  bool isKnown =
      bytes >= 8 && bytes <= 64 && std::has_single_bit(uint64_t(bytes));
  return isKnown ? intrinsics[std::countr_zero(uint64_t(bytes)) - 3] : "";
}

const CPUDotInstruction *convoy::getDotInstruction(std::string_view name) {
  const auto *found =
      std::ranges::find(kInstructions, name, &CPUDotInstruction::name);
  return found == std::end(kInstructions) ? nullptr : found;
}

std::span<const CPUDotInstruction> convoy::getDotInstructions() {
  return kInstructions;
}
