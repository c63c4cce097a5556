"""Copies: copies.py FOLDER, that make.sh made."""

import sys

import numpy as np

sys.path.insert(0, sys.argv[1])
import device

card = device.Device()
print("bandwidth", card.bandwidth(2**20) > 0)
ones, none = np.ones(1000), np.zeros(0)
place = card.memory(ones.nbytes).value
card.put(ones, place)
card.put(none, place)
back = np.zeros(1000)
card.get(back, place)
print("copies", (back == ones).all())
print("flops", card.flops_per_s)
try:
    card.bandwidth(2**30)
except RuntimeError as error:
    print("too large:", error)
