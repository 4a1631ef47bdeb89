//===- BenchdnnParser.cpp - Problems in benchdnn's form -------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// oneDNN's benchdnn writes a convolution as a descriptor, in which each number
// follows the name of its field: `g1mb1_ic64ih56_oc64oh56_kh3ph1_n"conv2"`.
// Its documents knobs_desc.md and driver_conv.md describe the form.
//
//===----------------------------------------------------------------------===//

#include "ProblemParsing.h"

#include <algorithm>
#include <array>

using namespace convoy;
using namespace convoy::detail;

namespace {

/// The fields of one spatial dimension, as far as the descriptor has them.
struct DimFields {
  std::optional<int64_t> input, output, filter, stride, pad, dilation;

  /// benchdnn counts a dimension as given by any value that is not the default.
  bool isGiven() const {
    return input || output || filter || stride.value_or(1) != 1 ||
           pad.value_or(0) != 0 || dilation.value_or(0) != 0;
  }
};

/// A descriptor as it is written.
struct Descriptor {
  std::string_view text;
  std::optional<int64_t> groups, batch, inputChannels, outputChannels;
  std::array<DimFields, 3> dims; ///< d, h, w
  std::string name;
};

/// Where a field goes, and the numbers it may have.
struct Field {
  std::optional<int64_t> *value = nullptr;
  int64_t least = 0;
  int64_t most = MaxNumber;
};

} // namespace

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

static Field findSpatialField(char kind, DimFields &dim) {
  switch (kind) {
  case 'i':
    return {&dim.input};
  case 'o':
    return {&dim.output};
  case 'k':
    return {&dim.filter};
  case 's':
    return {&dim.stride, 1};
  case 'p':
    return {&dim.pad, std::numeric_limits<int64_t>::min()};
  case 'd':
    return {&dim.dilation, 0, MaxNumber - 1};
  default:
    return {};
  }
}

static Field findField(std::string_view name, Descriptor &descriptor) {
  if (name == "g")
    return {&descriptor.groups, 1};
  if (name == "mb")
    return {&descriptor.batch};
  if (name == "ic")
    return {&descriptor.inputChannels};
  if (name == "oc")
    return {&descriptor.outputChannels};
  size_t dim = name.size() == 2 ? spatialLetters(3).find(name[1]) : name.npos;
  return dim == name.npos ? Field()
                          : findSpatialField(name[0], descriptor.dims[dim]);
}

/// Reads the field at the front of `rest`: its name and its number.
static bool readField(std::string_view &rest, Descriptor &descriptor,
                      std::string &error) {
  std::string_view name = rest.substr(0, rest[0] == 'g' ? 1 : 2);
  Field field = findField(name, descriptor);
  if (!field.value)
    return fail(error,
                expectation("a field such as mb, ic, ih, oc, oh, kh, sh, "
                            "ph, dh or n\"name\"",
                            "the rest of descriptor " + quoted(descriptor.text),
                            rest));
  if (*field.value)
    return fail(error, "descriptor " + quoted(descriptor.text) + " has " +
                           quoted(name) +
                           " twice, but expected each field once");
  rest.remove_prefix(name.size());
  size_t end = std::min(
      rest.find_first_not_of("0123456789", rest.starts_with('-') ? 1 : 0),
      rest.size());
  *field.value = parseNumber(rest.substr(0, end), quoted(name), field.least,
                             field.most, error);
  rest.remove_prefix(end);
  return field.value->has_value();
}

bool detail::readName(std::string_view rest, std::string &name,
                      std::string &error) {
  std::string_view text = rest;
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    text = text.substr(1, text.size() - 2);
  bool isPlain = std::all_of(text.begin(), text.end(), [](char c) {
    return c > ' ' && c < '\x7f' && c != '"';
  });
  if (text.empty() || !isPlain)
    return fail(error, expectation("a name of printable characters without "
                                   "blanks and quotes, as in n\"conv1\",",
                                   "'n'", rest));
  name = text;
  return true;
}

static std::optional<Descriptor> readDescriptor(std::string_view text,
                                                std::string &error) {
  Descriptor descriptor;
  descriptor.text = text;
  for (std::string_view rest = text; !rest.empty();) {
    if (rest.starts_with('n')) {
      if (!readName(rest.substr(1), descriptor.name, error))
        return std::nullopt;
      break;
    }
    if (!readField(rest, descriptor, error))
      return std::nullopt;
    if (rest.starts_with('_'))
      rest.remove_prefix(1);
  }
  return descriptor;
}

//===----------------------------------------------------------------------===//
// From fields to a shape
//===----------------------------------------------------------------------===//

/// Copies a missing w from h, and missing h and w from d, as benchdnn does.
/// Returns the number of spatial dimensions, or 0 and an error.
static int completeDims(Descriptor &descriptor, std::string &error) {
  auto &[d, h, w] = descriptor.dims;
  std::string what = "descriptor " + quoted(descriptor.text);
  if (!d.isGiven() && !h.isGiven() && !w.isGiven()) {
    error = "expected spatial sizes such as ih and kh in " + what +
            ", but got none";
    return 0;
  }
  if (d.isGiven() && h.isGiven() != w.isGiven()) {
    error = "expected sizes of both h and w, or of neither, beside those of d "
            "in " +
            what + ", but got only those of " + (h.isGiven() ? "h" : "w");
    return 0;
  }
  if (d.isGiven() && !h.isGiven())
    h = d;
  if (h.isGiven() && !w.isGiven())
    w = h;
  return d.isGiven() ? 3 : h.isGiven() ? 2 : 1;
}

/// The number of field `name`, which the descriptor must have.
static bool require(const std::optional<int64_t> &value, std::string_view name,
                    const Descriptor &descriptor, std::string &error) {
  return value ||
         fail(error, "expected '" + std::string(name) + "' in descriptor " +
                         quoted(descriptor.text) + ", but it is missing");
}

/// Says that an output without positions has to be written.
static bool refuseNoPositions(std::string_view expected, char letter,
                              const Descriptor &descriptor,
                              std::string &error) {
  return fail(error, "expected " + std::string(expected) + " in dimension " +
                         letter + " of descriptor " + quoted(descriptor.text) +
                         ", but there are no output positions (write 'o" +
                         letter + "0' where that is meant)");
}

/// Makes one spatial dimension of a transposed convolution's fields, as
/// `resolveDim` does of a convolution's: what it reads is the output.
static bool resolveTransposedDim(char letter, const DimFields &fields,
                                 const Descriptor &descriptor, SpatialDim &dim,
                                 std::string &error) {
  dim.output = *fields.input;
  WindowDim &window = dim.window;
  window.padLow = window.padHigh = fields.pad.value_or(0);
  if (!fields.output) {
    dim.input = transposedSize(dim.output, dim.filter, window);
    if (dim.input == 0)
      return refuseNoPositions("padding that leaves some of the result", letter,
                               descriptor, error);
  } else {
    dim.input = *fields.output;
    if (!fields.pad)
      window.padLow = padHighFor(dim.input, dim.filter, dim.output, window) / 2;
  }
  window.padHigh = padHighFor(dim.input, dim.filter, dim.output, window);
  return true;
}

/// Makes one spatial dimension of its fields. A missing output size follows
/// from the padding (the same on both sides), a missing padding from the output
/// size (half of what is needed), and the high padding from all the others.
static bool resolveDim(char letter, const DimFields &fields,
                       const Descriptor &descriptor, bool isTransposed,
                       SpatialDim &dim, std::string &error) {
  auto name = [&](char kind) { return std::string{kind, letter}; };
  if (!require(fields.input, name('i'), descriptor, error) ||
      !require(fields.filter, name('k'), descriptor, error))
    return false;
  dim.filter = *fields.filter;
  WindowDim &window = dim.window;
  window.stride = fields.stride.value_or(1);
  window.dilation = fields.dilation.value_or(0) + 1;
  if (isTransposed)
    return resolveTransposedDim(letter, fields, descriptor, dim, error);
  dim.input = *fields.input;
  if (fields.output) {
    dim.output = *fields.output;
    int64_t padding = padHighFor(dim.input, dim.filter, dim.output, window);
    window.padLow = fields.pad.value_or(dim.output == 0 ? 0 : padding / 2);
  } else {
    window.padLow = window.padHigh = fields.pad.value_or(0);
    dim.output = outputSize(dim.input, dim.filter, window);
    if (dim.output == 0)
      return refuseNoPositions("a filter that fits into the padded input",
                               letter, descriptor, error);
  }
  window.padHigh = padHighFor(dim.input, dim.filter, dim.output, window);
  return true;
}

static bool resolveChannels(const Descriptor &descriptor, ConvShape &shape,
                            std::string &error) {
  if (!require(descriptor.inputChannels, "ic", descriptor, error) ||
      !require(descriptor.outputChannels, "oc", descriptor, error))
    return false;
  // benchdnn's own default is a batch of two.
  shape.batch = descriptor.batch.value_or(2);
  shape.groups = descriptor.groups.value_or(1);
  for (auto [name, total] : {std::pair("'ic'", *descriptor.inputChannels),
                             std::pair("'oc'", *descriptor.outputChannels)})
    if (total % shape.groups != 0)
      return fail(error,
                  expectation("a multiple of the " +
                                  std::to_string(shape.groups) + " groups",
                              name, std::to_string(total)));
  shape.inputChannels = *descriptor.inputChannels / shape.groups;
  shape.outputChannels = *descriptor.outputChannels / shape.groups;
  return true;
}

static std::optional<ConvShape>
resolveShape(Descriptor descriptor, bool isTransposed, std::string &error) {
  ConvShape shape;
  if (!resolveChannels(descriptor, shape, error))
    return std::nullopt;
  if (isTransposed)
    std::swap(shape.inputChannels, shape.outputChannels);
  int rank = completeDims(descriptor, error);
  shape.spatial.resize(rank);
  for (int i = 0; i < rank; ++i)
    if (!resolveDim(spatialLetters(rank)[i], descriptor.dims[3 - rank + i],
                    descriptor, isTransposed, shape.spatial[i], error))
      return std::nullopt;
  if (rank == 0)
    return std::nullopt;
  return shape;
}

//===----------------------------------------------------------------------===//
// Tags
//===----------------------------------------------------------------------===//

/// oneDNN's order of the dimensions of `operand`, which its tags call a, b, ….
static std::string logicalOrder(Operand operand, bool hasGroups,
                                std::string_view taps) {
  std::string order = operand == Operand::Input    ? "nc"
                      : operand == Operand::Output ? "nf"
                      : hasGroups                  ? "gfc"
                                                   : "fc";
  return order.append(taps);
}

/// The letters of a tag like `acdb`, or like `axb`, whose x stands for the
/// dimensions after the largest letter, in oneDNN's order `order`. Empty where
/// the tag names a dimension that is not there.
static std::string expandTag(std::string_view tag, std::string_view order) {
  char largest = 'b';
  for (char c : tag)
    if (c != 'x')
      largest = std::max(largest, c);
  std::string letters;
  for (char c : tag) {
    size_t index = static_cast<size_t>(c - 'a');
    if (c == 'x')
      letters +=
          order.substr(std::min<size_t>(largest - 'a' + 1, order.size()));
    else if (index < order.size())
      letters += order[index];
    else
      return "";
  }
  return letters;
}

/// The letters of a tag that names dimensions, like `nhwc` or `hwigo`.
static std::string renameTag(std::string_view tag, Operand operand) {
  std::string letters(tag);
  for (char &c : letters) {
    if (operand == Operand::Filter)
      c = c == 'o' ? 'f' : c == 'i' ? 'c' : c;
    else if (operand == Operand::Output)
      c = c == 'c' ? 'f' : c;
  }
  return letters;
}

std::optional<Layout> detail::parseTag(std::string_view tag, Operand operand,
                                       bool hasGroups, int spatialRank,
                                       std::string &error) {
  bool isAbstract =
      tag.find_first_not_of("abcdefx") == tag.npos && tag.find('a') != tag.npos;
  std::string letters =
      isAbstract ? expandTag(tag, logicalOrder(operand, hasGroups,
                                               spatialLetters(spatialRank)))
                 : renameTag(tag, operand);
  return Layout::parse(letters, operand, error);
}

/// Reads the tag of `operand` in `knob`, such as `--stag=axb`, into `layout`.
/// `any` leaves the choice to the library, here to the default.
static bool applyTag(std::string_view knob, Operand operand,
                     const Descriptor &descriptor, bool isTransposed, int rank,
                     std::string &layout, std::string &error) {
  size_t equals = knob.find('=');
  std::string_view tag = knob.substr(equals + 1);
  if (tag == "any")
    return true;
  std::string reason;
  std::optional<Layout> parsed =
      parseTag(tag, operand, descriptor.groups.has_value(), rank, reason);
  if (!parsed)
    return fail(error, expectation(operand == Operand::Filter
                                       ? "a plain tag such as hwio, abx or any"
                                       : "a plain tag such as nhwc, axb or any",
                                   quoted(knob.substr(0, equals)), tag));
  // Its own letters, and those of the convolution under a transposed one.
  auto exchange = [&](const Layout &letters) {
    return isTransposed ? letters.swapped('c', 'f').letters()
                        : letters.letters();
  };
  if (!layout.empty())
    return fail(error, "expected one layout of the " +
                           std::string(operandName(operand)) + ", but got " +
                           quoted(knob) + " beside '" +
                           exchange(Layout::fromLetters(layout)) + "'");
  layout = exchange(*parsed);
  return true;
}

//===----------------------------------------------------------------------===//
// Knobs
//===----------------------------------------------------------------------===//

/// True for words of benchdnn that say how to test, not what to compute.
static bool isHarnessKnob(std::string_view word) {
  constexpr std::array<std::string_view, 9> Prefixes = {
      "--mode=",        "--engine=",          "--alg=",
      "--impl=",        "--skip-impl=",       "--fast-ref=",
      "--memory-kind=", "--attr-scratchpad=", "-v"};
  return std::any_of(
      Prefixes.begin(), Prefixes.end(),
      [&](std::string_view prefix) { return word.starts_with(prefix); });
}

static bool isTagKnob(std::string_view word) {
  return word.starts_with("--stag=") || word.starts_with("--wtag=") ||
         word.starts_with("--dtag=");
}

/// The words after what benchdnn or a shell puts in front of a problem.
static Words withoutPrefix(const Words &words) {
  auto start = std::find(words.begin(), words.end(), "__REPRO:");
  if (start != words.end())
    return Words(start + 1, words.end());
  bool isCommand = !words.empty() && (words.front() == "benchdnn" ||
                                      words.front().ends_with("/benchdnn"));
  return Words(words.begin() + isCommand, words.end());
}

namespace {

/// The words of a line, told apart.
struct Parts {
  std::string_view descriptor;
  Words tags;
  bool isTransposed = false;
};

} // namespace

static std::optional<Parts> sortWords(const Words &words, std::string &error) {
  Parts parts;
  for (std::string_view word : withoutPrefix(words)) {
    if (isHarnessKnob(word))
      continue;
    if (word == "--conv" || word == "--deconv") {
      parts.isTransposed = word == "--deconv";
    } else if (isTagKnob(word)) {
      parts.tags.push_back(word);
    } else if (word.starts_with('-')) {
      error = "expected a flag of a problem such as --dir=BWD_D or "
              "--input-layout=nchw, but got " +
              quoted(word);
      return std::nullopt;
    } else if (!parts.descriptor.empty()) {
      error = "expected one descriptor on a line, but got " +
              quoted(parts.descriptor) + " and " + quoted(word);
      return std::nullopt;
    } else {
      parts.descriptor = word;
    }
  }
  if (!parts.descriptor.empty())
    return parts;
  error = "expected a problem such as 'mb1_ic64ih56_oc64oh56_kh3ph1' or a "
          "MIOpenDriver command line, but got none";
  return std::nullopt;
}

static bool applyTags(const Parts &parts, const Descriptor &descriptor,
                      int rank, ProblemDefaults &flags, std::string &error) {
  // A transposed convolution reads the output of the convolution under it.
  std::string &source =
      parts.isTransposed ? flags.outputLayout : flags.inputLayout;
  std::string &destination =
      parts.isTransposed ? flags.inputLayout : flags.outputLayout;
  for (std::string_view tag : parts.tags) {
    bool isSource = tag[2] == 's', isFilter = tag[2] == 'w';
    Operand operand = isSource   ? Operand::Input
                      : isFilter ? Operand::Filter
                                 : Operand::Output;
    std::string &layout = isSource   ? source
                          : isFilter ? flags.filterLayout
                                     : destination;
    if (!applyTag(tag, operand, descriptor, parts.isTransposed, rank, layout,
                  error))
      return false;
  }
  return true;
}

std::optional<ParsedLine> detail::parseBenchdnn(const Words &words,
                                                const ProblemDefaults &flags,
                                                std::string &error) {
  std::optional<Parts> parts = sortWords(words, error);
  if (!parts)
    return std::nullopt;
  std::optional<Descriptor> descriptor =
      readDescriptor(parts->descriptor, error);
  if (!descriptor)
    return std::nullopt;
  std::optional<ConvShape> shape =
      resolveShape(*descriptor, parts->isTransposed, error);
  if (!shape)
    return std::nullopt;

  ParsedLine line;
  line.flags = flags;
  line.shape = std::move(*shape);
  line.name = descriptor->name;
  line.transposed = parts->isTransposed;
  int rank = line.shape.spatialRank();
  if (!applyTags(*parts, *descriptor, rank, line.flags, error))
    return std::nullopt;
  std::string taps(spatialLetters(rank));
  line.formLayouts = {
      Layout::fromLetters("n" + taps + "c"),
      Layout::fromLetters(taps + (parts->isTransposed ? "fc" : "cf")),
      Layout::fromLetters("n" + taps + "f")};
  line.formDirections = {Direction::Forward};
  return line;
}
