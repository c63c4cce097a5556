"""Says what Flang's FIR says in terms of memref: fir_to_memref.py < GENERIC

Reads what `flang -fc1 -emit-fir` and `fir-opt --cfg-conversion --mlir-print-op-generic` make of a program, and writes it in
upstream dialects, operation by operation. A variable is a buffer of rank 0; an array is a buffer of rank 1 with its columns
one after the other, as in memory, and an element is found by the arithmetic that Fortran prescribes. All other operations
are as Flang made them.
"""

import re
import sys

OPERATION = re.compile(
    r'^ *(?:(?P<results>%\S+) = )?"(?P<name>[\w.]+)"\((?P<operands>[^)]*)\)(?P<blocks>\[\^.*?\])?'
    r"(?P<attributes>.*) : \((?P<inputs>.*)\) -> (?P<output>.*)$"
)
# What has no meaning but for debuggers, or is part of what reads it.
LEFT_OUT = {"fir.dummy_scope", "fir.shape", "fir.embox", "fir.declare", "fir.array_coor", "fir.no_reassoc"}


def element_of(fir):
    """The element type and the sizes of what a reference leads to; None in place of a size is one that is not known."""
    inside = re.fullmatch(r"!fir\.ref<(.*)>", fir)
    inside = inside[1] if inside else fir
    array = re.fullmatch(r"!fir\.array<(.*)x(.*)>", inside)
    if array is None:
        return scalar(inside), None
    return scalar(array[2]), [None if size == "?" else int(size) for size in array[1].split("x")]


def scalar(fir):
    return "i32" if fir == "!fir.logical<4>" else fir


def type_of(fir):
    if not fir.startswith("!fir.ref"):
        return scalar(fir)
    element, sizes = element_of(fir)
    if sizes is None:
        return "memref<%s>" % element
    if None in sizes:
        return "memref<?x%s>" % element
    product = 1
    for size in sizes:
        product *= size
    return "memref<%dx%s>" % (product, element)


def types(text):
    return re.findall(r"!fir\.(?:ref<(?:[^<>]|<[^<>]*>)*>|\w+(?:<[^<>]*>)?)|\w+", text)


class Operation:
    def __init__(self, line, match):
        self.line = line
        self.name = match["name"]
        self.result = match["results"]
        self.operands = [operand for operand in match["operands"].split(", ") if operand]
        self.blocks = match["blocks"]
        self.attributes = match["attributes"]
        self.inputs = types(match["inputs"])
        self.output = match["output"]

    def segments(self):
        """The operands in groups, as the operation has them."""
        sizes = re.search(r"operandSegmentSizes = array<i32: ([\d, ]+)>", self.attributes)[1].split(", ")
        groups, next_one = [], 0
        for size in map(int, sizes):
            groups.append(self.operands[next_one : next_one + size])
            next_one += size
        return groups


class Translation:
    def __init__(self, lines):
        self.lines = [line for line in lines if line]
        self.made = {}
        self.values = 0

    def emit(self, text):
        self.values += 1
        print("    %%n%d = %s" % (self.values, text))
        return "%%n%d" % self.values

    def value(self, name):
        """A value, behind operations that only say something about it."""
        op = self.made.get(name)
        if op is not None and op.name in ("fir.declare", "fir.no_reassoc"):
            return self.value(op.operands[0])
        return name

    def place(self, reference, fir):
        """What `memref.load` and `memref.store` have between the brackets, and the type in front."""
        op = self.made.get(reference)
        if op is None or op.name != "fir.array_coor":
            return self.value(reference) + "[]", type_of(fir)
        array, shape, _, indices = op.segments()[:4]
        extents = self.made[shape[0]].operands
        offset, stride = None, None
        for dimension, index in enumerate(indices):
            index_type = op.inputs[op.operands.index(index)]
            if index_type != "index":
                index = self.emit("arith.index_cast %s : %s to index" % (index, index_type))
            step = self.emit("arith.subi %s, %%one : index" % index)
            if stride is not None:
                step = self.emit("arith.muli %s, %s : index" % (step, stride))
            offset = step if offset is None else self.emit("arith.addi %s, %s : index" % (offset, step))
            extent = extents[dimension]
            if dimension + 1 < len(indices):
                stride = extent if stride is None else self.emit("arith.muli %s, %s : index" % (stride, extent))
        return "%s[%s]" % (self.value(array[0]), offset), type_of(op.inputs[0])

    def convert(self, op):
        """A conversion, by the types."""
        value, source, target = self.value(op.operands[0]), op.inputs[0], op.output
        if source == "!fir.logical<4>" and target == "i1":
            zero = self.emit("arith.constant 0 : i32")
            return "arith.cmpi ne, %s, %s : i32" % (value, zero)
        if target == "!fir.logical<4>":
            return "arith.extui %s : i1 to i32" % value
        source, target = type_of(source), type_of(target)
        if source.startswith("memref"):
            conversion = "memref.cast"
        elif "index" in (source, target):
            conversion = "arith.index_cast"
        elif source[0] == "i" and target[0] == "f":
            conversion = "arith.sitofp"
        elif source[0] == "f" and target[0] == "i":
            conversion = "arith.fptosi"
        else:
            wider = int(target[1:]) > int(source[1:])
            kind = ("ext" if wider else "trunc") + ("f" if source[0] == "f" else "si" if wider else "i")
            conversion = "arith." + kind
        return "%s %s : %s to %s" % (conversion, value, source, target)

    def switch(self, op):
        values = [re.search(r"value = (-?\d+)", self.made[case].line)[1] for case in op.operands[1:]]
        if not re.search(r"case_tags = \[(#fir\.point, )*unit\]", op.attributes):
            sys.exit("cases that are ranges")
        blocks = op.blocks[1:-1].split(", ")
        cases = ", ".join("%s: %s" % case for case in zip(values, blocks))
        print("    cf.switch %s : %s, [default: %s, %s]" % (op.operands[0], op.inputs[0], blocks[-1], cases))

    def operation(self, op):
        if op.name in LEFT_OUT:
            return
        if op.name == "fir.alloca":
            made = re.search(r"in_type = ([^,]*(?:<[^<>]*>)?),", op.attributes)[1]
            buffer, sizes = type_of("!fir.ref<%s>" % made), op.operands
            for size in sizes[1:]:
                sizes = [self.emit("arith.muli %s, %s : index" % (sizes[0], size))]
            print("    %s = memref.alloca(%s) : %s" % (op.result, ", ".join(sizes), buffer))
        elif op.name == "fir.load":
            place, buffer = self.place(op.operands[0], op.inputs[0])
            print("    %s = memref.load %s : %s" % (op.result, place, buffer))
        elif op.name == "fir.store":
            place, buffer = self.place(op.operands[1], op.inputs[1])
            print("    memref.store %s, %s : %s" % (self.value(op.operands[0]), place, buffer))
        elif op.name == "fir.convert":
            if type_of(op.inputs[0]) == type_of(op.output) and op.output != "!fir.logical<4>":
                sys.exit("a conversion of nothing: " + op.line)
            print("    %s = %s" % (op.result, self.convert(op)))
        elif op.name == "fir.select_case":
            self.switch(op)
        elif op.name == "fir.call":
            callee = re.search(r"callee = (@\w+)", op.attributes)[1]
            result = op.result + " = " if op.result else ""
            arguments = ", ".join(self.value(operand) for operand in op.operands)
            inputs = ", ".join(map(type_of, op.inputs))
            print("    %sfunc.call %s(%s) : (%s) -> %s" % (result, callee, arguments, inputs, scalar(op.output)))
        elif op.name.startswith("fir."):
            sys.exit("no translation: " + op.line)
        else:
            print(re.sub(r"%\w+(?= |,|\))", lambda name: self.value(name[0]), op.line))

    def run(self):
        parsed = []
        for line in self.lines:
            match = OPERATION.match(line)
            if match is None:
                parsed.append(line)
                continue
            op = Operation(line, match)
            parsed.append(op)
        for start, op in enumerate(parsed):
            if isinstance(op, str):
                self.header(op, parsed[start + 1 :])
            else:
                self.operation(op)

    def header(self, line, rest):
        """The beginning or the end of a function or of a block."""
        if '"func.func"' in line:
            # Names are unique in a function only.
            self.made = {}
            for op in rest:
                if not isinstance(op, str):
                    self.made[op.result] = op
                elif '"func.func"' in op:
                    break
            name = re.search(r'sym_name = "(\w+)"', line)[1]
            inputs, output = re.search(r"function_type = \((.*?)\) -> ([^,]+)", line).groups()
            self.name, self.output, self.is_first = name, "" if output == "()" else " -> " + output, True
        elif line.lstrip().startswith("^"):
            label, arguments = re.match(r" *(\^\w+)(?:\((.*)\))?:", line).groups()
            pairs = re.findall(r"(%\w+): ([^,]+(?:<.*?>)?)(?:, |$)", arguments or "")
            arguments = ", ".join("%s: %s" % (name, type_of(fir)) for name, fir in pairs)
            if self.is_first:
                print("  func.func @%s(%s)%s {" % (self.name, arguments, self.output))
                print("    %one = arith.constant 1 : index")
            else:
                print("  %s%s:" % (label, "(%s)" % arguments if arguments else ""))
            self.is_first = False
        elif line.startswith("  }) :"):
            print("  }")
        elif "module" not in line and not line.startswith("})"):
            sys.exit("no translation: " + line)


Translation(sys.stdin.read().splitlines()).run()
