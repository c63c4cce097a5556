"""x to the power n by multiplications, in reverse mode."""

import jax

STATIC = (1,)


def objective(x, n):
    return jax.lax.scan(lambda y, _: (y * x, None), 1.0, length=n)[0]


gradient = jax.grad(objective)
