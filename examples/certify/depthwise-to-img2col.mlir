// Upstream's conv-to-img2col of depthwise convolutions: right for one image. For
// more, LLVM 22.1 makes a product whose operands do not fit together.
// PIPELINE: builtin.module(transform-interpreter)

module attributes {transform.with_named_sequence} {
  func.func @one_image(%x: tensor<1x9x8x3xf32>, %w: tensor<3x2x3xf32>, %init: tensor<1x7x7x3xf32>) -> tensor<1x7x7x3xf32> {
    %y = linalg.depthwise_conv_2d_nhwc_hwc
        ins(%x, %w : tensor<1x9x8x3xf32>, tensor<3x2x3xf32>)
        outs(%init : tensor<1x7x7x3xf32>) -> tensor<1x7x7x3xf32>
    return %y : tensor<1x7x7x3xf32>
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
