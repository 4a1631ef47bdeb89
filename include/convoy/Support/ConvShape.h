//===- ConvShape.h - The geometry of a convolution --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes, padding, output sizes and index maps of a convolution in its three
// directions. Plain C++: verifiers, passes, the problem parser and the runtime
// all take their geometry from here, and nothing else computes an output size.
//
// Conventions for one spatial dimension (StableHLO's names in brackets):
// i input position, k filter tap, o output position; s stride
// [window_strides], d dilation [rhs_dilation], pl/ph padding [padding], e input
// dilation [lhs_dilation]. Output o and tap k meet input i where
//
//     e*i = s*o + d*k' - pl,   k' = reverse ? K-1-k : k [window_reversal],
//
// with 0 <= i < I; all other pairs of o and k meet padding.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_CONVSHAPE_H
#define CONVOY_SUPPORT_CONVSHAPE_H

#include "convoy/Support/Layout.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace convoy {

/// What a convolution computes. The backward directions carry the geometry of
/// the forward convolution that they differentiate.
enum class Direction { Forward, BackwardData, BackwardFilter };

/// The window of one spatial dimension.
struct WindowDim {
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t padLow = 0;
  int64_t padHigh = 0;
  int64_t inputDilation = 1;
  bool reverse = false;

  bool operator==(const WindowDim &other) const = default;
};

// Sizes and extents that pass the limits of int64 are clamped to them. Of the
// shapes that `checkShape` accepts none does. Strides and dilations are
// positive and sizes not negative here: `checkShape` comes first.

/// D(n, e): extent of `size` elements that lie `dilation` apart; 0 for none.
int64_t dilatedSize(int64_t size, int64_t dilation);

/// Number of output positions: how often the dilated filter fits into the
/// dilated and padded input in steps of the stride; 0 where it does not fit or
/// the filter is empty.
int64_t outputSize(int64_t inputSize, int64_t filterSize,
                   const WindowDim &window);

/// The high padding with which the output size is `outputSize` and no position
/// stays unread: (O-1)*s + D(K,d) - D(I,e) - padLow. May be negative.
int64_t padHighFor(int64_t inputSize, int64_t filterSize, int64_t outputSize,
                   const WindowDim &window);

/// Output size of the transposed convolution of `size` positions, which is the
/// least input size of a forward convolution (without input dilation) that has
/// `size` outputs: (size-1)*s + D(K,d) - padLow - padHigh. Not below 0.
int64_t transposedSize(int64_t size, int64_t filterSize,
                       const WindowDim &forward);

/// The window of the forward convolution under a transposed one of `window`
/// whose result is larger by `outputPad` at the high end: padHigh is less by
/// it.
WindowDim withOutputPad(WindowDim window, int64_t outputPad);

/// Input position that output position `output` reads at filter tap `tap`, or
/// nothing where it meets padding or a hole of the input dilation.
std::optional<int64_t> inputPosition(int64_t output, int64_t tap,
                                     int64_t inputSize, int64_t filterSize,
                                     const WindowDim &window);

/// The window of the forward convolution of the output gradient with the
/// filter (c and f exchanged) that gives the input gradient.
///   stride e, dilation d, input dilation s, taps reversed,
///   padLow = d(K-1) - pl, padHigh = D(I,e) - D(O,s) + pl.
WindowDim backwardDataWindow(int64_t inputSize, int64_t filterSize,
                             int64_t outputSize, const WindowDim &forward);

/// The same for input and output sizes that are not known: padHigh is the
/// largest that any of them needs, d(K-1) - ph + s-1, which follows from
/// D(I,e) <= D(O,s) + s-1 + d(K-1) - pl - ph.
WindowDim backwardDataWindow(int64_t filterSize, const WindowDim &forward);

/// The window of the forward convolution of the input (n and c exchanged) with
/// the output gradient (n in the place of c) that gives the filter gradient.
///   stride d, dilation s, input dilation e,
///   padLow = pl, padHigh = d(K-1) + D(O,s) - D(I,e) - pl.
/// Never reversed: where `forward.reverse`, the result's taps come out flipped.
WindowDim backwardFilterWindow(int64_t inputSize, int64_t filterSize,
                               int64_t outputSize, const WindowDim &forward);

/// The same for sizes that are not known: padHigh is the largest that any of
/// them needs, ph, since D(O,s) + d(K-1) <= D(I,e) + pl + ph.
WindowDim backwardFilterWindow(const WindowDim &forward);

/// One phase of a convolution with input dilation e along one dimension: the
/// output positions firstOutput + outputStep*j, computed by a dense convolution
/// (one without input dilation) of the input with the filter's taps
/// firstTap + tapStep*q, counted as they lie in memory. Where the window is
/// reversed, so is the phase's, and reverses the taps of this slice.
struct WindowPhase {
  int64_t firstOutput = 0; ///< the phase, rho
  int64_t outputStep = 1;  ///< E = e / gcd(e, s)
  int64_t outputCount = 0; ///< number of positions, at least 1 where known
  int64_t firstTap = 0;    ///< k0, or its mirror image where reversed
  int64_t tapStep = 1;     ///< e / gcd(d, e)
  int64_t tapCount = 0;    ///< 0: the phase keeps the init
  WindowDim window;        ///< of the dense convolution
};

/// How many phases E a dimension has, those without output positions among
/// them.
int64_t countPhases(const WindowDim &window);

/// The most phases, of all dimensions together, that code is made for.
constexpr int64_t kMostPhases = 4096;

/// Splits one dimension into phases without input dilation: rho < E, whose taps
/// k' solve d*k' = pl - s*rho (mod e), that is k' = k0 + q*e/gcd(d, e), and
/// whose dense window has stride s/gcd(e, s), dilation d/gcd(d, e) and padLow
/// (pl - s*rho - d*k0) / e. Phases without output positions are left out.
/// `window.padHigh` of a phase with taps is the one that makes the dense
/// convolution's output size `outputCount`.
std::vector<WindowPhase> splitPhases(int64_t inputSize, int64_t filterSize,
                                     int64_t outputSize,
                                     const WindowDim &window);

/// The same for input and output sizes that are not known: all E phases,
/// without `outputCount`, which is ceil((O - firstOutput) / outputStep), and
/// with the padHigh that no size needs more of, ceil(ph/e), which follows from
/// D(O,s) + d(K-1) <= D(I,e) + pl + ph. (Only an empty input needs the rounding
/// up.)
std::vector<WindowPhase> splitPhases(int64_t filterSize,
                                     const WindowDim &window);

/// One spatial dimension of a convolution.
struct SpatialDim {
  int64_t input = 1;
  int64_t filter = 1; ///< number of taps
  int64_t output = 1;
  WindowDim window;

  bool operator==(const SpatialDim &other) const = default;
};

/// All sizes of a convolution. Channels are per group.
struct ConvShape {
  int64_t batch = 1;
  int64_t groups = 1;
  int64_t inputChannels = 1;
  int64_t outputChannels = 1;
  std::vector<SpatialDim> spatial; ///< outermost first: w, hw or dhw

  int spatialRank() const { return static_cast<int>(spatial.size()); }

  /// Size of the dimension `letter` of `operand` (channels per group).
  int64_t size(Operand operand, char letter) const;

  /// Shape of `operand` in `layout`; where the layout has no `g`, the dimension
  /// that holds the groups (see Layout::withGroups) has the total size.
  std::vector<int64_t> shape(Operand operand, const Layout &layout) const;

  /// Number of elements of `operand`, or nothing where it passes int64.
  std::optional<int64_t> elementCount(Operand operand) const;

  /// Number of terms summed into one element of the result, padding included:
  /// c*K forward, f*K for backward-data (an upper bound where strides leave
  /// taps out), n*O for backward-filter. Clamped to the maximum of int64.
  int64_t reductionLength(Direction direction) const;

  /// Multiply-add operations, padding included: n*g*c*f*O*K.
  double multiplyAdds() const;

  bool operator==(const ConvShape &other) const = default;
};

/// Checks that sizes and windows are legal: one to three spatial dimensions,
/// sizes not negative, groups, strides and dilations positive, every output
/// size the one that `outputSize` gives, and extents and element counts within
/// int64 (so that no window derived from this one overflows either). Returns
/// one sentence that names the fault and gives both values, or nothing.
std::optional<std::string> checkShape(const ConvShape &shape);

} // namespace convoy

#endif // CONVOY_SUPPORT_CONVSHAPE_H
