// RUN: convoy-opt %s --convoy-declare-float-controls --split-input-file --verify-diagnostics | FileCheck %s

module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "a", features = [nearest32, special16, special32, nearest64]>} {
  // CHECK-LABEL: spirv.module
  spirv.module Logical GLSL450 {
    spirv.func @single() "None" {
      %x = spirv.Constant dense<1.0> : vector<4xf32>
      spirv.Return
    }
    spirv.func @both() "None" {
      %x = spirv.Constant 1.0 : f32
      %y = spirv.FConvert %x : f32 to f16
      spirv.Return
    }
    spirv.func @none() "None" {
      %x = spirv.Constant 1 : i32
      spirv.Return
    }
    spirv.EntryPoint "GLCompute" @single
    spirv.EntryPoint "GLCompute" @both
    spirv.EntryPoint "GLCompute" @none
    // CHECK:     spirv.EntryPoint "GLCompute" @none
    // CHECK-NEXT: spirv.ExecutionMode @single "RoundingModeRTE", 32
    // CHECK-NEXT: spirv.ExecutionMode @single "SignedZeroInfNanPreserve", 32
    // CHECK-NEXT: spirv.ExecutionMode @both "SignedZeroInfNanPreserve", 16
    // CHECK-NEXT: spirv.ExecutionMode @both "RoundingModeRTE", 32
    // CHECK-NEXT: spirv.ExecutionMode @both "SignedZeroInfNanPreserve", 32
    // CHECK-NEXT: }
  }
}

// -----

// expected-error @below {{expected convoy.vulkan_profile on the module}}
spirv.module Logical GLSL450 {
}
