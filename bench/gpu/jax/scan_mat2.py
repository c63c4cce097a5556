"""A weighted sum of running products of 2x2 matrices, in parallel."""

import jax
import jax.numpy as jnp


def objective(A, W):
    return jnp.sum(W * jax.lax.associative_scan(jnp.matmul, A))


gradient = jax.grad(objective)
