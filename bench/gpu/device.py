"""Memory on the card, by its driver: nothing but ctypes is needed."""

import ctypes
import os
import time


# Products and sums that a multiprocessor does in a clock, in single and in double precision, by compute capability:
# table "Throughput of Native Arithmetic Instructions" of NVIDIA's CUDA C++ Programming Guide.
ARITHMETIC = {
    (8, 0): (64, 32),
    (8, 6): (128, 2),
    (8, 9): (128, 2),
    (9, 0): (128, 64),
    (10, 0): (128, 64),
    (12, 0): (128, 2),
}


class Device:
    """The first card."""

    def __init__(self):
        # The name of another driver is for tests, as in the libraries.
        name = os.environ.get("AD_CUDA_DRIVER", "libcuda.so.1")
        try:
            self.driver = ctypes.CDLL(name)
        except OSError as error:
            raise RuntimeError(f"the CUDA driver {name} cannot be loaded: {error}") from None
        self.ask("cuInit", ctypes.c_uint(0))
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.ask("cuDeviceGet", ctypes.byref(device), ctypes.c_int(0))
        self.ask("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.ask("cuCtxPushCurrent_v2", context)
        self.stream = ctypes.c_void_p()
        # Not in step with the default stream, as that of the libraries.
        self.ask("cuStreamCreate", ctypes.byref(self.stream), ctypes.c_uint(1))
        name = ctypes.create_string_buffer(100)
        self.ask("cuDeviceGetName", name, ctypes.c_int(len(name)), device)
        version = ctypes.c_int()
        self.ask("cuDriverGetVersion", ctypes.byref(version))
        self.name, self.version = name.value.decode(errors="replace"), version.value

        numbers = {}
        for key, which in {"count": 16, "kilohertz": 13, "major": 75, "minor": 76}.items():
            value = ctypes.c_int()
            self.ask("cuDeviceGetAttribute", ctypes.byref(value), ctypes.c_int(which), device)
            numbers[key] = value.value
        own = ARITHMETIC.get((numbers["major"], numbers["minor"]))
        clocks = 1000 * numbers["kilohertz"] * numbers["count"]
        # A product and a sum are two operations.
        self.flops_per_s = {
            element: 2 * own[at] * clocks if own else None for at, element in enumerate(("f4", "f8"))
        }

    def ask(self, function, *arguments):
        status = getattr(self.driver, function)(*arguments)
        if status != 0:
            raise RuntimeError(f"{function} gave the error {status}")

    def memory(self, size):
        buffer = ctypes.c_uint64()
        self.ask("cuMemAlloc_v2", ctypes.byref(buffer), ctypes.c_size_t(max(size, 1)))
        return buffer

    def free(self, buffer):
        self.ask("cuMemFree_v2", buffer)

    def copy(self, to, source, size):
        """The seconds of a copy: the driver knows which side is the host's."""
        start = time.perf_counter()
        self.ask("cuMemcpyAsync", to, source, ctypes.c_size_t(size), self.stream)
        self.ask("cuStreamSynchronize", self.stream)
        return time.perf_counter() - start

    def put(self, array, address):
        """Copies an array of numpy to the card."""
        if array.nbytes:
            here = ctypes.c_uint64(array.ctypes.data)
            self.copy(ctypes.c_uint64(address), here, array.nbytes)

    def get(self, array, address):
        """Copies an array of numpy from the card."""
        if array.nbytes:
            here = ctypes.c_uint64(array.ctypes.data)
            self.copy(here, ctypes.c_uint64(address), array.nbytes)

    def bandwidth(self, size=2**30):
        """Bytes read and written in a second by a copy on the card."""
        one, other = self.memory(size), self.memory(size)
        seconds = min(self.copy(other, one, size) for _ in range(10))
        self.free(one)
        self.free(other)
        return 2 * size / seconds
