//===- LayoutTest.cpp - Tests of layout words -----------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/Layout.h"

#include <gtest/gtest.h>

using namespace convoy;

/// The error that `word` as a layout of `operand` gives; "" where it is fine.
static std::string errorOf(std::string_view word, Operand operand) {
  std::string error;
  bool parsed = Layout::parse(word, operand, error).has_value();
  EXPECT_EQ(parsed, error.empty());
  return error;
}

TEST(LayoutTest, ParsesEveryOrder) {
  struct Case {
    Operand operand;
    const char *letters;
    size_t count;
  };
  for (const Case &c :
       {Case{Operand::Input, "ncw", 6}, Case{Operand::Input, "gnchw", 120},
        Case{Operand::Filter, "fcdhw", 120}, Case{Operand::Filter, "gfcw", 24},
        Case{Operand::Output, "nfhw", 24},
        Case{Operand::Output, "gnfdhw", 720}}) {
    std::vector<std::string> words = permutations(c.letters);
    EXPECT_EQ(words.size(), c.count);
    for (const std::string &word : words) {
      std::string error;
      std::optional<Layout> layout = Layout::parse(word, c.operand, error);
      ASSERT_TRUE(layout) << error;
      EXPECT_EQ(layout->letters(), word);
      EXPECT_EQ(layout->rank(), static_cast<int>(word.size()));
    }
  }
}

TEST(LayoutTest, RefusesWrongWords) {
  EXPECT_EQ(errorOf("nhwx", Operand::Input),
            "input layout 'nhwx' has 'x', but expected letters of 'ncgdhw'");
  EXPECT_EQ(errorOf("nhwf", Operand::Input),
            "input layout 'nhwf' has 'f', but expected letters of 'ncgdhw'");
  EXPECT_EQ(errorOf("nhwc", Operand::Filter),
            "filter layout 'nhwc' has 'n', but expected letters of 'fcgdhw'");
  EXPECT_EQ(errorOf("NHWF", Operand::Output),
            "output layout 'NHWF' has 'N', but expected letters of 'nfgdhw'");
  EXPECT_EQ(errorOf("nhwhf", Operand::Output),
            "output layout 'nhwhf' has 'h' twice, but expected each letter "
            "once");
  EXPECT_EQ(errorOf("hwc", Operand::Input),
            "input layout 'hwc' lacks 'n', but expected the letters 'nc' and "
            "one of 'w', 'hw' or 'dhw' in any order");
  EXPECT_EQ(errorOf("", Operand::Filter),
            "filter layout '' lacks 'f', but expected the letters 'fc' and one "
            "of 'w', 'hw' or 'dhw' in any order");
  EXPECT_EQ(errorOf("nc", Operand::Input),
            "input layout 'nc' lacks 'w', but expected one of 'w', 'hw' or "
            "'dhw' for the spatial dimensions, in any order");
  EXPECT_EQ(errorOf("nch", Operand::Input),
            "input layout 'nch' lacks 'w', but expected one of 'w', 'hw' or "
            "'dhw' for the spatial dimensions, in any order");
  EXPECT_EQ(errorOf("ndwf", Operand::Output),
            "output layout 'ndwf' lacks 'h', but expected one of 'w', 'hw' or "
            "'dhw' for the spatial dimensions, in any order");
}

TEST(LayoutTest, FindsDimensions) {
  Layout layout = Layout::fromLetters("hwgcn");
  EXPECT_EQ(layout.position('h'), 0);
  EXPECT_EQ(layout.position('n'), 4);
  EXPECT_EQ(layout.position('d'), -1);
  EXPECT_EQ(layout.spatialRank(), 2);
  EXPECT_TRUE(layout.hasGroups());
  EXPECT_FALSE(Layout::fromLetters("nwc").hasGroups());
  EXPECT_EQ(spatialLetters(1), "w");
  EXPECT_EQ(spatialLetters(2), "hw");
  EXPECT_EQ(spatialLetters(3), "dhw");
}

TEST(LayoutTest, PutsGroupsOutsideTheirHolder) {
  auto withGroups = [](const char *letters, Operand operand) {
    return Layout::fromLetters(letters).withGroups(operand).letters();
  };
  EXPECT_EQ(withGroups("nhwc", Operand::Input), "nhwgc");
  EXPECT_EQ(withGroups("cnw", Operand::Input), "gcnw");
  EXPECT_EQ(withGroups("hwcf", Operand::Filter), "hwcgf");
  EXPECT_EQ(withGroups("nfw", Operand::Output), "ngfw");
  EXPECT_EQ(withGroups("cngw", Operand::Input), "cngw");
}

TEST(LayoutTest, ExchangesLetters) {
  EXPECT_EQ(Layout::fromLetters("hwcf").swapped('c', 'f').letters(), "hwfc");
  EXPECT_EQ(Layout::fromLetters("nhwf").swapped('c', 'f').letters(), "nhwc");
  EXPECT_EQ(Layout::fromLetters("ngcw").swapped('n', 'c').letters(), "cgnw");
}

TEST(LayoutTest, Rows) {
  auto parse = [](std::string_view text) {
    return RowsLayout::parse(text).value();
  };
  EXPECT_EQ(parse("nhw|hwc"), (RowsLayout{"nhw", "hwc", 3}));
  EXPECT_EQ(parse("n|chw|hw"), (RowsLayout{"nhw", "chw", 1}));
  EXPECT_EQ(parse("chw|nhw"), (RowsLayout{"nhw", "chw", 0}));
  EXPECT_EQ(parse("n|chw|hw").outer(), "n");
  EXPECT_EQ(parse("n|chw|hw").inner(), "hw");
  for (const char *text : {"nhw|hwc", "n|chw|hw", "chw|nhw"})
    EXPECT_EQ(parse(text).toString(), text);
  for (const char *text : {"", "|", "nhwc", "nhw", "nhw|hw", "nhw|", "nhw|hwc|",
                           "|hwc", "||hwc", "c|c", "n|h|wc", "n|c|h|w"})
    EXPECT_FALSE(RowsLayout::parse(text)) << text;
}

TEST(LayoutTest, NamesOperands) {
  EXPECT_EQ(operandName(Operand::Input), "input");
  EXPECT_EQ(operandName(Operand::Filter), "filter");
  EXPECT_EQ(operandName(Operand::Output), "output");
  ConvLayouts layouts{Layout::fromLetters("nwc"), Layout::fromLetters("wcf"),
                      Layout::fromLetters("nwf")};
  EXPECT_EQ(layouts[Operand::Input].letters(), "nwc");
  EXPECT_EQ(layouts[Operand::Filter].letters(), "wcf");
  EXPECT_EQ(layouts[Operand::Output].letters(), "nwf");
}
