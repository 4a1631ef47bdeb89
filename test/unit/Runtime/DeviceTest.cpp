//===- DeviceTest.cpp - Tests of devices, buffers and modules -------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceFixture.h"

#include "convoy/Runtime/FileIO.h"
#include "convoy/Runtime/HostArray.h"
#include "convoy/Support/Sha256.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace convoy;
using testing::ElementsAre;
using testing::HasSubstr;

extern "C" {
int add_filter(const float *, const float *, float *, void *);
int stray(char *, void *, int64_t);
int refuse(const float *, void *);
int open_from_c(const char *);
int all_buffers(int *, int *, int *, int *, int *, int *, int *, int *, int *,
                int64_t, int64_t);
int no_buffers(int64_t *, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
               int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
               int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
               int64_t, int64_t, int64_t, int64_t);
}

namespace {

class DeviceTest : public testing::Test, protected test::DeviceFixture {
protected:
  DeviceTest() { expectOk(Device::open("cpu", device)); }

  /// The kernel `name` among this program's own.
  Kernel ownKernel(const std::string &name) {
    static const convoy_function functions[] = {
        {"add_filter", reinterpret_cast<void *>(add_filter)},
        {"stray", reinterpret_cast<void *>(stray)},
        {"refuse", reinterpret_cast<void *>(refuse)},
        {"all_buffers", reinterpret_cast<void *>(all_buffers)},
        {"no_buffers", reinterpret_cast<void *>(no_buffers)}};
    expectOk(device.fromFunctions(functions, module));
    Kernel kernel;
    expectOk(module.findKernel(name, kernel));
    return kernel;
  }
};

} // namespace

TEST(RuntimeTest, UnknownDevices) {
  for (const char *name : {"", "abacus", "CPU"}) {
    Device device;
    Status status = Device::open(name, device);
    EXPECT_EQ(status.code, CONVOY_NO_DEVICE);
    EXPECT_EQ(status.text, "there is no device '" + std::string(name) +
                               "', expected one of: cpu, hip, qemu, "
                               "rocm-sim, vulkan, vulkan-sim");
  }
}

TEST(RuntimeTest, ThereIsOneCPU) {
  Device device;
  Status status = Device::open("cpu:1", device);
  EXPECT_EQ(status.code, CONVOY_NO_DEVICE);
  EXPECT_EQ(status.text, "there is one device 'cpu', but got 'cpu:1'");
}

TEST(RuntimeTest, FromC) {
  EXPECT_EQ(open_from_c("cpu"), CONVOY_OK);
  EXPECT_EQ(open_from_c("abacus"), CONVOY_NO_DEVICE);
  EXPECT_EQ(open_from_c(nullptr), CONVOY_INVALID);
  EXPECT_STREQ(convoy_error_text(), "expected a name, but got null");
}

TEST(RuntimeTest, NullArguments) {
  convoy_buffer *buffer = nullptr;
  EXPECT_EQ(convoy_buffer_create(nullptr, 1, &buffer), CONVOY_INVALID);
  EXPECT_STREQ(convoy_error_text(), "expected a device, but got null");
  EXPECT_EQ(convoy_buffer_check(nullptr), CONVOY_INVALID);
  EXPECT_EQ(convoy_kernel_launch(nullptr, nullptr), CONVOY_INVALID);
  EXPECT_STREQ(convoy_error_text(), "expected a kernel, but got null");
  convoy_device_close(nullptr);
  convoy_buffer_destroy(nullptr);
  convoy_module_unload(nullptr);
}

TEST_F(DeviceTest, Arithmetic) {
  TargetArithmetic arithmetic{false, true};
  expectOk(device.arithmetic(arithmetic));
  EXPECT_TRUE(arithmetic.roundsToNearest);
  EXPECT_FALSE(arithmetic.flushesSubnormals);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

TEST_F(DeviceTest, BuffersReadWhatWasWritten) {
  Buffer buffer = makeBuffer<int32_t>({1, 2, 3, 4});
  int32_t seven = 7;
  expectOk(buffer.write(std::as_bytes(std::span(&seven, 1)), 8));
  EXPECT_THAT(contents<int32_t>(buffer, 4), ElementsAre(1, 2, 7, 4));
  expectOk(buffer.write({}, 16));
}

TEST_F(DeviceTest, BuffersRefuseOtherRanges) {
  Buffer buffer = makeBuffer<int32_t>({1, 2, 3, 4});
  std::vector<std::byte> bytes(17);
  EXPECT_EQ(buffer.write(bytes).text, "expected bytes within a buffer of 16, "
                                      "but got 17 from 0 on");
  EXPECT_EQ(buffer.read(std::span(bytes).first(2), 15).code, CONVOY_INVALID);
  EXPECT_EQ(buffer.read({}, 17).code, CONVOY_INVALID);
  EXPECT_EQ(buffer.read(std::span(bytes).first(1), SIZE_MAX).code,
            CONVOY_INVALID);
}

TEST_F(DeviceTest, BuffersAreFilledWithPoison) {
  Buffer buffer = makeBuffer<uint16_t>({0, 0, 0});
  expectOk(buffer.poison(ScalarType::F16));
  uint16_t poison = static_cast<uint16_t>(poisonBits(ScalarType::F16));
  EXPECT_THAT(contents<uint16_t>(buffer, 3),
              ElementsAre(poison, poison, poison));
}

TEST_F(DeviceTest, HugeBuffersAreRefused) {
  Buffer buffer;
  Status status = device.createBuffer(SIZE_MAX, buffer);
  EXPECT_EQ(status.code, CONVOY_INVALID);
  EXPECT_THAT(status.text, HasSubstr("no memory for a buffer of 1844"));
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

TEST_F(DeviceTest, RunsFunctions) { expectAddsFilter(ownKernel("add_filter")); }

TEST_F(DeviceTest, RunsSharedObjects) {
  expectOk(device.loadFile(CONVOY_TEST_KERNELS, module));
  Kernel kernel;
  expectOk(module.findKernel("add_filter", kernel));
  expectAddsFilter(kernel);
}

TEST_F(DeviceTest, FilesAreTheOnesThatAreDescribed) {
  std::string error;
  auto image = readFile(CONVOY_TEST_KERNELS, error);
  ASSERT_TRUE(image) << error;
  std::string digest = sha256(*image);
  expectOk(device.loadFile(CONVOY_TEST_KERNELS, digest, module));
  Kernel kernel;
  expectOk(module.findKernel("add_filter", kernel));
  expectAddsFilter(kernel);
  std::string other(64, '0');
  Status status = device.loadFile(CONVOY_TEST_KERNELS, other, module);
  EXPECT_EQ(status.code, CONVOY_INVALID);
  EXPECT_EQ(status.text,
            "cannot load the module: '" + std::string(CONVOY_TEST_KERNELS) +
                "' is not the file that its manifest or header was written "
                "with: expected the SHA-256 " +
                other + ", but got " + digest);
  EXPECT_THAT(device.loadFile("no-such-file.so", other, module).text,
              HasSubstr("cannot read 'no-such-file.so'"));
}

TEST_F(DeviceTest, RunsSharedObjectsInMemory) {
  std::string error;
  auto image = readFile(CONVOY_TEST_KERNELS, error);
  ASSERT_TRUE(image) << error;
  Module other;
  expectOk(device.loadImage(*image, module));
  expectOk(device.loadImage(*image, other));
  for (Module *loaded : {&module, &other}) {
    Kernel kernel;
    expectOk(loaded->findKernel("add_filter", kernel));
    expectAddsFilter(kernel);
  }
}

TEST_F(DeviceTest, RefusesOtherModules) {
  Status status = device.loadFile("no-such-file.so", module);
  EXPECT_EQ(status.code, CONVOY_INVALID);
  EXPECT_THAT(status.text, HasSubstr("cannot load the module: "
                                     "./no-such-file.so"));
  std::vector<std::byte> image(100);
  EXPECT_EQ(device.loadImage(image, module).code, CONVOY_INVALID);
  Kernel kernel;
  expectOk(device.loadFile(CONVOY_TEST_KERNELS, module));
  EXPECT_EQ(module.findKernel("no_such_kernel", kernel).text,
            "the module has no kernel 'no_such_kernel'");
}

TEST_F(DeviceTest, PassesAllBuffersInOrder) {
  std::vector<Buffer> buffers;
  std::vector<convoy_buffer *> operands;
  for (int i = 0; i < 9; ++i) {
    buffers.push_back(makeBuffer<int32_t>({-1}));
    if (i < 8)
      operands.push_back(buffers.back().get());
  }
  expectOk(
      ownKernel("all_buffers").launch(operands, buffers[8].get(), {1, 10}));
  for (int32_t i = 0; i < 9; ++i)
    EXPECT_THAT(contents<int32_t>(buffers[static_cast<size_t>(i)], 1),
                ElementsAre(10 * i + 1));
}

TEST_F(DeviceTest, PassesAllSizesInOrder) {
  Buffer workspace = makeBuffer<int64_t>({0});
  std::vector<int64_t> sizes;
  int64_t expected = 0;
  for (int64_t i = 1; i <= 24; ++i) {
    sizes.push_back(1000 * i + 7);
    expected += i * sizes.back();
  }
  expectOk(ownKernel("no_buffers").launch({}, workspace.get(), sizes));
  EXPECT_THAT(contents<int64_t>(workspace, 1), ElementsAre(expected));
}

TEST_F(DeviceTest, CountsBeyondTheLimitsAreRefused) {
  Buffer buffer = makeBuffer<int32_t>({0});
  std::vector<convoy_buffer *> buffers(33, buffer.get());
  Kernel kernel = ownKernel("refuse");
  EXPECT_EQ(kernel.launch(buffers).text,
            "kernel 'refuse' takes at most 32 buffers, but got 33");
  EXPECT_EQ(kernel.launch({}, nullptr, std::vector<int64_t>(25)).text,
            "kernel 'refuse' takes at most 24 sizes, but got 25");
}

TEST_F(DeviceTest, CodesOfKernelsAreReported) {
  Buffer buffer = makeBuffer<float>({0});
  Kernel kernel = ownKernel("refuse");
  Status status = kernel.launch({buffer.get()});
  EXPECT_EQ(status.code, CONVOY_INVALID);
  EXPECT_EQ(status.text, "kernel 'refuse' refused its arguments with code 7");
  expectOk(kernel.launch({buffer.get()}, buffer.get()));
}

TEST_F(DeviceTest, RangesOfBuffersAreOperands) {
  Buffer memory = makeBuffer<float>({1, 2, 3, 10, 0, 0, 0, 0, 0, 0});
  std::vector<convoy_buffer *> buffers = {memory.get(), memory.get(),
                                          memory.get()};
  std::vector<convoy_range> ranges = {{0, 12}, {12, 4}, {16, 12}};
  Buffer workspace = makeBuffer<float>({0, 0, 0});
  convoy_launch launch = {};
  launch.buffers = buffers.data();
  launch.buffer_count = buffers.size();
  launch.ranges = ranges.data();
  launch.workspace = workspace.get();
  Kernel kernel = ownKernel("add_filter");
  expectOk(kernel.launch(launch));
  EXPECT_THAT(contents<float>(memory, 10),
              ElementsAre(1, 2, 3, 10, 11, 12, 13, 0, 0, 0));
  ranges[2] = {32, 12};
  EXPECT_EQ(kernel.launch(launch).text,
            "expected bytes within a buffer of 40, but got 12 from 32 on");
}

TEST_F(DeviceTest, WrappedMemoryIsUsedInPlace) {
  std::vector<float> input = {1, 2, 3}, filter = {10}, output = {0, 0, 0},
                     scratch = {0, 0, 0};
  auto wrap = [&](std::vector<float> &values) {
    Buffer buffer;
    expectOk(
        device.wrapBuffer(std::as_writable_bytes(std::span(values)), buffer));
    return buffer;
  };
  Buffer first = wrap(input), second = wrap(filter), result = wrap(output),
         workspace = wrap(scratch);
  expectOk(
      ownKernel("add_filter")
          .launch({first.get(), second.get(), result.get()}, workspace.get()));
  EXPECT_THAT(output, ElementsAre(11, 12, 13));
  expectOk(result.check());
}

TEST_F(DeviceTest, OtherDevicesDoNotWrapMemory) {
  Device simulator;
  expectOk(Device::open("rocm-sim", simulator));
  std::vector<std::byte> memory(4);
  Buffer buffer;
  Status status = simulator.wrapBuffer(memory, buffer);
  EXPECT_EQ(status.code, CONVOY_INVALID);
  EXPECT_EQ(status.text, "expected the device 'cpu' for a buffer of the "
                         "caller's memory, but got another");
  convoy_buffer *wrapped = nullptr;
  convoy_device *cpu = nullptr;
  ASSERT_EQ(convoy_device_open("cpu", &cpu), CONVOY_OK);
  EXPECT_EQ(convoy_buffer_wrap(cpu, nullptr, 4, &wrapped), CONVOY_INVALID);
  EXPECT_STREQ(convoy_error_text(),
               "expected a pointer to bytes, but got null");
  ASSERT_EQ(convoy_buffer_wrap(cpu, nullptr, 0, &wrapped), CONVOY_OK);
  convoy_buffer_destroy(wrapped);
  convoy_device_close(cpu);
}

TEST_F(DeviceTest, ThreadsLaunchOneKernelAtOnce) {
  Kernel kernel = ownKernel("add_filter");
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&] {
      for (int run = 0; run < 100; ++run)
        expectAddsFilter(kernel);
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(DeviceTest, SequencesRunInOrder) {
  Kernel kernel = ownKernel("add_filter");
  Buffer values = makeBuffer<float>({1, 2, 3}), filter = makeBuffer<float>({5});
  Buffer sum = makeBuffer<float>({0, 0, 0}),
         workspace = makeBuffer(std::vector<float>(3));
  std::vector<convoy_buffer *> there = {values.get(), filter.get(), sum.get()};
  std::vector<convoy_buffer *> back = {sum.get(), filter.get(), values.get()};
  std::vector<convoy_step> steps(2);
  for (convoy_step &step : steps) {
    std::vector<convoy_buffer *> &buffers = &step == &steps[0] ? there : back;
    step.kernel = kernel.get();
    step.launch.buffers = buffers.data();
    step.launch.buffer_count = buffers.size();
    step.launch.workspace = workspace.get();
  }
  expectOk(device.run(steps));
  EXPECT_THAT(contents<float>(values, 3), ElementsAre(11, 12, 13));
  double seconds = -1;
  expectOk(device.seconds(seconds));
  EXPECT_GE(seconds, 0);
  TargetArithmetic arithmetic{false, true};
  expectOk(kernel.arithmetic(arithmetic));
  EXPECT_TRUE(arithmetic.roundsToNearest);
  EXPECT_FALSE(arithmetic.flushesSubnormals);
  steps[1].kernel = nullptr;
  EXPECT_EQ(device.run(steps).text, "expected a kernel, but got null");
}

TEST_F(DeviceTest, StrayWritesAreFound) {
  Buffer buffer = makeBuffer<char>({1, 2, 3, 4, 5});
  expectOk(ownKernel("stray").launch({buffer.get()}, nullptr, {5}));
  Status status = buffer.check();
  EXPECT_EQ(status.code, CONVOY_WRONG);
  EXPECT_EQ(status.text,
            "1 byte before the start was overwritten, the nearest at offset "
            "-1; 2 bytes after the end were overwritten, the nearest at "
            "offset 0");
}

TEST_F(DeviceTest, BuffersOfOtherDevicesAreRefused) {
  Device other;
  expectOk(Device::open("cpu", other));
  Buffer foreign;
  expectOk(other.createBuffer(4, foreign));
  Kernel kernel = ownKernel("refuse");
  EXPECT_EQ(kernel.launch({foreign.get()}).text,
            "a buffer belongs to another device");
  EXPECT_EQ(kernel.launch({}, foreign.get()).text,
            "the workspace belongs to another device");
  std::vector<convoy_buffer *> null = {nullptr};
  EXPECT_EQ(kernel.launch(null).text, "expected a buffer, but got null");
}
