//===- ModuleBindings.cpp - Modules of IR in Python -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bindings.h"
#include "IRModule.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace convoy;
using namespace convoy::python;

static nb::object toPython(const AttributeValue &attribute);

namespace {
/// Makes an object of Python of each kind of attribute.
struct PythonMaker {
  nb::object operator()(bool value) const { return nb::bool_(value); }
  nb::object operator()(double value) const { return nb::float_(value); }
  nb::object operator()(const std::string &text) const {
    return nb::str(text.c_str(), text.size());
  }
  nb::object operator()(const IntegerText &integer) const {
    return nb::int_(nb::str(integer.digits.c_str()));
  }
  nb::object operator()(const AttributeList &list) const {
    nb::list made;
    for (const AttributeValue &one : list)
      made.append(toPython(one));
    return made;
  }
  nb::object operator()(const AttributeDict &dict) const {
    nb::dict made;
    for (const auto &[name, value] : dict)
      made[name.c_str()] = toPython(value);
    return made;
  }
  /// A pair of shape and elements.
  nb::object operator()(const DenseValue &dense) const {
    nb::object elements = std::visit(
        [](const auto &numbers) { return nb::cast(numbers); }, dense.elements);
    return nb::make_tuple(dense.shape, elements);
  }
};
} // namespace

static nb::object toPython(const AttributeValue &attribute) {
  return std::visit(PythonMaker(), attribute.value);
}

void python::bindModules(nb::module_ &module) {
  nb::class_<ValueInfo>(module, "ValueInfo")
      .def_ro("name", &ValueInfo::name)
      .def_ro("type", &ValueInfo::type)
      .def_ro("shape", &ValueInfo::shape)
      .def_ro("element", &ValueInfo::element);
  nb::class_<OperationInfo>(module, "OperationInfo")
      .def_ro("name", &OperationInfo::name)
      .def_ro("parent", &OperationInfo::parent)
      .def_ro("operands", &OperationInfo::operands)
      .def_ro("results", &OperationInfo::results)
      .def_ro("arguments", &OperationInfo::arguments)
      .def_prop_ro("attributes",
                   [](const OperationInfo &info) {
                     return toPython(AttributeValue{info.attributes});
                   })
      .def_ro("location", &OperationInfo::location);
  nb::class_<IRModule>(module, "IRModule")
      .def(
          "__init__",
          [](IRModule *self, const std::string &text, const std::string &name) {
            construct(self, text, name);
          },
          nb::arg("text"), nb::arg("name"))
      .def(
          "run",
          [](IRModule &ir, const std::string &pipeline) {
            return withoutLock([&] { return ir.run(pipeline); });
          },
          nb::arg("pipeline"))
      .def(
          "print",
          [](IRModule &ir, bool locations) {
            return withoutLock([&] { return ir.print(locations); });
          },
          nb::arg("locations"))
      .def("list",
           [](IRModule &ir) { return withoutLock([&] { return ir.list(); }); });
  nb::class_<FunctionVerdict>(module, "FunctionVerdict")
      .def_ro("function", &FunctionVerdict::function)
      .def_prop_ro("verdict",
                   [](const FunctionVerdict &found) {
                     return mlir::convoy::getWord(found.verdict).str();
                   })
      .def_ro("message", &FunctionVerdict::message)
      .def_ro("location", &FunctionVerdict::location)
      .def_ro("op", &FunctionVerdict::op)
      .def_ro("text", &FunctionVerdict::text);
  module.def(
      "certify",
      [](const std::string &before, const std::string &after,
         const std::string &function, bool matchingOnly, double timeLimit) {
        return withoutLock([&] {
          return certifyTexts(before, after, function, matchingOnly, timeLimit);
        });
      },
      nb::arg("before"), nb::arg("after"), nb::arg("function"),
      nb::arg("matching_only"), nb::arg("time_limit"));
}
