"""log(sum(exp(x)))."""

import jax


def objective(x):
    return jax.scipy.special.logsumexp(x)


gradient = jax.grad(objective)
