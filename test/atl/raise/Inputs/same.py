"""Whether a raised function computes what it computed before, and has the derivatives that it had.

    same.py AD-OPT BEFORE AFTER FUNCTION [ARGUMENT ...]

An ARGUMENT is `index:E` for a size or an index, `E,E` for a tensor of these sizes, empty for one
without dimensions, `number` for a number and `mask:E,E` for truth values, where E is an expression over
the sizes n, m and k. The function is called with several of them, among which are 0 and 1; a size after
`>` is the smallest that it takes: `n>2`. Both modules get a function that returns results, jvp and vjp of the
function, with random tangents, and with the results as seeds.
"""

import ast
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).parents[3] / "driver" / "Inputs"))
import npy

SIZES = [dict(n=3, m=4, k=2), dict(n=0, m=0, k=0), dict(n=1, m=1, k=1), dict(n=1, m=0, k=3), dict(n=4, m=1, k=5)]


def main(ad_opt, before, after, function, *specs):
    minima = {name: int(low) for name, low in re.findall(r"([nmk])>(\d+)", " ".join(specs))}
    specs = [re.sub(r">\d+", "", spec) for spec in specs]
    source = pathlib.Path(before).read_text()
    arguments, results = signature(source, function)
    wrapper, wanted = harness(function, arguments, results)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        modules = []
        for name in (before, after):
            path = folder / f"module{len(modules)}.mlir"
            path.write_text(in_module(pathlib.Path(name).read_text(), wrapper))
            modules.append(path)
        for trial, sizes in enumerate(SIZES):
            sizes = {name: max(size, minima.get(name, 0)) for name, size in sizes.items()}
            draw = random.Random(trial)
            inputs = [value(spec, of, sizes, draw, folder / f"{i}.npy") for i, (spec, of) in enumerate(zip(specs, arguments))]
            floats = [(spec, of) for spec, of in zip(specs, arguments) if is_float(of)]
            inputs += [value(spec, of, sizes, draw, folder / f"dot{i}.npy") for i, (spec, of) in enumerate(floats)]
            left, right = (run(ad_opt, module, "same", inputs) for module in modules)
            if len(left) != wanted or not close(left, right, 1e-4 if "f32" in results[0] else 1e-9):
                sys.exit(f"{function} at {sizes}: {left}\nbut raised: {right}")
    print(f"{function}: same")


def signature(source, function):
    source = re.sub(r"^//.*$", "", source, flags=re.M)
    found = re.search(rf"func\.func (?:private )?@{function}\((.*?)\) -> (.*?) (?:attributes .*?)?\{{\n", source, re.S)
    arguments = re.findall(r"%\w+: ([^,]+(?:<[^>]*>)?)", found[1])
    return [a.strip() for a in arguments], [r.strip() for r in found[2].strip("()").split(",")]


def is_float(of):
    return bool(re.search(r"f(32|64)>?$", of))


def harness(function, arguments, results):
    floats = [(i, of) for i, of in enumerate(arguments) if is_float(of)]
    names = [f"%a{i}: {of}" for i, of in enumerate(arguments)]
    names += [f"%d{i}: {of}" for i, of in floats]
    call = ", ".join(f"%a{i}" for i in range(len(arguments)))
    dots, bars = ", ".join(f"%d{i}" for i, _ in floats), ", ".join(f"%j#{i}" for i in range(len(results)))
    of_arguments, of_floats, of_results = ", ".join(arguments), ", ".join(of for _, of in floats), ", ".join(results)
    count = len(results)
    forward = [f"%j#{i}" for i in range(2 * count)]
    backward = [f"%v#{i}" for i in range(count, count + len(floats))]
    returned = results + results + [of for _, of in floats]
    text = f"""func.func @same({", ".join(names)}) -> ({", ".join(returned)}) {{
  %j:{2 * count} = ad.jvp @{function}({call}) seed({dots}) : ({of_arguments}), ({of_floats}) -> ({", ".join(results + results)})
  %v:{count + len(floats)} = ad.vjp @{function}({call}) seed({bars}) : ({of_arguments}), ({of_results}) -> ({of_results}, {of_floats})
  return {", ".join(forward + backward)} : {", ".join(returned)}
}}
"""
    return text, len(returned)


def in_module(text, wrapper):
    """The module with a function more; the printed form has `module {` around it."""
    stripped = text.rstrip()
    if re.search(r"^module\b.*\{$", text, re.M):
        return stripped[: stripped.rindex("}")] + wrapper + "}\n"
    return text + wrapper


def value(spec, of, sizes, draw, path):
    kind, _, rest = spec.rpartition(":")
    if kind == "index":
        return str(eval(rest, {}, sizes))
    if spec == "number":
        return str(draw.uniform(0.5, 1.5))
    shape = [eval(size, {}, sizes) for size in rest.split(",") if size]
    return mask(shape, draw, path) if kind == "mask" else flat(shape, draw, path, of)


def flat(shape, draw, path, of):
    count = 1
    for size in shape:
        count *= size
    write(path, "<f4" if "f32" in of else "<f8", shape, [draw.uniform(0.5, 1.5) for _ in range(count)])
    return str(path)


def mask(shape, draw, path):
    count = 1
    for size in shape:
        count *= size
    write(path, "|b1", shape, [draw.randrange(2) for _ in range(count)])
    return str(path)


def write(path, descr, shape, numbers):
    text = "(" + "".join(f"{size}," for size in shape) + ")"
    npy.main([str(path), descr, text, *map(str, numbers)])


def run(ad_opt, module, entry, inputs):
    command = [ad_opt, "run", str(module), f"--entry={entry}", *(f"--input={i}" for i in inputs)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    values, text = [], ""
    for line in done.stdout.splitlines():
        text += line
        if text.count("[") == text.count("]"):
            values.append(ast.literal_eval(text.strip()))
            text = ""
    return values


def close(left, right, tolerance):
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(close(l, r, tolerance) for l, r in zip(left, right))
    return abs(left - right) <= tolerance * max(1.0, abs(left), abs(right))


main(*sys.argv[1:])
