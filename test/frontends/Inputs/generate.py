"""Writes NAME.c.mlir and NAME.f90.mlir beside each program again: generate.py [--check] [FOLDER]

The folder has `flang-22` and `fir-opt` (Debian's package flang-22); without it, the Fortran programs are left. Clang is
`clang` of LLVM 22. --check writes nothing and says which files would change.
"""

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CLANG = ["clang", "-fsyntax-only", "-Xclang", "-ast-dump=json"]
CLANG_NOTE = "// What clang 22.1.8 reads in %s, written by c_to_memref.py.\n"
FLANG_NOTE = "// What flang 22.1.8 makes of %s without optimisation, written by fir_to_memref.py.\n"


def run(command, text=None):
    return subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True).stdout


def from_c(path):
    return run([sys.executable, os.path.join(HERE, "c_to_memref.py")], run([*CLANG, path]))


def from_fortran(path, folder):
    fir = run([os.path.join(folder, "flang-22"), "-fc1", "-emit-fir", "-O0", path, "-o", "-"])
    blocks = run([os.path.join(folder, "fir-opt"), "--cfg-conversion", "--mlir-print-op-generic"], fir)
    memref = run([sys.executable, os.path.join(HERE, "fir_to_memref.py")], blocks)
    # Without the module around it, so that files can be put together.
    lines = run(["mlir-opt-22"], memref).strip().splitlines()[1:-1]
    return "".join(line.removeprefix("  ") + "\n" for line in lines if line)


def main(arguments):
    check = "--check" in arguments
    folder = next((argument for argument in arguments if argument != "--check"), None)
    differ = 0
    for name in sorted(os.listdir(HERE)):
        path = os.path.join(HERE, name)
        if name.endswith(".c"):
            text = CLANG_NOTE % name + from_c(path)
        elif name.endswith(".f90") and folder is not None:
            text = FLANG_NOTE % name + from_fortran(path, folder)
        else:
            continue
        if check:
            with open(path + ".mlir") as file:
                if file.read() != text:
                    differ += 1
                    print("differs:", name)
        else:
            with open(path + ".mlir", "w") as file:
                file.write(text)
    print("%d files differ" % differ if check else "written")


if __name__ == "__main__":
    main(sys.argv[1:])
