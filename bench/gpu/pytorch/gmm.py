"""Log posterior of a Gaussian mixture with a Wishart prior."""

import math

import torch

WRT = (0, 1, 2)


def objective(alphas, means, icf, x, gamma, m):
    n, d = x.shape
    K = alphas.shape[0]
    # icf: the log-diagonal, then the strictly lower triangle column by column.
    columns, rows = torch.triu_indices(d, d, 1, device=x.device)
    all_d = torch.arange(d, device=x.device)
    diagonal = torch.exp(icf[:, :d])
    log_det = icf[:, :d].sum(1)
    Q = torch.zeros((K, d, d), dtype=x.dtype, device=x.device)
    Q = Q.index_put((torch.arange(K, device=x.device)[:, None], rows, columns), icf[:, d:])
    Q = Q.index_put((torch.arange(K, device=x.device)[:, None], all_d, all_d), diagonal)

    y = (x[None] - means[:, None]) @ Q.transpose(1, 2)
    terms = (alphas + log_det)[:, None] - 0.5 * (y * y).sum(-1)
    data = torch.logsumexp(terms, 0).sum() - n * torch.logsumexp(alphas, 0)

    w = d + m + 1
    squares = (diagonal**2).sum() + (icf[:, d:] ** 2).sum()
    log_gamma = 0.25 * d * (d - 1) * math.log(math.pi)
    log_gamma += sum(math.lgamma(0.5 * (w - j)) for j in range(d))
    C = w * d * (math.log(gamma) - 0.5 * math.log(2)) - log_gamma
    prior = 0.5 * gamma**2 * squares - m * log_det.sum() - K * C
    return data - 0.5 * n * d * math.log(2 * math.pi) + prior
