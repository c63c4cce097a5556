"""Mean negative log likelihood of logistic regression."""

import jax
import jax.numpy as jnp


def objective(w, b, x, t):
    z = x @ w + b
    return jnp.mean(jax.nn.softplus(z) - t * z)


gradient = jax.grad(objective, (0, 1))
