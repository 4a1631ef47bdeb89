//===- ReportPage.cpp - What a tool found, as one page --------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Report/ReportPage.h"

#include "ReportAssets.h"

#include "convoy/Runtime/FileIO.h"
#include "convoy/Support/Version.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::convoy;

std::optional<std::string> mlir::convoy::checkReportSupport() {
  if (getReportAssets())
    return std::nullopt;
  return "reports are not built in: the charts' library was not found when "
         "Convoy was configured (Python's package vl-convert-python, which "
         "scripts/setup installs)";
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

/// Whether a shell takes `letter` for itself.
static bool isPlain(char letter) {
  return llvm::isAlnum(letter) || StringRef("@%+=:,./_-").contains(letter);
}

static std::string quoteWord(StringRef word) {
  if (!word.empty() && llvm::all_of(word, isPlain))
    return word.str();
  std::string quoted = "'";
  for (char letter : word)
    quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return quoted + "'";
}

std::string mlir::convoy::quoteCommand(ArrayRef<std::string> words) {
  return llvm::join(llvm::map_range(words, quoteWord), " ");
}

//===----------------------------------------------------------------------===//
// Sections
//===----------------------------------------------------------------------===//

static StringRef getName(ReportField::Format format) {
  switch (format) {
  case ReportField::Format::Text:
    return "text";
  case ReportField::Format::Number:
    return "number";
  case ReportField::Format::Percent:
    return "percent";
  case ReportField::Format::Status:
    return "status";
  }
  llvm_unreachable("no such format");
}

static llvm::json::Object toJSON(const ReportField &field) {
  return llvm::json::Object{{"path", field.path},
                            {"title", field.title},
                            {"format", getName(field.format)}};
}

static llvm::json::Array toJSON(ArrayRef<ReportField> fields) {
  llvm::json::Array array;
  for (const ReportField &field : fields)
    array.push_back(toJSON(field));
  return array;
}

/// Text of a command line may be anything.
static std::string toUTF8(StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

ReportPage::ReportPage(StringRef tool, ArrayRef<std::string> command,
                       llvm::json::Object document)
    : page{{"tool", tool},
           {"version", ::convoy::getVersion()},
           {"command", toUTF8(quoteCommand(command))},
           {"document", std::move(document)}} {}

llvm::json::Object &ReportPage::addSection(StringRef kind, StringRef title,
                                           StringRef path) {
  sections.push_back(
      llvm::json::Object{{"kind", kind}, {"title", title}, {"path", path}});
  return *sections.back().getAsObject();
}

void ReportPage::addSummary(StringRef title, StringRef path, StringRef keyTitle,
                            ArrayRef<ReportField> fields) {
  llvm::json::Object &section = addSection("summary", title, path);
  section["key"] = keyTitle;
  section["fields"] = toJSON(fields);
}

void ReportPage::addTable(StringRef title, StringRef path,
                          ArrayRef<ReportField> fields) {
  addSection("table", title, path)["fields"] = toJSON(fields);
}

void ReportPage::addHistogram(StringRef title, StringRef path) {
  addSection("histogram", title, path);
}

void ReportPage::addHeatMap(StringRef title, StringRef path) {
  addSection("heatmap", title, path);
}

void ReportPage::addBars(StringRef title, StringRef path,
                         const ReportField &name,
                         ArrayRef<ReportField> series) {
  llvm::json::Object &section = addSection("bars", title, path);
  section["name"] = toJSON(name);
  section["fields"] = toJSON(series);
}

void ReportPage::addRoofline(StringRef title, StringRef path,
                             const ReportField &name) {
  addSection("roofline", title, path)["name"] = toJSON(name);
}

//===----------------------------------------------------------------------===//
// HTML
//===----------------------------------------------------------------------===//

/// JSON that can stand in a script: text such as `</script>` or `<!--` would
/// end it, or hide what follows.
static std::string escapeForScript(StringRef json) {
  std::string escaped;
  escaped.reserve(json.size());
  for (size_t i = 0; i < json.size(); ++i) {
    StringRef rest = json.substr(i);
    if (json[i] == '<' || json[i] == '>' || json[i] == '&') {
      escaped +=
          "\\u00" + llvm::utohexstr(uint8_t(json[i]), /*LowerCase=*/true);
    } else if (rest.starts_with("\u2028") || rest.starts_with("\u2029")) {
      // Lines end there, for JavaScript.
      escaped += rest.starts_with("\u2028") ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      escaped += json[i];
    }
  }
  return escaped;
}

std::string ReportPage::toHTML() const {
  const ReportAssets *assets = getReportAssets();
  assert(assets && "this build cannot write reports");
  llvm::json::Object data = page;
  data["sections"] = llvm::json::Array(sections);
  std::string json;
  llvm::raw_string_ostream(json) << llvm::json::Value(std::move(data));
  std::string html(assets->head);
  html += escapeForScript(json);
  html += assets->tail;
  return html;
}

bool ReportPage::write(const std::string &file, std::string &error) const {
  std::string html = toHTML();
  return ::convoy::writeFile(
      file, std::as_bytes(std::span(html.data(), html.size())), error);
}
