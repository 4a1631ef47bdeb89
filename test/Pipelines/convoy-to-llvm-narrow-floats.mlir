// Kernels never call a library to convert floats of 16 bits: a CPU without the
// instructions does it in integers, and only bits are loaded and stored.

// RUN: convoy-opt %s --convoy-to-llvm-pipeline=cpu=x86-64 | FileCheck %s --check-prefix=BITS
// RUN: convoy-opt %s --convoy-to-llvm-pipeline | FileCheck %s --check-prefix=BITS
// RUN: convoy-opt %s --convoy-to-llvm-pipeline=cpu=haswell | FileCheck %s --check-prefix=F16C

// The CPU decides, not the target that the module had.
module attributes {convoy.target = #convoy.target<vector_bytes = 8, registers = 8>} {

// BITS-LABEL: llvm.func internal @half.body
// BITS-NOT:     f16
// BITS:         llvm.return
// F16C-LABEL: llvm.func internal @half.body
// F16C:         llvm.fpext %{{.*}} : {{.*}}f16{{.*}} to {{.*}}f32
// F16C:         llvm.fptrunc %{{.*}} : {{.*}}f32{{.*}} to {{.*}}f16
// F16C:         llvm.return
func.func @half(%x: tensor<1x7x3xf16>, %w: tensor<2x3x5xf16>, %init: tensor<1x6x5xf16>) -> tensor<1x6x5xf16> {
  %0 = convoy.conv ins(%x, %w : tensor<1x7x3xf16>, tensor<2x3x5xf16>) outs(%init : tensor<1x6x5xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  return %0 : tensor<1x6x5xf16>
}

// f64 goes through f32: only few CPUs convert it to f16.
// BITS-LABEL: llvm.func internal @half_in_double.body
// BITS-NOT:     f16
// BITS:         llvm.return
// F16C-LABEL: llvm.func internal @half_in_double.body
// F16C-NOT:     f64 to {{.*}}f16
// F16C:         llvm.return
func.func @half_in_double(%x: tensor<1x7x3xf16>, %w: tensor<2x3x5xf16>, %init: tensor<1x6x5xf16>) -> tensor<1x6x5xf16> {
  %0 = convoy.conv ins(%x, %w : tensor<1x7x3xf16>, tensor<2x3x5xf16>) outs(%init : tensor<1x6x5xf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f64)
  return %0 : tensor<1x6x5xf16>
}

// BITS-LABEL: llvm.func internal @bfloat.body
// BITS-NOT:     bf16
// BITS:         llvm.return
// F16C-LABEL: llvm.func internal @bfloat.body
// F16C-NOT:     bf16
// F16C:         llvm.return
func.func @bfloat(%x: tensor<1x7x3xbf16>, %w: tensor<2x3x5xbf16>) -> tensor<1x6x5xbf16> {
  %one = arith.constant 1.0 : bf16
  %empty = tensor.empty() : tensor<1x6x5xbf16>
  %init = linalg.fill ins(%one : bf16) outs(%empty : tensor<1x6x5xbf16>) -> tensor<1x6x5xbf16>
  %0 = convoy.conv ins(%x, %w : tensor<1x7x3xbf16>, tensor<2x3x5xbf16>) outs(%init : tensor<1x6x5xbf16>) layout(nwc x wcf -> nwf) numerics(accumulator = f32)
  return %0 : tensor<1x6x5xbf16>
}

}
