"""Log posterior of a Gaussian mixture with a Wishart prior."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import logsumexp, multigammaln

jax.config.update("jax_enable_x64", True)


def objective(alphas, means, icf, x, gamma, m):
    n, d = x.shape
    K = alphas.shape[0]
    # icf: the log-diagonal, then the strictly lower triangle column by column.
    columns, rows = np.triu_indices(d, 1)
    diagonal = jnp.exp(icf[:, :d])
    log_det = icf[:, :d].sum(1)
    Q = jnp.zeros((K, d, d)).at[:, rows, columns].set(icf[:, d:])
    Q = Q.at[:, np.arange(d), np.arange(d)].set(diagonal)

    y = (x[None] - means[:, None]) @ jnp.swapaxes(Q, 1, 2)
    terms = (alphas + log_det)[:, None] - 0.5 * (y * y).sum(-1)
    data = logsumexp(terms, axis=0).sum() - n * logsumexp(alphas)

    m = jnp.asarray(m, x.dtype)
    w = d + m + 1
    squares = (diagonal**2).sum() + (icf[:, d:] ** 2).sum()
    C = w * d * (jnp.log(gamma) - 0.5 * np.log(2)) - multigammaln(0.5 * w, d)
    prior = 0.5 * gamma**2 * squares - m * log_det.sum() - K * C
    return data - 0.5 * n * d * np.log(2 * np.pi) + prior


def gradient(alphas, means, icf, x, gamma, m):
    return jax.grad(objective, argnums=(0, 1, 2))(alphas, means, icf, x, gamma, m)
