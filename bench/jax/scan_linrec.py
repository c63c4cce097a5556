"""A weighted sum of the states of a linear recurrence. On one core a sequential scan beats an
associative one."""

import jax
import jax.numpy as jnp


def step(h, element):
    a, b, w = element
    h = a * h + b
    return h, w * h


def objective(a, b, w):
    return jnp.sum(jax.lax.scan(step, 0.0, (a, b, w))[1])


gradient = jax.grad(objective, (0, 1))
