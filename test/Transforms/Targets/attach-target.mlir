// RUN: convoy-opt %s --convoy-attach-target | FileCheck %s
// RUN: convoy-opt %s --convoy-attach-target="vector-bytes=64 registers=32 l1-bytes=49152 l2-bytes=2097152 tile=14,2" \
// RUN:   | FileCheck %s --check-prefix=SET
// RUN: convoy-opt %s --convoy-attach-target="subgroup=32 workgroup-bytes=49152 workgroup-items=1024 slow-shared-memory=true" \
// RUN:   | FileCheck %s --check-prefix=GPU

// CHECK: module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16, l1_bytes = 32768, l2_bytes = 262144>}
// SET: module attributes {convoy.target = #convoy.target<vector_bytes = 64, registers = 32, l1_bytes = 49152, l2_bytes = 2097152, tile = [14, 2]>}
// GPU: module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 16, l1_bytes = 32768, l2_bytes = 262144, subgroup = 32, workgroup_bytes = 49152, workgroup_items = 1024, slow_shared_memory = true>}
module attributes {convoy.target = #convoy.target<vector_bytes = 8, registers = 8>} {}
