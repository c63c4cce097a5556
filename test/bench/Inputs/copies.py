"""Times copies: copies.py FOLDER, that make.sh made."""

import sys

import numpy as np

sys.path.insert(0, sys.argv[1])
import device

card = device.Device()
print("bandwidth", card.bandwidth(2**20) > 0)
print("copies", card.copies([np.ones(1000), np.array(1)], [8000, 0]) > 0)
try:
    card.bandwidth(2**30)
except RuntimeError as error:
    print("too large:", error)
