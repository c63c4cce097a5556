"""Says what Clang reads in a C program in terms of memref and cf: c_to_memref.py < AST

Reads `clang -fsyntax-only -Xclang -ast-dump=json` and writes what Clang writes without optimisation, in upstream dialects:
each variable is in memory, blocks are those of Clang, also behind `break`, `goto` and `&&`, and a pointer is a buffer of
unknown size. Only what the programs beside it have of C is known; everything else is an error.
"""

import json
import sys

SCALARS = {"double": "f64", "float": "f32", "int": "i32", "long": "i64", "void": ""}
# Functions of the C library as operations.
MATH = {
    "exp": "math.exp", "log": "math.log", "log1p": "math.log1p", "sqrt": "math.sqrt", "sin": "math.sin",
    "cos": "math.cos", "tanh": "math.tanh", "fabs": "math.absf", "pow": "math.powf",
}
FLOATS = {"+": "addf", "-": "subf", "*": "mulf", "/": "divf"}
# Integers of C are signed here, and do not overflow.
INTEGERS = {"+": "addi", "-": "subi", "*": "muli", "/": "divsi", "%": "remsi"}
WITHOUT_OVERFLOW = {"addi", "subi", "muli"}
# A comparison of floats, and of integers.
COMPARISONS = {
    "<": ("olt", "slt"), "<=": ("ole", "sle"), ">": ("ogt", "sgt"), ">=": ("oge", "sge"), "==": ("oeq", "eq"),
    "!=": ("une", "ne"),
}


def unknown(node):
    sys.exit("no translation: %s of type %s" % (node["kind"], c_type(node)))


def c_type(node):
    return node.get("type", {}).get("qualType", "")


def mlir_type(text):
    """Of a type of C; arrays are what they hold, with the sizes in front."""
    text = text.strip()
    if text in SCALARS:
        return SCALARS[text]
    if text.endswith("*"):
        return "memref<?x%s>" % mlir_type(text[:-1])
    if text.endswith("]"):
        element, sizes = text.split("[", 1)
        return "memref<%sx%s>" % ("x".join(sizes[:-1].split("][")), mlir_type(element))
    sys.exit("no translation: the type " + text)


def element(buffer):
    return buffer[7:-1].split("x")[-1].split(",")[0]


class Function:
    def __init__(self, declaration):
        self.values = self.labels = 0
        self.allocas, self.lines = [], []
        self.variables, self.targets = {}, {}
        # Where `break` and `continue` go.
        self.breaks, self.continues = [], []
        self.is_open = True
        self.declaration = declaration

    # What is written.

    def emit(self, text, lines=None):
        self.values += 1
        if self.is_open:
            (self.lines if lines is None else lines).append("  %%%d = %s" % (self.values, text))
        return "%%%d" % self.values

    def do(self, text):
        if self.is_open:
            self.lines.append("  " + text)

    def label(self):
        self.labels += 1
        return "^bb%d" % self.labels

    def go(self, target):
        self.do("cf.br " + target)
        self.is_open = False

    def branch(self, condition, then, other):
        self.do("cf.cond_br %s, %s, %s" % (condition, then, other))
        self.is_open = False

    def block(self, label):
        if self.is_open:
            self.go(label)
        self.is_open = True
        self.lines.append(label + ":")

    def constant(self, value, type):
        return self.emit("arith.constant " + (value if type == "i1" else "%s : %s" % (value, type)))

    def alloca(self, type):
        self.values += 1
        self.allocas.append("  %%%d = memref.alloca() : %s" % (self.values, type))
        return "%%%d" % self.values

    # Expressions.

    def place(self, node):
        """A buffer, its type, and the indices in it."""
        kind, inner = node["kind"], node.get("inner", [])
        if kind == "ParenExpr":
            return self.place(inner[0])
        if kind == "DeclRefExpr":
            buffer, type = self.variables[node["referencedDecl"]["id"]]
            is_array = c_type(node).endswith(("]", "*"))
            return buffer, type, [] if is_array else [self.constant(0, "index")]
        if kind == "ArraySubscriptExpr":
            buffer, type, indices = self.pointer(inner[0])
            return buffer, type, indices + [self.index(inner[1])]
        if kind == "UnaryOperator" and node["opcode"] == "*":
            buffer, type, indices = self.pointer(inner[0])
            return buffer, type, indices + [self.constant(0, "index")]
        return unknown(node)

    def pointer(self, node):
        """What a pointer leads to: a buffer, or a row of one."""
        kind, inner = node["kind"], node.get("inner", [])
        if kind in ("ParenExpr", "ImplicitCastExpr"):
            return self.pointer(inner[0])
        if kind == "UnaryOperator" and node["opcode"] == "&":
            buffer, type, _ = self.place(inner[0])
            return buffer, type, []
        if kind == "BinaryOperator" and node["opcode"] == "+":
            buffer, type, indices = self.pointer(inner[0])
            offset = self.index(inner[1])
            if indices:
                unknown(node)
            row = "memref<?x%s, strided<[1], offset: ?>>" % element(type)
            size = self.emit("memref.dim %s, %s : %s" % (buffer, self.constant(0, "index"), type))
            rest = self.emit("arith.subi %s, %s : index" % (size, offset))
            shifted = self.emit("memref.reinterpret_cast %s to offset: [%s], sizes: [%s], strides: [1] : %s to %s"
                                % (buffer, offset, rest, type, row))
            return shifted, row, []
        return self.place(node)

    def index(self, node):
        value, type = self.value(node)
        return self.emit("arith.index_cast %s : %s to index" % (value, type))

    def load(self, place):
        buffer, type, indices = place
        return self.emit("memref.load %s[%s] : %s" % (buffer, ", ".join(indices), type)), element(type)

    def store(self, value, place):
        buffer, type, indices = place
        self.do("memref.store %s, %s[%s] : %s" % (value, buffer, ", ".join(indices), type))

    def condition(self, node):
        """A value as a truth."""
        value, type = self.value(node)
        if type == "i1":
            return value
        if type[0] == "f":
            return self.emit("arith.cmpf une, %s, %s : %s" % (value, self.constant("0.0", type), type))
        return self.emit("arith.cmpi ne, %s, %s : %s" % (value, self.constant(0, type), type))

    def value(self, node):
        """A value and its type; the truth of a comparison is of type i1."""
        return getattr(self, "value_" + node["kind"], unknown)(node)

    def value_ParenExpr(self, node):
        return self.value(node["inner"][0])

    def value_IntegerLiteral(self, node):
        type = mlir_type(c_type(node))
        return self.constant(node["value"], type), type

    def value_FloatingLiteral(self, node):
        type = mlir_type(c_type(node))
        return self.constant(repr(float(node["value"])), type), type

    def value_ImplicitCastExpr(self, node):
        inner, cast = node["inner"][0], node["castKind"]
        if cast == "LValueToRValue":
            if c_type(node).endswith("*"):
                return self.pointer(inner)[:2]
            return self.load(self.place(inner))
        if cast == "ArrayToPointerDecay":
            return self.pointer(inner)[:2]
        value, source = self.value(inner)
        target = mlir_type(c_type(node))
        operation = {"IntegralToFloating": "sitofp", "FloatingToIntegral": "fptosi", "IntegralCast": "extsi"}.get(cast)
        if cast == "FloatingCast":
            operation = "extf" if target == "f64" else "truncf"
        if operation is None:
            unknown(node)
        value, source = self.number(value, source)
        return self.emit("arith.%s %s : %s to %s" % (operation, value, source, target)), target

    def value_UnaryOperator(self, node):
        inner, operator = node["inner"][0], node["opcode"]
        if operator == "-":
            value, type = self.value(inner)
            if type[0] == "f":
                return self.emit("arith.negf %s : %s" % (value, type)), type
            return self.arithmetic("-", self.constant(0, type), value, type), type
        if operator == "!":
            return self.emit("arith.xori %s, %s : i1" % (self.condition(inner), self.constant("true", "i1"))), "i1"
        if operator == "&":
            return self.pointer(node)[:2]
        if operator in ("++", "--"):
            place = self.place(inner)
            old, type = self.load(place)
            new = self.arithmetic(operator[0], old, self.constant(1, type), type)
            self.store(new, place)
            return old if node["isPostfix"] else new, type
        return unknown(node)

    def number(self, value, type):
        """A truth as a number, where one is used as such."""
        if type != "i1":
            return value, type
        return self.emit("arith.extui %s : i1 to i32" % value), "i32"

    def arithmetic(self, operator, left, right, type):
        operation = (FLOATS if type[0] == "f" else INTEGERS)[operator]
        flags = " overflow<nsw>" if operation in WITHOUT_OVERFLOW else ""
        return self.emit("arith.%s %s, %s%s : %s" % (operation, left, right, flags, type))

    def value_BinaryOperator(self, node):
        operator, (left, right) = node["opcode"], node["inner"]
        if operator in ("&&", "||"):
            return self.choice(self.condition(left), right if operator == "&&" else None,
                               right if operator == "||" else None, "i1")
        if operator == ",":
            self.value(left)
            return self.value(right)
        if operator == "=":
            value, type = self.number(*self.value(right))
            self.store(value, self.place(left))
            return value, type
        if c_type(node).endswith("*"):
            return self.pointer(node)[:2]
        left, type = self.number(*self.value(left))
        right, _ = self.number(*self.value(right))
        if operator in COMPARISONS:
            ordered, signed = COMPARISONS[operator]
            operation = "arith.cmpf " + ordered if type[0] == "f" else "arith.cmpi " + signed
            return self.emit("%s, %s, %s : %s" % (operation, left, right, type)), "i1"
        return self.arithmetic(operator, left, right, type), type

    def value_CompoundAssignOperator(self, node):
        left, right = node["inner"]
        value, type = self.number(*self.value(right))
        place = self.place(left)
        old, _ = self.load(place)
        new = self.arithmetic(node["opcode"][:-1], old, value, type)
        self.store(new, place)
        return new, type

    def value_ConditionalOperator(self, node):
        condition, then, other = node["inner"]
        return self.choice(self.condition(condition), then, other, mlir_type(c_type(node)))

    def choice(self, condition, then, other, type):
        """One of two values, of which only one is computed; without an expression, it is the condition itself."""
        branches = [self.label(), self.label()]
        end = self.label()
        self.branch(condition, *branches)
        # `a || b` is true without b, `a && b` is false.
        for label, node, known in zip(branches, (then, other), ("true", "false")):
            self.block(label)
            if node is None:
                value = self.constant(known, "i1")
            else:
                value = self.condition(node) if type == "i1" else self.value(node)[0]
            self.go("%s(%s : %s)" % (end, value, type))
        self.values += 1
        result = "%%%d" % self.values
        self.block("%s(%s: %s)" % (end, result, type))
        return result, type

    def value_CallExpr(self, node):
        callee, *arguments = node["inner"]
        while "referencedDecl" not in callee:
            callee = callee["inner"][0]
        name, values = callee["referencedDecl"]["name"], [self.number(*self.value(argument)) for argument in arguments]
        result = mlir_type(c_type(node))
        if name in MATH:
            return self.emit("%s %s : %s" % (MATH[name], ", ".join(value for value, _ in values), result)), result
        passed = []
        for value, type in values:
            if type.startswith("memref") and type != "memref<?x%s>" % element(type):
                wanted = "memref<?x%s>" % element(type)
                value, type = self.emit("memref.cast %s : %s to %s" % (value, type, wanted)), wanted
            passed.append((value, type))
        call = "func.call @%s(%s) : (%s) -> %s" % (name, ", ".join(value for value, _ in passed),
                                                  ", ".join(type for _, type in passed), result or "()")
        if result:
            return self.emit(call), result
        self.do(call)
        return None, result

    # Statements.

    def statement(self, node):
        method = getattr(self, "statement_" + node["kind"], None)
        if method is not None:
            return method(node)
        return self.value(node)

    def statement_CompoundStmt(self, node):
        for inner in node.get("inner", []):
            self.statement(inner)

    def statement_NullStmt(self, node):
        pass

    def statement_DeclStmt(self, node):
        for variable in node["inner"]:
            self.variable(variable)

    def variable(self, node):
        start = node.get("inner", [None])[0]
        if c_type(node).endswith("*"):
            # A pointer is where it was set to.
            buffer, type, indices = self.pointer(start)
            if indices:
                unknown(node)
            self.variables[node["id"]] = buffer, type
            return
        type = mlir_type(c_type(node))
        if not type.startswith("memref"):
            type = "memref<1x%s>" % type
        buffer = self.alloca(type)
        self.variables[node["id"]] = buffer, type
        if start is not None and start["kind"] == "InitListExpr":
            for position, inner in enumerate(start["inner"]):
                value, _ = self.value(inner)
                self.store(value, (buffer, type, [self.constant(position, "index")]))
        elif start is not None:
            value, _ = self.number(*self.value(start))
            self.store(value, (buffer, type, [self.constant(0, "index")]))

    def statement_IfStmt(self, node):
        condition, then, *other = node["inner"]
        labels = [self.label() for _ in node["inner"]]
        self.branch(self.condition(condition), labels[0], labels[1])
        self.block(labels[0])
        self.statement(then)
        self.open_go(labels[-1])
        if other:
            self.block(labels[1])
            self.statement(other[0])
        self.block(labels[-1])

    def open_go(self, target):
        if self.is_open:
            self.go(target)

    def loop(self, condition, body, step, begins_with_body):
        test, start, next_one, end = (self.label() for _ in range(4))
        self.go(start if begins_with_body else test)
        self.block(test)
        if condition:
            self.branch(self.condition(condition), start, end)
        else:
            self.go(start)
        self.block(start)
        self.breaks.append(end)
        self.continues.append(next_one)
        self.statement(body)
        self.breaks.pop()
        self.continues.pop()
        self.block(next_one)
        if step:
            self.value(step)
        self.go(test)
        self.block(end)

    def statement_ForStmt(self, node):
        start, _, condition, step, body = node["inner"]
        if start:
            self.statement(start)
        self.loop(condition, body, step, False)

    def statement_WhileStmt(self, node):
        condition, body = node["inner"]
        self.loop(condition, body, None, False)

    def statement_DoStmt(self, node):
        body, condition = node["inner"]
        self.loop(condition, body, None, True)

    def statement_BreakStmt(self, node):
        self.open_go(self.breaks[-1])

    def statement_ContinueStmt(self, node):
        self.open_go(self.continues[-1])

    def target(self, declaration):
        if declaration not in self.targets:
            self.targets[declaration] = self.label()
        return self.targets[declaration]

    def statement_GotoStmt(self, node):
        self.open_go(self.target(node["targetLabelDeclId"]))

    def statement_LabelStmt(self, node):
        self.block(self.target(node["declId"]))
        self.statement(node["inner"][0])

    def statement_SwitchStmt(self, node):
        flag, body = node["inner"]
        value, type = self.value(flag)
        cases, default, end = [], self.label(), self.label()
        has_default = False
        place = len(self.lines)
        self.is_open = False
        self.breaks.append(end)
        for inner in body["inner"]:
            # A case of a case, and the first statement behind it.
            while inner["kind"] in ("CaseStmt", "DefaultStmt"):
                if inner["kind"] == "CaseStmt":
                    number, following = inner["inner"]
                    label = self.label()
                    cases.append("%s: %s" % (number["inner"][0]["value"], label))
                else:
                    (following,), label, has_default = inner["inner"], default, True
                self.block(label)
                inner = following
            self.statement(inner)
        self.breaks.pop()
        self.block(end)
        targets = ["default: " + (default if has_default else end)] + cases
        self.lines.insert(place, "  cf.switch %s : %s, [%s]" % (value, type, ", ".join(targets)))

    def statement_ReturnStmt(self, node):
        if "inner" in node:
            value, type = self.number(*self.value(node["inner"][0]))
            self.store(value, (self.result, "memref<1x%s>" % type, [self.constant(0, "index")]))
        self.open_go("^end")

    def run(self):
        node = self.declaration
        result = mlir_type(c_type(node).split("(")[0])
        parameters = [inner for inner in node["inner"] if inner["kind"] == "ParmVarDecl"]
        arguments = []
        for position, parameter in enumerate(parameters):
            type = mlir_type(c_type(parameter))
            arguments.append("%%arg%d: %s" % (position, type))
            if type.startswith("memref"):
                self.variables[parameter["id"]] = "%%arg%d" % position, type
            else:
                buffer = self.alloca("memref<1x%s>" % type)
                self.variables[parameter["id"]] = buffer, "memref<1x%s>" % type
                self.store("%%arg%d" % position, (buffer, "memref<1x%s>" % type, [self.constant(0, "index")]))
        if result:
            self.result = self.alloca("memref<1x%s>" % result)
        self.statement(node["inner"][-1])
        self.block("^end")
        if result:
            value, _ = self.load((self.result, "memref<1x%s>" % result, [self.constant(0, "index")]))
            self.do("return %s : %s" % (value, result))
        else:
            self.do("return")
        print("func.func @%s(%s)%s {" % (node["name"], ", ".join(arguments), " -> " + result if result else ""))
        print("\n".join(self.allocas + self.lines) + "\n}")


def main():
    for node in json.load(sys.stdin)["inner"]:
        if node["kind"] == "FunctionDecl" and node.get("inner", [{}])[-1].get("kind") == "CompoundStmt":
            Function(node).run()


main()
