// A C program calls one kernel with several batches and images. C++ takes the
// header, too.
// RUN: rm -rf %t && mkdir %t
// RUN: convoy-compile %s -o %t/dynamic.o --header %t/dynamic.h
// RUN: %host_cc -std=c11 -Wall -Wextra -Werror -I%t %S/Inputs/dynamic_batch.c %t/dynamic.o -o %t/program
// RUN: %t/program | FileCheck %s
// RUN: %host_cc -x c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -include %t/dynamic.h /dev/null

// CHECK-COUNT-7: code 0, 0 wrong
// CHECK: refusals: 0 wrong

func.func @image(%x: tensor<?x?x?x3xf32>, %w: tensor<3x2x3x5xf32>, %init: tensor<?x?x?x5xf32>) -> tensor<?x?x?x5xf32> {
  %y = convoy.conv ins(%x, %w : tensor<?x?x?x3xf32>, tensor<3x2x3x5xf32>) outs(%init : tensor<?x?x?x5xf32>)
      layout(nhwc x hwcf -> nhwf) window(pad = [[1, 1], [0, 0]])
  return %y : tensor<?x?x?x5xf32>
}
