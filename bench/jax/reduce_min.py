"""The least element."""

import jax
import jax.numpy as jnp

objective = jnp.min
gradient = jax.grad(lambda x: jnp.min(x))
