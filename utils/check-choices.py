#!/usr/bin/env python3
"""Lists what passes say of their choices in words that convoy-fuzz cannot list.

usage: check-choices.py [ROOT]

Remarks take the words for a choice from include/convoy/Support/Choices.h
by `getWords`, and reasons are a `Choice`. A remark below lib/Transforms that has
words of its own alone is a fault, and so is a reason that a function returns as
words, and a choice that nothing makes. Sources whose remarks are about no choice
stand in OTHERS.

Prints one line for each fault; exits with 1 if there is any.
"""

import pathlib
import re
import sys

CHOICES = "include/convoy/Support/Choices.h"
# What is asked for, and results of searches that users ask for.
OTHERS = {
    "Targets/AttachTarget.cpp",
    "Numerics/TargetError.cpp",
    "TensorOps/InsertTrace.cpp",
}
REMARK = re.compile(r"\b(?:emitRemark\s*\(|remark\s*<<)[^;]*;")
REASON = re.compile(r'\b(?:explain|find\w*Obstacle|find\w*Hazard)\w*\([^;{}]*\)\s*\{')
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
WORDS = re.compile(r"[a-z]+ [a-z]+ [a-z]+")


def has_words(text):
    joined = re.sub(r'"\s*\n\s*"', "", text)
    return any(WORDS.search(literal) for literal in LITERAL.findall(joined))


def find_body(text, begin):
    """The body of a function, whose brace stands before `begin`."""
    depth = 1
    for end in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        if depth == 0:
            return text[begin:end]
    return text[begin:]


def find_statements(text):
    """Remarks, and what functions that give reasons return, with their places."""
    for match in REMARK.finditer(text):
        yield match.start(), match[0]
    for function in REASON.finditer(text):
        body = find_body(text, function.end())
        for match in re.finditer(r"\breturn\b[^;]*;", body):
            yield function.end() + match.start(), match[0]


def check(root):
    used = set()
    rooms = root / "lib" / "Transforms"
    for path in sorted(rooms.rglob("*.cpp")):
        text = path.read_text()
        used.update(re.findall(r"\bChoice::(\w+)", text))
        if str(path.relative_to(rooms)) in OTHERS:
            continue
        for place, statement in find_statements(text):
            if has_words(statement) and "Choice::" not in statement:
                line = text.count("\n", 0, place) + 1
                yield f"{path.relative_to(root)}:{line}: says something that is no Choice"
    for name in re.findall(r'CHOICE\((\w+),[\s\\]*"', (root / CHOICES).read_text()):
        if name not in used:
            yield f"{CHOICES}: no pass makes the choice {name}"


def main(root):
    faults = list(check(root))
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(__doc__.strip())
    here = pathlib.Path(__file__).resolve().parent.parent
    sys.exit(main(pathlib.Path(sys.argv[1]) if sys.argv[1:] else here))
