"""A weighted sum of running products of 2x2 matrices. On one core a sequential scan beats an
associative one."""

import jax
import jax.numpy as jnp


def step(product, element):
    A, W = element
    product = product @ A
    return product, jnp.sum(W * product)


def objective(A, W):
    return jnp.sum(jax.lax.scan(step, jnp.eye(2), (A, W))[1])


gradient = jax.grad(objective)
