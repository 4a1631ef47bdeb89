//===- ScalarType.cpp - Types of elements in memory -----------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/ScalarType.h"

#include "convoy/Runtime/SmallFloat.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

namespace convoy {

//===----------------------------------------------------------------------===//
// Names and sizes
//===----------------------------------------------------------------------===//

std::string_view scalarTypeName(ScalarType type) {
  switch (type) {
  case ScalarType::F64:
    return "f64";
  case ScalarType::F32:
    return "f32";
  case ScalarType::F16:
    return "f16";
  case ScalarType::BF16:
    return "bf16";
  case ScalarType::I8:
    return "i8";
  case ScalarType::U8:
    return "u8";
  case ScalarType::I16:
    return "i16";
  case ScalarType::I32:
    return "i32";
  case ScalarType::I64:
    return "i64";
  }
  return {};
}

int64_t scalarSize(ScalarType type) {
  switch (type) {
  case ScalarType::F64:
  case ScalarType::I64:
    return 8;
  case ScalarType::F32:
  case ScalarType::I32:
    return 4;
  case ScalarType::F16:
  case ScalarType::BF16:
  case ScalarType::I16:
    return 2;
  case ScalarType::I8:
  case ScalarType::U8:
    return 1;
  }
  return 0;
}

bool isFloat(ScalarType type) {
  return type == ScalarType::F64 || type == ScalarType::F32 ||
         type == ScalarType::F16 || type == ScalarType::BF16;
}

ScalarType operandScalarType(ElementType type, bool isSigned) {
  switch (type) {
  case ElementType::F64:
    return ScalarType::F64;
  case ElementType::F32:
    return ScalarType::F32;
  case ElementType::F16:
    return ScalarType::F16;
  case ElementType::BF16:
    return ScalarType::BF16;
  case ElementType::I8:
    break;
  }
  return isSigned ? ScalarType::I8 : ScalarType::U8;
}

ScalarType resultScalarType(ElementType type) {
  return type == ElementType::I8 ? ScalarType::I32 : operandScalarType(type);
}

ScalarType dataScalarType(DataType type) {
  switch (type) {
  case DataType::F64:
    return ScalarType::F64;
  case DataType::F32:
    return ScalarType::F32;
  case DataType::F16:
    return ScalarType::F16;
  case DataType::BF16:
    return ScalarType::BF16;
  case DataType::S32:
    return ScalarType::I32;
  case DataType::S8:
    return ScalarType::I8;
  case DataType::U8:
    return ScalarType::U8;
  }
  return ScalarType::F32;
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

template <typename T>
static T loadAs(const void *data, int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char *>(data) + index * sizeof(T),
              sizeof(T));
  return value;
}

template <typename T>
static void storeAs(void *data, int64_t index, T value) {
  std::memcpy(static_cast<char *>(data) + index * sizeof(T), &value, sizeof(T));
}

template <typename T>
static T nearestInteger(double value) {
  if (std::isnan(value))
    return 0;
  // The bounds are exact but for the largest I64, which rounds up to 2^63.
  double low = static_cast<double>(std::numeric_limits<T>::min());
  double high = static_cast<double>(std::numeric_limits<T>::max());
  double rounded = std::nearbyint(value);
  if (rounded >= high)
    return std::numeric_limits<T>::max();
  return static_cast<T>(std::max(rounded, low));
}

double loadDouble(ScalarType type, const void *data, int64_t index) {
  switch (type) {
  case ScalarType::F64:
    return loadAs<double>(data, index);
  case ScalarType::F32:
    return loadAs<float>(data, index);
  case ScalarType::F16:
    return fromFloat16Bits(loadAs<uint16_t>(data, index));
  case ScalarType::BF16:
    return fromBFloat16Bits(loadAs<uint16_t>(data, index));
  default:
    return static_cast<double>(loadInteger(type, data, index));
  }
}

int64_t loadInteger(ScalarType type, const void *data, int64_t index) {
  switch (type) {
  case ScalarType::I8:
    return loadAs<int8_t>(data, index);
  case ScalarType::U8:
    return loadAs<uint8_t>(data, index);
  case ScalarType::I16:
    return loadAs<int16_t>(data, index);
  case ScalarType::I32:
    return loadAs<int32_t>(data, index);
  case ScalarType::I64:
    return loadAs<int64_t>(data, index);
  default:
    assert(false && "not an integer type");
    return 0;
  }
}

void storeDouble(ScalarType type, void *data, int64_t index, double value) {
  switch (type) {
  case ScalarType::F64:
    return storeAs(data, index, value);
  case ScalarType::F32:
    return storeAs(data, index, static_cast<float>(value));
  case ScalarType::F16:
    return storeAs(data, index, toFloat16Bits(value));
  case ScalarType::BF16:
    return storeAs(data, index, toBFloat16Bits(value));
  case ScalarType::I8:
    return storeAs(data, index, nearestInteger<int8_t>(value));
  case ScalarType::U8:
    return storeAs(data, index, nearestInteger<uint8_t>(value));
  case ScalarType::I16:
    return storeAs(data, index, nearestInteger<int16_t>(value));
  case ScalarType::I32:
    return storeAs(data, index, nearestInteger<int32_t>(value));
  case ScalarType::I64:
    return storeAs(data, index, nearestInteger<int64_t>(value));
  }
}

double roundTo(ScalarType type, double value) {
  uint64_t element = 0;
  storeDouble(type, &element, 0, value);
  return loadDouble(type, &element, 0);
}

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

FloatFormat floatFormat(ScalarType type) {
  switch (type) {
  case ScalarType::F64:
    return {53, -1022, 1023};
  case ScalarType::F32:
    return {24, -126, 127};
  case ScalarType::F16:
    return {11, -14, 15};
  case ScalarType::BF16:
    return {8, -126, 127};
  default:
    assert(false && "not a floating-point type");
    return {};
  }
}

double FloatFormat::unitRoundoff() const { return std::ldexp(1.0, -precision); }

double FloatFormat::smallestNormal() const {
  return std::ldexp(1.0, minExponent);
}

double FloatFormat::smallestSubnormal() const {
  return std::ldexp(1.0, minExponent - precision + 1);
}

double FloatFormat::largest() const {
  return std::ldexp(2.0 - std::ldexp(1.0, 1 - precision), maxExponent);
}

double FloatFormat::ulp(double value) const {
  int exponent = value == 0 ? minExponent : std::ilogb(value);
  return std::ldexp(1.0, std::max(exponent, minExponent) - precision + 1);
}

} // namespace convoy
