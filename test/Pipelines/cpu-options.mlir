// Pipelines for CPUs make tiles for the machine that their options say, which is
// attached first. What they say nothing of is the module's.

// RUN: convoy-opt %s --convoy-to-tiles-pipeline=cpu=haswell | FileCheck %s --check-prefixes=CPU,CHOSEN
// RUN: convoy-opt %s --convoy-to-llvm-pipeline=cpu=haswell --mlir-print-ir-after=convoy-attach-target 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: convoy-opt %s --convoy-to-tiles-pipeline="cpu=haswell tile=2,1" | FileCheck %s --check-prefixes=TILE,TWO
// RUN: convoy-opt %s --convoy-to-llvm-pipeline="cpu=haswell tile=2,1" --mlir-print-ir-after=convoy-attach-target 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: convoy-opt %s --convoy-to-tiles-pipeline="cpu=haswell l1-bytes=49152 l2-bytes=2097152" | FileCheck %s --check-prefix=CACHES
// RUN: convoy-opt %s --convoy-to-tiles-pipeline=tile=2,1 | FileCheck %s --check-prefixes=MODULE,TWO
// RUN: convoy-opt %s --convoy-to-tiles-pipeline=candidate=1 | FileCheck %s --check-prefix=KEPT
// RUN: convoy-opt %s --convoy-to-tiles-pipeline="cpu=haswell explain" 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: convoy-opt %s --convoy-to-llvm-pipeline="cpu=haswell explain" 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: sed 's/registers = 8/registers = 8, tile = [2, 1]/' %s | convoy-opt --convoy-to-tiles-pipeline=cpu=haswell | FileCheck %s --check-prefixes=TILE,TWO

// A CPU or a number of threads that there is not is an error.
// RUN: not convoy-opt %s --convoy-to-llvm-pipeline=cpu=foo 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not convoy-opt %s --convoy-to-tiles-pipeline=cpu=foo 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not convoy-opt %s --convoy-kernels-to-host-pipeline=cpu=foo 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not convoy-opt %s --convoy-to-llvm-pipeline="cpu=haswell triple=aarch64-linux-gnu" 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not convoy-opt %s --convoy-to-llvm-pipeline="cpu=haswell triple=mips" 2>&1 | FileCheck %s --check-prefix=TRIPLE
// RUN: not convoy-opt %s --convoy-to-llvm-pipeline=triple=aarch64-linux-gnu 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not convoy-opt %s --convoy-to-llvm-pipeline=threads=-3 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not convoy-opt %s --convoy-to-llvm-pipeline=threads=1025 2>&1 | FileCheck %s --check-prefix=MANY
// UNKNOWN: error: expected a CPU of {{.*}} or host, but got foo
// OTHER: error: expected a CPU of aarch64{{( or host)?}}, but got haswell, which is one of x86_64 (with a triple such as x86_64-linux-gnu)
// TRIPLE: error: expected a triple of x86_64 or aarch64, such as aarch64-linux-gnu, but got mips
// ALONE: error: expected a CPU for the triple aarch64-linux-gnu
// FEW: error: expected from 1 to 1024 threads, but got -3
// MANY: error: expected from 1 to 1024 threads, but got 1025

// CPU: convoy.target = #convoy.target<vector_bytes = 32, registers = 16, l1_bytes = 32768, l2_bytes = 262144, dot = ["avx2_pmaddwd"]>
// TILE: convoy.target = #convoy.target<vector_bytes = 32, registers = 16, l1_bytes = 32768, l2_bytes = 262144, dot = ["avx2_pmaddwd"], tile = [2, 1]>
// CACHES: convoy.target = #convoy.target<vector_bytes = 32, registers = 16, l1_bytes = 49152, l2_bytes = 2097152, dot = ["avx2_pmaddwd"]>
// MODULE: convoy.target = #convoy.target<vector_bytes = 8, registers = 8, l1_bytes = 32768, l2_bytes = 262144, tile = [2, 1]>
// KEPT: convoy.target = #convoy.target<vector_bytes = 8, registers = 8, l1_bytes = 32768, l2_bytes = 262144>
// EXPLAIN: remark: tiles are made for #convoy.target<vector_bytes = 32,
// EXPLAIN: remark: tile: {{.*}} in vectors of 8
module attributes {convoy.target = #convoy.target<vector_bytes = 8, registers = 8>} {

// CHOSEN: scf.forall (%{{[a-z0-9]+}}) in (5)
// TWO: scf.forall {{.*}} step ({{[0-9]+}}, 2, 1)
func.func @conv(%x: tensor<1x9x7x4xf32>, %w: tensor<3x3x4x24xf32>, %init: tensor<1x7x5x24xf32>) -> tensor<1x7x5x24xf32> {
  %0 = convoy.conv ins(%x, %w : tensor<1x9x7x4xf32>, tensor<3x3x4x24xf32>) outs(%init : tensor<1x7x5x24xf32>) layout(nhwc x hwcf -> nhwf)
  return %0 : tensor<1x7x5x24xf32>
}

}
