"""A fold whose step is a function over two numbers."""

import jax
import jax.numpy as jnp

STATIC = (2,)


def objective(a, b, n):
    def scaled(u):
        return jnp.sin(a * u)

    def step(v, at):
        return scaled(scaled(v)) + jnp.cos(b * at), None

    return jax.lax.scan(step, 1.0, jnp.arange(n, dtype=float))[0]


gradient = jax.grad(objective, (0, 1))
