// RUN: convoy-opt %s --convoy-outline-packing --split-input-file --verify-diagnostics

// expected-error @below {{expected convoy.arguments of 2 arguments, but got 1}}
func.func @unknown_argument(%x: tensor<3xf32>, %w: tensor<5xf32> {convoy.prepacked}) attributes {
    convoy.arguments = [{layout = "", name = "x", type = tensor<3xf32>, written = false}]} {
  return
}

// -----

// expected-error @below {{expected convoy.prepacked of an argument of numbers and static sizes, but got 'tensor<?xf32>'}}
func.func @dynamic_argument(%w: tensor<?xf32> {convoy.prepacked}) attributes {
    convoy.arguments = [{layout = "", name = "w", type = tensor<?xf32>, written = false}]} {
  return
}

// -----

// expected-error @below {{expected convoy.prepacked of an argument of numbers and static sizes, but got 'tensor<5xcomplex<f32>>'}}
func.func @dynamic_argument(%w: tensor<5xcomplex<f32>> {convoy.prepacked}) attributes {
    convoy.arguments = [{layout = "", name = "w", type = tensor<5xcomplex<f32>>, written = false}]} {
  return
}

// -----

// expected-error @below {{expected convoy.prepacked of an argument of numbers and static sizes, but got 'memref<5xf32>'}}
func.func @buffer(%w: memref<5xf32> {convoy.prepacked}) attributes {
    convoy.arguments = [{layout = "", name = "w", type = tensor<5xf32>, written = false}]} {
  return
}
