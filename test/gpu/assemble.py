"""Assembles the kernels of a module of gpu.binary with PTX by NVIDIA's assembler, and compares what they take with a
budget: assemble.py PTXAS NAME BUDGET.json < MODULE

Prints, by architecture, the number of kernels, the most registers of a thread and the most bytes of shared memory of a
block. Exits with status 1 if a kernel is refused or spills registers, or takes more than the budget says. With WRITE_BUDGET
in the environment, the budget is set to what was found.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

ARCHITECTURES = ["sm_80", "sm_90"]


def kernels(module):
    """The texts of all kernels: strings in which bytes may be written as two hexadecimal digits."""
    for match in re.finditer(r'assembly = "((?:[^"\\]|\\.)*)"', module):
        text = re.sub(r"\\([0-9A-F]{2})", lambda code: chr(int(code.group(1), 16)), match.group(1))
        yield text.replace("\\\\", "\\").rstrip("\0")


def assemble(ptxas, architecture, text):
    """What the assembler says of a kernel: registers, and bytes of shared memory and of spilled registers."""
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(text)
        file.flush()
        command = [ptxas, "-arch=" + architecture, "-v", file.name, "-o", os.devnull]
        run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit("refused for %s:\n%s" % (architecture, run.stderr))

    def most(pattern):
        return max((int(number) for number in re.findall(pattern, run.stderr)), default=0)

    return most(r"Used (\d+) registers"), most(r"(\d+) bytes smem"), most(r"(\d+) bytes spill")


def main():
    ptxas, name, path = sys.argv[1:]
    with open(path) as file:
        budget = json.load(file)
    texts = list(kernels(sys.stdin.read()))
    if not texts:
        sys.exit("%s has no kernels" % name)
    found = {}
    for architecture in ARCHITECTURES:
        figures = [assemble(ptxas, architecture, text) for text in texts]
        registers, shared, spilled = (max(column) for column in zip(*figures))
        found[architecture] = {"registers": registers, "shared": shared}
        print("%s %s: %d kernels, %d registers, %d bytes shared" % (name, architecture, len(texts), registers, shared))
        if spilled:
            sys.exit("%s: kernels for %s spill registers" % (name, architecture))
    if os.environ.get("WRITE_BUDGET"):
        budget[name] = found
        with open(path, "w") as file:
            json.dump(budget, file, indent=2, sort_keys=True)
            file.write("\n")
        return
    for architecture, figures in found.items():
        for figure, value in figures.items():
            allowed = budget.get(name, {}).get(architecture, {}).get(figure, -1)
            if value > allowed:
                sys.exit("%s for %s: %d %s, the budget is %d" % (name, architecture, value, figure, allowed))


if __name__ == "__main__":
    main()
