//===- MIOpenParser.cpp - Problems as MIOpenDriver command lines ----------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MIOpen logs each convolution as a command line of its driver:
// `./bin/MIOpenDriver convfp16 -n 16 -c 64 -H 28 -W 28 -k 128 … -m conv -g 1 -F
// 1`. Options and defaults are those of the driver's conv_driver.hpp; the sizes
// of a transposed convolution are those of MIOpen's convolution.cpp.
//
//===----------------------------------------------------------------------===//

#include "ProblemParsing.h"

#include <algorithm>
#include <array>

using namespace convoy;
using namespace convoy::detail;

namespace {

enum class Role {
  Number,  ///< of the problem, with a least value
  Word,    ///< of the problem: layouts, modes
  Fixed,   ///< changes the mathematics: only the default is taken
  Harness, ///< says how to run, not what to compute
};

struct Option {
  char letter;
  std::string_view name;
  std::string_view fallback;
  Role role = Role::Harness;
  int64_t least = 0;
  int64_t most = MaxNumber;
};

constexpr Option Options[] = {
    {'n', "batchsize", "100", Role::Number, 1},
    {'c', "in_channels", "3", Role::Number, 1},
    {'!', "in_d", "32", Role::Number, 1},
    {'H', "in_h", "32", Role::Number, 1},
    {'W', "in_w", "32", Role::Number, 1},
    {'k', "out_channels", "32", Role::Number, 1},
    {'@', "fil_d", "3", Role::Number, 1},
    {'y', "fil_h", "3", Role::Number, 1},
    {'x', "fil_w", "3", Role::Number, 1},
    {'#', "conv_stride_d", "1", Role::Number, 1},
    {'u', "conv_stride_h", "1", Role::Number, 1},
    {'v', "conv_stride_w", "1", Role::Number, 1},
    {'$', "pad_d", "0", Role::Number, 0},
    {'p', "pad_h", "0", Role::Number, 0},
    {'q', "pad_w", "0", Role::Number, 0},
    {'^', "dilation_d", "1", Role::Number, 1},
    {'l', "dilation_h", "1", Role::Number, 1},
    {'j', "dilation_w", "1", Role::Number, 1},
    {'%', "trans_output_pad_d", "0", Role::Number, 0},
    {'Y', "trans_output_pad_h", "0", Role::Number, 0},
    {'X', "trans_output_pad_w", "0", Role::Number, 0},
    {'g', "group_count", "1", Role::Number, 1},
    {'_', "spatial_dim", "2", Role::Number, 2, 3},
    {'F', "forw", "0", Role::Number, 0, 7},
    {'b', "bias", "0", Role::Number, 0, 1},
    {'m', "mode", "conv", Role::Word},
    {'z', "pad_mode", "default", Role::Word},
    {'I', "in_layout", "", Role::Word},
    {'f', "fil_layout", "", Role::Word},
    {'O', "out_layout", "", Role::Word},
    {'r', "pad_val", "0", Role::Fixed},
    {'Z', "tensor_vect", "0", Role::Fixed},
    {'L', "vector_length", "1", Role::Fixed},
    {'U', "in_cast_type", "-1", Role::Fixed},
    {'T', "out_cast_type", "-1", Role::Fixed},
    {'R', "wei_cast_type", "-1", Role::Fixed},
    {'i', "iter", ""},
    {'V', "verify", ""},
    {'C', "verification_cache", ""},
    {'t', "time", ""},
    {'w', "wall", ""},
    {'s', "search", ""},
    {'P', "printconv", ""},
    {'o', "dump_output", ""},
    {'d', "in_data", ""},
    {'e', "weights", ""},
    {'a', "in_bias", ""},
    {'D', "dout_data", ""},
    {'S', "solution", ""},
    {'G', "gpualloc", ""},
};

/// The letters of one spatial dimension's options.
struct DimOptions {
  char input, filter, stride, pad, dilation, outputPad;
};

/// d, h, w
constexpr std::array<DimOptions, 3> Dims = {{{'!', '@', '#', '$', '^', '%'},
                                             {'H', 'y', 'u', 'p', 'l', 'Y'},
                                             {'W', 'x', 'v', 'q', 'j', 'X'}}};

/// The options of a command line, by letter.
class OptionValues {
public:
  /// Reads options with their values. Of an option that stands twice the later
  /// value holds, as in the driver.
  bool read(const Words &words, std::string &error);

  bool isGiven(char letter) const { return at(letter).isGiven; }
  std::string_view word(char letter) const { return at(letter).text; }

  /// The value of a number that `read` has found well formed.
  int64_t number(char letter) const { return at(letter).number; }

  /// The option as written on the line, or its letter, in quotes.
  std::string spelling(char letter) const {
    return quoted(at(letter).spelling);
  }

private:
  struct Value {
    std::string spelling;
    std::string_view text;
    int64_t number = 0;
    bool isGiven = false;
  };

  static size_t index(char letter) {
    return std::find_if(std::begin(Options), std::end(Options),
                        [&](const Option &o) { return o.letter == letter; }) -
           std::begin(Options);
  }
  const Value &at(char letter) const { return values[index(letter)]; }
  bool check(const Option &option, Value &value, std::string &error);

  std::array<Value, std::size(Options)> values;
};

} // namespace

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static const Option *findOption(std::string_view word) {
  for (const Option &option : Options) {
    bool isShort =
        word.size() == 2 && word[0] == '-' && word[1] == option.letter;
    bool isLong = word.starts_with("--") && word.substr(2) == option.name;
    if (isShort || isLong)
      return &option;
  }
  return nullptr;
}

bool OptionValues::read(const Words &words, std::string &error) {
  for (const Option &option : Options) {
    Value &value = values[&option - Options];
    value.spelling = {'-', option.letter};
    value.text = option.fallback;
  }
  for (size_t i = 0; i < words.size(); i += 2) {
    const Option *option = findOption(words[i]);
    if (!option)
      return fail(error, "expected an option of MIOpenDriver's conv, but got " +
                             quoted(words[i]));
    if (i + 1 == words.size())
      return fail(error, "expected a value after " + quoted(words[i]) +
                             ", but the line ends");
    Value &value = values[option - Options];
    value.spelling = words[i];
    value.text = words[i + 1];
    value.isGiven = true;
  }
  for (const Option &option : Options)
    if (!check(option, values[&option - Options], error))
      return false;
  return true;
}

bool OptionValues::check(const Option &option, Value &value,
                         std::string &error) {
  std::string what = quoted(value.spelling);
  if (option.role == Role::Fixed && value.text != option.fallback)
    return fail(error, expectation(option.fallback, what, value.text));
  if (option.role != Role::Number)
    return true;
  std::optional<int64_t> number =
      parseNumber(value.text, what, option.least, option.most, error);
  value.number = number.value_or(0);
  return number.has_value();
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

static bool isOne(int64_t value) { return value == 1; }

/// Sets both paddings of each dimension: those of the options, or what the
/// driver makes of the padding modes `same` and `valid`.
static bool applyPadding(const OptionValues &options, ConvShape &shape,
                         bool isTransposed, std::string &error) {
  std::string_view mode = options.word('z');
  if (mode != "default" && mode != "same" && mode != "valid")
    return fail(error, expectation("default, same or valid",
                                   options.spelling('z'), mode));
  auto allDims = [&](auto property) {
    return std::all_of(shape.spatial.begin(), shape.spatial.end(), property);
  };
  bool isDense =
      allDims(
          [](const SpatialDim &dim) { return isOne(dim.window.dilation); }) ||
      allDims([](const SpatialDim &dim) { return isOne(dim.filter); });
  if (mode != "default" && (isTransposed || !isDense))
    return fail(error, expectation("default, since the driver pads only plain "
                                   "convolutions by mode,",
                                   options.spelling('z'), mode));
  int rank = shape.spatialRank();
  for (int i = 0; i < rank; ++i) {
    SpatialDim &dim = shape.spatial[i];
    int64_t pad = options.number(Dims[3 - rank + i].pad);
    if (mode == "same") {
      int64_t rest = dim.input % dim.window.stride;
      pad = std::max<int64_t>(
                dim.filter - (rest == 0 ? dim.window.stride : rest), 0) /
            2;
    } else if (mode == "valid") {
      pad = 0;
    }
    dim.window.padLow = dim.window.padHigh = pad;
  }
  return true;
}

/// Turns a dimension, in which `input` is what the transposed convolution
/// reads, into the forward convolution under it, which has that as its output.
static bool transposeDim(SpatialDim &dim, char outputPadLetter,
                         const OptionValues &options, std::string &error) {
  int64_t outputPad = options.number(outputPadLetter);
  if (outputPad >= dim.window.stride)
    return fail(error, expectation("a number below the stride " +
                                       std::to_string(dim.window.stride),
                                   options.spelling(outputPadLetter),
                                   options.word(outputPadLetter)));
  dim.window.padHigh -= outputPad;
  dim.output = dim.input;
  dim.input = transposedSize(dim.output, dim.filter, dim.window);
  return true;
}

static bool resolveDims(const OptionValues &options, ConvShape &shape,
                        bool isTransposed, std::string &error) {
  int rank = shape.spatialRank();
  for (int i = 0; i < rank; ++i) {
    const DimOptions &letters = Dims[3 - rank + i];
    SpatialDim &dim = shape.spatial[i];
    dim.input = options.number(letters.input);
    dim.filter = options.number(letters.filter);
    dim.window.stride = options.number(letters.stride);
    dim.window.dilation = options.number(letters.dilation);
  }
  if (!applyPadding(options, shape, isTransposed, error))
    return false;
  for (int i = 0; i < rank; ++i) {
    SpatialDim &dim = shape.spatial[i];
    if (isTransposed &&
        !transposeDim(dim, Dims[3 - rank + i].outputPad, options, error))
      return false;
    if (!isTransposed)
      dim.output = outputSize(dim.input, dim.filter, dim.window);
    if (dim.input == 0 || dim.output == 0)
      return fail(error, "expected a filter that fits into the padded input in "
                         "dimension " +
                             std::string(1, spatialLetters(rank)[i]) +
                             ", but there are no output positions");
    dim.window.padHigh =
        padHighFor(dim.input, dim.filter, dim.output, dim.window);
  }
  return true;
}

static bool resolveShape(const OptionValues &options, ConvShape &shape,
                         bool isTransposed, std::string &error) {
  shape.batch = options.number('n');
  shape.groups = options.number('g');
  for (char letter : {'c', 'k'})
    if (options.number(letter) % shape.groups != 0)
      return fail(error,
                  expectation("a multiple of the " +
                                  std::to_string(shape.groups) + " groups",
                              options.spelling(letter), options.word(letter)));
  shape.inputChannels = options.number('c') / shape.groups;
  shape.outputChannels = options.number('k') / shape.groups;
  if (isTransposed)
    std::swap(shape.inputChannels, shape.outputChannels);
  shape.spatial.resize(options.number('_'));
  return resolveDims(options, shape, isTransposed, error);
}

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

/// Reads MIOpen's layout of a tensor, or one in our own letters, as the layout
/// of `operand`. MIOpen calls the outer channels of a filter N, and the
/// channels of each tensor C.
static bool applyLayout(const OptionValues &options, char letter,
                        Operand operand, std::string &layout,
                        std::string &error) {
  if (!options.isGiven(letter))
    return true;
  if (!layout.empty())
    return fail(error, "expected one layout of the " +
                           std::string(operandName(operand)) + ", but got " +
                           options.spelling(letter) + " beside '" + layout +
                           "'");
  std::string_view word = options.word(letter);
  std::string letters(word);
  for (char &c : letters)
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (letters.find_first_not_of("ncdhw") == letters.npos)
    for (char &c : letters) {
      if (operand == Operand::Filter && c == 'n')
        c = 'f';
      else if (operand == Operand::Output && c == 'c')
        c = 'f';
    }
  std::string reason;
  if (!Layout::parse(letters, operand, reason))
    return fail(error, expectation("a layout such as NHWC",
                                   options.spelling(letter), word));
  layout = letters;
  return true;
}

static bool applyLayouts(const OptionValues &options, ParsedLine &line,
                         std::string &error) {
  // A transposed convolution reads the output of the convolution under it.
  char reads = line.transposed ? 'O' : 'I',
       writes = line.transposed ? 'I' : 'O';
  ProblemDefaults &flags = line.flags;
  return applyLayout(options, reads, Operand::Input, flags.inputLayout,
                     error) &&
         applyLayout(options, 'f', Operand::Filter, flags.filterLayout,
                     error) &&
         applyLayout(options, writes, Operand::Output, flags.outputLayout,
                     error);
}

static bool applyCommand(std::string_view command, ProblemDefaults &flags,
                         std::string &error) {
  constexpr std::array<std::pair<std::string_view, std::optional<ElementType>>,
                       4>
      Commands = {{{"conv", std::nullopt},
                   {"convfp16", ElementType::F16},
                   {"convbfp16", ElementType::BF16},
                   {"convint8", ElementType::I8}}};
  for (const auto &[name, type] : Commands) {
    if (command != name)
      continue;
    if (type && flags.type.value_or(*type) != *type)
      return fail(error, expectation(elementTypeName(*type),
                                     "the type beside " + quoted(command),
                                     elementTypeName(*flags.type)));
    if (type)
      flags.type = type;
    return true;
  }
  return fail(error, expectation("conv, convfp16, convbfp16 or convint8",
                                 "MIOpenDriver's command", command));
}

static bool applyDirections(const OptionValues &options, ProblemDefaults &flags,
                            std::string &error) {
  if (!options.isGiven('F'))
    return true;
  if (flags.directions)
    return fail(error, "expected one choice of directions, but got both " +
                           options.spelling('F') + " and '--dir'");
  int64_t bits = options.number('F');
  flags.directions.emplace();
  for (auto [bit, direction] :
       {std::pair(1, Direction::Forward), std::pair(2, Direction::BackwardData),
        std::pair(4, Direction::BackwardFilter)})
    if (bits == 0 || (bits & bit))
      flags.directions->push_back(direction);
  return true;
}

std::optional<Words> detail::findMIOpenCommand(const Words &words) {
  auto isDriver = [](std::string_view word) {
    std::string_view name = word.substr(word.find_last_of("/\\") + 1);
    return name == "MIOpenDriver" || name == "MIOpenDriver.exe";
  };
  auto driver = std::find_if(words.begin(), words.end(), isDriver);
  if (driver != words.end())
    return Words(driver + 1, words.end());
  if (!words.empty() && words.front().starts_with("conv"))
    return words;
  return std::nullopt;
}

std::optional<ParsedLine> detail::parseMIOpen(const Words &words,
                                              const ProblemDefaults &flags,
                                              std::string &error) {
  ParsedLine line;
  line.flags = flags;
  std::string_view command = words.empty() ? "" : words.front();
  if (!applyCommand(command, line.flags, error))
    return std::nullopt;

  OptionValues options;
  if (!options.read(Words(words.begin() + 1, words.end()), error))
    return std::nullopt;
  std::string_view mode = options.word('m');
  if (mode != "conv" && mode != "trans") {
    error = expectation("conv or trans", options.spelling('m'), mode);
    return std::nullopt;
  }
  line.transposed = mode == "trans";
  line.bias = options.number('b') == 1;
  if (!resolveShape(options, line.shape, line.transposed, error) ||
      !applyDirections(options, line.flags, error) ||
      !applyLayouts(options, line, error))
    return std::nullopt;

  std::string taps(spatialLetters(line.shape.spatialRank()));
  line.formLayouts = {Layout::fromLetters("nc" + taps),
                      Layout::fromLetters("fc" + taps),
                      Layout::fromLetters("nf" + taps)};
  line.formDirections = {Direction::Forward, Direction::BackwardData,
                         Direction::BackwardFilter};
  return line;
}
