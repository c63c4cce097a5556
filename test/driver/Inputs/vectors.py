"""Says whether assembly uses the wide vectors that the processor has, if it has any."""

import sys

with open("/proc/cpuinfo") as file:
    flags = set(file.read().split())
with open(sys.argv[1]) as file:
    assembly = file.read()
wide = "ymm" in assembly or "zmm" in assembly
print("as wide as the processor's" if wide or "avx2" not in flags else "narrow")
