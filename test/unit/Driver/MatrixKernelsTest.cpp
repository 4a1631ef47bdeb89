//===- MatrixKernelsTest.cpp - Tests of kernels with matrices -------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels written by hand that multiply matrices by one instruction, with the
// lanes that AMD's documents ask for; and kernels that are off by one.
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/Compile.h"
#include "convoy/Runtime/ErrorBound.h"
#include "convoy/Runtime/SmallFloat.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

namespace {

struct Instruction {
  const char *name, *chip, *op;
  const char *type;
  int64_t m, k, wave;
  int64_t elements; ///< of A that a lane has
  /// The lanes of a row of A have `step` elements more each.
  int64_t step;
  /// The row of D that element e of the lanes of part p has, for MLIR: e is a
  /// number, p is %part.
  std::string (*row)(int64_t e);
};

/// Code for %rowE from %part: `parts` times the part, and `first`.
std::string getRow(int64_t e, int64_t parts, int64_t first) {
  return llvm::formatv("%first{0} = arith.constant {1} : index\n"
                       "%parts{0} = arith.constant {2} : index\n"
                       "%moved{0} = arith.muli %part, %parts{0} : index\n"
                       "%row{0} = arith.addi %moved{0}, %first{0} : index\n",
                       e, first, parts);
}

std::string getMfma16Row(int64_t e) { return getRow(e, 4, e); }
std::string getMfma32Row(int64_t e) {
  return getRow(e, 4, 8 * (e / 4) + e % 4);
}
std::string getRdna3Row(int64_t e) { return getRow(e, 1, 2 * e); }
std::string getRdna4Row(int64_t e) { return getRow(e, 8, e); }

const Instruction Instructions[] = {
    {"mfma_16x16x4_f32", "gfx90a", "mfma", "f32", 16, 4, 64, 1, 1,
     getMfma16Row},
    {"mfma_32x32x2_f32", "gfx942", "mfma", "f32", 32, 2, 64, 1, 1,
     getMfma32Row},
    {"mfma_16x16x16_f16", "gfx942", "mfma", "f16", 16, 16, 64, 4, 4,
     getMfma16Row},
    {"mfma_32x32x8_f16", "gfx90a", "mfma", "f16", 32, 8, 64, 4, 4,
     getMfma32Row},
    {"mfma_16x16x16_bf16", "gfx90a", "mfma", "bf16", 16, 16, 64, 4, 4,
     getMfma16Row},
    {"mfma_32x32x8_bf16", "gfx950", "mfma", "bf16", 32, 8, 64, 4, 4,
     getMfma32Row},
    {"mfma_16x16x16_i8", "gfx90a", "mfma", "i8", 16, 16, 64, 4, 4,
     getMfma16Row},
    {"mfma_32x32x8_i8", "gfx90a", "mfma", "i8", 32, 8, 64, 4, 4, getMfma32Row},
    {"mfma_16x16x32_i8", "gfx942", "mfma", "i8", 16, 32, 64, 8, 8,
     getMfma16Row},
    {"mfma_32x32x16_i8", "gfx950", "mfma", "i8", 32, 16, 64, 8, 8,
     getMfma32Row},
    {"rdna3_f16", "gfx1100", "wmma", "f16", 16, 16, 32, 16, 0, getRdna3Row},
    {"rdna3_bf16", "gfx1100", "wmma", "bf16", 16, 16, 32, 16, 0, getRdna3Row},
    {"rdna3_i8", "gfx1100", "wmma", "i8", 16, 16, 32, 16, 0, getRdna3Row},
    {"rdna4_f16", "gfx1201", "wmma", "f16", 16, 16, 32, 8, 8, getRdna4Row},
    {"rdna4_bf16", "gfx1201", "wmma", "bf16", 16, 16, 32, 8, 8, getRdna4Row},
    {"rdna4_i8", "gfx1201", "wmma", "i8", 16, 16, 32, 8, 8, getRdna4Row}};

void PrintTo(const Instruction &instruction, std::ostream *os) {
  *os << instruction.name;
}

/// What a kernel has instead of the lane or element that it needs.
struct Mutation {
  int64_t laneOfA = 0;    ///< added to the lane that A's row comes from
  int64_t laneOfB = 0;    ///< and B's column
  int64_t elementOfA = 0; ///< added to the first element of A
  int64_t rowOfC = 0;     ///< added to the row of one element of C
  int64_t rowOfD = 0;     ///< and of D
};

class MatrixKernelsTest : public testing::TestWithParam<Instruction> {
protected:
  MatrixKernelsTest()
      : context(makeRegistry(), MLIRContext::Threading::DISABLED),
        instruction(GetParam()) {
    options.chip = instruction.chip;
    options.optLevel = 0;
    Status status = Device::open("rocm-sim:" + options.chip, device);
    EXPECT_TRUE(status.ok()) << status.text;
    makeData();
  }

  bool isInteger() const { return type() == "i8"; }
  StringRef type() const { return instruction.type; }

  /// Numbers of few bits, or with all that the type has.
  void makeData(bool wide = false);
  std::vector<double> fill(int64_t count, bool wide, std::mt19937 &random);

  /// The code that loads `name` of `lane`, into its elements and one row of
  /// memory after the other.
  std::string loadFactor(StringRef name, int64_t lane, int64_t element) const;
  std::string getKernel(const Mutation &mutation) const;
  /// What the device says, if not OK, of the kernel in the text.
  Status run(const std::string &text);
  /// The largest error of D as part of its bound, or what is wrong.
  double getWorst(const Mutation &mutation);

  MLIRContext context;
  const Instruction &instruction;
  CompileOptions options;
  Device device;
  std::vector<double> a, b, c; ///< m x k, n x k, m x n
  std::vector<double> d;       ///< of the last kernel that ran
};
} // namespace

std::vector<double> MatrixKernelsTest::fill(int64_t count, bool wide,
                                            std::mt19937 &random) {
  std::vector<double> values;
  for (int64_t place = 0; place < count; ++place) {
    double value = double(random() % 15) - 7;
    if (wide && !isInteger())
      value *= std::ldexp(1024 + random() % 1024, int(random() % 13) - 16);
    values.push_back(value);
  }
  return values;
}

static double round(double value, StringRef type) {
  if (type == "f16")
    return fromFloat16Bits(toFloat16Bits(value));
  if (type == "bf16")
    return fromBFloat16Bits(toBFloat16Bits(value));
  return double(float(value));
}

void MatrixKernelsTest::makeData(bool wide) {
  std::mt19937 random(1);
  int64_t m = instruction.m, k = instruction.k;
  a = fill(m * k, wide, random);
  b = fill(m * k, wide, random);
  c = fill(m * m, wide, random);
  for (std::vector<double> *values : {&a, &b})
    for (double &value : *values)
      value = round(value, type());
}

std::string MatrixKernelsTest::loadFactor(StringRef name, int64_t lane,
                                          int64_t element) const {
  std::string fragment =
      instruction.elements == 1
          ? type().str()
          : llvm::formatv("vector<{0}x{1}>", instruction.elements, type())
                .str();
  std::string load = instruction.elements == 1 ? "memref.load" : "vector.load";
  std::string memory =
      llvm::formatv("memref<{0}x{1}>", instruction.m * instruction.k, type());
  return llvm::formatv("%shift{0} = arith.constant {1} : index\n"
                       "%shifted{0} = arith.addi %lane, %shift{0} : index\n"
                       "%row{0} = arith.remui %shifted{0}, %m : index\n"
                       "%line{0} = arith.muli %row{0}, %k : index\n"
                       "%start{0} = arith.addi %line{0}, %steps : index\n"
                       "%more{0} = arith.constant {2} : index\n"
                       "%next{0} = arith.addi %start{0}, %more{0} : index\n"
                       "%place{0} = arith.remui %next{0}, %size : index\n"
                       "%frag{0} = {3} %{0}[%place{0}] : {4}{5}\n",
                       name, lane, element, load, memory,
                       instruction.elements == 1 ? "" : ", " + fragment);
}

std::string MatrixKernelsTest::getKernel(const Mutation &mutation) const {
  int64_t m = instruction.m, k = instruction.k;
  int64_t sums = m * m / instruction.wave;
  StringRef sum = isInteger() ? "i32" : "f32";
  std::string factor =
      instruction.elements == 1
          ? type().str()
          : llvm::formatv("vector<{0}x{1}>", instruction.elements, type())
                .str();
  std::string text = llvm::formatv(
      "gpu.module @kernels {{\n"
      "gpu.func @k(%A: memref<{0}x{1}>, %B: memref<{0}x{1}>, %C: "
      "memref<{2}x{3}>) kernel attributes {{known_block_size = array<i32: {4}, "
      "1, 1>} {{\n"
      "%lane = gpu.thread_id x\n"
      "%m = arith.constant {5} : index\n"
      "%k = arith.constant {6} : index\n"
      "%step = arith.constant {7} : index\n"
      "%size = arith.constant {8} : index\n"
      "%column = arith.remui %lane, %m : index\n"
      "%part = arith.divui %lane, %m : index\n"
      "%steps = arith.muli %part, %step : index\n",
      m * k, type(), m * m, sum, instruction.wave, m, k, instruction.step,
      m * k - instruction.elements + 1);
  text += loadFactor("A", mutation.laneOfA, mutation.elementOfA) +
          loadFactor("B", mutation.laneOfB, 0);
  std::vector<std::string> elements;
  for (int64_t e = 0; e < sums; ++e) {
    text += instruction.row(e);
    auto place = [&](StringRef name, int64_t moved) {
      text +=
          llvm::formatv("%by{1}{0} = arith.constant {2} : index\n"
                        "%at{1}{0} = arith.addi %row{0}, %by{1}{0} : index\n"
                        "%in{1}{0} = arith.remui %at{1}{0}, %m : index\n"
                        "%up{1}{0} = arith.muli %in{1}{0}, %m : index\n"
                        "%to{1}{0} = arith.addi %up{1}{0}, %column : index\n",
                        e, name, moved);
    };
    // All rows move, so that no two work-items have the same one.
    place("C", mutation.rowOfC);
    place("D", mutation.rowOfD);
    text += llvm::formatv("%c{0} = memref.load %C[%toC{0}] : memref<{1}x{2}>\n",
                          e, m * m, sum);
    elements.push_back("%c" + std::to_string(e));
  }
  text += llvm::formatv(
      "%c = vector.from_elements {0} : vector<{1}x{2}>\n"
      "gpu.barrier\n"
      "%d = amdgpu.{3} {4}x{4}x{5} %fragA * %fragB + %c {6} : "
      "{7}, {7}, vector<{1}x{2}>\n",
      llvm::join(elements, ", "), sums, sum, instruction.op, m, k,
      instruction.op == StringRef("mfma") ? "blgp = none" : "", factor);
  for (int64_t e = 0; e < sums; ++e)
    text += llvm::formatv("%d{0} = vector.extract %d[{0}] : {2} from "
                          "vector<{1}x{2}>\n"
                          "memref.store %d{0}, %C[%toD{0}] : memref<{3}x{2}>\n",
                          e, sums, sum, m * m);
  return text + "gpu.return\n}\n}\n";
}

/// `values` as a device has them.
static std::vector<std::byte> toBytes(const std::vector<double> &values,
                                      StringRef type) {
  std::vector<std::byte> bytes;
  auto append = [&](auto value) {
    auto part = std::as_bytes(std::span(&value, 1));
    bytes.insert(bytes.end(), part.begin(), part.end());
  };
  for (double value : values) {
    if (type == "f32")
      append(float(value));
    else if (type == "i32")
      append(int32_t(value));
    else if (type == "i8")
      append(int8_t(value));
    else
      append(type == "f16" ? toFloat16Bits(value) : toBFloat16Bits(value));
  }
  return bytes;
}

Status MatrixKernelsTest::run(const std::string &text) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module) {
    ADD_FAILURE() << text;
    return {};
  }
  KernelInterface kernel;
  kernel.name = "host";
  kernel.launches.push_back({});
  kernel.launches.back().kernel = "k";
  FailureOr<CompiledModule> compiled =
      compileForSimulator(*module, {kernel}, options);
  if (failed(compiled)) {
    ADD_FAILURE() << text;
    return {};
  }
  StringRef sum = isInteger() ? "i32" : "f32";
  Module loaded;
  if (Status status = compiled->load(device, loaded); !status.ok())
    return status;
  Kernel function;
  if (Status status = loaded.findKernel("k", function); !status.ok())
    return status;
  std::vector<std::byte> contents[] = {toBytes(a, type()), toBytes(b, type()),
                                       toBytes(c, sum)};
  Buffer buffers[3];
  std::vector<convoy_buffer *> operands;
  for (auto [buffer, bytes] : llvm::zip_equal(buffers, contents)) {
    EXPECT_TRUE(device.createBuffer(bytes.size(), buffer).ok());
    EXPECT_TRUE(buffer.write(bytes).ok());
    operands.push_back(buffer.get());
  }
  convoy_launch launch = {};
  launch.buffers = operands.data();
  launch.buffer_count = operands.size();
  launch.grid[0] = launch.grid[1] = launch.grid[2] = 1;
  Status status = function.launch(launch);
  EXPECT_TRUE(buffers[2].read(contents[2]).ok());
  d.clear();
  for (size_t place = 0; place < c.size(); ++place)
    if (isInteger())
      d.push_back(reinterpret_cast<int32_t *>(contents[2].data())[place]);
    else
      d.push_back(reinterpret_cast<float *>(contents[2].data())[place]);
  return status;
}

double MatrixKernelsTest::getWorst(const Mutation &mutation) {
  Status status = run(getKernel(mutation));
  // Halves of a wave that differ.
  if (!status.ok())
    return HUGE_VAL;
  double worst = 0;
  int64_t m = instruction.m, k = instruction.k;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < m; ++j) {
      double sum = c[i * m + j], magnitude = std::abs(sum);
      for (int64_t step = 0; step < k; ++step) {
        double product = a[i * k + step] * b[j * k + step];
        sum += product;
        magnitude += std::abs(product);
      }
      // As docs/Numerics.md has it: k products, and what they are added to.
      double bound = (k + 1) * 0x1p-24 / (1 - (k + 1) * 0x1p-24) * magnitude;
      double error = std::abs(d[i * m + j] - sum);
      worst = std::max(worst, error == 0 ? 0 : error / bound);
    }
  return worst;
}

TEST_P(MatrixKernelsTest, AreExactOnIntegers) {
  for (bool checks : {true, false}) {
    options.checks = checks;
    EXPECT_EQ(getWorst({}), 0);
  }
}

TEST_P(MatrixKernelsTest, KeepToTheBoundInEitherOrder) {
  makeData(/*wide=*/true);
  EXPECT_LE(getWorst({}), 1);
  std::vector<double> ascending = d;
  options.pairwiseSums = true;
  EXPECT_LE(getWorst({}), 1);
  EXPECT_EQ(d == ascending, isInteger());
}

TEST_P(MatrixKernelsTest, AreWrongOffByOne) {
  EXPECT_GT(getWorst({.laneOfA = 1}), 1);
  EXPECT_GT(getWorst({.laneOfB = instruction.m - 1}), 1);
  EXPECT_GT(getWorst({.elementOfA = 1}), 1);
  EXPECT_GT(getWorst({.rowOfC = 1}), 1);
  EXPECT_GT(getWorst({.rowOfD = instruction.m - 1}), 1);
}

INSTANTIATE_TEST_SUITE_P(All, MatrixKernelsTest,
                         testing::ValuesIn(Instructions), [](const auto &info) {
                           return std::string(info.param.name);
                         });
