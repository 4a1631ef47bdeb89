//===- CompareConv.cpp - What a kernel gave, and should have ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckEpilogue.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

CompareReport mlir::convoy::compareWithReferenceOf(
    const CheckedConv &conv, const std::vector<HostArray> &arguments,
    const ReferenceResult &reference, const void *result,
    CompareOptions options, FunctionMath math,
    const std::vector<int64_t> &winogradTile) {
  if (!winogradTile.empty())
    return compareWithReferenceOf(conv, arguments,
                                  takeWinogradTile(conv, arguments, reference,
                                                   winogradTile,
                                                   options.threads),
                                  result, options, math);
  options.exact = options.exact && sumsStayExact(reference);
  if (conv.epilogue)
    return compareEpilogue(conv, arguments, reference, result, options, math);
  Operand resultRole = directionRoles(conv.direction).result;
  options.layout = conv.resultLayout;
  return compareWithReference(reference, conv.direction, conv.numerics,
                              conv.indices[static_cast<size_t>(resultRole)],
                              result, options);
}
