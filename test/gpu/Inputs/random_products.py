"""Random products of matrices: random_products.py COUNT SEED

Sizes are random, those of tiles and their neighbours among them, layouts and types are, rows may begin anywhere, and tensor cores
take part or not. Each has to have the same values on an emulated GPU as on the CPU, and by the CUDA driver if AD_CUDA_DRIVER names
one. Exits with status 1 if they differ.
"""

import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "bench", "Inputs"))
import compare_targets  # noqa: E402

SIZES = [1, 2, 3, 7, 8, 15, 16, 17, 20, 31, 32, 33, 36, 48, 60, 63, 64, 65, 66, 68, 80, 100, 128, 129, 132, 140]
# The entry of wide-tiles.mlir, the type of its arguments, tensor cores, and how far results may be from those of the CPU.
KINDS = [
    ("nn", "<f4", None, 1e-5), ("nt", "<f4", None, 1e-5), ("tn", "<f4", None, 1e-5), ("tt", "<f4", None, 1e-5),
    ("nn", "<f4", "tf32", 3e-3), ("nt", "<f4", "tf32", 3e-3), ("tn", "<f4", "tf32", 3e-3), ("tt", "<f4", "tf32", 3e-3),
    ("wide", "<f8", None, 1e-12), ("wide", "<f8", "f64", 1e-12), ("half", "<f4", "f16", 1e-2),
]  # fmt: skip


def call(choose, entry, number):
    """The inputs of a call: two matrices, and how many columns of the first one are left out."""
    rows, columns, summands = (choose.choice(SIZES) for _ in range(3))
    left_out = choose.choice([0, 0, 1, 2, 4])
    is_transposed = [entry[0] == "t", entry[1] == "t" or entry in ("wide", "half")]
    first = (summands, rows + left_out) if is_transposed[0] else (rows, summands + left_out)
    if entry in ("wide", "half"):
        first, left_out = (rows, summands), 0
    second = (columns, summands) if is_transposed[1] else (summands, columns)
    return "%s(%d,%d) %s(%d,%d) %d" % (number, *first, number, *second, left_out)


def main():
    count, seed = map(int, sys.argv[1:])
    choose = random.Random(seed)
    targets = ["gpu-emulate"] + ["cuda"] * ("AD_CUDA_DRIVER" in os.environ)
    for _ in range(count):
        entry, number, cores, tolerance = choose.choice(KINDS)
        calls = [call(choose, entry, number) for _ in range(6)]
        options = ["--tensor-cores=" + cores] if cores else []
        program = os.path.join(HERE, "wide-tiles.mlir")
        compare_targets.compare_calls(program, entry, calls, tolerance, targets=targets, options=options)
    print("%d products, compared on %s" % (6 * count, " and ".join(targets)))


if __name__ == "__main__":
    main()
