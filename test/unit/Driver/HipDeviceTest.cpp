//===- HipDeviceTest.cpp - Tests of HIP devices ---------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a device refuses before HIP sees it: HIP is the stand-in of test/hip,
// which has none of the kernels to run.
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Import.h"
#include "convoy/Target/EmitHsaco.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;
using testing::StartsWith;

namespace {

class HipDeviceTest : public testing::Test {
protected:
  HipDeviceTest() : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
    ::setenv("CONVOY_HIP_LIBRARY", CONVOY_HIP_STANDIN, /*overwrite=*/1);
    Status status = Device::open("hip", device);
    EXPECT_TRUE(status.ok()) << status.text;
  }

  /// The code object of a small convolution on `chip`.
  std::string compile(const std::string &chip) {
    std::string error;
    auto problems = readProblems("mb1_ic2iw5oc3kw3", {}, error);
    OwningOpRef<ModuleOp> module = buildModule(&context, problems->front());
    CompileOptions options;
    options.chip = chip;
    EXPECT_TRUE(succeeded(lowerForRocm(*module, options)));
    FailureOr<std::string> object =
        emitHsaco(*module, /*optLevel=*/1, HsacoStage::CodeObject);
    EXPECT_TRUE(succeeded(object));
    return succeeded(object) ? *object : "";
  }

  Status load(const std::string &object) {
    return device.loadImage(std::as_bytes(std::span(object)), module);
  }

  MLIRContext context;
  Device device;
  Module module;
};

} // namespace

TEST_F(HipDeviceTest, ItIsItsChip) {
  ASSERT_NE(device.rocmChip(), nullptr);
  EXPECT_EQ(device.rocmChip()->name, "gfx942");
}

TEST_F(HipDeviceTest, ObjectsForOtherChipsAreRefused) {
  EXPECT_TRUE(load(compile("gfx942")).ok());
  for (const char *chip : {"gfx90a", "gfx950", "gfx1100", "gfx1201"}) {
    Status status = load(compile(chip));
    EXPECT_EQ(status.code, CONVOY_NO_DEVICE);
    EXPECT_EQ(status.text, "the module is for " + std::string(chip) +
                               ", but the HIP device is 'Stand-in 0 (gfx942)'");
  }
}

TEST_F(HipDeviceTest, ObjectsThatAreCutAreRefused) {
  // The metadata is in a note before all code.
  std::string object = compile("gfx1100");
  for (size_t size = 0; size < object.size(); size += size < 2048 ? 1 : 97) {
    Status status = load(object.substr(0, size));
    EXPECT_NE(status.code, CONVOY_OK);
    EXPECT_FALSE(status.text.empty());
  }
  EXPECT_EQ(load("").text,
            "cannot load the module: expected a code object for AMD's GPUs");
}

TEST_F(HipDeviceTest, ObjectsWithWrongBytesAreReadOrRefused) {
  std::string object = compile("gfx1100");
  for (size_t place = 0; place < std::min<size_t>(object.size(), 2048); ++place)
    for (char bits : {'\x01', '\x7f', '\xff'}) {
      std::string changed = object;
      changed[place] ^= bits;
      EXPECT_NE(load(changed).text, "");
    }
}

TEST_F(HipDeviceTest, FilesAndFunctionsThatAreNone) {
  EXPECT_THAT(device.loadFile("/no/such.hsaco", module).text,
              StartsWith("cannot load the module: cannot read"));
  Status status = device.fromFunctions({}, module);
  EXPECT_EQ(status.code, CONVOY_INVALID);
  EXPECT_EQ(status.text, "a HIP device cannot run functions of this process");
  ASSERT_TRUE(load(compile("gfx942")).ok());
  Kernel kernel;
  EXPECT_EQ(module.findKernel("abacus", kernel).text,
            "the module has no kernel 'abacus'");
}

TEST_F(HipDeviceTest, BuffersHoldWhatIsWritten) {
  Buffer buffer;
  ASSERT_TRUE(device.createBuffer(2500003, buffer).ok());
  std::vector<std::byte> read(2500003);
  ASSERT_TRUE(buffer.read(read).ok());
  EXPECT_EQ(std::ranges::count(read, std::byte(0)), 2500003);
  uint32_t pattern = 0x04030201;
  ASSERT_EQ(convoy_buffer_fill(buffer.get(), &pattern, 3), CONVOY_OK);
  ASSERT_TRUE(buffer.read(read).ok());
  for (size_t place = 0; place < read.size(); ++place)
    ASSERT_EQ(read[place], std::byte(place % 3 + 1));
  std::byte written[] = {std::byte(9), std::byte(8)};
  ASSERT_TRUE(buffer.write(written, 2500001).ok());
  EXPECT_TRUE(buffer.check().ok());
  ASSERT_TRUE(buffer.read(read).ok());
  EXPECT_EQ(read[2500000], std::byte(2500000 % 3 + 1));
  EXPECT_EQ(read[2500001], std::byte(9));
  EXPECT_EQ(read[2500002], std::byte(8));
}
