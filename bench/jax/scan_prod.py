"""A weighted sum of running products. On one core a sequential scan beats cumprod."""

import jax
import jax.numpy as jnp


def step(product, element):
    x, w = element
    product = product * x
    return product, w * product


def objective(x, w):
    return jnp.sum(jax.lax.scan(step, 1.0, (x, w))[1])


gradient = jax.grad(objective)
