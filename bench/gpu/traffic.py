"""What kernels ask of memory, without a GPU: traffic.py [PROBLEM...]

Runs the derivatives of the benchmarks as emulated kernels, at sizes that are large enough to show how they grow, and
prints for each kernel what `ad-opt run --emulate-report` says of it. Numbers of bytes are relative to those of the
arguments and results of the entry, each once.
"""

import argparse
import json
import os
import subprocess
import tempfile

import numpy as np
import problems

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SIZES = {
    "gmm": (256, 32, 24),
    "lstm_batched": (64, 4, 80, 96),
    "kmeans": (64, 2000, 32),
    "kmeans_sparse": (10, 2000, 1000, 20),
    "rsbench": (68, 10, 2000),
    "xsbench": (68, 100, 5000),
    "scan_mat2": (200_000,),
}
LONG = (500_000,)
BINS = (200_000, 1000)


def sizes_of(problem):
    return SIZES.get(problem.program) or (BINS if problem.name.startswith("hist") else LONG)


def report(compiler, problem, sizes, entry):
    """What the kernels of an entry ask for, and the bytes of its arguments and results."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = problem.arguments(sizes)
        command = [compiler, "run", os.path.join(ROOT, "bench/programs", problem.program + ".mlir")]
        if problem.tf32:
            command.append("--tensor-cores=tf32")
        command += ["--entry=" + entry, "--target=gpu-emulate", "--emulate-races=false"]
        command += ["--emulate-report=" + folder + "/report.json", "--output-dir=" + folder + "/out"]
        for number, argument in enumerate(arguments):
            path = "%s/%d.npy" % (folder, number)
            np.save(path, argument)
            command.append("--input=" + path)
        subprocess.run(command, check=True)
        with open(folder + "/report.json") as file:
            kernels = json.load(file)
        results = os.listdir(folder + "/out")
        results = [np.load(os.path.join(folder, "out", name)) for name in results]
        return kernels, sum(array.nbytes for array in arguments + results)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="PROBLEM")
    parser.add_argument("--compiler", default=os.path.join(ROOT, "target/release/ad-opt"))
    parser.add_argument("--objective", action="store_true")
    parser.add_argument("--sizes", help="separated by commas")
    parser.add_argument("--table", action="store_true", help="print a row of a table for each problem")
    parser.add_argument("--streamed", action="store_true", help="only what memory limits that is read in order")
    parser.add_argument("--json", metavar="FILE", help="write what is moved, if each kernel moves a sector once")
    options = parser.parse_args()
    columns = ["launches", "threads", "requests", "bytes", "moved_bytes", "touched_bytes", "atomics"]
    columns += ["atomic_turns", "shared_requests", "shared_turns"]
    found = {}
    for problem in problems.PROBLEMS:
        if options.names and problem.name not in options.names:
            continue
        if options.streamed and not problem.streamed:
            continue
        sizes = sizes_of(problem)
        if options.sizes:
            sizes = tuple(int(size) for size in options.sizes.split(","))
        entry = "objective" if options.objective else list(problem.entries)[-1]
        kernels, own = report(options.compiler, problem, sizes, entry)
        total = {column: sum(kernel[column] for kernel in kernels.values()) for column in columns}
        found[problem.name] = total["touched_bytes"] / own
        if options.json:
            continue
        if options.table:
            bytes_of_all = [total[column] / own for column in columns if "bytes" in column]
            row = (problem.name, " ".join(map(str, sizes)), total["launches"], *bytes_of_all)
            print("| %s | %s | %d | %.1f | %.1f | %.1f |" % row)
            continue
        print("%s %s %s: arguments and results have %d bytes" % (problem.name, entry, sizes, own))
        print("  %-44s %8s %9s %9s %7s %7s %7s %9s %9s %9s %9s" % ("kernel", *columns))
        for name, kernel in [*kernels.items(), ("all", total)]:
            figures = [kernel[column] / own if "bytes" in column else kernel[column] for column in columns]
            print("  %-44s %8d %9d %9d %7.3f %7.3f %7.3f %9d %9d %9d %9d" % (name, *figures))
    if options.json:
        with open(options.json, "w") as file:
            json.dump(found, file, indent=1)


if __name__ == "__main__":
    main()
