"""Cross entropy of a network of two layers for one example."""

import jax


def objective(W1, b1, W2, b2, x, label):
    hidden = jax.nn.relu(W1 @ x + b1)
    return -jax.nn.log_softmax(W2 @ hidden + b2)[label]


gradient = jax.grad(objective, (0, 1, 2, 3))
