"""The sum of squares."""

WRT = (0,)


def objective(x):
    return (x * x).sum()
