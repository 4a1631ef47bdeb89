//===- Results.cpp - What was measured, as a table --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Results.h"

#include "TextTable.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

double CaseResult::getSpeed(const Measurement &measurement) const {
  if (measurement.seconds.empty())
    return 0;
  return 2 * problem.shape.multiplyAdds() / measurement.best();
}

double CaseResult::getRatio(const PeerResult &peer) const {
  if (!wasTimed() || peer.measurement.seconds.empty())
    return 0;
  return peer.measurement.best() / measurement.best();
}

double CaseResult::getPeakFraction() const {
  return peak > 0 ? getSpeed(measurement) / peak : 0;
}

/// The flags of a problem, and its descriptor, which has no blanks.
static std::pair<std::string, std::string> splitText(const Problem &problem) {
  std::string text = ::convoy::toString(problem);
  size_t blank = text.rfind(' ');
  if (blank == std::string::npos)
    return {"", text};
  return {text.substr(0, blank), text.substr(blank + 1)};
}

std::string CaseResult::getGroup() const {
  return splitText(problem).first + ", " + std::to_string(threads) +
         (threads == 1 ? " thread" : " threads");
}

std::vector<std::vector<const CaseResult *>>
mlir::convoy::groupCases(const std::vector<CaseResult> &cases) {
  llvm::MapVector<std::string, std::vector<const CaseResult *>,
                  std::map<std::string, unsigned>>
      groups;
  for (const CaseResult &result : cases)
    groups[result.getGroup()].push_back(&result);
  std::vector<std::vector<const CaseResult *>> list;
  for (auto &[name, group] : groups)
    list.push_back(std::move(group));
  return list;
}

GroupMeans
mlir::convoy::getMeans(const std::vector<const CaseResult *> &group) {
  GroupMeans means;
  std::vector<double> fractions;
  std::vector<std::vector<double>> ratios(group.front()->peers.size());
  for (const CaseResult *result : group) {
    means.cases += result->wasTimed();
    if (double fraction = result->getPeakFraction(); fraction > 0)
      fractions.push_back(fraction);
    for (auto [list, peer] : llvm::zip_equal(ratios, result->peers))
      if (double ratio = result->getRatio(peer); ratio > 0)
        list.push_back(ratio);
  }
  means.peakFraction = fractions.empty() ? 0 : geometricMean(fractions);
  for (const std::vector<double> &list : ratios)
    means.ratios.push_back(list.empty() ? 0 : geometricMean(list));
  return means;
}

/// `number`, or a dash where there is none.
static std::string toCell(double number, int digits) {
  return number > 0 ? toFixed(number, digits) : "-";
}

static std::vector<std::string> makeRow(const CaseResult &result) {
  std::string name = splitText(result.problem).second;
  if (!result.wasTimed())
    return {name + "  " + result.error};
  std::vector<std::string> row = {
      name, toCell(1e-9 * result.getSpeed(result.measurement), 1),
      toCell(100 * result.getPeakFraction(), 1)};
  for (const PeerResult &peer : result.peers) {
    row.push_back(toCell(1e-9 * result.getSpeed(peer.measurement), 1));
    row.push_back(toCell(result.getRatio(peer), 2));
  }
  row.push_back(toFixed(1e3 * result.compileSeconds, 0));
  row.push_back(toFixed(double(result.codeBytes) / 1024, 1));
  row.push_back(toFixed(double(result.workspaceBytes) / 1024, 1));
  return row;
}

static void printGroup(const std::vector<const CaseResult *> &group,
                       const std::vector<PeerTitle> &peers,
                       llvm::raw_ostream &os) {
  const CaseResult &first = *group.front();
  os << first.getGroup();
  if (first.peak > 0)
    os << ", peak " << toFixed(1e-9 * first.peak, 1) << " GF/s";
  if (first.kernelThreads != first.threads)
    os << " (Convoy's kernels use " << first.kernelThreads << ")";
  os << '\n';
  std::vector<std::string> header = {"problem", "GF/s", "% peak"};
  for (const PeerTitle &peer : peers) {
    header.push_back(peer.title);
    header.push_back("ratio");
  }
  for (const char *name : {"compile ms", "code KiB", "workspace KiB"})
    header.push_back(name);
  TextTable table(std::move(header));
  for (const CaseResult *result : group)
    table.addRow(makeRow(*result));
  GroupMeans means = getMeans(group);
  std::vector<std::string> row = {"geometric mean of " +
                                      std::to_string(means.cases),
                                  "", toCell(100 * means.peakFraction, 1)};
  for (double ratio : means.ratios) {
    row.push_back("");
    row.push_back(toCell(ratio, 2));
  }
  row.insert(row.end(), 3, "");
  table.addRow(std::move(row));
  os << table.toString() << '\n';
}

/// Each reason once, with the number of cases that it holds for.
static void printReasons(const std::vector<CaseResult> &cases,
                         const std::vector<PeerTitle> &peers,
                         llvm::raw_ostream &os) {
  for (auto [place, peer] : llvm::enumerate(peers)) {
    std::map<std::string, size_t> counts;
    for (const CaseResult &result : cases)
      if (result.wasTimed() && !result.peers[place].reason.empty())
        ++counts[result.peers[place].reason];
    for (const auto &[reason, count] : counts)
      os << peer.title << ": " << reason << " (" << count
         << (count == 1 ? " case" : " cases") << ")\n";
  }
}

void mlir::convoy::printTables(const std::vector<CaseResult> &cases,
                               const std::vector<PeerTitle> &peers,
                               llvm::raw_ostream &os) {
  for (const std::vector<const CaseResult *> &group : groupCases(cases))
    printGroup(group, peers, os);
  printReasons(cases, peers, os);
}
