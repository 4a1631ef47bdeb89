//===- Passes.td - Passes of an own project ----------------*- tablegen -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "mlir/Pass/PassBase.td"

def CountMultiplyAddsPass : Pass<"example-count-multiply-adds"> {
  let summary = "Say how many multiply-adds each convolution has";
  let description = [{
    Takes any IR; says in a remark for each convolution of Convoy's dialect how
    many multiply-adds it has, padding included. With `annotate`, the number is
    the op's attribute `example.multiply_adds` as well.
  }];
  let options = [
    Option<"annotate", "annotate", "bool", "false",
           "Write the numbers into the IR">,
  ];
}
