"""sin(x) cos(x)."""

import jax
import jax.numpy as jnp


def objective(x):
    return jnp.sin(x) * jnp.cos(x)


gradient = jax.grad(objective)
