"""The sum of squares of the state after n Runge-Kutta steps of the Lorenz system.

Saving the state alone and doing a step again is by far the fastest.
"""

import jax
import jax.numpy as jnp

STATIC = (3,)
BLOCK = 100


def slope(p, state):
    sigma, rho, beta = p
    x, y, z = state
    return sigma * (y - x), x * (rho - z) - y, x * y - beta * z


def move(state, dt, k):
    return tuple(s + dt * k_s for s, k_s in zip(state, k))


@jax.checkpoint
def rk4(p, dt, state):
    k1 = slope(p, state)
    k2 = slope(p, move(state, dt / 2, k1))
    k3 = slope(p, move(state, dt / 2, k2))
    k4 = slope(p, move(state, dt, k3))
    k = tuple(a + 2 * (b + c) + d for a, b, c, d in zip(k1, k2, k3, k4))
    return move(state, dt / 6, k)


def steps(p, dt, state, n):
    return jax.lax.scan(lambda s, _: (rk4(p, dt, s), None), state, length=n)[0]


def square(state):
    return sum(s * s for s in state)


def objective(y0, p, dt, n):
    return square(steps(tuple(p), dt, tuple(y0), n))


def stripmined(y0, p, dt, n):
    p = tuple(p)
    inner = jax.checkpoint(lambda s: steps(p, dt, s, BLOCK))
    middle = jax.checkpoint(
        lambda s: jax.lax.scan(lambda s, _: (inner(s), None), s, length=BLOCK)[0]
    )
    state, _ = jax.lax.scan(
        lambda s, _: (middle(s), None), tuple(y0), length=n // BLOCK**2
    )
    return square(steps(p, dt, state, n % BLOCK**2))


gradient = jax.grad(objective, (0, 1))
gradient_stripmined = jax.grad(stripmined, (0, 1))
