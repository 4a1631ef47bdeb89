//===- Calibrate.cpp - Ranges of recorded numbers ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/Calibrate.h"

#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Driver/RunKernel.h"
#include "convoy/Runtime/Npy.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::HostArray;
using ::convoy::ScalarType;

std::optional<Calibration> mlir::convoy::parseCalibration(StringRef text) {
  Calibration calibration;
  auto [number, path] = text.split('=');
  if (number.getAsInteger(10, calibration.argument) || path.empty())
    return std::nullopt;
  calibration.path = path.str();
  return calibration;
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

bool mlir::convoy::calibrate(func::FuncOp function,
                             ArrayRef<Calibration> calibrations,
                             std::string &error) {
  llvm::MapVector<unsigned, SmallVector<StringRef>> paths;
  for (const Calibration &calibration : calibrations)
    paths[calibration.argument].push_back(calibration.path);
  for (const auto &[number, files] : paths) {
    if (number >= function.getNumArguments()) {
      error =
          ("expected '" + function.getSymName() + "' to have an argument " +
           Twine(number) + ", but it has " + Twine(function.getNumArguments()))
              .str();
      return false;
    }
    if (function.getArgAttr(number, kRangeAttrName)) {
      error = ("expected argument " + Twine(number) + " of '" +
               function.getSymName() +
               "' without a convoy.range, but it declares one")
                  .str();
      return false;
    }
    RecordingReader reader(function.getArgumentTypes()[number], error);
    for (StringRef path : files)
      if (!reader.add(path.str()))
        return false;
    function.setArgAttr(number, kRangeAttrName,
                        reader.getRange().getAttr(function.getContext()));
  }
  return true;
}

bool mlir::convoy::calibrate(ModuleOp module,
                             ArrayRef<Calibration> calibrations,
                             std::string &error) {
  if (calibrations.empty())
    return true;
  SmallVector<func::FuncOp> functions;
  SmallVector<std::string> names;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isDeclaration()) {
      functions.push_back(function);
      names.push_back(function.getSymName().str());
    }
  if (functions.size() == 1)
    return calibrate(functions.front(), calibrations, error);
  error = "expected one public function to calibrate, but got " +
          (names.empty() ? std::string("none") : llvm::join(names, ", "));
  return false;
}
