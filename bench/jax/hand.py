"""Hand tracking by linear blend skinning."""

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)


def angles(theta, bones):
    """Flexion and abduction of each bone. Bone 0 has none; of every four bones from there on the
    first has none, the second both, the third and the fourth flexion."""
    b = np.arange(bones)
    joint, first = (b + 3) % 4, (b + 3) // 4 * 4 + 2
    bends = (b > 0) & (joint != 0) & (first + 4 <= theta.shape[0])
    spreads = bends & (joint == 1)
    flexion = np.where(bends, first + np.where(joint == 1, 0, joint), 0)
    abduction = np.where(spreads, first + 1, 0)
    return jnp.where(bends, theta[flexion], 0.0), jnp.where(spreads, theta[abduction], 0.0)


def local_transforms(theta, rel):
    x, z = angles(theta, rel.shape[0])
    sx, cx, sz, cz = jnp.sin(x), jnp.cos(x), jnp.sin(z), jnp.cos(z)
    zero, one = jnp.zeros_like(x), jnp.ones_like(x)
    # Rz Rx
    R = jnp.stack(
        [
            jnp.stack([cz, -sz * cx, sz * sx, zero], -1),
            jnp.stack([sz, cz * cx, -cz * sx, zero], -1),
            jnp.stack([zero, sx, cx, zero], -1),
            jnp.stack([zero, zero, zero, one], -1),
        ],
        -2,
    )
    return rel @ R


def absolute_transforms(parents, local):
    """absolute[b] = absolute[parents[b]] local[b]. Each round doubles the number of ancestors whose
    transforms are in the product; the root's parent is an identity."""
    bones = parents.shape[0]
    product = jnp.concatenate([local, jnp.eye(4)[None]])
    up = jnp.append(jnp.where(parents < 0, bones, parents), bones)
    for _ in range(max(bones - 1, 0).bit_length()):
        product = product[up] @ product
        up = up[up]
    return product[:bones]


def global_rotation(r):
    square = r @ r
    turned = square > 0
    # The unused branch must not divide by zero: its derivative would be NaN.
    safe = jnp.where(turned, square, 1.0)
    angle = jnp.sqrt(safe)
    cos = jnp.where(turned, jnp.cos(angle), 1.0)
    sine_part = jnp.where(turned, jnp.sin(angle) / angle, 1.0)
    versine_part = jnp.where(turned, (1 - jnp.cos(angle)) / safe, 0.0)
    zero = jnp.zeros_like(angle)
    skew = jnp.array([[zero, -r[2], r[1]], [r[2], zero, -r[0]], [-r[1], r[0], zero]])
    return cos * jnp.eye(3) + sine_part * skew + versine_part * jnp.outer(r, r)


def skin(theta, parents, rel, inv, pos, wts):
    skinning = (absolute_transforms(parents, local_transforms(theta, rel)) @ inv)[:, :3]
    turned = global_rotation(theta[:3]) @ skinning
    # sum_b wts[b] turned[b] (pos, 1) as one matrix product, whose left factor is constant.
    points = jnp.concatenate([pos, jnp.ones((pos.shape[0], 1))], 1)
    weighted = (wts[:, :, None] * points[:, None]).reshape(pos.shape[0], -1)
    return weighted @ jnp.swapaxes(turned, 1, 2).reshape(-1, 3) + theta[3:6]


def vertices_at(ids, theta, parents, rel, inv, pos, wts):
    """The vertices with these numbers; no others if that is less work."""
    if ids.size < pos.shape[0]:
        flat = ids.reshape(-1)
        return skin(theta, parents, rel, inv, pos[flat], wts[flat]).reshape(*ids.shape, 3)
    return skin(theta, parents, rel, inv, pos, wts)[ids]


def objective(theta, us, parents, rel, inv, pos, wts, tris, corr, pts):
    return pts - vertices_at(corr, theta, parents, rel, inv, pos, wts)


def blend(us, corners):
    u0, u1 = us[:, :1], us[:, 1:]
    return u0 * corners[:, 0] + u1 * corners[:, 1] + (1 - u0 - u1) * corners[:, 2]


def objective_complicated(theta, us, parents, rel, inv, pos, wts, tris, corr, pts):
    return pts - blend(us, vertices_at(tris[corr], theta, parents, rel, inv, pos, wts))


def jacobian(theta, us, parents, rel, inv, pos, wts, tris, corr, pts):
    by_theta = jax.jacfwd(objective)(theta, us, parents, rel, inv, pos, wts, tris, corr, pts)
    return jnp.moveaxis(by_theta, -1, 0)


def jacobian_complicated(theta, us, parents, rel, inv, pos, wts, tris, corr, pts):
    arguments = (parents, rel, inv, pos, wts, tris, corr, pts)

    # A point's own coordinates concern its own error only: one direction for all points each.
    def by_own(direction):
        directions = jnp.broadcast_to(direction, us.shape)
        error = lambda us: objective_complicated(theta, us, *arguments)
        return jax.jvp(error, (us,), (directions,))[1]

    own = jax.vmap(by_own)(jnp.eye(2))
    by_theta = jax.jacfwd(objective_complicated)(theta, us, *arguments)
    return jnp.concatenate([own, jnp.moveaxis(by_theta, -1, 0)])
