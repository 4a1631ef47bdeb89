//===- Values.cpp - Tensor values as text -----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/Values.h"

#include "convoy/Driver/Memory.h"
#include "convoy/Runtime/Npy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <charconv>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::HostArray;
using ::convoy::ScalarType;

static constexpr ScalarType kTypes[] = {
    ScalarType::F64,  ScalarType::F32, ScalarType::F16,
    ScalarType::BF16, ScalarType::I8,  ScalarType::U8,
    ScalarType::I16,  ScalarType::I32, ScalarType::I64};

std::string mlir::convoy::getTypeText(const HostArray &array) {
  std::string text;
  for (int64_t size : array.shape)
    text += std::to_string(size) + "x";
  return text.append(::convoy::scalarTypeName(array.type));
}

/// `1x3x2xf32` as an array of zeros.
static std::optional<HostArray> parseType(StringRef text, std::string &error) {
  SmallVector<StringRef> parts;
  text.split(parts, 'x');
  auto *type = llvm::find_if(kTypes, [&](ScalarType type) {
    return StringRef(::convoy::scalarTypeName(type)) == parts.back();
  });
  std::vector<int64_t> shape(parts.size() - 1);
  bool isLegal = type != std::end(kTypes);
  for (auto [size, part] : llvm::zip(shape, parts))
    isLegal &= !part.getAsInteger(10, size) && size >= 0;
  if (!isLegal) {
    error =
        ("expected sizes and a type, as in 1x3x2xf32, but got '" + text + "'")
            .str();
    return std::nullopt;
  }
  std::optional<int64_t> count = ::convoy::checkedElementCount(*type, shape);
  std::optional<std::string> shortage =
      checkMemory(count ? double(*count) * double(::convoy::scalarSize(*type))
                        : double(INT64_MAX),
                  "the value '" + text.str() + "'");
  if (shortage) {
    error = *shortage;
    return std::nullopt;
  }
  return HostArray(*type, std::move(shape));
}

/// Stores the number `word` as element `index`.
static bool storeNumber(StringRef word, HostArray &array, int64_t index) {
  if (::convoy::isFloat(array.type)) {
    double value;
    if (!llvm::to_float(word, value))
      return false;
    array.set(index, value);
    return true;
  }
  int64_t value;
  if (word.getAsInteger(10, value))
    return false;
  if (array.type == ScalarType::I64) {
    std::memcpy(array.bytes.data() + index * sizeof(value), &value,
                sizeof(value));
    return true;
  }
  array.set(index, double(value));
  return ::convoy::loadInteger(array.type, array.data(), index) == value;
}

std::optional<HostArray> mlir::convoy::parseValue(StringRef text,
                                                  std::string &error) {
  if (text.consume_front("@"))
    return ::convoy::readNpy(text.str(), error);
  auto [typeText, numbers] = text.split('=');
  std::optional<HostArray> array = parseType(typeText, error);
  if (!array || numbers.data() == nullptr || numbers.empty())
    return array;
  SmallVector<StringRef> words;
  llvm::SplitString(numbers, words, ", []\t\n");
  int64_t count = array->elementCount();
  if (words.size() != 1 && int64_t(words.size()) != count) {
    error = ("expected 1 or " + Twine(count) + " numbers in '" + typeText +
             "=...', but got " + Twine(words.size()))
                .str();
    return std::nullopt;
  }
  for (int64_t index = 0; index < count; ++index) {
    StringRef word = words[words.size() == 1 ? 0 : index];
    if (storeNumber(word, *array, index))
      continue;
    error = ("expected a number of type " +
             Twine(StringRef(::convoy::scalarTypeName(array->type))) +
             " for element " + Twine(index) + ", but got '" + word + "'")
                .str();
    return std::nullopt;
  }
  return array;
}

/// The shortest decimal that reads back as the same element; narrow types are
/// printed as the f32 of the same value.
static void printElement(const HostArray &array, int64_t index,
                         llvm::raw_ostream &os) {
  if (!::convoy::isFloat(array.type)) {
    os << ::convoy::loadInteger(array.type, array.data(), index);
    return;
  }
  char text[32];
  double value = array.at(index);
  std::to_chars_result result =
      array.type == ScalarType::F64
          ? std::to_chars(text, std::end(text), value)
          : std::to_chars(text, std::end(text), float(value));
  os.write(text, result.ptr - text);
}

namespace {
class ValuePrinter {
public:
  ValuePrinter(const HostArray &array, size_t limit, llvm::raw_ostream &os)
      : array(array), left(limit), os(os) {}

  /// Prints dimension `dim`; the outermost one has no brackets.
  void print(size_t dim) {
    if (dim == array.shape.size())
      return printNext();
    bool isInnermost = dim + 1 == array.shape.size();
    for (int64_t i = 0; i < array.shape[dim] && !isCut; ++i) {
      if (isInnermost) {
        os << (i ? " " : "");
        printNext();
        continue;
      }
      os << '[';
      print(dim + 1);
      os << ']';
    }
  }

private:
  void printNext() {
    isCut = left == 0;
    if (isCut) {
      os << "...";
      return;
    }
    --left;
    printElement(array, next++, os);
  }

  const HostArray &array;
  size_t left;
  int64_t next = 0;
  bool isCut = false;
  llvm::raw_ostream &os;
};
} // namespace

void mlir::convoy::printValue(const HostArray &array, size_t limit,
                              llvm::raw_ostream &os) {
  os << getTypeText(array) << '=';
  ValuePrinter(array, limit, os).print(0);
  os << '\n';
}
