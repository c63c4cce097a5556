//! Loops around sums whose bounds are the larger or the smaller of two values.
//!
//! ```text
//! for j = a to b                         for j = a to t
//!   for k = 0 to min(n, j + 1)             for k = 0 to j + 1
//!     s += f j k                             s += f j k
//!   y[j] = s                       ==>     y[j] = s
//!                                        for j = t to b          (t = n - 1)
//!                                          for k = 0 to n
//!                                            ...
//! ```
//! It is so at the borders of a stencil. Away from them all sums have the same bounds, and `ad-vectorize` computes
//! several at once. What is then the same for all iterations is computed before the loop.

use std::collections::HashSet;

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt, ValueKey};
use melior::{
    Context,
    ir::{TypeLike, ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::{Builder, same_value},
    combinator::constant_index,
    diag::{Result, internal_error},
    region::{ValueMap, clone_op, is_outside, renamed, renamed_ends},
};

/// How many operations a loop may have that is copied.
const SMALL: usize = 64;

/// The extremum of a value that changes with the iteration and of one that does not.
struct Extremum<'c> {
    op: Op<'c>,
    /// The value that changes is the number of the iteration plus the offset, or the offset minus the number.
    moving: Val<'c>,
    is_rising: bool,
    /// What is added, and what is subtracted, from outside.
    offset: Vec<(bool, Val<'c>)>,
    fixed: Val<'c>,
}

/// Splits a loop at up to two extrema; returns how many there were.
pub fn split<'c>(context: &'c Context, op: Op<'c>, most: usize) -> Result<u64> {
    if most == 0 || !is_candidate(op) {
        return Ok(0);
    }
    let Some(extremum) = find(op) else { return Ok(0) };
    let mut count = 1;
    for piece in split_at(context, op, &extremum)? {
        count += split(context, piece, most - 1)?;
    }
    Ok(count)
}

/// Whether a loop carries nothing, and all loops in it do: there are no candidates in candidates.
pub fn is_candidate(op: Op<'_>) -> bool {
    let steps_by_one = op.opnd(2).and_then(constant_index) == Some(1);
    if op.op_name() != "scf.for" || !steps_by_one || !op.result_list().is_empty() {
        return false;
    }
    let (mut count, mut sums, mut others) = (0, 0, 0);
    op.for_each(&mut |inner| {
        count += 1;
        let is_loop = inner.op_name() == "scf.for" && inner.key() != op.key();
        sums += usize::from(is_loop && !inner.result_list().is_empty());
        others += usize::from(
            is_loop && inner.result_list().is_empty()
                || inner.op_name() == "scf.while"
                || inner.op_name().starts_with("linalg."),
        );
    });
    count <= SMALL && sums > 0 && others == 0
}

/// The first extremum in a loop of which the bounds of a sum are made.
fn find<'c>(root: Op<'c>) -> Option<Extremum<'c>> {
    let body = root.body(0)?;
    let &number = body.arg_list().first()?;
    let extrema = body.body_ops().into_iter().filter(|op| {
        matches!(op.op_name(), "arith.maxsi" | "arith.minsi")
            && op.res(0).is_some_and(|result| result.r#type().is_index() && bounds_sum(result))
    });
    extrema.into_iter().find_map(|op| {
        let [x, y] = op.operand_list()[..] else { return None };
        let (moving, fixed) = match (is_outside(root, x), is_outside(root, y)) {
            (false, true) => (x, y),
            (true, false) => (y, x),
            _ => return None,
        };
        let mut offset = vec![];
        let is_rising = line(root, number, moving, true, &mut offset)?;
        Some(Extremum { op, moving, is_rising, offset, fixed })
    })
}

/// Whether a value is a bound of a loop, or one is computed of it.
fn bounds_sum(value: Val<'_>) -> bool {
    value.uses().into_iter().any(|(user, position)| match user.op_name() {
        "scf.for" => position < 2,
        "arith.addi" | "arith.subi" | "arith.maxsi" | "arith.minsi" => {
            user.res(0).is_some_and(bounds_sum)
        }
        _ => false,
    })
}

/// Whether a value is the number of the iteration and an offset, or the negated number and one; none for others.
fn line<'c>(
    root: Op<'c>,
    number: Val<'c>,
    value: Val<'c>,
    sign: bool,
    offset: &mut Vec<(bool, Val<'c>)>,
) -> Option<bool> {
    if same_value(value, number) {
        return Some(sign);
    }
    let op = value.defining_op()?;
    let [x, y] = op.operand_list()[..] else { return None };
    let is_difference = match op.op_name() {
        "arith.addi" => false,
        "arith.subi" => true,
        _ => return None,
    };
    let (moving, fixed, moving_sign, fixed_sign) = match (is_outside(root, x), is_outside(root, y))
    {
        (false, true) => (x, y, sign, sign != is_difference),
        (true, false) => (y, x, sign != is_difference, sign),
        _ => return None,
    };
    offset.push((fixed_sign, fixed));
    line(root, number, moving, moving_sign, offset)
}

/// Makes two loops of one: before and from where the other value is the extremum.
fn split_at<'c>(context: &'c Context, op: Op<'c>, extremum: &Extremum<'c>) -> Result<Vec<Op<'c>>> {
    let malformed = || internal_error(op, "a loop cannot be split");
    let block = op.block().ok_or_else(malformed)?;
    let [low, high, step] = op.operand_list()[..] else { return Err(malformed()) };
    let b = Builder::before(context, op, block).deriving(op);
    // Where number + offset, or offset - number, is the fixed value.
    let mut cut = None;
    let fixed = [(extremum.is_rising, extremum.fixed)];
    let offset =
        extremum.offset.iter().map(|&(is_added, value)| (is_added != extremum.is_rising, value));
    let (added, subtracted): (Vec<_>, Vec<_>) =
        fixed.into_iter().chain(offset).partition(|(is_added, _)| *is_added);
    for (is_added, value) in added.into_iter().chain(subtracted) {
        cut = Some(match (cut, is_added) {
            (None, _) => value,
            (Some(cut), true) => b.add(cut, value),
            (Some(cut), false) => b.sub(cut, value),
        });
    }
    let cut = cut.ok_or_else(malformed)?;
    let cut = b.same("arith.maxsi", &[b.same("arith.minsi", &[cut, high]), low]);
    let is_greatest = extremum.op.op_name() == "arith.maxsi";
    let mut pieces = vec![];
    for (bounds, is_first) in [([low, cut], true), ([cut, high], false)] {
        let is_fixed = is_first == (is_greatest == extremum.is_rising);
        let value = if is_fixed { extremum.fixed } else { extremum.moving };
        pieces.push(piece(&b, op, [bounds[0], bounds[1], step], extremum.op, value)?);
    }
    op.erase();
    Ok(pieces)
}

/// A copy of a loop with other bounds, in which the result of an operation is another value.
fn piece<'c>(
    b: &Builder<'c>,
    op: Op<'c>,
    bounds: [Val<'c>; 3],
    replaced: Op<'c>,
    by: Val<'c>,
) -> Result<Op<'c>> {
    let body = op.body(0).ok_or_else(|| internal_error(op, "a loop has no body"))?;
    let mut map = ValueMap::new();
    let mut shared: HashSet<ValueKey> = HashSet::new();
    let mut own = vec![];
    for old in body.body_ops() {
        let is_shared = |value: &Val<'c>| is_outside(op, *value) || shared.contains(&value.key());
        let is_plain =
            matches!(old.op_name(), "arith.addi" | "arith.subi" | "arith.maxsi" | "arith.minsi");
        if old.key() == replaced.key() && is_shared(&by) {
            map.extend(old.res(0).map(|result| (result.key(), renamed(&map, by))));
        } else if is_plain && old.operand_list().iter().all(is_shared) {
            clone_op(b, old, &mut map);
        } else {
            own.push(old);
            continue;
        }
        shared.extend(old.result_list().iter().map(ValExt::key));
    }
    b.for_loop(bounds, &[], |inner, number, _| {
        map.extend(body.arg_list().first().map(|own| (own.key(), number)));
        for old in own {
            if old.key() == replaced.key() {
                map.extend(old.res(0).map(|result| (result.key(), renamed(&map, by))));
            } else {
                clone_op(&inner, old, &mut map);
            }
        }
        Ok(renamed_ends(body, &map))
    })
}
