//! Accumulators whose rows only ever get one number each keep that number.
//!
//! ```text
//! with_acc (zeros : n x d) (\a -> ... upd [i] (replicate v) a ...)
//!   =>  map replicate (with_acc (zeros : n) (\a -> ... upd [i] v a ...))
//! ```
//! All elements of a row would have been sums of the same numbers in the same order. Second derivatives
//! of sums of squares are such rows.

use ad_dialect::{
    capi::{acc_type, is_acc},
    ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, array_of},
};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use super::constant::filled_with;
use crate::support::{
    accumulator::{origin, updates},
    builder::{Builder, same_value},
    diag::Result,
    zero::is_zero,
};

/// Narrows every accumulator that allows it; whether there was one.
pub fn narrow<'c>(context: &'c Context, module: Op<'c>) -> Result<bool> {
    let mut all = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "soac.with_acc" {
            all.push(op);
        }
    });
    let mut changed = false;
    for op in all {
        for position in 0..op.operand_count() {
            if let Some(rows) = Rows::of(op, position) {
                rows.narrow(context)?;
                changed = true;
            }
        }
    }
    Ok(changed)
}

/// An accumulator with rows of equal numbers.
struct Rows<'c> {
    op: Op<'c>,
    position: usize,
    /// How many indices each update has.
    indices: usize,
    /// Each update with the one number that it adds to its row.
    updates: Vec<(Op<'c>, Val<'c>)>,
    /// The accumulator from its beginning to its end.
    thread: Vec<Val<'c>>,
}

impl<'c> Rows<'c> {
    fn of(op: Op<'c>, position: usize) -> Option<Self> {
        let start = op.opnd(position).filter(|&start| is_zero(start))?;
        let updates: Option<Vec<_>> = updates(op, position)
            .into_iter()
            .map(|update| Some((update, repeated(update.operand_list().pop()?)?)))
            .collect();
        let updates = updates?;
        let indices = updates.first()?.0.operand_count() - 2;
        let alike = updates.iter().all(|(update, _)| update.operand_count() == indices + 2);
        let has_rows = indices > 0 && indices < start.r#type().shape().len();
        if !alike || !has_rows || op.res(position)?.users().is_empty() {
            return None;
        }
        let thread = thread(op, op.body(0)?.arg_list().get(position).copied()?)?;
        Some(Self { op, position, indices, updates, thread })
    }

    fn narrow(self, context: &'c Context) -> Result<()> {
        let Self { op, position, indices, updates, thread } = self;
        let (Some(start), Some(result), Some(block)) =
            (op.opnd(position), op.res(position), op.block())
        else {
            return Ok(());
        };
        let (full, shape) = (start.r#type(), start.r#type().shape());
        let (kept, lengths) = shape.split_at(indices);
        let narrow = kept.iter().rev().fold(full.scalar(), |row, &size| array_of(size, row));
        let b = Builder::before(context, op, block).with_location(op.location());
        let unknown = (0..indices).filter(|&d| shape.get(d) == Some(&DYNAMIC));
        let sizes: Vec<_> = unknown.map(|d| b.dim(start, d)).collect();
        op.set_operand(position, b.zeros(narrow, &sizes));
        let lengths = lengths.iter().enumerate();
        let lengths: Vec<_> = lengths.map(|(d, &size)| (b.dim(start, indices + d), size)).collect();
        for (update, number) in updates {
            update.set_operand(indices + 1, number);
        }
        for value in thread {
            value.set_type(acc_type(narrow));
        }
        result.set_type(narrow);
        let rows = repeat(&Builder::after(context, op, block), result, full, &lengths)?;
        result.replace_all_uses(rows);
        if let Some(map) = rows.defining_op() {
            map.set_operand(0, result);
        }
        Ok(())
    }
}

/// The number or filled array of which all elements of an array are copies.
fn repeated(array: Val<'_>) -> Option<Val<'_>> {
    match array.defining_op().filter(|op| op.op_name() == "soac.replicate") {
        Some(replicate) => match replicate.opnd(0)? {
            row if row.r#type().shape().is_empty() => Some(row),
            row => repeated(row),
        },
        None => filled_with(array),
    }
}

/// An array of the type given, whose rows repeat the numbers of another one.
fn repeat<'c>(
    b: &Builder<'c>,
    numbers: Val<'c>,
    full: Type<'c>,
    lengths: &[(Val<'c>, i64)],
) -> Result<Val<'c>> {
    if numbers.r#type().shape().is_empty() {
        let rows = lengths.iter().rev();
        return Ok(rows.fold(numbers, |row, &(length, size)| b.replicate(row, length, size)));
    }
    let rows = b.map(&[numbers], &[], &[full], |b, row| {
        row.iter().map(|&row| repeat(&b, row, full.row(), lengths)).collect()
    })?;
    Ok(rows.first().copied().unwrap_or(numbers))
}

/// All values that an accumulator inside of a `soac.with_acc` is in, if only operations that `updates`
/// sees through hand it on.
fn thread<'c>(root: Op<'c>, argument: Val<'c>) -> Option<Vec<Val<'c>>> {
    const KNOWN: [&str; 7] = [
        "soac.map",
        "soac.update_acc",
        "soac.with_acc",
        "soac.yield",
        "scf.for",
        "scf.if",
        "scf.yield",
    ];
    let mut found = vec![];
    root.for_each(&mut |op| {
        let results = if op.key() == root.key() { vec![] } else { op.result_list() };
        let arguments = op.blocks().into_iter().flat_map(|block| block.arg_list());
        found.extend(results.into_iter().chain(arguments).filter(|value| {
            is_acc(value.r#type())
                && origin(*value).is_some_and(|origin| same_value(origin, argument))
        }));
    });
    let mut users = found.iter().flat_map(|value| value.users());
    users.all(|user| KNOWN.contains(&user.op_name())).then_some(found)
}
