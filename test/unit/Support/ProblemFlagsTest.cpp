//===- ProblemFlagsTest.cpp - Tests of what --help says of problems -------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/ProblemFlags.h"

#include "convoy/Support/Problem.h"

#include <gtest/gtest.h>

#include <regex>
#include <sstream>

using namespace convoy;

TEST(ProblemFlagsTest, ValuesInTheDescriptionAreTaken) {
  std::istringstream lines(describeProblemFlags());
  const std::regex form("  (--[a-z-]+=)<([^ >]+)> +- .+");
  int flags = 0, values = 0;
  for (std::string line; std::getline(lines, line); ++flags) {
    std::smatch match;
    ASSERT_TRUE(std::regex_match(line, match, form)) << line;
    std::istringstream words(
        std::regex_replace(match[2].str(), std::regex("\\[,...\\]$"), ""));
    for (std::string word; std::getline(words, word, '|');) {
      if (word == "..." || word[0] == 'N')
        continue;
      ++values;
      ProblemDefaults defaults;
      std::string error;
      EXPECT_EQ(parseProblemFlag(match[1].str() + word, defaults, error),
                FlagStatus::Accepted)
          << error;
    }
  }
  EXPECT_EQ(flags, 14);
  EXPECT_EQ(values, 45);
}
