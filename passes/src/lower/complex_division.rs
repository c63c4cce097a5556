//! `lower-complex-division`: quotients of complex numbers by three divisions.
//!
//! ```text
//! (a + b i) / (c + d i), |c| >= |d|:  r = d / c;  n = c + d r;  (a + b r) / n + (b - a r) / n i
//! ```
//! and else with both turned by a quarter. That is Smith's method, which does not overflow where the quotient does not.
//! Upstream's lowering of `complex.div` computes it for both cases, with six divisions, and what infinities and zeros give on top;
//! here that is in a branch for quotients that are not numbers, so that the results are the same.

use ad_dialect::ir::{Op, OpExt, Val, ValExt};
use melior::{
    Context,
    ir::{Attribute, ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::{Builder, Is},
    diag::Result,
    region::clone_op,
};

/// Marks the quotients that upstream lowers.
const RARE: &str = "ad.rare";

/// Lowers a module; returns how many quotients were changed.
pub fn lower<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut found = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "complex.div" && op.attr(RARE).is_none() {
            found.push(op);
        }
    });
    for &op in &found {
        let (Some(block), Some(old)) = (op.block(), op.res(0)) else { continue };
        let b = Builder::before(context, op, block).with_fastmath_of(op);
        let [re, im] = quotient(&b, &op.operand_list());
        let is_number = {
            let [re, im] = [re, im].map(|part| b.compare_floats(Is::NotNan, part, part));
            b.same("arith.ori", &[re, im])
        };
        let chosen = b.if_else(is_number, &[old.r#type()], |b, is_number| {
            if is_number {
                return Ok(vec![b.val("complex.create", &[re, im], old.r#type())]);
            }
            let rare = clone_op(&b, op, &mut Default::default());
            rare.set_attr(context, RARE, Attribute::unit(context));
            Ok(rare.result_list())
        })?;
        chosen.res(0).into_iter().for_each(|new| old.replace_all_uses(new));
        op.erase();
    }
    Ok(found.len() as u64)
}

/// The parts of a quotient, unless both are NaN.
fn quotient<'c>(b: &Builder<'c>, operands: &[Val<'c>]) -> [Val<'c>; 2] {
    let ([a, ai], [c, ci]) = (b.both_parts(operands[0]), b.both_parts(operands[1]));
    let [size, size_i] = [c, ci].map(|x| b.same("math.absf", &[x]));
    let is_turned = b.compare_floats(Is::Less, size, size_i);
    let [large, small] = [b.select(is_turned, ci, c), b.select(is_turned, c, ci)];
    let ratio = b.div(small, large);
    let by = b.add(large, b.mul(small, ratio));
    // Turned, (a r + b) / n and (b r - a) / n.
    let [first, second] = [b.select(is_turned, ai, a), b.select(is_turned, a, ai)];
    let re = b.add(first, b.mul(second, ratio));
    let im = {
        let [first, second] = [b.mul(ai, ratio), b.mul(a, ratio)];
        b.sub(b.select(is_turned, first, ai), b.select(is_turned, a, second))
    };
    [b.div(re, by), b.div(im, by)]
}
