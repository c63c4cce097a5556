//! `ad-strip-mine`: splits a loop into a nest that needs less memory in reverse mode.
//!
//! ```text
//! loop (x) = (x0) for k = 0 .. n-1 do body
//!   becomes, for the factors m1, m2,
//! loop (x1) = (x0) for b = 0 .. ceil(n / (m1 m2)) - 1 do
//!   loop (x2) = (x1) for c = 0 .. ceil(min(m1 m2, n - b m1 m2) / m2) - 1 do
//!     loop (x) = (x2) for j = 0 .. min(m2, n - b m1 m2 - c m2) - 1 do
//!       body at k = b m1 m2 + c m2 + j
//! ```
//! In reverse mode each level saves the values at the entry of its own iterations
//! only, so m1 m2 k versions become m1 + m2 + n / (m1 m2), and the body runs once
//! more for each level [FUT 4.3].

use ad_dialect::ir::{Op, OpExt, Val, ValExt, i64_array, int_of};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::support::{
    bounds::trip_count,
    builder::Builder,
    diag::{Result, error, internal_error},
    region::move_body,
};

/// The attribute with the factors.
pub const FACTORS: &str = "ad.strip_mine";
/// A promise about a loop that holds for every level of its nest.
pub const PROMISE: &str = "ad.no_false_dependencies";

/// Splits all annotated loops in a module; returns how many.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut loops = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "scf.for" && op.attr(FACTORS).is_some() {
            loops.push(op);
        }
    });
    let mut count = 0;
    // Innermost first: a loop that is split takes split loops along.
    for op in loops.into_iter().rev() {
        let Some(block) = op.block() else { continue };
        let Some(results) = annotated(&Builder::before(context, op, block), op)? else { continue };
        for (old, new) in op.result_list().into_iter().zip(results) {
            old.replace_all_uses(new);
        }
        op.erase();
        count += 1;
    }
    Ok(count)
}

/// Builds the nest for a loop with factors, before it; none for other loops. The body
/// moves into the nest; the caller erases the rest of the loop.
pub fn annotated<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    let Some(attribute) = op.attr(FACTORS) else { return Ok(None) };
    let factors = i64_array(attribute).or_else(|| Some(vec![int_of(attribute)?]));
    let mut chunks = vec![];
    let mut chunk = 1i64;
    for factor in factors.unwrap_or_default().into_iter().rev() {
        chunk = match chunk.checked_mul(factor) {
            Some(chunk) => chunk,
            None => return Err(error(op, "has strip-mining factors whose product is too large")),
        };
        chunks.push(b.index(chunk));
    }
    chunks.reverse();
    split(b, op, &chunks).map(Some)
}

/// Builds the nest whose inner levels do at most so many iterations of the loop each,
/// from outside in.
pub fn split<'c>(b: &Builder<'c>, op: Op<'c>, chunks: &[Val<'c>]) -> Result<Vec<Val<'c>>> {
    let operands = op.operand_list();
    let [lower, upper, step, inits @ ..] = &operands[..] else {
        return Err(internal_error(op, "loop without bounds"));
    };
    let trips = trip_count(b, &[*lower, *upper, *step]);
    let nest = Nest { op, lower: *lower, step: *step };
    nest.level(b, b.index(0), trips, chunks, inits)
}

/// The loop that is split.
struct Nest<'c> {
    op: Op<'c>,
    lower: Val<'c>,
    step: Val<'c>,
}

impl<'c> Nest<'c> {
    /// The loops for `count` iterations from number `first` on.
    fn level(
        &self,
        b: &Builder<'c>,
        first: Val<'c>,
        count: Val<'c>,
        chunks: &[Val<'c>],
        carried: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let (zero, one) = (b.index(0), b.index(1));
        let Some((&chunk, finer)) = chunks.split_first() else {
            let new = b.for_loop([zero, count, one], carried, |inner, j, carried| {
                self.body(&inner, inner.add(first, j), carried)
            })?;
            return Ok(self.keep_promise(b, new));
        };
        let blocks = b.same("arith.ceildivsi", &[count, chunk]);
        let new = b.for_loop([zero, blocks, one], carried, |inner, block, carried| {
            let start = inner.mul(block, chunk);
            let rest = inner.same("arith.minsi", &[chunk, inner.sub(count, start)]);
            self.level(&inner, inner.add(first, start), rest, finer, carried)
        })?;
        Ok(self.keep_promise(b, new))
    }

    /// Moves the body of the loop in as its iteration `k`; returns what it yields.
    fn body(&self, b: &Builder<'c>, k: Val<'c>, carried: &[Val<'c>]) -> Result<Vec<Val<'c>>> {
        let Some(body) = self.op.body(0) else {
            return Err(internal_error(self.op, "loop without body"));
        };
        let k = b.index_as(k, self.lower.r#type());
        let iv = b.add(self.lower, b.mul(k, self.step));
        Ok(move_body(b, body, &[&[iv], carried].concat()))
    }

    fn keep_promise(&self, b: &Builder<'c>, new: Op<'c>) -> Vec<Val<'c>> {
        if let Some(promise) = self.op.attr(PROMISE) {
            new.set_attr(b.context(), PROMISE, promise);
        }
        new.result_list()
    }
}
