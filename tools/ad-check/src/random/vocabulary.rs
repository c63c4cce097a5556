//! The scalar functions that random programs use, each on a domain where it is smooth.

/// What is done to an argument first, so that the function is smooth and bounded there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Any number.
    Any,
    /// `sin x`.
    Bounded,
    /// `sin x / 2`.
    Inside,
    /// `1 + x^2`.
    Positive,
    /// `2 + x^2`.
    AboveOne,
}

/// Functions of one argument.
pub const UNARY: &[(&str, Domain)] = &[
    ("math.sin", Domain::Any),
    ("math.tanh", Domain::Any),
    ("math.cos", Domain::Any),
    ("arith.negf", Domain::Any),
    ("math.atan", Domain::Any),
    ("math.exp", Domain::Bounded),
    ("math.log", Domain::Positive),
    ("math.sqrt", Domain::Positive),
    ("math.exp2", Domain::Bounded),
    ("math.expm1", Domain::Bounded),
    ("math.log2", Domain::Positive),
    ("math.log10", Domain::Positive),
    ("math.log1p", Domain::Positive),
    ("math.rsqrt", Domain::Positive),
    ("math.cbrt", Domain::Positive),
    ("math.erf", Domain::Any),
    ("math.erfc", Domain::Bounded),
    ("math.sinh", Domain::Bounded),
    ("math.cosh", Domain::Bounded),
    ("math.tan", Domain::Inside),
    ("math.asin", Domain::Inside),
    ("math.acos", Domain::Inside),
    ("math.asinh", Domain::Any),
    ("math.acosh", Domain::AboveOne),
    ("math.atanh", Domain::Inside),
    ("math.absf", Domain::Any),
];

/// The first two entries of `UNARY` bound any argument.
pub const BOUNDING: usize = 2;

/// Functions of two arguments; the domains are those of the left and the right one.
pub const BINARY: &[(&str, Domain, Domain)] = &[
    ("arith.addf", Domain::Any, Domain::Any),
    ("arith.mulf", Domain::Any, Domain::Any),
    ("arith.subf", Domain::Any, Domain::Any),
    ("arith.divf", Domain::Any, Domain::Positive),
    ("arith.maximumf", Domain::Any, Domain::Any),
    ("arith.minimumf", Domain::Any, Domain::Any),
    ("arith.maxnumf", Domain::Any, Domain::Any),
    ("arith.minnumf", Domain::Any, Domain::Any),
    ("math.atan2", Domain::Any, Domain::Positive),
    ("math.powf", Domain::Positive, Domain::Bounded),
    ("math.copysign", Domain::Positive, Domain::Any),
    ("arith.remf", Domain::Any, Domain::AboveOne),
];

/// The entry of `BINARY` that adds.
pub const ADDITION: usize = 0;

/// A bound on the magnitude of a result, from bounds on its arguments.
pub fn unary_bound(index: usize, x: f64) -> f64 {
    match UNARY[index] {
        (_, Domain::Bounded | Domain::Inside) => 4.0,
        ("arith.negf" | "math.absf" | "math.asinh", _) => x,
        (_, Domain::Positive | Domain::AboveOne) => 2.0 + x,
        _ => 2.0,
    }
}

/// As `unary_bound`, for two arguments.
pub fn binary_bound(index: usize, x: f64, y: f64) -> f64 {
    match BINARY[index].0 {
        "arith.addf" | "arith.subf" => x + y,
        "arith.mulf" => x * y,
        "math.atan2" => 4.0,
        "math.powf" | "math.copysign" => 1.0 + x * x,
        "arith.divf" | "arith.remf" => x,
        _ => x.max(y),
    }
}

/// Elementwise operations of `linalg` with the domains of their arguments; of arguments up to 2
/// they give numbers up to 5.
pub const NAMED: &[(&str, &[Domain])] = &[
    ("linalg.add", &[Domain::Any, Domain::Any]),
    ("linalg.mul", &[Domain::Any, Domain::Any]),
    ("linalg.sub", &[Domain::Any, Domain::Any]),
    ("linalg.div", &[Domain::Any, Domain::Positive]),
    ("linalg.max", &[Domain::Any, Domain::Any]),
    ("linalg.min", &[Domain::Any, Domain::Any]),
    ("linalg.powf", &[Domain::Positive, Domain::Bounded]),
    ("linalg.exp", &[Domain::Bounded]),
    ("linalg.log", &[Domain::Positive]),
    ("linalg.sqrt", &[Domain::Positive]),
    ("linalg.rsqrt", &[Domain::Positive]),
    ("linalg.reciprocal", &[Domain::Positive]),
    ("linalg.square", &[Domain::Any]),
    ("linalg.tanh", &[Domain::Any]),
    ("linalg.erf", &[Domain::Any]),
    ("linalg.negf", &[Domain::Any]),
    ("linalg.abs", &[Domain::Any]),
    ("linalg.copy", &[Domain::Any]),
    ("linalg.elementwise kind=#linalg.elementwise_kind<mul>", &[Domain::Any, Domain::Any]),
];

/// Functions of complex numbers, each bounded on the numbers it gets: `1 + x^2 + i sin y`, or
/// `sin x + i sin y` for those that need no more.
pub const COMPLEX: &[(&str, Domain)] = &[
    ("complex.exp", Domain::Bounded),
    ("complex.sin", Domain::Bounded),
    ("complex.conj", Domain::Bounded),
    ("complex.neg", Domain::Bounded),
    ("complex.mul", Domain::Bounded),
    ("complex.log", Domain::Positive),
    ("complex.sqrt", Domain::Positive),
    ("complex.div", Domain::Positive),
    ("complex.add", Domain::Bounded),
    ("complex.sub", Domain::Bounded),
    ("complex.cos", Domain::Bounded),
    ("complex.tan", Domain::Bounded),
    ("complex.tanh", Domain::Bounded),
    ("complex.expm1", Domain::Bounded),
    ("complex.log1p", Domain::Positive),
    ("complex.rsqrt", Domain::Positive),
    ("complex.sign", Domain::Positive),
    ("complex.pow", Domain::Positive),
    // As real and imaginary part, absolute value and angle.
    ("complex.abs", Domain::Positive),
];
