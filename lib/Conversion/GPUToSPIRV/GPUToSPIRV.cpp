//===- GPUToSPIRV.cpp - Converts kernels to SPIR-V --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/GPUToSPIRV.h"

#include "DefineQuotients.h"
#include "MatrixFactors.h"
#include "MemoryModel.h"
#include "WorkgroupMemory.h"

#include "convoy/Conversion/Passes.h"
#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Dialect/Convoy/IR/KernelSignature.h"
#include "convoy/Transforms/GPUKernels/IndexWidth.h"

#include "mlir/Conversion/ArithToSPIRV/ArithToSPIRV.h"
#include "mlir/Conversion/FuncToSPIRV/FuncToSPIRV.h"
#include "mlir/Conversion/GPUToSPIRV/GPUToSPIRV.h"
#include "mlir/Conversion/MathToSPIRV/MathToSPIRV.h"
#include "mlir/Conversion/MemRefToSPIRV/MemRefToSPIRV.h"
#include "mlir/Conversion/SCFToSPIRV/SCFToSPIRV.h"
#include "mlir/Conversion/UBToSPIRV/UBToSPIRV.h"
#include "mlir/Conversion/VectorToSPIRV/VectorToSPIRV.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/Dialect/SPIRV/IR/TargetAndABI.h"
#include "mlir/Dialect/SPIRV/Transforms/SPIRVConversion.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_CONVERTGPUTOSPIRVPASS
#include "convoy/Conversion/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// Our patterns go before upstream's.
static constexpr unsigned short kBenefit = 10;

namespace {
/// gpu.barrier -> spirv.ControlBarrier for workgroup memory, and for buffers
/// where the kernel reads what it writes
struct ConvertBarrier final : OpConversionPattern<gpu::BarrierOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(gpu::BarrierOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    using spirv::MemorySemantics;
    MemorySemantics semantics =
        MemorySemantics::AcquireRelease | MemorySemantics::WorkgroupMemory;
    if (op->hasAttr(kBufferBarrierAttrName))
      semantics = semantics | MemorySemantics::UniformMemory;
    rewriter.replaceOpWithNewOp<spirv::ControlBarrierOp>(
        op, spirv::Scope::Workgroup, spirv::Scope::Workgroup, semantics);
    return success();
  }
};

/// %r = arith.select %c, %a, %b : vector<4xf32> -> %c for each element
struct ConvertVectorSelect final : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::SelectOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast_or_null<VectorType>(
        getTypeConverter()->convertType(op.getType()));
    if (!type)
      return rewriter.notifyMatchFailure(op, "does not select a vector");
    if (isa<VectorType>(op.getCondition().getType()))
      return rewriter.notifyMatchFailure(op, "has a vector of conditions");
    SmallVector<Value> conditions(type.getNumElements(),
                                  adaptor.getCondition());
    auto conditionType = VectorType::get(type.getShape(), rewriter.getI1Type());
    Value condition = spirv::CompositeConstructOp::create(
        rewriter, op.getLoc(), conditionType, conditions);
    rewriter.replaceOpWithNewOp<spirv::SelectOp>(
        op, type, condition, adaptor.getTrueValue(), adaptor.getFalseValue());
    return success();
  }
};

/// A function of the math dialect -> that of GLSL with the same operands
template <typename SourceOp, typename TargetOp>
struct ConvertFunction final : OpConversionPattern<SourceOp> {
  using OpConversionPattern<SourceOp>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SourceOp op, typename SourceOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = this->getTypeConverter()->convertType(op.getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "its type does not convert");
    rewriter.replaceOpWithNewOp<TargetOp>(op, type, adaptor.getOperands());
    return success();
  }
};

/// arith.mulf %a, %b {convoy.uncontracted} -> spirv.FMul %a, %b
/// {no_contraction}
template <typename SourceOp, typename TargetOp>
struct ConvertUncontracted final : OpConversionPattern<SourceOp> {
  using OpConversionPattern<SourceOp>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SourceOp op, typename SourceOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op->hasAttr(kUncontractedAttrName))
      return rewriter.notifyMatchFailure(op, "it may be contracted");
    Type type = this->getTypeConverter()->convertType(op.getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "its type does not convert");
    auto target =
        rewriter.replaceOpWithNewOp<TargetOp>(op, type, adaptor.getOperands());
    target->setAttr("no_contraction", rewriter.getUnitAttr());
    return success();
  }
};

/// gpu.subgroup_mma_compute of i8 -> spirv.KHR.CooperativeMatrixMulAdd of
/// signed numbers: without a word it is of unsigned ones. Of bf16 it keeps the
/// attribute that says so.
struct ConvertMatrixProduct final
    : OpConversionPattern<gpu::SubgroupMmaComputeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(gpu::SubgroupMmaComputeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto isSigned = [](Value matrix) {
      return cast<gpu::MMAMatrixType>(matrix.getType())
          .getElementType()
          .isSignedInteger();
    };
    using Operands = spirv::CooperativeMatrixOperandsKHR;
    spirv::CooperativeMatrixOperandsKHRAttr operands;
    if (isSigned(op.getOpA()) && isSigned(op.getOpB()))
      operands = spirv::CooperativeMatrixOperandsKHRAttr::get(
          getContext(), Operands::ASigned | Operands::BSigned |
                            Operands::CSigned | Operands::ResultSigned);
    else if (!op->hasAttr(kBF16FactorsAttrName))
      return rewriter.notifyMatchFailure(op, "upstream's pattern converts it");
    auto product =
        rewriter.replaceOpWithNewOp<spirv::KHRCooperativeMatrixMulAddOp>(
            op, adaptor.getOpC().getType(), adaptor.getOpA(), adaptor.getOpB(),
            adaptor.getOpC(), operands);
    if (Attribute isBF16 = op->getAttr(kBF16FactorsAttrName))
      product->setAttr(kBF16FactorsAttrName, isBF16);
    return success();
  }
};

/// ub.poison of any type -> spirv.Undef
struct ConvertPoison final : OpConversionPattern<ub::PoisonOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ub::PoisonOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "its type does not convert");
    rewriter.replaceOpWithNewOp<spirv::UndefOp>(op, type);
    return success();
  }
};
} // namespace

void mlir::convoy::populateConvertGPUToSPIRVPatterns(
    const SPIRVTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConvertBarrier, ConvertVectorSelect,
               ConvertFunction<math::FmaOp, spirv::GLFmaOp>,
               ConvertFunction<math::Exp2Op, spirv::GLExp2Op>,
               ConvertUncontracted<arith::MulFOp, spirv::FMulOp>,
               ConvertUncontracted<arith::AddFOp, spirv::FAddOp>,
               ConvertUncontracted<arith::SubFOp, spirv::FSubOp>,
               ConvertMatrixProduct, ConvertPoison>(
      converter, patterns.getContext(), kBenefit);
}

/// Where a memref of a kernel lies; nothing for other memory spaces.
static std::optional<spirv::StorageClass> getStorageClass(Attribute space) {
  if (!space)
    return spirv::StorageClass::StorageBuffer;
  if (gpu::GPUDialect::isWorkgroupMemoryAddressSpace(space))
    return spirv::StorageClass::Workgroup;
  return std::nullopt;
}

/// Whether `kernel` reads an argument that it writes.
static bool readsItsResults(gpu::GPUFuncOp kernel) {
  return llvm::any_of(kernel.getArguments(), [](BlockArgument buffer) {
    auto isUsedBy = [&]<typename OpTy>(std::in_place_type_t<OpTy>) {
      return llvm::any_of(buffer.getUsers(),
                          [](Operation *user) { return isa<OpTy>(user); });
    };
    return isUsedBy(std::in_place_type<memref::LoadOp>) &&
           isUsedBy(std::in_place_type<memref::StoreOp>);
  });
}

/// The batch, if `kernel` takes it: i32 -> a push constant.
static void takePushConstant(gpu::GPUFuncOp kernel) {
  if (!takesBatch(kernel.getArgumentTypes()))
    return;
  unsigned number = kernel.getNumArguments() - 1;
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Value value = spirv::getPushConstantValue(
      kernel.getBody().front().getTerminator(), /*elementCount=*/1,
      /*offset=*/0, builder.getI32Type(), builder);
  kernel.getArgument(number).replaceAllUsesWith(value);
  (void)kernel.eraseArgument(number);
}

/// Says in attributes what the patterns have to know of whole kernels.
static LogicalResult prepareKernel(gpu::GPUFuncOp kernel) {
  std::optional<ArrayRef<int32_t>> size = kernel.getKnownBlockSize();
  if (!size || size->size() != 3)
    return kernel.emitError()
           << "expected known_block_size on kernel " << kernel.getName();
  // Upstream's pattern for functions does not know of them.
  if (kernel.getNumWorkgroupAttributions() ||
      kernel.getNumPrivateAttributions())
    return kernel.emitError()
           << "expected no attributions of kernel " << kernel.getName()
           << " (convoy-allocate-attributions)";
  takePushConstant(kernel);
  MLIRContext *context = kernel.getContext();
  kernel->setAttr(spirv::getEntryPointABIAttrName(),
                  spirv::getEntryPointABIAttr(context, *size));
  if (readsItsResults(kernel))
    kernel.walk([&](gpu::BarrierOp barrier) {
      barrier->setAttr(kBufferBarrierAttrName, UnitAttr::get(context));
    });
  return success();
}

/// Gives every memref of `module` a storage class.
static LogicalResult mapStorageClasses(gpu::GPUModuleOp module) {
  spirv::MemorySpaceToStorageClassConverter converter(getStorageClass);
  spirv::convertMemRefTypesAndAttrs(module, converter);
  std::unique_ptr<ConversionTarget> target =
      spirv::getMemorySpaceToStorageClassTarget(*module.getContext());
  WalkResult result = module.walk([&](Operation *op) {
    if (!target->isIllegal(op))
      return WalkResult::advance();
    op->emitError() << "expected memory of buffers or of a workgroup";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

static void populatePatterns(const SPIRVTypeConverter &converter,
                             ScfToSPIRVContext &scfContext,
                             RewritePatternSet &patterns) {
  populateGPUToSPIRVPatterns(converter, patterns);
  populateGpuWMMAToSPIRVCoopMatrixKHRConversionPatterns(converter, patterns);
  populateSCFToSPIRVPatterns(converter, scfContext, patterns);
  arith::populateArithToSPIRVPatterns(converter, patterns);
  populateMathToSPIRVPatterns(converter, patterns);
  populateMemRefToSPIRVPatterns(converter, patterns);
  populateFuncToSPIRVPatterns(converter, patterns);
  populateVectorToSPIRVPatterns(converter, patterns);
  populateConvertGPUToSPIRVPatterns(converter, patterns);
}

/// Lets `module`, if it has cooperative matrices, be of a version of SPIR-V
/// that knows them.
static void chooseVersion(gpu::GPUModuleOp module) {
  WalkResult search = module.walk(
      [](gpu::SubgroupMmaComputeOp) { return WalkResult::interrupt(); });
  if (!search.wasInterrupted())
    return;
  spirv::TargetEnvAttr environment = spirv::lookupTargetEnvOrDefault(module);
  auto triple = spirv::VerCapExtAttr::get(
      spirv::Version::V_1_6, llvm::to_vector(environment.getCapabilities()),
      llvm::to_vector(environment.getExtensions()), module.getContext());
  module->setAttr(spirv::getTargetEnvAttrName(),
                  spirv::TargetEnvAttr::get(triple,
                                            environment.getResourceLimits(),
                                            environment.getClientAPI()));
}

static LogicalResult convert(gpu::GPUModuleOp module) {
  chooseVersion(module);
  SPIRVConversionOptions options;
  options.emulateLT32BitScalarTypes = false;
  options.emulateUnsupportedFloatTypes = false;
  options.use64bitIndex = needsWideIndex(module);
  for (auto kernel : module.getOps<gpu::GPUFuncOp>())
    if (failed(prepareKernel(kernel)))
      return failure();
  if (failed(mapStorageClasses(module)))
    return failure();
  defineQuotients(module);
  spirv::TargetEnvAttr environment = spirv::lookupTargetEnvOrDefault(module);
  std::unique_ptr<ConversionTarget> target =
      SPIRVConversionTarget::get(environment);
  SPIRVTypeConverter converter(environment, options);
  populateMMAToSPIRVCoopMatrixTypeConversion(converter);
  ScfToSPIRVContext scfContext;
  RewritePatternSet patterns(module.getContext());
  populatePatterns(converter, scfContext, patterns);
  return applyFullConversion(module, *target, std::move(patterns));
}

/// Fails at ops of vectors that are too long to be taken apart: SPIR-V's have 4
/// elements.
static LogicalResult checkVectors(ModuleOp module) {
  auto isLong = [](Type type) {
    auto buffer = dyn_cast<MemRefType>(type);
    auto vector = dyn_cast<VectorType>(buffer ? buffer.getElementType() : type);
    return vector && !canUnroll(vector.getShape());
  };
  WalkResult result = module.walk([&](Operation *op) {
    SmallVector<Type> types(op->getOperandTypes());
    llvm::append_range(types, op->getResultTypes());
    const Type *type = llvm::find_if(types, isLong);
    if (type == types.end())
      return WalkResult::advance();
    op->emitError() << "expected vectors of at most " << kMostUnrolled
                    << " elements, but got " << *type;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct ConvertGPUToSPIRVPass final
    : mlir::convoy::impl::ConvertGPUToSPIRVPassBase<ConvertGPUToSPIRVPass> {
  using Base::Base;

  void runOnOperation() override {
    auto profile = VulkanProfileAttr::lookup(getOperation());
    if (!profile) {
      getOperation().emitError()
          << "expected " << VulkanProfileAttr::getModuleAttrName()
          << " on the module";
      return signalPassFailure();
    }
    if (failed(checkVectors(getOperation())))
      return signalPassFailure();
    for (auto module : llvm::make_early_inc_range(
             getOperation().getOps<gpu::GPUModuleOp>())) {
      packWorkgroupMemory(module, profile.getLimits().workgroupBytes);
      if (failed(convert(module)))
        return signalPassFailure();
    }
    for (auto module : getOperation().getOps<spirv::ModuleOp>()) {
      shareWorkgroupVariables(module);
      retypeBF16Factors(module);
      declareMemoryModel(module);
      if (failed(checkWorkgroupVariables(module, profile)))
        return signalPassFailure();
    }
  }
};
} // namespace
