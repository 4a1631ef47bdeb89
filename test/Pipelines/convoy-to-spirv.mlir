// RUN: convoy-test-opt %s --convoy-to-spirv-pipeline="profile=generic" --test-convoy-emit-spirv -o %t.mlir | FileCheck %s --check-prefix=BINARY
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: convoy-opt %s --convoy-to-spirv-pipeline="profile=nvidia explain" -o /dev/null
// The module's own profile serves as well.
// RUN: sed -e '1i module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "own">} {' -e '$a }' %s | convoy-opt --convoy-to-spirv-pipeline | FileCheck %s --check-prefix=OWN
// OWN: spirv.EntryPoint "GLCompute" @conv_0

// CHECK:     convoy.vulkan_profile = #convoy.vulkan_profile<name = "generic"
// CHECK-NOT: func.func
// CHECK-NOT: gpu.
// CHECK:     spirv.module @__spv__kernels
// CHECK:       spirv.EntryPoint "GLCompute" @conv_0
// BINARY:    OpEntryPoint GLCompute %conv_0 "conv_0"
func.func @conv(%x: tensor<1x7x2xf32>, %w: tensor<3x2x4xf32>, %init: tensor<1x5x4xf32>) -> tensor<1x5x4xf32> {
  %y = convoy.conv ins(%x, %w : tensor<1x7x2xf32>, tensor<3x2x4xf32>)
      outs(%init : tensor<1x5x4xf32>) layout(nwc x wcf -> nwf)
  return %y : tensor<1x5x4xf32>
}
