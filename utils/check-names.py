#!/usr/bin/env python3
"""Checks names, places and form of the sources against the project's rules.

usage: check-names.py [ROOT]

- A pass record `StemPass` in a Passes.td has the flag `convoy-stem`, one source
  that defines it, lib/Transforms/Room/Stem.cpp for a record in that room or
  lib/Conversion/XToY/XToY.cpp, a test `stem.mlir` or `x-to-y.mlir` in the same
  folder of test/ that runs it, a description that begins with what it needs and
  what it leaves, and options whose flags are the kebab case of their members; a
  test uses each.
- A library includes headers of its own folder and of the libraries that it
  names in its CMakeLists.txt, or that these name.
- Units, which are a source and the header of the same name, include each other
  in one direction: there is no circle.
- A constant of a cost model, `constexpr … kName`, is named in docs/CostModel.md,
  and that page names no constant that no pass has.
- Constants of passes that count cycles, `constexpr … Cycles`, stand in one header.
- No two sources of passes define constants of one name.
- A pipeline flag ends in `-pipeline` and has a test in test/Pipelines.
- Sources have the licence header with their own name, headers the guard that
  their path gives.
- Sources and scripts stay under 500 lines, functions of C, C++ and Python
  under 60.
- No trailing white space, no tab, no missing end of line, no XFAIL, and no
  TODO without an issue.

Prints one line for each fault; exits with 1 if there is any.
"""

import ast
import graphlib
import pathlib
import re
import sys

MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 60
SOURCES = {".cpp", ".h", ".td", ".c"}
SCRIPTS = {".py", ""}
TEXTS = SOURCES | {".mlir", ".test", ".py", ".txt", ".cmake", ".md", ".json", ".in"}
LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
RECORD = re.compile(r'^def (\w+)\s*:\s*(?:Interface)?Pass<\s*"([^"]+)"', re.M)
OPTION = re.compile(r'\b(?:List)?Option<\s*"(\w+)",\s*"([^"]+)"')
NEEDS = re.compile(r"description = \[\{\n +- Needs: .+?\.\n +- Leaves: .+?\.\n(?:\n| *\}\])", re.S)
LIBRARY = re.compile(
    r"^(?:convoy_add(?:_mlir)?_library|target_link_libraries)\((\w+)([^)]*)\)", re.M
)
CONSTANTS = re.compile(r"\bconstexpr\b[^;{}]*;")
IS_CONSTANT = re.compile(r"k[A-Z]").match
PIPELINE = re.compile(r'PassPipelineRegistration<[^;]*?>\s*\w*[({]\s*"([^"]+)"', re.S)


def kebab(name):
    """ConvToIm2col -> conv-to-im2col, tileRows -> tile-rows, ToLLVM -> to-llvm."""
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1-\2", name)
    return re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1-\2", name).lower()


class Checker:
    def __init__(self, root):
        self.root = root
        self.faults = 0
        self.texts = dict(self.read(root))

    def read(self, folder):
        """Yields path and text of every text file, builds and .git apart."""
        for path in sorted(folder.iterdir()):
            name = path.name
            if path.is_dir():
                hidden = name.startswith(".") and name != ".ci"
                if not (hidden or name.startswith("build") or name == "__pycache__"):
                    yield from self.read(path)
            elif path.suffix in TEXTS or path.parent.name in ("scripts", ".ci"):
                yield path.relative_to(self.root), path.read_text()

    def fault(self, path, text, line=1):
        self.faults += 1
        print(f"{path}:{line}: {text}")

    def under(self, folder, suffix):
        return {
            path: text
            for path, text in self.texts.items()
            if path.is_relative_to(folder) and path.suffix == suffix
        }

    def run(self):
        for layer in ("Transforms", "Conversion"):
            folder = pathlib.Path("include/convoy", layer)
            for records in self.under(folder, ".td"):
                self.check_passes(layer, records)
        self.check_pipelines()
        self.check_includes()
        self.check_circles()
        self.check_costs()
        self.check_constants()
        for path, text in self.texts.items():
            self.check_form(path, text)
            if path.suffix in SOURCES:
                self.check_source(path, text)
            if path.suffix in SOURCES | SCRIPTS:
                self.check_length(path, text)
        return self.faults

    def check_passes(self, layer, records):
        text = self.texts[records]
        tests = "".join(self.under("test", ".mlir").values())
        matches = list(RECORD.finditer(text))
        for match, following in zip(matches, matches[1:] + [None]):
            line = text.count("\n", 0, match.start()) + 1
            body = text[match.start() : following.start() if following else None]
            record, flag = match.groups()
            stem = record.removesuffix("Pass")
            if record == stem:
                self.fault(records, f"expected {record} to end in Pass", line)
            if flag != f"convoy-{kebab(stem)}":
                wanted = f"convoy-{kebab(stem)}"
                self.fault(records, f"expected flag {wanted}, but got {flag}", line)
            if not NEEDS.search(body):
                self.fault(records, f"expected {flag} to say what it needs and leaves", line)
            source = self.definition(layer, records, stem, line)
            if source:
                self.check_test(source, records, stem, line)
            for member, option in OPTION.findall(body):
                if option != kebab(member):
                    wanted = f"option {kebab(member)} for {member}"
                    self.fault(records, f"expected {wanted}, but got {option}", line)
                if f"{option}=" not in tests and f"{option} " not in tests:
                    self.fault(records, f"no test uses {flag}'s option {option}", line)

    def definition(self, layer, records, stem, line):
        """The source that defines a pass, if there is one in the right place."""
        macro = f"#define GEN_PASS_DEF_{stem.upper()}PASS\n"
        sources = self.under("lib", ".cpp").items()
        found = [path for path, text in sources if macro in text]
        if len(found) != 1:
            self.fault(records, f"{stem}Pass is defined in {len(found)} files", line)
            return None
        if layer == "Conversion":
            wanted = found[0].with_stem(found[0].parent.name)
        else:
            wanted = pathlib.Path("lib", *records.parts[2:-1], f"{stem}.cpp")
        if found[0] != wanted:
            self.fault(found[0], f"expected {stem}Pass to be defined in {wanted}")
            return None
        return found[0]

    def check_test(self, source, records, stem, line):
        folder = pathlib.Path("test", *source.parts[1:-1])
        test = folder / f"{kebab(source.stem)}.mlir"
        if test not in self.texts:
            self.fault(records, f"expected a test {test}", line)
        elif f"-convoy-{kebab(stem)}" not in self.texts[test]:
            self.fault(test, f"does not run convoy-{kebab(stem)}")

    def check_pipelines(self):
        tests = "".join(self.under("test/Pipelines", ".mlir").values())
        for path, text in self.under("lib/Pipelines", ".cpp").items():
            for flag in PIPELINE.findall(text):
                if not re.fullmatch(r"convoy-[a-z0-9-]+-pipeline", flag):
                    self.fault(path, f"expected convoy-…-pipeline, but got {flag}")
                if flag not in tests:
                    self.fault(path, f"no test in test/Pipelines runs {flag}")

    def constants(self, *folders):
        """Yields path, line and name of each `constexpr … name =` in these folders."""
        for folder in folders:
            for path, text in (self.under(folder, ".h") | self.under(folder, ".cpp")).items():
                for match in CONSTANTS.finditer(text):
                    line = text.count("\n", 0, match.start()) + 1
                    for name in re.findall(r"\b(\w+)\s*=", match.group()):
                        yield path, line, name

    def check_costs(self):
        page = pathlib.Path("docs/CostModel.md")
        cycles = pathlib.Path("include/convoy/Transforms/Costs/CycleCosts.h")
        named = set(re.findall(r"`(k[A-Z]\w*)`", self.texts.get(page, "")))
        constants = list(self.constants("lib/Transforms", "include/convoy/Transforms"))
        for name in sorted(named - {name for _, _, name in constants}):
            self.fault(page, f"names {name}, which is no constant of a pass")
        for path, line, name in constants:
            if path.parent.name == "Costs" and name not in named and IS_CONSTANT(name):
                self.fault(path, f"expected {name} to be named in {page}", line)
            if path != cycles and name.endswith("Cycles"):
                self.fault(path, f"expected {name} to stand in {cycles}", line)

    def check_constants(self):
        """Each name of a constant has one meaning in all passes."""
        places = {}
        for path, line, name in self.constants("lib/Transforms", "include/convoy/Transforms"):
            other = places.setdefault(name, path) if IS_CONSTANT(name) else path
            if other != path:
                self.fault(path, f"expected one meaning of {name}, which {other} defines, too", line)

    def read_libraries(self):
        """The names of the libraries of each folder of lib/, and what they link."""
        folders, links = {}, {}
        for path, text in self.under("lib", ".txt").items():
            for name, words in LIBRARY.findall(text):
                linked = re.split(r"LINK_LIBS|INTERFACE", words)
                links[name] = linked[1].split() if linked[1:] else []
                if "INTERFACE" not in words:
                    folders.setdefault(path.parent, []).append(name)
        return folders, links

    def check_includes(self):
        folders, links = self.read_libraries()
        for folder, names in folders.items():
            seen, rest = set(), list(names)
            while rest:
                name = rest.pop()
                if name not in seen:
                    seen.add(name)
                    rest += links.get(name, [])
            allowed = {path for path, others in folders.items() if seen & set(others)}
            headers = pathlib.Path("include/convoy", *folder.parts[1:])
            for path, text in self.texts.items():
                if path.parent not in (folder, headers) or path.suffix == ".txt":
                    continue
                for match in re.finditer(r'^#include "convoy/(.+)"$', text, re.M):
                    place = pathlib.Path("lib", match.group(1)).parent
                    if place in folders and place not in allowed:
                        wanted = f"{names[0]} does not link what has {match.group(1)}"
                        self.fault(path, wanted, text.count("\n", 0, match.start()) + 1)

    def unit(self, path):
        """The place of the source that belongs to a header, or of a source."""
        place = path.with_suffix("").as_posix()
        place = re.sub(r"^include/convoy/", "lib/", place)
        return re.sub(r"^runtime/include/convoy/Runtime/", "runtime/lib/", place)

    def check_circles(self):
        uses = {}
        for path, text in self.texts.items():
            if path.suffix not in (".h", ".cpp", ".c"):
                continue
            folders = (path.parent, pathlib.Path("include"), pathlib.Path("runtime/include"))
            used = uses.setdefault(self.unit(path), set())
            for name in re.findall(r'^#include "(.+)"', text, re.M):
                places = [folder / name for folder in folders if folder / name in self.texts]
                used.update(self.unit(place) for place in places[:1])
            used.discard(self.unit(path))
        try:
            graphlib.TopologicalSorter(uses).prepare()
        except graphlib.CycleError as error:
            # The sorter names what is included before what includes it.
            circle = list(reversed(error.args[1]))
            names = " -> ".join(circle)
            self.fault(pathlib.Path(circle[0]), f"units include each other in a circle: {names}")

    def check_form(self, path, text):
        if text and not text.endswith("\n"):
            self.fault(path, "no end of line at the end of the file")
        # The rules may name what they forbid.
        prose = path.suffix == ".md" or path.name == pathlib.Path(__file__).name
        for number, line in enumerate(text.splitlines(), 1):
            if line != line.rstrip():
                self.fault(path, "trailing white space", number)
            if "\t" in line:
                self.fault(path, "a tab", number)
            if prose:
                continue
            if "XFAIL:" in line and path.parts[0] == "test":
                self.fault(path, "expected failure: say it with `not`", number)
            if re.search(r"\bTODO\b(?!\(#\d+\))", line):
                self.fault(path, "TODO without an issue, as in TODO(#12)", number)

    def check_length(self, path, text):
        lines = text.splitlines()
        if len(lines) >= MAX_FILE_LINES:
            self.fault(path, f"{len(lines)} lines, the limit is {MAX_FILE_LINES - 1}")
        if path.suffix in (".cpp", ".h", ".c"):
            self.check_functions(path, lines)
        if path.suffix == ".py":
            self.check_python(path, text)

    def check_source(self, path, text):
        head = "\n".join(text.splitlines()[:6])
        if LICENCE not in head or f" {path.name} - " not in head:
            self.fault(path, "expected the licence header with the file's name")
        if path.suffix == ".h":
            self.check_guard(path, text)

    def check_guard(self, path, text):
        place = re.sub(r"^(runtime/)?include/convoy/", "", path.as_posix())
        guard = re.sub(r"[^A-Z0-9]+", "_", f"CONVOY_{place}".upper())
        found = re.search(r"^#ifndef (\w+)\n#define \1$", text, re.M)
        if not found:
            self.fault(path, f"expected the header guard {guard}")
        elif found.group(1) != guard:
            self.fault(path, f"expected guard {guard}, but got {found.group(1)}")

    def check_functions(self, path, lines):
        """A body is what stands between `) … {` and the `}` of equal indent."""
        start = {}
        for number, line in enumerate(lines, 1):
            indent = len(line) - len(line.lstrip())
            if indent <= 2 and line.strip() and not line.startswith("#"):
                if line.strip() in ("}", "};") and indent in start:
                    self.check_function(path, start.pop(indent), number)
            if re.search(r"\)[^;]*\{$", line):
                opened = self.statement_indent(lines, number)
                if opened <= 2:
                    start[opened] = number

    def check_python(self, path, text):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.check_function(path, node.lineno, node.end_lineno)

    def check_function(self, path, first, last):
        length = last - first + 1
        if length >= MAX_FUNCTION_LINES:
            limit = MAX_FUNCTION_LINES - 1
            self.fault(path, f"a function of {length} lines, the limit is {limit}", last)

    @staticmethod
    def statement_indent(lines, number):
        """The indent of the statement that the line of this number ends."""
        depth = 0
        while True:
            line = lines[number - 1]
            depth += line.count(")") - line.count("(")
            if depth <= 0 or number == 1:
                return len(line) - len(line.lstrip())
            number -= 1


def main(arguments):
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-")):
        sys.exit(__doc__.strip())
    here = pathlib.Path(__file__).resolve().parent.parent
    root = pathlib.Path(arguments[0]) if arguments else here
    return 1 if Checker(root).run() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
