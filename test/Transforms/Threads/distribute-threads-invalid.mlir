// RUN: convoy-opt %s --convoy-distribute-threads=threads=2 --verify-diagnostics

func.func @tensors(%x: tensor<1xf32>, %init: tensor<5xf32>) -> tensor<5xf32> {
  // expected-error @below {{'scf.forall' op expected a loop on buffers, but it gives tensors}}
  %r = scf.forall (%i) in (5) shared_outs(%t = %init) -> (tensor<5xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %t[%i] [1] [1] : tensor<1xf32> into tensor<5xf32>
    }
  }
  return %r : tensor<5xf32>
}
