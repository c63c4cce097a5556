//! `ad-unroll-and-jam`: several iterations of a loop share what their inner loops read.
//!
//! ```text
//! for i = a to b, with x                for i = a to b - (b - a) mod 2 step 2, with x
//!   s = for j, with s = 0                 s, t = for j, with s = 0, t = 0
//!     s + f(p[i, j], c[j])        ==>       s + f(p[i, j], c[j]), t + f(p[i + 1, j], c[j])
//!   x = g(i, s, x)                        x = g(i, s, x)
//!                                         x = g(i + 1, t, x)
//!                                       for i = the rest, as before
//! ```
//!
//! An innermost loop that computes sums is often bound by what it reads: of two loads for each
//! multiplication, one is `c[j]`, which is the same in all iterations of the loop around it. The loop
//! is unrolled, and the copies of its inner loop become one loop with a sum for each iteration and one
//! load of what they have in common. LLVM then vectorises that innermost loop. Two loops around it
//! share what each of them can: a block of both has its sums in registers. Where the inner loop runs
//! further in each iteration, as over the rows of a triangle, two share it as far as the first one goes.
//!
//! Nothing is computed in another order but what depends on no earlier iteration, as `ahead.rs` finds out.
//!
//! Loops over vectors that add to rows of their own take two iterations at once, for the same reason: see `rows`.
//!
//! Run it after `ad-vectorize`, which takes what is better done with an iteration in each lane.

mod ahead;
mod emit;
mod rows;

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, Val};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::{
    support::{diag::Result, region::is_outside, rest::is_rest, weight::weight},
    vectorize::cost,
};
use ahead::Ahead;

/// The sums that an innermost loop should have if one loop around it is jammed: enough that the shared
/// load is a small part.
const SUMS: usize = 8;

/// The sums if two loops are, which share loads of both kinds: as many as leave registers for the
/// operands, of which there are 16 in all.
const SUMS_OF_TWO: usize = 12;

/// Iterations of the inner one of two loops that are jammed.
const INNER: usize = 2;

/// What part of the work of an innermost loop the shared loads must be.
const SHARED: f64 = 0.125;

/// How many iterations an innermost loop of static length must have: shorter ones are unrolled.
const LONG: f64 = 16.0;

/// Runs the pass on a module; returns how many loops were jammed.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut innermost = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "scf.for" && is_innermost(op) {
            innermost.push(op);
        }
    });
    let mut jammed = rows::jam(context, module)?;
    for inner in innermost {
        for (root, several) in choose(inner) {
            emit::unroll(context, root, several)?;
            jammed += 1;
        }
    }
    Ok(jammed)
}

fn is_innermost(op: Op<'_>) -> bool {
    let body = op.body(0).map(|body| body.ops()).unwrap_or_default();
    op.result_count() != 0 && body.iter().all(|inner| inner.blocks().is_empty())
}

/// The loops around an innermost one that are jammed, from the inside out, and how many iterations of
/// each.
fn choose(inner: Op<'_>) -> Vec<(Op<'_>, usize)> {
    let mut around = vec![];
    let mut at = inner.parent();
    while let Some(op) = at.filter(|op| op.op_name() == "scf.for") {
        if is_rest(op) {
            return vec![];
        }
        around.push(op);
        at = op.parent();
    }
    if cost::trips(inner).is_some_and(|trips| trips < LONG) {
        return vec![];
    }
    let mut found =
        around.into_iter().filter_map(|op| Some((op, shared_sums(&Ahead::of(op)?, inner)?)));
    let fits = |(op, several): &(Op<'_>, usize)| {
        *several > 1 && cost::trips(*op).is_none_or(|trips| trips >= 2.0 * *several as f64)
    };
    let all = match (found.next(), found.next()) {
        // What is left of longer iterations runs one by one.
        (Some((near, sums)), _) if grows(near, inner) => vec![(near, INNER.min(SUMS / sums))],
        (Some((near, n)), Some((far, f)))
            if SUMS_OF_TWO / (INNER * n.max(f)) > 1 && !grows(far, inner) =>
        {
            vec![(near, INNER), (far, SUMS_OF_TWO / (INNER * n.max(f)))]
        }
        (Some((near, sums)), _) => vec![(near, SUMS / sums)],
        _ => vec![],
    };
    all.into_iter().filter(fits).collect()
}

/// Whether a loop jams an inner one that runs further in each iteration.
fn grows(root: Op<'_>, inner: Op<'_>) -> bool {
    Ahead::of(root).is_some_and(|ahead| ahead.grows(inner))
}

/// How many sums of an innermost loop differ between the iterations of a loop, in registers, if these
/// can share so much of what it reads that it pays.
fn shared_sums(ahead: &Ahead<'_>, inner: Op<'_>) -> Option<usize> {
    let body = inner.body(0).filter(|_| ahead.is_jammed(inner))?;
    let registers = |sum: Val<'_>| if sum.r#type().is_vector_type() { cost::REGISTERS } else { 1 };
    let sums = body.arg_list().into_iter().skip(1).filter(|sum| ahead.varies(*sum));
    let sums = sums.map(registers).sum();
    let moves = |op: Op<'_>| op.operand_list().iter().any(|value| !is_outside(inner, *value));
    let (mut all, mut shared, mut own) = (0.0, 0.0, false);
    for op in body.body_ops() {
        all += weight(op);
        let is_element = op.op_name() == "memref.load" && moves(op);
        if is_element {
            match op.res(0).is_some_and(|element| ahead.varies(element)) {
                true => own = true,
                false => shared += weight(op),
            }
        }
    }
    (sums > 0 && own && shared >= SHARED * all).then_some(sums)
}
