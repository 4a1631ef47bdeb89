//===- DiscardableAttrs.cpp - Attributes on ops of others -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"

#include "convoy/Dialect/Convoy/IR/ConvoyPlans.h"
#include "convoy/Dialect/Convoy/IR/WinogradTile.h"
#include "convoy/Support/RocmChip.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

namespace {
/// What an attribute of the dialect must be.
struct Rule {
  StringRef name;
  StringRef expected;
  bool (*holds)(Attribute value);
};

/// What an attribute of ops that are no functions must be, and where it stands.
struct OpRule : Rule {
  StringRef place;
  bool (*isPlace)(Operation *op);
};
} // namespace

template <typename T>
static bool isKind(Attribute value) {
  return isa<T>(value);
}

static bool isNumber(Attribute value) {
  auto number = dyn_cast<IntegerAttr>(value);
  return number && number.getType().isSignlessInteger(64) &&
         !number.getValue().isNegative();
}

static bool isRange(Attribute value) {
  auto range = dyn_cast<DenseF64ArrayAttr>(value);
  if (!range || (range.size() != 2 && range.size() != 3) ||
      !llvm::all_of(range.asArrayRef(),
                    [](double number) { return std::isfinite(number); }))
    return false;
  return range[0] <= range[1] && (range.size() == 2 || range[2] > 0);
}

static bool isChip(Attribute value) {
  auto name = dyn_cast<StringAttr>(value);
  return name && ::convoy::getRocmChip(name.getValue());
}

/// One to three numbers of results, at least two each.
static bool isWinogradTile(Attribute value) {
  auto tile = dyn_cast<DenseI64ArrayAttr>(value);
  return tile && !tile.empty() && tile.size() <= 3 &&
         llvm::all_of(tile.asArrayRef(), [](int64_t size) {
           return size > 1 && size <= kMostWinogradResults;
         });
}

static bool isMostWinograd(Attribute value) {
  auto most = dyn_cast<IntegerAttr>(value);
  return most && most.getType().isSignlessInteger(64) && most.getInt() >= 0 &&
         most.getInt() <= kMostWinogradResults;
}

/// Counts for types, perhaps a tile, and perhaps what instructions are known
/// for.
static bool isSums(Attribute value) {
  auto counts = dyn_cast<DictionaryAttr>(value);
  return counts && llvm::all_of(counts, [](NamedAttribute count) {
           StringRef name = count.getName();
           if (name == kWinogradSumsName)
             return isWinogradTile(count.getValue());
           if (name == kFlushesName || name == kRoundsToOddName)
             return isa<UnitAttr>(count.getValue());
           return llvm::is_contained({"f64", "f32", "f16", "bf16"}, name) &&
                  isNumber(count.getValue());
         });
}

/// Whether `value` is one that getKernelArguments reads.
static bool isArgument(Attribute value) {
  auto entry = dyn_cast<DictionaryAttr>(value);
  if (!entry)
    return false;
  auto name = entry.getAs<StringAttr>("name");
  auto type = entry.getAs<TypeAttr>("type");
  auto layout = entry.getAs<StringAttr>("layout");
  Attribute packer = entry.get("packer"), traced = entry.get("traced"),
            sums = entry.get("sums");
  if (!name || name.empty() || !type || !layout ||
      !entry.getAs<BoolAttr>("written") ||
      (packer && !isa<StringAttr>(packer)) ||
      (traced && !isa<UnitAttr>(traced)) || (sums && !isSums(sums)))
    return false;
  auto tensor = dyn_cast<RankedTensorType>(type.getValue());
  return layout.empty() ||
         (tensor && int64_t(layout.size()) == tensor.getRank());
}

static bool isArguments(Attribute value) {
  auto arguments = dyn_cast<ArrayAttr>(value);
  return arguments && llvm::all_of(arguments, isArgument);
}

/// `value` as `rule` says, or the error that it is not.
static LogicalResult verifyValue(Operation *op, const Rule &rule,
                                 Attribute value) {
  if (rule.holds(value))
    return success();
  return op->emitOpError() << "expected " << rule.name << " to be "
                           << rule.expected << ", but got " << value;
}

template <typename RuleT, size_t size>
static const RuleT *findRule(const RuleT (&rules)[size], StringRef name) {
  const RuleT *rule =
      llvm::find_if(rules, [&](const Rule &rule) { return rule.name == name; });
  return rule == std::end(rules) ? nullptr : rule;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Those of functions.
static const Rule kFunctionRules[] = {
    {kArgumentsAttrName,
     "a list of dictionaries, each with the `name`, `type`, `layout` (empty, "
     "or "
     "a letter for each dimension of a ranked tensor) and `written` of an "
     "argument",
     isArguments},
    {kWorkspaceAttrName, "an i64 that is not negative", isNumber},
    {kImageWorkspaceAttrName, "an i64 that is not negative", isNumber},
};

static bool isModule(Operation *op) {
  return op->hasTrait<OpTrait::SymbolTable>();
}

static bool hasInit(Operation *op) {
  return isa<DestinationStyleOpInterface>(op);
}

static bool isConvolution(Operation *op) {
  return isa<ConvolutionOpInterface>(op);
}

static bool isConv(Operation *op) { return isa<ConvOp>(op); }

static bool isLoop(Operation *op) { return isa<LoopLikeOpInterface>(op); }

/// The dialect gpu is none that this one depends on.
static bool isBarrier(Operation *op) {
  return op->getName().getStringRef() == "gpu.barrier";
}

static bool isMatrixProduct(Operation *op) {
  return llvm::is_contained(
      {"gpu.subgroup_mma_compute", "spirv.KHR.CooperativeMatrixMulAdd"},
      op->getName().getStringRef());
}

/// Those of the dialect llvm are what arith's become.
static bool isFloatArithmetic(Operation *op) {
  return llvm::is_contained({"arith.addf", "arith.mulf", "arith.subf",
                             "llvm.fadd", "llvm.fmul", "llvm.fsub"},
                            op->getName().getStringRef());
}

/// Those of other ops.
static const OpRule kOpRules[] = {
    {{TargetAttr::getModuleAttrName(), "a #convoy.target", isKind<TargetAttr>},
     "a module",
     isModule},
    {{VulkanProfileAttr::getModuleAttrName(), "a #convoy.vulkan_profile",
      isKind<VulkanProfileAttr>},
     "a module",
     isModule},
    {{kRocmChipAttrName, "the name of a chip that kernels are made for",
      isChip},
     "a module",
     isModule},
    {{RegisterTileAttr::getAttrName(), "a #convoy.register_tile",
      isKind<RegisterTileAttr>},
     "an op with an init",
     hasInit},
    {{WorkgroupTileAttr::getAttrName(), "a #convoy.workgroup_tile",
      isKind<WorkgroupTileAttr>},
     "an op with an init",
     hasInit},
    {{TileLanesAttr::getAttrName(), "a #convoy.tile_lanes",
      isKind<TileLanesAttr>},
     "an op with an init",
     hasInit},
    {{GroupPanelAttr::getAttrName(), "a #convoy.group_panel",
      isKind<GroupPanelAttr>},
     "a convoy.conv",
     isConv},
    {{kPackedAttrName, "a unit attribute", isKind<UnitAttr>},
     "an op with an init",
     hasInit},
    {{kWinogradAttrName,
      "an array<i64> of 1 to 3 numbers of results, 2 to 16 each",
      isWinogradTile},
     "a convolution",
     isConvolution},
    {{kMostWinogradAttrName, "a number of results, 0 to 16", isMostWinograd},
     "a convolution",
     isConvolution},
    {{kIndependentAttrName, "a unit attribute", isKind<UnitAttr>},
     "a loop",
     isLoop},
    {{ThreadRegionAttr::getAttrName(), "a #convoy.thread_region",
      isKind<ThreadRegionAttr>},
     "a loop",
     isLoop},
    {{kBufferBarrierAttrName, "a unit attribute", isKind<UnitAttr>},
     "a barrier",
     isBarrier},
    {{kUncontractedAttrName, "a unit attribute", isKind<UnitAttr>},
     "a product, a sum or a difference of floats",
     isFloatArithmetic},
    {{kBF16FactorsAttrName, "a unit attribute", isKind<UnitAttr>},
     "a product of cooperative matrices",
     isMatrixProduct},
};

/// Those of arguments of functions.
static const Rule kArgumentRules[] = {
    {kPrepackedAttrName, "a unit attribute", isKind<UnitAttr>},
    {kNameAttrName, "a text", isKind<StringAttr>},
    {kLayoutAttrName, "a text", isKind<StringAttr>},
    {kRangeAttrName,
     "an array<f64> of a low and a high number in this order and, if known, "
     "the least magnitude that is not zero",
     isRange},
};

/// Those of results of functions.
static const Rule kResultRules[] = {
    {kSumsAttrName,
     "counts, i64 that are not negative, for f64, f32, f16 or bf16", isSums},
    {kTracedAttrName, "a unit attribute", isKind<UnitAttr>},
    {kNameAttrName, "a text", isKind<StringAttr>},
    {kLayoutAttrName, "a text", isKind<StringAttr>},
};

SmallVector<DiscardableAttr> mlir::convoy::getDiscardableAttrs() {
  SmallVector<DiscardableAttr> attributes;
  auto append = [&](ArrayRef<Rule> rules, StringRef place) {
    for (const Rule &rule : rules)
      attributes.push_back({rule.name, rule.expected, place});
  };
  append(kFunctionRules, "a function");
  append(kArgumentRules, "an argument of a function");
  append(kResultRules, "a result of a function");
  for (const OpRule &rule : kOpRules)
    attributes.push_back({rule.name, rule.expected, rule.place});
  return attributes;
}

SmallVector<StringRef> mlir::convoy::getDiscardableAttrNames() {
  llvm::SetVector<StringRef> names;
  for (const DiscardableAttr &attribute : getDiscardableAttrs())
    names.insert(attribute.name);
  return names.takeVector();
}

LogicalResult ConvoyDialect::verifyOperationAttribute(Operation *op,
                                                      NamedAttribute attr) {
  StringRef name = attr.getName();
  if (const OpRule *rule = findRule(kOpRules, name)) {
    if (failed(verifyValue(op, *rule, attr.getValue())))
      return failure();
    if (!rule->isPlace(op))
      return op->emitOpError() << "expected " << name << " on " << rule->place;
    return success();
  }
  const Rule *rule = findRule(kFunctionRules, name);
  if (!rule)
    return op->emitOpError()
           << "expected an attribute that the dialect convoy has for ops, but "
              "got "
           << name;
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return op->emitOpError() << "expected " << name << " on a function";
  if (failed(verifyValue(op, *rule, attr.getValue())))
    return failure();
  auto arguments = dyn_cast<ArrayAttr>(attr.getValue());
  // Of a function without a type its own verifier speaks, after this.
  auto type = dyn_cast_or_null<TypeAttr>(
      op->getInherentAttr("function_type").value_or(Attribute()));
  if (!arguments || !type)
    return success();
  if (arguments.size() > function.getNumArguments())
    return op->emitOpError() << "expected " << name << " of at most "
                             << function.getNumArguments()
                             << " arguments, but got " << arguments.size();
  return success();
}

LogicalResult ConvoyDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                      unsigned,
                                                      NamedAttribute attr) {
  if (const Rule *rule = findRule(kArgumentRules, attr.getName()))
    return verifyValue(op, *rule, attr.getValue());
  return op->emitOpError()
         << "expected an attribute that the dialect convoy has for arguments, "
            "but got "
         << attr.getName();
}

LogicalResult ConvoyDialect::verifyRegionResultAttribute(Operation *op,
                                                         unsigned, unsigned,
                                                         NamedAttribute attr) {
  if (const Rule *rule = findRule(kResultRules, attr.getName()))
    return verifyValue(op, *rule, attr.getValue());
  return op->emitOpError()
         << "expected an attribute that the dialect convoy has for results, "
            "but got "
         << attr.getName();
}
