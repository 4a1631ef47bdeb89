//===- Loops.cpp - What a core is timed with --------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled for vectors of CONVOY_VECTOR_BYTES. It uses no function that another
// source may define as well, which the linker could take from here for CPUs
// with narrower vectors.
//
//===----------------------------------------------------------------------===//

#include "Loops.h"

using namespace convoy;

/// Empty assembly makes the compiler believe that a value is looked at and
/// changed.
#ifdef __x86_64__
#define CONVOY_VECTOR_CONSTRAINT "+v"
#else
#define CONVOY_VECTOR_CONSTRAINT "+w"
#endif
#define CONVOY_USE(value) __asm__ volatile("" : CONVOY_VECTOR_CONSTRAINT(value))

namespace {
constexpr int64_t kLanes = CONVOY_VECTOR_BYTES / int64_t(sizeof(float));
/// Elements of a cache line.
constexpr int64_t kLine = 64 / int64_t(sizeof(float));
/// Dependent additions of integers, and vectors, that a round goes through.
constexpr int64_t kUnrolled = 8;

using Vector =
    float __attribute__((vector_size(CONVOY_VECTOR_BYTES), may_alias));

Vector &at(float *place) { return *reinterpret_cast<Vector *>(place); }

void addIntegers(const LoopData &data) {
  int64_t sum = 0, one = data.count;
  for (int64_t i = 0; i < data.count; i += kUnrolled)
    for (int64_t j = 0; j < kUnrolled; ++j) {
      sum += one;
      __asm__ volatile("" : "+r"(sum));
    }
}

void chain(const LoopData &data) {
  Vector sum = {}, factor = {};
  for (int64_t i = 0; i < data.count; ++i) {
    CONVOY_USE(factor);
    sum += factor * factor;
    CONVOY_USE(sum);
  }
}

/// Steps of `numSteps` at a time, with so many loads each from a source that
/// stays in the L1 cache.
template <int64_t numSteps, int64_t numLoads>
void runSteps(const LoopData &data) {
  Vector sums[kStepMultiplyAdds] = {}, factor = {}, other = {};
  for (int64_t i = 0; i < data.count; i += numSteps)
    for (int64_t step = 0; step < numSteps; ++step) {
      for (int64_t load = 0; load < numLoads; ++load) {
        other = at(data.source + load * kLanes);
        CONVOY_USE(other);
      }
      for (Vector &sum : sums) {
        CONVOY_USE(factor);
        sum += factor * other;
        CONVOY_USE(sum);
      }
    }
}

void load(const LoopData &data) {
  for (int64_t i = 0; i < data.count; i += kUnrolled)
    for (int64_t j = 0; j < kUnrolled; ++j) {
      Vector value = at(data.source + (i + j) * kLanes);
      CONVOY_USE(value);
    }
}

void loadAt(const LoopData &data) {
  for (int64_t i = 0; i < data.count; ++i) {
    Vector value = at(data.source + data.offsets[i]);
    CONVOY_USE(value);
  }
}

void update(const LoopData &data) {
  Vector sum = {};
  CONVOY_USE(sum);
  for (int64_t i = 0; i < data.count; ++i)
    at(data.source + i * kLanes) += sum;
}

void updateAt(const LoopData &data) {
  Vector sum = {};
  CONVOY_USE(sum);
  for (int64_t i = 0; i < data.count; ++i)
    at(data.source + data.offsets[i]) += sum;
}

void scatter(const LoopData &data) {
  Vector sum = {};
  for (int64_t i = 0; i < data.count; ++i) {
    CONVOY_USE(sum);
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      float &element = data.source[2 * (i * kLanes + lane)];
      float next = element + sum[lane];
      CONVOY_USE(next);
      element = next;
    }
  }
}

void copy(const LoopData &data) {
  for (int64_t i = 0; i < data.count; ++i) {
    Vector value = at(data.source + i * kLanes);
    CONVOY_USE(value);
    at(data.target + i % kUnrolled * kLanes) = value;
  }
}

void gather(const LoopData &data) {
  for (int64_t i = 0; i < data.count; ++i) {
    Vector value = {};
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      float element = data.source[lane * kLine + i % kLine];
      CONVOY_USE(element);
      value[lane] = element;
    }
    at(data.target + i % kUnrolled * kLanes) = value;
  }
}
} // namespace

#define CONVOY_LOOPS_NAMED(bytes) kLoops##bytes
#define CONVOY_LOOPS(bytes) CONVOY_LOOPS_NAMED(bytes)
const Loops convoy::CONVOY_LOOPS(CONVOY_VECTOR_BYTES) = {
    .vectorBytes = CONVOY_VECTOR_BYTES,
    .addIntegers = addIntegers,
    .chain = chain,
    .multiplyAdds = runSteps<4, 0>,
    .steps = runSteps<1, 0>,
    .loadingSteps = runSteps<1, kStepLoads>,
    .load = load,
    .loadAt = loadAt,
    .update = update,
    .updateAt = updateAt,
    .scatter = scatter,
    .copy = copy,
    .gather = gather,
};
