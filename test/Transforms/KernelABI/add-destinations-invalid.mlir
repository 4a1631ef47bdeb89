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

// -----

// expected-error @below {{'func.func' op expected a kernel's name to be a name for C and C++, but got 'a-b'}}
func.func @"a-b"(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{'func.func' op expected a kernel's name to be a name for C and C++, but got 'template'}}
func.func @template(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// The kernel would call itself.
// expected-error @below {{'func.func' op expected a kernel's name that programs in C do not use themselves, but got 'memcpy'}}
func.func @memcpy(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{'func.func' op expected a kernel's name that programs in C do not use themselves, but got 'main'}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{'func.func' op expected convoy.name of argument 0 to be a name for C and C++, but got 'restrict'}}
func.func @keyword_argument(%x: tensor<4xf32> {convoy.name = "restrict"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{'func.func' op expected convoy.name of result 0 to be a name for C and C++, but got '2nd'}}
func.func @number_result(%x: tensor<4xf32>) -> (tensor<4xf32> {convoy.name = "2nd"}) {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{'func.func' op expected convoy.layout of argument 0 to have a letter of its own for each dimension of 'tensor<4x5xf32>', but got 'cc'}}
func.func @layout_letters(%x: tensor<4x5xf32> {convoy.layout = "cc"}) -> tensor<4x5xf32> {
  return %x : tensor<4x5xf32>
}

// -----

// expected-error @below {{'func.func' op expected argument 0 to be of f64, f32, f16, bf16, i8, i16, i32 or i64, but got 'tensor<4xindex>'}}
func.func @index_elements(%x: tensor<4xindex>) -> tensor<4xindex> {
  return %x : tensor<4xindex>
}
