"""Says how far numbers are off: ulps.py FILE.npy TYPE FUNCTION MOST

Standard input is what `ad-opt run` prints of FUNCTION, exp or tanh, of the numbers in the file, all of TYPE, f32 or
f64. Prints whether each is off by at most MOST units in the last place of the exact result.
"""

import array
import json
import math
import sys
from decimal import Decimal, getcontext


def exact(function, x):
    exp = Decimal(x).exp()
    return exp if function == "exp" else (exp * exp - 1) / (exp * exp + 1)


def unit(value, element):
    """The distance of neighbours at a value."""
    digits, least = (24, -149) if element == "f32" else (53, -1074)
    return math.ldexp(1.0, max(math.frexp(float(value))[1] - digits, least))


def main(path, element, function, most):
    getcontext().prec = 60
    with open(path, "rb") as file:
        content = file.read()
    start = 10 + int.from_bytes(content[8:10], "little")
    inputs = array.array("f" if element == "f32" else "d", content[start:])
    outputs = array.array(inputs.typecode, json.loads(sys.stdin.readline()))
    worst = 0.0
    for x, y in zip(inputs, outputs, strict=True):
        value = exact(function, x)
        worst = max(worst, float(abs(Decimal(y) - value)) / unit(value, element))
    print("worst", worst)
    print("close" if worst <= float(most) else "far off")


if __name__ == "__main__":
    main(*sys.argv[1:])
