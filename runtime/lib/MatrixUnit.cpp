//===- MatrixUnit.cpp - Executes matrix instructions on the host ----------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixUnit.h"

#include "convoy/Runtime/SmallFloat.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

using namespace convoy;

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

MatrixUnit::MatrixUnit(const MatrixOperation &operation,
                       const MatrixInstruction &instruction,
                       std::string_view chip, uint32_t wave)
    : operation(operation), flushes(instruction.flushesSubnormals(chip)),
      a(makeFragment(instruction.a, instruction.k, wave)),
      b(makeFragment(instruction.getB(), instruction.n, wave)),
      sums(makeFragment(instruction.sums, instruction.n, wave)) {}

MatrixUnit::Fragment MatrixUnit::makeFragment(const FragmentMap &map,
                                              uint32_t columns,
                                              uint32_t lanes) {
  Fragment fragment;
  fragment.elements = map.countElements();
  auto index = [&](uint32_t lane, uint32_t element) {
    return map.row.extract(lane, element) * columns +
           map.column.extract(lane, element);
  };
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    for (uint32_t element = 0; element < fragment.elements; ++element)
      fragment.indices.push_back(index(lane, element));
    // Lanes that begin with the same element have all the same ones.
    uint32_t first = 0;
    while (index(first, 0) != index(lane, 0))
      ++first;
    if (first != lane)
      fragment.replicas.emplace_back(lane, first);
  }
  return fragment;
}

/// `value`, or a zero of its sign where it is subnormal in `type`.
static float flush(float value, ScalarType type) {
  bool isSubnormal = std::abs(value) < floatFormat(type).smallestNormal();
  return isSubnormal ? std::copysign(0.0f, value) : value;
}

/// The element of A or B with these bits: of an integer modulo 2^32.
template <typename T>
static T decode(uint32_t bits, ScalarType type, bool isUnsigned) {
  if constexpr (std::is_integral_v<T>)
    return isUnsigned ? T(uint8_t(bits)) : T(int32_t(int8_t(bits)));
  else if (type == ScalarType::F16)
    return static_cast<T>(fromFloat16Bits(static_cast<uint16_t>(bits)));
  else if (type == ScalarType::BF16)
    return static_cast<T>(fromBFloat16Bits(static_cast<uint16_t>(bits)));
  else
    return std::bit_cast<T>(bits);
}

template <typename T>
std::vector<T> MatrixUnit::gather(const Fragment &fragment, Lanes lanes,
                                  uint32_t first, uint32_t count,
                                  bool isUnsigned) const {
  auto width = static_cast<uint32_t>(scalarSize(operation.element)) * 8;
  uint32_t inRegister = 32 / width;
  std::vector<T> matrix(count);
  const uint32_t *index = fragment.indices.data();
  for (const uint32_t *registers : lanes)
    for (uint32_t element = 0; element < fragment.elements; ++element) {
      uint32_t bits = registers[first + element / inRegister] >>
                      element % inRegister * width;
      T value = decode<T>(bits, operation.element, isUnsigned);
      if constexpr (std::is_floating_point_v<T>)
        value = flushes ? flush(value, operation.element) : value;
      matrix[*index++] = value;
    }
  return matrix;
}

std::optional<ReplicaFault> MatrixUnit::findReplica(const Fragment &fragment,
                                                    char matrix, Lanes lanes,
                                                    uint32_t first) const {
  for (auto [lane, other] : fragment.replicas)
    if (!std::equal(lanes[lane] + first,
                    lanes[lane] + first + operation.factorRegisters,
                    lanes[other] + first))
      return ReplicaFault{lane, other, matrix};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Adds the products of a row and all columns of B to `sums`.
template <typename T>
static void multiplyRow(const T *row, const std::vector<T> &b, T *sums,
                        const MatrixOperation &operation) {
  uint32_t n = operation.n;
  if (!operation.pairwise) {
    for (uint32_t k = 0; k < operation.k; ++k)
      for (uint32_t j = 0; j < n; ++j)
        sums[j] += row[k] * b[k * n + j];
    return;
  }
  std::vector<T> terms(b.size());
  for (uint32_t k = 0; k < operation.k; ++k)
    for (uint32_t j = 0; j < n; ++j)
      terms[k * n + j] = row[k] * b[k * n + j];
  for (uint32_t half = operation.k / 2; half > 0; half /= 2)
    for (uint32_t place = 0; place < half * n; ++place)
      terms[place] += terms[place + half * n];
  for (uint32_t j = 0; j < n; ++j)
    sums[j] += terms[j];
}

template <typename T>
void MatrixUnit::multiplyAs(Lanes lanes) const {
  uint32_t m = operation.m, n = operation.n, k = operation.k;
  uint32_t startOfB = operation.factorRegisters;
  uint32_t startOfC = 2 * operation.factorRegisters;
  std::vector<T> matrixA = gather<T>(a, lanes, 0, m * k, operation.unsignedA);
  std::vector<T> matrixB =
      gather<T>(b, lanes, startOfB, k * n, operation.unsignedB);
  std::vector<T> matrixC(m * n);
  auto finish = [&](T value) {
    if constexpr (std::is_floating_point_v<T>)
      return flushes ? flush(value, ScalarType::F32) : value;
    return value;
  };
  const uint32_t *index = sums.indices.data();
  for (uint32_t *registers : lanes)
    for (uint32_t element = 0; element < sums.elements; ++element)
      matrixC[*index++] =
          finish(std::bit_cast<T>(registers[startOfC + element]));
  for (uint32_t i = 0; i < m; ++i)
    multiplyRow(&matrixA[i * k], matrixB, &matrixC[i * n], operation);
  index = sums.indices.data();
  for (uint32_t *registers : lanes)
    for (uint32_t element = 0; element < sums.elements; ++element)
      registers[startOfC + element] =
          std::bit_cast<uint32_t>(finish(matrixC[*index++]));
}

std::optional<ReplicaFault> MatrixUnit::multiply(Lanes lanes) const {
  if (auto fault = findReplica(a, 'A', lanes, 0))
    return fault;
  if (auto fault = findReplica(b, 'B', lanes, operation.factorRegisters))
    return fault;
  if (isFloat(operation.element))
    multiplyAs<float>(lanes);
  else
    multiplyAs<uint32_t>(lanes);
  return std::nullopt;
}
