// RUN: %mlir-opt %s --canonicalize | FileCheck %s --check-prefix=UPSTREAM
// RUN: %mlir-opt %s --pass-pipeline='builtin.module(canonicalize{disable-patterns={"(anonymous namespace)::InsertChainFullyInitialized","{anonymous}::InsertChainFullyInitialized"}})' | FileCheck %s --check-prefix=KEPT
// RUN: convoy-opt - --dump-pass-pipeline --convoy-to-llvm-pipeline < /dev/null -o /dev/null 2>&1 | FileCheck %s --check-prefix=NAMES

// Upstream takes a vector that is put together row by row apart into its elements,
// some hundred for a register tile. Our pipelines leave out the pattern that does
// so, by a name that upstream has not promised: this fails when it has another.

// UPSTREAM: vector.from_elements
// KEPT-NOT: vector.from_elements
// KEPT: vector.insert {{.*}} : vector<4xf32> into vector<2x4xf32>
// KEPT-NOT: vector.from_elements
// NAMES: canonicalize{{.*}}disable-patterns={{.*}}(anonymous namespace)::InsertChainFullyInitialized
func.func @rows(%a: vector<4xf32>, %b: vector<4xf32>) -> vector<2x4xf32> {
  %empty = ub.poison : vector<2x4xf32>
  %one = vector.insert %a, %empty[0] : vector<4xf32> into vector<2x4xf32>
  %both = vector.insert %b, %one[1] : vector<4xf32> into vector<2x4xf32>
  return %both : vector<2x4xf32>
}
