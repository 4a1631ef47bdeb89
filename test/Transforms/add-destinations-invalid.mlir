// RUN: convoy-opt %s --convoy-add-destinations --split-input-file --verify-diagnostics

// expected-error @below {{'func.func' op expected argument 1 to be a ranked tensor or a number, but got 'memref<4xf32>'}}
func.func @memref(%x: f32, %y: memref<4xf32>) {
  return
}

// -----

// expected-error @below {{'func.func' op expected result 0 to be a ranked tensor, but got 'f32'}}
func.func @scalar_result(%x: f32) -> f32 {
  return %x : f32
}

// -----

// expected-error @below {{'func.func' op expected a kernel of one block}}
func.func @blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^exit
^exit:
  return %x : tensor<4xf32>
}
