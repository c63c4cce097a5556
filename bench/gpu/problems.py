"""The problems: what their entries return, their sizes, and arguments made from a fixed seed.

Arguments have the distributions of `tools/ad-bench/src/harness/arguments.rs`.
"""

import numpy as np

# Nuclides in each material, and how many lookups of a thousand ask for it, as in XSBench.
MATERIALS = (34, 5, 4, 4, 27, 21, 21, 21, 21, 21, 9, 9)
SHARES = (140, 52, 275, 134, 154, 64, 66, 55, 8, 15, 25, 12)


def gmm(random, n, d, k):
    return [
        random.standard_normal(k),
        random.random((k, d)),
        random.standard_normal((k, d * (d + 1) // 2)),
        random.standard_normal((n, d)),
        np.array(1.0),
        np.array(0),
    ]


def lstm_batched(random, batch, steps, inputs, hidden):
    def array(bound, *shape):
        return random.uniform(-bound, bound, shape).astype(np.float32)

    scale = hidden**-0.5
    return [
        array(scale, inputs, 4 * hidden),
        array(scale, hidden, 4 * hidden),
        array(scale, 4 * hidden),
        array(1, steps, batch, inputs),
        array(1, batch, hidden),
        array(1, steps, batch, hidden),
    ]


def kmeans(random, k, n, d):
    return [random.standard_normal((k, d)), random.standard_normal((n, d))]


def kmeans_sparse(random, k, n, d, entries):
    stretch = d // entries
    columns = np.arange(entries) * stretch + random.integers(stretch, size=(n, entries))
    return [
        random.standard_normal((k, d)),
        random.random(n * entries),
        columns.reshape(-1),
        np.arange(n + 1) * entries,
    ]


def lookups(random, nuclides, n):
    m, most = len(MATERIALS), max(MATERIALS)
    return [
        random.integers(nuclides, size=(m, most)),
        random.random((m, most)),
        np.array(MATERIALS),
        random.random(n),
        np.repeat(np.arange(m), SHARES)[random.integers(1000, size=n)],
    ]


def xsbench(random, nuclides, points, n):
    return [
        np.sort(random.random((nuclides, points)), axis=1),
        random.random((nuclides, points, 5)),
        *lookups(random, nuclides, n),
        random.random(5),
    ]


def rsbench(random, nuclides, windows, n):
    starts = np.zeros((nuclides, windows + 1), np.int64)
    starts[:, 1:] = np.cumsum(1 + random.integers(16, size=(nuclides, windows)), axis=1)
    most = starts.max()
    poles = random.random(nuclides * most * 8)
    poles[::80] = 20 * (1 + poles[::80])
    return [
        poles.reshape(nuclides, most, 8),
        random.integers(4, size=(nuclides, most)),
        random.random((nuclides, windows, 3)),
        starts,
        random.random((nuclides, 4)),
        *lookups(random, nuclides, n),
        random.random(4),
    ]


def vector(random, n):
    return [random.standard_normal(n)]


def near_one(random, n, spread):
    return random.uniform(1 - spread, 1 + spread, n)


def product(random, n):
    return [near_one(random, n, n**-0.5)]


def scan_prod(random, n):
    return [near_one(random, n, n**-0.5), random.standard_normal(n)]


def scan_linrec(random, n):
    return [random.uniform(-0.95, 0.95, n), random.standard_normal(n), random.standard_normal(n)]


def scan_mat2(random, n):
    matrices = np.eye(2) + random.uniform(-(n**-0.5), n**-0.5, (n, 2, 2))
    return [matrices, random.standard_normal((n, 2, 2))]


def hist(random, n, m):
    return [random.standard_normal(n), random.integers(m, size=n), random.standard_normal(m)]


def hist_mul(random, n, m):
    values = near_one(random, n, min(0.5, (m / n) ** 0.5))
    return [values, random.integers(m, size=n), random.standard_normal(m)]


def flops_of_gmm(n, d, k):
    """A triangle times a vector for each point and component; the derivative by the matrix and by the vector besides."""
    return 3 * n * k * d * (d + 1)


def flops_of_lstm(batch, steps, inputs, hidden):
    """Products of the four gates; the derivative by both weights, and by the state."""
    forward = 2 * batch * steps * 4 * hidden * (inputs + hidden)
    return 2 * forward + 2 * batch * steps * 4 * hidden * hidden


def flops_of_kmeans(k, n, d):
    """Products of points and centres."""
    return 2 * k * n * d


class Problem:
    """One program: `name` is also that of its library and of its peers.

    `ranks` are those of the derivative's results; the objective is a number. `checks` are small sizes,
    where results are compared; `sizes` are timed; `large` ones after those of all other problems.
    `flops` is how many operations of arithmetic the derivative needs at least, by the sizes, if that limits it; the
    problem is `streamed` if it is limited by memory that is read and written in order.
    With `tf32`, all tools compute products of single precision in TF32 on the card: ours is the program
    of the name without `_tf32`, compiled for tensor cores.
    """

    def __init__(
        self,
        name,
        make,
        ranks,
        checks,
        sizes,
        large=(),
        derivative="gradient",
        element="f8",
        tf32=False,
        flops=None,
        streamed=False,
    ):
        self.name, self.make = name, make
        self.checks, self.sizes, self.large = checks, sizes, large
        self.derivative, self.element = derivative, element
        self.flops, self.streamed = flops, streamed
        self.tf32, self.program = tf32, name.removesuffix("_tf32")
        self.entries = {"objective": [(element, 0)], derivative: [(element, r) for r in ranks]}
        # Relative to the largest entry of an array. Single precision sums thousands of squares, and
        # TF32 has ten bits of mantissa.
        self.tolerance = 1e-9 if element == "f8" else 1e-2 if tf32 else 1e-3

    def arguments(self, sizes):
        return self.make(np.random.default_rng(1), *sizes)


LSTM = dict(
    make=lstm_batched,
    ranks=(2, 2, 1),
    checks=[(8, 5, 7, 12), (64, 20, 80, 192)],
    sizes=[(1024, 20, 300, 192), (1024, 300, 80, 256)],
    element="f4",
    flops=flops_of_lstm,
)
LONG = dict(
    checks=[(1,), (1000,), (100_003,)], sizes=[(10**7,)], large=[(10**8,)], streamed=True
)
BINS = dict(
    checks=[(1000, 7), (100_003, 1000)],
    sizes=[(10**7, 1000)],
    large=[(10**8, 1000)],
    streamed=True,
)

# The most important first.
PROBLEMS = [
    Problem(
        "gmm",
        gmm,
        (1, 2, 2),
        [(100, 5, 7), (257, 32, 25)],
        [
            (1000, 64, 200),
            (1000, 128, 200),
            (10_000, 32, 200),
            (10_000, 64, 25),
            (10_000, 128, 25),
            (10_000, 128, 200),
        ],
        flops=flops_of_gmm,
    ),
    Problem("lstm_batched", **LSTM),
    Problem("lstm_batched_tf32", tf32=True, **LSTM),
    Problem(
        "kmeans",
        kmeans,
        (2, 2),
        [(5, 1000, 35), (100, 1000, 64)],
        [(5, 494_019, 35), (1024, 10_000, 256)],
        derivative="gradient_hessian",
        flops=flops_of_kmeans,
    ),
    Problem(
        "kmeans_sparse",
        kmeans_sparse,
        (2, 2),
        [(10, 500, 1000, 20)],
        [(10, 20_000, 5000, 50)],
        derivative="gradient_hessian",
    ),
    Problem(
        "rsbench", rsbench, (3, 3, 2), [(68, 10, 300)], [(68, 100, 10_000), (68, 100, 100_000)]
    ),
    Problem(
        "xsbench",
        xsbench,
        (3, 2),
        [(68, 100, 1000)],
        [(68, 11_303, 100_000)],
        large=[(68, 11_303, 1_000_000)],
    ),
    Problem("reduce_lse", vector, (1,), **LONG),
    Problem("reduce_sumsq", vector, (1,), **LONG),
    Problem("scan_prod", scan_prod, (1,), **LONG),
    Problem("hist_add", hist, (1,), **BINS),
    Problem("scan_linrec", scan_linrec, (1, 1), **LONG),
    Problem("hist_max", hist, (1,), **BINS),
    Problem("hist_mul", hist_mul, (1,), **BINS),
    Problem("reduce_min", vector, (1,), **LONG),
    Problem("reduce_mul", product, (1,), **LONG),
    Problem(
        "scan_mat2",
        scan_mat2,
        (3,),
        [(1,), (1000,), (100_003,)],
        [(10**6,)],
        large=[(10**7,)],
        streamed=True,
    ),
]
