//===- Results.cpp - What was measured, as a table --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Results.h"

#include "convoy/Support/TextTable.h"

#include <algorithm>
#include <map>

namespace convoy {

double CaseResult::getOperations() const {
  const Problem *conv = getConvolution();
  return conv ? 2 * conv->shape.multiplyAdds() : 0;
}

double CaseResult::getSpeed(const Measurement &measurement) const {
  return measurement.seconds.empty() ? 0 : getOperations() / measurement.best();
}

double CaseResult::getByteSpeed() const {
  return wasTimed() ? bytes / measurement.best() : 0;
}

double CaseResult::getBandwidthFraction() const {
  return bandwidth > 0 ? getByteSpeed() / bandwidth : 0;
}

double CaseResult::getRatio(const PeerResult &peer) const {
  if (!wasTimed() || peer.measurement.seconds.empty())
    return 0;
  return peer.measurement.best() / measurement.best();
}

double CaseResult::getPeakFraction() const {
  return peak > 0 ? getSpeed(measurement) / peak : 0;
}

double CaseResult::getIntensity() const {
  return bytes > 0 ? getOperations() / bytes : 0;
}

double CaseResult::getBestSpeed() const {
  double best = getSpeed(measurement);
  for (const CandidateResult &candidate : candidates)
    best = std::max(best, getSpeed(candidate.measurement));
  return best;
}

/// The flags of a problem, and its descriptor, which has no blanks.
static std::pair<std::string, std::string>
splitText(const AnyProblem &problem) {
  std::string text = toString(problem);
  size_t blank = text.rfind(' ');
  if (blank == std::string::npos)
    return {"", text};
  return {text.substr(0, blank), text.substr(blank + 1)};
}

std::string CaseResult::getPlace() const {
  if (target != "cpu")
    return target;
  return std::to_string(threads) + (threads == 1 ? " thread" : " threads") +
         (isFilterPacked ? ", filter packed" : "") +
         (algorithm == "direct" ? "" : ", algorithm " + algorithm);
}

std::string CaseResult::getGroup() const {
  return splitText(problem).first + ", " + getPlace();
}

std::vector<std::vector<const CaseResult *>>
groupCases(const std::vector<CaseResult> &cases) {
  std::map<std::string, size_t> places;
  std::vector<std::vector<const CaseResult *>> groups;
  for (const CaseResult &result : cases) {
    auto [place, isNew] = places.insert({result.getGroup(), groups.size()});
    if (isNew)
      groups.emplace_back();
    groups[place->second].push_back(&result);
  }
  return groups;
}

GroupMeans getMeans(const std::vector<const CaseResult *> &group) {
  GroupMeans means;
  std::vector<double> fractions, bandwidths;
  std::vector<std::vector<double>> ratios(group.front()->peers.size());
  for (const CaseResult *result : group) {
    means.cases += result->wasTimed();
    if (double fraction = result->getPeakFraction(); fraction > 0)
      fractions.push_back(fraction);
    if (double fraction = result->getBandwidthFraction(); fraction > 0)
      bandwidths.push_back(fraction);
    for (size_t i = 0; i < ratios.size(); ++i)
      if (double ratio = result->getRatio(result->peers[i]); ratio > 0)
        ratios[i].push_back(ratio);
  }
  means.peakFraction = fractions.empty() ? 0 : geometricMean(fractions);
  means.bandwidthFraction = bandwidths.empty() ? 0 : geometricMean(bandwidths);
  for (const std::vector<double> &list : ratios)
    means.ratios.push_back(list.empty() ? 0 : geometricMean(list));
  return means;
}

/// `number`, or a dash where there is none.
static std::string toCell(double number, int digits) {
  return number > 0 ? toFixed(number, digits) : "-";
}

/// The columns that all tables end with.
static const char *const CostNames[] = {"compile ms", "code KiB",
                                        "workspace KiB"};

static void addCosts(const CaseResult &result, std::vector<std::string> &row) {
  row.push_back(toFixed(1e3 * result.compileSeconds, 0));
  row.push_back(toFixed(double(result.codeBytes) / 1024, 1));
  row.push_back(toFixed(double(result.workspaceBytes) / 1024, 1));
}

static std::vector<std::string> makeRow(const CaseResult &result) {
  std::string name = splitText(result.problem).second;
  if (!result.wasTimed())
    return {name + "  " + result.error};
  if (!result.getConvolution()) {
    std::vector<std::string> row = {
        name, toFixed(1e3 * result.measurement.best(), 3),
        toCell(1e-9 * result.getByteSpeed(), 1),
        toCell(100 * result.getBandwidthFraction(), 1)};
    addCosts(result, row);
    return row;
  }
  std::vector<std::string> row = {
      name, toCell(1e-9 * result.getSpeed(result.measurement), 1),
      toCell(100 * result.getPeakFraction(), 1)};
  for (const PeerResult &peer : result.peers) {
    row.push_back(toCell(1e-9 * result.getSpeed(peer.measurement), 1));
    row.push_back(toCell(result.getRatio(peer), 2));
  }
  addCosts(result, row);
  return row;
}

/// A table of convolutions.
static TextTable makeTable(const std::vector<PeerTitle> &peers) {
  std::vector<std::string> header = {"problem", "GF/s", "% peak"};
  for (const PeerTitle &peer : peers) {
    header.push_back(peer.title);
    header.push_back("ratio");
  }
  header.insert(header.end(), std::begin(CostNames), std::end(CostNames));
  return TextTable(std::move(header));
}

/// A table of other problems.
static TextTable makeTable() {
  std::vector<std::string> header = {"problem", "ms", "GB/s", "% memory"};
  header.insert(header.end(), std::begin(CostNames), std::end(CostNames));
  return TextTable(std::move(header));
}

static std::vector<std::string> makeMeansRow(const GroupMeans &means,
                                             bool ofConvolutions) {
  std::vector<std::string> row = {
      "geometric mean of " + std::to_string(means.cases), ""};
  if (ofConvolutions) {
    row.push_back(toCell(100 * means.peakFraction, 1));
    for (double ratio : means.ratios) {
      row.push_back("");
      row.push_back(toCell(ratio, 2));
    }
  } else {
    row.push_back("");
    row.push_back(toCell(100 * means.bandwidthFraction, 1));
  }
  row.insert(row.end(), std::size(CostNames), "");
  return row;
}

static std::string printGroup(const std::vector<const CaseResult *> &group,
                              const std::vector<PeerTitle> &peers) {
  const CaseResult &first = *group.front();
  bool ofConvolutions = first.getConvolution();
  std::string text = first.getGroup();
  if (first.peak > 0)
    text += ", peak " + toFixed(1e-9 * first.peak, 1) + " GF/s";
  if (!ofConvolutions && first.bandwidth > 0)
    text += ", memory " + toFixed(1e-9 * first.bandwidth, 1) + " GB/s";
  TextTable table = ofConvolutions ? makeTable(peers) : makeTable();
  for (const CaseResult *result : group)
    table.addRow(makeRow(*result));
  table.addRow(makeMeansRow(getMeans(group), ofConvolutions));
  return text + '\n' + table.toString() + '\n';
}

/// Each reason once, with the number of cases that it holds for.
static std::string printReasons(const std::vector<CaseResult> &cases,
                                const std::vector<PeerTitle> &peers) {
  std::string text;
  for (size_t place = 0; place < peers.size(); ++place) {
    std::map<std::string, size_t> counts;
    for (const CaseResult &result : cases)
      if (result.wasTimed() && !result.peers[place].reason.empty())
        ++counts[result.peers[place].reason];
    for (const auto &[reason, count] : counts)
      text += peers[place].title + ": " + reason + " (" +
              std::to_string(count) + (count == 1 ? " case)\n" : " cases)\n");
  }
  return text;
}

/// The candidates of one case, by their estimates.
static std::string printCandidates(const CaseResult &result) {
  TextTable table({"candidate", "cycles/lane", "GF/s", "of best"});
  for (size_t number = 0; number < result.candidates.size(); ++number) {
    const CandidateResult &candidate = result.candidates[number];
    std::string name = std::to_string(number) + ": " + candidate.tiles;
    if (!candidate.reason.empty()) {
      table.addRow({name + "  " + candidate.reason});
      continue;
    }
    double speed = result.getSpeed(candidate.measurement);
    table.addRow({name, toCell(candidate.estimate, 4), toCell(1e-9 * speed, 1),
                  toCell(speed / result.getBestSpeed(), 2)});
  }
  return toString(result.problem) + ", " + result.getPlace() + '\n' +
         table.toString() + '\n';
}

/// What part of the speed of a case's fastest candidate is enough.
static constexpr double kNearBest = 0.95;

/// The candidates of all cases, and how often ours is about the best.
static std::string printCandidates(const std::vector<CaseResult> &cases) {
  std::string text;
  size_t compared = 0, near = 0;
  for (const CaseResult &result : cases) {
    if (result.candidates.empty() || !result.wasTimed())
      continue;
    text += printCandidates(result);
    ++compared;
    near += result.getSpeed(result.measurement) >=
            kNearBest * result.getBestSpeed();
  }
  if (compared > 0)
    text += "the choice is within 5 % of the fastest candidate in " +
            std::to_string(near) + " of " + std::to_string(compared) +
            (compared == 1 ? " case\n" : " cases\n");
  return text;
}

std::string printTables(const std::vector<CaseResult> &cases,
                        const std::vector<PeerTitle> &peers) {
  std::string text;
  for (const std::vector<const CaseResult *> &group : groupCases(cases))
    text += printGroup(group, peers);
  return text + printCandidates(cases) + printReasons(cases, peers);
}

} // namespace convoy
