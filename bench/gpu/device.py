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
        self.ask("cuCtxPushCurrent_v2", context)
        self.stream = ctypes.c_void_p()
        # Not in step with the default stream, as that of the libraries.
        self.ask("cuStreamCreate", ctypes.byref(self.stream), ctypes.c_uint(1))
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

    def copy(self, to, source, size):
        """The seconds of a copy, done as the libraries do it: the driver knows which side is the host's."""
        start = time.perf_counter()
        self.ask("cuMemcpyAsync", to, source, ctypes.c_size_t(size), self.stream)
        self.ask("cuStreamSynchronize", self.stream)
        return time.perf_counter() - start

    def copies(self, arguments, results):
        """The seconds that it takes to copy these arrays there, and arrays of these bytes back."""
        total = 0.0
        for array in arguments:
            if array.ndim and array.nbytes:
                buffer, here = self.memory(array.nbytes), ctypes.c_uint64(array.ctypes.data)
                times = [self.copy(buffer, here, array.nbytes) for _ in range(3)]
                total += statistics.median(times)
                self.free(buffer)
        for size in results:
            buffer, times = self.memory(size), []
            for _ in range(3):
                # Results are new memory at each call, too.
                array = (ctypes.c_char * max(size, 1))()
                here = ctypes.c_uint64(ctypes.addressof(array))
                times.append(self.copy(here, buffer, size))
            total += statistics.median(times)
            self.free(buffer)
        return total

    def bandwidth(self, size=2**30):
        """Bytes read and written in a second by a copy on the card."""
        one, other = self.memory(size), self.memory(size)
        seconds = min(self.copy(other, one, size) for _ in range(10))
        self.free(one)
        self.free(other)
        return 2 * size / seconds
