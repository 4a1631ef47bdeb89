//===- ResultsTest.cpp - Tables and their means --------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Results.h"
#include "convoy/Support/TextTable.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

using namespace convoy;
using testing::DoubleEq;
using testing::ElementsAre;

TEST(TextTableTest, ColumnsAreAsWideAsTheirCells) {
  TextTable table({"name", "a", "long"});
  table.addRow({"x", "12345", "1"});
  table.addRow({"a row of its own, wider than any column"});
  table.addRow({"last one", "", ""});
  EXPECT_EQ(table.toString(), "name          a  long\n"
                              "x         12345     1\n"
                              "a row of its own, wider than any column\n"
                              "last one\n");
}

TEST(TextTableTest, Digits) {
  EXPECT_EQ(toFixed(2.345, 1), "2.3");
  EXPECT_EQ(toFixed(199.5, 0), "200");
}

/// 128 operations, which ours does in `seconds` and the peers in `peers`, 0 for
/// one that was not timed.
static CaseResult makeCase(const std::string &flags, double seconds,
                           std::vector<double> peers) {
  std::string error;
  CaseResult result;
  result.problem =
      parseProblems("mb1ic4ih2oc4kh1 " + flags, {}, error).value().front();
  result.peak = 64e9;
  result.measurement.seconds = {2 * seconds, seconds};
  result.compileSeconds = 0.25;
  result.codeBytes = 1536;
  result.workspaceBytes = 1024;
  for (double time : peers) {
    PeerResult &peer = result.peers.emplace_back();
    peer.name = "peer" + std::to_string(result.peers.size());
    if (time > 0)
      peer.measurement.seconds = {time};
    else
      peer.reason = "cannot";
  }
  return result;
}

TEST(ResultsTest, SpeedsAndRatios) {
  CaseResult result = makeCase("", 4e-9, {8e-9, 0});
  EXPECT_DOUBLE_EQ(result.getSpeed(result.measurement), 32e9);
  EXPECT_DOUBLE_EQ(result.getPeakFraction(), 0.5);
  EXPECT_DOUBLE_EQ(result.getRatio(result.peers[0]), 2);
  EXPECT_EQ(result.getRatio(result.peers[1]), 0);
  result.measurement.seconds.clear();
  EXPECT_EQ(result.getRatio(result.peers[0]), 0);
  EXPECT_EQ(result.getSpeed(result.measurement), 0);
}

TEST(ResultsTest, GroupsShareAllButTheShape) {
  std::vector<CaseResult> cases = {
      makeCase("", 1, {}), makeCase("--dir=BWD_D", 1, {}), makeCase("", 2, {}),
      makeCase("--filter-layout=fchw", 1, {})};
  cases.push_back(cases[0]);
  cases.back().threads = 2;
  auto groups = groupCases(cases);
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_THAT(groups[0], ElementsAre(&cases[0], &cases[2]));
  EXPECT_THAT(groups[1], ElementsAre(&cases[1]));
  EXPECT_EQ(cases[4].getGroup(),
            "--dir=FWD_D --type=f32 --input-layout=nhwc --filter-layout=hwcf "
            "--output-layout=nhwf, 2 threads");
}

TEST(ResultsTest, MeansLeaveOutWhatWasNotTimed) {
  std::vector<CaseResult> cases = {makeCase("", 4e-9, {2e-9, 0, 0}),
                                   makeCase("", 8e-9, {4e-9, 8e-9, 0}),
                                   makeCase("", 1e-9, {1e-9, 1e-9, 1e-9})};
  cases[2].measurement.seconds.clear();
  GroupMeans means = getMeans(groupCases(cases).front());
  EXPECT_EQ(means.cases, 2u);
  EXPECT_DOUBLE_EQ(means.peakFraction, std::sqrt(0.5 * 0.25));
  EXPECT_THAT(means.ratios, ElementsAre(DoubleEq(0.5), DoubleEq(1), 0));
}

TEST(ResultsTest, SamplesAreTimedByTheirBytes) {
  std::string error;
  CaseResult result = makeCase("", 2e-3, {});
  result.problem =
      parseAnyProblems("--grid-sample mb1_ic3ih4iw5_oh6ow7", {}, error)
          .value()
          .front();
  result.peak = 0;
  result.bytes = 4e6;
  result.peers = {{"peer1", {}, "", "cannot"}};
  EXPECT_EQ(result.getSpeed(result.measurement), 0);
  EXPECT_EQ(result.getIntensity(), 0);
  EXPECT_DOUBLE_EQ(result.getByteSpeed(), 2e9);
  EXPECT_EQ(result.getBandwidthFraction(), 0);
  result.bandwidth = 8e9;
  EXPECT_DOUBLE_EQ(result.getBandwidthFraction(), 0.25);
  CaseResult faster = result;
  faster.measurement.seconds = {5e-4};
  EXPECT_EQ(printTables({result, faster}, {{"peer1", "First"}}),
            result.getGroup() +
                ", memory 8.0 GB/s\n"
                "problem                  ms  GB/s  % memory  compile ms  "
                "code KiB  workspace KiB\n"
                "mb1_ic3ih4iw5_oh6ow7  2.000   2.0      25.0         250"
                "       1.5            1.0\n"
                "mb1_ic3ih4iw5_oh6ow7  0.500   8.0     100.0         250"
                "       1.5            1.0\n"
                "geometric mean of 2                    50.0\n\n"
                "First: cannot (2 cases)\n");
}

TEST(ResultsTest, TablesSayWhyPeersAreMissing) {
  std::vector<CaseResult> cases = {makeCase("", 4e-9, {8e-9, 0}),
                                   makeCase("", 4e-9, {2e-9, 0}),
                                   makeCase("", 1, {0, 0})};
  cases[2].measurement.seconds.clear();
  cases[2].error = "wrong numbers";
  std::string name = "mb1_ic4ih2iw2_oc4oh2ow2_kh1kw1_ph0pw0";
  EXPECT_EQ(
      printTables(cases, {{"peer1", "First"}, {"peer2", "Other"}}),
      cases[0].getGroup() + ", peak 64.0 GF/s\n" +
          "problem                                GF/s  % peak  First  ratio  "
          "Other  ratio  compile ms  code KiB  workspace KiB\n" +
          name +
          "  32.0    50.0   16.0   2.00      -      -         250       1.5"
          "            1.0\n" +
          name +
          "  32.0    50.0   64.0   0.50      -      -         250       1.5"
          "            1.0\n" +
          name + "  wrong numbers\n" +
          "geometric mean of 2                            50.0          1.00  "
          "           -\n\n"
          "Other: cannot (2 cases)\n");
}
