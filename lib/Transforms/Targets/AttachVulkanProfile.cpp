//===- AttachVulkanProfile.cpp - Devices that kernels are for ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Support/GPUMatrixInstruction.h"
#include "convoy/Transforms/Targets/Passes.h"
#include "convoy/Transforms/Targets/Targets.h"

#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/Dialect/SPIRV/IR/TargetAndABI.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_ATTACHVULKANPROFILEPASS
#include "convoy/Transforms/Targets/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::VulkanLimits;

/// Whether cooperative matrices of bf16 are among those of `limits`.
static bool hasBF16Matrices(const VulkanLimits &limits) {
  return llvm::any_of(::convoy::getCooperativeMatrices(limits),
                      [](std::string_view name) {
                        return ::convoy::getMatrixInstruction(name)->operand ==
                               ::convoy::ElementType::BF16;
                      });
}

/// What SPIR-V calls the features of `limits`.
static SmallVector<spirv::Capability>
getCapabilities(const VulkanLimits &limits) {
  SmallVector<spirv::Capability> capabilities = {spirv::Capability::Shader};
  auto add = [&](bool isThere, spirv::Capability capability) {
    if (isThere)
      capabilities.push_back(capability);
  };
  add(limits.f16, spirv::Capability::Float16);
  add(limits.f64, spirv::Capability::Float64);
  add(limits.i8, spirv::Capability::Int8);
  add(limits.i16, spirv::Capability::Int16);
  add(limits.i64, spirv::Capability::Int64);
  add(limits.storage8, spirv::Capability::StorageBuffer8BitAccess);
  add(limits.storage16, spirv::Capability::StorageBuffer16BitAccess);
  add(limits.nearest16 || limits.nearest32 || limits.nearest64,
      spirv::Capability::RoundingModeRTE);
  add(limits.special16 || limits.special32 || limits.special64,
      spirv::Capability::SignedZeroInfNanPreserve);
  if (!::convoy::getCooperativeMatrices(limits).empty())
    llvm::append_values(capabilities, spirv::Capability::CooperativeMatrixKHR,
                        spirv::Capability::VulkanMemoryModel,
                        spirv::Capability::GroupNonUniform);
  if (hasBF16Matrices(limits))
    llvm::append_values(capabilities, spirv::Capability::BFloat16TypeKHR,
                        spirv::Capability::BFloat16CooperativeMatrixKHR);
  return capabilities;
}

/// The versions and extensions of SPIR-V that devices with `limits` take.
static spirv::VerCapExtAttr getTriple(MLIRContext *context,
                                      const VulkanLimits &limits) {
  // All of them are part of Vulkan 1.2, as far as the features are.
  SmallVector<spirv::Extension> extensions = {
      spirv::Extension::SPV_KHR_storage_buffer_storage_class,
      spirv::Extension::SPV_KHR_8bit_storage,
      spirv::Extension::SPV_KHR_16bit_storage,
      spirv::Extension::SPV_KHR_float_controls};
  if (!::convoy::getCooperativeMatrices(limits).empty()) {
    llvm::append_values(extensions,
                        spirv::Extension::SPV_KHR_cooperative_matrix,
                        spirv::Extension::SPV_KHR_vulkan_memory_model);
    if (hasBF16Matrices(limits))
      extensions.push_back(spirv::Extension::SPV_KHR_bfloat16);
  }
  return spirv::VerCapExtAttr::get(
      spirv::Version::V_1_3, getCapabilities(limits), extensions, context);
}

static spirv::TargetEnvAttr getTargetEnv(VulkanProfileAttr profile) {
  MLIRContext *context = profile.getContext();
  const VulkanLimits &limits = profile.getLimits();
  Builder builder(context);
  auto size = builder.getI32ArrayAttr({int32_t(limits.workgroupSize[0]),
                                       int32_t(limits.workgroupSize[1]),
                                       int32_t(limits.workgroupSize[2])});
  auto resources = spirv::ResourceLimitsAttr::get(
      context, limits.workgroupBytes, limits.workgroupItems, size,
      limits.subgroup, /*min_subgroup_size=*/std::nullopt,
      /*max_subgroup_size=*/std::nullopt,
      /*cooperative_matrix_properties_khr=*/builder.getArrayAttr({}),
      /*cooperative_matrix_properties_nv=*/builder.getArrayAttr({}));
  return spirv::TargetEnvAttr::get(getTriple(context, limits), resources,
                                   spirv::ClientAPI::Vulkan);
}

void mlir::convoy::attachVulkanProfile(Operation *module,
                                       VulkanProfileAttr profile) {
  // Outside of passes nobody else does.
  module->getContext()->loadDialect<spirv::SPIRVDialect>();
  module->setAttr(VulkanProfileAttr::getModuleAttrName(), profile);
  module->setAttr(TargetAttr::getModuleAttrName(), profile.getTarget());
  module->setAttr(spirv::getTargetEnvAttrName(), getTargetEnv(profile));
}

namespace {
struct AttachVulkanProfilePass final
    : mlir::convoy::impl::AttachVulkanProfilePassBase<AttachVulkanProfilePass> {
  using Base::Base;

  void runOnOperation() override {
    if (profile.empty())
      return completeProfile();
    std::optional<::convoy::VulkanProfile> known =
        ::convoy::getVulkanProfile(profile.getValue());
    if (!known) {
      getOperation().emitError()
          << "expected a Vulkan profile, "
          << ::convoy::expectVulkanProfile(profile.getValue()) << ", but got "
          << profile.getValue();
      return signalPassFailure();
    }
    attachVulkanProfile(getOperation(),
                        VulkanProfileAttr::get(&getContext(), *known));
  }

  /// Adds what follows from the module's own profile, if it has one.
  void completeProfile() {
    ModuleOp module = getOperation();
    auto own = module->getAttrOfType<VulkanProfileAttr>(
        VulkanProfileAttr::getModuleAttrName());
    if (!own)
      return;
    auto add = [&](StringRef name, Attribute value) {
      if (!module->hasAttr(name))
        module->setAttr(name, value);
    };
    add(TargetAttr::getModuleAttrName(), own.getTarget());
    add(spirv::getTargetEnvAttrName(), getTargetEnv(own));
  }
};
} // namespace
