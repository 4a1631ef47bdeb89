// What torch-mlir makes of a module of PyTorch, with its names and forms: padding as
// tensor.pad, a bias that is broadcast, ReLU and ReLU6 as comparisons, weights as
// constants, and the seed of random numbers. Three convolutions are one kernel.
// RUN: convoy-compile %s -o %t.o --header - | FileCheck %s
// RUN: convoy-run %s --target=cpu,vulkan,rocm-sim --check --data=int | FileCheck %s --check-prefix=EXACT
// RUN: convoy-run %s --target=cpu,vulkan,rocm-sim --check --data=normal | FileCheck %s --check-prefix=NORMAL
// CHECK: int forward(const float *CONVOY_RESTRICT arg0, float *CONVOY_RESTRICT output, void *CONVOY_RESTRICT workspace);
// EXACT: 1 case on cpu: 1 passed, 0 failed, worst error/bound 0.0000, 1 exact
// EXACT-NEXT: 1 case on rocm-sim: 1 passed, 0 failed, worst error/bound 0.0000, 1 exact
// EXACT-NEXT: 1 case on vulkan: 1 passed, 0 failed, worst error/bound 0.0000, 1 exact
// NORMAL: 1 case on cpu: 1 passed, 0 failed, worst error/bound 0.{{[0-9]+}}, 1 explained
// NORMAL-NEXT: 1 case on rocm-sim: 1 passed, 0 failed, worst error/bound 0.{{[0-9]+}}, 1 explained
// NORMAL-NEXT: 1 case on vulkan: 1 passed, 0 failed, worst error/bound 0.{{[0-9]+}}, 1 explained

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
module attributes {torch.debug_module_name = "Net"} {
  ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
  func.func @forward(%arg0: tensor<1x3x8x7xf32>) -> tensor<1x5x4x3xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 6.000000e+00 : f32
    %filter = arith.constant dense<0.5> : tensor<4x3x3x3xf32>
    %bias = arith.constant dense<[1.0, -2.0, 3.0, 0.25]> : tensor<4xf32>
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x3x8x7xf32> to tensor<1x3x10x9xf32>
    %0 = tensor.empty() : tensor<1x4x8x7xf32>
    %broadcasted = linalg.broadcast ins(%bias : tensor<4xf32>) outs(%0 : tensor<1x4x8x7xf32>) dimensions = [0, 2, 3]
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %filter : tensor<1x3x10x9xf32>, tensor<4x3x3x3xf32>) outs(%broadcasted : tensor<1x4x8x7xf32>) -> tensor<1x4x8x7xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<1x4x8x7xf32>) outs(%0 : tensor<1x4x8x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %9 = arith.cmpf ugt, %in, %cst : f32
      %10 = arith.select %9, %in, %cst : f32
      linalg.yield %10 : f32
    } -> tensor<1x4x8x7xf32>
    %depth = arith.constant dense<0.25> : tensor<4x3x3xf32>
    %padded_1 = tensor.pad %2 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x4x8x7xf32> to tensor<1x4x10x9xf32>
    %3 = tensor.empty() : tensor<1x4x4x4xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    %5 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded_1, %depth : tensor<1x4x10x9xf32>, tensor<4x3x3xf32>) outs(%4 : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    %scale = arith.constant dense<[1.0, 2.0, 0.5, 1.5]> : tensor<4xf32>
    %6 = linalg.generic {indexing_maps = [#map, #channel, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %scale : tensor<1x4x4x4xf32>, tensor<4xf32>) outs(%3 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %9 = arith.mulf %in, %in_3 : f32
      %10 = arith.cmpf ult, %9, %cst : f32
      %11 = arith.select %10, %cst, %9 : f32
      %12 = arith.cmpf ugt, %11, %cst_0 : f32
      %13 = arith.select %12, %cst_0, %11 : f32
      linalg.yield %13 : f32
    } -> tensor<1x4x4x4xf32>
    %last = arith.constant dense<-0.125> : tensor<5x4x1x2xf32>
    %7 = tensor.empty() : tensor<1x5x4x3xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<1x5x4x3xf32>) -> tensor<1x5x4x3xf32>
    %14 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%6, %last : tensor<1x4x4x4xf32>, tensor<5x4x1x2xf32>) outs(%8 : tensor<1x5x4x3xf32>) -> tensor<1x5x4x3xf32>
    return %14 : tensor<1x5x4x3xf32>
  }
}
