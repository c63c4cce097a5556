"""Prints the assembly of each gpu.binary in a module."""

import re
import sys

for text in re.findall(r'assembly = "((?:[^"\\]|\\.)*)"', sys.stdin.read()):
    text = re.sub(r"\\([0-9A-F]{2})", lambda code: chr(int(code.group(1), 16)), text)
    print(text.replace("\\\\", "\\").rstrip("\0"))
