"""The sum of squares of a matrix product."""

import jax
import jax.numpy as jnp


def objective(A, B):
    return jnp.sum((A @ B) ** 2)


gradient = jax.grad(objective, (0, 1))
