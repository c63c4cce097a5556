"""k-means.

|p - c|^2 = |p|^2 + |c|^2 - 2 <p, c>, so that the bulk of the work is a matrix product. For derivatives it
is faster to find the nearest centres first, which have none, and then to sum their distances.
"""

import jax
import jax.numpy as jnp


def objective(C, P):
    distances = jnp.sum(P * P, 1)[:, None] + jnp.sum(C * C, 1) - 2 * (P @ C.T)
    return jnp.sum(jnp.min(distances, 1))


def assigned(C, P):
    nearest = jnp.argmin(jax.lax.stop_gradient(jnp.sum(C * C, 1) - 2 * (P @ C.T)), 1)
    return jnp.sum((P - C[nearest]) ** 2)


def gradient_hessian(C, P):
    return jax.jvp(lambda C: jax.grad(assigned)(C, P), (C,), (jnp.ones_like(C),))
