"""k-means for points that are the rows of a CSR matrix."""

import jax
import jax.numpy as jnp


def objective(C, vals, cols, rows):
    n = rows.shape[0] - 1
    lengths = rows[1:] - rows[:-1]
    point = jnp.repeat(jnp.arange(n), lengths, total_repeat_length=vals.shape[0])
    changes = vals[:, None] * (vals[:, None] - 2 * C.T[cols])
    sums = jax.ops.segment_sum(changes, point, n, indices_are_sorted=True)
    return jnp.sum(jnp.min(jnp.sum(C * C, 1) + sums, 1))


def gradient_hessian(C, *points):
    return jax.jvp(lambda C: jax.grad(objective)(C, *points), (C,), (jnp.ones_like(C),))
