"""A batched LSTM in single precision: the sum of squared errors of its hidden states."""

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def objective(W, U, b, xs, h0, target):
    # The products with the inputs do not depend on the state: one product for all steps.
    projected = xs @ W + b

    def step(state, zx):
        hidden, cell = state
        z_input, z_forget, z_output, z_candidate = jnp.split(zx + hidden @ U, 4, axis=-1)
        added = jax.nn.sigmoid(z_input) * jnp.tanh(z_candidate)
        cell = jax.nn.sigmoid(z_forget) * cell + added
        hidden = jax.nn.sigmoid(z_output) * jnp.tanh(cell)
        return (hidden, cell), hidden

    _, hidden = jax.lax.scan(step, (h0, h0), projected)
    return ((hidden - target) ** 2).sum()


def gradient(W, U, b, xs, h0, target):
    return jax.grad(objective, argnums=(0, 1, 2))(W, U, b, xs, h0, target)
