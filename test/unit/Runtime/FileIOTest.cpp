//===- FileIOTest.cpp - Tests of whole files ------------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/FileIO.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace convoy;
using testing::EndsWith;
namespace fs = std::filesystem;

namespace {
/// A folder of its own.
class FileIOTest : public testing::Test {
protected:
  FileIOTest() { fs::create_directories(folder / "inner"); }
  ~FileIOTest() override { fs::remove_all(folder); }

  std::string at(const std::string &name) const { return folder / name; }

  /// Writes `text` as the file `name`; the error, if there is one.
  std::string write(const std::string &name, const std::string &text) const {
    std::string error;
    EXPECT_EQ(writeFile(at(name), std::as_bytes(std::span(text)), error),
              error.empty());
    return error;
  }

  std::string read(const std::string &name) const {
    std::string error;
    auto bytes = readFile(at(name), error);
    return bytes ? std::string(reinterpret_cast<const char *>(bytes->data()),
                               bytes->size())
                 : error;
  }

  size_t countFiles() const {
    size_t count = 0;
    for (const auto &entry : fs::recursive_directory_iterator(folder))
      count += !fs::is_directory(entry.symlink_status());
    return count;
  }

  fs::path folder =
      fs::path(testing::TempDir()) / ("files-" + std::to_string(::getpid()));
};
} // namespace

// Written in place, a program that is ended would leave a part of the file.
TEST_F(FileIOTest, LinksStayAndTheirTargetsAreNewFiles) {
  EXPECT_EQ(write("inner/target", "old"), "");
  fs::create_symlink("inner/target", folder / "link");
  fs::create_symlink(folder / "link", folder / "chain");
  struct stat before, after;
  ASSERT_EQ(::stat(at("inner/target").c_str(), &before), 0);
  EXPECT_EQ(write("chain", "new"), "");
  ASSERT_EQ(::stat(at("inner/target").c_str(), &after), 0);
  EXPECT_NE(before.st_ino, after.st_ino);
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_TRUE(fs::is_symlink(folder / "chain"));
  EXPECT_EQ(read("inner/target"), "new");
  EXPECT_EQ(countFiles(), 3u);
}

TEST_F(FileIOTest, LinksMayLeadToWhatIsNotThere) {
  fs::create_symlink("inner/new", folder / "link");
  EXPECT_EQ(write("link", "text"), "");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read("inner/new"), "text");
  fs::create_symlink("none/new", folder / "astray");
  EXPECT_THAT(write("astray", "text"), EndsWith("No such file or directory"));
  fs::create_symlink("circle", folder / "circle");
  EXPECT_THAT(write("circle", "text"),
              EndsWith("Too many levels of symbolic links"));
  EXPECT_EQ(countFiles(), 4u);
}

TEST_F(FileIOTest, DevicesAreWrittenAsTheyAre) {
  std::string text = "text", error;
  EXPECT_TRUE(writeFile("/dev/null", std::as_bytes(std::span(text)), error));
  fs::create_symlink("/dev/null", folder / "null");
  EXPECT_EQ(write("null", "text"), "");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(FileIOTest, SaysBeforehandWhatCannotBeWritten) {
  std::string error;
  EXPECT_TRUE(checkCanWrite(at("new"), error));
  EXPECT_FALSE(fs::exists(at("new")));
  EXPECT_TRUE(checkCanWrite("/dev/null", error));
  EXPECT_FALSE(checkCanWrite(at("none/new"), error));
  EXPECT_EQ(error,
            "cannot write '" + at("none/new") + "': No such file or directory");
  fs::create_directory(at("folder"));
  EXPECT_FALSE(checkCanWrite(at("folder"), error));
  EXPECT_EQ(error, "cannot write '" + at("folder") + "': Is a directory");
}

TEST_F(FileIOTest, OneFileHasManyNames) {
  EXPECT_EQ(write("a", "text"), "");
  fs::create_symlink("a", folder / "link");
  auto same = [&](const std::string &first, const std::string &second) {
    std::vector<std::string> paths = {first, at("other"), second};
    return findSameFile(paths);
  };
  EXPECT_EQ(same(at("a"), at("b")), "");
  for (const char *name : {"a", "./a", "inner/../a", "link"})
    EXPECT_EQ(same(at("a"), at(name)), at(name));
  // So have files that are not there yet.
  EXPECT_EQ(same(at("new"), at("inner/../new")), at("inner/../new"));
  EXPECT_EQ(same("new", fs::current_path() / "new"),
            fs::current_path() / "new");
  EXPECT_EQ(same("/dev/null", "/dev/null"), "");
}

TEST_F(FileIOTest, LongFilesAreRefused) {
  EXPECT_EQ(write("file", std::string(1000, 'x')), "");
  std::string error;
  EXPECT_TRUE(readFile(at("file"), error, 1000));
  EXPECT_FALSE(readFile(at("file"), error, 999));
  EXPECT_EQ(error,
            "cannot read '" + at("file") + "': it is longer than 999 bytes");
  // One without a length of its own, too.
  EXPECT_FALSE(readFile("/dev/zero", error, uint64_t(1) << 20));
  EXPECT_EQ(error, "cannot read '/dev/zero': it is longer than 1 MiB");
  // A sparse file, of which nothing is read.
  fs::resize_file(folder / "file", kMaxModuleBytes + 1);
  EXPECT_FALSE(readFile(at("file"), error, kMaxModuleBytes));
  EXPECT_EQ(error, "cannot read '" + at("file") + "': it is longer than 1 GiB");
}
