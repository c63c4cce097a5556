"""Checks the derivatives of programs again, with their structured control flow lowered to blocks: as_blocks.py FOLDER SCRATCH

Of each file in the folder, the commands `ad-opt check %s` in its RUN lines are run on what `--convert-scf-to-cf` makes of
it, with the inputs that the lines before them write, each once and by the interpreter. Prints the files that cannot be lowered, as combinators have one block
each, and what fails; exits with status 1 if anything does.
"""

import os
import re
import subprocess
import sys


def expand(line, definitions, folder, scratch):
    """A RUN line with lit's substitutions."""
    for _ in range(3):
        for name, value in definitions:
            line = line.replace(name, value)
    return line.replace("%python", sys.executable).replace("%S", folder).replace("%t", scratch)


def checks(path, scratch):
    """How many checks of a file agree, and what is said of those that do not; None if it cannot be lowered."""
    with open(path) as file:
        text = file.read()
    commands = re.findall(r"// RUN: (.*)", text)
    if "scf." not in text or not any("ad-opt check %s" in command for command in commands):
        return 0, []
    blocks = scratch + ".mlir"
    lower = ["ad-opt", path, "--convert-scf-to-cf", "-o", blocks]
    if subprocess.run(lower, capture_output=True).returncode != 0:
        return None
    definitions = re.findall(r"// DEFINE: (%\{\w+\}) = (.*)", text)
    agree, wrong, done = 0, [], set()
    for line in commands:
        command = expand(line, definitions, os.path.dirname(path), scratch)
        if command.startswith("ad-opt check %s"):
            command = command.replace("%s", blocks).split("|")[0].replace("--engine=interpreter", "").strip()
            if command in done:
                continue
            done.add(command)
            command += " --engine=interpreter"
            run = subprocess.run(command, shell=True, capture_output=True, text=True)
            agree += run.returncode == 0
            if run.returncode != 0:
                wrong.append("%s: %s\n%s" % (os.path.basename(path), command, run.stdout + run.stderr))
        # What writes inputs.
        elif line.startswith("%python"):
            subprocess.run(command, shell=True, check=True)
    return agree, wrong


def main():
    folder, scratch = sys.argv[1:]
    agree, wrong = 0, []
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".mlir"):
            continue
        found = checks(os.path.join(folder, name), scratch)
        if found is None:
            print("not lowered:", name)
            continue
        agree += found[0]
        wrong += found[1]
    print("\n".join(wrong))
    print("%d checks agree, %d do not" % (agree, len(wrong)))
    sys.exit(bool(wrong))


main()
