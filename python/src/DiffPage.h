//===- DiffPage.h - Where two sides of a network part -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_PYTHON_SRC_DIFFPAGE_H
#define CONVOY_PYTHON_SRC_DIFFPAGE_H

#include <string>
#include <vector>

namespace convoy::python {

/// Writes the page of a comparison whose JSON is `document`, which the command
/// line `command` made, to the file `path`. Throws.
void writeDiffPage(const std::vector<std::string> &command,
                   const std::string &document, const std::string &path);

} // namespace convoy::python

#endif // CONVOY_PYTHON_SRC_DIFFPAGE_H
