"""Times our derivatives on an NVIDIA GPU beside JAX and PyTorch: run.py [--quick] [--target=cpu]

Run it in a folder that make.sh made. It needs numpy; JAX and PyTorch are left out where they are not
installed. First our results are compared with those of our libraries for the CPU, at small sizes.
Then everything is timed until time is over, one tool after another, the most important problems
first and the largest sizes last; results.json and README.md are written again after each. --resume
goes on where another run stopped, whose results are in the same folder. The exit status is 1 if a
result of ours is wrong or missing.
"""

import argparse
import json
import os
import platform
import select
import subprocess
import sys
import tempfile
import time

import numpy as np

import report
from problems import PROBLEMS
from worker import FOLDERS

HERE = os.path.dirname(os.path.abspath(__file__))
PEERS = ("jax", "torch", "torch-compile")
NO_TIME = "no time was left"
NO_PEER = "no peer is written"


class Failed(Exception):
    """A tool has no result, and why."""


class Worker:
    """A process that runs one tool."""

    def __init__(self, tool, target, limit):
        command = [sys.executable, os.path.join(HERE, "worker.py"), tool, target, HERE]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.errors, self.pending = b"", b""
        self.ready = self.answer(limit)

    def ask(self, request, limit):
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        return self.answer(limit)

    def answer(self, limit):
        """The next line. The process is ended when there is none in time, or an error."""
        end = time.monotonic() + limit
        streams = [self.process.stdout, self.process.stderr]
        while b"\n" not in self.pending:
            ready, _, _ = select.select(streams, [], [], max(0, end - time.monotonic()))
            if not ready:
                self.end()
                raise Failed(f"took longer than {limit:.0f} s")
            for stream in ready:
                data = os.read(stream.fileno(), 65536)
                if stream is self.process.stderr:
                    self.errors = (self.errors + data)[-4000:]
                    if not data:
                        streams.remove(stream)
                elif data:
                    self.pending += data
                else:
                    status = self.end()
                    said = self.errors.decode(errors="replace").strip().splitlines()[-1:]
                    raise Failed(" ".join([f"ended with status {status}:", *said]))
        line, self.pending = self.pending.split(b"\n", 1)
        answer = json.loads(line)
        if "error" in answer:
            self.end()
            raise Failed(answer["error"])
        return answer

    def end(self):
        self.process.kill()
        return self.process.wait()


class Tools:
    """The workers. A library has its own for each program, so that no program keeps memory of another."""

    def __init__(self, target, deadline, limit):
        self.target, self.deadline, self.limit = target, deadline, limit
        self.workers, self.missing, self.versions = {}, {}, {}

    def left(self):
        return max(0, self.deadline - time.monotonic())

    def ask(self, tool, problem, request):
        if tool in self.missing:
            raise Failed(self.missing[tool])
        key, worker = self.workers.get(tool, (None, None))
        wanted = tool if tool in PEERS else problem
        try:
            if key != wanted:
                self.end(tool)
                worker = self.start(tool, min(self.limit, self.left()))
                self.workers[tool] = (wanted, worker)
            return worker.ask(request, min(self.limit, self.left()))
        except (Failed, BrokenPipeError) as error:
            self.workers.pop(tool, None)
            raise Failed(str(error)) from error

    def start(self, tool, limit):
        try:
            worker = Worker(tool, self.target, limit)
        except Failed as error:
            if tool in PEERS:
                self.missing[tool] = str(error)
                print(f"{tool}: {error}", flush=True)
            raise
        self.versions[tool] = worker.ready
        return worker

    def end(self, tool):
        _, worker = self.workers.pop(tool, (None, None))
        if worker:
            worker.end()


def deviation(ours, other):
    """The largest difference of two arrays, relative to their largest entry."""
    if ours.shape != other.shape:
        return float("inf")
    if ours.size == 0:
        return 0.0
    most = max(np.abs(ours).max(), np.abs(other).max(), np.finfo(np.float64).tiny)
    worst = np.where(ours == other, 0, np.abs(ours - other)).max() / most
    return float(worst) if np.isfinite(worst) else float("inf")


def is_of_same(line, other):
    """Whether two lines are of one problem at one size."""
    return (line["problem"], line["sizes"]) == (other["problem"], other["sizes"])


def check(tools, problem, sizes, folder):
    """The largest deviation of our results from those of the CPU."""
    found = []
    for tool in ("ours", "reference"):
        file = os.path.join(folder, tool + ".npz")
        tools.ask(tool, problem.name, {"check": problem.name, "sizes": sizes, "to": file})
        with np.load(file) as arrays:
            found.append(dict(arrays))
    return max(deviation(array, found[1][name]) for name, array in found[0].items())


def check_all(tools, chosen, results, quick):
    with tempfile.TemporaryDirectory() as folder:
        for problem in chosen:
            for sizes in problem.checks[-1:] if quick else problem.checks:
                line = {"problem": problem.name, "sizes": list(sizes)}
                if any(is_of_same(old, line) for old in results["checks"]):
                    continue
                try:
                    line["deviation"] = check(tools, problem, sizes, folder)
                    line["right"] = line["deviation"] <= problem.tolerance
                    said = f"{line['deviation']:.1e}" + ("" if line["right"] else " WRONG")
                except Failed as error:
                    line["error"], line["right"] = str(error), False
                    said = f"ERROR {error}"
                results["checks"].append(line)
                print(f"check {problem.name} {report.size(sizes)}: {said}", flush=True)
            tools.end("ours")
            tools.end("reference")


def time_one(tools, tool, line, problem, seconds):
    """Adds what a tool says to the line of one size, unless that is there already."""
    if tool in line["tools"]:
        return
    line["without"].pop(tool, None)
    file = os.path.join(HERE, "peers", FOLDERS.get(tool, tool), problem.name + ".py")
    request = {"time": problem.name, "sizes": line["sizes"], "seconds": seconds}
    if tool in PEERS and not os.path.exists(file):
        line["without"][tool] = NO_PEER
    elif tools.left() < 1:
        line["without"][tool] = NO_TIME
    else:
        try:
            line["tools"][tool] = tools.ask(tool, problem.name, request)
        except Failed as error:
            line["without"][tool] = str(error)
    line["disagree"] = disagreements(line["tools"], max(1e-6, problem.tolerance))
    if line["without"].get(tool) not in (NO_PEER, tools.missing.get(tool, NO_TIME)):
        print(report.line(line, tool), flush=True)


def time_all(tools, todo, results, output, seconds):
    """One tool after another, so that no two have memory on the card at a time."""
    lines = []
    for problem, sizes in todo:
        line = {"problem": problem.name, "sizes": list(sizes), "tools": {}, "without": {}}
        own = [old for old in results["times"] if is_of_same(old, line)] or [line]
        if own[0] is line:
            results["times"].append(line)
        lines.append((problem, own[0]))
    for tool in ("ours", *PEERS):
        for problem, line in lines:
            time_one(tools, tool, line, problem, seconds)
            report.write(results, output)
            if tool == "ours":
                tools.end(tool)
        tools.end(tool)


def disagreements(answers, tolerance):
    """The tools whose results do not have the same norms as ours: sizes are too large to compare all."""
    ours = answers.get("ours", {})
    found = {}
    for tool, entries in answers.items():
        for entry, answer in entries.items():
            if entry in ours:
                left, right = np.array(ours[entry]["norms"]), np.array(answer["norms"])
                worst = max(deviation(l, r) for l, r in zip(left, right))
                if not worst <= tolerance or len(left) != len(right):
                    found[tool] = f"{entry} differs by {worst:.1e}"
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--target", default="cuda", help="cuda, or cpu to try this script out")
    parser.add_argument("--quick", action="store_true", help="small sizes, few calls")
    parser.add_argument("--problem", action="append", help="only this; may be given several times")
    parser.add_argument("--minutes", type=float, default=9, help="time for everything")
    parser.add_argument("--each", type=float, default=90, help="most seconds for a tool and size")
    parser.add_argument("--seconds", type=float, help="of calls for a median: 0.5, or 0.05 if quick")
    parser.add_argument("--resume", action="store_true", help="go on with what is in the folder")
    parser.add_argument("--output", default=os.path.join(HERE, "results"), help="folder")
    options = parser.parse_args()
    if options.seconds is None:
        options.seconds = 0.05 if options.quick else 0.5
    folder = os.path.join(HERE, options.target)
    if not os.path.isdir(folder):
        sys.exit(f"run.py: there is no {folder}: make.sh makes it")
    known = [p for p in PROBLEMS if os.path.exists(os.path.join(folder, p.name + ".so"))]
    chosen = [p for p in known if not options.problem or p.name in options.problem]
    unknown = set(options.problem or []) - {p.name for p in known}
    if unknown or not chosen:
        sys.exit(f"run.py: no library in {folder} for: {', '.join(sorted(unknown)) or 'anything'}")

    os.makedirs(options.output, exist_ok=True)
    tools = Tools(options.target, time.monotonic() + 60 * options.minutes, options.each)
    results = {
        "target": options.target,
        "quick": options.quick,
        "python": platform.python_version(),
        "checks": [],
        "times": [],
        "versions": tools.versions,
        "missing": tools.missing,
    }
    before = os.path.join(options.output, "results.json")
    if options.resume and os.path.exists(before):
        with open(before) as file:
            old = json.load(file)
        if (old["target"], old["quick"]) != (options.target, options.quick):
            sys.exit(f"run.py: {before} is of another target, or of other sizes")
        results.update(checks=[c for c in old["checks"] if c["right"]], times=old["times"])
        tools.versions.update(old["versions"])
    counted = os.path.join(HERE, "traffic.json")
    if os.path.exists(counted):
        with open(counted) as file:
            results["traffic"] = json.load(file)
    check_all(tools, chosen, results, options.quick)
    if options.target == "cuda":
        try:
            results.update(tools.ask("ours", "", {"bandwidth": 1}))
        except Failed as error:
            print(f"bandwidth: ERROR {error}", flush=True)
        tools.end("ours")

    if options.quick:
        rounds = [[(problem, problem.checks[-1]) for problem in chosen]]
    else:
        rounds = [[(p, s) for p in chosen for s in p.sizes], [(p, s) for p in chosen for s in p.large]]
    for todo in rounds:
        time_all(tools, todo, results, options.output, options.seconds)
    wrong = [check for check in results["checks"] if not check["right"]]
    for line in results["times"]:
        if line["disagree"] or line["without"].get("ours", NO_TIME) != NO_TIME:
            wrong.append(line)
    print(f"written: {options.output}; {len(wrong)} failures")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
