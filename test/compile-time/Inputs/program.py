"""Prints a module with a function of N operations and a request for its gradient: program.py KIND N.

scalars: one long block of arithmetic
maps:    a chain of maps over arrays, three operations in each
tuples:  a chain of maps with two results, both of which the next one reads, beside a scan
calls:   functions of eight operations, each called once
branches: blocks that come together again, each behind the other
nest:    loops in each other
choices: branches that each make an array of that of the branch before; no gradient
carried: a loop that carries an array through operations that each read the two before
stencils: a chain of arrays of the tensor language that each read two elements of the one before
loops:   loops behind each other, which change an array in its place, in a loop; no gradient
"""

import sys

REQUEST = """func.func @gradient(%x: {type}, %w: {type}) -> ({type}, {type}) {{
  %one = arith.constant 1.0 : f64
  %y, %x_bar, %w_bar = ad.vjp @f(%x, %w) seed(%one)
      : ({type}, {type}), (f64) -> (f64, {type}, {type})
  return %x_bar, %w_bar : {type}, {type}
}}"""

MAP = """  %v{i} = soac.map ins({v}, %w : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {{
    %p = arith.mulf %a, %b : f64
    %t = math.tanh %p : f64
    %s = arith.addf %t, %a : f64
    soac.yield %s : f64
  }}"""

SUM = """  %zero = arith.constant 0.0 : f64
  %r = soac.reduce ins({v} : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {{
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }}
  return %r : f64
}}"""


HEAD = """func.func @f(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%a0 = %x) -> tensor<?xf64> {"""

LOOP = """    %a{next} = scf.for %s{k} = %c0 to %n step %c1 iter_args(%b{k} = %a{k}) -> tensor<?xf64> {{
      %e{k} = scf.for %i = %c0 to %n step %c1 iter_args(%b = %b{k}) -> tensor<?xf64> {{
        %u = tensor.extract %b[%i] : tensor<?xf64>
        %v = math.sin %u : f64
        %less = arith.cmpi slt, %i, %t : index
        %d = scf.if %less -> tensor<?xf64> {{
          %c = tensor.insert %v into %b[%t] : tensor<?xf64>
          scf.yield %c : tensor<?xf64>
        }} else {{
          scf.yield %b : tensor<?xf64>
        }}
        scf.yield %d : tensor<?xf64>
      }}
      scf.yield %e{k} : tensor<?xf64>
    }}"""


def scalars(count):
    yield "func.func private @f(%x: f64, %w: f64) -> f64 {"
    values = ["%x", "%w"]
    operations = ["arith.mulf", "arith.addf", "arith.subf", "math.sin", "math.tanh", "arith.mulf"]
    for i in range(count):
        operation = operations[i % len(operations)]
        right = "" if operation.startswith("math") else f", {values[-2 if i % 7 else 1]}"
        yield f"  %v{i} = {operation} {values[-1]}{right} : f64"
        values.append(f"%v{i}")
    yield f"  return {values[-1]} : f64\n}}"


def maps(count):
    yield "func.func private @f(%x: tensor<?xf64>, %w: tensor<?xf64>) -> f64 {"
    v = "%x"
    for i in range(count // 4):
        yield MAP.format(i=i, v=v)
        v = f"%v{i}"
    yield SUM.format(v=v)


TUPLES = """  %v{i}:2 = soac.map ins({v} : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> (tensor<?xf64>, tensor<?xf64>) {{
    %p = arith.mulf %a, %b : f64
    %s = arith.addf %b, %a : f64
    soac.yield %p, %s : f64, f64
  }}"""


def tuples(count):
    yield "func.func private @f(%x: tensor<?xf64>, %w: tensor<?xf64>) -> f64 {"
    yield """  %zero = arith.constant 0.0 : f64
  %sums = soac.scan ins(%w : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }"""
    v = "%x, %w"
    for i in range(count):
        yield TUPLES.format(i=i, v=v)
        v = f"%v{i}#0, %v{i}#1"
    yield f"""  %both = soac.map ins({v}, %sums : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64, %s: f64) -> tensor<?xf64> {{
    %p = arith.mulf %a, %b : f64
    %q = arith.mulf %p, %s : f64
    soac.yield %q : f64
  }}"""
    yield SUM.format(v="%both").replace("  %zero = arith.constant 0.0 : f64\n", "")


def calls(count):
    for k in range(count // 10):
        yield f"func.func private @f{k}(%x: f64, %w: f64) -> f64 {{"
        v = "%x"
        for i in range(8):
            yield f"  %v{i} = arith.{'mulf' if i % 2 else 'addf'} {v}, %w : f64"
            v = f"%v{i}"
        yield f"  return {v} : f64\n}}"
    yield "func.func private @f(%x: f64, %w: f64) -> f64 {"
    v = "%x"
    for k in range(count // 10):
        yield f"  %c{k} = func.call @f{k}({v}, %w) : (f64, f64) -> f64"
        v = f"%c{k}"
    yield f"  return {v} : f64\n}}"


def loops(count):
    yield HEAD
    for k in range(count):
        yield LOOP.format(k=k, next=k + 1)
    yield f"    scf.yield %a{count} : tensor<?xf64>\n  }}\n  return %r : tensor<?xf64>\n}}"


def branches(count):
    yield "func.func private @f(%x: f64, %w: f64) -> f64 {\n  cf.br ^b0(%x : f64)"
    for k in range(count // 5):
        yield f"""^b{k}(%v{k}: f64):
  %s{k} = math.sin %v{k} : f64
  %c{k} = arith.cmpf ogt, %s{k}, %w : f64
  cf.cond_br %c{k}, ^b{k + 1}(%s{k} : f64), ^t{k}
^t{k}:
  %e{k} = math.exp %s{k} : f64
  cf.br ^b{k + 1}(%e{k} : f64)"""
    k = count // 5
    yield f"^b{k}(%v{k}: f64):\n  return %v{k} : f64\n}}"


def choices(count):
    yield "func.func @f(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {"
    v = "%x"
    for k in range(count):
        yield f"""  %k{k} = arith.constant {k} : index
  %c{k} = arith.cmpi ugt, %n, %k{k} : index
  %v{k} = scf.if %c{k} -> tensor<?xf64> {{
    %p{k} = arith.mulf {v}, {v} : tensor<?xf64>
    scf.yield %p{k} : tensor<?xf64>
  }} else {{
    %q{k} = math.sin {v} : tensor<?xf64>
    scf.yield %q{k} : tensor<?xf64>
  }}"""
        v = f"%v{k}"
    yield f"  return {v} : tensor<?xf64>\n}}"


def carried(count):
    yield """func.func private @f(%x: tensor<?xf64>, %w: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %l = scf.for %i = %c0 to %c3 step %c1 iter_args(%v0 = %x) -> tensor<?xf64> {
  %v1 = arith.mulf %v0, %v0 : tensor<?xf64>"""
    for k in range(2, count):
        yield f"  %v{k} = arith.mulf %v{k - 1}, %v{k - 2} : tensor<?xf64>"
    yield f"  scf.yield %v{count - 1} : tensor<?xf64>\n  }}"
    yield SUM.format(v="%l")


def nest(count):
    yield """func.func private @f(%x: f64, %w: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index"""
    v = "%x"
    for k in range(count):
        header = f"  %l{k} = scf.for %i{k} = %c0 to %c3 step %c1"
        yield f"{header} iter_args(%p{k} = {v}) -> f64 {{"
        v = f"%p{k}"
    yield f"  %s = math.sin {v} : f64"
    v = "%s"
    for k in reversed(range(count)):
        yield f"  scf.yield {v} : f64\n  }}"
        v = f"%l{k}"
    yield f"  return {v} : f64\n}}"


STENCIL = """  %v{i} = atl.gen (%i in %n) -> tensor<?xf64> {{
    %a = atl.access {v}[%i] : tensor<?xf64>
    %s = math.sin %a : f64
    %p = atl.compare %i + 1 < %n
    %b = atl.bracket %p -> f64 {{
      %c = atl.access {v}[%i + 1] : tensor<?xf64>
      atl.yield %c : f64
    }}
    %t = arith.mulf %s, %b : f64
    atl.yield %t : f64
  }}"""


def stencils(count):
    yield """func.func private @f(%x: tensor<?xf64>, %w: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>"""
    v = "%x"
    for i in range(count):
        yield STENCIL.format(i=i, v=v)
        v = f"%v{i}"
    yield f"""  %r = atl.sum (%i in %n) -> f64 {{
    %a = atl.access {v}[%i] : tensor<?xf64>
    %p = arith.mulf %a, %a : f64
    atl.yield %p : f64
  }}
  return %r : f64
}}"""


TRANSPOSE = """  %x{i} = linalg.generic {{indexing_maps = [#same, #other, #same], iterator_types = ["parallel", "parallel"]}}
      ins({x}, {x} : tensor<9x9xf64>, tensor<9x9xf64>) outs(%e : tensor<9x9xf64>) {{
  ^bb0(%a: f64, %b: f64, %o: f64):
    %c = arith.mulf %a, %b : f64
    linalg.yield %c : f64
  }} -> tensor<9x9xf64>"""


def transposes(count):
    yield """#same = affine_map<(i, j) -> (i, j)>
#other = affine_map<(i, j) -> (j, i)>
func.func @f(%u: tensor<9x9xf64>, %v: tensor<11x11xf64>) -> tensor<11x11xf64> {
  %e = tensor.empty() : tensor<9x9xf64>"""
    x = "%u"
    for i in range(count):
        yield TRANSPOSE.format(i=i, x=x)
        x = f"%x{i}"
    yield f"""  %r = tensor.insert_slice {x} into %v[1, 1] [9, 9] [1, 1] : tensor<9x9xf64> into tensor<11x11xf64>
  return %r : tensor<11x11xf64>
}}"""


def main(kind, count):
    whole = {"loops": loops, "choices": choices, "transposes": transposes}
    if kind in whole:
        print("\n".join(whole[kind](int(count))))
        return
    generators = {"scalars": scalars, "maps": maps, "calls": calls}
    generators |= {"branches": branches, "nest": nest, "carried": carried}
    generators |= {"stencils": stencils, "tuples": tuples}
    of_arrays = kind in ("maps", "carried", "stencils", "tuples")
    generator, type = generators[kind], "tensor<?xf64>" if of_arrays else "f64"
    print("\n".join(generator(int(count))))
    print(REQUEST.format(type=type))


if __name__ == "__main__":
    main(*sys.argv[1:])
