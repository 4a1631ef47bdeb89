//===- Operations.h - What Python sees of a module's ops --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing here refers to the module: it may change, or end, before Python
// looks.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_PYTHON_SRC_OPERATIONS_H
#define CONVOY_PYTHON_SRC_OPERATIONS_H

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace convoy::python {

struct AttributeValue;
struct NamedValue;

/// The elements of a tensor, or one for all of them.
struct DenseValue {
  std::vector<int64_t> shape;
  std::variant<std::vector<int64_t>, std::vector<double>> elements;
};

/// An integer in digits, of any width.
struct IntegerText {
  std::string digits;
};

using AttributeList = std::vector<AttributeValue>;
using AttributeDict = std::vector<NamedValue>;

/// An attribute, by what it is made of; a text where that is none of the
/// others.
struct AttributeValue {
  std::variant<bool, IntegerText, double, std::string, AttributeList,
               AttributeDict, DenseValue>
      value;
};

struct NamedValue {
  std::string name;
  AttributeValue value;
};

/// A value, or an argument of a block.
struct ValueInfo {
  std::string name; ///< as the printed module has it
  std::string type;
  /// Of what has one; -1 for sizes that are dynamic.
  std::optional<std::vector<int64_t>> shape;
  std::string element; ///< the type of elements, or empty
};

struct OperationInfo {
  std::string name;
  int64_t parent; ///< its number in the walk, or -1
  std::vector<ValueInfo> operands, results;
  std::vector<ValueInfo> arguments; ///< of all its blocks
  AttributeDict attributes;
  std::string location; ///< `file:line:col`, or empty
};

/// All ops inside of `module`, each before those inside of it.
std::vector<OperationInfo> listOperations(mlir::ModuleOp module);

} // namespace convoy::python

#endif // CONVOY_PYTHON_SRC_OPERATIONS_H
