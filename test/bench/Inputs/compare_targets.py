"""Compares an emulated GPU with the CPU: compare_targets.py PROGRAM --entry=NAME --tolerance=T [OPTION ...] CALL ...

A CALL has the inputs of one call, with blanks between them: '<f8(5,7) <f8(7,) 3' for two arrays of random numbers and a number.
The program is compiled once for each target. Results have to agree for each call by itself, as compare.py says; what has no
numbers has to be the same text. --cuda also runs the program by the CUDA driver; --range=LOW:HIGH, -9:10 by default, is where random
numbers are from, the same ones for the same position and shape; other options go to `ad-opt run` for GPUs.
"""

import argparse
import itertools
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__))
import compare  # noqa: E402
import random_npy  # noqa: E402

ARRAY = re.compile(r"([<>|]\w+)(\(.*\))")


def inputs(calls, bounds, folder):
    """The options that give the inputs of all calls."""
    number = itertools.count()
    for call in calls:
        for position, text in enumerate(call.split(), start=1):
            if array := ARRAY.fullmatch(text):
                text = os.path.join(folder, "%d.npy" % next(number))
                random_npy.main(text, *array.groups(), *bounds, seed=position)
            yield "--input=" + text


def run(program, arguments):
    """The text of each result; rows but the first one are indented."""
    command = ["ad-opt", "run", program, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit("%s: exit status %d" % (" ".join(command)[:1000], done.returncode))
    return re.findall(r"^\S.*\n(?: .*\n)*", done.stdout, re.M)


def compare_calls(program, entry, calls, tolerance, bounds=("-9", "10"), targets=("gpu-emulate",), options=()):
    """Exits if results of an entry are not the same on the CPU and on other targets."""
    with tempfile.TemporaryDirectory() as folder:
        common = ["--entry=" + entry, "--calls=%d" % len(calls), *inputs(calls, bounds, folder)]
        wanted = run(program, common)
        each, left_over = divmod(len(wanted), len(calls))
        if each == 0 or left_over != 0:
            sys.exit("%d results of %d calls" % (len(wanted), len(calls)))
        for target in targets:
            own = [text for text in options if target == "gpu-emulate" or not text.startswith("--emulate")]
            found = run(program, [*common, "--target=" + target, *own])
            if len(found) != len(wanted):
                sys.exit("%d results, and %d on %s" % (len(wanted), len(found), target))
            for at, call in enumerate(calls):
                texts = ("".join(results[at * each : (at + 1) * each]) for results in (wanted, found))
                check(*texts, tolerance, "%s(%s) on %s" % (entry, call, target))


def check(wanted, found, tolerance, what):
    """Exits if the results of a call are not the same."""
    if wanted == found and "..." not in wanted:
        return
    if wrong := compare.difference(wanted, found, tolerance):
        sys.exit("%s: %s" % (what, wrong))


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--entry", required=True)
    parser.add_argument("--tolerance", type=float, required=True)
    parser.add_argument("--range", default="-9:10")
    parser.add_argument("--cuda", action="store_true")
    parser.add_argument("program")
    known, rest = parser.parse_known_args()
    options = [text for text in rest if text.startswith("--")]
    calls = [text for text in rest if not text.startswith("--")]
    targets = ["gpu-emulate"] + ["cuda"] * known.cuda
    compare_calls(known.program, known.entry, calls, known.tolerance, known.range.split(":"), targets, options)


if __name__ == "__main__":
    main()
