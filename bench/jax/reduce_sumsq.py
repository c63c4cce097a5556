"""The sum of squares."""

import jax
import jax.numpy as jnp


def objective(x):
    return jnp.sum(x * x)


gradient = jax.grad(objective)
