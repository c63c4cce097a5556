"""A weighted sum of running products."""

import jax
import jax.numpy as jnp


def objective(x, w):
    return jnp.sum(w * jnp.cumprod(x))


gradient = jax.grad(objective)
