"""How the work of ad-opt grows with the size of a program: growth.py KIND PASSES.

Counts the blocks of instructions that run, with Valgrind, for programs of n, 2 n and 4 n operations.
What does not depend on the size cancels in differences: where work is proportional to size, the
second difference is twice the first.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

# The smallest programs. Loops are few: what was exponential there would not end.
SMALLEST = {"scalars": 100, "maps": 100, "calls": 100, "branches": 250, "loops": 2, "nest": 5}
SMALLEST |= {"choices": 10, "carried": 15, "stencils": 4, "transposes": 6}


def programs(kind, counts, folder):
    """Files with programs of so many operations."""
    generator = os.path.join(os.path.dirname(os.path.abspath(__file__)), "program.py")
    for count in counts:
        program = os.path.join(folder, "%d.mlir" % count)
        with open(program, "w") as file:
            subprocess.run([sys.executable, generator, kind, str(count)], stdout=file, check=True)
        yield program


def blocks(kind, passes, counts, folder):
    log = os.path.join(folder, "log")
    # Statistics of Valgrind's own, which cost less to have than those of a tool.
    command = ["valgrind", "--tool=none", "--stats=yes", f"--log-file={log}.%p", shutil.which("ad-growth"), passes]
    command += programs(kind, counts, folder)
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    logs = "".join(open(file).read() for file in glob.glob(log + ".*"))
    found = (re.search(rf"--{process}-- scheduler: ([\d,]+) event checks", logs) for process in done.stdout.split())
    return [int(match[1].replace(",", "")) for match in found]


def main(kind, passes):
    with tempfile.TemporaryDirectory() as folder:
        smallest = SMALLEST[kind]
        counts = blocks(kind, passes, [n * smallest for n in (1, 2, 4)], folder)
    growth = (counts[2] - counts[1]) / (counts[1] - counts[0])
    print(f"blocks: {counts}, an operation: {(counts[2] - counts[1]) // (2 * smallest)}")
    print(f"growth: {growth:.2f}")
    # Loops in each other: each is looked at with all that is in it, which is the square of their number.
    if not growth < (6.0 if kind == "nest" else 2.6):
        sys.exit("the work grows faster than the program")


if __name__ == "__main__":
    main(*sys.argv[1:])
