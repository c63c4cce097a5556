"""The first column of a diagonal matrix times its first row."""

import jax
import jax.numpy as jnp


def objective(x):
    A = jnp.diag(x)
    return jnp.dot(A[:, 0], A[0, :])


gradient = jax.grad(objective)
