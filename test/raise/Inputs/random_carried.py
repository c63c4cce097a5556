"""Random loops that carry sums, products, extrema, counts, histograms and arrays that they fill: random_carried.py COUNT SEED

Each loop, and its derivative, has to have the same values on an emulated GPU, where it becomes maps and reductions, as on one
thread of the CPU, where it stays; for several ranges. A few of the loops need their iterations in order. Exits with status 1 if
values differ, or if too few loops were replaced.
"""

import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "bench", "Inputs"))
import compare_targets  # noqa: E402
import random_npy  # noqa: E402

OPERATION = {"sum": "addf", "product": "mulf", "greatest": "maximumf", "least": "minimumf", "count": "addi"}
START = {"sum": "%one", "product": "%one", "greatest": "%low", "least": "%one", "count": "%n1", "fill": "%xs", "histogram": "%h"}
# Elements, lower bound, upper bound, step.
RANGES = [(50, 0, 50, 1), (50, 3, 40, 3), (0, 0, 0, 1), (1, 0, 1, 1), (50, 7, 2, 1)]
ARGUMENTS = "%xs: tensor<?xf64>, %h: tensor<?xf64>, %ks: tensor<?xindex>, %lb: index, %ub: index, %st: index"
TYPES = "tensor<?xf64>, tensor<?xf64>, tensor<?xindex>, index, index, index"


def type_of(kind):
    return {"count": "i64", "fill": "tensor<?xf64>", "histogram": "tensor<?xf64>"}.get(kind, "f64")


class Loop:
    """A loop that is being written."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = 0
        self.floats = ["%x"]

    def chance(self, probability):
        return self.random.random() < probability

    def name(self):
        self.names += 1
        return "%%v%d" % self.names

    def value(self, lines):
        """A number that lines compute, or one that there is."""
        for _ in range(self.random.randint(0, 2)):
            name, a, b = self.name(), self.random.choice(self.floats), self.random.choice(self.floats)
            one = "math.%s %s" % (self.random.choice(["sin", "tanh"]), a)
            two = "arith.%s %s, %s" % (self.random.choice(["addf", "mulf"]), a, b)
            lines.append("%s = %s : f64" % (name, self.random.choice([one, two])))
            self.floats.append(name)
        return self.random.choice(self.floats)

    def combined(self, kind, carried, depth, lines):
        """What is carried combined with other numbers, some of them by branches or a choice."""
        operation, scalar = OPERATION[kind], type_of(kind)
        for _ in range(self.random.randint(1, 2)):
            condition, made = self.random.choice(["%p", "%q"]), self.name()
            term = "%n1" if kind == "count" else self.value(lines)
            how = self.random.random() if depth > 0 else 0
            if how < 0.7:
                if kind == "sum" and self.chance(0.2):
                    lines.append("%s = arith.subf %s, %s : f64" % (made, carried, term))
                else:
                    pair = self.random.sample([carried, term], 2)
                    lines.append("%s = arith.%s %s, %s : %s" % (made, operation, *pair, scalar))
                if how > 0.5:
                    pair, chosen = self.random.sample([carried, made], 2), self.name()
                    lines.append("%s = arith.select %s, %s, %s : %s" % (chosen, condition, *pair, scalar))
                    made = chosen
            else:
                lines.append("%s = scf.if %s -> (%s) {" % (made, condition, scalar))
                both = [self.branch(kind, carried, depth), ([], carried)]
                if self.chance(0.5):
                    both[1] = self.branch(kind, carried, depth)
                if self.chance(0.05):
                    both[1] = ([], START[kind])  # Begins anew.
                self.random.shuffle(both)
                for at, (inner, result) in enumerate(both):
                    lines += ["} else {"] * at + inner + ["scf.yield %s : %s" % (result, scalar)]
                lines.append("}")
            carried = made
        return carried

    def branch(self, kind, carried, depth):
        known, lines = list(self.floats), []
        result = self.combined(kind, carried, depth - 1, lines)
        self.floats = known
        return lines, result

    def inserted(self, place, carried, value, lines):
        made = self.name()
        lines.append("%s = tensor.insert %s into %s[%s] : tensor<?xf64>" % (made, value, carried, place))
        return made

    def read(self, place, carried, lines):
        element = self.name()
        lines.append("%s = tensor.extract %s[%s] : tensor<?xf64>" % (element, carried, place))
        return element

    def part(self, kind, carried, lines):
        """What is carried next."""
        if kind in OPERATION:
            if kind == "sum" and self.chance(0.05):
                self.floats.append(carried)  # Something else reads it.
            return self.combined(kind, carried, 2, lines)
        if kind == "fill":
            if self.chance(0.4):
                self.floats.append(self.read("%i", carried, lines))
            return self.inserted("%i", carried, self.value(lines), lines)
        value, old, made = self.value(lines), self.read("%k", carried, lines), self.name()
        lines.append("%s = arith.%s %s, %s : f64" % (made, self.random.choice(["addf", "subf"]), old, value))
        return self.inserted("%k", carried, made, lines)


def program(seed):
    """The text of a function with a loop and of its derivative."""
    loop = Loop(seed)
    kinds = ["sum"] + [loop.random.choice(list(START)) for _ in range(loop.random.randint(0, 2))]
    names, lines = ["%%c%d" % at for at in range(len(kinds))], []
    ends = ", ".join([loop.part(kind, name, lines) for kind, name in zip(kinds, names)])
    types = ", ".join(map(type_of, kinds))
    starts = ", ".join("%s = %s" % (name, START[kind]) for kind, name in zip(kinds, names))
    floats = [kind for kind in kinds if kind != "count"]
    seeds = ", ".join(START[kind] if kind in ("fill", "histogram") else "%one" for kind in floats)
    results = lambda count: ", ".join("%%r#%d" % at for at in range(count))  # noqa: E731
    both = types + ", tensor<?xf64>, tensor<?xf64>"
    return f"""func.func @loop({ARGUMENTS}) -> ({types}) {{
  %one = arith.constant 1.0 : f64
  %low = arith.constant -0.3 : f64
  %zero = arith.constant 0.0 : f64
  %n1 = arith.constant 1 : i64
  %r:{len(kinds)} = scf.for %i = %lb to %ub step %st iter_args({starts}) -> ({types}) {{
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %k = tensor.extract %ks[%i] : tensor<?xindex>
    %p = arith.cmpf ogt, %x, %zero : f64
    %q = arith.cmpf olt, %x, %low : f64
    {chr(10).join(lines)}
    scf.yield {ends} : {types}
  }}
  return {results(len(kinds))} : {types}
}}
func.func @gradient({ARGUMENTS}) -> ({both}) {{
  %one = arith.constant 1.0 : f64
  %r:{len(kinds) + 2} = ad.vjp @loop(%xs, %h, %ks, %lb, %ub, %st) seed({seeds}) {{wrt = array<i64: 0, 1>}}
      : ({TYPES}), ({", ".join(map(type_of, floats))}) -> ({both})
  return {results(len(kinds) + 2)} : {both}
}}
"""


def is_raised(path):
    """Whether a loop becomes a map."""
    command = ["ad-opt", path, "--pass-pipeline=builtin.module(raise-to-soac{loops=any-order})"]
    return "soac.map" in subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def main(count, seed):
    raised = 0
    with tempfile.TemporaryDirectory() as folder:
        for size in (0, 1, 50):
            random_npy.main("%s/x%d.npy" % (folder, size), "<f8", "(%d,)" % size, -1, 1, 3)
            random_npy.main("%s/k%d.npy" % (folder, size), "<i8", "(%d,)" % size, 0, 4, 4)
        random_npy.main(folder + "/h.npy", "<f8", "(4,)", -1, 1, 5)
        calls = ["{0}/x{1}.npy {0}/h.npy {0}/k{1}.npy {2} {3} {4}".format(folder, *bounds) for bounds in RANGES]
        for number in range(int(seed), int(seed) + int(count)):
            path = "%s/%d.mlir" % (folder, number)
            with open(path, "w") as file:
                file.write(program(number))
            raised += is_raised(path)
            for entry in ("loop", "gradient"):
                try:
                    compare_targets.compare_calls(path, entry, calls, 1e-12, options=["--emulate-races=false"])
                except SystemExit as wrong:
                    sys.exit("seed %d: %s\n%s" % (number, wrong, program(number)))
    print("%s loops, %d of which were replaced" % (count, raised))
    sys.exit(raised < int(count) // 2)


if __name__ == "__main__":
    main(*sys.argv[1:])
