"""The product of all elements."""

import jax
import jax.numpy as jnp

objective = jnp.prod
gradient = jax.grad(lambda x: jnp.prod(x))
