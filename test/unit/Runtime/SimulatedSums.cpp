//===- SimulatedSums.cpp - Sums as targets form them ---------------------
//-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedSums.h"

#include <algorithm>

namespace convoy {

std::vector<SumMethod> allSumMethods() {
  std::vector<SumMethod> methods;
  for (SumMethod::Order order :
       {SumMethod::InOrder, SumMethod::Reversed, SumMethod::Shuffled,
        SumMethod::Tree, SumMethod::Split, SumMethod::Blocked})
    for (bool fused : {false, true})
      for (bool initFirst : {false, true})
        methods.push_back({order, fused, initFirst});
  return methods;
}

/// The roundings of a term among `count` that are multiplied and added to a sum
/// one after the other; the first of them to zero, or to an init.
static int64_t countInOrder(int64_t count, bool fused, bool toInit) {
  return count + (toInit && !fused ? 1 : 0);
}

std::vector<SumLevel> getSumLevels(const SumTarget &target, SumMethod method,
                                   bool hasInit) {
  int64_t length = target.length, depth = 0;
  bool toInit = hasInit && method.initFirst;
  // Sums of parts that are products or sums from zero.
  auto countParts = [&](int64_t part, int64_t parts) {
    return countInOrder(part, method.fused, false) + parts - (toInit ? 0 : 1);
  };
  switch (method.order) {
  case SumMethod::Tree:
    depth = 1 + (toInit ? 1 : 0);
    for (int64_t terms = length; terms > 1; terms = (terms + 1) / 2)
      ++depth;
    break;
  case SumMethod::Split:
    depth = countParts((length + 6) / 7, std::min<int64_t>(length, 7));
    break;
  case SumMethod::Blocked:
    depth = countParts(std::min<int64_t>(length, 8), (length + 7) / 8);
    break;
  default:
    depth = countInOrder(length, method.fused, toInit);
  }
  if (hasInit && !toInit)
    ++depth;
  std::vector<SumLevel> levels = {{target.accumulator, depth}};
  if (target.result != target.accumulator)
    levels.push_back({target.result, 1});
  return levels;
}

double SimulatedSum::sum(std::vector<Term> terms, const double *init) {
  for (Term &term : terms) {
    term.left = operandArithmetic.read(term.left);
    term.right = operandArithmetic.read(term.right);
  }
  if (method.order == SumMethod::Reversed)
    std::reverse(terms.begin(), terms.end());
  if (method.order == SumMethod::Shuffled)
    std::shuffle(terms.begin(), terms.end(), random);
  double start = init ? resultArithmetic.read(*init) : 0.0;
  double total = sumTerms(terms, init && method.initFirst ? start : 0.0);
  if (init && !method.initFirst)
    total = arithmetic.add(total, start);
  return sameType ? total : resultArithmetic.convert(total);
}

double SimulatedSum::sumTerms(const std::vector<Term> &terms, double start) {
  size_t count = terms.size();
  double total = start;
  switch (method.order) {
  case SumMethod::Tree:
    return arithmetic.add(start, sumTree(terms.data(), count));
  case SumMethod::Split: // Partial sums of every seventh term: lanes.
    for (size_t part = 0; part < 7; ++part) {
      double partial = 0;
      for (size_t i = part; i < count; i += 7)
        partial = accumulate(partial, terms[i]);
      total = arithmetic.add(total, partial);
    }
    return total;
  case SumMethod::Blocked: // Partial sums of eight terms in a row.
    for (size_t block = 0; block < count; block += 8) {
      double partial = 0;
      for (size_t i = block; i < std::min(block + 8, count); ++i)
        partial = accumulate(partial, terms[i]);
      total = arithmetic.add(total, partial);
    }
    return total;
  default:
    for (const Term &term : terms)
      total = accumulate(total, term);
    return total;
  }
}

double SimulatedSum::sumTree(const Term *terms, size_t count) {
  if (count == 1)
    return arithmetic.multiply(terms->left, terms->right);
  size_t half = count / 2;
  return arithmetic.add(sumTree(terms, half),
                        sumTree(terms + half, count - half));
}

double SimulatedSum::accumulate(double sum, const Term &term) {
  if (method.fused)
    return arithmetic.fusedMultiplyAdd(term.left, term.right, sum);
  return arithmetic.add(sum, arithmetic.multiply(term.left, term.right));
}

ConvFixture makeSums(const SumTarget &target, int64_t count) {
  ConvFixture conv(Direction::Forward,
                   makeShape(2, 1, target.length, count, {makeSpatial(1, 1)}),
                   makeLayouts("nwc", "wfc", "nwf"));
  ConvNumerics numerics;
  numerics.types = {target.operands, target.operands, target.result};
  numerics.accumulator = target.accumulator;
  conv.setNumerics(numerics);
  return conv;
}

void simulate(ConvFixture &conv, SimulatedSum sum) {
  const ConvShape &shape = conv.problem.shape;
  for (int64_t n = 0; n < shape.batch; ++n)
    for (int64_t f = 0; f < shape.outputChannels; ++f) {
      std::vector<Term> terms;
      for (int64_t c = 0; c < shape.inputChannels; ++c)
        terms.push_back(
            {conv.array(Operand::Input).at(n * shape.inputChannels + c),
             conv.array(Operand::Filter).at(f * shape.inputChannels + c)});
      int64_t place = n * shape.outputChannels + f;
      double init = conv.problem.init
                        ? loadDouble(conv.numerics().type(Operand::Output),
                                     conv.problem.init->data, place)
                        : 0.0;
      conv.array(Operand::Output)
          .set(place, sum.sum(terms, conv.problem.init ? &init : nullptr));
    }
}

ConvFixture makeStagnatingSums() {
  SumTarget target{ScalarType::F16, ScalarType::F16, ScalarType::F16, {}, 200};
  ConvFixture conv = makeSums(target, 1);
  int64_t inputs = conv.problem.shape.batch * target.length;
  for (int64_t i = 0; i < inputs; ++i)
    conv.array(Operand::Input).set(i, i % target.length == 0 ? 1 : 0x1p-11);
  for (int64_t i = 0; i < target.length; ++i)
    conv.array(Operand::Filter).set(i, 1);
  std::mt19937 random(1);
  simulate(conv,
           SimulatedSum(target, {SumMethod::InOrder, true, true}, random));
  return conv;
}

} // namespace convoy
