// One kernel for all batches: on integers, exact sums for each of several sizes,
// the same on all targets. Batches of 21 have more images than a tile.
// RUN: split-file %s %t
// DEFINE: %{name} =
// DEFINE: %{sizes} = --sizes=1,1 --sizes=2,2 --sizes=5,5 --sizes=21,21
// DEFINE: %{run} = convoy-run %t/%{name}.mlir --target=cpu,vulkan,rocm-sim:gfx942,rocm-sim:gfx1100 --check --data=int %{sizes} \
// DEFINE:   | FileCheck %s
// CHECK-COUNT-16: passed
// CHECK: 4 cases on cpu: 4 passed, 0 failed, worst error/bound 0.0000

// REDEFINE: %{name} = forward
// RUN: %{run}
// REDEFINE: %{name} = forward-nchw
// RUN: %{run}
// REDEFINE: %{name} = forward-half
// RUN: %{run}
// REDEFINE: %{name} = forward-matrix
// RUN: %{run}
// REDEFINE: %{name} = forward-dense
// RUN: %{run}
// REDEFINE: %{name} = forward-inner
// RUN: %{run}
// REDEFINE: %{name} = forward-last
// RUN: %{run}
// REDEFINE: %{name} = forward-groups
// RUN: %{run}
// REDEFINE: %{name} = forward-depthwise
// RUN: %{run}
// REDEFINE: %{name} = data
// RUN: %{run}
// REDEFINE: %{name} = data-nchw
// RUN: %{run}
// REDEFINE: %{name} = filter
// RUN: %{run}
// REDEFINE: %{name} = filter-nchw
// RUN: %{run}
// REDEFINE: %{name} = filter-split
// RUN: %{run}
// REDEFINE: %{name} = filter-dense
// RUN: %{run}
// The program with the runtime alone takes the batch, too.
// RUN: convoy-compile %inputs/any_batch.mlir --target=vulkan -o %t/conv.spv --manifest %t/conv.json
// DEFINE: %{example} = convoy-example-vulkan %t/conv.spv %t/conv.json
// RUN: %{example} vulkan 1 | FileCheck %s --check-prefix=EXAMPLE
// RUN: %{example} vulkan 3 | FileCheck %s --check-prefix=EXAMPLE3
// EXAMPLE: plain: {{[1-9]}} launches, {{.*}} ms, 0 of 252 elements wrong
// EXAMPLE3: plain: {{[1-9]}} launches, {{.*}} ms, 0 of 756 elements wrong
// RUN: sh -c '%{example} vulkan 0; test $? = 1' 2>&1 | FileCheck %s --check-prefix=BATCH
// BATCH: convoy-example-vulkan: expected a positive number of images, but got '0'
// RUN: sh -c '%{example} vulkan 4000000; test $? = 1' 2>&1 | FileCheck %s --check-prefix=LARGEST
// LARGEST: convoy-example-vulkan: 'plain' takes a batch of at most 65535

// The profile's buffers hold two images of 64 MiB, and none of 256.
// RUN: convoy-compile %t/large.mlir --target=vulkan -o %t/x.spv --manifest %t/large.json && FileCheck %s --check-prefix=LARGE < %t/large.json
// LARGE: "largest_batch": 2,
// RUN: sh -c 'convoy-compile %t/too-large.mlir --target=vulkan -o %t/x.spv; test $? = 1' 2>&1 | FileCheck %s --check-prefix=TOO-LARGE
// TOO-LARGE: too-large.mlir:{{.*}} expected images of fewer elements in a batch of dynamic size

// lavapipe runs 65,535 iterations of a work-item's loops: more images than fit
// into these are refused.
// DEFINE: %{images} = 85
// DEFINE: %{long} = convoy-run mb%{images}_ic1iw761_oc1ow761_kw1_pw0 --dir=BWD_W --dynamic=n --input-layout=nwc --filter-layout=wcf --output-layout=nwf --target=vulkan --profile=lavapipe --check --data=int --quiet
// RUN: %{long} | FileCheck %s --check-prefix=LONGEST
// LONGEST: 1 case on vulkan: 1 passed, 0 failed, worst error/bound 0.0000, 1 exact
// REDEFINE: %{images} = 86
// RUN: not %{long} 2>&1 | FileCheck %s --check-prefix=LONGER
// LONGER: 'conv0_0' takes a batch of at most 85, but got 86

// What lies between two convolutions is in the workspace, for each image.
// RUN: convoy-run mb21_ic4ih11iw8_oc5oh9ow7_kh3kw2_ph0pw0 --data=int --output=@%t/x.npy
// DEFINE: %{two} = convoy-run %t/two.mlir --input=@%t/x.npy --input=3x2x5x6xf32=2 --input=2x3x6x4xf32=3
// RUN: %{two} --output=@%t/cpu.npy
// RUN: %{two} --target=vulkan --output=@%t/vulkan.npy && cmp %t/cpu.npy %t/vulkan.npy
// RUN: %{two} --target=rocm-sim --output=@%t/rocm.npy && cmp %t/cpu.npy %t/rocm.npy

// A reshape takes a dimension of size 1 from before the batch. The input is
// doubled, and so are the numbers of the filter beside.
// DEFINE: %{reshaped} = convoy-run %t/reshaped.mlir --input=@%t/x.npy --input=3x2x5x6xf32=2
// RUN: convoy-run mb21_ic5ih9iw7_oc6oh7ow6_kh3kw2_ph0pw0 --input=@%t/x.npy --input=3x2x5x6xf32=4 --output=@%t/cpu1.npy
// RUN: %{reshaped} --target=vulkan --output=@%t/vulkan1.npy && cmp %t/cpu1.npy %t/vulkan1.npy
// RUN: %{reshaped} --target=rocm-sim --output=@%t/rocm1.npy && cmp %t/cpu1.npy %t/rocm1.npy

// Other sizes than the batch's have to be known.
// RUN: sh -c 'convoy-compile %t/height.mlir --target=vulkan -o %t/x.spv; test $? = 1' 2>&1 | FileCheck %s --check-prefix=HEIGHT
// HEIGHT: height.mlir:{{.*}} expected a known size of h in the input, since kernels of GPUs take no dynamic size but the batch

// An empty batch: nothing is launched but what adds no image to an init.
// REDEFINE: %{sizes} = --sizes=0,0 --sizes=3,3 --sizes=0,0 --sizes=1,1
// REDEFINE: %{name} = forward
// RUN: %{run}
// REDEFINE: %{name} = filter
// RUN: %{run}
// REDEFINE: %{name} = filter-split
// RUN: %{run}

//--- forward.mlir
func.func @forward(%a: tensor<?x9x7x5xf32>, %b: tensor<3x2x5x6xf32>, %init: tensor<?x5x8x6xf32>) -> tensor<?x5x8x6xf32> {
  %r = convoy.conv ins(%a, %b : tensor<?x9x7x5xf32>, tensor<3x2x5x6xf32>) outs(%init : tensor<?x5x8x6xf32>)
      layout(nhwc x hwcf -> nhwf) window(stride = [2, 1], pad = [[1, 1], [0, 2]])
  return %r : tensor<?x5x8x6xf32>
}
//--- forward-nchw.mlir
func.func @forward_nchw(%a: tensor<?x8x9x7xf32>, %b: tensor<12x8x3x3xf32>, %init: tensor<?x12x9x7xf32>) -> tensor<?x12x9x7xf32> {
  %r = convoy.conv ins(%a, %b : tensor<?x8x9x7xf32>, tensor<12x8x3x3xf32>) outs(%init : tensor<?x12x9x7xf32>)
      layout(nchw x fchw -> nfhw) window(pad = [[1, 1], [1, 1]])
  return %r : tensor<?x12x9x7xf32>
}
//--- forward-half.mlir
func.func @forward_half(%a: tensor<?x9x7x8xf16>, %b: tensor<3x3x8x12xf16>, %init: tensor<?x9x7x12xf16>) -> tensor<?x9x7x12xf16> {
  %r = convoy.conv ins(%a, %b : tensor<?x9x7x8xf16>, tensor<3x3x8x12xf16>) outs(%init : tensor<?x9x7x12xf16>)
      layout(nhwc x hwcf -> nhwf) window(pad = [[1, 1], [1, 1]]) numerics(accumulator = f32)
  return %r : tensor<?x9x7x12xf16>
}
//--- forward-matrix.mlir
func.func @forward_matrix(%a: tensor<?x9x7x32xf16>, %b: tensor<3x3x32x48xf16>, %init: tensor<?x9x7x48xf16>) -> tensor<?x9x7x48xf16> {
  %r = convoy.conv ins(%a, %b : tensor<?x9x7x32xf16>, tensor<3x3x32x48xf16>) outs(%init : tensor<?x9x7x48xf16>)
      layout(nhwc x hwcf -> nhwf) window(pad = [[1, 1], [1, 1]]) numerics(accumulator = f32)
  return %r : tensor<?x9x7x48xf16>
}
//--- forward-dense.mlir
func.func @forward_dense(%a: tensor<?x1x1x40xf32>, %b: tensor<1x1x40x24xf32>, %init: tensor<?x1x1x24xf32>) -> tensor<?x1x1x24xf32> {
  %r = convoy.conv ins(%a, %b : tensor<?x1x1x40xf32>, tensor<1x1x40x24xf32>) outs(%init : tensor<?x1x1x24xf32>)
      layout(nhwc x hwcf -> nhwf)
  return %r : tensor<?x1x1x24xf32>
}
//--- forward-inner.mlir
func.func @forward_inner(%a: tensor<9x7x?x5xf32>, %b: tensor<3x2x5x6xf32>, %init: tensor<7x6x?x6xf32>) -> tensor<7x6x?x6xf32> {
  %r = convoy.conv ins(%a, %b : tensor<9x7x?x5xf32>, tensor<3x2x5x6xf32>) outs(%init : tensor<7x6x?x6xf32>)
      layout(hwnc x hwcf -> hwnf)
  return %r : tensor<7x6x?x6xf32>
}
//--- forward-last.mlir
func.func @forward_last(%a: tensor<5x9x7x?xf32>, %b: tensor<3x2x5x6xf32>, %init: tensor<6x7x6x?xf32>) -> tensor<6x7x6x?xf32> {
  %r = convoy.conv ins(%a, %b : tensor<5x9x7x?xf32>, tensor<3x2x5x6xf32>) outs(%init : tensor<6x7x6x?xf32>)
      layout(chwn x hwcf -> fhwn)
  return %r : tensor<6x7x6x?xf32>
}
//--- forward-groups.mlir
func.func @forward_groups(%a: tensor<?x9x7x3x4xf32>, %b: tensor<3x3x3x4x5xf32>, %init: tensor<?x7x5x3x5xf32>) -> tensor<?x7x5x3x5xf32> {
  %r = convoy.conv ins(%a, %b : tensor<?x9x7x3x4xf32>, tensor<3x3x3x4x5xf32>) outs(%init : tensor<?x7x5x3x5xf32>)
      layout(nhwgc x ghwcf -> nhwgf)
  return %r : tensor<?x7x5x3x5xf32>
}
//--- forward-depthwise.mlir
func.func @forward_depthwise(%a: tensor<?x9x7x6x1xf32>, %b: tensor<6x3x3x1x1xf32>, %init: tensor<?x7x5x6x1xf32>) -> tensor<?x7x5x6x1xf32> {
  %r = convoy.conv ins(%a, %b : tensor<?x9x7x6x1xf32>, tensor<6x3x3x1x1xf32>) outs(%init : tensor<?x7x5x6x1xf32>)
      layout(nhwgc x ghwcf -> nhwgf)
  return %r : tensor<?x7x5x6x1xf32>
}
//--- data.mlir
func.func @data(%a: tensor<?x4x3x6xf32>, %b: tensor<3x2x5x6xf32>, %init: tensor<?x9x7x5xf32>) -> tensor<?x9x7x5xf32> {
  %r = convoy.conv_backward_data ins(%a, %b : tensor<?x4x3x6xf32>, tensor<3x2x5x6xf32>) outs(%init : tensor<?x9x7x5xf32>)
      layout(nhwc x hwcf -> nhwf) window(stride = [2, 2])
  return %r : tensor<?x9x7x5xf32>
}
//--- data-nchw.mlir
func.func @data_nchw(%a: tensor<?x12x9x7xf16>, %b: tensor<12x8x3x3xf16>, %init: tensor<?x8x9x7xf16>) -> tensor<?x8x9x7xf16> {
  %r = convoy.conv_backward_data ins(%a, %b : tensor<?x12x9x7xf16>, tensor<12x8x3x3xf16>) outs(%init : tensor<?x8x9x7xf16>)
      layout(nchw x fchw -> nfhw) window(pad = [[1, 1], [1, 1]]) numerics(accumulator = f32)
  return %r : tensor<?x8x9x7xf16>
}
//--- filter.mlir
func.func @filter(%a: tensor<?x9x7x5xf32>, %b: tensor<?x9x6x6xf32>, %init: tensor<3x2x5x6xf32>) -> tensor<3x2x5x6xf32> {
  %r = convoy.conv_backward_filter ins(%a, %b : tensor<?x9x7x5xf32>, tensor<?x9x6x6xf32>) outs(%init : tensor<3x2x5x6xf32>)
      layout(nhwc x hwcf -> nhwf) window(pad = [[1, 1], [0, 0]])
  return %r : tensor<3x2x5x6xf32>
}
//--- filter-nchw.mlir
func.func @filter_nchw(%a: tensor<?x8x9x7xf16>, %b: tensor<?x12x9x7xf16>, %init: tensor<12x8x3x3xf16>) -> tensor<12x8x3x3xf16> {
  %r = convoy.conv_backward_filter ins(%a, %b : tensor<?x8x9x7xf16>, tensor<?x12x9x7xf16>) outs(%init : tensor<12x8x3x3xf16>)
      layout(nchw x fchw -> nfhw) window(pad = [[1, 1], [1, 1]]) numerics(accumulator = f32)
  return %r : tensor<12x8x3x3xf16>
}
//--- filter-split.mlir
func.func @filter_split(%a: tensor<?x40x40x3xf32>, %b: tensor<?x40x40x5xf32>, %init: tensor<1x1x3x5xf32>) -> tensor<1x1x3x5xf32> {
  %r = convoy.conv_backward_filter ins(%a, %b : tensor<?x40x40x3xf32>, tensor<?x40x40x5xf32>) outs(%init : tensor<1x1x3x5xf32>)
      layout(nhwc x hwcf -> nhwf)
  return %r : tensor<1x1x3x5xf32>
}
//--- filter-dense.mlir
func.func @filter_dense(%a: tensor<?x1x1x20xf32>, %b: tensor<?x1x1x24xf32>, %init: tensor<1x1x20x24xf32>) -> tensor<1x1x20x24xf32> {
  %r = convoy.conv_backward_filter ins(%a, %b : tensor<?x1x1x20xf32>, tensor<?x1x1x24xf32>) outs(%init : tensor<1x1x20x24xf32>)
      layout(nhwc x hwcf -> nhwf)
  return %r : tensor<1x1x20x24xf32>
}
//--- large.mlir
func.func @large(%a: tensor<?x4096x4096x1xf32>, %b: tensor<1x1x1x1xf32>, %init: tensor<?x4096x4096x1xf32>) -> tensor<?x4096x4096x1xf32> {
  %r = convoy.conv ins(%a, %b : tensor<?x4096x4096x1xf32>, tensor<1x1x1x1xf32>) outs(%init : tensor<?x4096x4096x1xf32>)
      layout(nhwc x hwcf -> nhwf)
  return %r : tensor<?x4096x4096x1xf32>
}
//--- too-large.mlir
func.func @too_large(%a: tensor<?x8192x8192x1xf32>, %b: tensor<1x1x1x1xf32>, %init: tensor<?x8192x8192x1xf32>) -> tensor<?x8192x8192x1xf32> {
  %r = convoy.conv ins(%a, %b : tensor<?x8192x8192x1xf32>, tensor<1x1x1x1xf32>) outs(%init : tensor<?x8192x8192x1xf32>)
      layout(nhwc x hwcf -> nhwf)
  return %r : tensor<?x8192x8192x1xf32>
}
//--- height.mlir
func.func @height(%a: tensor<1x?x7x5xf32>, %b: tensor<3x2x5x6xf32>, %init: tensor<1x?x6x6xf32>) -> tensor<1x?x6x6xf32> {
  %r = convoy.conv ins(%a, %b : tensor<1x?x7x5xf32>, tensor<3x2x5x6xf32>) outs(%init : tensor<1x?x6x6xf32>)
      layout(nhwc x hwcf -> nhwf)
  return %r : tensor<1x?x6x6xf32>
}
//--- reshaped.mlir
func.func @reshaped(%a: tensor<?x9x7x5xf32>, %b: tensor<3x2x5x6xf32>) -> tensor<?x7x6x6xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?x9x7x5xf32>
  %empty = tensor.empty(%n) : tensor<1x?x9x7x5xf32>
  %doubled = linalg.generic {indexing_maps = [affine_map<(o, n, h, w, c) -> (n, h, w, c)>, affine_map<(o, n, h, w, c) -> (o, n, h, w, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%a : tensor<?x9x7x5xf32>) outs(%empty : tensor<1x?x9x7x5xf32>) {
  ^bb0(%e: f32, %out: f32):
    %y = arith.addf %e, %e : f32
    linalg.yield %y : f32
  } -> tensor<1x?x9x7x5xf32>
  %x = tensor.collapse_shape %doubled [[0, 1], [2], [3], [4]] : tensor<1x?x9x7x5xf32> into tensor<?x9x7x5xf32>
  %empty1 = tensor.empty(%n) : tensor<?x7x6x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty1 : tensor<?x7x6x6xf32>) -> tensor<?x7x6x6xf32>
  %r = convoy.conv ins(%x, %b : tensor<?x9x7x5xf32>, tensor<3x2x5x6xf32>) outs(%init : tensor<?x7x6x6xf32>)
      layout(nhwc x hwcf -> nhwf)
  return %r : tensor<?x7x6x6xf32>
}
//--- two.mlir
func.func @two(%a: tensor<?x9x7x5xf32>, %b: tensor<3x2x5x6xf32>, %c: tensor<2x3x6x4xf32>) -> tensor<?x6x4x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?x9x7x5xf32>
  %empty = tensor.empty(%n) : tensor<?x7x6x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x7x6x6xf32>) -> tensor<?x7x6x6xf32>
  %r = convoy.conv ins(%a, %b : tensor<?x9x7x5xf32>, tensor<3x2x5x6xf32>) outs(%init : tensor<?x7x6x6xf32>)
      layout(nhwc x hwcf -> nhwf)
  %empty2 = tensor.empty(%n) : tensor<?x6x4x4xf32>
  %init2 = linalg.fill ins(%zero : f32) outs(%empty2 : tensor<?x6x4x4xf32>) -> tensor<?x6x4x4xf32>
  %s = convoy.conv ins(%r, %c : tensor<?x7x6x6xf32>, tensor<2x3x6x4xf32>) outs(%init2 : tensor<?x6x4x4xf32>)
      layout(nhwc x hwcf -> nhwf)
  return %s : tensor<?x6x4x4xf32>
}
