"""Random programs of loops over buffers: random_loops.py AD-OPT FOLDER COUNT SEED

Each has nests of loops, perfect or not, in order or parallel, that store, add and subtract at the numbers of loops, beside them,
at computed places and at fixed ones, in branches, too. Every other program has flat buffers, the rows of which may overlap.
Tangent and gradient are compared with those of the same program in blocks, which keep what they overwrite on tapes, and of two
in four with the code for a GPU, emulated. What differs stays in the folder. Ends with `N programs agree, N do not`.
"""

import os
import random
import re
import subprocess
import sys

# Rows and columns of the buffers; loops run over fewer, so that neighbours are there.
SIZE = 7
BUFFERS = ["a", "b", "c"]
NUMBER = re.compile(r"-?(?:inf|nan|\d+(?:\.\d+)?(?:e[-+]?\d+)?)")


def is_flat(seed):
    """Whether the buffers of a program have one dimension."""
    return seed % 2 == 1


class Program:
    """A function that is being written, line by line."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.is_flat = is_flat(seed)
        sizes = "?" if self.is_flat else "?x?"
        self.buffer, self.array = f"memref<{sizes}xf64>", f"tensor<{sizes}xf64>"
        self.lines = []
        self.count = 0

    def chance(self, probability):
        return self.random.random() < probability

    def name(self, stem):
        self.count += 1
        return f"%{stem}{self.count}"

    def line(self, text):
        self.lines.append(f"  {text}")

    def value(self, operation):
        name = self.name("v")
        self.line(f"{name} = {operation}")
        return name

    def index(self, numbers):
        """An index that is in a buffer, given the numbers of the loops around."""
        kind = self.random.choice(["number"] * 6 + ["next", "reversed", "rest", "fixed"])
        if not numbers or kind == "fixed":
            return self.random.choice(["%c0", "%c1", "%c2"])
        number = self.random.choice(numbers)
        if kind == "next":
            return self.value(f"arith.addi {number}, %c1 : index")
        if kind == "reversed":
            return self.value(f"arith.subi %last, {number} : index")
        return self.value(f"arith.remui {number}, %c3 : index") if kind == "rest" else number

    def at(self, numbers):
        if self.is_flat and len(numbers) > 1 and self.chance(0.8):
            return self.random.sample(numbers, 2)
        return [self.index(numbers), self.index(numbers)]

    def place(self, buffer, at):
        if self.is_flat:
            row = self.value(f"arith.muli {at[0]}, %width : index")
            at = [self.value(f"arith.addi {row}, {at[1]} : index")]
        return f"%{buffer}[{', '.join(at)}] : {self.buffer}"

    def load(self, buffer, at):
        place = self.place(buffer, at)
        return self.value(f"memref.load {place}")

    def store(self, value, buffer, at):
        place = self.place(buffer, at)
        self.line(f"memref.store {value}, {place}")

    def expression(self, numbers, readable):
        """A number, of one or two that are read."""

        def read():
            buffer = self.random.choice(readable)
            return self.load(buffer, self.at(numbers))

        value = read()
        if self.chance(0.6):
            value = self.value(f"math.sin {value} : f64")
        if self.chance(0.6):
            other = self.value(f"math.cos {read()} : f64")
            value = self.value(f"arith.mulf {value}, {other} : f64")
        return self.value(f"arith.mulf {value}, %half : f64")

    def add(self, numbers, buffer, at, readable):
        """Adds something to an element, or subtracts it."""
        is_first = self.chance(0.5)
        old = self.load(buffer, at) if is_first else None
        value = self.expression(numbers, readable)
        old = old or self.load(buffer, at)
        kind = self.random.choice(["add", "add", "sub"])
        operands = [old, value] if kind == "sub" or is_first else [value, old]
        self.store(self.value(f"arith.{kind}f {', '.join(operands)} : f64"), buffer, at)

    def statement(self, numbers, depth):
        if self.is_flat and len(numbers) == 1 and depth and self.chance(0.6):
            self.loop(numbers, depth)
            return
        kinds = ["store"] * 3 + ["add"] * 3 + ["branch"] + ["loop"] * (4 if depth else 0)
        kind = self.random.choice(kinds)
        buffer = self.random.choice(BUFFERS)
        if kind == "loop":
            self.loop(numbers, depth)
        elif kind == "branch":
            condition = self.value(f"arith.cmpi sgt, {self.random.choice(numbers)}, %c1 : index")
            self.line(f"scf.if {condition} {{")
            self.statement(numbers, 0)
            self.line("}")
        else:
            at = self.at(numbers)
            if kind == "add":
                self.add(numbers, buffer, at, BUFFERS)
            else:
                self.store(self.expression(numbers, BUFFERS), buffer, at)

    def loop(self, numbers, depth):
        if self.chance(0.25):
            self.parallel(numbers)
            return
        number = self.name("i")
        start, step = self.random.choice(["%c0", "%c0", "%c1"]), self.random.choice(["%c1"] * 4 + ["%c2"])
        self.line(f"scf.for {number} = {start} to %n step {step} {{")
        for _ in range(self.random.choice([1, 1, 2, 3])):
            self.statement(numbers + [number], depth - 1)
        self.line("}")

    def parallel(self, numbers):
        """A parallel loop: each iteration writes to an element of its own, which no other one reads."""
        own = [self.name("i"), self.name("i")]
        target = self.random.choice(BUFFERS)
        others = [buffer for buffer in BUFFERS if buffer != target]
        at = self.random.sample(own, 2)
        numbers = numbers + own
        self.line(f"scf.parallel ({', '.join(own)}) = (%c0, %c1) to (%n, %n) step (%c1, %c1) {{")
        if self.chance(0.7):
            self.store(self.expression(numbers, others), target, at)
        if self.chance(0.5):
            number = self.name("i")
            self.line(f"scf.for {number} = %c0 to %n step %c1 {{")
            self.add(numbers + [number], target, at, others)
            self.line("}")
        if self.chance(0.5):
            self.add(numbers, target, at, others)
        self.line("scf.reduce")
        self.line("}")

    def text(self):
        for _ in range(self.random.choice([1, 1, 2])):
            self.loop([], 3)
        arguments = ", ".join(f"%{buffer}: {self.buffer}" for buffer in BUFFERS)
        constants = [f"  %c{n} = arith.constant {n} : index" for n in range(4)]
        constants += ["  %half = arith.constant 0.5 : f64", "  %last = arith.subi %n, %c1 : index"]
        if self.is_flat:
            widths = ["addi %n, %c0"] * 3 + ["addi %n, %c1", "addi %n, %c2", f"constant {SIZE}"]
            # No parallel loop may write twice to one element.
            widths += ["subi %n, %c1"] * ("scf.parallel" not in "".join(self.lines))
            constants.append(f"  %width = arith.{self.random.choice(widths)} : index")
        body = "\n".join(constants + self.lines)
        function = f"func.func private @f({arguments}, %n: index) {{\n{body}\n  return\n}}\n"
        # No parallel loop may read what it writes by another name.
        may_be_one = "scf.parallel" not in body and self.chance(0.2)
        given = ["a", "a", "c"] if may_be_one else BUFFERS
        return function + "".join(self.entry(mode, given) for mode in ("jvp", "vjp"))

    def entry(self, mode, given):
        """A function that asks for a derivative, with buffers of its own."""
        names = BUFFERS + [f"d{buffer}" for buffer in BUFFERS]
        size = SIZE * SIZE if self.is_flat else SIZE
        sizes = "%size" if self.is_flat else "%size, %size"
        lines = [f"  %size = arith.constant {size} : index"]
        for name in names:
            lines.append(f"  %{name} = memref.alloc({sizes}) : {self.buffer}")
            lines.append(
                f"  bufferization.materialize_in_destination %x{name} in restrict writable %{name} : ({self.array}, {self.buffer}) -> ()"
            )
        operands, seeds = (", ".join(f"%{prefix}{buffer}" for buffer in given) for prefix in ("", "d"))
        types = ", ".join([self.buffer] * 3)
        lines.append(f"  ad.{mode} @f({operands}, %n) seed({seeds}) : ({types}, index), ({types}) -> ()")
        for name in names:
            lines.append(f"  %y{name} = bufferization.to_tensor %{name} restrict : {self.buffer} to {self.array}")
        arrays = ", ".join([self.array] * 6)
        lines.append(f"  return {', '.join(f'%y{name}' for name in names)} : {arrays}")
        arguments = ", ".join(f"%x{name}: {self.array}" for name in names)
        body = "\n".join(lines)
        return f"func.func @{mode}({arguments}, %n: index) -> ({arrays}) {{\n{body}\n}}\n"


def write_inputs(folder, flat):
    """Writes arrays of numbers between -1 and 1; returns the options that name them."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../bench/Inputs/random_npy.py")
    paths = [os.path.join(folder, f"{'flat' if flat else 'rows'}.{k}.npy") for k in range(6)]
    shape = f"({SIZE * SIZE},)" if flat else f"({SIZE}, {SIZE})"
    for k, path in enumerate(paths):
        subprocess.run([sys.executable, script, path, "<f8", shape, "-1", "1", str(k)], check=True)
    return [f"--input={path}" for path in paths]


def results(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(f"exit status {done.returncode}: {done.stderr[-300:]}")
    return [float(number) for number in NUMBER.findall(done.stdout)]


def are_close(one, other):
    def is_close(x, y):
        return x == y or x != x and y != y or abs(x - y) <= 1e-9 * max(1, abs(x))

    return len(one) == len(other) and all(is_close(x, y) for x, y in zip(one, other))


def check(tool, folder, inputs, seed):
    """What is wrong with a program, if anything."""
    path, blocks = os.path.join(folder, f"{seed}.mlir"), os.path.join(folder, f"{seed}.blocks.mlir")
    with open(path, "w") as file:
        file.write(Program(seed).text())
    subprocess.run([tool, path, "--convert-scf-to-cf", "--ad-differentiate", "-o", blocks], check=True)
    wrong = []
    for mode in ("jvp", "vjp"):
        call = [f"--entry={mode}", *inputs, f"--input={seed % (SIZE - 1)}"]
        try:
            own = results([tool, "run", path, *call])
            if not are_close(own, results([tool, "run", blocks, *call])):
                wrong.append(f"{mode} differs from that of blocks")
            if seed % 4 < 2 and not are_close(own, results([tool, "run", path, *call, "--target=gpu-emulate"])):
                wrong.append(f"{mode} differs on a GPU")
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            wrong.append(f"{mode}: {error}")
    os.remove(blocks)
    if not wrong:
        os.remove(path)
    return wrong


def main(tool, folder, count, first):
    os.makedirs(folder, exist_ok=True)
    inputs = [write_inputs(folder, flat) for flat in (False, True)]
    failed = 0
    for seed in range(int(first), int(first) + int(count)):
        wrong = check(tool, folder, inputs[is_flat(seed)], seed)
        failed += bool(wrong)
        for text in wrong:
            print(f"{os.path.join(folder, str(seed))}.mlir: {text}", flush=True)
    print(f"{int(count) - failed} programs agree, {failed} do not")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
