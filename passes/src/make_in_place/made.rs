//! Arrays that are copied to a row when they are done.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpKey, Val, ValExt};
use melior::{
    Context,
    ir::{BlockLike, operation::OperationLike},
};

use super::{
    row::{Row, is_plain},
    uses::{Use, accesses_of_all, uses_of, writes_all},
};
use crate::support::{
    builder::{Builder, same_value},
    combinator::constant_index,
    extent::Extent,
    memory::become_part,
    place::Sum,
    position::is_own_index,
    region::{are_exclusive, beside, is_once},
};

/// An array that is copied to a row of a buffer.
pub struct Made<'c> {
    row: Row<'c>,
    /// The block at whose end it is done.
    block: Blk<'c>,
    /// What allocates the array, in each branch.
    arrays: Vec<Op<'c>>,
    /// The first operation of the block that uses it.
    first: Op<'c>,
    /// The copies that are not needed any longer: of the array to the row, and of the row to the array before.
    copies: Vec<Op<'c>>,
    /// What fills the array with what is in the row anyway.
    fills: Vec<Op<'c>>,
    /// What fills the buffer before all of it is written.
    overwritten: Option<Op<'c>>,
}

impl<'c> Made<'c> {
    /// That of a copy.
    pub fn of(copy: Op<'c>) -> Option<Self> {
        let block = copy.block()?;
        let row = Row::of(copy.opnd(1)?.defining_op()?)?;
        let mut array = Array::default();
        array.add(copy.opnd(0)?)?;
        let openings = array.openings_in(block)?;
        let mut first = copy;
        for user in array.uses()? {
            let at = beside(user.op, Some(block))?;
            if copy.is_before(at) && user.is_access() {
                return None;
            }
            if at.is_before(first) {
                first = at;
            }
        }
        let is_within = |op: Op<'c>| {
            let at = beside(op, Some(block));
            at.is_some_and(|at| !at.is_before(first) && !copy.is_before(at))
        };
        let is_row = |value: Option<Val<'c>>| {
            let other = value.and_then(|value| value.defining_op()).and_then(Row::of);
            other.is_some_and(|other| other.is(&row))
        };
        let mut copies = vec![];
        for user in accesses_of_all(row.whole)?.into_iter().filter(|user| is_within(*user)) {
            let is_copy = user.op_name() == "memref.copy";
            let is_from =
                user.opnd(0).is_some_and(|value| array.has(value)) && is_row(user.opnd(1));
            let is_opening = openings.iter().any(|opening| opening.key() == user.key());
            let is_own = is_copy && (is_from || is_opening && is_row(user.opnd(0)));
            if !is_own {
                return None;
            }
            copies.push(user);
        }
        let fills = openings.into_iter().filter(|opening| opening.op_name() == "linalg.fill");
        let fills = fills.collect();
        let arrays = array.allocations;
        let mut made = Self { row, block, arrays, first, copies, fills, overwritten: None };
        let before = made.filled_before();
        let number = before.and_then(|fill| fill.opnd(0));
        made.fills.retain(|fill| fill.opnd(0).zip(number).is_some_and(|(x, y)| same_value(x, y)));
        made.overwritten = before.filter(|_| made.fills.is_empty() && made.has_all_rows());
        let is_known = made.arrays.iter().all(|alloc| made.is_known_at(made.place(*alloc)));
        is_known.then_some(made)
    }

    /// What fills the buffer with a number in front of a loop which uses each row once.
    fn filled_before(&self) -> Option<Op<'c>> {
        let around = self.block.parent_operation().filter(|op| op.op_name() == "scf.for")?;
        let (block, array) = (around.block()?, self.row.whole.res(0)?);
        let Extent::Value(number) = self.row.number else { return None };
        if self.row.whole.block() != Some(block)
            || !is_own_index(number, *self.block.arg_list().first()?, around)
        {
            return None;
        }
        let mut fill = None;
        for user in accesses_of_all(self.row.whole)? {
            let at = beside(user, Some(block))?;
            let is_copy = self.copies.iter().any(|copy| copy.key() == user.key());
            let is_fill = user.op_name() == "linalg.fill" && same_value(user.opnd(1)?, array);
            if is_fill && user.key() == at.key() && at.is_before(around) && fill.is_none() {
                fill = Some(user);
            } else if !(is_copy || around.is_before(at)) {
                return None;
            }
        }
        fill
    }

    /// Whether the loop makes every row of the buffer, from the first to the last or the other way round.
    fn has_all_rows(&self) -> bool {
        let around = self.block.parent_operation().filter(|op| op.op_name() == "scf.for");
        let operands = around.map(|op| op.operand_list()).unwrap_or_default();
        let ([lower, upper, step, ..], Some(&iv), Extent::Value(number)) =
            (&operands[..], self.block.arg_list().first(), self.row.number)
        else {
            return false;
        };
        let count = Sum::of(*upper);
        let last = count.clone().plus(&Sum::constant(1), -1);
        let [number, own] = [number, iv].map(Sum::of);
        constant_index(*lower) == Some(0)
            && constant_index(*step) == Some(1)
            && self.row.count() == count
            && (number == own || number == last.plus(&own, -1))
    }

    /// In front of what the view that takes the place of an allocation is to be.
    fn place(&self, alloc: Op<'c>) -> Op<'c> {
        if beside(alloc, Some(self.block)).is_some() { alloc } else { self.first }
    }

    /// Whether the buffer and the number of the row are known in front of an operation.
    fn is_known_at(&self, place: Op<'c>) -> bool {
        let number = match self.row.number {
            Extent::Value(number) => number.defining_op(),
            _ => None,
        };
        let is_before =
            |op: Op<'c>| beside(place, op.block()).is_some_and(|place| op.is_before(place));
        [number, Some(self.row.whole)].into_iter().flatten().all(is_before)
    }

    /// Makes the array in the row; returns the copies that are gone.
    pub fn make(mut self, context: &'c Context) -> Option<Vec<OpKey>> {
        let bytes = self.row.bytes(context)?;
        for &alloc in &self.arrays {
            let place = self.place(alloc);
            let b = Builder::before(context, place, place.block()?);
            let start = self.row.start(&b, self.row.number.value(&b));
            become_part(&b, alloc, bytes, start)?;
        }
        let gone = self.copies.iter().map(|copy| copy.key()).collect();
        self.copies.iter().chain(&self.fills).chain(&self.overwritten).for_each(OpExt::erase);
        Some(gone)
    }
}

/// An array that is allocated here, or in each branch.
#[derive(Default)]
struct Array<'c> {
    allocations: Vec<Op<'c>>,
    /// What it is called.
    names: Vec<Val<'c>>,
}

impl<'c> Array<'c> {
    /// Adds what a value is; none if it may be something else.
    fn add(&mut self, value: Val<'c>) -> Option<()> {
        if self.has(value) {
            return Some(());
        }
        let op = value.defining_op()?;
        self.names.push(value);
        match op.op_name() {
            "memref.alloc" => self.allocations.push(op),
            "scf.if" => {
                for branch in op.blocks() {
                    self.add(branch.term()?.opnd(value.position())?)?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn has(&self, value: Val<'c>) -> bool {
        self.names.iter().any(|name| same_value(*name, value))
    }

    /// Whether all that an operation hands on of it are its names.
    fn is_handed_on_by(&self, Use { op, name }: Use<'c>) -> bool {
        let Some(around) = op.parent().filter(|_| op.op_name() == "scf.yield") else {
            return false;
        };
        let ends = op.operand_list().into_iter().zip(around.result_list());
        let mut own = ends.filter(|(end, _)| same_value(*end, name)).map(|(_, result)| result);
        around.op_name() == "scf.if" && own.all(|result| self.has(result))
    }

    /// What uses it, by the names that it has.
    fn uses(&self) -> Option<Vec<Use<'c>>> {
        let uses = self.names.iter().map(|&name| uses_of(name, |it| self.is_handed_on_by(it)));
        Some(uses.collect::<Option<Vec<_>>>()?.concat())
    }

    /// What writes each allocation as a whole first, if something does. None if some of what was in it before the block runs
    /// could be read, or if two are in use at a time.
    fn openings_in(&self, block: Blk<'c>) -> Option<Vec<Op<'c>>> {
        let (mut openings, mut others) = (vec![], vec![]);
        for &alloc in &self.allocations {
            let own = alloc.res(0)?;
            let uses = uses_of(own, |it| self.is_handed_on_by(it))?;
            let uses: Vec<_> = uses.into_iter().filter(Use::is_access).map(|it| it.op).collect();
            let is_alone = |other: &Op<'c>| uses.iter().all(|it| are_exclusive(*it, *other));
            let mut writes = uses.iter().filter(|at| writes_all(**at, own) && is_once(**at, block));
            let opening = writes.find(|at| {
                uses.iter().all(|user| {
                    let user = beside(*user, at.block());
                    user.is_some_and(|user| user.key() == at.key() || at.is_before(user))
                })
            });
            let is_fresh = beside(alloc, Some(block)).is_some() || opening.is_some();
            if !is_plain(alloc) || !is_fresh || !others.iter().all(is_alone) {
                return None;
            }
            openings.extend(opening);
            others.extend(uses);
        }
        Some(openings)
    }
}
