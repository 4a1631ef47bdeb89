//===- ProblemErrorTest.cpp - Tests of problems that are wrong ------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/Problem.h"

#include <gtest/gtest.h>

using namespace convoy;

namespace {

/// A line, and the whole sentence that refuses it.
struct WrongLine {
  const char *line;
  const char *error;
};

void PrintTo(const WrongLine &wrong, std::ostream *os) {
  *os << testing::PrintToString(wrong.line);
}

const WrongLine WrongFlags[] = {
    {"--dir=BWD_D",
     "expected a problem such as 'mb1_ic64ih56_oc64oh56_kh3ph1' or a "
     "MIOpenDriver command line, but got none"},
    {"--dir=FWD mb1ic1iw1oc1kw1",
     "expected FWD_D, FWD_I, FWD_B, BWD_D, BWD_W or all for '--dir', "
     "but got 'FWD'"},
    {"--dir= mb1ic1iw1oc1kw1",
     "expected FWD_D, FWD_I, FWD_B, BWD_D, BWD_W or all for '--dir', "
     "but got ''"},
    {"--dir=BWD_WB mb1ic1iw1oc1kw1",
     "'--dir=BWD_WB' also asks for the gradient of a bias, but "
     "expected BWD_W, the gradient of the filter alone"},
    {"--dir=FWD_B,FWD_D mb1ic1iw1oc1kw1",
     "expected each direction once for '--dir', but got 'FWD_B,FWD_D'"},
    {"--type=f8 mb1ic1iw1oc1kw1",
     "expected f64, f32, f16, bf16 or i8 for '--type', but got 'f8'"},
    {"--dt=f32:f32:f64 mb1ic1iw1oc1kw1",
     "expected f64, f32, f16, bf16, or types of two operands and of their "
     "result, as f16:f16:f32 and u8:s8:s32, for '--dt', but got 'f32:f32:f64'"},
    {"--dt=u8:f32:u8 mb1ic1iw1oc1kw1",
     "expected f64, f32, f16, bf16, or types of two operands and of their "
     "result, as f16:f16:f32 and u8:s8:s32, for '--dt', but got 'u8:f32:u8'"},
    {"--cfg=f32_wino mb1ic1iw1oc1kw1",
     "expected f64, f32, f16, bf16bf16bf16, or types of two operands and of "
     "their result, as bf16bf16f32 and u8s8s32, for '--cfg', but got "
     "'f32_wino'"},
    {"--mb=-1 mb1ic1iw1oc1kw1",
     "expected a 64-bit number of at least 0 for '--mb', but got '-1'"},
    {"--dynamic=nn mb1ic1iw1oc1kw1",
     "expected letters of ngcfdhw, each once, for '--dynamic', but got 'nn'"},
    {"--dynamic=nk mb1ic1iw1oc1kw1",
     "expected letters of ngcfdhw, each once, for '--dynamic', but got 'nk'"},
    {"--dynamic=nh mb1ic1iw1oc1kw1",
     "expected a dimension of the problem for '--dynamic=h', but it has no "
     "'h'"},
    {"--dynamic=g mb1ic1iw1oc1kw1",
     "expected a dimension of the problem for '--dynamic=g', but it has no "
     "'g'"},
    {"--dynamic=c --input-layout=nwgc g2mb1ic2iw1oc2kw1",
     "expected a 'g' in the layout of the filter for '--dynamic=c', but got "
     "'wcf'"},
    {"--dir=FWD_B --dynamic=f --input-layout=nwgc --filter-layout=gwcf "
     "--output-layout=nwgf g2mb1ic2iw1oc2kw1",
     "expected no bias for '--dynamic=f' of a convolution in groups, but got "
     "one"},
    {"--signs=s8 --type=i8 mb1ic1iw1oc1kw1",
     "expected s8:s8, u8:s8, s8:u8 or u8:u8 for '--signs', but got "
     "'s8'"},
    {"--signs=s8:i8 --type=i8 mb1ic1iw1oc1kw1",
     "expected s8:s8, u8:s8, s8:u8 or u8:u8 for '--signs', but got "
     "'s8:i8'"},
    {"--signs=s8:s8 mb1ic1iw1oc1kw1",
     "expected i8 for the type of a problem with signs or zero points, "
     "but got 'f32'"},
    {"--zero-points=1:1 mb1ic1iw1oc1kw1",
     "expected i8 for the type of a problem with signs or zero points, "
     "but got 'f32'"},
    {"--zero-points=5 --type=i8 mb1ic1iw1oc1kw1",
     "expected two numbers, input and filter as in 128:0, for "
     "'--zero-points', but got '5'"},
    {"--zero-points=0:256 --type=i8 mb1ic1iw1oc1kw1",
     "expected a number from -128 to 255 for the filter's zero point, "
     "but got '256'"},
    {"--zero-points=128:0 --type=i8 mb1ic1iw1oc1kw1",
     "expected a number from -128 to 127 for the zero point of the "
     "input, which is s8, but got '128'"},
    {"--zero-points=0:-1 --signs=s8:u8 --type=i8 mb1ic1iw1oc1kw1",
     "expected a number from 0 to 255 for the zero point of the "
     "filter, which is u8, but got '-1'"},
    {"--input-layout=nhwf mb1ic1iw1oc1kw1",
     "input layout 'nhwf' has 'f', but expected letters of 'ncgdhw'"},
    {"--input-layout=nhwc mb1ic1iw1oc1kw1",
     "input layout 'nhwc' has 2 spatial dimensions, but expected 1 as "
     "in the problem"},
    {"--filter-layout=hw mb1ic1iw1oc1kw1",
     "filter layout 'hw' lacks 'f', but expected the letters 'fc' and "
     "one of 'w', 'hw' or 'dhw' in any order"},
    {"--output-layout=nfww mb1ic1iw1oc1kw1",
     "output layout 'nfww' has 'w' twice, but expected each letter "
     "once"},
    {"--input-layout= ic1iw1oc1kw1",
     "input layout '' lacks 'n', but expected the letters 'nc' and one "
     "of 'w', 'hw' or 'dhw' in any order"},
};

const WrongLine WrongDescriptors[] = {
    {"", "expected a problem such as 'mb1_ic64ih56_oc64oh56_kh3ph1' or a "
         "MIOpenDriver command line, but got none"},
    {"--stag=nChw16c mb1ic1ih1oc1kh1",
     "expected a plain tag such as nhwc, axb or any for '--stag', but "
     "got 'nChw16c'"},
    {"--wtag=OIhw16i16o mb1ic1ih1oc1kh1",
     "expected a plain tag such as hwio, abx or any for '--wtag', but "
     "got 'OIhw16i16o'"},
    {"--wtag=goihw mb1ic1iw1oc1kw1",
     "filter layout 'gfchw' has 2 spatial dimensions, but expected 1 "
     "as in the problem"},
    {"--stag=axb --input-layout=nwc mb1ic1iw1oc1kw1",
     "expected one layout of the input, but got '--stag=axb' beside "
     "'nwc'"},
    {"mb1ic1iw1oc1kw1 mb1ic1iw1oc1kw1",
     "expected one descriptor on a line, but got 'mb1ic1iw1oc1kw1' and "
     "'mb1ic1iw1oc1kw1'"},
    {"mb1ic1iw1oc1kw1x",
     "expected a field such as mb, ic, ih, oc, oh, kh, sh, ph, dh or "
     "n\"name\" for the rest of descriptor 'mb1ic1iw1oc1kw1x', but got "
     "'x'"},
    {"mb1ic1iw1oc1kz1",
     "expected a field such as mb, ic, ih, oc, oh, kh, sh, ph, dh or "
     "n\"name\" for the rest of descriptor 'mb1ic1iw1oc1kz1', but got "
     "'kz1'"},
    {"resnet50",
     "expected a field such as mb, ic, ih, oc, oh, kh, sh, ph, dh or "
     "n\"name\" for the rest of descriptor 'resnet50', but got "
     "'resnet50'"},
    {"mb1ic1iw1oc1kw",
     "expected a 64-bit number of at least 0 for 'kw', but got ''"},
    {"mb1ic1iw1oc1kw-1",
     "expected a 64-bit number of at least 0 for 'kw', but got '-1'"},
    {"mb1ic1iw1oc1kw1sw0",
     "expected a 64-bit number of at least 1 for 'sw', but got '0'"},
    {"mb1ic1iw1oc1kw1dw-1",
     "expected a number from 0 to 9223372036854775806 for 'dw', but "
     "got '-1'"},
    {"mb1ic1iw99999999999999999999oc1kw1",
     "expected a 64-bit number of at least 0 for 'iw', but got "
     "'99999999999999999999'"},
    {"mb1ic1iw1oc1kw1dw9223372036854775807",
     "expected a number from 0 to 9223372036854775806 for 'dw', but "
     "got '9223372036854775807'"},
    {"g0ic1iw1oc1kw1",
     "expected a 64-bit number of at least 1 for 'g', but got '0'"},
    {"g2ic3iw1oc2kw1",
     "expected a multiple of the 2 groups for 'ic', but got '3'"},
    {"g2ic2iw1oc3kw1",
     "expected a multiple of the 2 groups for 'oc', but got '3'"},
    {"ic1iw1kw1", "expected 'oc' in descriptor 'ic1iw1kw1', but it is missing"},
    {"iw1oc1kw1", "expected 'ic' in descriptor 'iw1oc1kw1', but it is missing"},
    {"ic1iw1oc1", "expected 'kw' in descriptor 'ic1iw1oc1', but it is missing"},
    {"ic1oc1kw1", "expected 'iw' in descriptor 'ic1oc1kw1', but it is missing"},
    {"ic1oc1",
     "expected spatial sizes such as ih and kh in descriptor 'ic1oc1', "
     "but got none"},
    {"ic1ih5iw5oc1kh3",
     "expected 'kw' in descriptor 'ic1ih5iw5oc1kh3', but it is missing"},
    {"ic1id5iw5oc1kd3kw3",
     "expected sizes of both h and w, or of neither, beside those of d "
     "in descriptor 'ic1id5iw5oc1kd3kw3', but got only those of w"},
    {"ic1iw1oc1iw2kw1",
     "descriptor 'ic1iw1oc1iw2kw1' has 'iw' twice, but expected each "
     "field once"},
    {"ic1ih4oc1kh5",
     "expected a filter that fits into the padded input in dimension h "
     "of descriptor 'ic1ih4oc1kh5', but there are no output positions "
     "(write 'oh0' where that is meant)"},
    {"ic1iw4oc1ow2kw0",
     "expected an output size of dimension w of 0 from input 4, filter "
     "0, stride 1, dilation 1, padding -1 and -2, but got 2"},
    {"mb9223372036854775807ic9iw1oc1kw1",
     "expected an element count of the input within 64 bits, but its "
     "sizes multiply to more"},
    {"ic1iw9223372036854775807oc1kw3pw1",
     "expected extents of dimension w within 64 bits, but got input "
     "9223372036854775807, filter 3, stride 1, dilation 1, padding 1 "
     "and 1"},
    {"ic1iw4oc1kw1n",
     "expected a name of printable characters without blanks and "
     "quotes, as in n\"conv1\", for 'n', but got ''"},
    {"ic1iw4oc1kw1n\"a",
     "expected a name of printable characters without blanks and "
     "quotes, as in n\"conv1\", for 'n', but got '\"a'"},
    {"ic1iw4oc1kw1n\"a b\"",
     "expected one descriptor on a line, but got 'ic1iw4oc1kw1n\"a' "
     "and 'b\"'"},
    {"ic1iw1oc1kw1pw--1", "expected a 64-bit number for 'pw', but got '-'"},
    {"ic1iw1oc1kw1pwx", "expected a 64-bit number for 'pw', but got ''"},
    {"ic1i", "expected a field such as mb, ic, ih, oc, oh, kh, sh, ph, dh or "
             "n\"name\" for the rest of descriptor 'ic1i', but got 'i'"},
    {"ic1iw1oc1kw1\001\377",
     "expected a field such as mb, ic, ih, oc, oh, kh, sh, ph, dh or "
     "n\"name\" for the rest of descriptor 'ic1iw1oc1kw1\\x01\\xff', "
     "but got '\\x01\\xff'"},
    {"ic1iw1oc1kw1pw-9223372036854775808",
     "expected a filter that fits into the padded input in dimension w "
     "of descriptor 'ic1iw1oc1kw1pw-9223372036854775808', but there "
     "are no output positions (write 'ow0' where that is meant)"},
    {"ic1iw1oc1kw1ow5pw-9223372036854775808",
     "expected extents of dimension w within 64 bits, but got input 1, "
     "filter 1, stride 1, dilation 1, padding -9223372036854775808 and "
     "9223372036854775807"},
};

const WrongLine WrongCommands[] = {
    {"--batch=inputs/conv mb1ic1iw1oc1kw1",
     "expected a flag of a problem such as --dir=BWD_D or "
     "--input-layout=nchw, but got '--batch=inputs/conv'"},
    {"--deconv --dir=FWD_B mb1ic1iw1oc1kw1",
     "expected a bias in forward convolutions only, but got one in a "
     "transposed convolution"},
    {"--deconv ic4iw2oc6kw3pw9",
     "expected padding that leaves some of the result in dimension w of "
     "descriptor 'ic4iw2oc6kw3pw9', but there are no output positions (write "
     "'ow0' where that is meant)"},
    {"--deconv --stag=nchw --stag=nhwc mb1ic1ih1oc1kh1",
     "expected one layout of the input, but got '--stag=nhwc' beside 'nchw'"},
    {"./bin/MIOpenDriver", "expected conv, convfp16, convbfp16 or convint8 for "
                           "MIOpenDriver's command, but got ''"},
    {"./bin/MIOpenDriver pool -n 1",
     "expected conv, convfp16, convbfp16 or convint8 for "
     "MIOpenDriver's command, but got 'pool'"},
    {"convfp8 -n 1", "expected conv, convfp16, convbfp16 or convint8 for "
                     "MIOpenDriver's command, but got 'convfp8'"},
    {"conv -n", "expected a value after '-n', but the line ends"},
    {"conv -n 0",
     "expected a 64-bit number of at least 1 for '-n', but got '0'"},
    {"conv -n 1x",
     "expected a 64-bit number of at least 1 for '-n', but got '1x'"},
    {"conv -c 9223372036854775808",
     "expected a 64-bit number of at least 1 for '-c', but got "
     "'9223372036854775808'"},
    {"conv 7", "expected an option of MIOpenDriver's conv, but got '7'"},
    {"conv --batch 7",
     "expected an option of MIOpenDriver's conv, but got '--batch'"},
    {"conv -nn 7", "expected an option of MIOpenDriver's conv, but got '-nn'"},
    {"conv -h", "expected an option of MIOpenDriver's conv, but got '-h'"},
    {"conv --in_h=7",
     "expected an option of MIOpenDriver's conv, but got '--in_h=7'"},
    {"conv -_ 1", "expected a number from 2 to 3 for '-_', but got '1'"},
    {"conv -F 8", "expected a number from 0 to 7 for '-F', but got '8'"},
    {"conv -m fused", "expected conv or trans for '-m', but got 'fused'"},
    {"conv -b 1",
     "expected a bias in forward convolutions only, but got one in a "
     "backward direction"},
    {"conv -m trans -F 1 -b 1",
     "expected a bias in forward convolutions only, but got one in a "
     "transposed convolution"},
    {"conv -r 1", "expected 0 for '-r', but got '1'"},
    {"conv -U fp8", "expected -1 for '-U', but got 'fp8'"},
    {"conv -Z 1", "expected 0 for '-Z', but got '1'"},
    {"conv -L 4", "expected 1 for '-L', but got '4'"},
    {"conv -I NCHWc4",
     "expected a layout such as NHWC for '-I', but got 'NCHWc4'"},
    {"conv -I NHWC -_ 3",
     "input layout 'nhwc' has 2 spatial dimensions, but expected 3 as "
     "in the problem"},
    {"conv -I NHWC --input-layout=nhwc",
     "expected one layout of the input, but got '-I' beside 'nhwc'"},
    {"conv -F 1 --dir=BWD_D",
     "expected one choice of directions, but got both '-F' and '--dir'"},
    {"convfp16 --type=bf16",
     "expected f16 for the type beside 'convfp16', but got 'bf16'"},
    {"conv -g 2 -c 3",
     "expected a multiple of the 2 groups for '-c', but got '3'"},
    {"conv -g 3 -c 3 -k 32",
     "expected a multiple of the 3 groups for '-k', but got '32'"},
    {"conv -y 40",
     "expected a filter that fits into the padded input in dimension "
     "h, but there are no output positions"},
    {"conv -m trans -Y 1",
     "expected a number below the stride 1 for '-Y', but got '1'"},
    {"conv -m trans -H 1 -y 1 -p 1",
     "expected a filter that fits into the padded input in dimension "
     "h, but there are no output positions"},
    {"conv -z half",
     "expected default, same or valid for '-z', but got 'half'"},
    {"conv -z same -l 2",
     "expected default, since the driver pads only plain convolutions "
     "by mode, for '-z', but got 'same'"},
    {"conv -u 0",
     "expected a 64-bit number of at least 1 for '-u', but got '0'"},
    {"conv -p -1",
     "expected a 64-bit number of at least 0 for '-p', but got '-1'"},
    {"--dir=FWD_B conv -m trans",
     "expected a bias in forward convolutions only, but got one in a "
     "transposed convolution"},
};

class ProblemErrorTest : public testing::TestWithParam<WrongLine> {};

TEST_P(ProblemErrorTest, NamesTheFault) {
  std::string error;
  EXPECT_FALSE(parseProblems(GetParam().line, {}, error));
  EXPECT_EQ(error, GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(Flags, ProblemErrorTest,
                         testing::ValuesIn(WrongFlags));
INSTANTIATE_TEST_SUITE_P(Descriptors, ProblemErrorTest,
                         testing::ValuesIn(WrongDescriptors));
INSTANTIATE_TEST_SUITE_P(Commands, ProblemErrorTest,
                         testing::ValuesIn(WrongCommands));

TEST(ProblemFileErrorTest, NamesTheLine) {
  std::string error;
  EXPECT_FALSE(
      parseProblemFile("# layers\n\nic1iw1oc1kw1\nic1iw1oc1\n", {}, error));
  EXPECT_EQ(error, "line 4: expected 'kw' in descriptor 'ic1iw1oc1', but it is "
                   "missing");
}

TEST(ProblemFileErrorTest, ShortensLongWords) {
  std::string error;
  EXPECT_FALSE(parseProblems("--dir=" + std::string(1000, 'x'), {}, error));
  EXPECT_EQ(error, "expected FWD_D, FWD_I, FWD_B, BWD_D, BWD_W or all for "
                   "'--dir', but got '" +
                       std::string(80, 'x') + "...'");
}

TEST(ProblemFileErrorTest, RejectsFlagsOfTheCommandLine) {
  ProblemDefaults defaults;
  std::string error;
  EXPECT_EQ(parseProblemFlag("--type=f8", defaults, error),
            FlagStatus::Rejected);
  EXPECT_EQ(error, "expected f64, f32, f16, bf16 or i8 for '--type', but got "
                   "'f8'");
}

} // namespace
