"""Runs lit from the LLVM installation and ends with the line `N passed, N failed`."""

import json
import os
import subprocess
import sys
import tempfile

PREFIX = os.environ.get("MLIR_SYS_220_PREFIX", "/usr/lib/llvm-22")
PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
NOT_RUN = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def main(arguments):
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        command = [sys.executable, os.path.join(PREFIX, "bin", "lit"), "-sv", "-o", report]
        status = subprocess.run(command + arguments).returncode
        try:
            with open(report) as file:
                codes = [test["code"] for test in json.load(file)["tests"]]
        except OSError:
            codes = []
    passed = sum(code in PASSED for code in codes)
    failed = sum(code not in PASSED | NOT_RUN for code in codes)
    print(f"{passed} passed, {failed} failed", flush=True)
    return status or int(passed == 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
