// RUN: convoy-opt %s --split-input-file --convoy-attach-target | FileCheck %s --check-prefixes=KEPT,DEFAULT
// RUN: convoy-opt %s --split-input-file --convoy-attach-target="vector-bytes=64 registers=32 l1-bytes=49152 l2-bytes=2097152 tile=14,2" \
// RUN:   | FileCheck %s --check-prefix=SET
// RUN: convoy-opt %s --split-input-file --convoy-attach-target=l2-bytes=2097152 | FileCheck %s --check-prefix=CACHE
// RUN: convoy-opt %s --split-input-file --convoy-attach-target="line-bytes=128 page-bytes=16384 critical-stride=8192 tlb-entries=160 last-level-bytes=1048576 prefetch-streams=32 vector-units=3 fma-latency=5 masked-bytes=16 indexed-bytes=32 dot=neon_sdot,neon_bfdot" \
// RUN:   | convoy-opt --split-input-file --convoy-attach-target | FileCheck %s --check-prefix=CORE
// RUN: convoy-opt %s --split-input-file --convoy-attach-target=dot=avx2_pmaddwd | convoy-opt --split-input-file --convoy-attach-target=dot=none | FileCheck %s --check-prefix=KEPT
// RUN: convoy-opt %s --split-input-file --convoy-attach-target="subgroup=32 workgroup-bytes=49152 workgroup-items=1024 slow-shared-memory=true compute-units=20" \
// RUN:   | FileCheck %s --check-prefix=GPU
// RUN: convoy-opt %s --split-input-file --convoy-attach-target=explain=true 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: convoy-opt %s --split-input-file --convoy-attach-target="explain asked=l1_bytes,page_bytes" 2>&1 | FileCheck %s --check-prefix=ASKED

// What no option says stays, but for what makes it a GPU.
// KEPT: module @cpu attributes {convoy.target = #convoy.target<vector_bytes = 8, registers = 8, l1_bytes = 32768, l2_bytes = 262144, tile = [6, 4]>}
// SET: module @cpu attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 49152, l2_bytes = 2097152, tile = [14, 2]>}
// CACHE: module @cpu attributes {convoy.target = #convoy.target<vector_bytes = 8, registers = 8, l1_bytes = 32768, l2_bytes = 2097152, tile = [6, 4]>}
// CORE: module @cpu attributes {convoy.target = #convoy.target<vector_bytes = 8, registers = 8, l1_bytes = 32768, l2_bytes = 262144, line_bytes = 128, page_bytes = 16384, critical_stride = 8192, tlb_entries = 160, last_level_bytes = 1048576, prefetch_streams = 32, vector_units = 3, fma_latency = 5, masked_bytes = 16, indexed_bytes = 32, dot = ["neon_sdot", "neon_bfdot"], tile = [6, 4]>}
// GPU: module @cpu attributes {convoy.target = #convoy.target<vector_bytes = 8, registers = 8, l1_bytes = 32768, l2_bytes = 262144, tile = [6, 4], subgroup = 32, workgroup_bytes = 49152, workgroup_items = 1024, slow_shared_memory = true, compute_units = 20>}
// EXPLAIN: remark: tiles are made for #convoy.target<vector_bytes = 8, registers = 8, l1_bytes = 32768, l2_bytes = 262144, tile = [6, 4]>{{$}}
// ASKED: remark: tiles are made for #convoy.target<{{.*}}>; this machine says l1_bytes, page_bytes{{$}}
module @cpu attributes {convoy.target = #convoy.target<vector_bytes = 8, registers = 8, tile = [6, 4]>} {}

// -----

// KEPT: module @gpu attributes {convoy.target = #convoy.target<vector_bytes = 8, registers = 16, l1_bytes = 32768, l2_bytes = 262144>}
module @gpu attributes {convoy.target = #convoy.target<vector_bytes = 8, subgroup = 32, workgroup_bytes = 49152, workgroup_items = 1024>} {}

// -----

// DEFAULT: module @none attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16, l1_bytes = 32768, l2_bytes = 262144>}
module @none {}
