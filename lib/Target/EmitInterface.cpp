//===- EmitInterface.cpp - C headers and manifests of kernels ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Target/EmitInterface.h"

#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Dialect/Convoy/IR/WinogradTile.h"
#include "convoy/Support/Version.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::convoy;

SmallVector<KernelInterface>
mlir::convoy::getKernelInterfaces(Operation *module) {
  SmallVector<KernelInterface> kernels;
  for (Operation &op : module->getRegion(0).front())
    if (std::optional<KernelInterface> interface = getKernelInterface(&op))
      kernels.push_back(*interface);
  return kernels;
}

/// Element type of a tensor, or the type of a scalar.
static Type getElementType(const KernelArgument &argument) {
  return getElementTypeOrSelf(argument.type);
}

/// The C type of one element. 16-bit floats have no portable name in C, so
/// their bits are passed.
static std::string getCType(Type type) {
  if (type.isF64())
    return "double";
  if (type.isF32())
    return "float";
  if (isa<FloatType>(type))
    return ("uint" + Twine(type.getIntOrFloatBitWidth()) + "_t").str();
  return ("int" +
          Twine(
              llvm::PowerOf2Ceil(std::max(8u, type.getIntOrFloatBitWidth()))) +
          "_t")
      .str();
}

static std::string getTypeName(Type type) {
  std::string name;
  llvm::raw_string_ostream os(name);
  type.print(os);
  return name;
}

/// `input: f32[input_n][9][7][4], layout nhwc, read`
static void emitArgumentComment(const KernelInterface &kernel, unsigned number,
                                llvm::raw_ostream &os) {
  const KernelArgument &argument = kernel.arguments[number];
  os << " *   " << argument.name << ": "
     << getTypeName(getElementType(argument));
  if (auto tensor = dyn_cast<RankedTensorType>(argument.type)) {
    SmallVector<std::string> sizes = llvm::map_to_vector(
        tensor.getShape(), [](int64_t size) { return std::to_string(size); });
    for (const KernelSize &size : kernel.getSizes())
      if (size.argument == number)
        sizes[size.dim] = size.name;
    for (const std::string &size : sizes)
      os << '[' << size << ']';
    if (!argument.layout.empty())
      os << ", layout " << argument.layout;
    os << (argument.isTraced    ? ", traced"
           : argument.isWritten ? ", written"
                                : ", read");
    if (!argument.packer.empty())
      os << ", made by " << argument.packer;
  }
  os << '\n';
}

/// `const float *input, ..., void *workspace, int64_t input_n`
static void emitParameters(const KernelInterface &kernel,
                           llvm::raw_ostream &os) {
  for (const KernelArgument &argument : kernel.arguments) {
    bool isTensor = isa<RankedTensorType>(argument.type);
    if (isTensor && !argument.isWritten)
      os << "const ";
    os << getCType(getElementType(argument))
       << (isTensor ? " *CONVOY_RESTRICT " : " ") << argument.name << ", ";
  }
  os << "void *CONVOY_RESTRICT workspace";
}

static void emitSizes(ArrayRef<KernelSize> sizes, llvm::raw_ostream &os) {
  llvm::interleaveComma(sizes, os, [&](const KernelSize &size) {
    os << "int64_t " << size.name;
  });
}

/// Says what a kernel computes. Names of layers may hold what ends a comment of
/// the other kind; here, quotes behind a name keep it from going on with the
/// next line where it ends in a backslash.
static void emitProblem(const ::convoy::AnyProblem &problem,
                        llvm::raw_ostream &os) {
  if (const std::string &name = layerName(problem); !name.empty())
    os << "// Layer: \"" << name << "\"\n";
  os << "// Problem: " << toString(problem) << '\n';
}

static void emitKernel(const KernelInterface &kernel, const HeaderNotes &notes,
                       llvm::raw_ostream &os) {
  for (StringRef line : notes.lines.lookup(kernel.name))
    os << "// " << line << '\n';
  SmallVector<KernelSize> sizes = kernel.getSizes();
  os << "/* Arguments in order, row-major, aligned to their elements:\n";
  for (unsigned number = 0; number < kernel.arguments.size(); ++number)
    emitArgumentComment(kernel, number, os);
  os << " * and a workspace aligned to " << kWorkspaceAlignment << " bytes.\n"
     << " */\n";
  for (const KernelArgument &argument : kernel.arguments)
    if (!argument.packer.empty() || notes.counted.contains(kernel.name))
      os << "enum { " << kernel.getElementsConstantName(argument) << " = "
         << cast<RankedTensorType>(argument.type).getNumElements() << " };\n";
  if (kernel.workspaceBytes) {
    os << "enum { " << kernel.getSizeConstantName() << " = "
       << *kernel.workspaceBytes << " };\n";
  } else {
    os << "/* Bytes of workspace, or -1 where the sizes are wrong. */\n"
       << "int64_t " << kernel.getSizeFunctionName() << '(';
    emitSizes(sizes, os);
    os << ");\n";
  }
  os << "int " << kernel.name << '(';
  emitParameters(kernel, os);
  if (!sizes.empty()) {
    os << ", ";
    emitSizes(sizes, os);
  }
  os << ");\n\n";
}

void mlir::convoy::emitHeader(ArrayRef<KernelInterface> kernels,
                              const KernelProblems &problems,
                              const HeaderNotes &notes, StringRef guard,
                              StringRef digest, llvm::raw_ostream &os) {
  os << "/* Kernels compiled by " << ::convoy::getVersion()
     << ".\n * f16 and bf16 are passed as their bits. */\n";
  for (StringRef line : notes.opening)
    os << "// " << line << '\n';
  os << "#ifndef " << guard << "\n#define " << guard << "\n\n"
     << "#include <stdint.h>\n\n"
     << "/* How kernels are called: raised where that changes. */\n"
     << "#define " << guard << "_ABI " << ::convoy::kKernelABI << "\n"
     << "/* The SHA-256 of the file that the kernels are in. */\n"
     << "#define " << guard << "_SHA256 \"" << digest << "\"\n\n"
     << "#ifndef CONVOY_KERNEL_STATUS\n#define CONVOY_KERNEL_STATUS\n"
     << "/* What a kernel returns. */\n"
     << "enum {\n"
     << "  CONVOY_KERNEL_OK = " << int(kKernelOk) << ",\n"
     << "  CONVOY_KERNEL_NULL_POINTER = " << int(kKernelNullPointer) << ",\n"
     << "  CONVOY_KERNEL_MISALIGNED_POINTER = " << int(kKernelMisaligned)
     << ",\n"
     << "  CONVOY_KERNEL_WRONG_SIZES = " << int(kKernelWrongSizes) << "\n"
     << "};\n#endif\n\n"
     << "#ifndef CONVOY_RESTRICT\n"
     << "#define CONVOY_RESTRICT __restrict\n#endif\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  for (const KernelInterface &kernel : kernels) {
    if (auto found = problems.find(kernel.name); found != problems.end())
      emitProblem(found->second, os);
    emitKernel(kernel, notes, os);
  }
  os << "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
}

/// How often terms are rounded, type by type.
static llvm::json::Value toJSON(DictionaryAttr sums) {
  llvm::json::Array levels;
  for (NamedAttribute level : sums)
    if (auto depth = dyn_cast<IntegerAttr>(level.getValue()))
      levels.push_back(llvm::json::Object{{"type", level.getName().getValue()},
                                          {"depth", depth.getInt()}});
  llvm::json::Object object{{"levels", std::move(levels)}};
  if (ArrayRef<int64_t> tile = getWinogradTile(sums); !tile.empty())
    object["winograd"] = llvm::json::Array(tile);
  if (flushesSubnormals(sums))
    object["flushes_subnormals"] = true;
  if (roundsToOdd(sums))
    object["rounds_to_odd"] = true;
  return object;
}

static llvm::json::Value toJSON(const KernelArgument &argument) {
  llvm::json::Object object{{"name", argument.name},
                            {"type", getTypeName(getElementType(argument))},
                            {"access", argument.isWritten ? "write" : "read"}};
  if (argument.isTraced)
    object["traced"] = true;
  if (argument.sums)
    object["sum"] = toJSON(argument.sums);
  if (auto tensor = dyn_cast<RankedTensorType>(argument.type)) {
    llvm::json::Array shape;
    for (int64_t size : tensor.getShape())
      shape.push_back(ShapedType::isDynamic(size) ? llvm::json::Value(nullptr)
                                                  : llvm::json::Value(size));
    object["shape"] = std::move(shape);
    if (!argument.layout.empty())
      object["layout"] = argument.layout;
    if (!argument.packer.empty())
      object["packer"] = argument.packer;
  }
  return object;
}

/// Sizes along x, y and z.
static llvm::json::Array toJSON(ArrayRef<int64_t> sizes) {
  return llvm::json::Array(sizes);
}

/// Adds `bytes` as `name` to `object`, with what there is for each image.
static void addBytes(llvm::json::Object &object, const std::string &name,
                     const KernelBytes &bytes) {
  object[name] = bytes.fixed;
  if (bytes.ofImage != 0)
    object[name + "_of_image"] = bytes.ofImage;
}

/// A range of bytes of an argument or of the workspace.
static llvm::json::Value toJSON(const KernelInterface &kernel,
                                const KernelBinding &binding) {
  llvm::json::Object object;
  addBytes(object, "offset", binding.offset);
  addBytes(object, "bytes", binding.bytes);
  switch (binding.kind) {
  case KernelBinding::Kind::Argument:
    object["argument"] = kernel.arguments[binding.number].name;
    break;
  case KernelBinding::Kind::Constant:
    object["constant"] = binding.number;
    break;
  case KernelBinding::Kind::Workspace:
    object["workspace"] = true;
    break;
  }
  return object;
}

/// The bytes of a constant as text, two digits each.
static llvm::json::Value toJSON(ElementsAttr constant) {
  std::vector<char> bytes =
      getConstantBytes(constant).value_or(std::vector<char>());
  return llvm::json::Object{
      {"type", getTypeName(constant.getElementType())},
      {"shape", llvm::json::Array(constant.getShapedType().getShape())},
      {"data", llvm::toHex(StringRef(bytes.data(), bytes.size()),
                           /*LowerCase=*/true)}};
}

static llvm::json::Value toJSON(const KernelInterface &kernel,
                                const KernelLaunch &launch) {
  llvm::json::Array bindings;
  for (const KernelBinding &binding : launch.bindings)
    bindings.push_back(toJSON(kernel, binding));
  llvm::json::Object object{{"symbol", launch.kernel},
                            {"grid", toJSON(launch.grid)},
                            {"workgroup_size", toJSON(launch.workgroup)},
                            {"bindings", std::move(bindings)}};
  if (launch.groups)
    object["groups"] = llvm::json::Object{{"times", launch.groups->times},
                                          {"divide", launch.groups->divide}};
  if (launch.takesBatch)
    object["takes_batch"] = true;
  if (launch.groupTime) {
    object["group_seconds"] = launch.groupTime->fixed;
    if (launch.groupTime->ofImage != 0)
      object["group_seconds_of_image"] = launch.groupTime->ofImage;
  }
  return object;
}

static llvm::json::Object toJSON(const KernelInterface &kernel) {
  llvm::json::Array arguments;
  for (const KernelArgument &argument : kernel.arguments)
    arguments.push_back(toJSON(argument));
  bool isLaunched = !kernel.launches.empty();
  llvm::json::Object workspace{
      {"alignment", isLaunched ? kGPUWorkspaceAlignment : kWorkspaceAlignment}};
  if (kernel.workspaceBytes)
    addBytes(workspace, "bytes",
             {*kernel.workspaceBytes, kernel.workspaceBytesOfImage});
  else
    workspace["size_function"] = kernel.getSizeFunctionName();
  llvm::json::Array sizes;
  for (const KernelSize &size : kernel.getSizes())
    sizes.push_back(
        llvm::json::Object{{"name", size.name},
                           {"argument", kernel.arguments[size.argument].name},
                           {"dimension", size.dim}});
  llvm::json::Object entry{{"entry", kernel.name},
                           {"arguments", std::move(arguments)},
                           {"workspace", std::move(workspace)},
                           {"sizes", std::move(sizes)}};
  if (isLaunched) {
    llvm::json::Array launches;
    for (const KernelLaunch &launch : kernel.launches)
      launches.push_back(toJSON(kernel, launch));
    entry["launches"] = std::move(launches);
  }
  if (!kernel.constants.empty())
    entry["constants"] =
        llvm::json::Array(llvm::map_range(kernel.constants, [](auto value) {
          return toJSON(ElementsAttr(value));
        }));
  if (kernel.largestBatch)
    entry["largest_batch"] = *kernel.largestBatch;
  return entry;
}

llvm::json::Object mlir::convoy::makeManifest(ArrayRef<KernelInterface> kernels,
                                              const KernelProblems &problems,
                                              StringRef target,
                                              StringRef chip) {
  llvm::json::Array entries;
  for (const KernelInterface &kernel : kernels) {
    llvm::json::Object entry = ::toJSON(kernel);
    if (auto found = problems.find(kernel.name); found != problems.end()) {
      const ::convoy::AnyProblem &problem = found->second;
      entry["problem"] = toString(problem);
      if (const std::string &name = layerName(problem); !name.empty())
        entry["layer"] = name;
    }
    entries.push_back(std::move(entry));
  }
  return llvm::json::Object{{"version", ::convoy::getVersion()},
                            {"abi", ::convoy::kKernelABI},
                            {"target", target.str()},
                            {"chip", chip.str()},
                            {"kernels", std::move(entries)}};
}
