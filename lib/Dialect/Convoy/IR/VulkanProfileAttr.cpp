//===- VulkanProfileAttr.cpp - Vulkan devices as attributes -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "AttrSyntax.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

namespace convoy {
llvm::hash_code hash_value(const VulkanLimits &limits) {
  llvm::hash_code features = 0;
  for (auto [name, feature] : kVulkanFeatures)
    features = llvm::hash_combine(features, limits.*feature);
  return llvm::hash_combine(
      limits.minorVersion, limits.subgroup, limits.workgroupBytes,
      limits.workgroupItems, llvm::ArrayRef<int64_t>(limits.workgroupSize),
      llvm::ArrayRef<int64_t>(limits.workgroupCount), limits.bufferBytes,
      limits.registers, limits.computeUnits, limits.loopIterations, features);
}
} // namespace convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::kVulkanFeatures;
using ::convoy::VulkanLimits;
using ::convoy::VulkanProfile;

/// The limits that are one number, with their words.
static constexpr std::pair<StringLiteral, int64_t VulkanLimits::*>
    kNumericLimits[] = {{"minor_version", &VulkanLimits::minorVersion},
                        {"subgroup", &VulkanLimits::subgroup},
                        {"workgroup_bytes", &VulkanLimits::workgroupBytes},
                        {"workgroup_items", &VulkanLimits::workgroupItems},
                        {"buffer_bytes", &VulkanLimits::bufferBytes},
                        {"registers", &VulkanLimits::registers},
                        {"compute_units", &VulkanLimits::computeUnits},
                        {"loop_iterations", &VulkanLimits::loopIterations}};

/// Those that are a number for each dimension of a grid.
static constexpr std::pair<StringLiteral,
                           std::array<int64_t, 3> VulkanLimits::*>
    kGridLimits[] = {{"workgroup_size", &VulkanLimits::workgroupSize},
                     {"workgroup_count", &VulkanLimits::workgroupCount}};

VulkanProfileAttr VulkanProfileAttr::get(MLIRContext *context,
                                         const VulkanProfile &profile) {
  return get(context, profile.name, profile.limits);
}

VulkanProfileAttr VulkanProfileAttr::lookup(Operation *op) {
  for (Operation *holder = op; holder; holder = holder->getParentOp())
    if (auto profile =
            holder->getAttrOfType<VulkanProfileAttr>(getModuleAttrName()))
      return profile;
  return nullptr;
}

TargetAttr VulkanProfileAttr::getTarget() const {
  TargetAttr standard = TargetAttr::getDefault(getContext());
  const VulkanLimits &limits = getLimits();
  SmallVector<StringRef> names;
  llvm::append_range(names, ::convoy::getCooperativeMatrices(limits));
  ArrayAttr matrix = names.empty()
                         ? ArrayAttr()
                         : Builder(getContext()).getStrArrayAttr(names);
  return TargetAttr::get(
      getContext(), /*vectorBytes=*/16, limits.registers, standard.getL1Bytes(),
      standard.getL2Bytes(), standard.getCore(), /*dot=*/{}, /*tile=*/{},
      limits.subgroup, limits.workgroupBytes, limits.workgroupItems, matrix,
      limits.slowSharedMemory, limits.computeUnits);
}

LogicalResult
VulkanProfileAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                          StringRef profileName, VulkanLimits limits) {
  for (auto [name, limit] : kNumericLimits)
    if (int64_t usual = VulkanLimits().*limit;
        limits.*limit < 1 && limits.*limit != usual)
      return emitError() << "expected a positive " << name
                         << (usual == 0 ? " or 0" : "") << ", but got "
                         << limits.*limit;
  for (auto [name, limit] : kGridLimits)
    for (int64_t size : limits.*limit)
      if (size < 1)
        return emitError() << "expected positive numbers in " << name
                           << ", but got " << size;
  if (!llvm::isPowerOf2_64(limits.subgroup) ||
      limits.subgroup > limits.workgroupItems)
    return emitError() << "expected subgroup to be a power of two up to "
                          "workgroup_items = "
                       << limits.workgroupItems << ", but got "
                       << limits.subgroup;
  return success();
}

static ParseResult parseGrid(AsmParser &parser, std::array<int64_t, 3> &sizes) {
  return failure(parser.parseLSquare() || parser.parseInteger(sizes[0]) ||
                 parser.parseComma() || parser.parseInteger(sizes[1]) ||
                 parser.parseComma() || parser.parseInteger(sizes[2]) ||
                 parser.parseRSquare());
}

static ParseResult parseFeatures(AsmParser &parser, VulkanLimits &limits) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        SMLoc loc = parser.getCurrentLocation();
        StringRef word;
        if (parser.parseKeyword(&word))
          return failure();
        for (auto [name, feature] : kVulkanFeatures) {
          if (word != StringRef(name))
            continue;
          limits.*feature = true;
          return success();
        }
        return parser.emitError(loc, "expected a feature such as ")
               << StringRef(kVulkanFeatures[0].first) << ", but got " << word;
      });
}

Attribute VulkanProfileAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  std::string profileName;
  VulkanLimits limits;
  KeyedListParser fields(parser, "a Vulkan profile");
  fields.add("name", [&] { return parser.parseString(&profileName); });
  for (auto [name, limit] : kNumericLimits)
    fields.add(name, [&, limit = limit] {
      return parser.parseInteger(limits.*limit);
    });
  for (auto [name, limit] : kGridLimits)
    fields.add(name,
               [&, limit = limit] { return parseGrid(parser, limits.*limit); });
  fields.add("features", [&] { return parseFeatures(parser, limits); });
  if (fields.parse(AsmParser::Delimiter::LessGreater))
    return {};
  return parser.getChecked<VulkanProfileAttr>(loc, parser.getContext(),
                                              StringRef(profileName), limits);
}

void VulkanProfileAttr::print(AsmPrinter &printer) const {
  VulkanLimits limits = getLimits();
  printer << '<';
  KeyedListPrinter fields(printer);
  fields.begin("name");
  printer.printString(getProfileName());
  for (auto [name, limit] : kNumericLimits)
    if (limits.*limit != std::numeric_limits<int64_t>::max() &&
        limits.*limit != 0)
      fields.begin(name) << limits.*limit;
  for (auto [name, limit] : kGridLimits)
    fields.printList(name, limits.*limit);
  SmallVector<StringRef> words;
  for (auto [name, feature] : kVulkanFeatures)
    if (limits.*feature)
      words.push_back(name);
  if (!words.empty()) {
    raw_ostream &os = fields.begin("features");
    os << '[';
    llvm::interleaveComma(words, os);
    os << ']';
  }
  printer << '>';
}
