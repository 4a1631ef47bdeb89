//===- QemuDeviceTest.cpp - Tests of emulated CPUs ------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceFixture.h"

#include "convoy/Runtime/FileIO.h"

#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

using namespace convoy;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class QemuDeviceTest : public testing::Test, protected test::DeviceFixture {
protected:
  void SetUp() override {
    Status status = Device::open("qemu:cortex-a72", device);
    if (!status.ok())
      GTEST_SKIP() << status.text;
#ifdef CONVOY_ARM_KERNELS
    expectOk(device.loadFile(CONVOY_ARM_KERNELS, module));
#endif
  }

  Kernel findKernel(const std::string &name) {
    Kernel kernel;
    expectOk(module.findKernel(name, kernel));
    return kernel;
  }
};

/// A folder with a program in the place of the emulator, alone on the path.
class FakeEmulator {
public:
  explicit FakeEmulator(const std::string &text)
      : path(std::getenv("PATH")),
        folder(std::filesystem::temp_directory_path() /
               ("convoy-qemu-" + std::to_string(getpid()))) {
    std::filesystem::create_directory(folder);
    std::string error, file = (folder / "qemu-aarch64").string();
    EXPECT_TRUE(writeFile(file, std::as_bytes(std::span(text)), error))
        << error;
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    setenv("PATH", folder.c_str(), 1);
  }
  ~FakeEmulator() {
    setenv("PATH", path.c_str(), 1);
    std::filesystem::remove_all(folder);
  }

private:
  std::string path;
  std::filesystem::path folder;
};

} // namespace

TEST_F(QemuDeviceTest, RunsKernels) {
  expectAddsFilter(findKernel("add_filter"));
  EXPECT_EQ(device.emulatedCpu(), "cortex-a72");
  TargetArithmetic arithmetic{false, true};
  expectOk(device.arithmetic(arithmetic));
  EXPECT_TRUE(arithmetic.roundsToNearest);
  EXPECT_FALSE(arithmetic.flushesSubnormals);
}

TEST_F(QemuDeviceTest, PassesSizes) {
  Buffer workspace = makeBuffer<int64_t>({0});
  std::vector<int64_t> sizes(24, 1);
  sizes[23] = 1000;
  expectOk(findKernel("no_buffers").launch({}, workspace.get(), sizes));
  EXPECT_THAT(contents<int64_t>(workspace, 1), ElementsAre(276 + 24000));
  Status status = findKernel("no_buffers")
                      .launch({}, workspace.get(), std::vector<int64_t>(25));
  EXPECT_EQ(status.text,
            "kernel 'no_buffers' takes at most 32 buffers and 24 sizes");
}

TEST_F(QemuDeviceTest, NoticesStrayWrites) {
  Buffer output = makeBuffer<char>({1, 2, 3});
  expectOk(findKernel("stray").launch({output.get()}, nullptr, {3}));
  Status status = output.check();
  EXPECT_EQ(status.code, CONVOY_WRONG);
  EXPECT_THAT(status.text, HasSubstr("2 bytes after the end"));
}

TEST_F(QemuDeviceTest, GoesOnAfterACrash) {
  Buffer operand = makeBuffer<int>({1});
  Kernel kernel = findKernel("crash");
  Status status = kernel.launch({operand.get()}, nullptr);
  EXPECT_EQ(status.code, CONVOY_WRONG);
  EXPECT_EQ(status.text,
            "the emulator ended by SIGSEGV, running kernel 'crash'");
  expectAddsFilter(findKernel("add_filter"));
}

TEST_F(QemuDeviceTest, SaysWhatIsRefused) {
  Buffer input = makeBuffer<float>({1});
  Status status = findKernel("refuse").launch({input.get()}, nullptr);
  EXPECT_EQ(status.code, CONVOY_INVALID);
  EXPECT_EQ(status.text, "kernel 'refuse' refused its arguments with code 7");
  Kernel kernel;
  EXPECT_EQ(module.findKernel("abacus", kernel).text,
            "the module has no kernel 'abacus'");
  Module other;
  std::vector<std::byte> image(100);
  EXPECT_THAT(device.loadImage(image, other).text,
              HasSubstr("cannot load the module: "));
  EXPECT_THAT(device.loadFile("/none", other).text, HasSubstr("/none"));
  EXPECT_EQ(device.fromFunctions({}, other).text,
            "the device 'qemu' runs no functions of this process");
}

TEST_F(QemuDeviceTest, SaysHowTheEmulatorFails) {
  std::vector<std::byte> image(1);
  auto load = [&](const std::string &program) {
    FakeEmulator emulator(program);
    Device other;
    expectOk(Device::open("qemu", other));
    Module loaded;
    return other.loadImage(image, loaded);
  };
  Status status = load("no program");
  EXPECT_EQ(status.code, CONVOY_NO_DEVICE);
  EXPECT_THAT(status.text, HasSubstr("cannot start the emulator: "));
  EXPECT_EQ(load("#!/bin/sh\nexit 3\n").text,
            "the emulator ended by exit 3, loading a module");
  {
    FakeEmulator emulator("#!/bin/sh\nprintf '\\0\\0\\0\\0\\0\\0\\0\\0'\n");
    Device other;
    expectOk(Device::open("qemu", other));
    Module loaded;
    expectOk(other.loadImage(image, loaded));
    Kernel kernel;
    EXPECT_EQ(loaded.findKernel("abacus", kernel).text,
              "the emulator ended by exit 0, looking for a kernel");
  }
}

TEST(QemuTest, NeedsQemu) {
  std::string path = std::getenv("PATH");
  setenv("PATH", "/none", 1);
  Device device;
  Status status = Device::open("qemu", device);
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(status.code, CONVOY_NO_DEVICE);
  EXPECT_EQ(status.text,
            "there is no qemu-aarch64, or this build had no C library for ARM "
            "(Debian's qemu-user and libc6-dev-arm64-cross)");
}
