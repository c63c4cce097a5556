"""A weighted sum of running products of 2x2 matrices, entry by entry."""

import jax
import jax.numpy as jnp


def product(left, right):
    l00, l01, l10, l11 = left
    r00, r01, r10, r11 = right
    return (
        l00 * r00 + l01 * r10,
        l00 * r01 + l01 * r11,
        l10 * r00 + l11 * r10,
        l10 * r01 + l11 * r11,
    )


def objective(A, W):
    entries = (A[:, 0, 0], A[:, 0, 1], A[:, 1, 0], A[:, 1, 1])
    y = jax.lax.associative_scan(product, entries)
    return jnp.sum(W * jnp.stack(y, 1).reshape(W.shape))


gradient = jax.grad(objective)
