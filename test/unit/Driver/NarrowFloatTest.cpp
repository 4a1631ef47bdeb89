//===- NarrowFloatTest.cpp - What kernels do with floats of 16 bits -------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions and arithmetic are compiled for a CPU that has instructions for
// them, if this one does, and for one that has none. The runtime's SmallFloat
// says what is right.
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/Compile.h"
#include "convoy/Driver/RunKernel.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace convoy;
using namespace mlir;
using namespace mlir::convoy;

namespace {
struct NarrowFloat {
  const char *cpu;
  ScalarType narrow, wide;

  /// Beyond the largest number: 2^(emax+1).
  double limit() const {
    return std::ldexp(1.0, floatFormat(narrow).maxExponent + 1);
  }
  double next(double value, double towards) const {
    return wide == ScalarType::F64
               ? std::nextafter(value, towards)
               : std::nextafterf(float(value), float(towards));
  }
};

class NarrowFloatTest : public testing::TestWithParam<NarrowFloat> {
protected:
  /// Every number of the narrow type, in order of their bits.
  HostArray allNarrow() const {
    HostArray values(GetParam().narrow, {0x10000});
    for (uint32_t bits = 0; bits < 0x10000; ++bits)
      reinterpret_cast<uint16_t *>(values.data())[bits] = uint16_t(bits);
    return values;
  }
  HostArray run(StringRef body, const std::vector<HostArray> &inputs,
                ScalarType resultType);
};
} // namespace

static std::string name(ScalarType type) {
  return std::string(scalarTypeName(type));
}

/// The result of `body`, which sees elements %a, %b, .. of the inputs and
/// yields %r.
HostArray NarrowFloatTest::run(StringRef body,
                               const std::vector<HostArray> &inputs,
                               ScalarType resultType) {
  auto list = [&](StringRef format) {
    std::string text;
    for (auto [number, input] : llvm::enumerate(inputs)) {
      std::string type = name(input.type);
      text += (number ? ", " : "") + llvm::formatv(format.data(),
                                                   char('a' + number), type,
                                                   input.elementCount())
                                         .str();
    }
    return text;
  };
  int64_t count = inputs[0].elementCount();
  std::string maps;
  for (size_t i = 0; i <= inputs.size(); ++i)
    maps += std::string(i ? ", " : "") + "affine_map<(i) -> (i)>";
  std::string result = name(resultType);
  std::string text = llvm::formatv(
      "func.func @f({0}) -> tensor<{1}x{2}> {{\n"
      "  %empty = tensor.empty() : tensor<{1}x{2}>\n"
      "  %0 = linalg.generic {{indexing_maps = [{3}], iterator_types = "
      "[\"parallel\"]} ins({4} : {5}) outs(%empty : tensor<{1}x{2}>) {{\n"
      "  ^bb0({6}, %out: {2}):\n    {7}\n    linalg.yield %r : {2}\n"
      "  } -> tensor<{1}x{2}>\n  return %0 : tensor<{1}x{2}>\n}\n",
      list("%t{0}: tensor<{2}x{1}>"), count, result, maps, list("%t{0}"),
      list("tensor<{2}x{1}>"), list("%{0}: {1}"), body);
  DialectRegistry registry;
  registerAll(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  HostArray output(resultType, {count});
  if (!module) {
    ADD_FAILURE() << text;
    return output;
  }
  CompileOptions options;
  options.cpu.name = GetParam().cpu;
  FailureOr<CompiledModule> compiled = compileFor("cpu", *module, options);
  if (failed(compiled)) {
    ADD_FAILURE() << text;
    return output;
  }
  std::vector<HostArray> arguments = inputs;
  arguments.push_back(output);
  Device device;
  EXPECT_TRUE(Device::open("cpu", device).ok());
  LoadedModule loaded(*compiled, device);
  EXPECT_TRUE(loaded.load().ok());
  LoadedKernel kernel{loaded, compiled->getKernels()[0]};
  KernelOutcome outcome = runKernel(kernel, arguments, /*runs=*/1);
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.faults.empty()) << outcome.faults.front();
  return outcome.results.empty() ? output : outcome.results[0];
}

/// Expects the same numbers, zeros with their signs.
static void expectSame(double actual, double expected, double of) {
  if (std::isnan(expected)) {
    ASSERT_TRUE(std::isnan(actual)) << of;
    return;
  }
  ASSERT_EQ(actual, expected) << of;
  ASSERT_EQ(std::signbit(actual), std::signbit(expected)) << of;
}

/// `value` as the type `type` holds it.
static double rounded(ScalarType type, double value) {
  HostArray one(type, {1});
  one.set(0, value);
  return one.at(0);
}

TEST_P(NarrowFloatTest, EveryNumberExtends) {
  const NarrowFloat &types = GetParam();
  HostArray values = allNarrow();
  std::string body =
      "%r = arith.extf %a : " + name(types.narrow) + " to " + name(types.wide);
  HostArray result = run(body, {values}, types.wide);
  for (int64_t i = 0; i < values.elementCount(); ++i)
    expectSame(result.at(i), values.at(i), double(i));
}

/// Each number, the middle between it and the next, and that middle's
/// neighbours in the wide type: a second rounding would lose them.
TEST_P(NarrowFloatTest, NumbersBetweenNeighboursRoundToNearest) {
  const NarrowFloat &types = GetParam();
  double infinity = std::numeric_limits<double>::infinity();
  double nan = std::numeric_limits<double>::quiet_NaN();
  FloatFormat wide = floatFormat(types.wide);
  std::vector<double> numbers = {
      infinity,       nan,      types.limit(),           0x1p-130,
      wide.largest(), 0x1p-149, wide.smallestSubnormal()};
  HostArray values = allNarrow();
  for (int64_t i = 0; values.at(i) < infinity; ++i) {
    double low = values.at(i);
    double high = std::min(values.at(i + 1), types.limit());
    double middle = (low + high) / 2;
    for (double number :
         {low, middle, types.next(middle, 0), types.next(middle, infinity)})
      numbers.push_back(number);
  }
  HostArray inputs(types.wide, {int64_t(2 * numbers.size())});
  for (auto [i, number] : llvm::enumerate(numbers)) {
    inputs.set(int64_t(2 * i), number);
    inputs.set(int64_t(2 * i + 1), -number);
  }
  std::string body = "%r = arith.truncf %a : " + name(types.wide) + " to " +
                     name(types.narrow);
  HostArray result = run(body, {inputs}, types.narrow);
  for (int64_t i = 0; i < inputs.elementCount(); ++i)
    expectSame(result.at(i), rounded(types.narrow, inputs.at(i)), inputs.at(i));
}

TEST_P(NarrowFloatTest, SumsAndProductsRoundOnce) {
  const NarrowFloat &types = GetParam();
  HostArray values = allNarrow(), others = allNarrow();
  std::mt19937 random(1);
  std::span<uint16_t> bits(reinterpret_cast<uint16_t *>(others.data()),
                           0x10000);
  std::shuffle(bits.begin(), bits.end(), random);
  for (bool isSum : {true, false}) {
    std::string body =
        std::string(isSum ? "%r = arith.addf" : "%r = arith.mulf") +
        " %a, %b : " + name(types.narrow);
    HostArray result = run(body, {values, others}, types.narrow);
    for (int64_t i = 0; i < values.elementCount(); ++i) {
      double a = values.at(i), b = others.at(i);
      expectSame(result.at(i), rounded(types.narrow, isSum ? a + b : a * b), a);
    }
  }
}

static std::vector<NarrowFloat> allTypes() {
  std::vector<NarrowFloat> types;
  for (const char *cpu : {"generic", "host"})
    for (ScalarType narrow : {ScalarType::F16, ScalarType::BF16})
      for (ScalarType wide : {ScalarType::F32, ScalarType::F64})
        types.push_back({cpu, narrow, wide});
  return types;
}

INSTANTIATE_TEST_SUITE_P(Types, NarrowFloatTest, testing::ValuesIn(allTypes()),
                         [](const auto &info) {
                           return info.param.cpu +
                                  ("_" + name(info.param.narrow)) + "_" +
                                  name(info.param.wide);
                         });
