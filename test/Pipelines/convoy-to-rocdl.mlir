// RUN: convoy-opt %s --convoy-to-rocdl-pipeline="chip=gfx1100" | FileCheck %s
// RUN: convoy-opt %s --convoy-attach-rocm-chip="chip=gfx1100" --convoy-to-kernels-pipeline --convoy-kernels-to-rocdl-pipeline -o %t.halves
// RUN: convoy-opt %s --convoy-to-rocdl-pipeline="chip=gfx1100" -o %t.whole
// RUN: cmp %t.halves %t.whole
// RUN: convoy-opt %s --convoy-to-kernels-pipeline --convoy-kernels-to-rocdl-pipeline="chip=gfx90a" -o /dev/null
// RUN: convoy-opt %s --convoy-to-rocdl-pipeline="chip=gfx942 explain" -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN

// EXPLAIN: remark: workgroups of {{[0-9]+}} work-items compute tiles

// CHECK:      module attributes {convoy.rocm_chip = "gfx1100"
// CHECK-NOT:  func.func
// CHECK-NOT:  gpu.func
// CHECK:      gpu.module @kernels
// CHECK-DAG:    llvm.mlir.global internal @__wg_conv_0_{{.*}} {addr_space = 3 : i32, alignment = 16 : i64}
// CHECK-DAG:    llvm.func @conv_0(%{{[^:]*}}: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.dereferenceable = {{[0-9]+}} : i64, llvm.noalias, llvm.readonly}
// CHECK:          llvm.fmul {{.*}} {fastmathFlags = #llvm.fastmath<contract>} : vector<4xf32>
// CHECK-NOT:  builtin.unrealized_conversion_cast
func.func @conv(%x: tensor<1x15x16x3xf32>, %w: tensor<3x3x3x24xf32>, %init: tensor<1x13x14x24xf32>) -> tensor<1x13x14x24xf32> {
  %y = convoy.conv ins(%x, %w : tensor<1x15x16x3xf32>, tensor<3x3x3x24xf32>)
      outs(%init : tensor<1x13x14x24xf32>) layout(nhwc x hwcf -> nhwf)
  return %y : tensor<1x13x14x24xf32>
}
