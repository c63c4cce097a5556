"""The weighted sum of sines of a histogram: the largest square of each bin, 0 in an empty one."""

import torch

WRT = (0,)


def objective(v, ix, w):
    h = torch.zeros_like(w).scatter_reduce(0, ix, v * v, "amax")
    return torch.dot(w, torch.sin(h))
