"""Fails when the processor has wide vectors and the assembly does not use them."""

import sys

with open("/proc/cpuinfo") as file:
    flags = set(file.read().split())
with open(sys.argv[1]) as file:
    assembly = file.read()
if "avx2" in flags and "ymm" not in assembly and "zmm" not in assembly:
    sys.exit("no AVX registers in\n" + assembly)
