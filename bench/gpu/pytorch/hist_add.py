"""The weighted sum of sines of a histogram: sums of squares by bin."""

import torch

WRT = (0,)


def objective(v, ix, w):
    h = torch.zeros_like(w).index_add(0, ix, v * v)
    return torch.dot(w, torch.sin(h))
