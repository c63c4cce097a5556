"""What every lit test can use.

Tools: ad-opt and the other binaries of the workspace, mlir-opt-22, FileCheck, not, split-file.
Substitutions: %plugin (the plugin), %release (what Cargo built), %examples and %bench (folders), %data (optional data).
Features: plugin (Debian's own mlir-opt-22 is there), gpu (an NVIDIA GPU is there),
adbench-data (the ADBench inputs are there), clang (the C++ compiler of LLVM 22 is there),
valgrind (instructions can be counted in code for AVX2), numpy (the Python of lit has it).
"""

import os
import platform
import shutil
import subprocess
import sys

import lit.formats

config.name = "ad-opt"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Output"]

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
prefix = os.environ.get("MLIR_SYS_220_PREFIX", "/usr/lib/llvm-22")
release = os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(root, "target")), "release")
data = os.environ.get("AD_OPT_DATA", os.path.join(os.path.dirname(root), "shared", "data"))

config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(release, "test")
os.makedirs(config.test_exec_root, exist_ok=True)

# `command` finds our binaries first, then those of LLVM 22.
path = [release, os.path.join(prefix, "bin"), config.environment.get("PATH", os.environ["PATH"])]
config.environment["PATH"] = os.pathsep.join(path)
config.environment["FILECHECK_OPTS"] = "--enable-var-scope --dump-input-filter=error"

stock = shutil.which("mlir-opt-22") or os.path.join(prefix, "bin", "mlir-opt")
plugin = os.path.join(release, "libad_opt.so")
load = f"--load-dialect-plugin={plugin} --load-pass-plugin={plugin}"
config.substitutions += [
    ("%load-plugin", load),
    ("%plugin", plugin),
    ("%release", release),
    ("%examples", os.path.join(root, "examples")),
    ("%bench", os.path.join(root, "bench")),
    ("%root", root),
    ("%prefix", prefix),
    ("%data", data),
    ("%python", sys.executable),
    (r"\bmlir-opt-22\b", stock),
]

if os.path.exists(stock) and os.path.exists(plugin):
    config.available_features.add("plugin")
if os.path.exists("/dev/nvidiactl"):
    config.available_features.add("gpu")
if os.access(os.path.join(prefix, "bin", "clang++"), os.X_OK):
    config.available_features.add("clang")
else:
    lit_config.note("no clang++ 22: tests that compile C++ peers are left out")
if shutil.which("valgrind") and platform.machine() == "x86_64":
    config.available_features.add("valgrind")
else:
    lit_config.note("no valgrind for x86-64: tests that count instructions are left out")
if subprocess.run([sys.executable, "-c", "import numpy"], capture_output=True).returncode == 0:
    config.available_features.add("numpy")
else:
    lit_config.note("no numpy for this Python: the script that times on a GPU is not tried")
if os.path.isdir(os.path.join(data, "adbench")):
    config.available_features.add("adbench-data")
