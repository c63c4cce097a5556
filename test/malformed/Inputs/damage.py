"""Damages a program in many ways; ad-opt must answer each with exit 0 or 1.

    damage.py AD-OPT FILE [ARGUMENT ...]

Exit 1 must come with an error that has a location. Any other end, by a signal or by
the time limit, is printed with the program and fails the test.
"""

import random
import re
import subprocess
import sys

LOCATED = re.compile(r"^\S+:\d+:\d+: error: ", re.M)
RUNS = 40


def truncated(text):
    for i in range(RUNS):
        yield text[: len(text) * i // RUNS]


def without_token(text, rng):
    tokens = [m.span() for m in re.finditer(r"[\w.%@!#]+|\S", text)]
    for _ in range(RUNS):
        start, end = rng.choice(tokens)
        yield text[:start] + text[end:]


def exchanged_tokens(text, rng):
    tokens = [m.span() for m in re.finditer(r"[\w.%@!#]+", text)]
    for _ in range(RUNS):
        (a, b), (c, d) = sorted(rng.sample(tokens, 2))
        yield text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def main(tool, path, *arguments):
    with open(path, encoding="utf-8") as file:
        text = "".join(line for line in file if not line.startswith("//"))
    rng = random.Random(1)
    programs = [*truncated(text), *without_token(text, rng), *exchanged_tokens(text, rng)]
    counts = {0: 0, 1: 0}
    bad = 0
    for program in programs:
        try:
            process = subprocess.run(
                [tool, "-", *arguments], input=program, capture_output=True, text=True, timeout=60
            )
            code, errors = process.returncode, process.stderr
        except subprocess.TimeoutExpired:
            code, errors = "time limit", ""
        good = code == 0 or (code == 1 and LOCATED.search(errors))
        if good and "internal error" not in errors:
            counts[code] += 1
        else:
            bad += 1
            print(f"--- ended with {code}\n{program}\n--- errors\n{errors}")
    print(f"{len(programs)} programs, {counts[0]} accepted, {counts[1]} refused, {bad} bad")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
