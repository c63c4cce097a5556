//! `ad-split-loops`: a branch on the number of the iteration becomes several loops.
//!
//! ```text
//! for j = a to b                         for j = a to min(i, b)
//!   y[j] = if j < i then f j else 0  ==>   y[j] = f j
//!                                        for j = min(i, b) to b
//!                                          y[j] = 0
//! ```
//! As index-set splitting does it: the iterations keep their order, and each is in one of the loops. What
//! is computed for a triangle, a diagonal, a border or one hot entry is then a loop without a branch,
//! which is shorter, and which LLVM vectorises where it walks through memory.
//!
//! The number may have an offset, as in a chunk of a loop, where it is compared for being equal.
//!
//! Only branches that do more than to choose between numbers are taken: `ad-vectorize` and LLVM do those
//! without one. `guard` does the same for branches that something decides which all iterations share. The bounds of the loops depend on what is compared, so that run it before `ad-vectorize`.

mod bounds;
mod guard;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val, ValExt, int_of};
use melior::{
    Context,
    ir::{BlockLike, operation::OperationLike},
};

use crate::support::{
    builder::{Builder, CMP_EQ, CMP_NE, CMP_SGE, CMP_SGT, CMP_SLE, CMP_SLT, same_value},
    combinator::constant_index,
    diag::{Result, internal_error},
    region::{ValueMap, clone_op, copy_ops, is_outside, renamed_ends},
};

/// How many operations a loop may have that is copied.
const SMALL: usize = 64;

/// How many loops may be made of one.
const PIECES: usize = 6;

/// `arith.cmpi` has the unsigned predicates as far behind the signed ones.
const UNSIGNED: i64 = 4;

/// Runs the pass; returns how many loops were split.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let (mut count, mut loops) = (0, vec![]);
    module.for_each(&mut |op| loops.push(op));
    for op in loops.into_iter().filter(|op| bounds::is_candidate(*op)).collect::<Vec<_>>() {
        count += bounds::split(context, op, 2)?;
    }
    let mut open = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "scf.for" && is_innermost(op) {
            open.push((op, PIECES));
        }
    });
    while let Some((op, pieces)) = open.pop() {
        let test = Test::of(op).filter(|test| test.pieces() <= pieces);
        let (made, number) = match (test, guard::find(op)) {
            (Some(test), _) => (split(context, op, &test)?, test.pieces()),
            (None, Some(shared)) if pieces > 1 => (guard::split(context, op, shared)?, 2),
            _ => continue,
        };
        open.extend(made.into_iter().map(|piece| (piece, pieces + 1 - number)));
        count += 1;
    }
    Ok(count)
}

/// Whether a loop has no loop inside and may be copied.
fn is_innermost(op: Op<'_>) -> bool {
    let (mut count, mut loops) = (0, 0);
    op.for_each(&mut |inner| {
        count += 1;
        let name = inner.op_name();
        loops +=
            usize::from(matches!(name, "scf.for" | "scf.while") || name.starts_with("linalg."));
    });
    count <= SMALL && loops == 1
}

/// A comparison of the number of the iteration, on which a branch depends.
struct Test<'c> {
    comparison: Op<'c>,
    /// What the number is compared with, which is the same in all iterations.
    with: Val<'c>,
    /// What is added to the number before it is compared.
    offset: Option<Val<'c>>,
    is_unsigned: bool,
    /// Where the outcome changes: at that value, right behind it, or both.
    at: bool,
    behind: bool,
    /// The outcome in the first iterations; from one piece to the next it is the other one.
    first: bool,
}

impl<'c> Test<'c> {
    /// The first one in a loop with steps of one.
    fn of(op: Op<'c>) -> Option<Self> {
        let steps_by_one = op.opnd(2).and_then(constant_index) == Some(1);
        let body = op.body(0).filter(|_| steps_by_one && op.attr("unsignedCmp").is_none())?;
        let &number = body.arg_list().first()?;
        let branches = body.body_ops().into_iter().filter(|op| op.op_name() == "scf.if");
        let mut conditions = branches.filter(|op| does_work(*op)).filter_map(|op| op.opnd(0));
        conditions.find_map(|condition| {
            let comparison = condition.defining_op()?;
            let is_inside = comparison.op_name() == "arith.cmpi"
                && comparison.block().is_some_and(|block| block == body);
            let operands = comparison.operand_list();
            let predicate = comparison.attr("predicate").and_then(int_of)?;
            let is_unsigned = predicate > CMP_SGE;
            let signed = if is_unsigned { predicate - UNSIGNED } else { predicate };
            // A sum may wrap around: it is then equal to a number where the summand is to the difference, but in no order.
            let may_wrap = matches!(signed, CMP_EQ | CMP_NE);
            let offset = |x| offset_from(op, x, number).filter(|_| may_wrap);
            let (with, offset, signed) = match operands[..] {
                [x, y] if same_value(x, number) && is_outside(op, y) => (y, None, signed),
                [x, y] if same_value(y, number) && is_outside(op, x) => (x, None, swapped(signed)),
                [x, y] if is_outside(op, y) => (y, Some(offset(x)?), signed),
                [x, y] if is_outside(op, x) => (x, Some(offset(y)?), signed),
                _ => return None,
            };
            let (at, behind, first) = match signed {
                CMP_SLT => (true, false, true),
                CMP_SLE => (false, true, true),
                CMP_SGT => (false, true, false),
                CMP_SGE => (true, false, false),
                CMP_EQ => (true, true, false),
                CMP_NE => (true, true, true),
                _ => return None,
            };
            is_inside.then_some(Self { comparison, with, offset, is_unsigned, at, behind, first })
        })
    }

    /// How many pieces there are.
    fn pieces(&self) -> usize {
        1 + usize::from(self.at) + usize::from(self.behind)
    }
}

/// What is added to the number of an iteration to get a value, if it is the same in all of them.
fn offset_from<'c>(root: Op<'c>, value: Val<'c>, number: Val<'c>) -> Option<Val<'c>> {
    let sum = value.defining_op().filter(|op| op.op_name() == "arith.addi")?;
    match sum.operand_list()[..] {
        [x, y] if same_value(x, number) && is_outside(root, y) => Some(y),
        [x, y] if same_value(y, number) && is_outside(root, x) => Some(x),
        _ => None,
    }
}

/// The predicate with its operands the other way round.
fn swapped(predicate: i64) -> i64 {
    match predicate {
        CMP_SLT => CMP_SGT,
        CMP_SLE => CMP_SGE,
        CMP_SGT => CMP_SLT,
        CMP_SGE => CMP_SLE,
        same => same,
    }
}

/// Whether a branch does more than to choose between numbers or to compute with them.
fn does_work(branch: Op<'_>) -> bool {
    let mut does = false;
    branch.for_each(&mut |op| {
        let name = op.op_name();
        does |= name.starts_with("memref.") || name.starts_with("math.");
    });
    does
}

/// Replaces a loop by one for each outcome of a test, and returns these.
fn split<'c>(context: &'c Context, op: Op<'c>, test: &Test<'c>) -> Result<Vec<Op<'c>>> {
    let malformed = || internal_error(op, "a loop cannot be split");
    let (block, body) = op.block().zip(op.body(0)).ok_or_else(malformed)?;
    let operands = op.operand_list();
    let ([low, high, step], inits) = operands.split_first_chunk().ok_or_else(malformed)?;
    let b = Builder::before(context, op, block).deriving(op);
    let mut ends = cuts(&b, test, *low, *high);
    ends.push(*high);
    let (mut start, mut carried, mut pieces) = (*low, inits.to_vec(), vec![]);
    for (i, &end) in ends.iter().enumerate() {
        if same_value(start, end) {
            continue;
        }
        let truth = test.first == (i % 2 == 0);
        let piece = b.for_loop([start, end, *step], &carried, |inner, number, values| {
            Ok(iteration(&inner, body, test.comparison, truth, &[&[number], values].concat()))
        })?;
        carried = piece.result_list();
        start = end;
        pieces.push(piece);
    }
    for (old, new) in op.result_list().into_iter().zip(carried) {
        old.replace_all_uses(new);
    }
    op.erase();
    Ok(pieces)
}

/// Where the pieces but the last end: between the bounds, wherever the value is.
fn cuts<'c>(b: &Builder<'c>, test: &Test<'c>, low: Val<'c>, high: Val<'c>) -> Vec<Val<'c>> {
    let value = test.offset.map_or(test.with, |offset| b.sub(test.with, offset));
    // The number of a loop around is between the bounds of that loop.
    let around = value.owner_block().and_then(|block| block.parent_operation());
    let around = around.filter(|op| op.op_name() == "scf.for" && value.position() == 0);
    let is_bound = |i: usize, bound: Val<'c>| {
        around.and_then(|op| op.opnd(i)).is_some_and(|own| same_value(own, bound))
    };
    let is_below = is_bound(1, high);
    let is_above = same_value(value, low) || is_bound(0, low);
    let raised = |value| if is_above { value } else { b.same("arith.maxsi", &[value, low]) };
    let least = if test.is_unsigned { "arith.minui" } else { "arith.minsi" };
    let below = if is_below { value } else { b.same(least, &[value, high]) };
    let mut cuts = vec![];
    if test.at {
        cuts.push(if same_value(value, low) { low } else { raised(below) });
    }
    if test.behind {
        let next = b.add(below, b.index(1));
        let next = if is_below { next } else { b.same("arith.minsi", &[next, high]) };
        // A loop from the value on may have no iteration at all.
        let is_plain = is_above && is_below;
        cuts.push(if is_plain { next } else { b.same("arith.maxsi", &[next, low]) });
    }
    cuts
}

/// An iteration where the outcome of a comparison is known, with what is done then in place of branches on it;
/// returns what it yields.
fn iteration<'c>(
    b: &Builder<'c>,
    body: Blk<'c>,
    comparison: Op<'c>,
    truth: bool,
    arguments: &[Val<'c>],
) -> Vec<Val<'c>> {
    let own = body.arg_list();
    let mut map: ValueMap<'c> =
        own.iter().map(ValExt::key).zip(arguments.iter().copied()).collect();
    let is_known =
        |value: Val<'c>| value.defining_op().is_some_and(|op| op.key() == comparison.key());
    for op in body.body_ops() {
        let is_branch = op.op_name() == "scf.if" && op.opnd(0).is_some_and(is_known);
        if !is_branch {
            clone_op(b, op, &mut map);
        } else if let Some(taken) = op.body(usize::from(!truth)) {
            let ends = copy_ops(b, taken, &mut map);
            map.extend(op.result_list().iter().map(ValExt::key).zip(ends));
        }
        if op.key() == comparison.key() {
            map.extend(op.res(0).map(|result| (result.key(), b.truth(truth))));
        }
    }
    renamed_ends(body, &map)
}
