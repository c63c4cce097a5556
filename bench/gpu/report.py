"""Writes results.json and a table."""

import json
import os

from problems import PROBLEMS

NAMES = {"ours": "ad-opt", "jax": "JAX", "torch": "PyTorch", "torch-compile": "torch.compile"}

TEXT = """\
# Derivatives on a GPU

Medians in milliseconds: objective / derivative. Every line is one program with arguments of one size.

- Arguments and results stay on the device; *with copies* tools get arrays of numpy and give such back.
- Products in single precision are computed without TF32 by all tools, but for problems whose names end with `_tf32`, where
  all tools use it. `-` has a reason below.
- *peer / ad-opt* are derivatives, of the fastest peer: both with copies, and both without; more than 1 is in our favour.
- *derivative / objective* is of our times without copies.
- *bandwidth*: the bytes of arguments and results of the derivative, each once, over our time without copies, as part of
  what a copy on the device reaches; then the same with what kernels move, if each moves a sector once, which was counted
  in emulation.
- *flops*: what the derivative needs of arithmetic at least, over our time without copies, as part of what the device can do
  without tensor cores.
- *first* is the time of our first two calls, of both functions, in which the driver compiles kernels for the device, as far
  as its cache on disk does not have them.

"""


def size(sizes):
    return " ".join(str(s) for s in sizes)


def number(value, digits=3):
    return "-" if value is None else f"{value:.{digits}g}"


def pair(entries, pick):
    """Objective / derivative."""
    if entries is None:
        return "-"
    return " / ".join(number(ms(pick(answer))) for answer in entries.values())


def with_copies(answer):
    return answer.get("with_copies_s")


def ms(seconds):
    return None if seconds is None else 1e3 * seconds


def derivative(entries):
    return list(entries.values())[-1]


def best(line, pick):
    """The least time of a peer's derivative."""
    times = [pick(derivative(e)) for tool, e in line["tools"].items() if tool != "ours"]
    return min((t for t in times if t is not None), default=None)


def ratio(one, other):
    return None if one is None or not other else one / other


def share_of_bandwidth(line, entry, results):
    """Of arguments and results / of what kernels move."""
    speed = results.get("bytes_per_s")
    moved = results.get("traffic", {}).get(line["problem"])
    if not speed:
        return "-"
    own = entry["bytes"] / (entry["median_s"] * speed)
    return percent(own) + (f" / {percent(own * moved)}" if moved else "")


def share_of_flops(line, entry, results):
    problem = next(p for p in PROBLEMS if p.name == line["problem"])
    speed = (results.get("flops_per_s") or {}).get(problem.element)
    if not speed or not problem.flops:
        return "-"
    return percent(problem.flops(*line["sizes"]) / (entry["median_s"] * speed))


def percent(part):
    return f"{100 * part:.0f}%"


def cells(line, results):
    ours = line["tools"].get("ours")
    row = [line["problem"], size(line["sizes"])]
    for tool in NAMES:
        entries = line["tools"].get(tool)
        row.append(pair(entries, lambda a: a["median_s"]))
        if tool != "torch-compile":
            row.append(pair(entries, with_copies))
    if ours is None:
        return row + ["-"] * 6
    last = derivative(ours)
    alone = last["median_s"]
    return row + [
        number(ratio(best(line, lambda a: a["median_s"]), alone)),
        number(ratio(best(line, with_copies), with_copies(last))),
        number(ratio(alone, ours["objective"]["median_s"])),
        share_of_bandwidth(line, last, results),
        share_of_flops(line, last, results),
        number(ms(sum(answer["first_s"] for answer in ours.values()))),
    ]


HEAD = [
    "problem",
    "size",
    "ad-opt",
    "with copies",
    "JAX",
    "with copies",
    "PyTorch",
    "with copies",
    "torch.compile",
    "peer / ad-opt",
    "with copies",
    "derivative / objective",
    "bandwidth",
    "flops",
    "first",
]


def line(found, tool):
    """What one tool said, for who waits."""
    said = found["without"].get(tool) or pair(found["tools"].get(tool), lambda a: a["median_s"])
    if tool in found["disagree"]:
        said += f" DISAGREES: {found['disagree'][tool]}"
    return f"time {found['problem']} {size(found['sizes'])} {NAMES[tool]}: {said}"


def table(results):
    rows = [HEAD, ["---"] * len(HEAD)] + [cells(line, results) for line in results["times"]]
    return "".join("| " + " | ".join(row) + " |\n" for row in rows)


def notes(results):
    """Checks, versions, and why there is no figure."""
    out = ["\n## Tools\n\n"]
    for tool, version in results["versions"].items():
        out.append(f"- {NAMES.get(tool, tool)}: {', '.join(str(v) for v in version.values())}\n")
    out += [f"- {NAMES[tool]} is not timed: {why}\n" for tool, why in results["missing"].items()]
    if results.get("bytes_per_s"):
        out.append(f"- a copy on the device: {results['bytes_per_s'] / 1e9:.0f} GB/s\n")
    out.append("\n## Results compared with the CPU's\n\n")
    for check in results["checks"]:
        said = check.get("error") or f"{check['deviation']:.1e}"
        mark = "" if check["right"] else " **wrong**"
        out.append(f"- {check['problem']} {size(check['sizes'])}: {said}{mark}\n")
    reasons = []
    for found in results["times"]:
        name = f"{found['problem']} {size(found['sizes'])}"
        for tool, why in found["without"].items():
            if tool not in results["missing"]:
                reasons.append(f"- {name}: {NAMES[tool]}: {why}\n")
        for tool, how in found.get("disagree", {}).items():
            reasons.append(f"- {name}: {NAMES[tool]} **disagrees**: {how}\n")
    if reasons:
        out += ["\n## Not timed, or not the same\n\n", *reasons]
    return "".join(out)


def write(results, folder):
    with open(os.path.join(folder, "results.json"), "w") as file:
        json.dump(results, file, indent=1)
    with open(os.path.join(folder, "README.md"), "w") as file:
        file.write(TEXT + table(results) + notes(results))
