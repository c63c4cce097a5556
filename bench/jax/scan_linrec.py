"""A weighted sum of the states of a linear recurrence, by a scan over its steps."""

import jax
import jax.numpy as jnp


def after(first, second):
    a1, b1 = first
    a2, b2 = second
    return a1 * a2, b1 * a2 + b2


def objective(a, b, w):
    _, h = jax.lax.associative_scan(after, (a, b))
    return jnp.sum(w * h)


gradient = jax.grad(objective, (0, 1))
