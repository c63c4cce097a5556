"""The gradient of quickstart.mlir in Python, with nothing but ctypes:

ad-opt compile examples/quickstart.mlir -o libquickstart.so
python3 examples/embed.py ./libquickstart.so
"""

import ctypes
import sys


class Array(ctypes.Structure):
    """ad_f64_1d of the header."""

    _fields_ = [
        ("allocated", ctypes.c_void_p),
        ("aligned", ctypes.POINTER(ctypes.c_double)),
        ("offset", ctypes.c_int64),
        ("sizes", ctypes.c_int64 * 1),
        ("strides", ctypes.c_int64 * 1),
    ]


library = ctypes.CDLL(sys.argv[1])
library.objective.argtypes = [ctypes.POINTER(Array)]
library.objective.restype = ctypes.c_double
library.gradient.argtypes = [ctypes.POINTER(Array), ctypes.POINTER(Array)]
library.gradient.restype = None
free = ctypes.CDLL(None).free
free.argtypes = [ctypes.c_void_p]


def view(values):
    """An array of C doubles; `values` must outlive it."""
    return Array(ctypes.addressof(values), values, 0, (len(values),), (1,))


def gradient(values):
    """A list with the derivative for every element."""
    result = Array()
    library.gradient(view(values), result)
    numbers = result.aligned[: result.sizes[0]]
    free(result.allocated)
    return numbers


x = (ctypes.c_double * 3)(1.0, 2.0, 4.0)
print("objective", round(library.objective(view(x)), 12))
print("gradient ", [round(x_bar, 12) for x_bar in gradient(x)])
