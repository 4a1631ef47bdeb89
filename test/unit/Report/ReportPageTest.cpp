//===- ReportPageTest.cpp - Tests of what a page holds --------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Report/ReportPage.h"

#include "ReportAssets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mlir::convoy;
using testing::HasSubstr;
using testing::Not;

/// Nothing but the data is of interest here.
const ReportAssets *mlir::convoy::getReportAssets() {
  static const ReportAssets assets = {"<script>", "</script>"};
  return &assets;
}

namespace {

/// What stands between head and tail.
std::string getData(const ReportPage &page) {
  std::string html = page.toHTML();
  llvm::StringRef text = html;
  EXPECT_TRUE(text.consume_front("<script>"));
  EXPECT_TRUE(text.consume_back("</script>"));
  return text.str();
}

llvm::json::Value parse(const std::string &data) {
  return llvm::cantFail(llvm::json::parse(data));
}

TEST(ReportPageTest, DataCannotLeaveTheScript) {
  std::string text = "</script><!-- ]]> & \u2028 \u2029 é \"";
  ReportPage page("tool", {"tool"}, llvm::json::Object{{"text", text}});
  std::string data = getData(page);
  for (const char *part : {"<", ">", "&", "\u2028", "\u2029"})
    EXPECT_THAT(data, Not(HasSubstr(part)));
  const llvm::json::Value value = parse(data);
  EXPECT_EQ(value.getAsObject()->getObject("document")->getString("text"),
            llvm::StringRef(text));
}

TEST(ReportPageTest, SectionsSayWhatIsShown) {
  ReportPage page("tool", {"tool"}, {});
  page.addTable("All", "cases",
                {{"worst.place", "where", ReportField::Format::Text},
                 {"fraction", "part", ReportField::Format::Percent}});
  page.addBars("By layer", "layers", {"name", "layer"}, {{"new", "new"}});
  const llvm::json::Value value = parse(getData(page));
  const llvm::json::Array &sections =
      *value.getAsObject()->getArray("sections");
  EXPECT_EQ(sections[0], parse(R"({
    "kind": "table", "title": "All", "path": "cases", "fields": [
      {"path": "worst.place", "title": "where", "format": "text"},
      {"path": "fraction", "title": "part", "format": "percent"}]})"));
  EXPECT_EQ(sections[1], parse(R"({
    "kind": "bars", "title": "By layer", "path": "layers",
    "name": {"path": "name", "title": "layer", "format": "number"},
    "fields": [{"path": "new", "title": "new", "format": "number"}]})"));
}

TEST(ReportPageTest, CommandsAreReadByAShell) {
  EXPECT_EQ(
      quoteCommand({"bin/convoy-run", "mb1_ic2", "--target=cpu,vulkan:1"}),
      "bin/convoy-run mb1_ic2 --target=cpu,vulkan:1");
  EXPECT_EQ(quoteCommand({"a b", "", "it's", "n\"l;1\"", "$HOME"}),
            "'a b' '' 'it'\\''s' 'n\"l;1\"' '$HOME'");
}

TEST(ReportPageTest, CommandsMayBeAnyBytes) {
  ReportPage page("tool", {"tool", "a\xff"}, {});
  const llvm::json::Value value = parse(getData(page));
  EXPECT_EQ(value.getAsObject()->getString("command"),
            llvm::StringRef("tool 'a\uFFFD'"));
}

TEST(ReportPageTest, SaysWhyItCannotBeWritten) {
  std::string error;
  EXPECT_FALSE(
      ReportPage("tool", {"tool"}, {}).write("/no/such/a.html", error));
  EXPECT_THAT(error, HasSubstr("/no/such/a.html"));
}

} // namespace
