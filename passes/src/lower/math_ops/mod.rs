//! `lower-math-ops`: operations of `math` that LLVM 22 does not get right.
//!
//! * `math.clampf` becomes a minimum and a maximum. `math-expand-ops` does the same but exchanges the
//!   bounds, so that the result is always one of them (llvm/llvm-project pull request 175012).
//! * `math.sincos` becomes a sine and a cosine. LLVM's VectorCombine crashes on the intrinsic, which
//!   returns two vectors; the two functions have variants for vectors, and LLVM's code generation
//!   makes one call of them again where that pays.
//! * In kernels, `math.ipowi`, and `math.fpowi` with other exponents than i32, which libdevice does not have.
//! * `math.isinf` and `math.isnormal`, which upstream does not lower, become comparisons of the magnitude.

mod powers;

use ad_dialect::ir::{Op, OpExt, TyExt, Val, ValExt};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::{Builder, Is},
    diag::Result,
};

/// Lowers a module; returns how many operations were replaced.
pub fn lower<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut found = vec![];
    module.for_each(&mut |op| {
        let is_wanted = match op.op_name() {
            "math.clampf" | "math.sincos" | "math.isinf" | "math.isnormal" => true,
            "math.fpowi" | "math.ipowi" => powers::is_wanted(op),
            _ => false,
        };
        found.extend(is_wanted.then_some(op));
    });
    for &op in &found {
        let (Some(block), Some(x)) = (op.block(), op.opnd(0)) else { continue };
        let b = Builder::before(context, op, block);
        let flags: Vec<_> =
            op.attr("fastmath").map(|flags| ("fastmath", flags)).into_iter().collect();
        let apply = |name: &str, operands: &[_]| b.val_with(name, operands, x.r#type(), &flags);
        let new = match (op.op_name(), op.opnd(1), op.opnd(2)) {
            ("math.clampf", Some(low), Some(high)) => {
                let below = apply("arith.minimumf", &[x, high]);
                vec![apply("arith.maximumf", &[below, low])]
            }
            ("math.fpowi", Some(n), _) => vec![powers::of_float(&b, x, n, &flags)],
            ("math.ipowi", Some(n), _) => vec![powers::of_integer(&b, x, n)?],
            ("math.isinf", ..) => vec![is_infinite(&b, x)],
            ("math.isnormal", ..) => vec![is_normal(&b, x)],
            _ => vec![apply("math.sin", &[x]), apply("math.cos", &[x])],
        };
        for (old, new) in op.result_list().into_iter().zip(new) {
            old.replace_all_uses(new);
        }
        op.erase();
    }
    Ok(found.len() as u64)
}

fn is_infinite<'c>(b: &Builder<'c>, x: Val<'c>) -> Val<'c> {
    let size = b.same("math.absf", &[x]);
    b.compare_floats(Is::Equal, size, b.float_like(x, f64::INFINITY))
}

/// Neither zero, nor smaller than numbers with all digits, nor infinite, nor NaN.
fn is_normal<'c>(b: &Builder<'c>, x: Val<'c>) -> Val<'c> {
    let size = b.same("math.absf", &[x]);
    let smallest = match x.r#type().scalar().to_string().as_str() {
        "f16" => 2f64.powi(-14),
        "f32" | "bf16" => f32::MIN_POSITIVE.into(),
        _ => f64::MIN_POSITIVE,
    };
    let is_large = b.compare_floats(Is::AtLeast, size, b.float_like(x, smallest));
    let is_finite = b.compare_floats(Is::Less, size, b.float_like(x, f64::INFINITY));
    b.same("arith.andi", &[is_large, is_finite])
}
