//===- CodeMutations.h - Changes of machine code ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_MUTATECODE_CODEMUTATIONS_H
#define CONVOY_TEST_MUTATECODE_CODEMUTATIONS_H

#include "mlir/Support/LLVM.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/Target/TargetMachine.h"

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace mlir::convoy::test {

using Random = std::mt19937_64;

/// The instructions of an object file, each of which may be changed in place.
class CodeMutations {
public:
  /// Disassembles the code in `object`, which was made by `machine`. Those
  /// instructions are left out that a relocation or a branch's distance is in.
  CodeMutations(std::string object, llvm::TargetMachine &machine);

  /// What `mutate` did.
  struct Mutant {
    std::string object;
    std::string kind; ///< "register", "offset" or "bit"
    std::string before, after;
  };
  /// The object with one operand of one instruction changed: another register
  /// of its class, a number that is off by an element, or one bit of a number.
  Mutant mutate(int64_t elementBytes, Random &random);

private:
  struct Instruction {
    uint64_t fileOffset;
    llvm::MCInst inst;
    std::string bytes;
  };

  void disassemble(StringRef code, uint64_t fileOffset,
                   const std::vector<uint64_t> &relocated);
  /// Whether `inst` has one of the four registers that no instruction with a
  /// REX prefix has, as others of their class may need.
  bool hasHighByte(const llvm::MCInst &inst) const;
  /// The class that operand `number` of `inst`, a register, is of, or -1.
  int16_t getRegisterClass(const llvm::MCInst &inst, unsigned number) const;
  /// The bytes of `inst`, or none where it needs more than these.
  std::string encode(const llvm::MCInst &inst);
  std::string print(const llvm::MCInst &inst);
  /// Changes an operand of `inst`; returns the kind, or nothing where it cannot
  /// be changed.
  std::string change(llvm::MCInst &inst, int64_t elementBytes, Random &random);

  std::string object;
  llvm::TargetMachine &machine;
  llvm::MCContext context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::MCCodeEmitter> emitter;
  std::unique_ptr<llvm::MCInstPrinter> printer;
  std::vector<Instruction> instructions;
  /// Registers by their class: those that some instruction has there. Not any
  /// that the class has can be encoded anywhere.
  std::map<int16_t, std::vector<llvm::MCRegister>> registers;
};

} // namespace mlir::convoy::test

#endif // CONVOY_TEST_MUTATECODE_CODEMUTATIONS_H
