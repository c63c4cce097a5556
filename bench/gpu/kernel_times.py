"""Which kernels of ours take the time of a call: kernel_times.py [--problem NAME]... [--entry NAME] [--json FILE]

Run it in a folder that make.sh made, on a machine with a card and PyTorch, whose profiler sees all kernels of a
process. For each problem, size and entry it prints a line for each kernel: how often a call launches it, how long all
of these launches take, and one of them; then what a call takes, and how much of that the card was busy.
"""

import argparse
import ctypes
import json
import os
import time

import torch
from torch.profiler import ProfilerActivity, profile

import report
from problems import PROBLEMS
from worker import Tool

HERE = os.path.dirname(os.path.abspath(__file__))
CALLS = 3


def on_card(run):
    """Name and nanoseconds of whatever the card did."""
    with profile(activities=[ProfilerActivity.CUDA]) as profiler:
        run()
        torch.cuda.synchronize()
    events = profiler.profiler.kineto_results.events()
    cuda = torch.autograd.DeviceType.CUDA
    return [(e.name(), e.duration_ns()) for e in events if e.device_type() == cuda]


def of_entry(runner, entry):
    for _ in range(2):
        runner.seconds(entry)
    alone = min(runner.seconds(entry) for _ in range(CALLS))
    events = on_card(lambda: [runner.seconds(entry) for _ in range(CALLS)])
    kernels = {}
    for name, length in events:
        count, total = kernels.get(name, (0, 0))
        kernels[name] = (count + 1, total + length)
    rows = [
        {"kernel": name, "launches": count / CALLS, "us": total / CALLS / 1e3}
        for name, (count, total) in kernels.items()
    ]
    rows.sort(key=lambda row: -row["us"])
    return {"us": alone * 1e6, "busy_us": sum(row["us"] for row in rows), "kernels": rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--problem", action="append", help="only this; may be given several times")
    parser.add_argument("--entry", help="only this")
    parser.add_argument("--large", action="store_true", help="the large sizes, too")
    parser.add_argument("--kernels", type=int, default=12, help="most lines for an entry")
    parser.add_argument("--json", help="a file to write all of it to")
    options = parser.parse_args()
    torch.cuda.init()
    on_card(lambda: torch.zeros(10, device="cuda").sum().item())
    found = []
    for problem in PROBLEMS:
        library = os.path.join(HERE, "cuda", problem.name + ".so")
        if options.problem and problem.name not in options.problem or not os.path.exists(library):
            continue
        for sizes in (*problem.sizes, *(problem.large if options.large else ())):
            _, _, runner = Tool("ours", "cuda", HERE).load(problem.name, sizes)
            for entry in problem.entries:
                if options.entry in (None, entry):
                    start = time.perf_counter()
                    line = {"problem": problem.name, "sizes": sizes, "entry": entry}
                    line.update(of_entry(runner, entry))
                    found.append(line)
                    print_line(line, options.kernels, time.perf_counter() - start)
            for _, place in runner.places:
                runner.card.free(ctypes.c_uint64(place))
            if options.json:
                with open(options.json, "w") as file:
                    json.dump(found, file, indent=1)


def print_line(line, most, seconds):
    name = f"{line['problem']} {report.size(line['sizes'])} {line['entry']}"
    print(f"{name}: {line['us']:.0f} us, busy {line['busy_us']:.0f} us ({seconds:.1f} s)")
    for row in line["kernels"][:most]:
        each = row["us"] / row["launches"]
        print(f"  {row['us']:9.1f} us {row['launches']:7.1f} x {each:9.1f}  {row['kernel'][:90]}")
    print(end="", flush=True)


if __name__ == "__main__":
    main()
