"""Writes results.json and a table."""

import json
import os

NAMES = {"ours": "ad-opt", "jax": "JAX", "torch": "PyTorch", "torch-compile": "torch.compile"}

TEXT = """\
# Derivatives on a GPU

Medians in milliseconds: objective / derivative. Every line is one program with arguments of one size.

- *ad-opt* is a call as C has it: arguments and results are in the host's memory, and copying them is timed.
- *without copies* is that less the time that the driver takes to copy arrays of the same sizes, measured by itself.
- Peers keep arguments and results on the device; *with copies* they get arrays of numpy and give them back.
- Products in single precision are computed without TF32 by all tools, but for problems whose names end with `_tf32`, where
  all tools use it. `-` has a reason below.
- *peer / ad-opt* are derivatives, of the fastest peer: both with copies, and both without; more than 1 is in our favour.
- *derivative / objective* is of our times without copies.
- *bandwidth*: the bytes of arguments and results of the derivative, each once, over our time without copies, as part of
  what a copy on the device reaches.
- *first* is the time of our first two calls, of both functions, in which the driver compiles kernels for the device.

"""


def size(sizes):
    return " ".join(str(s) for s in sizes)


def kernels(answer):
    """The time of a call without copies, None if it is not known or noise is larger."""
    copies = answer.get("copies_s", 0.0)
    if copies is None:
        return None
    left = answer["median_s"] - copies
    return left if left > 0.02 * answer["median_s"] else None


def number(value, digits=3):
    return "-" if value is None else f"{value:.{digits}g}"


def pair(entries, pick):
    """Objective / derivative."""
    if entries is None:
        return "-"
    return " / ".join(number(ms(pick(answer))) for answer in entries.values())


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


def cells(line, bytes_per_s):
    ours = line["tools"].get("ours")
    row = [line["problem"], size(line["sizes"])]
    row += [pair(ours, lambda a: a["median_s"]), pair(ours, kernels)]
    for tool in ("jax", "torch", "torch-compile"):
        entries = line["tools"].get(tool)
        row.append(pair(entries, lambda a: a["median_s"]))
        if tool != "torch-compile":
            row.append(pair(entries, lambda a: a["with_copies_s"]))
    if ours is None:
        return row + ["-"] * 5
    last = derivative(ours)
    alone = kernels(last)
    share = ratio(last["bytes"], alone * bytes_per_s) if alone and bytes_per_s else None
    return row + [
        number(ratio(best(line, lambda a: a["with_copies_s"]), last["median_s"])),
        number(ratio(best(line, lambda a: a["median_s"]), alone)),
        number(ratio(alone, kernels(ours["objective"]))),
        "-" if share is None else f"{100 * share:.0f}%",
        number(ms(sum(answer["first_s"] for answer in ours.values()))),
    ]


HEAD = [
    "problem",
    "size",
    "ad-opt",
    "without copies",
    "JAX",
    "with copies",
    "PyTorch",
    "with copies",
    "torch.compile",
    "peer / ad-opt with copies",
    "without",
    "derivative / objective",
    "bandwidth",
    "first",
]


def line(found, tool):
    """What one tool said, for who waits."""
    said = found["without"].get(tool) or pair(found["tools"].get(tool), lambda a: a["median_s"])
    if tool in found["disagree"]:
        said += f" DISAGREES: {found['disagree'][tool]}"
    return f"time {found['problem']} {size(found['sizes'])} {NAMES[tool]}: {said}"


def table(results):
    speed = results.get("bytes_per_s")
    rows = [HEAD, ["---"] * len(HEAD)] + [cells(line, speed) for line in results["times"]]
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
