"""How the work of ad-opt grows with the size of a program: growth.py KIND PASSES.

Counts the blocks of instructions that run, with Valgrind, for programs of n, 2 n and 4 n operations.
What does not depend on the size cancels in differences: where work is proportional to size, the
second difference is twice the first.
"""

import os
import re
import subprocess
import sys
import tempfile

# The smallest programs. Loops are few: what was exponential there would not end.
SMALLEST = {"scalars": 100, "maps": 100, "calls": 100, "branches": 250, "loops": 2, "nest": 5}
SMALLEST |= {"choices": 10, "carried": 15, "stencils": 4, "transposes": 6}


def blocks(kind, passes, count, folder):
    program = os.path.join(folder, "program.mlir")
    generator = os.path.join(os.path.dirname(os.path.abspath(__file__)), "program.py")
    with open(program, "w") as file:
        subprocess.run([sys.executable, generator, kind, str(count)], stdout=file, check=True)
    log = os.path.join(folder, "log")
    # Statistics of Valgrind's own, which cost less to have than those of a tool.
    command = ["valgrind", "--tool=none", "--stats=yes", f"--log-file={log}"]
    command += ["ad-opt", program, f"--pass-pipeline=builtin.module({passes})", "-o", os.devnull]
    # One thread: what several wait for each other is not work.
    subprocess.run(command + ["--mlir-disable-threading"], check=True)
    with open(log) as file:
        found = re.search(r"scheduler: ([\d,]+) event checks", file.read())
        return int(found[1].replace(",", ""))


def main(kind, passes):
    with tempfile.TemporaryDirectory() as folder:
        smallest = SMALLEST[kind]
        counts = [blocks(kind, passes, n * smallest, folder) for n in (1, 2, 4)]
    growth = (counts[2] - counts[1]) / (counts[1] - counts[0])
    print(f"blocks: {counts}, an operation: {(counts[2] - counts[1]) // (2 * smallest)}")
    print(f"growth: {growth:.2f}")
    # Loops in each other: each is looked at with all that is in it, which is the square of their number.
    if not growth < (6.0 if kind == "nest" else 2.6):
        sys.exit("the work grows faster than the program")


if __name__ == "__main__":
    main(*sys.argv[1:])
