"""Writes a .npy file: npy.py FILE DESCR SHAPE [NUMBER ...]

DESCR is the element type as in the header, such as '<f8'; SHAPE the text of a tuple.
--fortran says that elements are in column-major order; --bytes=N keeps the first N bytes of the file only
(from the end if N is negative); --more=N adds N bytes. --vary=K takes as many numbers between -1.2 and 1.2 as the
shape needs instead, all different, and others for another K.
"""

import math
import struct
import sys

CODES = {"f2": "e", "f4": "f", "f8": "d", "b1": "?", "i1": "b", "u1": "B", "i2": "h", "i4": "i", "i8": "q", "u8": "Q"}
CODES |= {"c8": "ff", "c16": "dd"}


def main(arguments):
    options = dict(a[2:].partition("=")[::2] for a in arguments if str(a).startswith("--"))
    path, descr, shape, *numbers = [a for a in arguments if not str(a).startswith("--")]
    order = ">" if descr[0] == ">" else "<"
    code = CODES.get(descr[1:], "B")
    convert = float if code[0] in "efd" else int
    if "vary" in options:
        count = math.prod(int(size) for size in shape.strip("()").split(",") if size)
        numbers = [1.2 * math.sin(1.9 * i + float(options["vary"])) for i in range(count)]
    data = b"".join(struct.pack(order + code[0], convert(number)) for number in numbers)

    fortran = "fortran" in options
    header = f"{{'descr': {descr if descr[0] == '[' else repr(descr)}, 'fortran_order': {fortran}, 'shape': {shape}, }}\n"
    content = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data
    content += b"\0" * int(options.get("more", 0))
    if "bytes" in options:
        content = content[: int(options["bytes"])]
    with open(path, "wb") as file:
        file.write(content)


if __name__ == "__main__":
    main(sys.argv[1:])
