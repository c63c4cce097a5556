"""The least element."""

WRT = (0,)


def objective(x):
    return x.min()
