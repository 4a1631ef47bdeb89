//===- CodeMutations.cpp - Changes of machine code --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeMutations.h"

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCFixup.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::convoy::test;

CodeMutations::CodeMutations(std::string object, llvm::TargetMachine &machine)
    : object(std::move(object)), machine(machine),
      context(machine.getTargetTriple(), machine.getMCAsmInfo(),
              machine.getMCRegisterInfo(), machine.getMCSubtargetInfo()) {
  const llvm::Target &target = machine.getTarget();
  const llvm::MCInstrInfo &infos = *machine.getMCInstrInfo();
  const llvm::MCAsmInfo &syntax = *machine.getMCAsmInfo();
  disassembler.reset(
      target.createMCDisassembler(*machine.getMCSubtargetInfo(), context));
  emitter.reset(target.createMCCodeEmitter(infos, context));
  printer.reset(target.createMCInstPrinter(
      machine.getTargetTriple(), syntax.getAssemblerDialect(), syntax, infos,
      *machine.getMCRegisterInfo()));
  auto file = llvm::cantFail(llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(this->object, "object")));
  for (const llvm::object::SectionRef &section : file->sections()) {
    if (!section.isText() || section.getSize() == 0)
      continue;
    StringRef code = llvm::cantFail(section.getContents());
    std::vector<uint64_t> relocated;
    // Relocations are in a section of their own, which names this one.
    for (const llvm::object::SectionRef &other : file->sections())
      if (auto named = llvm::cantFail(other.getRelocatedSection());
          named != file->section_end() && *named == section)
        for (const llvm::object::RelocationRef &one : other.relocations())
          relocated.push_back(one.getOffset());
    disassemble(code, uint64_t(code.data() - this->object.data()), relocated);
  }
}

void CodeMutations::disassemble(StringRef code, uint64_t fileOffset,
                                const std::vector<uint64_t> &relocated) {
  ArrayRef<uint8_t> bytes(code.bytes_begin(), code.size());
  for (uint64_t offset = 0, size = 0; offset < bytes.size(); offset += size) {
    Instruction one{fileOffset + offset, {}, ""};
    auto status = disassembler->getInstruction(
        one.inst, size, bytes.drop_front(offset), offset, llvm::nulls());
    size = std::max<uint64_t>(size, 1);
    bool isRelocated = std::ranges::any_of(relocated, [&](uint64_t place) {
      return place >= offset && place < offset + size;
    });
    if (status != llvm::MCDisassembler::Success || isRelocated)
      continue;
    one.bytes = code.substr(offset, size).str();
    if (hasHighByte(one.inst) || encode(one.inst) != one.bytes)
      continue;
    for (unsigned number = 0; number < one.inst.getNumOperands(); ++number)
      if (int16_t ofClass = getRegisterClass(one.inst, number); ofClass >= 0)
        registers[ofClass].push_back(one.inst.getOperand(number).getReg());
    instructions.push_back(std::move(one));
  }
}

bool CodeMutations::hasHighByte(const llvm::MCInst &inst) const {
  return llvm::any_of(inst, [&](const llvm::MCOperand &operand) {
    return operand.isReg() &&
           llvm::is_contained({"AH", "BH", "CH", "DH"},
                              StringRef(machine.getMCRegisterInfo()->getName(
                                  operand.getReg())));
  });
}

int16_t CodeMutations::getRegisterClass(const llvm::MCInst &inst,
                                        unsigned number) const {
  const llvm::MCInstrInfo &infos = *machine.getMCInstrInfo();
  const llvm::MCInstrDesc &desc = infos.get(inst.getOpcode());
  const llvm::MCOperand &operand = inst.getOperand(number);
  if (!operand.isReg() || !operand.getReg() || number >= desc.getNumOperands())
    return -1;
  return infos.getOpRegClassID(desc.operands()[number],
                               machine.getMCSubtargetInfo()->getHwMode(
                                   llvm::MCSubtargetInfo::HwMode_RegInfo));
}

std::string CodeMutations::encode(const llvm::MCInst &inst) {
  SmallVector<char> bytes;
  SmallVector<llvm::MCFixup> fixups;
  emitter->encodeInstruction(inst, bytes, fixups,
                             *machine.getMCSubtargetInfo());
  return fixups.empty() ? std::string(bytes.begin(), bytes.end()) : "";
}

std::string CodeMutations::print(const llvm::MCInst &inst) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printer->printInst(&inst, 0, "", *machine.getMCSubtargetInfo(), os);
  std::ranges::replace(text, '\t', ' ');
  return StringRef(text).trim().str();
}

std::string CodeMutations::change(llvm::MCInst &inst, int64_t elementBytes,
                                  Random &random) {
  if (inst.getNumOperands() == 0)
    return "";
  unsigned number = random() % inst.getNumOperands();
  llvm::MCOperand &operand = inst.getOperand(number);
  if (operand.isImm()) {
    // Numbers that stand for something else, as conditions do, are few.
    const llvm::MCInstrDesc &desc =
        machine.getMCInstrInfo()->get(inst.getOpcode());
    if (number >= desc.getNumOperands() ||
        desc.operands()[number].OperandType >= llvm::MCOI::OPERAND_FIRST_TARGET)
      return "";
    bool isOffset = random() % 2 == 0;
    int64_t value = operand.getImm();
    operand.setImm(isOffset ? value + (random() % 2 ? 1 : -1) * elementBytes
                            : value ^ int64_t(1) << random() % 8);
    return isOffset ? "offset" : "bit";
  }
  int16_t ofClass = getRegisterClass(inst, number);
  if (ofClass < 0)
    return "";
  const std::vector<llvm::MCRegister> &known = registers[ofClass];
  operand.setReg(known[random() % known.size()]);
  return "register";
}

CodeMutations::Mutant CodeMutations::mutate(int64_t elementBytes,
                                            Random &random) {
  for (;;) {
    const Instruction &chosen = instructions[random() % instructions.size()];
    llvm::MCInst inst = chosen.inst;
    std::string kind = change(inst, elementBytes, random);
    if (kind.empty())
      continue;
    std::string bytes = encode(inst);
    if (bytes.size() != chosen.bytes.size() || bytes == chosen.bytes)
      continue;
    Mutant mutant{object, std::move(kind), print(chosen.inst), print(inst)};
    mutant.object.replace(chosen.fileOffset, bytes.size(), bytes);
    return mutant;
  }
}
