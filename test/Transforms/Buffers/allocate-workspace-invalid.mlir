// RUN: convoy-opt %s --convoy-allocate-workspace --split-input-file --verify-diagnostics

func.func @in_a_loop(%n: index) attributes {convoy.arguments = []} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below {{'memref.alloc' op expected an allocation outside of loops}}
    %buffer = memref.alloc() : memref<7xf32>
    memref.dealloc %buffer : memref<7xf32>
  }
  return
}

// -----

func.func @gaps() attributes {convoy.arguments = []} {
  // expected-error @below {{'memref.alloc' op expected a buffer without gaps, but got 'memref<5x3xf32, strided<[4, 1]>>'}}
  %buffer = memref.alloc() : memref<5x3xf32, strided<[4, 1]>>
  return
}

// -----

func.func @kernel(%x: memref<4xf32>) attributes {convoy.arguments = [
    {layout = "", name = "x", type = tensor<4xf32>, written = true}]} {
  return
}
// expected-error @below {{'func.func' op expected another name, since 'kernel_workspace_size' tells the size of the workspace of 'kernel'}}
func.func @kernel_workspace_size(%x: memref<4xf32>) {
  return
}

// -----

func.func @kernel(%x: memref<4xf32>) attributes {convoy.arguments = [
    {layout = "", name = "x", packer = "kernel_pack_x", type = tensor<4xf32>, written = false}]} {
  return
}
// expected-error @below {{'func.func' op expected another name, since 'kernel_x_elements' tells the size of the packed 'x' of 'kernel'}}
func.func @kernel_x_elements(%x: memref<4xf32>) {
  return
}
