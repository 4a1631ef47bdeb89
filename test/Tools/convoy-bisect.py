"""Puts the pass test-convoy-break at ten places of a pipeline, one at a time,
and checks that convoy-test-bisect names it wherever it stands.

    convoy-bisect.py TARGET KIND RESULT [--last=LAST] [WORD...]

KIND is the pass's, RESULT what convoy-test-bisect must call it. The places are
even between the first pass and the last, or the one that has LAST in its name,
before which they end. WORDS are of the command line, a problem among them or
not.
"""

import json
import subprocess
import sys

PROBLEM = "mb1_ic3ih5iw6_oc4oh3ow5_kh3kw2"
OPTIONS = ("--threads=", "--filter=")
PLACES = 10


def run(*words):
    return subprocess.run(
        ["convoy-test-bisect", *words], capture_output=True, text=True
    )


def find_places(words, last):
    """The numbers of the passes that the wrong one follows."""
    lines = run(*words, "--print-pipeline").stdout.splitlines()
    count = len(lines)
    if last:
        count = next(i for i, line in enumerate(lines) if last in line)
    return [i * count // (PLACES - 1) for i in range(PLACES)]


def check(words, kind, result, place):
    """What is wrong with what is said of one place, or nothing."""
    pass_text = f"test-convoy-break{{kind={kind}}}"
    done = run(
        *words,
        f"--insert={place}:{pass_text}",
        "--time-limit=20",
        "--keep-size",
        "--json=-",
    )
    if done.returncode != 2:
        return f"exit code {done.returncode}: {done.stdout}{done.stderr}"
    finding = json.loads(done.stdout)["findings"][0]
    suspects = [(s["number"], s["pass"]) for s in finding["suspects"]]
    if finding["result"] != result or suspects != [(place + 1, pass_text)]:
        return f"{finding['result']}: {suspects}"
    return None


def main():
    target, kind, result, *words = sys.argv[1:]
    last = None
    if words and words[0].startswith("--last="):
        last = words.pop(0).removeprefix("--last=")
    if all(word.startswith(OPTIONS) for word in words):
        words.append(PROBLEM)
    words.append(f"--target={target}")
    places = find_places(words, last)
    faults = [(p, f) for p in places if (f := check(words, kind, result, p))]
    for place, fault in faults:
        print(f"{target}: after pass {place}: {fault}")
    print(f"{target}: {kind}: found at {len(places) - len(faults)} places")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
