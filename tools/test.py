"""Runs tests and ends with the line `N passed, N failed`.

    tools/test.py [--unit] [-o FILE] [LIT-ARGUMENT ...]

The arguments, folders or files of tests among them, go to lit, which comes with
LLVM; --unit runs the Rust tests too, and -o keeps lit's report in a file.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile

PREFIX = os.environ.get("MLIR_SYS_220_PREFIX", "/usr/lib/llvm-22")
# What a process may take, in seconds of its processors: one that does not end fails, and the others run.
LIMIT = 900
PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
NOT_RUN = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}
CARGO = ["cargo", "test", "--release", "--workspace", "--no-fail-fast"]
SUMMARY = re.compile(r"^test result: .* (\d+) passed; (\d+) failed;")


def run_unit_tests():
    """Runs the Rust tests; returns how many passed and failed."""
    passed = failed = 0
    process = subprocess.Popen(CARGO, stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        print(line, end="", flush=True)
        if found := SUMMARY.match(line):
            passed += int(found[1])
            failed += int(found[2])
    if process.wait() != 0 and failed == 0:
        failed = 1  # The tests did not compile, or died.
    return passed, failed


def run_lit(arguments, report):
    """Runs the lit tests, with a report in a file if one is named; returns how many passed and failed."""
    with tempfile.TemporaryDirectory() as folder:
        report = report or os.path.join(folder, "report.json")
        command = [sys.executable, os.path.join(PREFIX, "bin", "lit"), "-sv", "-o", report]
        status = subprocess.run(command + arguments).returncode
        try:
            with open(report) as file:
                codes = [test["code"] for test in json.load(file)["tests"]]
        except OSError:
            codes = []
    passed = sum(code in PASSED for code in codes)
    failed = sum(code not in PASSED | NOT_RUN for code in codes)
    if status != 0 and failed == 0:
        failed = 1  # lit itself failed.
    return passed, failed


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False, add_help=False)
    parser.add_argument("--unit", action="store_true")
    parser.add_argument("-o", "--output", metavar="FILE")
    own, others = parser.parse_known_args(arguments)
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    counts = [run_unit_tests()] if own.unit else []
    counts.append(run_lit(others, own.output))
    passed, failed = (sum(column) for column in zip(*counts))
    print(f"{passed} passed, {failed} failed", flush=True)
    return int(failed != 0 or passed == 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
