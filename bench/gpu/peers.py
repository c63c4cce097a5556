"""The peers: functions of JAX and PyTorch on the same card, with arguments that stay there."""

import importlib.util
import os
import time

import numpy as np


def module(file):
    specification = importlib.util.spec_from_file_location("peer", file)
    loaded = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(loaded)
    return loaded


class Jax:
    """Functions of FOLDER/peers/jax, jitted."""

    def __init__(self, target):
        os.environ["JAX_ENABLE_X64"] = "1"
        # It has the card alone, but would take three quarters of the memory only. With the older name of this variable
        # beside it, JAX fails to find the card.
        os.environ.pop("XLA_PYTHON_CLIENT_MEM_FRACTION", None)
        os.environ["XLA_CLIENT_MEM_FRACTION"] = "0.95"
        if target == "cpu":
            os.environ["JAX_PLATFORMS"] = "cpu"
        import jax

        if target == "cuda" and jax.default_backend() == "cpu":
            raise RuntimeError("this JAX sees no GPU")
        self.jax = jax
        self.version = f"JAX {jax.__version__}"

    def load(self, problem, arrays, file):
        # Products in single precision or in TF32: what the other tools compute.
        precision = "tensorfloat32" if problem.tf32 else "highest"
        self.jax.config.update("jax_default_matmul_precision", precision)
        peer = module(file)
        static = tuple(getattr(peer, "STATIC", ()))
        self.functions = {
            entry: self.jax.jit(getattr(peer, entry), static_argnums=static)
            for entry in problem.entries
        }
        self.host = arrays
        self.arguments = self.jax.block_until_ready(self.jax.device_put(arrays))

    def results(self, entry):
        value = self.functions[entry](*self.arguments)
        values = value if isinstance(value, (tuple, list)) else [value]
        return [np.array(value) for value in values]

    def seconds(self, entry):
        start = time.perf_counter()
        self.jax.block_until_ready(self.functions[entry](*self.arguments))
        return time.perf_counter() - start

    def seconds_with_copies(self, entry):
        start = time.perf_counter()
        value = self.functions[entry](*self.jax.device_put(self.host))
        self.jax.device_get(value)
        return time.perf_counter() - start


class Torch:
    """Functions of FOLDER/peers/pytorch, each step by itself or compiled.

    A peer has `objective` and WRT, the positions of the arguments to differentiate by, or a function
    of the derivative's name; and WHOLE, if it is one call of a library that compilation would take apart.
    """

    def __init__(self, target, compiled):
        import torch

        if target == "cuda" and not torch.cuda.is_available():
            raise RuntimeError("this PyTorch sees no GPU")
        self.torch, self.target, self.compiled = torch, target, compiled
        self.version = f"PyTorch {torch.__version__}"

    def load(self, problem, arrays, file):
        peer = module(file)
        if self.compiled and getattr(peer, "WHOLE", False):
            raise RuntimeError("one call of a library is not compiled")
        torch = self.torch
        # Products in single precision or in TF32: what the other tools compute.
        torch.backends.cuda.matmul.allow_tf32 = problem.tf32
        torch.backends.cudnn.allow_tf32 = problem.tf32
        wrap = torch.compile if self.compiled else lambda function: function
        objective = wrap(peer.objective)

        def gradient(*arguments):
            leaves = list(arguments)
            for at in peer.WRT:
                leaves[at] = leaves[at].detach().requires_grad_()
            return torch.autograd.grad(objective(*leaves), [leaves[at] for at in peer.WRT])

        def primal(*arguments):
            with torch.no_grad():
                return objective(*arguments)

        self.functions = {}
        for entry in problem.entries:
            if entry == "objective":
                self.functions[entry] = primal
            elif hasattr(peer, entry):
                self.functions[entry] = wrap(getattr(peer, entry))
            else:
                self.functions[entry] = gradient
        self.host = arrays
        self.arguments = self.to_device()

    def to_device(self):
        """Scalars stay on the host: they are numbers to a program of PyTorch."""
        return [
            self.torch.from_numpy(array).to(self.target) if array.ndim else array.item()
            for array in self.host
        ]

    def wait(self):
        if self.target == "cuda":
            self.torch.cuda.synchronize()

    def results(self, entry):
        value = self.functions[entry](*self.arguments)
        values = value if isinstance(value, (tuple, list)) else [value]
        return [value.detach().cpu().numpy() for value in values]

    def seconds(self, entry):
        start = time.perf_counter()
        value = self.functions[entry](*self.arguments)
        self.wait()
        seconds = time.perf_counter() - start
        del value
        return seconds

    def seconds_with_copies(self, entry):
        start = time.perf_counter()
        value = self.functions[entry](*self.to_device())
        values = value if isinstance(value, (tuple, list)) else [value]
        for value in values:
            value.cpu()
        return time.perf_counter() - start
