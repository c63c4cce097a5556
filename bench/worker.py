"""One tool of `make bench`: loads arguments, runs entries, says how long they took.

    worker.py library FILE.so [--threads=N]    functions with the C interface of `ad-opt compile`
    worker.py jax FILE.py [--threads=N]        functions of a module, each jitted once

Requests and answers are JSON objects, one per line. The first answer, `{"ready": {name: version}}`,
comes unasked; a request that fails is answered by `{"error": text}`.

    {"load": [file.npy, ...], "entries": {name: [[element type, rank], ...]}}    -> {}
        arguments in order, and the types of the results of each entry
    {"results": name, "to": folder}    -> {"peak_bytes": n}
        runs once, writes 0.npy, 1.npy, ...; n is how much memory the run took, null if unknown
    {"run": name, "count": n}    -> {"seconds": [n numbers]}
        the calls alone: arguments are in place, results are freed after the clock has stopped

`library` needs nothing but Python. A module for `jax` may have STATIC, positions of arguments that
are compile-time integers.
"""

import gc
import json
import mmap
import os
import sys
import time


class Library:
    """A shared library; arrays are passed by pointer to a structure, scalars by value."""

    def __init__(self, file, threads):
        import ctypes

        self.ctypes = ctypes
        self.types = {
            "f4": ctypes.c_float,
            "f8": ctypes.c_double,
            "i4": ctypes.c_int32,
            "i8": ctypes.c_int64,
            "b1": ctypes.c_bool,
        }
        self.library = ctypes.CDLL(os.path.abspath(file))
        self.free = ctypes.CDLL(None).free
        self.free.argtypes = [ctypes.c_void_p]
        self.free.restype = None
        self.versions = {}

    def load(self, paths, entries):
        self.arguments = [self.argument(path) for path in paths]
        self.entries = {name: self.entry(name, results) for name, results in entries.items()}

    def argument(self, path):
        code, shape, data = read_npy(path)
        element = self.types[code]
        if not shape:
            return element.from_buffer_copy(data)
        memory = self.memory(len(data) + 64)
        # Aligned as allocators of arrays do it.
        start = -(-self.ctypes.addressof(memory) // 64) * 64
        self.ctypes.memmove(start, data, len(data))
        array = self.structure(len(shape))()
        array.memory = memory
        array.allocated = array.aligned = start
        array.sizes[:] = shape
        stride = 1
        for axis in reversed(range(len(shape))):
            array.strides[axis] = stride
            stride *= shape[axis]
        return array

    def memory(self, size):
        """Memory for an array; in pages of 2 MiB if it is large, as numpy has it."""
        if size < 4 << 20 or not hasattr(mmap, "MADV_HUGEPAGE"):
            return self.ctypes.create_string_buffer(size)
        memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        memory.madvise(mmap.MADV_HUGEPAGE)
        return (self.ctypes.c_char * size).from_buffer(memory)

    def structure(self, rank):
        pointer, word = self.ctypes.c_void_p, self.ctypes.c_int64
        fields = [("allocated", pointer), ("aligned", pointer), ("offset", word)]
        fields += [("sizes", word * rank), ("strides", word * rank)] if rank else []
        return type(f"Array{rank}", (self.ctypes.Structure,), {"_fields_": fields})

    def entry(self, name, results):
        function = getattr(self.library, name)
        arguments = [
            self.ctypes.byref(a) if isinstance(a, self.ctypes.Structure) else a
            for a in self.arguments
        ]
        codes = [code for code, _ in results]
        if len(results) == 1 and results[0][1] == 0:
            function.restype = self.types[codes[0]]
            return function, arguments, [], codes
        function.restype = None
        outputs = [
            self.structure(rank)() if rank else self.types[code]() for code, rank in results
        ]
        return function, arguments + [self.ctypes.byref(o) for o in outputs], outputs, codes

    def release(self, outputs):
        for output in outputs:
            if isinstance(output, self.ctypes.Structure):
                self.free(output.allocated)

    def run(self, name):
        function, arguments, outputs, _ = self.entries[name]
        start = time.perf_counter_ns()
        function(*arguments)
        end = time.perf_counter_ns()
        self.release(outputs)
        return (end - start) * 1e-9

    def results(self, name, folder):
        function, arguments, outputs, codes = self.entries[name]
        peak = Peak()
        value = function(*arguments)
        used = peak.used()
        for position, code in enumerate(codes):
            output = outputs[position] if outputs else self.types[code](value)
            shape, data = (), output
            if isinstance(output, self.ctypes.Structure):
                shape, count = tuple(output.sizes), 1
                for size in shape:
                    count *= size
                data = (self.types[code] * count).from_address(output.aligned) if count else b""
            write_npy(os.path.join(folder, f"{position}.npy"), code, shape, data)
        self.release(outputs)
        return used


class Jax:
    """A module of functions on JAX arrays."""

    def __init__(self, file, threads):
        if threads == 1:
            flags = os.environ.get("XLA_FLAGS", "")
            os.environ["XLA_FLAGS"] = f"{flags} --xla_cpu_multi_thread_eigen=false".strip()
        os.environ["JAX_ENABLE_X64"] = "1"
        os.environ["JAX_PLATFORMS"] = "cpu"
        import importlib.util

        import jax
        import jaxlib
        import numpy

        self.jax, self.numpy = jax, numpy
        specification = importlib.util.spec_from_file_location("peer", file)
        self.module = importlib.util.module_from_spec(specification)
        sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
        specification.loader.exec_module(self.module)
        self.static = tuple(getattr(self.module, "STATIC", ()))
        self.versions = {
            "jax": jax.__version__,
            "jaxlib": jaxlib.__version__,
            "numpy": numpy.__version__,
        }

    def load(self, paths, entries):
        arrays = [self.numpy.load(path) for path in paths]
        self.arguments = [
            int(array) if position in self.static else self.jax.device_put(array)
            for position, array in enumerate(arrays)
        ]
        self.jax.block_until_ready(self.arguments)
        self.entries = {}
        for name in entries:
            function = self.jax.jit(getattr(self.module, name), static_argnums=self.static)
            self.jax.block_until_ready(function(*self.arguments))
            self.entries[name] = function

    def run(self, name):
        function, arguments, ready = self.entries[name], self.arguments, self.jax.block_until_ready
        start = time.perf_counter_ns()
        output = ready(function(*arguments))
        end = time.perf_counter_ns()
        del output
        return (end - start) * 1e-9

    def results(self, name, folder):
        peak = Peak()
        output = self.jax.block_until_ready(self.entries[name](*self.arguments))
        used = peak.used()
        outputs = output if isinstance(output, (tuple, list)) else [output]
        for position, array in enumerate(outputs):
            array = self.numpy.array(array, order="C")
            self.numpy.save(os.path.join(folder, f"{position}.npy"), array)
        return used


class Peak:
    """How much memory of this process grows, at its peak, from now on."""

    def __init__(self):
        try:
            import ctypes

            ctypes.CDLL(None).malloc_trim(0)
            with open("/proc/self/clear_refs", "w") as file:
                file.write("5")
            self.before = self.status("VmRSS")
        except (OSError, AttributeError, StopIteration):
            self.before = None

    def used(self):
        return None if self.before is None else max(self.status("VmHWM") - self.before, 0)

    @staticmethod
    def status(field):
        with open("/proc/self/status") as file:
            line = next(line for line in file if line.startswith(field))
        return int(line.split()[1]) * 1024


def read_npy(path):
    """Element type, shape and bytes of a file in format 1.0 with elements row by row."""
    with open(path, "rb") as file:
        if file.read(6) != b"\x93NUMPY":
            raise ValueError(f"{os.path.basename(path)} is not a .npy file")
        major, _ = file.read(2)
        length = int.from_bytes(file.read(2 if major == 1 else 4), "little")
        import ast

        header = ast.literal_eval(file.read(length).decode("latin1"))
        if header["fortran_order"]:
            raise ValueError(f"{os.path.basename(path)} is in column-major order")
        return header["descr"].lstrip("<|="), header["shape"], file.read()


def write_npy(path, code, shape, data):
    order = "|" if code == "b1" else "<"
    header = f"{{'descr': '{order}{code}', 'fortran_order': False, 'shape': {shape!r}, }}"
    padding = -(10 + len(header) + 1) % 64
    header = header.encode() + b" " * padding + b"\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)
        file.write(data)


def answer(tool, request):
    if "load" in request:
        tool.load(request["load"], request["entries"])
        gc.collect()
        gc.freeze()
        return {}
    if "results" in request:
        return {"peak_bytes": tool.results(request["results"], request["to"])}
    if "run" in request:
        return {"seconds": [tool.run(request["run"]) for _ in range(request.get("count", 1))]}
    raise ValueError("no such request")


def main(arguments):
    threads = 1
    if arguments and arguments[-1].startswith("--threads="):
        threads = int(arguments.pop().split("=")[1])
    if len(arguments) != 2 or arguments[0] not in ("library", "jax"):
        sys.exit(__doc__)
    os.environ["OMP_NUM_THREADS"] = str(threads)
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-threads:])
    # Answers have this stream to themselves: whatever a tool prints goes to stderr.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    gc.disable()

    def say(value):
        print(json.dumps(value), file=answers, flush=True)

    try:
        tool = {"library": Library, "jax": Jax}[arguments[0]](arguments[1], threads)
    except Exception as error:
        say({"error": f"{type(error).__name__}: {error}"})
        return
    say({"ready": {"python": sys.version.split()[0], **tool.versions}})
    for line in sys.stdin:
        try:
            say(answer(tool, json.loads(line)))
        except Exception as error:
            say({"error": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    main(sys.argv[1:])
