//! Raises `scf.while`, whose number of iterations is not known before it runs, to
//! `scf.for`, for reverse mode [FUT 6.2].
//!
//! ```text
//! while (x) = (x0): (c, v) = before(x); if c: x = after(v)       results: the last v
//!
//! with a bound n (`ad.bound`):          without: an inspector counts first:
//!   loop (x) = (x0) for k < n do          n = while (s) = (s0), k = 0: count
//!     (c, v) = before(x)                  loop (x) = (x0) for k < n do
//!     if c then after(v) else x             after(v) where (_, v) = before(x)
//!   (c, v) = before(x)                    (_, v) = before(x)
//!   assert not c
//! ```
//! The inspector is the slice of the loop that the condition depends on: `s` are the
//! loop-carried values in it. A bound that is too small is an error when the program runs.

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey, int_of};
use melior::ir::{ValueLike, attribute::StringAttribute};

use crate::support::{
    builder::Builder,
    diag::{Result, internal_error},
    region::{ValueMap, clone_op, copy_block, free_values, renamed_ends},
};

/// Builds a counted loop for an `scf.while`, before it; none if no derivative can pass
/// through the loop, such as through an inspector.
pub fn while_loop<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    let (Some(before), Some(after)) = (op.body(0), op.body(1)) else {
        return Err(internal_error(op, "loop without body"));
    };
    if !op.result_list().iter().any(|result| is_differentiable(*result)) {
        return Ok(None);
    }
    let parts = Parts { before, after, inits: op.operand_list() };
    let last = match op.attr("ad.bound").and_then(int_of) {
        Some(bound) => parts.bounded(b, bound)?,
        None => parts.counted(b)?,
    };
    let mut values = copy_block(b, before, &last);
    if op.attr("ad.bound").is_some() {
        let done = b.not(values[0]);
        let text = "the loop does more iterations than its 'ad.bound'";
        let message = StringAttribute::new(b.context(), text).into();
        b.op_with("cf.assert", &[done], &[], &[("msg", message)], &[]);
    }
    Ok(Some(values.split_off(1)))
}

fn is_differentiable(result: Val<'_>) -> bool {
    result.r#type().is_differentiable() && !result.users().is_empty()
}

struct Parts<'c> {
    before: Blk<'c>,
    after: Blk<'c>,
    inits: Vec<Val<'c>>,
}

impl<'c> Parts<'c> {
    /// A loop with a perfectly nested branch; returns the last loop-carried values.
    fn bounded(&self, b: &Builder<'c>, bound: i64) -> Result<Vec<Val<'c>>> {
        let range = [b.index(0), b.index(bound), b.index(1)];
        let new = b.for_loop(range, &self.inits, |inner, _, carried| {
            let values = copy_block(&inner, self.before, carried);
            let types: Vec<_> = carried.iter().map(|value| value.r#type()).collect();
            let step = inner.if_else(values[0], &types, |inner, goes_on| {
                Ok(if goes_on {
                    copy_block(&inner, self.after, &values[1..])
                } else {
                    carried.to_vec()
                })
            })?;
            Ok(step.result_list())
        })?;
        Ok(new.result_list())
    }

    /// An inspector and a loop with the count that it finds.
    fn counted(&self, b: &Builder<'c>) -> Result<Vec<Val<'c>>> {
        let count = self.inspect(b)?;
        let new =
            b.for_loop([b.index(0), count, b.index(1)], &self.inits, |inner, _, carried| {
                let values = copy_block(&inner, self.before, carried);
                Ok(copy_block(&inner, self.after, &values[1..]))
            })?;
        Ok(new.result_list())
    }

    /// The number of iterations, from the slice that the condition depends on.
    fn inspect(&self, b: &Builder<'c>) -> Result<Val<'c>> {
        let slice = Slice::of(self);
        let pick = |list: &[Val<'c>], positions: &[usize]| -> Vec<Val<'c>> {
            positions.iter().map(|&i| list[i]).collect()
        };
        let (from, to) = (self.before.arg_list(), self.after.arg_list());
        let inits = [&pick(&self.inits, &slice.carried)[..], &[b.index(0)]].concat();
        let types: Vec<_> = inits.iter().map(|value| value.r#type()).collect();
        let passed_types: Vec<_> =
            slice.passed.iter().map(|&i| to[i].r#type()).chain([b.index_type()]).collect();
        let regions = [types, passed_types.clone()];
        let new = b.op_with("scf.while", &inits, &passed_types, &[], &regions);
        b.fill_body(new, 0, "scf.condition", |inner, arguments| {
            let (carried, count) = arguments.split_at(slice.carried.len());
            let mut map = renaming(&pick(&from, &slice.carried), carried);
            slice.copy(&inner, self.before, &mut map);
            let values = renamed_ends(self.before, &map);
            let passed: Vec<_> = slice.passed.iter().map(|&i| i + 1).collect();
            Ok([&values[..1], &pick(&values, &passed)[..], count].concat())
        })?;
        b.fill_body(new, 1, "scf.yield", |inner, arguments| {
            let (passed, count) = arguments.split_at(slice.passed.len());
            let mut map = renaming(&pick(&to, &slice.passed), passed);
            slice.copy(&inner, self.after, &mut map);
            let next = renamed_ends(self.after, &map);
            let count = inner.add(count[0], inner.index(1));
            Ok([&pick(&next, &slice.carried)[..], &[count]].concat())
        })?;
        match new.result_list().last() {
            Some(&count) => Ok(count),
            None => Err(internal_error(new, "inspector without count")),
        }
    }
}

/// What the condition of the loop depends on.
struct Slice {
    /// Positions of the loop-carried values.
    carried: Vec<usize>,
    /// Positions of the values that the condition hands to the body.
    passed: Vec<usize>,
    needed: HashSet<ValueKey>,
}

impl Slice {
    fn of(parts: &Parts<'_>) -> Self {
        let (from, to) = (parts.before.arg_list(), parts.after.arg_list());
        let (tests, next) = (parts.before.ends(), parts.after.ends());
        let mut needed: HashSet<ValueKey> = tests.iter().take(1).map(ValExt::key).collect();
        loop {
            let size = needed.len();
            let is_needed = |value: &Val<'_>| needed.contains(&value.key());
            let passed: Vec<_> = (0..to.len()).filter(|&i| is_needed(&to[i])).collect();
            let carried: Vec<_> = (0..from.len()).filter(|&i| is_needed(&from[i])).collect();
            needed.extend(passed.iter().map(|&i| tests[i + 1].key()));
            needed.extend(carried.iter().map(|&i| next[i].key()));
            for block in [parts.before, parts.after] {
                for op in block.body_ops().into_iter().rev() {
                    if op.result_list().iter().any(|result| needed.contains(&result.key())) {
                        needed.extend(op.operand_list().iter().map(ValExt::key));
                        needed.extend(free_values(&op.blocks()).iter().map(ValExt::key));
                    }
                }
            }
            if needed.len() == size {
                return Self { carried, passed, needed };
            }
        }
    }

    /// Copies the operations of a block that are in the slice.
    fn copy<'c>(&self, b: &Builder<'c>, block: Blk<'c>, map: &mut ValueMap<'c>) {
        for op in block.body_ops() {
            if op.result_list().iter().any(|result| self.needed.contains(&result.key())) {
                clone_op(b, op, map);
            }
        }
    }
}

fn renaming<'c>(old: &[Val<'c>], new: &[Val<'c>]) -> ValueMap<'c> {
    old.iter().map(ValExt::key).zip(new.iter().copied()).collect()
}
