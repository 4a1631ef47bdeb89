//===- AttrSyntax.h - Keyed lists, as in stride = [2, 2] --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_DIALECT_CONVOY_IR_ATTRSYNTAX_H
#define CONVOY_LIB_DIALECT_CONVOY_IR_ATTRSYNTAX_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::convoy {

/// Parses `name = value, …` in any order, each name at most once.
class KeyedListParser {
public:
  KeyedListParser(AsmParser &parser, StringRef what)
      : parser(parser), what(what) {}

  void add(StringRef name, std::function<ParseResult()> parseValue) {
    fields.emplace_back(name, std::move(parseValue));
  }

  ParseResult parse(AsmParser::Delimiter delimiter) {
    llvm::StringSet<> seen;
    return parser.parseCommaSeparatedList(delimiter, [&]() -> ParseResult {
      SMLoc loc = parser.getCurrentLocation();
      StringRef name;
      if (parser.parseKeyword(&name))
        return failure();
      auto *field = llvm::find_if(
          fields, [&](const auto &entry) { return entry.first == name; });
      if (field == fields.end())
        return parser.emitError(loc)
               << "expected one of "
               << llvm::join(llvm::make_first_range(fields), ", ") << " in "
               << what << ", but got " << name;
      if (!seen.insert(name).second)
        return parser.emitError(loc) << name << " stands twice in " << what;
      return failure(parser.parseEqual() || field->second());
    });
  }

private:
  AsmParser &parser;
  StringRef what;
  SmallVector<std::pair<StringRef, std::function<ParseResult()>>> fields;
};

/// Prints `name = value, …`.
class KeyedListPrinter {
public:
  explicit KeyedListPrinter(AsmPrinter &printer) : printer(printer) {}

  /// Starts the field `name`; the caller prints its value.
  raw_ostream &begin(StringRef name) {
    printer << separator << name << " = ";
    separator = ", ";
    return printer.getStream();
  }

  /// Prints the field unless `values` is empty.
  void printList(StringRef name, ArrayRef<int64_t> values) {
    if (values.empty())
      return;
    raw_ostream &os = begin(name);
    os << '[';
    llvm::interleaveComma(values, os);
    os << ']';
  }

private:
  AsmPrinter &printer;
  StringRef separator = "";
};

/// Parses `[1, 2, 3]`.
ParseResult parseIntegers(AsmParser &parser, SmallVectorImpl<int64_t> &values);
ParseResult parseConvLayout(AsmParser &parser, ConvLayoutAttr &attr);
void printConvLayout(AsmPrinter &printer, ConvLayoutAttr attr);
ParseResult parseIm2colLayout(AsmParser &parser, Im2colLayoutAttr &attr);
void printIm2colLayout(AsmPrinter &printer, Im2colLayoutAttr attr);
ParseResult parseSampleLayout(AsmParser &parser, SampleLayoutAttr &attr);
void printSampleLayout(AsmPrinter &printer, SampleLayoutAttr attr);
ParseResult parseWindowBody(AsmParser &parser, AsmParser::Delimiter delimiter,
                            WindowAttr &attr);
void printWindowBody(AsmPrinter &printer, WindowAttr attr);
ParseResult parseNumericsBody(AsmParser &parser, AsmParser::Delimiter delimiter,
                              NumericsAttr &attr);
void printNumericsBody(AsmPrinter &printer, NumericsAttr attr);

} // namespace mlir::convoy

#endif // CONVOY_LIB_DIALECT_CONVOY_IR_ATTRSYNTAX_H
