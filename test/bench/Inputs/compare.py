"""Compares the numbers in two texts: compare.py FILE OTHER TOLERANCE

Exits with status 1 if there are none, if some are elided, if one text has more, or if two differ by more than the tolerance times the
largest number of the text. NaNs and infinities have to be where the other text has them.
"""

import math
import re
import sys

NUMBER = r"[-+]?(?:\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|inf|nan|NaN)"


def difference(text, other, tolerance):
    """Where the numbers of a text are not those of another one, in words; None if they are."""
    if "..." in text or "..." in other:
        return "numbers are elided"
    first, second = ([float(number) for number in re.findall(NUMBER, numbers)] for numbers in (text, other))
    if not first or len(first) != len(second):
        return "%d numbers, and %d" % (len(first), len(second))
    largest = max([abs(x) for x in first if math.isfinite(x)], default=0.0)
    for place, (x, y) in enumerate(zip(first, second)):
        same = x == y or math.isnan(x) and math.isnan(y)
        if not same and not abs(x - y) <= tolerance * largest:
            return "number %d: %r, and %r" % (place, x, y)
    return None


def main(path, other, tolerance):
    texts = []
    for name in (path, other):
        with open(name) as file:
            texts.append(file.read())
    sys.exit(difference(*texts, float(tolerance)))


if __name__ == "__main__":
    main(*sys.argv[1:])
