// RUN: convoy-opt %s --convoy-check-index-ranges --verify-diagnostics

func.func @bounds_of_a_map(%n: index) {
  // expected-error @below {{'affine.for' op expected a loop with values for bounds}}
  affine.for %i = 0 to %n {
    affine.yield
  }
  return
}
