"""Calls the functions of compile-strides.mlir."""

import ctypes
import sys


class Array(ctypes.Structure):
    _fields_ = [
        ("allocated", ctypes.c_void_p),
        ("aligned", ctypes.c_void_p),
        ("offset", ctypes.c_int64),
        ("sizes", ctypes.c_int64 * 2),
        ("strides", ctypes.c_int64 * 2),
    ]


def call(function, *arguments):
    arrays = []
    for values, rows, columns in arguments:
        address = ctypes.addressof(values)
        arrays.append(Array(address, address, 0, (rows, columns), (columns, 1)))
    function(*(ctypes.byref(array) for array in arrays))


library = ctypes.CDLL(sys.argv[1])
x = (ctypes.c_double * 12)(*[9.0] * 12)
y = (ctypes.c_double * 4)(1, 2, 3, 4)
call(library.inside, (x, 3, 4), (y, 2, 2))
print(list(x))
x = (ctypes.c_double * 12)(*range(1, 13))
z = (ctypes.c_double * 6)()
call(library.across, (x, 3, 4), (z, 2, 3))
print(list(z))
