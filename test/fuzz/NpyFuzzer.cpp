//===- NpyFuzzer.cpp - Any bytes as a .npy file ---------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever the input, the parser either gives an array, which writes and reads
// back to itself, or one line of error.
//
//   build/test/fuzz/NpyFuzzer -dict=test/fuzz/npy.dict CORPUS
//
//===----------------------------------------------------------------------===//

#include "FuzzSupport.h"
#include "convoy/Runtime/Npy.h"

using namespace convoy;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string error;
  auto array = parseNpy(std::as_bytes(std::span(data, size)), error);
  if (!array) {
    checkError(error);
    return 0;
  }
  require(array->bytes.size() <= size, "there are more bytes than in the file",
          std::to_string(array->bytes.size()));
  auto again = parseNpy(serializeNpy(*array), error);
  require(again.has_value(), "a written array does not parse", error);
  require(again->type == array->type && again->shape == array->shape &&
              again->bytes == array->bytes,
          "a written array is another one",
          std::string(scalarTypeName(array->type)));
  return 0;
}
