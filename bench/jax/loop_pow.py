"""y^2 after n times y = p sin(y)."""

import jax
import jax.numpy as jnp

STATIC = (2,)


def objective(y0, p, n):
    def step(y, _):
        return p * jnp.sin(y), None

    y, _ = jax.lax.scan(step, y0, length=n)
    return y * y


gradient = jax.grad(objective, (0, 1))
