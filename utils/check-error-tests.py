#!/usr/bin/env python3
"""Lists errors of the compiler, its tools and its runtime that no test shows.

usage: check-error-tests.py [ROOT]

An error's text is the longest string literal, without quotes and brackets, in a
statement that reports one: emitError, refuse, fail and their like. It has a test
where that text stands somewhere below test/. Texts of errors that no test can
bring about stand in utils/untested-errors.txt, behind the reason; one that has a
test, or is none, is a fault there.

Prints one line for each fault; exits with 1 if there is any.
"""

import pathlib
import re
import sys

SOURCES = ["lib", "tools", "runtime"]
REPORTS = re.compile(
    r"\b(emitError|emitOpError|emitPlanError|emitWarning|refuse|refuseOp|fail|"
    r"failAt|reportError|report|createStringError)\s*\("
)
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def read_statement(text, begin):
    """What stands from `begin` to the end of the statement, strings whole."""
    depth = 0
    i = begin
    while i < len(text):
        c = text[i]
        if c == '"':
            i = LITERAL.match(text, i).end()
            continue
        if c == "'":
            i = text.index("'", i + (3 if text[i + 1] == "\\" else 2)) + 1
            continue
        if c == "{" and depth == 0:
            break  # a function of that name is defined
        if c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth < 0:
                break
        elif c == ";" and depth == 0:
            break
        i += 1
    return text[begin:i]


def find_text(statement):
    """The longest text of literals that stand side by side, as printed."""
    runs = []
    end = None
    for literal in LITERAL.finditer(statement):
        part = re.sub(r"\\(.)", lambda m: {"n": "\n"}.get(m[1], m[1]), literal[1])
        if end is not None and not statement[end : literal.start()].strip():
            runs[-1] += part
        else:
            runs.append(part)
        end = literal.end()
    # Tests may hold quotes and brackets in another form.
    pieces = [piece for run in runs for piece in re.split(r"[^\w .,:;-]+", run)]
    return max(pieces, key=len, default="").strip()


def normalize(text):
    return re.sub(r"\s+", " ", text)


def find_errors(root):
    """Pairs of `file:line` and text."""
    for path in sorted(p for folder in SOURCES for p in (root / folder).rglob("*.cpp")):
        text = re.sub(r"//[^\n]*", lambda m: " " * len(m[0]), path.read_text())
        for call in REPORTS.finditer(text):
            found = find_text(read_statement(text, call.start()))
            if len(re.findall(r"[a-z]{2,}", found)) >= 2:
                line = text.count("\n", 0, call.start()) + 1
                yield f"{path.relative_to(root)}:{line}", normalize(found)


def read_tests(root):
    paths = sorted(path for path in (root / "test").rglob("*") if path.is_file())
    text = "\n".join(path.read_text(errors="replace") for path in paths)
    # A literal of C++ goes on in the next line.
    return normalize(re.sub(r'"\s*\n\s*"', "", text).replace('\\"', '"'))


def main(root):
    tests = read_tests(root)
    listed = root / "utils" / "untested-errors.txt"
    lines = listed.read_text().splitlines() if listed.exists() else []
    untested = {line for line in lines if line and not line.startswith("#")}
    errors = list(find_errors(root))
    faults = [
        f"{place}: no test has the error '{text}'"
        for place, text in errors
        if text not in tests and text not in untested
    ]
    known = {text for _, text in errors}
    faults += [f"{listed.name}: no error is '{text}'" for text in sorted(untested - known)]
    faults += [f"{listed.name}: '{text}' has a test" for text in sorted(untested) if text in tests]
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(__doc__.strip())
    here = pathlib.Path(__file__).resolve().parent.parent
    sys.exit(main(pathlib.Path(sys.argv[1]) if sys.argv[1:] else here))
