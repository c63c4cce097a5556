"""Log likelihood of a sequence under a diagonal LSTM."""

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def objective(main, extra, state, seq):
    layers = main.shape[0] // 2
    steps, b = seq.shape[0] - 1, seq.shape[1]
    # layer, weights or biases, gate, bit
    main = main.reshape(layers, 2, 4, b)

    def step(carry, x):
        after = []
        for (weight, bias), (hidden, cell) in zip(main, carry):
            forget = jax.nn.sigmoid(x * weight[0] + bias[0])
            ingate = jax.nn.sigmoid(hidden * weight[1] + bias[1])
            outgate = jax.nn.sigmoid(x * weight[2] + bias[2])
            change = jnp.tanh(hidden * weight[3] + bias[3])
            cell = cell * forget + ingate * change
            x = outgate * jnp.tanh(cell)
            after.append((x, cell))
        return after, x

    start = [(state[2 * i], state[2 * i + 1]) for i in range(layers)]
    _, top = jax.lax.scan(step, start, seq[:-1] * extra[0])
    # The prediction does not feed back, so it is made for all steps at once.
    y = top * extra[1] + extra[2]
    norm = jnp.log(jnp.exp(y).sum(1, keepdims=True) + 2)
    return -(seq[1:] * (y - norm)).sum() / (steps * b)


def gradient(main, extra, state, seq):
    return jax.grad(objective, argnums=(0, 1))(main, extra, state, seq)
