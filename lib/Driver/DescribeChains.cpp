//===- DescribeChains.cpp - What programs are told of chains ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/Chains.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::convoy;

using Kind = ChainOperand::Kind;

/// The names of nodes in quotes: they may hold what ends a comment of the other
/// kind, or goes on with it in the next line.
static std::string quote(ArrayRef<std::string> nodes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(nodes, os, [&](StringRef node) {
    os << '"';
    llvm::printEscapedString(node, os);
    os << '"';
  });
  return text;
}

HeaderNotes mlir::convoy::getHeaderNotes(const ChainModule &chains) {
  HeaderNotes notes;
  for (const Chain &chain : chains.chains) {
    notes.counted.insert(chain.name);
    std::vector<std::string> &lines = notes.lines[chain.name];
    for (const ChainStep &step : chain.steps) {
      std::string line = step.kernel;
      if (!step.nodes.empty()) {
        line += ": " + quote(step.nodes);
        notes.lines[step.kernel].push_back("Nodes: " + quote(step.nodes));
      }
      lines.push_back("Calls " + line);
    }
  }
  return notes;
}

static llvm::json::Value toJSON(const ChainOperand &operand,
                                const Chain &chain) {
  switch (operand.kind) {
  case Kind::Argument:
    return llvm::json::Object{
        {"argument", chain.arguments[operand.number].name}};
  case Kind::Value:
    return llvm::json::Object{{"value", operand.number}};
  case Kind::Constant:
    return llvm::json::Object{{"constant", operand.number}};
  }
  llvm_unreachable("all are named");
}

static llvm::json::Value toJSON(const ChainStep &step, const Chain &chain) {
  llvm::json::Array operands;
  for (const ChainOperand &operand : step.operands)
    operands.push_back(toJSON(operand, chain));
  return llvm::json::Object{
      {"kernel", step.kernel},
      {"nodes", llvm::json::Array(step.nodes)},
      {"operands", std::move(operands)},
      {"workspace", llvm::json::Object{{"offset", step.workspaceOffset},
                                       {"bytes", step.workspaceBytes}}}};
}

static llvm::json::Value toJSON(const ChainValue &value) {
  std::string type;
  llvm::raw_string_ostream(type) << value.type.getElementType();
  return llvm::json::Object{{"name", value.name},
                            {"type", type},
                            {"shape", llvm::json::Array(value.type.getShape())},
                            {"offset", value.offset},
                            {"first_step", value.first},
                            {"last_step", value.last}};
}

llvm::json::Array mlir::convoy::toJSON(const ChainModule &chains) {
  llvm::json::Array array;
  for (const Chain &chain : chains.chains) {
    llvm::json::Array steps, values;
    for (const ChainStep &step : chain.steps)
      steps.push_back(::toJSON(step, chain));
    for (const ChainValue &value : chain.values)
      values.push_back(::toJSON(value));
    array.push_back(llvm::json::Object{{"entry", chain.name},
                                       {"steps", std::move(steps)},
                                       {"values", std::move(values)}});
  }
  return array;
}
