// convoy-opt is mlir-opt with the convoy dialect and passes.

// RUN: convoy-opt --help | FileCheck %s --check-prefix=HELP
// RUN: convoy-opt --show-dialects | FileCheck %s --check-prefix=DIALECTS
// RUN: not convoy-opt %t.absent.mlir 2>&1 | FileCheck %s --check-prefix=ABSENT

// HELP: OVERVIEW: Convoy, a convolution lowering compiler
// HELP: --convoy-conv-to-im2col
// DIALECTS: Available Dialects:{{.*}},convoy,
// ABSENT: cannot open input file
