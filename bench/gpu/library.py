"""Functions of a shared library that `ad-opt compile` made, called with arrays of numpy."""

import ctypes
import math
import time

import numpy as np

CODES = {"f4": ctypes.c_float, "f8": ctypes.c_double, "i8": ctypes.c_int64}
# What make.sh puts before the names of functions.
PREFIX = "ad_"
FREE = ctypes.CDLL(None).free
FREE.argtypes = [ctypes.c_void_p]
FREE.restype = None


def structure(rank):
    """The array of `rank` dimensions in the header."""
    pointer, word = ctypes.c_void_p, ctypes.c_int64
    fields = [("allocated", pointer), ("aligned", pointer), ("offset", word)]
    fields += [("sizes", word * rank), ("strides", word * rank)] if rank else []
    return type(f"Array{rank}", (ctypes.Structure,), {"_fields_": fields})


class Library:
    """Times are those of a call from C: arguments and results are in the host's memory."""

    def __init__(self, file, on_device):
        self.library = ctypes.CDLL(file)
        self.take_error = None
        if on_device:
            self.take_error = getattr(self.library, PREFIX + "take_error")
            self.take_error.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
            self.take_error.restype = ctypes.c_size_t

    def load(self, problem, arrays):
        self.arrays = [np.asarray(array, order="C") for array in arrays]
        self.arguments = [self.argument(array) for array in self.arrays]
        self.entries = problem.entries

    @staticmethod
    def argument(array):
        if array.ndim == 0:
            return CODES[array.dtype.str[1:]](array[()])
        value = structure(array.ndim)()
        value.allocated = value.aligned = array.ctypes.data
        value.sizes[:] = array.shape
        value.strides[:] = [stride // array.itemsize for stride in array.strides]
        return value

    def call(self, entry):
        """The seconds that a call took, and its results, which are to be released."""
        results = self.entries[entry]
        function = getattr(self.library, PREFIX + entry)
        arguments = [
            ctypes.byref(a) if isinstance(a, ctypes.Structure) else a for a in self.arguments
        ]
        single = len(results) == 1 and results[0][1] == 0
        outputs = [structure(rank)() if rank else CODES[code]() for code, rank in results]
        function.restype = CODES[results[0][0]] if single else None
        if not single:
            arguments += [ctypes.byref(output) for output in outputs]
        start = time.perf_counter()
        value = function(*arguments)
        error = self.error()
        seconds = time.perf_counter() - start
        if error:
            raise RuntimeError(error)
        return seconds, [CODES[results[0][0]](value)] if single else outputs

    def error(self):
        """What the device said since it was last asked. This waits for the device."""
        text = ctypes.create_string_buffer(2000)
        if self.take_error and self.take_error(text, len(text)):
            return text.value.decode(errors="replace")
        return None

    @staticmethod
    def release(outputs):
        for output in outputs:
            if isinstance(output, ctypes.Structure):
                FREE(output.allocated)

    def results(self, entry):
        """The results of a call as arrays."""
        _, outputs = self.call(entry)
        arrays = []
        for (code, rank), output in zip(self.entries[entry], outputs):
            if rank:
                shape = tuple(output.sizes)
                data = b""
                if math.prod(shape):
                    data = (CODES[code] * math.prod(shape)).from_address(output.aligned)
                arrays.append(np.frombuffer(data, "<" + code).reshape(shape).copy())
            else:
                arrays.append(np.array(output.value))
        self.release(outputs)
        return arrays

    def seconds(self, entry):
        seconds, outputs = self.call(entry)
        self.release(outputs)
        return seconds
