"""Checks that fences and links of documents in Markdown lead somewhere.

usage: check-links.py ROOT DOCUMENT...

Fences come in pairs. A link to a file names one below ROOT, and behind `#` a
heading of it, as GitHub makes names of headings. Prints one line for each
fault; exits with 1 if there is any.
"""

import pathlib
import re
import sys

FENCED = re.compile(r"^ *```.*?^ *```[^\n]*$", re.M | re.S)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#+ +(.*?) *#*$", re.M)


def anchors(text):
    """The names of a document's headings."""
    names = set()
    for heading in HEADING.findall(FENCED.sub("", text)):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        number = 0
        while (unique := f"{name}-{number}" if number else name) in names:
            number += 1
        names.add(unique)
    return names


def check(root, document):
    """Yields each fault of a document."""
    text = document.read_text()
    fences = [line for line in text.splitlines() if line.lstrip().startswith("```")]
    if len(fences) % 2:
        yield f"{len(fences)} fences: one is open"
        return
    for link in LINK.findall(CODE.sub("", FENCED.sub("", text))):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = document.parent / name if name else document
        if not target.exists() or not target.resolve().is_relative_to(root.resolve()):
            yield f"no file {link}"
        elif anchor and anchor not in anchors(target.read_text()):
            yield f"no heading {link}"


def main(root, *documents):
    root, faults = pathlib.Path(root), 0
    for document in map(pathlib.Path, documents):
        for fault in check(root, document):
            print(f"{document.relative_to(root)}: {fault}")
            faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
