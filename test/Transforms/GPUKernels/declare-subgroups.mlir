// RUN: convoy-opt %s --convoy-declare-subgroups --split-input-file | FileCheck %s

// CHECK: requires #spirv.vce<v1.3, [Shader, GroupNonUniform], [SPV_KHR_8bit_storage]>
spirv.module Logical GLSL450 requires #spirv.vce<v1.3, [Shader], [SPV_KHR_8bit_storage]> {
  spirv.GlobalVariable @item built_in("LocalInvocationId") : !spirv.ptr<vector<3xi32>, Input>
  spirv.GlobalVariable @subgroup built_in("SubgroupId") : !spirv.ptr<i32, Input>
}

// -----

// It is said already.
// CHECK: requires #spirv.vce<v1.3, [GroupNonUniform], []>
spirv.module Logical GLSL450 requires #spirv.vce<v1.3, [GroupNonUniform], []> {
  spirv.GlobalVariable @lane built_in("SubgroupLocalInvocationId") : !spirv.ptr<i32, Input>
}

// -----

// CHECK: requires #spirv.vce<v1.3, [Shader], []>
spirv.module Logical GLSL450 requires #spirv.vce<v1.3, [Shader], []> {
  spirv.GlobalVariable @item built_in("LocalInvocationId") : !spirv.ptr<vector<3xi32>, Input>
}

// -----

// What SPIR-V it is nobody has said yet.
// CHECK: spirv.module Logical GLSL450 {
spirv.module Logical GLSL450 {
  spirv.GlobalVariable @subgroup built_in("SubgroupId") : !spirv.ptr<i32, Input>
}

// -----

// What subgroups the profile has, and factors of bf16.
// CHECK: requires #spirv.vce<v1.6, [Shader, GroupNonUniform, BFloat16CooperativeMatrixKHR], []>
// CHECK-NEXT: spirv.SpecConstant @subgroup_size = 64 : i32
module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "matrices", subgroup = 64>} {
spirv.module Logical Vulkan requires #spirv.vce<v1.6, [Shader], []> {
  spirv.GlobalVariable @subgroup built_in("SubgroupId") : !spirv.ptr<i32, Input>
  spirv.func @f(%p: !spirv.ptr<f16, Workgroup>, %stride: i32) "None" {
    %0 = spirv.KHR.CooperativeMatrixLoad %p, %stride, <RowMajor> : !spirv.ptr<f16, Workgroup>, i32 -> !spirv.coopmatrix<16x16xbf16, Subgroup, MatrixA>
    spirv.Return
  }
}
}
