"""Bundle adjustment: reprojection errors, and their Jacobian as a block per observation."""

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def rotate(r, X):
    """X turned by |r| about r; at r = 0 the first-order form X + r x X."""
    square = dot(r, r)
    turned = square > 0
    # The unused branch must not divide by zero: its derivative would be NaN.
    safe = jnp.where(turned, square, 1.0)
    angle = jnp.sqrt(safe)
    cos = jnp.where(turned, jnp.cos(angle), 1.0)
    sine_part = jnp.where(turned, jnp.sin(angle) / angle, 1.0)
    versine_part = jnp.where(turned, (1 - jnp.cos(angle)) / safe, 0.0)
    along = dot(r, X) * versine_part
    cross = (
        r[1] * X[2] - r[2] * X[1],
        r[2] * X[0] - r[0] * X[2],
        r[0] * X[1] - r[1] * X[0],
    )
    return [X[i] * cos + cross[i] * sine_part + r[i] * along for i in range(3)]


def reproject(camera, X, w, feat):
    """The two errors of one observation. Scalars, so that XLA fuses all of it into one loop."""
    P = rotate(camera[:3], [X[i] - camera[3 + i] for i in range(3)])
    e = (P[0] / P[2], P[1] / P[2])
    square = e[0] * e[0] + e[1] * e[1]
    fs = camera[6] * (1 + square * (camera[9] + camera[10] * square))
    return jnp.stack([w * (fs * e[i] + camera[7 + i] - feat[i]) for i in range(2)])


def weight_error(w):
    return 1 - w * w


def objective(cams, X, w, feats, obs):
    errors = jax.vmap(reproject)(cams[obs[:, 0]], X[obs[:, 1]], w, feats)
    return errors, weight_error(w)


def jacobian(cams, X, w, feats, obs):
    def block(camera, point, weight, feat):
        by = jax.jacrev(reproject, argnums=(0, 1, 2))(camera, point, weight, feat)
        return jnp.concatenate([by[0], by[1], by[2][:, None]], axis=1)

    blocks = jax.vmap(block)(cams[obs[:, 0]], X[obs[:, 1]], w, feats)
    return blocks, jax.vmap(jax.grad(weight_error))(w)
