//===- Bindings.cpp - The module convoy._native -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// python/convoy/_native.pyi has the types of what is here. Python's lock is
// released while anything is compiled, proved or run.
//
//===----------------------------------------------------------------------===//

#include "Bindings.h"
#include "DiffPage.h"
#include "Error.h"
#include "Function.h"
#include "IRModule.h"
#include "Kernel.h"
#include "Library.h"
#include "Network.h"
#include "Problems.h"

#include "convoy/Driver/KernelSymbols.h"
#include "convoy/Driver/ToolOptions.h"
#include "convoy/Support/MemoryPlan.h"
#include "convoy/Support/Version.h"
#include "convoy/Target/CPUTarget.h"
#include "convoy/Target/SharedObject.h"
#include "convoy/Transforms/Threads/Passes.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>

namespace nb = nanobind;
using namespace convoy;
using namespace convoy::python;
using mlir::convoy::CheckResult;

static void bindProblem(nb::module_ &module) {
  nb::class_<Argument>(module, "Argument")
      .def_ro("name", &Argument::name)
      .def_ro("layout", &Argument::layout)
      .def_ro("written", &Argument::isWritten)
      .def_prop_ro("type",
                   [](const Argument &argument) {
                     return std::string(scalarTypeName(argument.type));
                   })
      .def_prop_ro("shape", [](const Argument &argument) {
        return nb::tuple(nb::cast(argument.shape));
      });
  nb::class_<AnyProblem>(module, "Problem")
      .def(
          "__init__",
          [](AnyProblem *self, const std::string &text,
             const std::vector<std::string> &flags) {
            new (self) AnyProblem(parseProblem(text, flags));
          },
          nb::arg("text"), nb::arg("flags"))
      .def_prop_ro("arguments", &describeArguments)
      .def(
          "generate",
          [](const AnyProblem &problem, const std::string &data, uint64_t seed,
             const Addresses &addresses) {
            withoutLock([&] { generate(problem, data, seed, addresses); });
          },
          nb::arg("data"), nb::arg("seed"), nb::arg("addresses"))
      .def(
          "reference",
          [](const AnyProblem &problem, const Addresses &addresses) {
            withoutLock([&] { computeReference(problem, addresses); });
          },
          nb::arg("addresses"))
      .def("__str__",
           [](const AnyProblem &problem) { return toString(problem); });
}

/// What `Member` of the report is.
template <auto Member>
static auto getReported(const CheckResult &result) {
  return result.report.*Member;
}

/// What `Member` of the report's worst element is.
template <auto Member>
static auto getWorst(const CheckResult &result) {
  return result.report.worst.*Member;
}

static std::string getVerdict(const CheckResult &result) {
  // Where there are faults, nothing was compared.
  return std::string(verdictName(result.faults.empty() ? result.report.verdict()
                                                       : Verdict::Wrong));
}

static void bindCheckResult(nb::module_ &module) {
  nb::class_<CheckResult>(module, "CheckResult")
      .def_prop_ro("elements", &getReported<&CompareReport::elements>)
      .def_prop_ro("exact", &getReported<&CompareReport::exact>)
      .def_prop_ro("suspicious", &getReported<&CompareReport::suspicious>)
      .def_prop_ro("wrong", &getReported<&CompareReport::wrong>)
      .def_prop_ro("worst_ratio", &getReported<&CompareReport::worstRatio>)
      .def_prop_ro("max_error", &getReported<&CompareReport::maxError>)
      .def_prop_ro("max_ulp", &getReported<&CompareReport::maxUlp>)
      .def_prop_ro("worst_value", &getWorst<&ElementCheck::actual>)
      .def_prop_ro("worst_expected", &getWorst<&ElementCheck::expected>)
      .def_prop_ro("worst_bound", &getWorst<&ElementCheck::bound>)
      .def_prop_ro("worst_place",
                   [](const CheckResult &result) {
                     return result.report.worstPlace.text;
                   })
      .def_prop_ro("worst_index",
                   [](const CheckResult &result) {
                     return nb::tuple(nb::cast(result.report.worstPlace.index));
                   })
      .def_ro("faults", &CheckResult::faults)
      .def_ro("seconds", &CheckResult::seconds)
      .def_prop_ro("passed", &CheckResult::passed)
      .def_prop_ro("verdict", &getVerdict)
      .def(
          "copy_results",
          [](const CheckResult &result, const Addresses &addresses) {
            for (auto [array, address] :
                 llvm::zip_equal(result.results, addresses))
              std::copy(array.bytes.begin(), array.bytes.end(),
                        reinterpret_cast<std::byte *>(address));
          },
          nb::arg("addresses"))
      .def("__str__",
           [](const CheckResult &result) { return toString(result.report); });
}

static void bindKernelCertificate(nb::module_ &module) {
  nb::class_<KernelCertificate>(module, "KernelCertificate")
      .def_prop_ro("verdict",
                   [](const KernelCertificate &certificate) {
                     return mlir::convoy::getWord(certificate.verdict).str();
                   })
      .def_ro("text", &KernelCertificate::text)
      .def_ro("changes", &KernelCertificate::numChanges)
      .def_ro("seconds", &KernelCertificate::seconds);
}

static void bindKernel(nb::module_ &module) {
  using python::Kernel;
  nb::class_<Kernel>(module, "Kernel")
      .def(
          "__init__",
          [](Kernel *self, const AnyProblem &problem, const std::string &target,
             const std::string &cpu, int threads,
             const std::optional<std::string> &tile,
             const std::string &precision, const std::string &algorithm,
             const std::string &triple, const std::vector<std::string> &ranges,
             const std::vector<std::string> &calibrations) {
            construct(self, problem,
                      KernelSettings{target, cpu, threads, tile, precision,
                                     algorithm, triple, ranges, calibrations});
          },
          nb::arg("problem"), nb::arg("target"), nb::arg("cpu"),
          nb::arg("threads"), nb::arg("tile").none(), nb::arg("precision"),
          nb::arg("algorithm"), nb::arg("triple"), nb::arg("ranges"),
          nb::arg("calibrations"))
      .def_prop_ro("target", &Kernel::getTarget)
      .def_prop_ro("triple", &Kernel::getTriple)
      .def_prop_ro("warnings", &Kernel::getWarnings)
      .def_prop_ro("remarks", &Kernel::getRemarks)
      .def_prop_ro("code_bytes", &Kernel::getCodeBytes)
      .def_prop_ro("workspace_bytes", &Kernel::getWorkspaceBytes)
      .def(
          "launch",
          [](Kernel &kernel, const Addresses &addresses) {
            withoutLock([&] { kernel.launch(addresses); });
          },
          nb::arg("addresses"))
      .def(
          "check",
          [](Kernel &kernel, const std::string &data, uint64_t seed) {
            return withoutLock([&] { return kernel.check(data, seed); });
          },
          nb::arg("data"), nb::arg("seed"))
      .def("certify",
           [](const Kernel &kernel) {
             return withoutLock([&] { return kernel.certify(); });
           })
      .def(
          "save",
          [](const Kernel &kernel, const std::string &output,
             const std::string &header, const std::string &manifest,
             const std::optional<std::string> &emit,
             const std::optional<std::string> &name, bool certify, bool deep) {
            withoutLock([&] {
              kernel.save(
                  {output, header, manifest, emit, name, certify, deep});
            });
          },
          nb::arg("output"), nb::arg("header"), nb::arg("manifest"),
          nb::arg("emit").none(), nb::arg("name").none(), nb::arg("certify"),
          nb::arg("deep"));
}

/// What a function is, and what a call takes.
static nb::class_<Function> describeFunction(nb::module_ &module) {
  nb::class_<FunctionKernel>(module, "FunctionKernel")
      .def_ro("name", &FunctionKernel::name)
      .def_ro("arguments", &FunctionKernel::arguments)
      .def_ro("packers", &FunctionKernel::packers)
      .def_ro("workspace_bytes", &FunctionKernel::workspaceBytes);
  nb::class_<Function> function(module, "Function");
  function
      .def(
          "__init__",
          [](Function *self, const std::string &text, const std::string &file,
             const std::string &name, const std::string &target,
             const std::string &cpu, int threads, bool packed,
             const std::string &algorithm) {
            construct(self, text, file, name,
                      FunctionOptions{target, cpu, threads, packed, algorithm});
          },
          nb::arg("text"), nb::arg("file"), nb::arg("name"), nb::arg("target"),
          nb::arg("cpu"), nb::arg("threads"), nb::arg("packed"),
          nb::arg("algorithm"))
      .def_prop_ro("name", &Function::getName)
      .def_prop_ro("warnings", &Function::getWarnings)
      .def_prop_ro("remarks", &Function::getRemarks)
      .def_prop_ro("code_bytes", &Function::getCodeBytes)
      .def_prop_ro("kernels", &Function::getKernels)
      .def_prop_ro("arguments", &Function::getArguments);
  return function;
}

static void bindFunction(nb::module_ &module) {
  describeFunction(module)
      .def(
          "find_result_sizes",
          [](Function &function, const Sizes &sizes) {
            return withoutLock([&] { return function.findResultSizes(sizes); });
          },
          nb::arg("sizes"))
      .def(
          "launch",
          [](Function &function, size_t kernel, const Addresses &addresses,
             const Sizes &sizes) {
            withoutLock([&] { function.launch(kernel, addresses, sizes); });
          },
          nb::arg("kernel"), nb::arg("addresses"), nb::arg("sizes"))
      .def(
          "generate",
          [](Function &function, const std::string &data, uint64_t seed,
             const Addresses &addresses, const Sizes &sizes) {
            withoutLock(
                [&] { function.generate(data, seed, addresses, sizes); });
          },
          nb::arg("data"), nb::arg("seed"), nb::arg("addresses"),
          nb::arg("sizes"))
      .def(
          "check",
          [](Function &function, const Addresses &addresses, const Sizes &sizes,
             Meaning &meaning) {
            return withoutLock(
                [&] { return function.check(addresses, sizes, meaning); });
          },
          nb::arg("addresses"), nb::arg("sizes"), nb::arg("meaning"));
  nb::class_<Meaning>(module, "Meaning")
      .def(
          "__init__",
          [](Meaning *self, Function &function, const Addresses &addresses,
             const Sizes &sizes, bool unsignedBytes) {
            construct(self, function, addresses, sizes, unsignedBytes);
          },
          nb::arg("function"), nb::arg("addresses"), nb::arg("sizes"),
          nb::arg("unsigned_bytes"), nb::keep_alive<1, 2>())
      .def(
          "compare",
          [](Meaning &meaning, const Addresses &addresses) {
            return withoutLock([&] { return meaning.compare(addresses); });
          },
          nb::arg("addresses"));
}

static void bindLibrary(nb::module_ &module) {
  nb::class_<Library>(module, "Library")
      .def(
          "__init__",
          [](Library *self, const std::string &path, const std::string &sha256,
             const std::string &triple,
             const std::vector<std::string> &features) {
            construct(self, path, sha256, triple, features);
          },
          nb::arg("path"), nb::arg("sha256"), nb::arg("triple"),
          nb::arg("features"))
      .def("add", &Library::add, nb::arg("name"), nb::arg("workspace_bytes"))
      .def(
          "launch",
          [](Library &library, const std::string &name,
             const Addresses &addresses, const std::vector<size_t> &sizes) {
            withoutLock([&] { library.launch(name, addresses, sizes); });
          },
          nb::arg("name"), nb::arg("addresses"), nb::arg("sizes"));
}

static void bindNetwork(nb::module_ &module) {
  module.def(
      "save_network",
      [](const std::string &text, const std::string &name,
         const std::map<std::string, std::pair<uintptr_t, size_t>> &constants,
         const std::string &model, const std::string &cpu,
         const std::string &triple, int threads, const std::string &algorithm,
         const std::string &output, const std::string &header,
         const std::string &manifest,
         const std::map<std::string, nb::bytes> &others) {
        std::map<std::string, std::string> contents;
        for (const auto &[path, bytes] : others)
          contents.try_emplace(path, bytes.c_str(), bytes.size());
        return withoutLock([&] {
          return saveNetwork({text, name, constants, model},
                             {{cpu, triple}, threads, algorithm},
                             {output, header, manifest, {}, {}, false},
                             contents);
        });
      },
      nb::arg("text"), nb::arg("name"), nb::arg("constants"), nb::arg("model"),
      nb::arg("cpu"), nb::arg("triple"), nb::arg("threads"),
      nb::arg("algorithm"), nb::arg("output"), nb::arg("header"),
      nb::arg("manifest"), nb::arg("others"));
}

static void bindCPUs(nb::module_ &module) {
  module.def("set_wait_of_threads", mlir::convoy::setWaitOfThreads,
             nb::arg("milliseconds"));
  module.def(
      "adds_products_of_bytes",
      [](const std::string &cpu, const std::string &triple) {
        return mlir::convoy::addsProductsOfBytes({cpu, triple});
      },
      nb::arg("cpu"), nb::arg("triple"));
}

NB_MODULE(_native, module) {
  module.doc() = "What convoy's Python has of its C++ libraries";
  registerPasses();
  nb::exception<Error> error(module, "Error");
  nb::exception<DeviceError>(module, "DeviceError", error);
  bindProblem(module);
  bindCheckResult(module);
  bindKernelCertificate(module);
  bindKernel(module);
  bindFunction(module);
  bindLibrary(module);
  bindModules(module);
  bindNetwork(module);
  bindCPUs(module);
  module.attr("MAX_THREADS") = mlir::convoy::kMaxThreads;
  module.def(
      "get_layer_symbol",
      [](const std::string &layer) {
        return mlir::convoy::getLayerSymbol(layer);
      },
      nb::arg("layer"));
  module.def(
      "plan_memory",
      [](const std::vector<std::tuple<int64_t, size_t, size_t>> &buffers,
         int64_t alignment) {
        std::vector<PlannedBuffer> planned;
        for (auto [bytes, first, last] : buffers)
          planned.push_back({bytes, first, last});
        MemoryPlan plan = planMemory(planned, alignment);
        return std::pair(plan.offsets, plan.bytes);
      },
      nb::arg("buffers"), nb::arg("alignment"));
  module.def("write_diff_page", &writeDiffPage, nb::arg("command"),
             nb::arg("document"), nb::arg("path"));
  // For who keeps objects until the process ends.
  module.def("expect_leaks", [] { nb::set_leak_warnings(false); });
  module.def("get_version", [] { return std::string(getVersion()); });
}
