//===- InputsTest.cpp - Problems in files that people read ----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/AnyProblem.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace convoy;

/// The text of a file, named from the top of the source tree.
static std::string readFile(const std::string &name) {
  std::ifstream file(CONVOY_SOURCE_DIR "/" + name);
  EXPECT_TRUE(file) << "cannot read " << name;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The problems of a file in test/Inputs.
static std::vector<Problem> readInputs(const std::string &name) {
  std::string error;
  auto problems = parseProblemFile(readFile("test/Inputs/" + name), {}, error);
  EXPECT_TRUE(problems) << error;
  return problems.value_or(std::vector<Problem>());
}

/// How often a network has a layer: the number after `*` in its name, or once.
static int64_t occurrences(const Problem &problem) {
  size_t star = problem.name.find('*');
  return star == std::string::npos ? 1
                                   : std::stoll(problem.name.substr(star + 1));
}

/// Checks that a list has `layers` layers in all, with `multiplyAdds`
/// multiply-adds, which is what is published for the network less its last,
/// fully connected layer.
static void checkNetwork(const std::string &name, int64_t layers,
                         double multiplyAdds) {
  int64_t count = 0;
  double sum = 0;
  for (const Problem &problem : readInputs(name)) {
    EXPECT_EQ(problem.shape.batch, 1);
    count += occurrences(problem);
    sum += static_cast<double>(occurrences(problem)) *
           problem.shape.multiplyAdds();
  }
  EXPECT_EQ(count, layers);
  EXPECT_EQ(sum, multiplyAdds);
}

TEST(InputsTest, ResNet50IsWhole) {
  checkNetwork("resnet50.txt", 53, 4089184256.0 - 2048 * 1000);
}

TEST(InputsTest, MobileNetV2IsWhole) {
  checkNetwork("mobilenet_v2.txt", 52, 300774272.0 - 1280 * 1000);
}

// torchvision's documentation gives these in units of 1e9, rounded: 4.456, 4.23
// and 40.697.

TEST(InputsTest, ConvNeXtTIsWhole) {
  checkNetwork("convnext_t.txt", 58, 4455531264.0 - 768 * 1000);
}

TEST(InputsTest, ResNeXt50IsWhole) {
  checkNetwork("resnext50_32x4d.txt", 53, 4230479872.0 - 2048 * 1000);
}

TEST(InputsTest, R3D18IsWhole) {
  checkNetwork("video_3d.txt", 20, 40696553472.0 - 512 * 400);
}

// Of these no count is published: here it is that of their definitions.

TEST(InputsTest, UNetIsWhole) { checkNetwork("unet.txt", 23, 48171581440.0); }

TEST(InputsTest, SpeechIsWhole) {
  checkNetwork("speech_1d.txt", 9, 4353813504.0);
}

TEST(InputsTest, ExamplesOfTheReferenceParse) {
  const std::string fence = "```";
  std::stringstream document(readFile("docs/Problems.md"));
  std::string line, examples;
  int64_t blocks = 0;
  bool isExample = false;
  while (std::getline(document, line)) {
    if (line.starts_with(fence)) {
      isExample = line == fence + "problems";
      blocks += isExample;
    } else if (isExample) {
      examples += line + "\n";
    }
  }
  std::string error;
  EXPECT_TRUE(parseAnyProblemFile(examples, {}, error)) << error << "\n"
                                                        << examples;
  EXPECT_EQ(blocks, 9);
}
