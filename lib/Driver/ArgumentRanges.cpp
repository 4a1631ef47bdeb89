//===- ArgumentRanges.cpp - What a user says of arguments -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/ArgumentRanges.h"

#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/RunKernel.h"
#include "convoy/Runtime/Npy.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::HostArray;
using ::convoy::ScalarType;

std::optional<ArgumentRange> mlir::convoy::parseCalibration(StringRef text) {
  auto [argument, path] = text.split('=');
  if (argument.empty() || path.empty())
    return std::nullopt;
  return ArgumentRange{argument.str(), path.str(), {}};
}

std::optional<ArgumentRange>
mlir::convoy::parseArgumentRange(StringRef text, std::string &error) {
  auto [argument, words] = text.split('=');
  ArgumentRange range{argument.str(), "", {}};
  bool areNumbers = true;
  for (StringRef word : llvm::split(words, ':')) {
    double &number = range.numbers.emplace_back();
    areNumbers &= !word.getAsDouble(number) && std::isfinite(number);
  }
  size_t count = range.numbers.size();
  if (argument.empty() || !areNumbers || count < 2 || count > 3)
    error = "an argument and finite numbers, the least and the largest and "
            "perhaps the smallest magnitude, as in input=-8:8:0.125,";
  else if (!(range.numbers[0] <= range.numbers[1]))
    error = "the least number before the largest";
  else if (count == 3 &&
           !(range.numbers[2] > 0 &&
             range.numbers[2] <= std::max(std::abs(range.numbers[0]),
                                          std::abs(range.numbers[1]))))
    error = "a smallest magnitude above 0 that the range reaches";
  else
    return range;
  return std::nullopt;
}

namespace {
/// The numbers of an argument that were found so far.
struct RecordedRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  double smallest = std::numeric_limits<double>::infinity(); ///< but zero

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
    if (value != 0)
      smallest = std::min(smallest, std::abs(value));
  }
  DenseF64ArrayAttr getAttr(MLIRContext *context) const {
    SmallVector<double, 3> numbers = {low, high};
    if (std::isfinite(smallest))
      numbers.push_back(smallest);
    return DenseF64ArrayAttr::get(context, numbers);
  }
};

/// Reads the recorded numbers of one argument.
class RecordingReader {
public:
  RecordingReader(Type argument, std::string &error)
      : argument(argument), error(error) {}

  bool add(const std::string &path);
  const RecordedRange &getRange() const { return range; }

private:
  bool fail(const std::string &path, const Twine &text) {
    error = (path + ": " + text).str();
    return false;
  }
  bool addElements(const std::string &path, const HostArray &array,
                   ScalarType type);

  Type argument;
  std::string &error;
  RecordedRange range;
};
} // namespace

bool RecordingReader::addElements(const std::string &path,
                                  const HostArray &array, ScalarType type) {
  for (int64_t i = 0; i < array.elementCount(); ++i) {
    double value = ::convoy::roundTo(type, array.at(i));
    bool holds =
        ::convoy::isFloat(type) ? std::isfinite(value) : value == array.at(i);
    if (!holds)
      return fail(path, "expected finite numbers of the argument's type " +
                            Twine(::convoy::scalarTypeName(type)) +
                            ", but element " + Twine(i) + " is " +
                            std::to_string(array.at(i)));
    range.add(value);
  }
  return true;
}

bool RecordingReader::add(const std::string &path) {
  auto shaped = dyn_cast<ShapedType>(argument);
  int64_t rank = shaped && shaped.hasRank() ? shaped.getRank() : 0;
  std::optional<ScalarType> type =
      getScalarType(getElementTypeOrSelf(argument));
  if (!type)
    return fail(path, "expected an argument of numbers");
  std::optional<HostArray> array = ::convoy::readNpy(path, error);
  if (!array)
    return false;
  if (int64_t(array->shape.size()) != rank)
    return fail(path, "expected an array of the argument's rank " +
                          Twine(rank) + ", but got rank " +
                          Twine(array->shape.size()));
  if (array->elementCount() == 0)
    return fail(path, "expected numbers, but the array is empty");
  return addElements(path, *array, *type);
}

/// The number of the argument of `function` that `name` is the name or the
/// number of, or nothing.
static std::optional<unsigned> findArgument(func::FuncOp function,
                                            StringRef name) {
  unsigned number = 0;
  if (!name.getAsInteger(10, number))
    return number < function.getNumArguments() ? std::optional(number)
                                               : std::nullopt;
  for (number = 0; number < function.getNumArguments(); ++number) {
    auto own = function.getArgAttrOfType<StringAttr>(number, kNameAttrName);
    if (own && own.getValue() == name)
      return number;
  }
  return std::nullopt;
}

/// `0 (input), 1 (filter)`
static std::string listArguments(func::FuncOp function) {
  std::string text;
  for (unsigned number = 0; number < function.getNumArguments(); ++number) {
    text += (number == 0 ? "" : ", ") + std::to_string(number);
    if (auto name =
            function.getArgAttrOfType<StringAttr>(number, kNameAttrName))
      text += " (" + name.str() + ")";
  }
  return text.empty() ? "none" : text;
}

/// Whether elements of `type` may be the ends of `range`.
static bool holdsEnds(ScalarType type, ArrayRef<double> range) {
  return llvm::all_of(range.take_front(2), [&](double end) {
    double rounded = ::convoy::roundTo(type, end);
    return ::convoy::isFloat(type) ? std::isfinite(rounded) : rounded == end;
  });
}

namespace {
/// Declares the range of one argument of a function.
class RangeDeclarer {
public:
  RangeDeclarer(func::FuncOp function, unsigned number, std::string &error)
      : function(function), number(number), error(error) {}

  bool declare(ArrayRef<const ArgumentRange *> ranges);

private:
  bool fail(const Twine &text) {
    error = text.str();
    return false;
  }
  std::string getName() {
    return ("argument " + Twine(number) + " of '" + function.getSymName() + "'")
        .str();
  }
  void set(DenseF64ArrayAttr range) {
    function.setArgAttr(number, kRangeAttrName, range);
  }
  bool declareNumbers(ArrayRef<double> numbers);

  func::FuncOp function;
  unsigned number;
  std::string &error;
};
} // namespace

bool RangeDeclarer::declareNumbers(ArrayRef<double> numbers) {
  Type element = getElementTypeOrSelf(function.getArgumentTypes()[number]);
  std::optional<ScalarType> type = getScalarType(element);
  if (!type)
    return fail("expected numbers as " + getName());
  if (!holdsEnds(*type, numbers))
    return fail("expected a range of " +
                Twine(::convoy::scalarTypeName(*type)) + " for " + getName() +
                ", but got from " + Twine(llvm::formatv("{0}", numbers[0])) +
                " to " + Twine(llvm::formatv("{0}", numbers[1])));
  set(DenseF64ArrayAttr::get(function.getContext(), numbers));
  return true;
}

bool RangeDeclarer::declare(ArrayRef<const ArgumentRange *> ranges) {
  if (function.getArgAttr(number, kRangeAttrName))
    return fail("expected " + getName() +
                " without a convoy.range, but it declares one");
  const ArgumentRange &first = *ranges.front();
  if (first.path.empty() && ranges.size() == 1)
    return declareNumbers(first.numbers);
  RecordingReader reader(function.getArgumentTypes()[number], error);
  for (const ArgumentRange *range : ranges) {
    if (range->path.empty())
      return fail("expected one range of " + getName() + ", but got " +
                  Twine(ranges.size()));
    if (!reader.add(range->path))
      return false;
  }
  set(reader.getRange().getAttr(function.getContext()));
  return true;
}

bool mlir::convoy::declareOwnRanges(func::FuncOp function,
                                    ArrayRef<ArgumentRange> ranges,
                                    std::string &error) {
  llvm::MapVector<unsigned, SmallVector<const ArgumentRange *>> byNumber;
  for (const ArgumentRange &range : ranges)
    if (std::optional<unsigned> number = findArgument(function, range.argument))
      byNumber[*number].push_back(&range);
  return llvm::all_of(byNumber, [&](auto &entry) {
    return RangeDeclarer(function, entry.first, error).declare(entry.second);
  });
}

OwningOpRef<ModuleOp> mlir::convoy::buildRangedModule(
    MLIRContext *context, const ::convoy::AnyProblem &problem,
    const std::string &symbol, ArrayRef<ArgumentRange> ranges,
    std::string &error) {
  OwningOpRef<ModuleOp> module = buildNamedModule(context, problem, symbol);
  auto function = *module->getOps<func::FuncOp>().begin();
  return declareOwnRanges(function, ranges, error) ? std::move(module)
                                                   : nullptr;
}

bool mlir::convoy::declareRanges(func::FuncOp function,
                                 ArrayRef<ArgumentRange> ranges,
                                 std::string &error) {
  for (const ArgumentRange &range : ranges) {
    if (findArgument(function, range.argument))
      continue;
    error = ("expected '" + function.getSymName() + "' to have an argument " +
             range.argument + ", but it has " + listArguments(function))
                .str();
    return false;
  }
  return declareOwnRanges(function, ranges, error);
}

bool mlir::convoy::declareRanges(ModuleOp module,
                                 ArrayRef<ArgumentRange> ranges,
                                 std::string &error) {
  if (ranges.empty())
    return true;
  SmallVector<func::FuncOp> functions;
  SmallVector<std::string> names;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isDeclaration()) {
      functions.push_back(function);
      names.push_back(function.getSymName().str());
    }
  if (functions.size() == 1)
    return declareRanges(functions.front(), ranges, error);
  error = "expected one public function to declare ranges of, but got " +
          (names.empty() ? std::string("none") : llvm::join(names, ", "));
  return false;
}

bool mlir::convoy::checkProblemRanges(MLIRContext *context,
                                      ArrayRef<::convoy::AnyProblem> problems,
                                      ArrayRef<ArgumentRange> ranges,
                                      std::string &error) {
  if (ranges.empty())
    return true;
  std::vector<bool> isKnown(ranges.size());
  std::string arguments;
  for (const ::convoy::AnyProblem &problem : problems) {
    OwningOpRef<ModuleOp> module =
        buildNamedModule(context, problem, std::string("conv"));
    auto function = *module->getOps<func::FuncOp>().begin();
    for (auto [number, range] : llvm::enumerate(ranges))
      if (findArgument(function, range.argument))
        isKnown[number] = true;
    if (arguments.empty())
      arguments = listArguments(function);
    if (!declareOwnRanges(function, ranges, error)) {
      error = ::convoy::toString(problem) + ": " + error;
      return false;
    }
  }
  auto unknown = llvm::find(isKnown, false);
  if (unknown == isKnown.end())
    return true;
  error = "expected a problem with an argument " +
          ranges[unknown - isKnown.begin()].argument + ", but " +
          (problems.size() == 1 ? "it has " : "the first has ") + arguments;
  return false;
}
