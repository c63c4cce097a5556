"""How fast the card copies, asked of its driver: nothing but ctypes is needed."""

import ctypes
import os
import statistics
import time


class Device:
    """The first card, with two buffers on it."""

    def __init__(self):
        # The name of another driver is for tests, as in the libraries.
        self.driver = ctypes.CDLL(os.environ.get("AD_CUDA_DRIVER", "libcuda.so.1"))
        self.ask("cuInit", ctypes.c_uint(0))
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.ask("cuDeviceGet", ctypes.byref(device), ctypes.c_int(0))
        self.ask("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.ask("cuCtxSetCurrent", context)
        name = ctypes.create_string_buffer(100)
        self.ask("cuDeviceGetName", name, ctypes.c_int(len(name)), device)
        version = ctypes.c_int()
        self.ask("cuDriverGetVersion", ctypes.byref(version))
        self.name, self.version = name.value.decode(errors="replace"), version.value

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

    def timed(self, function, *arguments):
        start = time.perf_counter()
        self.ask(function, *arguments)
        self.ask("cuCtxSynchronize")
        return time.perf_counter() - start

    def copies(self, arguments, results):
        """The seconds that it takes to copy these arrays there, and arrays of these bytes back."""
        total = 0.0
        for array in arguments:
            if array.ndim and array.nbytes:
                size, buffer = ctypes.c_size_t(array.nbytes), self.memory(array.nbytes)
                here = ctypes.c_void_p(array.ctypes.data)
                times = [self.timed("cuMemcpyHtoD_v2", buffer, here, size) for _ in range(3)]
                total += statistics.median(times)
                self.free(buffer)
        for count in results:
            size, buffer = ctypes.c_size_t(count), self.memory(count)
            times = []
            for _ in range(3):
                # Results are new memory at each call, too.
                here = (ctypes.c_char * max(count, 1))()
                times.append(self.timed("cuMemcpyDtoH_v2", here, buffer, size))
            total += statistics.median(times)
            self.free(buffer)
        return total

    def bandwidth(self, size=2**30):
        """Bytes read and written in a second by a copy on the card."""
        one, other = self.memory(size), self.memory(size)
        times = [
            self.timed("cuMemcpyDtoD_v2", other, one, ctypes.c_size_t(size)) for _ in range(10)
        ]
        self.free(one)
        self.free(other)
        return 2 * size / min(times)
