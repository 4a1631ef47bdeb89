// RUN: convoy-opt %s --convoy-attach-vulkan-profile="profile=lavapipe" | FileCheck %s --check-prefix=LAVAPIPE
// RUN: convoy-opt %s --convoy-attach-vulkan-profile | FileCheck %s --check-prefix=GENERIC
// RUN: convoy-opt %s --convoy-attach-vulkan-profile="profile=nvidia" | FileCheck %s --check-prefix=NVIDIA
// RUN: convoy-opt %s --convoy-attach-vulkan-profile="profile=amd" | FileCheck %s --check-prefix=AMD
// RUN: convoy-opt %s --convoy-attach-vulkan-profile="profile=generic+i16+storage16-i64" | FileCheck %s --check-prefix=MORE
// RUN: convoy-opt %s --convoy-attach-vulkan-profile="profile=nvidia-f16" | FileCheck %s --check-prefix=LESS
// RUN: convoy-opt %s --convoy-attach-vulkan-profile="profile=nvidia-matrix" | FileCheck %s --check-prefix=NONE
// RUN: convoy-opt %s --convoy-attach-vulkan-profile="profile=generic+f16+storage16+matrix16x16x16_f16" | FileCheck %s --check-prefix=EARLIER
// RUN: not convoy-opt %s --convoy-attach-vulkan-profile="profile=generic+f17" 2>&1 | FileCheck %s --check-prefix=FEATURE
// RUN: not convoy-opt %s --convoy-attach-vulkan-profile="profile=intel" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: sed 's/^module {/module attributes {convoy.vulkan_profile = #convoy.vulkan_profile<name = "own", subgroup = 16>} {/' %s | convoy-opt --convoy-attach-vulkan-profile=profile= | FileCheck %s --check-prefix=OWN
// RUN: sed 's/^module {/module attributes {convoy.target = #convoy.target<vector_bytes = 16, registers = 8>, convoy.vulkan_profile = #convoy.vulkan_profile<name = "own">} {/' %s | convoy-opt --convoy-attach-vulkan-profile=profile= | FileCheck %s --check-prefix=KEPT
// RUN: convoy-opt %s --convoy-attach-vulkan-profile=profile= | FileCheck %s --check-prefix=WITHOUT

// What follows from the module's own profile, where it says nothing else.
// OWN: convoy.target = #convoy.target<{{.*}}convoy.vulkan_profile = #convoy.vulkan_profile<name = "own"
// OWN-SAME: spirv.target_env
// KEPT: convoy.target = #convoy.target<vector_bytes = 16, registers = 8
// KEPT-SAME: spirv.target_env
// WITHOUT-NOT: convoy.
// WITHOUT-NOT: spirv.

// LAVAPIPE:      convoy.target = #convoy.target<vector_bytes = 16, registers = 32, l1_bytes = 32768, l2_bytes = 262144, subgroup = 8, workgroup_bytes = 32768, workgroup_items = 1024, slow_shared_memory = true>
// LAVAPIPE-SAME: convoy.vulkan_profile = #convoy.vulkan_profile<name = "lavapipe", minor_version = 3, subgroup = 8, workgroup_bytes = 32768, workgroup_items = 1024, buffer_bytes = 134217728, registers = 32, loop_iterations = 65535,
// LAVAPIPE-SAME:   workgroup_size = [1024, 1024, 1024], workgroup_count = [65535, 65535, 65535],
// LAVAPIPE-SAME:   features = [f16, f64, i8, i16, i64, storage8, storage16, nearest16, nearest32, nearest64, special16, special32, special64, slow_shared_memory]>
// LAVAPIPE-SAME: spirv.target_env = #spirv.target_env<#spirv.vce<v1.3,
// LAVAPIPE-SAME:   [Shader, Float16, Float64, Int8, Int16, Int64, StorageBuffer8BitAccess, StorageBuffer16BitAccess, RoundingModeRTE, SignedZeroInfNanPreserve],
// LAVAPIPE-SAME:   [SPV_KHR_storage_buffer_storage_class, SPV_KHR_8bit_storage, SPV_KHR_16bit_storage, SPV_KHR_float_controls]>
// LAVAPIPE-SAME:   api=Vulkan, #spirv.resource_limits<
// LAVAPIPE-SAME:   max_compute_shared_memory_size = 32768, max_compute_workgroup_invocations = 1024, max_compute_workgroup_size = [1024 : i32, 1024 : i32, 1024 : i32], subgroup_size = 8

// GENERIC:      convoy.target = #convoy.target<{{.*}}workgroup_bytes = 16384, workgroup_items = 128>
// GENERIC-SAME: convoy.vulkan_profile = #convoy.vulkan_profile<name = "generic", minor_version = 2,
// GENERIC-NOT:    features
// GENERIC-SAME: spirv.target_env = #spirv.target_env<#spirv.vce<v1.3, [Shader], [

// NVIDIA:      convoy.target = #convoy.target<{{.*}}subgroup = 32, {{.*}}matrix = ["coop_f32_16x16x16_f16_w32", "coop_f32_16x16x16_bf16_w32", "coop_i32_16x16x32_i8_w32"], compute_units = 132>
// NVIDIA-SAME: name = "nvidia", minor_version = 3, subgroup = 32, workgroup_bytes = 49152, workgroup_items = 1024, buffer_bytes = 4294967295,
// NVIDIA-SAME:   workgroup_size = [1024, 1024, 64], workgroup_count = [2147483647, 65535, 65535]
// NVIDIA-SAME:   matrix16x16x16_f16, matrix16x16x16_bf16, matrix16x16x32_i8]>
// NVIDIA-SAME: spirv.target_env = #spirv.target_env<#spirv.vce<v1.3,
// NVIDIA-SAME:   CooperativeMatrixKHR, VulkanMemoryModel, GroupNonUniform, BFloat16TypeKHR, BFloat16CooperativeMatrixKHR]
// NVIDIA-SAME:   SPV_KHR_cooperative_matrix, SPV_KHR_vulkan_memory_model, SPV_KHR_bfloat16]

// AMD: matrix = ["coop_f32_16x16x16_f16_w64", "coop_i32_16x16x16_i8_w64"]
// AMD-SAME: name = "amd", minor_version = 3, subgroup = 64, workgroup_bytes = 32768,

// NONE: special64]>
// NONE-NOT: CooperativeMatrixKHR
// EARLIER-NOT: CooperativeMatrixKHR

// MORE: name = "generic+i16+storage16-i64", {{.*}}features = [i16, storage16]>
// LESS: name = "nvidia-f16", {{.*}}features = [f64, i8, i16,
// FEATURE: error: expected a Vulkan profile, generic and + or - before f16, f64, i8, i16, i64, storage8, storage16, nearest16, nearest32, nearest64, special16, special32, special64, matrix16x16x16_f16, matrix16x16x16_bf16, matrix16x16x16_i8, matrix16x16x32_i8, slow_shared_memory, or - before matrix, but got generic+f17
// UNKNOWN: error: expected a Vulkan profile, lavapipe, generic, nvidia or amd, and features as in nvidia-f16, but got intel
module {}
