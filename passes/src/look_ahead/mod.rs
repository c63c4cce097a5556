//! `ad-look-ahead`: several steps of a linear recurrence no longer wait for each other.
//!
//! ```text
//! for i = a to b, with h               for i = a to b - (b - a) mod 4 step 4, with h0
//!   h = p[i] h + q[i]                    a1, b1 = p[i], q[i]
//!   y[i] = h                 ==>         y[i] = h1 = a1 h0 + b1
//!                                        a2, b2 = p[i + 1] a1, p[i + 1] b1 + q[i + 1]
//!                                        y[i + 1] = h2 = a2 h0 + b2
//!                                        ... and so on to h4, which is carried
//!                                      for i = the rest, as before
//! ```
//!
//! A scan whose results are read, or run in the loop of a reader, takes the time in which one step waits for the one
//! before: a product or a sum of floats for every element. What the steps do to whatever comes in is composed
//! beforehand, so that the loop waits once for all of them. That takes up to three operations instead of one.
//!
//! Source: the composition of linear functions is the operator of the scan in [FUT 5.2]; the block form of recurrences
//! is known as their look-ahead (Parhi and Messerschmitt 1989).
//! Requires: sums and products that may be computed in another order: `reassoc`, as `lower-fast-math` has it for the
//! operators of scans.
//! A loop that only sums is left to LLVM, which makes vectors of it.

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::{Builder, same_value},
    combinator::constant_index,
    diag::{Result, internal_error},
    fastmath::allows,
    region::{ValueMap, clone_op, renamed, renamed_ends},
    rest::{end_of_several, is_rest},
};

/// Steps that are composed: as many as the cycles that an operation on floats waits for the one before.
const STEPS: usize = 4;

/// Loops with more operations do not wait for their recurrences.
const FEW: usize = 48;

/// Runs the pass on a module; returns how many loops look ahead.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut loops = vec![];
    module.for_each(&mut |op| loops.extend(Recurrences::of(context, op)));
    let count = loops.len() as u64;
    loops.iter().try_for_each(|found| found.look_ahead(context))?;
    Ok(count)
}

/// A loop whose steps wait for each other.
struct Recurrences<'c> {
    root: Op<'c>,
    body: Blk<'c>,
    /// The positions of the carried values that are linear in what they were.
    linear: Vec<usize>,
}

impl<'c> Recurrences<'c> {
    fn of(context: &'c Context, root: Op<'c>) -> Option<Self> {
        let is_loop = root.op_name() == "scf.for" && root.attr("unsignedCmp").is_none();
        let is_plain = is_loop && root.opnd(2).and_then(constant_index) == Some(1);
        let body = root.body(0).filter(|_| is_plain && !is_rest(root))?;
        let ops = body.body_ops();
        let is_flat = ops.iter().all(|op| op.blocks().is_empty());
        let counts = body.arg_list().first()?.r#type() == Type::index(context);
        if !is_flat || ops.len() > FEW || !counts {
            return None;
        }
        let found = Self { root, body, linear: vec![] };
        let count = root.result_count();
        let linear: Vec<_> = (0..count).filter(|&k| found.is_linear(k)).collect();
        let waits = linear.iter().any(|&k| found.is_read(k));
        waits.then_some(Self { linear, ..found })
    }

    /// A carried value, and what it is in the next step.
    fn carried(&self, k: usize) -> Option<(Val<'c>, Val<'c>)> {
        Some((*self.body.arg_list().get(1 + k)?, self.body.term()?.opnd(k)?))
    }

    /// Whether the next value is a linear function of the carried one, of which neither factor nor summand waits for the
    /// carried one by way of another.
    fn is_linear(&self, k: usize) -> bool {
        let Some((h, next)) = self.carried(k) else { return false };
        let moving = self.moved_by(h);
        if !h.r#type().is_float_type() || !moving.contains(&next.key()) || same_value(h, next) {
            return false;
        }
        let mut read = vec![];
        if !is_linear(next, h, &moving, &mut read) {
            return false;
        }
        let others = (0..self.root.result_count()).filter(|&m| m != k);
        others.filter_map(|m| self.carried(m)).all(|(other, then)| {
            let follows = self.moved_by(other);
            !moving.contains(&then.key())
                || read.iter().all(|value| !follows.contains(&value.key()))
        })
    }

    /// Whether anything but the recurrence itself reads its values.
    fn is_read(&self, k: usize) -> bool {
        let Some((h, next)) = self.carried(k) else { return false };
        let moving = self.moved_by(h);
        let mut leading = HashSet::from([next.key()]);
        for op in self.body.body_ops().into_iter().rev() {
            if op.result_list().iter().any(|result| leading.contains(&result.key())) {
                leading.extend(op.operand_list().iter().map(ValExt::key));
            }
        }
        self.body.body_ops().into_iter().any(|op| {
            let moves = op.operand_list().iter().any(|value| moving.contains(&value.key()));
            moves && op.result_list().iter().all(|result| !leading.contains(&result.key()))
        })
    }

    /// The values of the body that depend on a value.
    fn moved_by(&self, value: Val<'c>) -> HashSet<ValueKey> {
        let mut moved = HashSet::from([value.key()]);
        for op in self.body.body_ops() {
            if op.operand_list().iter().any(|operand| moved.contains(&operand.key())) {
                moved.extend(op.result_list().iter().map(ValExt::key));
            }
        }
        moved
    }

    /// Lets the loop take several steps at once; what it leaves runs after it, as before.
    fn look_ahead(&self, context: &'c Context) -> Result<()> {
        let malformed = || internal_error(self.root, "a loop cannot look ahead");
        let block = self.root.block().ok_or_else(malformed)?;
        let b = Builder::before(context, self.root, block);
        let operands = self.root.operand_list();
        let ([low, high, _], inits) = operands.split_first_chunk().ok_or_else(malformed)?;
        let several = b.index(STEPS as i64);
        let (end, _) = end_of_several(&b, *low, *high, several);
        let main = b.for_loop([*low, end, several], inits, |inner, first, carried| {
            Ok(self.steps(&inner, first, carried))
        })?;
        self.root.set_operand(0, end);
        for (k, value) in main.result_list().into_iter().enumerate() {
            self.root.set_operand(3 + k, value);
        }
        Ok(())
    }

    fn steps(&self, b: &Builder<'c>, first: Val<'c>, carried: &[Val<'c>]) -> Vec<Val<'c>> {
        let arguments = self.body.arg_list();
        let mut all: Vec<_> = self.linear.iter().map(|_| Composed::default()).collect();
        let mut now = carried.to_vec();
        for step in 0..STEPS {
            let number = if step == 0 { first } else { b.add(first, b.index(step as i64)) };
            let values = [&[number], &now[..]].concat();
            let mut map: ValueMap<'c> = arguments.iter().map(ValExt::key).zip(values).collect();
            for op in self.body.body_ops() {
                let at = b.with_location(op.location());
                clone_op(&at, op, &mut map);
                for (&k, composed) in self.linear.iter().zip(&mut all) {
                    let Some((h, next)) = self.carried(k) else { continue };
                    let makes = op.res(0).is_some_and(|result| same_value(result, next));
                    if makes {
                        // Without `reassoc`, which would let LLVM undo it.
                        let at = at.contracting_as(op);
                        let moving = self.moved_by(h);
                        *composed = composed.then(&at, &step_of(&at, next, h, &moving, &map));
                        map.insert(next.key(), composed.apply(&at, carried[k]));
                    }
                }
            }
            now = renamed_ends(self.body, &map);
        }
        now
    }
}

/// Whether a value is made of another one by sums and by products with what does not depend on it; adds these others to
/// the list.
fn is_linear<'c>(
    value: Val<'c>,
    h: Val<'c>,
    moving: &HashSet<ValueKey>,
    read: &mut Vec<Val<'c>>,
) -> bool {
    if same_value(value, h) {
        return true;
    }
    let Some(op) = value.defining_op() else { return false };
    let operands = op.operand_list();
    let (moved, fixed): (Vec<_>, Vec<_>) =
        operands.iter().partition(|operand| moving.contains(&operand.key()));
    let is_linear_op = ["arith.addf", "arith.subf", "arith.mulf"].contains(&op.op_name());
    read.extend(fixed);
    allows(op, "reassoc")
        && is_linear_op
        && moved.len() == 1
        && is_linear(moved[0], h, moving, read)
}

/// What a step does to a carried value, from the values of its copy.
fn step_of<'c>(
    b: &Builder<'c>,
    value: Val<'c>,
    h: Val<'c>,
    moving: &HashSet<ValueKey>,
    map: &ValueMap<'c>,
) -> Composed<'c> {
    let Some(op) = value.defining_op().filter(|_| !same_value(value, h)) else {
        return Composed::default();
    };
    let operands = op.operand_list();
    let is_moved = |operand: &Val<'c>| moving.contains(&operand.key());
    let Some(at) = operands.iter().position(is_moved) else { return Composed::default() };
    let inner = step_of(b, operands[at], h, moving, map);
    let other = renamed(map, operands[1 - at]);
    match (op.op_name(), at) {
        ("arith.mulf", _) => inner.times(b, other),
        ("arith.addf", _) => inner.plus(b, other),
        (_, 0) => inner.plus(b, b.neg(other)),
        _ => inner.times(b, b.float_like(other, -1.0)).plus(b, other),
    }
}

/// A linear function `h -> factor h + summand`; the identity has neither.
#[derive(Clone, Copy, Default)]
struct Composed<'c> {
    factor: Option<Val<'c>>,
    summand: Option<Val<'c>>,
}

impl<'c> Composed<'c> {
    fn times(self, b: &Builder<'c>, value: Val<'c>) -> Self {
        let scale = |old: Val<'c>| b.mul(old, value);
        Self { factor: Some(self.factor.map_or(value, scale)), summand: self.summand.map(scale) }
    }

    fn plus(self, b: &Builder<'c>, value: Val<'c>) -> Self {
        let summand = self.summand.map_or(value, |old| b.add(old, value));
        Self { summand: Some(summand), ..self }
    }

    /// This function, and then another one.
    fn then(self, b: &Builder<'c>, next: &Self) -> Self {
        let scaled = next.factor.map_or(self, |factor| self.times(b, factor));
        next.summand.map_or(scaled, |summand| scaled.plus(b, summand))
    }

    fn apply(self, b: &Builder<'c>, h: Val<'c>) -> Val<'c> {
        let scaled = self.factor.map_or(h, |factor| b.mul(factor, h));
        self.summand.map_or(scaled, |summand| b.add(scaled, summand))
    }
}
