// RUN: convoy-opt %s --convoy-attach-rocm-chip | FileCheck %s --check-prefix=GFX942
// RUN: convoy-opt %s --convoy-attach-rocm-chip="chip=gfx90a" | FileCheck %s --check-prefix=GFX90A
// RUN: convoy-opt %s --convoy-attach-rocm-chip="chip=gfx950" | FileCheck %s --check-prefix=GFX950
// RUN: convoy-opt %s --convoy-attach-rocm-chip="chip=gfx1100" | FileCheck %s --check-prefix=GFX1100
// RUN: convoy-opt %s --convoy-attach-rocm-chip="chip=gfx1201" | FileCheck %s --check-prefix=GFX1201
// RUN: not convoy-opt %s --convoy-attach-rocm-chip="chip=gfx906" 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// GFX942:      convoy.rocm_chip = "gfx942"
// GFX942-SAME: convoy.target = #convoy.target<vector_bytes = 16, registers = 32, l1_bytes = 32768, l2_bytes = 262144, subgroup = 64, workgroup_bytes = 65536, workgroup_items = 1024,
// GFX942-SAME: matrix = ["mfma_f32_16x16x4f32", "mfma_f32_16x16x16f16", "mfma_f32_16x16x16bf16_1k", "mfma_i32_16x16x32_i8"], compute_units = 304>
// GFX90A:      "gfx90a"{{.*}}subgroup = 64, workgroup_bytes = 65536, workgroup_items = 1024, matrix = ["mfma_{{.*}}"mfma_i32_16x16x16i8"], compute_units = 110>
// GFX950:      "gfx950"{{.*}}subgroup = 64, workgroup_bytes = 163840, workgroup_items = 1024, matrix = ["mfma_{{.*}}"mfma_i32_16x16x64_i8"], compute_units = 256>
// GFX1100:     "gfx1100"{{.*}}subgroup = 32, workgroup_bytes = 65536, workgroup_items = 1024, matrix = ["wmma_f32_16x16x16_f16_w32", {{.*}}], compute_units = 96>
// GFX1201:     "gfx1201"{{.*}}subgroup = 32, workgroup_bytes = 65536, workgroup_items = 1024, matrix = ["wmma_f32_16x16x16_f16_w32_gfx12", {{.*}}], compute_units = 64>

// UNKNOWN: error: expected a chip, gfx90a, gfx942, gfx950, gfx1100 or gfx1201, but got gfx906
module {}
