//===- SPIRVModule.cpp - What a SPIR-V module says of itself --------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SPIRVModule.h"

#include "convoy/Support/SPIRVTools.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>

#include <spirv-tools/libspirv.hpp>
#include <spirv/unified1/spirv.hpp11>

using namespace convoy;

static constexpr size_t HeaderWords = 5;

namespace {

/// One instruction; operands that are missing read as 0.
struct Instruction {
  spv::Op opcode;
  std::span<const uint32_t> words;

  uint32_t operator[](size_t place) const {
    return place < words.size() ? words[place] : 0;
  }
  /// All words from `place` on.
  std::span<const uint32_t> from(size_t place) const {
    return words.subspan(std::min(place, words.size()));
  }
};

struct Variable {
  uint32_t pointee;
  spv::StorageClass storage;
};

struct Function {
  std::set<uint32_t> variables; ///< that it uses itself
  std::set<uint32_t> callees;
};

struct EntryPoint {
  uint32_t function;
  SPIRVEntry entry;
};

/// Reads instructions in the order that SPIR-V prescribes: entry points and
/// their modes, decorations, types and variables, functions.
class Reader {
public:
  Reader(SPIRVModule &module, std::string &error)
      : module(module), error(error) {}

  bool readHeader();
  bool readInstructions();
  bool finishEntries();

private:
  void read(const Instruction &instruction);
  void readEntryPoint(const Instruction &instruction);
  void readExecutionMode(const Instruction &instruction);
  void readDecoration(const Instruction &instruction);
  void readType(const Instruction &instruction);
  void readConstant(const Instruction &instruction);
  void readBody(const Instruction &instruction);
  void use(uint32_t id);
  uint64_t getStructSize(const Instruction &instruction) const;
  std::set<uint32_t> getUsedVariables(uint32_t function) const;
  bool finish(EntryPoint &point);
  bool addVariable(SPIRVEntry &entry, uint32_t id);

  bool fail(const std::string &sentence) {
    error = sentence;
    return false;
  }
  uint64_t sizeOf(uint32_t type) const { return lookup(sizes, type); }
  template <typename Key, typename Value>
  static Value lookup(const std::map<Key, Value> &map, const Key &key) {
    auto found = map.find(key);
    return found == map.end() ? Value() : found->second;
  }

  SPIRVModule &module;
  std::string &error;
  std::vector<EntryPoint> points;
  std::map<uint32_t, uint32_t> bindings, sets, strides;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> offsets;
  std::map<uint32_t, uint64_t> sizes;     ///< in bytes, of types
  std::map<uint32_t, uint64_t> constants; ///< integers
  std::map<uint32_t, uint32_t> pointees;  ///< of pointer types
  std::map<uint32_t, Variable> variables;
  std::map<uint32_t, Function> functions;
  std::map<uint32_t, std::array<uint32_t, 3>> sizeIds; ///< by function
  uint32_t workgroupSizeId = 0; ///< the constant that overrides all sizes
  uint32_t gridId = 0; ///< the variable that says how many workgroups there are
  std::array<uint32_t, 3> commonSize = {};
  uint32_t subgroupSizeId = 0; ///< the constant that says `module.subgroup`
  uint32_t currentFunction = 0;
};

} // namespace

static uint64_t multiply(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product)
             ? std::numeric_limits<uint64_t>::max()
             : product;
}

static uint64_t add(uint64_t a, uint64_t b) {
  uint64_t sum;
  return __builtin_add_overflow(a, b, &sum)
             ? std::numeric_limits<uint64_t>::max()
             : sum;
}

/// The text that begins with `words`, four characters in each.
static std::string readText(std::span<const uint32_t> words) {
  std::string text;
  for (uint32_t word : words)
    for (int byte = 0; byte < 4; ++byte) {
      char letter = static_cast<char>(word >> (8 * byte) & 0xff);
      if (letter == 0)
        return text;
      text += letter;
    }
  return text;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

bool Reader::readHeader() {
  if (module.words.size() < HeaderWords)
    return fail("expected SPIR-V, which has a header of " +
                std::to_string(HeaderWords) + " words, but got " +
                std::to_string(module.words.size()));
  if (module.words[0] != spv::MagicNumber) {
    char found[16];
    std::snprintf(found, sizeof(found), "0x%08x", module.words[0]);
    return fail(
        std::string("expected SPIR-V, which starts with 0x07230203, but got ") +
        found);
  }
  module.major = module.words[1] >> 16 & 0xff;
  module.minor = module.words[1] >> 8 & 0xff;
  return true;
}

bool Reader::readInstructions() {
  std::span<const uint32_t> rest = std::span(module.words).subspan(HeaderWords);
  while (!rest.empty()) {
    size_t count = rest[0] >> spv::WordCountShift;
    if (count == 0 || count > rest.size())
      return fail("the SPIR-V module ends within an instruction, at word " +
                  std::to_string(module.words.size() - rest.size()));
    read({static_cast<spv::Op>(rest[0] & spv::OpCodeMask), rest.first(count)});
    rest = rest.subspan(count);
  }
  return true;
}

void Reader::read(const Instruction &instruction) {
  switch (instruction.opcode) {
  case spv::Op::OpName:
    if (readText(instruction.from(2)) == "subgroup_size")
      subgroupSizeId = instruction[1];
    return;
  case spv::Op::OpCapability:
    return module.capabilities.push_back(instruction[1]);
  case spv::Op::OpEntryPoint:
    return readEntryPoint(instruction);
  case spv::Op::OpExecutionMode:
  case spv::Op::OpExecutionModeId:
    return readExecutionMode(instruction);
  case spv::Op::OpDecorate:
  case spv::Op::OpMemberDecorate:
    return readDecoration(instruction);
  case spv::Op::OpConstant:
  case spv::Op::OpSpecConstant:
  case spv::Op::OpConstantComposite:
  case spv::Op::OpSpecConstantComposite:
    return readConstant(instruction);
  case spv::Op::OpVariable:
    variables[instruction[2]] = {
        lookup(pointees, instruction[1]),
        static_cast<spv::StorageClass>(instruction[3])};
    return;
  case spv::Op::OpFunction:
    currentFunction = instruction[2];
    return;
  case spv::Op::OpFunctionEnd:
    currentFunction = 0;
    return;
  default:
    return currentFunction ? readBody(instruction) : readType(instruction);
  }
}

void Reader::readEntryPoint(const Instruction &instruction) {
  if (instruction[1] != uint32_t(spv::ExecutionModel::GLCompute))
    return;
  EntryPoint &point = points.emplace_back();
  point.function = instruction[2];
  point.entry.name = readText(instruction.from(3));
}

void Reader::readExecutionMode(const Instruction &instruction) {
  auto mode = static_cast<spv::ExecutionMode>(instruction[2]);
  std::array<uint32_t, 3> size = {instruction[3], instruction[4],
                                  instruction[5]};
  if (mode == spv::ExecutionMode::LocalSizeId)
    sizeIds[instruction[1]] = size;
  for (EntryPoint &point : points) {
    if (point.function != instruction[1])
      continue;
    if (mode == spv::ExecutionMode::LocalSize)
      point.entry.workgroupSize = size;
    else
      point.entry.floatModes.insert({instruction[2], instruction[3]});
  }
}

void Reader::readDecoration(const Instruction &instruction) {
  uint32_t target = instruction[1];
  if (instruction.opcode == spv::Op::OpMemberDecorate) {
    if (instruction[3] == uint32_t(spv::Decoration::Offset))
      offsets[{target, instruction[2]}] = instruction[4];
    return;
  }
  switch (static_cast<spv::Decoration>(instruction[2])) {
  case spv::Decoration::Binding:
    bindings[target] = instruction[3];
    return;
  case spv::Decoration::DescriptorSet:
    sets[target] = instruction[3];
    return;
  case spv::Decoration::ArrayStride:
    strides[target] = instruction[3];
    return;
  case spv::Decoration::BuiltIn:
    if (instruction[3] == uint32_t(spv::BuiltIn::WorkgroupSize))
      workgroupSizeId = target;
    if (instruction[3] == uint32_t(spv::BuiltIn::NumWorkgroups))
      gridId = target;
    return;
  default:
    return;
  }
}

uint64_t Reader::getStructSize(const Instruction &instruction) const {
  uint64_t size = 0;
  std::span<const uint32_t> members = instruction.from(2);
  for (uint32_t member = 0; member < members.size(); ++member) {
    auto offset = offsets.find({instruction[1], member});
    uint64_t begin = offset == offsets.end() ? size : offset->second;
    size = std::max(size, add(begin, sizeOf(members[member])));
  }
  return size;
}

void Reader::readType(const Instruction &instruction) {
  uint32_t id = instruction[1];
  switch (instruction.opcode) {
  case spv::Op::OpTypeBool:
    sizes[id] = 4;
    return;
  case spv::Op::OpTypeFloat:
    module.floatWidths.insert(instruction[2]);
    [[fallthrough]];
  case spv::Op::OpTypeInt:
    sizes[id] = instruction[2] / 8;
    return;
  case spv::Op::OpTypeVector:
  case spv::Op::OpTypeMatrix:
    sizes[id] = multiply(sizeOf(instruction[2]), instruction[3]);
    return;
  case spv::Op::OpTypeArray: {
    uint32_t stride = lookup(strides, id);
    sizes[id] = multiply(stride ? stride : sizeOf(instruction[2]),
                         lookup(constants, instruction[3]));
    return;
  }
  case spv::Op::OpTypeStruct:
    sizes[id] = getStructSize(instruction);
    return;
  case spv::Op::OpTypePointer:
    pointees[id] = instruction[3];
    return;
  default:
    return;
  }
}

void Reader::readConstant(const Instruction &instruction) {
  uint32_t id = instruction[2];
  if (instruction.opcode == spv::Op::OpConstant ||
      instruction.opcode == spv::Op::OpSpecConstant) {
    constants[id] = instruction[3] | uint64_t(instruction[4]) << 32;
    if (id && id == subgroupSizeId)
      module.subgroup = instruction[3];
    return;
  }
  if (id && id == workgroupSizeId)
    for (size_t dim = 0; dim < 3; ++dim)
      commonSize[dim] =
          static_cast<uint32_t>(lookup(constants, instruction[3 + dim]));
}

void Reader::use(uint32_t id) {
  auto found = variables.find(id);
  if (found != variables.end())
    functions[currentFunction].variables.insert(id);
}

/// Notes the variables that `instruction` uses. Literals are not to be taken
/// for ids, so that only the operands that can be pointers are looked at.
void Reader::readBody(const Instruction &instruction) {
  using spv::Op;
  constexpr auto FirstAtomic = uint32_t(Op::OpAtomicLoad),
                 LastAtomic = uint32_t(Op::OpAtomicXor);
  uint32_t opcode = uint32_t(instruction.opcode);
  if (opcode >= FirstAtomic && opcode <= LastAtomic) {
    use(instruction.opcode == Op::OpAtomicStore ? instruction[1]
                                                : instruction[3]);
    return;
  }
  switch (instruction.opcode) {
  case Op::OpFunctionCall:
    functions[currentFunction].callees.insert(instruction[3]);
    [[fallthrough]];
  case Op::OpSelect:
  case Op::OpPhi:
    for (uint32_t id : instruction.from(3))
      use(id);
    return;
  case Op::OpCopyMemory:
    use(instruction[2]);
    [[fallthrough]];
  case Op::OpStore:
    use(instruction[1]);
    return;
  case Op::OpLoad:
  case Op::OpAccessChain:
  case Op::OpInBoundsAccessChain:
  case Op::OpPtrAccessChain:
  case Op::OpArrayLength:
  case Op::OpCopyObject:
    use(instruction[3]);
    return;
  default:
    return;
  }
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

std::set<uint32_t> Reader::getUsedVariables(uint32_t function) const {
  std::set<uint32_t> used, seen;
  std::vector<uint32_t> open = {function};
  while (!open.empty()) {
    uint32_t next = open.back();
    open.pop_back();
    auto found = functions.find(next);
    if (found == functions.end() || !seen.insert(next).second)
      continue;
    used.insert(found->second.variables.begin(), found->second.variables.end());
    open.insert(open.end(), found->second.callees.begin(),
                found->second.callees.end());
  }
  return used;
}

bool Reader::addVariable(SPIRVEntry &entry, uint32_t id) {
  const Variable &variable = variables.at(id);
  switch (variable.storage) {
  case spv::StorageClass::StorageBuffer:
    if (!bindings.count(id) || lookup(sets, id) != 0)
      return fail("kernel '" + entry.name +
                  "': expected buffers with a binding in descriptor set 0, "
                  "but got one in set " +
                  std::to_string(lookup(sets, id)));
    entry.bindings.insert(bindings.at(id));
    return true;
  case spv::StorageClass::PushConstant:
    entry.pushConstantBytes =
        std::max(entry.pushConstantBytes, sizeOf(variable.pointee));
    return true;
  case spv::StorageClass::Workgroup:
    entry.workgroupBytes = add(entry.workgroupBytes, sizeOf(variable.pointee));
    return true;
  case spv::StorageClass::Uniform:
  case spv::StorageClass::UniformConstant:
    return fail("kernel '" + entry.name +
                "': expected storage buffers, but got a uniform");
  default:
    return true;
  }
}

bool Reader::finish(EntryPoint &point) {
  if (auto found = sizeIds.find(point.function); found != sizeIds.end())
    for (size_t dim = 0; dim < 3; ++dim)
      point.entry.workgroupSize[dim] =
          static_cast<uint32_t>(lookup(constants, found->second[dim]));
  if (workgroupSizeId)
    point.entry.workgroupSize = commonSize;
  for (uint32_t id : getUsedVariables(point.function)) {
    point.entry.asksForGrid |= id == gridId;
    if (!addVariable(point.entry, id))
      return false;
  }
  return true;
}

bool Reader::finishEntries() {
  for (const auto &[id, variable] : variables)
    if (variable.storage == spv::StorageClass::Workgroup)
      module.workgroupBytes =
          add(module.workgroupBytes, sizeOf(variable.pointee));
  for (EntryPoint &point : points) {
    if (!finish(point))
      return false;
    module.entries.push_back(std::move(point.entry));
  }
  if (module.entries.empty())
    return fail("the SPIR-V module has no compute kernel");
  return true;
}

std::optional<SPIRVModule> SPIRVModule::read(std::span<const std::byte> image,
                                             std::string &error) {
  if (image.size() % sizeof(uint32_t)) {
    error = "expected SPIR-V, which has whole words, but got " +
            std::to_string(image.size()) + " bytes";
    return std::nullopt;
  }
  SPIRVModule module;
  module.words.resize(image.size() / sizeof(uint32_t));
  if (!image.empty())
    std::memcpy(module.words.data(), image.data(), image.size());
  Reader reader(module, error);
  if (!reader.readHeader() || !reader.readInstructions() ||
      !reader.finishEntries())
    return std::nullopt;
  return module;
}

std::string SPIRVModule::findFault(uint32_t vulkanMinor) const {
  if (declares(kMatrixCapability) && !knowsCooperativeMatrices())
    return "";
  spvtools::SpirvTools tools(getVulkanEnvironment(vulkanMinor));
  std::string fault;
  tools.SetMessageConsumer([&](spv_message_level_t level, const char *,
                               const spv_position_t &, const char *text) {
    if (fault.empty() && level <= SPV_MSG_ERROR)
      fault = text;
  });
  if (tools.Validate(words))
    return "";
  std::ranges::replace(fault, '\n', ' ');
  return "it is not valid SPIR-V: " + fault;
}
