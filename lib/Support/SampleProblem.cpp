//===- SampleProblem.cpp - Samples of an image as one line ----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/SampleProblem.h"

#include "ProblemKind.h"

#include <algorithm>
#include <array>
#include <utility>

using namespace convoy;
using namespace convoy::detail;

static constexpr ProblemKind Kind = {"--grid-sample", "samples",
                                     "--alg=linear or --padding-mode=border",
                                     "mb1_ic3ih9iw7_oh5ow4"};

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static constexpr std::array<std::string_view, 3> ModeNames = {
    "linear", "nearest", "cubic"};
static constexpr std::array<std::string_view, 3> PaddingNames = {
    "zeros", "border", "reflection"};

std::string_view convoy::sampleModeName(SampleMode mode) {
  return ModeNames[static_cast<size_t>(mode)];
}

std::string_view convoy::samplePaddingName(SamplePadding padding) {
  return PaddingNames[static_cast<size_t>(padding)];
}

/// PyTorch's names, and ONNX's before opset 20, for two dimensions.
static std::string_view withoutPrefix(std::string_view mode) {
  if (mode == "bilinear" || mode == "bicubic")
    mode.remove_prefix(2);
  return mode;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static std::vector<int64_t> getShape(const Layout &layout, int64_t batch,
                                     int64_t channels,
                                     const std::vector<int64_t> &spatial) {
  std::vector<int64_t> shape;
  std::string_view letters = spatialLetters(static_cast<int>(spatial.size()));
  for (char letter : layout.letters())
    shape.push_back(letter == 'n'   ? batch
                    : letter == 'c' ? channels
                                    : spatial[letters.find(letter)]);
  return shape;
}

std::vector<int64_t> SampleProblem::imageShape() const {
  return getShape(imageLayout, batch, channels, image);
}

std::vector<int64_t> SampleProblem::gridShape() const {
  return getShape(gridLayout, batch, spatialRank(), samples);
}

std::vector<int64_t> SampleProblem::sampleShape() const {
  return getShape(sampleLayout, batch, channels, samples);
}

//===----------------------------------------------------------------------===//
// The descriptor
//===----------------------------------------------------------------------===//

namespace {
/// A descriptor as it is written: `mb1_ic3ih9iw7_oh5ow4`.
struct Descriptor {
  std::string_view text;
  std::optional<int64_t> batch, channels;
  std::array<std::optional<int64_t>, 3> image, samples; ///< d, h, w
  std::string name;
};

/// What a line says, before defaults apply.
struct SampleLine {
  SampleProblem problem;
  ProblemDefaults flags;
  std::string gridLayout;
  std::string descriptor;
};
} // namespace

static std::optional<int64_t> *findField(std::string_view name,
                                         Descriptor &descriptor) {
  if (name == "mb")
    return &descriptor.batch;
  if (name == "ic")
    return &descriptor.channels;
  size_t dim = name.size() == 2 ? spatialLetters(3).find(name[1]) : name.npos;
  if (dim == name.npos || (name[0] != 'i' && name[0] != 'o'))
    return nullptr;
  return name[0] == 'i' ? &descriptor.image[dim] : &descriptor.samples[dim];
}

static bool readField(std::string_view &rest, Descriptor &descriptor,
                      std::string &error) {
  std::string_view name = rest.substr(0, 2);
  std::optional<int64_t> *field = findField(name, descriptor);
  if (!field)
    return fail(error,
                expectation("a field such as mb, ic, ih, iw, oh, ow or "
                            "n\"name\"",
                            "the rest of descriptor " + quoted(descriptor.text),
                            rest));
  if (*field)
    return fail(error, "descriptor " + quoted(descriptor.text) + " has " +
                           quoted(name) +
                           " twice, but expected each field once");
  rest.remove_prefix(name.size());
  size_t end = std::min(rest.find_first_not_of("0123456789"), rest.size());
  *field = parseNumber(rest.substr(0, end), quoted(name), 0, MaxNumber, error);
  rest.remove_prefix(end);
  return field->has_value();
}

static bool readDescriptor(std::string_view text, Descriptor &descriptor,
                           std::string &error) {
  descriptor.text = text;
  for (std::string_view rest = text; !rest.empty();) {
    if (rest.starts_with('n'))
      return readName(rest.substr(1), descriptor.name, error);
    if (!readField(rest, descriptor, error))
      return false;
    if (rest.starts_with('_'))
      rest.remove_prefix(1);
  }
  return true;
}

/// Copies a missing w from h, and missing h and w from d.
static void completeSizes(std::array<std::optional<int64_t>, 3> &sizes) {
  auto &[d, h, w] = sizes;
  if (d && !h && !w)
    h = d;
  if (h && !w)
    w = h;
}

/// The spatial sizes of images and samples.
static bool resolveSizes(Descriptor descriptor, SampleProblem &problem,
                         std::string &error) {
  // What f32 can count.
  constexpr int64_t MaxSize = 1 << 24;
  completeSizes(descriptor.image);
  completeSizes(descriptor.samples);
  int rank = descriptor.image[0] || descriptor.samples[0] ? 3 : 2;
  for (int dim = 3 - rank; dim < 3; ++dim) {
    char letter = spatialLetters(3)[dim];
    for (auto [prefix, size] : {std::pair('i', descriptor.image[dim]),
                                std::pair('o', descriptor.samples[dim])})
      if (!size)
        return fail(error, std::string("expected '") + prefix + letter +
                               "' in descriptor " + quoted(descriptor.text) +
                               ", but it is missing");
    int64_t size = *descriptor.image[dim];
    if (size < 1 || size > MaxSize)
      return fail(error,
                  expectation("a size from 1 to " + std::to_string(MaxSize),
                              std::string("'i") + letter + "'",
                              std::to_string(size)));
    problem.image.push_back(size);
    problem.samples.push_back(*descriptor.samples[dim]);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// Reads the value of a flag that names one of `names` into `value`.
template <typename Enum>
static bool readEnum(std::string_view word, std::string_view value,
                     const std::array<std::string_view, 3> &names, Enum &read,
                     std::string &error) {
  auto found = std::find(names.begin(), names.end(), value);
  if (found == names.end())
    return fail(error,
                expectation(std::string(names[0]) + ", " +
                                std::string(names[1]) + " or " +
                                std::string(names[2]),
                            quoted(word.substr(0, word.find('='))), value));
  read = static_cast<Enum>(found - names.begin());
  return true;
}

static FlagStatus readFlag(std::string_view word, SampleLine &line,
                           std::string &error) {
  auto valueOf = [&](std::string_view flag) -> std::optional<std::string_view> {
    if (word.starts_with(flag))
      return word.substr(flag.size());
    return std::nullopt;
  };
  auto statusOf = [](bool isRight) {
    return isRight ? FlagStatus::Accepted : FlagStatus::Rejected;
  };
  if (word == "--align-corners") {
    line.problem.alignCorners = true;
    return FlagStatus::Accepted;
  }
  if (auto mode = valueOf("--alg="))
    return statusOf(readEnum(word, withoutPrefix(*mode), ModeNames,
                             line.problem.mode, error));
  if (auto padding = valueOf("--padding-mode="))
    return statusOf(
        readEnum(word, *padding, PaddingNames, line.problem.padding, error));
  if (auto layout = valueOf("--grid-layout=")) {
    line.gridLayout = *layout;
    return FlagStatus::Accepted;
  }
  if (auto type = valueOf("--grid-type=")) {
    line.problem.gridType = parseElementType(*type).value_or(ElementType::I8);
    return statusOf(
        checkSampledType("'--grid-type'", line.problem.gridType, *type, error));
  }
  return FlagStatus::NotAFlag;
}

//===----------------------------------------------------------------------===//
// From words to a problem
//===----------------------------------------------------------------------===//

/// Checks that no flag is given that is for convolutions alone.
static bool checkFlags(ProblemDefaults flags, std::string &error) {
  if (flags.bias || flags.offsetGradient || flags.maskGradient)
    return fail(error, std::string("expected FWD_D, BWD_D, BWD_W or all for "
                                   "'--dir' of samples, which have no ") +
                           (flags.bias ? "bias" : "offset and mask"));
  flags.directions.reset();
  std::string_view given = findConvolutionFlag(flags);
  return given.empty() || Kind.refuse(given, error);
}

/// The layout that `word` is, or the default one, for as many spatial
/// dimensions as the problem has.
static bool readLayout(std::string_view what, const std::string &word, int rank,
                       Layout &layout, std::string &error) {
  std::string letters = "n";
  letters.append(spatialLetters(rank)).append("c");
  layout = Layout::fromLetters(word.empty() ? letters : word);
  return std::is_permutation(letters.begin(), letters.end(),
                             layout.letters().begin(),
                             layout.letters().end()) ||
         fail(error,
              expectation("the letters " + letters,
                          "the layout of the " + std::string(what), word));
}

/// Reads all of a line but its directions into `line`.
static bool readProblem(std::string_view text, const ProblemDefaults &defaults,
                        SampleLine &line, std::string &error) {
  Descriptor descriptor;
  SampleProblem &problem = line.problem;
  auto readOwn = [&](std::string_view word) {
    return readFlag(word, line, error);
  };
  if (!Kind.readLine(text, line.flags, line.descriptor, readOwn, error) ||
      !readDescriptor(line.descriptor, descriptor, error) ||
      !resolveSizes(descriptor, problem, error) ||
      !checkFlags(line.flags, error) || !checkFlags(defaults, error))
    return false;
  if (!descriptor.channels)
    return fail(error, "expected 'ic' in descriptor " +
                           quoted(descriptor.text) + ", but it is missing");
  auto chooseLayout = [](const std::string &own, const std::string &common) {
    return own.empty() ? common : own;
  };
  problem.type =
      line.flags.type.value_or(defaults.type.value_or(ElementType::F32));
  problem.name = descriptor.name;
  problem.channels = *descriptor.channels;
  // benchdnn's own default is a batch of two.
  problem.batch = descriptor.batch.value_or(2);
  int64_t batch = line.flags.batch.value_or(defaults.batch.value_or(0));
  if (batch != 0)
    problem.batch = batch;
  std::string output =
      chooseLayout(line.flags.outputLayout, defaults.outputLayout);
  // The flag has the letters of convolutions.
  if (!output.empty())
    output = Layout::fromLetters(output).swapped('f', 'c').letters();
  int rank = problem.spatialRank();
  if (!checkSampledType("'--type' of samples", problem.type,
                        elementTypeName(problem.type), error) ||
      !readLayout("images",
                  chooseLayout(line.flags.inputLayout, defaults.inputLayout),
                  rank, problem.imageLayout, error) ||
      !readLayout("grid", line.gridLayout, rank, problem.gridLayout, error) ||
      !readLayout("samples", output, rank, problem.sampleLayout, error) ||
      !checkElements(
          {problem.imageShape(), problem.gridShape(), problem.sampleShape()},
          error))
    return false;
  return problem.mode != SampleMode::Cubic || rank == 2 ||
         fail(error, "expected two spatial dimensions for '--alg=cubic'");
}

std::optional<std::vector<SampleProblem>>
convoy::parseSampleProblems(std::string_view text,
                            const ProblemDefaults &defaults,
                            std::string &error) {
  SampleLine line;
  if (!readProblem(text, defaults, line, error))
    return std::nullopt;
  std::vector<SampleProblem> problems;
  for (Direction direction : line.flags.directions.value_or(
           defaults.directions.value_or(std::vector{Direction::Forward}))) {
    problems.push_back(line.problem);
    problems.back().direction = direction;
  }
  return problems;
}

bool convoy::isSampleProblem(std::string_view line) { return Kind.isOf(line); }

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

std::string convoy::toString(const SampleProblem &problem) {
  std::string text(Kind.driver);
  text.append(" --dir=").append(directionName(problem.direction));
  text.append(" --alg=").append(sampleModeName(problem.mode));
  text.append(" --padding-mode=").append(samplePaddingName(problem.padding));
  if (problem.alignCorners)
    text += " --align-corners";
  text.append(" --type=").append(elementTypeName(problem.type));
  text.append(" --grid-type=").append(elementTypeName(problem.gridType));
  text +=
      " --input-layout=" + problem.imageLayout.letters() +
      " --grid-layout=" + problem.gridLayout.letters() +
      " --output-layout=" + problem.sampleLayout.swapped('c', 'f').letters();
  text += " mb" + std::to_string(problem.batch) + "_ic" +
          std::to_string(problem.channels);
  std::string_view letters = spatialLetters(problem.spatialRank());
  for (size_t dim = 0; dim < letters.size(); ++dim)
    text.append({'i', letters[dim]}).append(std::to_string(problem.image[dim]));
  text += "_";
  for (size_t dim = 0; dim < letters.size(); ++dim)
    text.append({'o', letters[dim]})
        .append(std::to_string(problem.samples[dim]));
  if (!problem.name.empty())
    text += "_n\"" + problem.name + "\"";
  return text;
}
