"""Compares the numbers in two texts: compare.py FILE OTHER TOLERANCE

Exits with status 1 if there are none, if some are elided, if one text has more, or if two differ by more than the tolerance times the
largest number of the text. NaNs and infinities have to be where the other text has them.
"""

import math
import re
import sys

NUMBER = r"[-+]?(?:\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|inf|nan|NaN)"


def numbers(path):
    with open(path) as file:
        text = file.read()
    if "..." in text:
        sys.exit("not all numbers are in " + path)
    return [float(number) for number in re.findall(NUMBER, text)]


first, second = numbers(sys.argv[1]), numbers(sys.argv[2])
if not first or len(first) != len(second):
    sys.exit("%d numbers, and %d" % (len(first), len(second)))
largest = max([abs(x) for x in first if math.isfinite(x)], default=0.0)
for place, (x, y) in enumerate(zip(first, second)):
    same = x == y or math.isnan(x) and math.isnan(y)
    if not same and not abs(x - y) <= float(sys.argv[3]) * largest:
        sys.exit("number %d: %r, and %r" % (place, x, y))
