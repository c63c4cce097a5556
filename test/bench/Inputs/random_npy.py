"""Writes a .npy file of random numbers: random_npy.py FILE DESCR SHAPE LOW HIGH [SEED]

Floats are uniform in [LOW, HIGH), integers in LOW .. HIGH - 1; the same SEED gives the same numbers.
DESCR is the element type as in the header, such as '<f8'; SHAPE the text of a tuple.
"""

import math
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "driver", "Inputs"))
import npy  # noqa: E402


def main(path, descr, shape, low, high, seed="1"):
    source = random.Random(int(seed))
    count = math.prod(eval(shape))
    if "f" in descr:
        numbers = [repr(source.uniform(float(low), float(high))) for _ in range(count)]
    else:
        numbers = [str(source.randrange(int(low), int(high))) for _ in range(count)]
    npy.main([path, descr, shape, *numbers])


if __name__ == "__main__":
    main(*sys.argv[1:])
