// RUN: convoy-opt %s --convoy-request-tiles --split-input-file | FileCheck %s

// CHECK-LABEL: module @tiles
module @tiles {
  llvm.func @kernel(%shapes: !llvm.ptr) {
    llvm.call_intrinsic "llvm.x86.ldtilecfg"(%shapes) : (!llvm.ptr) -> ()
    llvm.return
  }
  // arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILE_DATA)
  // CHECK: llvm.func internal @convoy_request_tiles() {
  // CHECK-DAG: %[[CALL:.*]] = llvm.mlir.constant(158 : i64)
  // CHECK-DAG: %[[ASK:.*]] = llvm.mlir.constant(4131 : i64)
  // CHECK-DAG: %[[TILES:.*]] = llvm.mlir.constant(18 : i64)
  // CHECK: llvm.inline_asm has_side_effects "syscall", "={rax},{rax},{rdi},{rsi},~{rcx},~{r11},~{memory}" %[[CALL]], %[[ASK]], %[[TILES]]
  // CHECK-NEXT: llvm.return
  // CHECK: llvm.mlir.global_ctors ctors = [@convoy_request_tiles], priorities = [65535 : i32], data = [#llvm.zero]
}

// -----

// CHECK-LABEL: module @vectors
// CHECK-NOT: convoy_request_tiles
module @vectors {
  llvm.func @kernel(%sums: vector<16xf32>, %a: vector<32xbf16>) -> vector<16xf32> {
    %r = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%sums, %a, %a) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
    llvm.return %r : vector<16xf32>
  }
}
