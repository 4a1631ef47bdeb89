// Upstream's conv-to-img2col, of convolutions with channels last and first, as
// a schedule of the transform dialect runs it.
// PIPELINE: builtin.module(transform-interpreter,canonicalize,cse)

module attributes {transform.with_named_sequence} {
  func.func @channels_last(%x: tensor<2x9x8x3xf32>, %w: tensor<3x2x3x5xf32>, %init: tensor<2x4x7x5xf32>) -> tensor<2x4x7x5xf32> {
    %y = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
        ins(%x, %w : tensor<2x9x8x3xf32>, tensor<3x2x3x5xf32>)
        outs(%init : tensor<2x4x7x5xf32>) -> tensor<2x4x7x5xf32>
    return %y : tensor<2x4x7x5xf32>
  }
  func.func @channels_first(%x: tensor<2x3x9x8xf32>, %w: tensor<5x3x3x2xf32>, %init: tensor<2x5x7x7xf32>) -> tensor<2x5x7x7xf32> {
    %y = linalg.conv_2d_nchw_fchw
        ins(%x, %w : tensor<2x3x9x8xf32>, tensor<5x3x3x2xf32>)
        outs(%init : tensor<2x5x7x7xf32>) -> tensor<2x5x7x7xf32>
    return %y : tensor<2x5x7x7xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %convs = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %convs : !transform.any_op {
    ^bb0(%conv: !transform.any_op):
      %columns, %product = transform.structured.convert_conv2d_to_img2col %conv : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }
    transform.yield
  }
}
