//===- NpyTest.cpp - Tests of .npy files ----------------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/Npy.h"

#include "convoy/Runtime/FileIO.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <span>
#include <unistd.h>

using namespace convoy;
using testing::HasSubstr;

static std::vector<std::byte> toBytes(std::string_view text) {
  auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

static std::string toText(std::span<const std::byte> bytes) {
  return std::string(reinterpret_cast<const char *>(bytes.data()),
                     bytes.size());
}

/// A file of version `major`.0 with `header` and `data`.
static std::string makeFile(const std::string &header,
                            const std::string &data = {}, int major = 1) {
  std::string text = "\x93NUMPY";
  text += {static_cast<char>(major), '\0'};
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
    text += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return text + header + data;
}

/// The header of `count` elements of `descr`.
static std::string makeHeader(const std::string &descr,
                              const std::string &shape) {
  return "{'descr': '" + descr +
         "', 'fortran_order': False, 'shape': " + shape + ", }\n";
}

static std::string getNpyError(const std::string &file) {
  std::string error;
  EXPECT_FALSE(parseNpy(toBytes(file), error));
  EXPECT_FALSE(error.empty());
  EXPECT_EQ(error.find('\n'), std::string::npos);
  return error;
}

TEST(NpyTest, RoundTripsOfAllTypesAndShapes) {
  const std::vector<std::vector<int64_t>> shapes = {
      {}, {1}, {7}, {2, 3}, {2, 0, 5}, {1, 2, 3, 4, 5, 6}};
  for (ScalarType type : {ScalarType::F64, ScalarType::F32, ScalarType::F16,
                          ScalarType::BF16, ScalarType::I8, ScalarType::U8,
                          ScalarType::I16, ScalarType::I32, ScalarType::I64})
    for (const std::vector<int64_t> &shape : shapes) {
      HostArray array(type, shape);
      for (int64_t i = 0; i < array.elementCount(); ++i)
        array.set(i, static_cast<double>(i % 100 + 1));
      std::string error;
      std::optional<HostArray> read = parseNpy(serializeNpy(array), error);
      ASSERT_TRUE(read) << error;
      EXPECT_EQ(read->type, type);
      EXPECT_EQ(read->shape, shape);
      EXPECT_EQ(read->bytes, array.bytes);
    }
}

TEST(NpyTest, WritesWhatNumPyWrites) {
  // numpy.save of numpy.ones((1, 3), dtype) for each type.
  auto header = [](ScalarType type, std::vector<int64_t> shape) {
    std::string text = toText(serializeNpy(HostArray(type, std::move(shape))));
    return text.substr(0, 128);
  };
  auto expected = [](std::string dictionary) {
    dictionary.resize(117, ' ');
    return std::string("\x93NUMPY\x01\x00v\x00", 10) + dictionary + "\n";
  };
  EXPECT_EQ(header(ScalarType::F32, {1, 3}),
            expected("{'descr': '<f4', 'fortran_order': False, 'shape': "
                     "(1, 3), }"));
  EXPECT_EQ(header(ScalarType::BF16, {3}),
            expected("{'descr': '<V2', 'fortran_order': False, 'shape': "
                     "(3,), }"));
  EXPECT_EQ(header(ScalarType::U8, {}),
            expected("{'descr': '|u1', 'fortran_order': False, 'shape': "
                     "(), }"));
}

TEST(NpyTest, ReadsEveryVersionAndStyle) {
  std::string data("\0\0\x80\x3f\0\0\0\x40", 8);
  for (const std::string &file :
       {makeFile(makeHeader("<f4", "(2,)"), data, 1),
        makeFile(makeHeader("<f4", "(2,)"), data, 2),
        makeFile(makeHeader("<f4", "(2,)"), data, 3),
        makeFile("{\"shape\":(1,2),\"descr\":\"<f4\",\"fortran_order\":False}",
                 data),
        makeFile("  { 'shape' : ( 2 , 1 , ) , 'fortran_order' : False , "
                 "'descr' : '<f4' }  \n",
                 data)}) {
    std::string error;
    std::optional<HostArray> array = parseNpy(toBytes(file), error);
    ASSERT_TRUE(array) << error;
    EXPECT_EQ(array->at(0), 1);
    EXPECT_EQ(array->at(1), 2);
  }
}

TEST(NpyTest, ReadsTypesWithoutByteOrder) {
  std::string error;
  std::string two("\x80\x3f", 2);
  auto read = [&](const std::string &descr, const std::string &data) {
    return parseNpy(toBytes(makeFile(makeHeader(descr, "(1,)"), data)), error);
  };
  EXPECT_EQ(read("|V2", two)->at(0), 1);
  EXPECT_EQ(read("<V2", two)->at(0), 1);
  EXPECT_EQ(read("|u1", "\xff")->at(0), 255);
  EXPECT_EQ(read("|i1", "\xff")->at(0), -1);
}

TEST(NpyTest, RefusesOtherFiles) {
  EXPECT_THAT(getNpyError(""), HasSubstr("magic string"));
  EXPECT_THAT(getNpyError("\x93NUMPX\x01\x00"), HasSubstr("magic string"));
  EXPECT_THAT(getNpyError(makeFile("", "", 4)),
              HasSubstr("expected version 1, 2 or 3 of the format, but got 4"));
  EXPECT_THAT(getNpyError(makeFile("", "", 0)), HasSubstr("but got 0"));
}

TEST(NpyTest, RefusesEveryTruncation) {
  std::string file = toText(serializeNpy(HostArray(ScalarType::F32, {2, 3})));
  for (size_t size = 0; size < file.size(); ++size)
    getNpyError(file.substr(0, size));
  EXPECT_THAT(getNpyError(file.substr(0, 7)),
              HasSubstr("length of its header"));
  EXPECT_THAT(getNpyError(file.substr(0, 100)),
              HasSubstr("expected 118 bytes, but got 90"));
  EXPECT_THAT(
      getNpyError(file.substr(0, 150)),
      HasSubstr("expected 24 bytes of data for 6 elements, but got 22"));
  EXPECT_THAT(getNpyError(file + "x"), HasSubstr("but got 25"));
}

TEST(NpyTest, RefusesOtherArrays) {
  EXPECT_THAT(getNpyError(makeFile(makeHeader(">f4", "(1,)"), "1234")),
              HasSubstr("but got '>f4'"));
  EXPECT_THAT(getNpyError(makeFile(makeHeader("<u2", "(1,)"), "12")),
              HasSubstr("but got '<u2'"));
  EXPECT_THAT(getNpyError(makeFile(makeHeader("|O", "(1,)"))),
              HasSubstr("but got '|O'"));
  EXPECT_THAT(getNpyError(makeFile("{'descr': [('a', '<f4')], "
                                   "'fortran_order': False, 'shape': (1,)}")),
              HasSubstr("structured types are not supported"));
  EXPECT_THAT(getNpyError(makeFile("{'descr': '<f4', 'fortran_order': True, "
                                   "'shape': (1,)}",
                                   "1234")),
              HasSubstr("expected row-major order, but got Fortran order"));
}

TEST(NpyTest, RefusesHugeShapes) {
  std::string max = "9223372036854775807";
  EXPECT_THAT(getNpyError(makeFile(makeHeader("|i1", "(" + max + ",)"))),
              HasSubstr("expected " + max + " bytes of data"));
  EXPECT_THAT(getNpyError(makeFile(makeHeader("<f4", "(" + max + ",)"))),
              HasSubstr("more bytes than 2^63"));
  EXPECT_THAT(
      getNpyError(makeFile(makeHeader("|i1", "(" + max + "," + max + ")"))),
      HasSubstr("more bytes than 2^63"));
  EXPECT_THAT(getNpyError(makeFile(makeHeader("|i1", "(" + max + "0,)"))),
              HasSubstr("below 2^63"));
  std::string ones;
  for (int i = 0; i < 65; ++i)
    ones += "1,";
  EXPECT_THAT(getNpyError(makeFile(makeHeader("|i1", "(" + ones + ")"), "x")),
              HasSubstr("expected at most 64 dimensions"));
}

TEST(NpyTest, RefusesMalformedHeaders) {
  std::pair<const char *, const char *> cases[] = {
      {"", "expected '{', but got its end"},
      {"[]", "expected '{', but got '[]'"},
      {"{", "expected a string, but got its end"},
      {"{'descr", "expected a string with its closing quote"},
      {"{'descr' '<f4'}", "expected ':'"},
      {"{'descr': <f4}", "expected a string, but got '<f4}'"},
      {"{'descr': '<f4' 'shape': (1,)}", "expected ',' or '}'"},
      {"{'descr': '<f4', 'descr': '<f4'}", "key 'descr' stands twice"},
      {"{'order': 1}", "expected one of the keys descr, fortran_order and "
                       "shape, but got 'order'"},
      {"{'fortran_order': 0}", "expected True or False, but got '0}'"},
      {"{'shape': 3}", "expected '(', but got '3}'"},
      {"{'shape': (-3,)}", "expected a size, but got '-3,)}'"},
      {"{'shape': (3 4)}", "expected ',' or ')', but got '4)}'"},
      {"{'shape': (3.5,)}", "expected ',' or ')'"},
      {"{}", "key 'descr' is missing"},
      {"{'descr': '<f4'}", "key 'fortran_order' is missing"},
      {"{'descr': '<f4', 'fortran_order': False}", "key 'shape' is missing"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (0,)} x",
       "expected the end of the header, but got 'x'"},
      {"{'\x01\x80\n': 3}", "but got '?\?\?'"},
      {"{'averyveryverylongkeyindeed': 3}",
       "but got 'averyveryverylongkey...'"},
  };
  for (auto [header, sentence] : cases)
    EXPECT_THAT(getNpyError(makeFile(header)), HasSubstr(sentence)) << header;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

namespace {

class FileTest : public testing::Test {
protected:
  FileTest()
      : folder(testing::TempDir() + "convoy-npy-" +
               std::to_string(::getpid())) {
    std::filesystem::create_directories(folder);
  }
  ~FileTest() override { std::filesystem::remove_all(folder); }

  size_t fileCount() const {
    auto files = std::filesystem::directory_iterator(folder);
    return static_cast<size_t>(std::distance(begin(files), end(files)));
  }

  std::string folder;
};

} // namespace

TEST_F(FileTest, WritesAndReads) {
  HostArray array(ScalarType::I32, {3});
  array.set(2, -7);
  std::string error, path = folder + "/a.npy";
  ASSERT_TRUE(writeNpy(path, array, error)) << error;
  // Over an existing file too, with nothing left beside it.
  ASSERT_TRUE(writeNpy(path, array, error)) << error;
  EXPECT_EQ(fileCount(), 1u);
  std::optional<HostArray> read = readNpy(path, error);
  ASSERT_TRUE(read) << error;
  EXPECT_EQ(read->at(2), -7);
}

TEST_F(FileTest, ReadsFilesOfManyChunks) {
  HostArray array(ScalarType::I8, {300000});
  array.set(299999, 5);
  std::string error, path = folder + "/a.npy";
  ASSERT_TRUE(writeNpy(path, array, error)) << error;
  std::optional<HostArray> read = readNpy(path, error);
  ASSERT_TRUE(read) << error;
  EXPECT_EQ(read->bytes, array.bytes);
}

TEST_F(FileTest, ErrorsNameTheFile) {
  std::string error;
  EXPECT_FALSE(readNpy(folder + "/none.npy", error));
  EXPECT_EQ(error,
            "cannot read '" + folder + "/none.npy': No such file or directory");
  EXPECT_FALSE(readNpy(folder, error));
  EXPECT_EQ(error, "cannot read '" + folder + "': Is a directory");
  std::string path = folder + "/text.npy";
  ASSERT_TRUE(writeFile(path, toBytes("text"), error));
  EXPECT_FALSE(readNpy(path, error));
  EXPECT_THAT(error,
              HasSubstr("cannot read '" + path + "': expected the magic"));
  EXPECT_FALSE(writeNpy(folder + "/none/a.npy", HostArray(), error));
  EXPECT_THAT(error, HasSubstr("cannot write '" + folder + "/none/a.npy'"));
}

TEST_F(FileTest, DevicesAreWrittenInPlace) {
  std::string error;
  EXPECT_TRUE(writeFile("/dev/null", toBytes("text"), error)) << error;
  EXPECT_FALSE(writeFile("/dev/full", toBytes("text"), error));
  EXPECT_EQ(error, "cannot write '/dev/full': No space left on device");
}

TEST_F(FileTest, AllFilesAreWrittenOrNone) {
  std::string error, first = folder + "/first", second = folder + "/second",
                     absent = folder + "/none/third";
  std::vector<std::byte> old = toBytes("old"), text = toBytes("text");
  ASSERT_TRUE(writeFile(first, old, error)) << error;
  const FileContent files[] = {{first, text}, {second, text}, {absent, text}};
  EXPECT_FALSE(writeFiles(files, error));
  EXPECT_EQ(error, "cannot write '" + absent + "': No such file or directory");
  const FileContent full[] = {{first, text}, {"/dev/full", text}};
  EXPECT_FALSE(writeFiles(full, error));
  EXPECT_EQ(error, "cannot write '/dev/full': No space left on device");
  EXPECT_EQ(readFile(first, error), old);
  EXPECT_TRUE(writeFiles(std::span(files).first(2), error)) << error;
  EXPECT_EQ(readFile(first, error), text);
  EXPECT_EQ(readFile(second, error), text);
  EXPECT_EQ(fileCount(), 2u); // and no temporary one
}

TEST_F(FileTest, LinksStayLinks) {
  // As /dev/stdout must.
  std::string error, path = folder + "/file", link = folder + "/link";
  std::filesystem::create_symlink(path, link);
  EXPECT_TRUE(writeFile(link, toBytes("text"), error)) << error;
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(readFile(path, error), toBytes("text"));
}
