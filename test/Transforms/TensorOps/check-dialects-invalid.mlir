// RUN: convoy-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --convoy-check-dialects
// RUN: convoy-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --convoy-to-tiles-pipeline
// RUN: convoy-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --convoy-to-llvm-pipeline
// RUN: convoy-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --convoy-to-spirv-pipeline
// RUN: convoy-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --convoy-to-rocdl-pipeline=chip=gfx942
// RUN: convoy-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --convoy-kernels-to-host-pipeline
// RUN: convoy-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --convoy-import-pipeline
// RUN: convoy-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --convoy-attach-vulkan-profile --convoy-emulate-narrow-floats

// expected-error @below {{'a.b' op expected an op of a known dialect}}
"a.b"() : () -> ()

// -----

func.func @inside_a_function(%x: f32) -> f32 {
  // expected-error @below {{'a.c' op expected an op of a known dialect}}
  %0 = "a.c"(%x) ({
  }) : (f32) -> f32
  return %0 : f32
}

// -----

func.func @pad_without_its_sizes(%x: tensor<3xf32>, %zero: f32) -> tensor<4xf32> {
  // expected-error @below {{'tensor.pad' op expected an operand for each dynamic size of padding}}
  %0 = "tensor.pad"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_low = array<i64: -9223372036854775808>, static_high = array<i64: 0>}> ({
  ^bb0(%i: index):
    tensor.yield %zero : f32
  }) : (tensor<3xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
