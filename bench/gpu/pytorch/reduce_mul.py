"""The product of all elements."""

WRT = (0,)


def objective(x):
    return x.prod()
