//===- SimulatedDeviceTest.cpp - Tests of simulated GPUs ------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedDeviceFixture.h"

#include <gmock/gmock.h>
#include <numeric>

using namespace convoy;

//===----------------------------------------------------------------------===//
// Right kernels
//===----------------------------------------------------------------------===//

/// Turns the order of a group's 32 elements, through its memory.
static void turn(const Work &work) {
  int64_t place = work.y * 8 + work.x;
  work.write(Work::Shared, place,
             work.read(Work::Wide, 32 * work.group + place));
  work.barrier(0);
  work.write(Work::Wide, 32 * work.group + place,
             work.read(Work::Shared, 31 - place));
}

TEST_F(SimulatedDeviceTest, WorkItemsMeetAtBarriers) {
  for (int64_t checked : {1, 0}) {
    layout[0] = checked;
    std::vector<int32_t> values(64), result(64);
    std::iota(values.begin(), values.end(), 0);
    expectOk(wide.write(std::as_bytes(std::span(values))));
    body = turn;
    if (!checked)
      // As the compiler makes it: nothing is asked.
      body = [](const Work &work) {
        int64_t place = work.y * 8 + work.x;
        work.shared[place] = work.wide[32 * work.group + place];
        work.barrier(0);
        work.wide[32 * work.group + place] = work.shared[31 - place];
      };
    expectOk(run(body, 2));
    expectOk(wide.read(std::as_writable_bytes(std::span(result))));
    for (int32_t place = 0; place < 32; ++place) {
      EXPECT_EQ(result[place], 31 - place);
      EXPECT_EQ(result[32 + place], 63 - place);
    }
    double seconds = 0;
    expectOk(device.seconds(seconds));
    EXPECT_GT(seconds, 0);
  }
}

TEST_F(SimulatedDeviceTest, RunsAgainAfterFaults) {
  EXPECT_EQ(run([](const Work &work) { work.write(Work::Wide, 64, 1); }).code,
            CONVOY_WRONG);
  expectOk(wide.check());
  expectOk(run(turn, 2));
  EXPECT_EQ(run([](const Work &work) {
              if (work.x)
                work.barrier(3);
            }).code,
            CONVOY_WRONG);
  expectOk(run(turn, 2));
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

TEST_F(SimulatedDeviceTest, MissingBarriersAreRaces) {
  expectWrong(
      [](const Work &work) {
        work.write(Work::Shared, work.y * 8 + work.x, 0);
        if (work.x == 3 && work.y == 2)
          work.read(Work::Shared, 9);
      },
      "work-item (3, 2, 0) of workgroup (0, 0, 0) reads element 9 of workgroup "
      "buffer 0, and with no barrier between work-item (1, 1, 0) writes it");
  // Read, then written; the one that reads last writes.
  expectWrong(
      [](const Work &work) {
        work.barrier(0);
        work.read(Work::Wide, 5);
        if (work.x == 7 && work.y == 3)
          work.write(Work::Wide, 5, 1);
      },
      "work-item (7, 3, 0) of workgroup (0, 0, 0) writes element 5 of buffer "
      "0, "
      "and with no barrier between work-item (6, 3, 0) reads it");
  expectWrong(
      [](const Work &work) {
        if (work.y == 0 && work.x < 2)
          work.write(Work::Narrow, 100, 7);
      },
      "work-item (1, 0, 0) of workgroup (0, 0, 0) writes element 100 of buffer "
      "1, and with no barrier between work-item (0, 0, 0) writes it");
}

TEST_F(SimulatedDeviceTest, BarriersEndRaces) {
  expectOk(run([](const Work &work) {
    int64_t place = work.y * 8 + work.x;
    for (int64_t step = 0; step < 5; ++step) {
      work.write(Work::Shared, place, step);
      work.barrier(0);
      work.read(Work::Shared, 31 - place);
      work.read(Work::Shared, 3);
      work.barrier(1);
    }
  }));
}

TEST_F(SimulatedDeviceTest, GroupsRaceWhateverBarriersTheyHave) {
  // One thread after the other or both at once: either may come first.
  for (bool writesFirst : {true, false}) {
    body = writesFirst ? Body([](const Work &work) {
      if (work.x == 0 && work.y == 0)
        work.write(Work::Wide, 11, 1);
    })
                       : Body([](const Work &work) {
                           if (work.x != 0 || work.y != 0)
                             return;
                           if (work.group == 1)
                             work.write(Work::Wide, 11, 1);
                           else
                             work.read(Work::Wide, 11);
                         });
    Status status = run(body, 2);
    EXPECT_EQ(status.code, CONVOY_WRONG);
    EXPECT_THAT(status.text,
                testing::MatchesRegex(
                    "kernel 'k': work-item \\(0, 0, 0\\) of workgroup \\(., 0, "
                    "0\\) (reads|writes) element 11 of buffer 0, and in the "
                    "same launch workgroup \\(., 0, 0\\) (reads|writes) it"));
  }
}

TEST_F(SimulatedDeviceTest, ElementsThatBuffersLack) {
  expectWrong(
      [](const Work &work) {
        if (work.x == 2 && work.y == 1)
          work.read(Work::Narrow, 128);
      },
      "work-item (2, 1, 0) of workgroup (0, 0, 0) reads element 128 of buffer "
      "1, which has 128");
  expectWrong([](const Work &work) { work.write(Work::Wide, -1, 3); },
              "work-item (0, 0, 0) of workgroup (0, 0, 0) writes element -1 of "
              "buffer 0, which has 64");
  // The first element that is outside, of several.
  expectWrong(
      [](const Work &work) {
        if (work.x == 0 && work.y == 0) {
          EXPECT_FALSE(convoy_simulated_write(work.item, Work::Shared, 30, 4));
        }
      },
      "work-item (0, 0, 0) of workgroup (0, 0, 0) writes element 32 of "
      "workgroup buffer 0, which has 32");
  // A size that the launch decides.
  layout[7] = -1;
  expectWrong([](const Work &work) { work.write(Work::Wide, 64, 3); },
              "work-item (0, 0, 0) of workgroup (0, 0, 0) writes element 64 of "
              "buffer 0, which has 64");
}

TEST_F(SimulatedDeviceTest, MemoryOfWorkgroupsIsWrittenFirst) {
  expectWrong(
      [](const Work &work) {
        // What another group wrote is gone.
        if (work.group == 1)
          return (void)work.read(Work::Shared, 6);
        if (work.x == 0 && work.y == 0)
          work.write(Work::Shared, 6, 1);
      },
      "work-item (0, 0, 0) of workgroup (1, 0, 0) reads element 6 of workgroup "
      "buffer 0, which nobody wrote",
      2);
}

TEST_F(SimulatedDeviceTest, DivergentBarriers) {
  expectWrong(
      [](const Work &work) {
        if (work.x < 5)
          work.barrier(2);
      },
      "work-item (0, 0, 0) of workgroup (0, 0, 0) waits at barrier 2, but "
      "work-item (5, 0, 0) has ended");
  expectWrong([](const Work &work) { work.barrier(work.y == 3); },
              "work-item (0, 0, 0) of workgroup (0, 0, 0) waits at barrier 0, "
              "but work-item (0, 3, 0) waits at barrier 1");
}

TEST_F(SimulatedDeviceTest, FaultsAreReportedOnce) {
  expectWrong(
      [](const Work &work) {
        work.read(Work::Wide, 64 + work.x);
        work.read(Work::Shared, work.x);
      },
      "work-item (0, 0, 0) of workgroup (0, 0, 0) reads element 64 of buffer "
      "0, which has 64; work-item (0, 0, 0) of workgroup (0, 0, 0) reads "
      "element 0 of workgroup buffer 0, which nobody wrote",
      9);
}

TEST_F(SimulatedDeviceTest, BuffersMayOverlap) {
  // Elements 8 and 9 of the narrow one are the fourth of the wide one.
  body = [](const Work &work) {
    if (work.y == 0 && work.x == 0)
      work.write(Work::Wide, 4, 1);
    if (work.y == 0 && work.x == 1)
      work.read(Work::Narrow, 1);
  };
  layout[9] = 8;
  Kernel kernel;
  expectOk(load(kernel));
  convoy_launch launch = makeLaunch(1);
  operands[1] = operands[0];
  const convoy_range ranges[] = {{0, 256}, {16, 16}};
  launch.ranges = ranges;
  Status status = kernel.launch(launch);
  EXPECT_EQ(status.code, CONVOY_WRONG);
  EXPECT_EQ(status.text,
            "kernel 'k': work-item (1, 0, 0) of workgroup (0, 0, 0) reads "
            "element 1 of buffer 1, and with no barrier between work-item (0, "
            "0, 0) writes it");
  const convoy_range others[] = {{0, 256}, {18, 16}};
  launch.ranges = others;
  EXPECT_EQ(kernel.launch(launch).code, CONVOY_OK);
}

//===----------------------------------------------------------------------===//
// What is refused
//===----------------------------------------------------------------------===//

TEST_F(SimulatedDeviceTest, ChipsHaveLimits) {
  layout[2] = 129;
  expectRefused("expected from 1 to 1024 work-items in a group on gfx942, but "
                "got 1032");
  layout[2] = 4;
  layout[11] = 16385;
  expectRefused("expected at most 65536 bytes of workgroup memory on gfx942, "
                "but got 65540");
  open("rocm-sim:gfx950");
  Kernel kernel;
  expectOk(load(kernel));
  Device other;
  Status status = Device::open("rocm-sim:gfx1", other);
  EXPECT_EQ(status.code, CONVOY_NO_DEVICE);
  EXPECT_EQ(status.text,
            "there is no device 'rocm-sim:gfx1', expected one of: gfx90a, "
            "gfx942, gfx950, gfx1100 or gfx1201");
}

TEST_F(SimulatedDeviceTest, ProfilesHaveLimits) {
  open("vulkan-sim");
  expectOk(device.createBuffer(8192, narrow));
  layout[3] = 65;
  expectRefused("expected from 1 to 1024 work-items in a group on nvidia, but "
                "got 2080");
  layout[1] = layout[2] = 1;
  expectRefused("expected from 1 to 64 work-items in z on nvidia, but got 65");
  layout[3] = 1;
  layout[11] = 12289;
  expectRefused("expected at most 49152 bytes of workgroup memory on nvidia, "
                "but got 49156");
  layout[11] = 32;
  expectRefused("expected from 1 to 65535 workgroups, but got 65536 in y",
                [](convoy_launch &launch) { launch.grid[1] = 65536; });
  // Of any device's alignment.
  expectRefused(
      "expected an offset that is a multiple of 256 for buffer 1, but "
      "got 384",
      [](convoy_launch &launch) {
        static const convoy_range ranges[] = {{0, 256}, {384, 256}};
        launch.ranges = ranges;
      });
  EXPECT_EQ(device.loadFile("k.spv", module).text,
            "the device vulkan-sim loads no files");
  open("vulkan-sim:generic+f16");
  EXPECT_EQ(device.vulkanProfile()->name, "generic+f16");
  EXPECT_EQ(device.rocmChip(), nullptr);
  Device other;
  Status status = Device::open("vulkan-sim:intel", other);
  EXPECT_EQ(status.code, CONVOY_NO_DEVICE);
  EXPECT_EQ(status.text,
            "there is no device 'vulkan-sim:intel', expected one of: lavapipe, "
            "generic, nvidia or amd, and features as in nvidia-f16");
}

TEST_F(SimulatedDeviceTest, KernelsHaveFewBuffers) {
  layout[5] = 16;
  layout.insert(layout.end() - 1, 28, 1);
  expectRefused("expected at most 16 buffers, but got 17");
}

TEST_F(SimulatedDeviceTest, LaunchesFitTheirKernel) {
  expectRefused("expected from 1 to 4294967294 workgroups, but got 0 in y",
                [](convoy_launch &launch) { launch.grid[1] = 0; });
  expectRefused(
      "expected from 1 to 4294967294 workgroups, but got 65536 in z",
      [](convoy_launch &launch) { launch.grid[0] = launch.grid[2] = 65536; });
  expectRefused("expected its own 4 work-items in y, but got 8",
                [](convoy_launch &launch) { launch.block[1] = 8; });
  expectRefused("its workgroup memory is fixed, but a launch asks for 16 bytes",
                [](convoy_launch &launch) { launch.workgroup_bytes = 16; });
  expectRefused("expected 0 sizes, but got 1", [](convoy_launch &launch) {
    static const int64_t size = 3;
    launch.sizes = &size;
    launch.size_count = 1;
  });
  expectRefused("expected 2 buffers, but got 1",
                [](convoy_launch &launch) { launch.buffer_count = 1; });
  expectRefused("expected 256 bytes for buffer 1, but got 255",
                [](convoy_launch &launch) {
                  static const convoy_range ranges[] = {{0, 256}, {0, 255}};
                  launch.ranges = ranges;
                });
  layout[7] = 4;
  expectRefused("expected an offset that is a multiple of 4 for buffer 0, but "
                "got 2",
                [](convoy_launch &launch) {
                  static const convoy_range ranges[] = {{2, 16}, {0, 256}};
                  launch.ranges = ranges;
                });
}

TEST_F(SimulatedDeviceTest, KernelsAreFunctions) {
  EXPECT_EQ(device.loadFile("k.hsaco", module).text,
            "the device rocm-sim loads no files");
  EXPECT_EQ(device.loadImage(std::vector<std::byte>(4), module).text,
            "the device rocm-sim loads no images");
  const convoy_function functions[] = {
      {"k", reinterpret_cast<void *>(runKernel)}};
  EXPECT_EQ(device.fromFunctions(functions, module).text,
            "kernel 'k' has no function for its layout");
  Kernel kernel;
  expectOk(load(kernel));
  EXPECT_EQ(module.findKernel("other", kernel).text,
            "the module has no kernel 'other'");
}
