"""A process that runs one tool: worker.py TOOL TARGET FOLDER

TOOL is `ours`, `reference` (our library for the CPU), `jax`, `torch` or `torch-compile`. Requests and
answers are JSON objects, one per line; the first answer comes unasked.

    {"check": problem, "sizes": [...], "to": file.npz}    results of all entries -> {}
    {"time": problem, "sizes": [...], "seconds": s}       -> {entry: times and more}
"""

import json
import os
import statistics
import sys
import time

import numpy as np

import device
import library
import peers
import problems

# Where peers are.
FOLDERS = {"jax": "jax", "torch": "pytorch", "torch-compile": "pytorch"}
# Calls that are timed, if time suffices.
RUNS = 1000
# Seconds of calls before that: a card at rest has a slow clock.
WARMTH = 0.1


class Tool:
    def __init__(self, name, target, folder):
        self.name, self.target, self.folder = name, target, folder
        self.peer, self.card, self.version = None, None, "ad-opt"
        if name == "jax":
            self.peer = peers.Jax(target)
        elif name in ("torch", "torch-compile"):
            self.peer = peers.Torch(target, name == "torch-compile")
        elif name == "ours" and target == "cuda":
            self.card = device.Device()
        if self.peer:
            self.version = self.peer.version

    def load(self, name, sizes):
        """Whatever has `results` and `seconds`, with its arguments in place."""
        problem = next(p for p in problems.PROBLEMS if p.name == name)
        arrays = problem.arguments(sizes)
        if self.peer:
            folder = os.path.join(self.folder, "peers", FOLDERS[self.name])
            self.peer.load(problem, arrays, os.path.join(folder, name + ".py"))
            return problem, arrays, self.peer
        target = "cpu" if self.name == "reference" else self.target
        file = os.path.join(self.folder, target, name + ".so")
        on_device = target == "cuda"
        runner = library.DeviceLibrary(file, self.card) if on_device else library.Library(file)
        runner.load(problem, arrays)
        return problem, arrays, runner

    def check(self, name, sizes, file):
        problem, _, runner = self.load(name, sizes)
        found = {}
        for entry in problem.entries:
            for at, array in enumerate(runner.results(entry)):
                found[f"{entry}.{at}"] = array
        np.savez(file, **found)
        return {}

    def time(self, name, sizes, seconds):
        problem, arrays, runner = self.load(name, sizes)
        answer = {}
        for entry in problem.entries:
            start = time.perf_counter()
            results = runner.results(entry)
            first = time.perf_counter() - start
            norms = [float(np.linalg.norm(r.astype(np.float64).reshape(-1))) for r in results]
            answer[entry] = {
                "first_s": first,
                "norms": norms,
                "bytes": sum(a.nbytes for a in arrays) + sum(r.nbytes for r in results),
                **measure(lambda: runner.seconds(entry), seconds),
            }
            # Compiled or not, copies are the same.
            if hasattr(runner, "seconds_with_copies") and self.name != "torch-compile":
                copied = measure(lambda: runner.seconds_with_copies(entry), seconds / 2)
                answer[entry]["with_copies_s"] = copied["median_s"]
        return answer


def measure(run, seconds):
    """Calls `run` for warmth, then several times: until there are RUNS, or time is over."""
    end = time.perf_counter() + min(WARMTH, seconds)
    run()
    while time.perf_counter() < end:
        run()
    times, end = [], time.perf_counter() + seconds
    while not times or len(times) < RUNS and time.perf_counter() < end:
        times.append(run())
    return {"median_s": statistics.median(times), "min_s": min(times), "runs": len(times)}


def main(arguments):
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    # Whatever a tool prints goes to stderr.
    os.dup2(2, 1)

    def say(value):
        print(json.dumps(value), file=answers, flush=True)

    try:
        tool = Tool(*arguments)
        ready = {"version": tool.version}
        if tool.card:
            ready.update(device=tool.card.name, driver=tool.card.version)
        say(ready)
    except Exception as error:
        return say({"error": f"{type(error).__name__}: {error}"})
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if "check" in request:
                say(tool.check(request["check"], request["sizes"], request["to"]))
            elif "time" in request:
                say(tool.time(request["time"], request["sizes"], request["seconds"]))
            elif tool.card:
                card = tool.card
                say({"bytes_per_s": card.bandwidth(), "flops_per_s": card.flops_per_s})
            else:
                say({})
        except Exception as error:
            say({"error": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    main(sys.argv[1:])
