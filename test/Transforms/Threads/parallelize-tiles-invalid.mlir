// RUN: convoy-opt %s --convoy-parallelize-tiles=threads=2 --split-input-file --verify-diagnostics

func.func @overlap(%x: f32, %init: tensor<14xf32>) -> tensor<14xf32> {
  // expected-error @below {{expected iterations to write slices of their own, but those of loop 0 are 2 apart and 3 long}}
  %r = scf.forall (%i) = (0) to (12) step (2) shared_outs(%t = %init) -> (tensor<14xf32>) {
    %s = tensor.extract_slice %t[%i] [3] [1] : tensor<14xf32> to tensor<3xf32>
    %u = linalg.fill ins(%x : f32) outs(%s : tensor<3xf32>) -> tensor<3xf32>
    scf.forall.in_parallel {
      // expected-note @below {{written here}}
      tensor.parallel_insert_slice %u into %t[%i] [3] [1] : tensor<3xf32> into tensor<14xf32>
    }
  }
  return %r : tensor<14xf32>
}

// -----

// A loop of one iteration has nothing to share, unlike the one beside it.
func.func @same_slice(%x: f32, %init: tensor<14xf32>, %start: index) -> tensor<14xf32> {
  // expected-error @below {{expected iterations to write slices of their own, but the slices are the same for all of loop 1}}
  %r = scf.forall (%i, %j) in (1, 3) shared_outs(%t = %init) -> (tensor<14xf32>) {
    %s = tensor.extract_slice %t[%start] [2] [1] : tensor<14xf32> to tensor<2xf32>
    %u = linalg.fill ins(%x : f32) outs(%s : tensor<2xf32>) -> tensor<2xf32>
    scf.forall.in_parallel {
      // expected-note @below {{written here}}
      tensor.parallel_insert_slice %u into %t[%start] [2] [1] : tensor<2xf32> into tensor<14xf32>
    }
  }
  return %r : tensor<14xf32>
}

// -----

// What is no whole step along one dimension may be one along another.
func.func @diagonal(%x: f32, %init: tensor<9x8xf32>) -> tensor<9x8xf32> {
  %r = scf.forall (%i) = (0) to (8) step (2) shared_outs(%t = %init) -> (tensor<9x8xf32>) {
    %s = tensor.extract_slice %t[%i, %i] [3, 2] [1, 1] : tensor<9x8xf32> to tensor<3x2xf32>
    %u = linalg.fill ins(%x : f32) outs(%s : tensor<3x2xf32>) -> tensor<3x2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %t[%i, %i] [3, 2] [1, 1] : tensor<3x2xf32> into tensor<9x8xf32>
    }
  }
  return %r : tensor<9x8xf32>
}
