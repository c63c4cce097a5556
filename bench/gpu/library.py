"""Functions of a shared library that `ad-opt compile` made, called with arrays of numpy."""

import ctypes
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
    """For the CPU. Times are those of a call from C."""

    def __init__(self, file):
        self.library = ctypes.CDLL(file)

    def load(self, problem, arrays):
        self.arrays = [np.asarray(array, order="C") for array in arrays]
        self.arguments = [self.argument(array) for array in self.arrays]
        self.entries = problem.entries

    def address(self, array):
        """Where the elements of an argument are."""
        return array.ctypes.data

    def argument(self, array):
        if array.ndim == 0:
            return CODES[array.dtype.str[1:]](array[()])
        value = structure(array.ndim)()
        value.allocated = value.aligned = self.address(array)
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
        """What went wrong since this was last asked."""
        return None

    def free(self, address):
        FREE(address)

    def release(self, outputs):
        for output in outputs:
            if isinstance(output, ctypes.Structure):
                self.free(output.allocated)

    def copy(self, array, address):
        """Fills an array of numpy with the elements of a result."""
        ctypes.memmove(array.ctypes.data, address, array.nbytes)

    def results(self, entry):
        """The results of a call as arrays."""
        _, outputs = self.call(entry)
        arrays = []
        for (code, rank), output in zip(self.entries[entry], outputs):
            if rank:
                array = np.empty(tuple(output.sizes), "<" + code)
                if array.size:
                    self.copy(array, output.aligned)
                arrays.append(array)
            else:
                arrays.append(np.array(output.value))
        self.release(outputs)
        return arrays

    def seconds(self, entry):
        seconds, outputs = self.call(entry)
        self.release(outputs)
        return seconds


class DeviceLibrary(Library):
    """For CUDA. Arguments and results stay on the card, and times have no copies."""

    def __init__(self, file, card):
        super().__init__(file)
        self.card = card
        self.take_error = getattr(self.library, PREFIX + "take_error")
        self.take_error.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
        self.take_error.restype = ctypes.c_size_t
        self.free_on_device = getattr(self.library, PREFIX + "free_on_device")
        self.free_on_device.argtypes = [ctypes.c_void_p]
        self.free_on_device.restype = None

    def load(self, problem, arrays):
        self.places = []
        super().load(problem, arrays)

    def address(self, array):
        place = self.card.memory(array.nbytes).value
        self.places.append((array, place))
        self.card.put(array, place)
        return place

    def error(self):
        """This waits for the device."""
        text = ctypes.create_string_buffer(2000)
        if self.take_error(text, len(text)):
            return text.value.decode(errors="replace")
        return None

    def free(self, address):
        self.free_on_device(address)

    def copy(self, array, address):
        self.card.get(array, address)

    def seconds_with_copies(self, entry):
        """Those of a call with arrays of numpy."""
        start = time.perf_counter()
        for array, place in self.places:
            self.card.put(array, place)
        self.results(entry)
        return time.perf_counter() - start
