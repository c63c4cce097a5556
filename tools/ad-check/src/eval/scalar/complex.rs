//! Complex arithmetic and elementary functions, on principal branches.

use super::ops::Complex;
use crate::fault::{Fault, fault};
use crate::program::FloatKind;
use crate::value::Value;

/// A real and an imaginary part.
type C = [f64; 2];

/// Applies an operation and rounds both parts of the result to the type.
pub fn apply(op: Complex, kind: FloatKind, operands: &[Value]) -> Result<Value, Fault> {
    use Complex::*;
    let real = |x: f64| Ok(Value::Float(kind.round(x)));
    let truth = |x: bool| Ok(Value::Int(i64::from(x)));
    let result = match (op, operands) {
        (Create, [re, im]) => [re.float()?, im.float()?],
        (Re, [z]) => return real(z.complex()?[0]),
        (Im, [z]) => return real(z.complex()?[1]),
        (Abs, [z]) => return real(abs(z.complex()?)),
        (Angle, [z]) => return real(angle(z.complex()?)),
        (Equal, [z, w]) => return truth(z.complex()? == w.complex()?),
        (NotEqual, [z, w]) => return truth(z.complex()? != w.complex()?),
        (PowInt, [z, n]) => power(z.complex()?, [n.int()? as f64, 0.0]),
        (_, [z]) => unary(op, z.complex()?)?,
        (_, [z, w]) => binary(op, z.complex()?, w.complex()?)?,
        _ => return fault(format!("has {} operands, which it cannot take", operands.len())),
    };
    Ok(Value::Complex(result.map(|part| kind.round(part))))
}

fn unary(op: Complex, z: C) -> Result<C, Fault> {
    use Complex::*;
    let [x, y] = z;
    Ok(match op {
        Conj => [x, -y],
        Neg => [-x, -y],
        Sign if z == [0.0, 0.0] => [0.0, 0.0],
        Sign => scaled(1.0 / abs(z), z),
        Exp => exp(z),
        Expm1 => expm1(z),
        Log => log(z),
        Log1p => log([1.0 + x, y]),
        Sqrt => sqrt(z),
        Rsqrt => div([1.0, 0.0], sqrt(z)),
        Sin => [x.sin() * y.cosh(), x.cos() * y.sinh()],
        Cos => [x.cos() * y.cosh(), -x.sin() * y.sinh()],
        Tan => div(unary(Sin, z)?, unary(Cos, z)?),
        Tanh => {
            // tanh z = -i tan(iz)
            let [re, im] = unary(Tan, [-y, x])?;
            [im, -re]
        }
        _ => return fault("has one operand, which is not enough"),
    })
}

fn binary(op: Complex, z: C, w: C) -> Result<C, Fault> {
    use Complex::*;
    Ok(match op {
        Add => add(z, w),
        Sub => add(z, scaled(-1.0, w)),
        Mul => mul(z, w),
        Div => div(z, w),
        Pow => power(z, w),
        Atan2 => {
            // -i log((w + iz)/sqrt(w^2 + z^2))
            let root = sqrt(add(mul(z, z), mul(w, w)));
            let [re, im] = log(div(add(w, [-z[1], z[0]]), root));
            [im, -re]
        }
        _ => return fault("has two operands, which is too many"),
    })
}

fn abs(z: C) -> f64 {
    z[0].hypot(z[1])
}

fn angle(z: C) -> f64 {
    z[1].atan2(z[0])
}

fn add(z: C, w: C) -> C {
    [z[0] + w[0], z[1] + w[1]]
}

fn scaled(factor: f64, z: C) -> C {
    z.map(|part| factor * part)
}

fn mul(z: C, w: C) -> C {
    [z[0] * w[0] - z[1] * w[1], z[0] * w[1] + z[1] * w[0]]
}

fn div(z: C, w: C) -> C {
    scaled(1.0 / (w[0] * w[0] + w[1] * w[1]), mul(z, [w[0], -w[1]]))
}

fn exp(z: C) -> C {
    scaled(z[0].exp(), [z[1].cos(), z[1].sin()])
}

/// Keeps its digits near 0.
fn expm1(z: C) -> C {
    let half = (z[1] / 2.0).sin();
    [z[0].exp_m1() * z[1].cos() - 2.0 * half * half, z[0].exp() * z[1].sin()]
}

fn log(z: C) -> C {
    [abs(z).ln(), angle(z)]
}

fn sqrt(z: C) -> C {
    let (size, half) = (abs(z).sqrt(), angle(z) / 2.0);
    [size * half.cos(), size * half.sin()]
}

/// 0 to the power 0 is 1, and 0 to any other power is 0.
fn power(z: C, w: C) -> C {
    match (z == [0.0, 0.0], w == [0.0, 0.0]) {
        (_, true) => [1.0, 0.0],
        (true, false) => [0.0, 0.0],
        _ => exp(mul(w, log(z))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: C, want: C) -> bool {
        abs(add(got, scaled(-1.0, want))) <= 1e-14 * abs(want).max(1.0)
    }

    #[test]
    fn functions_at_points_with_known_values() {
        use Complex::*;
        let (half_pi, i) = (std::f64::consts::FRAC_PI_2, [0.0, 1.0]);
        let table = [
            (Conj, [1.0, 2.0], [1.0, -2.0]),
            (Neg, [1.0, 2.0], [-1.0, -2.0]),
            (Sign, [3.0, 4.0], [0.6, 0.8]),
            (Sign, [0.0, 0.0], [0.0, 0.0]),
            (Exp, [0.0, half_pi], i),
            (Expm1, [0.0, half_pi], [-1.0, 1.0]),
            (Log, i, [0.0, half_pi]),
            (Log1p, [-1.0, 1.0], [0.0, half_pi]),
            (Sqrt, [-4.0, 0.0], [0.0, 2.0]),
            (Rsqrt, [-4.0, 0.0], [0.0, -0.5]),
            (Sin, i, [0.0, 1f64.sinh()]),
            (Cos, i, [1f64.cosh(), 0.0]),
            (Tan, i, [0.0, 1f64.tanh()]),
            (Tanh, i, [0.0, 1f64.tan()]),
        ];
        for (op, z, want) in table {
            let got = unary(op, z).unwrap();
            assert!(close(got, want), "{op:?}({z:?}) = {got:?}, want {want:?}");
        }
    }

    #[test]
    fn binary_functions_at_points_with_known_values() {
        use Complex::*;
        let (z, w) = ([1.0, 2.0], [3.0, -1.0]);
        let table = [
            (Add, z, w, [4.0, 1.0]),
            (Sub, z, w, [-2.0, 3.0]),
            (Mul, z, w, [5.0, 5.0]),
            (Div, [5.0, 5.0], w, z),
            (Pow, z, [2.0, 0.0], [-3.0, 4.0]),
            (Pow, [0.0, 0.0], [0.0, 0.0], [1.0, 0.0]),
            (Pow, [0.0, 0.0], z, [0.0, 0.0]),
            (Atan2, [1.0, 0.0], [1.0, 0.0], [std::f64::consts::FRAC_PI_4, 0.0]),
        ];
        for (op, z, w, want) in table {
            let got = binary(op, z, w).unwrap();
            assert!(close(got, want), "{op:?}({z:?}, {w:?}) = {got:?}, want {want:?}");
        }
    }
}
