//===- DrawEpilogue.cpp - Epilogues at random -------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DrawCase.h"

using namespace convoy;

namespace {
class EpilogueDrawer {
public:
  EpilogueDrawer(RandomNumbers &random, FuzzCase &fuzzCase)
      : random(random), problem(fuzzCase.problem) {}

  void draw();

private:
  bool isOneOf(int count) { return random.below(count) == 0; }
  template <typename T>
  T pick(const std::vector<T> &choices) {
    return choices[static_cast<size_t>(random.below(std::ssize(choices)))];
  }

  PostOp drawPostOp();
  void drawParameters(PostOp &postOp);
  void drawOperand(PostOp &postOp);
  void drawIntegers();

  RandomNumbers &random;
  Problem &problem;
};
} // namespace

void EpilogueDrawer::drawParameters(PostOp &postOp) {
  auto drawNumber = [&] { return pick<double>({-2, -0.5, 0.25, 1, 3}); };
  switch (postOp.kind) {
  case PostOp::Kind::Clip:
    postOp.alpha = pick<double>({-6, -1, 0});
    postOp.beta = pick<double>({0, 6, 100});
    break;
  case PostOp::Kind::HardSigmoid:
  case PostOp::Kind::HardSwish:
  case PostOp::Kind::Linear:
    postOp.beta = drawNumber();
    [[fallthrough]];
  case PostOp::Kind::Elu:
  case PostOp::Kind::SoftRelu:
  case PostOp::Kind::Sum:
  case PostOp::Kind::Swish:
    postOp.alpha = drawNumber();
    break;
  case PostOp::Kind::Relu:
    postOp.alpha = isOneOf(2) ? 0 : drawNumber();
    break;
  default:
    break;
  }
}

void EpilogueDrawer::drawOperand(PostOp &postOp) {
  int rank = 2 + problem.shape.spatialRank();
  unsigned whole = (1u << rank) - 1;
  postOp.type =
      isOneOf(2) ? DataType::F32
                 : pick<DataType>({DataType::F16, DataType::BF16, DataType::S32,
                                   DataType::S8, DataType::U8});
  postOp.mask = isOneOf(2) ? pick<unsigned>({0, 2, whole})
                           : unsigned(random.below(int64_t(whole) + 1));
  if (!isOneOf(4))
    return;
  std::string letters = "n";
  letters += Layout::groupedLetter(problem.resultOperand());
  letters += spatialLetters(problem.shape.spatialRank());
  postOp.layout = pick(permutations(letters));
  if (postOp.layout == problem.layouts[problem.resultOperand()].letters())
    postOp.layout.clear();
}

PostOp EpilogueDrawer::drawPostOp() {
  constexpr int Last = static_cast<int>(PostOp::Kind::Sub);
  PostOp postOp;
  postOp.kind = static_cast<PostOp::Kind>(random.below(Last + 1));
  drawParameters(postOp);
  if (postOp.kind > PostOp::Kind::Sum)
    drawOperand(postOp);
  return postOp;
}

void EpilogueDrawer::drawIntegers() {
  Epilogue &epilogue = problem.epilogue;
  auto drawScale = [&](bool mayBePerChannel) -> Scale {
    if (mayBePerChannel && isOneOf(2))
      return {1, true};
    return {pick<double>({0.001, 0.0625, 1, 1.5}), false};
  };
  if (isOneOf(4))
    return;
  epilogue.resultType = pick<DataType>(
      {DataType::S8, DataType::U8, DataType::F32, DataType::BF16});
  epilogue.inputScale = drawScale(false);
  epilogue.filterScale = drawScale(true);
  if (isOneOf(2))
    epilogue.resultScale = drawScale(true);
  if (isInteger(*epilogue.resultType) && isOneOf(2))
    epilogue.resultZeroPoint =
        isOneOf(2) ? ZeroPoint{0, true} : ZeroPoint{int32_t(random.below(100))};
}

void EpilogueDrawer::draw() {
  if (problem.type == ElementType::I8)
    drawIntegers();
  for (int count = random.below(4); count > 0; --count)
    problem.epilogue.postOps.push_back(drawPostOp());
}

void convoy::drawEpilogue(FuzzCase &fuzzCase, RandomNumbers &random) {
  bool isDrawn = random.below(3) == 0;
  // There is no reference for what is special behind a convolution.
  if (!isDrawn || fuzzCase.problem.direction == Direction::BackwardFilter ||
      fuzzCase.data == DataKind::Special)
    return;
  FuzzCase drawn = fuzzCase;
  EpilogueDrawer(random, drawn).draw();
  if (settle(drawn.problem))
    fuzzCase = drawn;
}
