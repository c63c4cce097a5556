//! Raises `scf.for` whose iterations need nothing of each other but what all of them add up or fill in:
//!
//! ```text
//! s = for (i) (s = s0) { s + v(i) }         =>   s = s0 + reduce (+) 0 (map (\i -> v(i)) (iota n))
//! y = for (i) (y = y0) { y[i] = v(i) }      =>   y = y0 with [lb : ub : step] = map (\i -> v(i)) (iota n)
//! h = for (i) (h = h0) { h[k(i)] += v(i) }  =>   h = with_acc h0 (\h -> map (\i h -> h[k(i)] += v(i)) (iota n) h)
//! ```
//! That is for what several threads or a GPU are to run, where the loop would be one thread's: loops of the host, before they are
//! differentiated, so that derivatives are maps and reductions, too.
//!
//! In reading order: this file (which loops), `terms` (what iterations combine a number with), `build` (what loops become).

mod build;
mod terms;

use std::collections::HashMap;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpKey, TyExt, Val, ValExt};
use melior::ir::{TypeLike, ValueLike, operation::OperationLike};

use self::terms::{Path, operation, term};
use super::neutral::{combines, is_exact};
use crate::{
    checkpoint::strip_mine,
    support::{
        bounds::Bounds,
        builder::{Builder, same_value},
        combinator::{constant_index, is_same_place},
        diag::Result,
        extent::Extent,
        region::{all_inside, is_of_values, is_outside},
        slice::Slice,
    },
};

/// A loop that is known to run at most so often stays.
const FEW: i64 = 32;

/// Builds maps for a loop whose results do not depend on the order of its iterations.
pub fn exact<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    raised(b, op, false)
}

/// Builds maps also for a loop whose sums and products of floats are rounded otherwise in another order.
pub fn in_any_order<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    raised(b, op, true)
}

fn raised<'c>(b: &Builder<'c>, op: Op<'c>, any_order: bool) -> Result<Option<Vec<Val<'c>>>> {
    match Iterations::of(op).filter(|loops| any_order || loops.is_exact()) {
        Some(loops) => loops.build(b).map(Some),
        None => Ok(None),
    }
}

/// A loop whose iterations need nothing of each other.
struct Iterations<'c> {
    op: Op<'c>,
    body: Blk<'c>,
    bounds: Bounds<'c>,
    /// What becomes of each value that the loop carries.
    parts: Vec<Part<'c>>,
    /// The operations that do it, with the position of the value.
    own: HashMap<OpKey, usize>,
}

/// What becomes of a value that a loop carries.
enum Part<'c> {
    /// It is combined with others, all by the same operation.
    Combined(Path<'c>),
    /// An element or a row of an array gets a value that no other iteration replaces.
    Filled { insert: Op<'c>, along: usize },
    /// A number is added to an element of an array that other iterations may add to as well.
    Updated { insert: Op<'c>, by: Op<'c>, term: (Val<'c>, bool) },
}

impl<'c> Iterations<'c> {
    fn of(op: Op<'c>) -> Option<Self> {
        let operands = op.operand_list();
        let bounds = [operands[0], operands[1], operands[2]];
        let fits = op.result_count() > 0
            && op.attr("unsignedCmp").is_none()
            && !has_wish(op)
            && !is_short(bounds);
        let body = op.body(0).filter(|_| fits)?;
        let mut loops = Self { op, body, bounds, parts: vec![], own: HashMap::new() };
        for position in 0..op.result_count() {
            let part = loops.part(position)?;
            loops.parts.push(part);
        }
        let mut others =
            body.body_ops().into_iter().filter(|op| !loops.own.contains_key(&op.key()));
        let rank = loops.rank_of_rows();
        others.all(|op| is_of_values(op) && makes_no_more(op, rank)).then_some(loops)
    }

    /// What becomes of a value that the loop carries, if it is known.
    fn part(&mut self, position: usize) -> Option<Part<'c>> {
        let carried = self.body.arg_list()[position + 1];
        let (part, own) = self
            .combined(carried, position)
            .or_else(|| self.filled(carried, position))
            .or_else(|| self.updated(carried, position))?;
        self.own.extend(own.iter().map(|op| (op.key(), position)));
        Some(part)
    }

    /// A number that is combined with others.
    fn combined(&self, carried: Val<'c>, position: usize) -> Option<(Part<'c>, Vec<Op<'c>>)> {
        let (mut path, end) = Path::of(carried, self.body)?;
        let own = std::mem::take(&mut path.own);
        let fits = end == position && combines(operation(path.by), carried.r#type());
        fits.then_some((Part::Combined(path), own))
    }

    /// An array of which each iteration replaces an element or a row; before, it may read it.
    fn filled(&self, carried: Val<'c>, position: usize) -> Option<(Part<'c>, Vec<Op<'c>>)> {
        let insert = self.inserted(position)?;
        let along = match insert.op_name() {
            "tensor.insert" => self.along_of_element(insert)?,
            _ => self.along_of_row(insert)?,
        };
        let is_own = |(user, operand): (Op<'c>, usize)| {
            user.key() == insert.key() && operand == 1 || reads_same(user, insert) && operand == 0
        };
        let is_filled = insert.opnd(1)?.key() == carried.key();
        (is_filled && carried.uses().into_iter().all(is_own))
            .then(|| (Part::Filled { insert, along }, vec![insert]))
    }

    /// An array to elements of which iterations add.
    fn updated(&self, carried: Val<'c>, position: usize) -> Option<(Part<'c>, Vec<Op<'c>>)> {
        let insert =
            self.inserted(position).filter(|insert| insert.op_name() == "tensor.insert")?;
        let by = insert.opnd(0)?.defining_op()?;
        let element = carried.r#type().scalar();
        let uses = carried.uses();
        let read = uses.iter().find(|(user, _)| reads_same(*user, insert))?.0;
        let (user, operand) = self.only_use(read.res(0)?)?;
        let is_sum =
            ["arith.addf", "arith.addi"].contains(&operation(by)) && user.key() == by.key();
        let fits = is_sum
            && uses.len() == 2
            && uses.iter().any(|(user, operand)| user.key() == insert.key() && *operand == 1)
            && self.only_use(by.res(0)?)?.0.key() == insert.key()
            && (element.is_f32() || element.is_f64() || element.is_int_or_index_type());
        let term = term(by, operand).filter(|_| fits)?;
        Some((Part::Updated { insert, by, term }, vec![read, by, insert]))
    }

    /// The only use of a value, if the body itself has it.
    fn only_use(&self, value: Val<'c>) -> Option<(Op<'c>, usize)> {
        match value.uses()[..] {
            [(user, operand)] if user.block() == Some(self.body) => Some((user, operand)),
            _ => None,
        }
    }

    /// The insertion whose result the loop carries on, and nobody else reads.
    fn inserted(&self, position: usize) -> Option<Op<'c>> {
        let insert = self.body.ends()[position].defining_op()?;
        let names = ["tensor.insert", "tensor.insert_slice"];
        let fits = names.contains(&insert.op_name()) && insert.block() == Some(self.body);
        let (user, _) = self.only_use(insert.res(0).filter(|_| fits)?)?;
        (user.key() == self.body.term()?.key()).then_some(insert)
    }

    /// The dimension along which iterations replace elements, being at the same place in all others.
    fn along_of_element(&self, insert: Op<'c>) -> Option<usize> {
        let indices = insert.operand_list().split_off(2);
        let along = indices.iter().position(|index| index.key() == self.number().key())?;
        let mut others = indices.iter().enumerate().filter(|(d, _)| *d != along);
        others.all(|(_, &index)| is_outside(self.op, index)).then_some(along)
    }

    /// The first dimension, if iterations replace rows along it, all at the same place in the other ones.
    fn along_of_row(&self, insert: Op<'c>) -> Option<usize> {
        let slice = place(insert)?;
        let [offset, size, stride] = slice.entries(0);
        let is_one = |entry| matches!(entry, Extent::Known(1));
        let is_number =
            matches!(offset, Extent::Value(value) if value.key() == self.number().key());
        let others = insert.operand_list().into_iter().skip(3);
        let row = insert.opnd(0)?.r#type().shape();
        let fits = is_number
            && is_one(size)
            && is_one(stride)
            && others.into_iter().all(|value| is_outside(self.op, value))
            && slice.has_shape_from(1, &row);
        fits.then_some(0)
    }

    /// The number of the iteration.
    fn number(&self) -> Val<'c> {
        self.body.arg_list()[0]
    }

    /// How many dimensions the largest rows have that iterations replace, or read, each another one.
    fn rank_of_rows(&self) -> usize {
        let number = self.number().key();
        let is_row = |op: &Op<'c>| {
            let (name, operands) = (op.op_name(), op.operand_list());
            name == "tensor.insert_slice" && self.own.contains_key(&op.key())
                || name == "tensor.extract_slice"
                    && operands[1..].iter().any(|value| value.key() == number)
        };
        let row = |op: Op<'c>| match op.op_name() {
            "tensor.insert_slice" => op.opnd(0),
            _ => op.res(0),
        };
        let rows = self.body.body_ops().into_iter().filter(is_row).filter_map(row);
        rows.map(|row| row.r#type().shape().len()).max().unwrap_or(0)
    }

    /// Whether all orders of iterations give the same.
    fn is_exact(&self) -> bool {
        let is_exact_part = |part: &Part<'c>| match part {
            Part::Filled { .. } => true,
            Part::Combined(path) => is_exact(operation(path.by)),
            Part::Updated { by, .. } => is_exact(operation(*by)),
        };
        self.parts.iter().all(is_exact_part)
    }
}

/// Where an insertion puts an element or a row.
fn place(insert: Op<'_>) -> Option<Slice<'_>> {
    match insert.op_name() {
        "tensor.insert" => Some(Slice::of_element(&insert.operand_list()[2..])),
        _ => Slice::of(insert, 2, |value| value),
    }
}

/// Whether an operation reads what an insertion replaces.
fn reads_same(read: Op<'_>, insert: Op<'_>) -> bool {
    match (read.op_name(), insert.op_name()) {
        ("tensor.extract", "tensor.insert") => {
            let (read, written) = (read.operand_list(), insert.operand_list());
            read[1..].iter().zip(&written[2..]).all(|(&a, &b)| same_value(a, b))
        }
        ("tensor.extract_slice", "tensor.insert_slice") => is_same_place(read, insert),
        _ => false,
    }
}

/// Whether a loop is known to run a few times at most.
fn is_short(bounds: Bounds<'_>) -> bool {
    let [Some(lower), Some(upper), Some(step)] = bounds.map(constant_index) else { return false };
    step > 0 && upper.saturating_sub(lower) / step <= FEW
}

/// Whether somebody has said how a loop is to be differentiated.
fn has_wish(op: Op<'_>) -> bool {
    [strip_mine::FACTORS, strip_mine::PROMISE].into_iter().any(|name| op.attr(name).is_some())
}

/// Whether an operation, with what is in it, makes no larger arrays than rows of a rank, unless it makes them element by element,
/// so that who reads them can.
fn makes_no_more(op: Op<'_>, rank: usize) -> bool {
    let most = |op: Op<'_>| {
        let by_element = ["soac.iota", "soac.map", "soac.reduce"].contains(&op.op_name());
        if by_element { rank.max(1) } else { rank }
    };
    let mut all = all_inside(op).into_iter().chain([op]);
    all.all(|op| op.result_list().iter().all(|value| value.r#type().shape().len() <= most(op)))
}
