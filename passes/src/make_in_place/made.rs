//! Arrays that are copied to a row when they are done.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpKey, Val, ValExt};
use melior::{
    Context,
    ir::{BlockLike, operation::OperationLike},
};

use super::{
    row::{Number, Row, is_plain},
    uses::{uses_of, uses_of_all, writes_all},
};
use crate::support::{
    builder::{Builder, same_value},
    position::is_own_index,
    region::{are_exclusive, beside},
};

/// An array that is copied to a row of a buffer.
pub struct Made<'c> {
    row: Row<'c>,
    /// What allocates the array, in each branch.
    arrays: Vec<Op<'c>>,
    /// The first operation of the block that uses it.
    first: Op<'c>,
    /// The copies that are not needed any longer: of the array to the row, and of the row to the array before.
    copies: Vec<Op<'c>>,
    /// What fills the array with what is in the row anyway.
    fills: Vec<Op<'c>>,
}

impl<'c> Made<'c> {
    /// That of a copy.
    pub fn of(copy: Op<'c>) -> Option<Self> {
        let block = copy.block()?;
        let row = Row::of(copy.opnd(1)?.defining_op()?)?;
        let mut array = Array::default();
        array.add(copy.opnd(0)?)?;
        if !array.is_fresh_in(block)? {
            return None;
        }
        let mut first = copy;
        for user in array.users()? {
            let at = beside(user, Some(block))?;
            if copy.is_before(at) {
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
        let mut copies = vec![];
        for user in uses_of_all(row.whole)?.into_iter().filter(|user| is_within(*user)) {
            let is_own = user.op_name() == "memref.copy"
                && [(0, 1), (1, 0)].into_iter().any(|(mine, other)| {
                    let other =
                        user.opnd(other).and_then(|row| row.defining_op()).and_then(Row::of);
                    user.opnd(mine).is_some_and(|value| array.has(value))
                        && other.is_some_and(|other| other.is(&row))
                });
            if !is_own {
                return None;
            }
            copies.push(user);
        }
        let mut made = Self { row, arrays: array.allocations, first, copies, fills: vec![] };
        made.fills = made.fills(block);
        let is_known = made.arrays.iter().all(|alloc| made.is_known_at(made.place(*alloc, block)));
        is_known.then_some(made)
    }

    /// What fills an array with the number that is in the row before, because the whole buffer was filled with it.
    fn fills(&self, block: Blk<'c>) -> Vec<Op<'c>> {
        let number = match (block.parent_operation(), self.row.number) {
            (Some(around), Number::Value(number)) if around.op_name() == "scf.for" => {
                self.filled_before(around, number)
            }
            _ => None,
        };
        let fills = self.arrays.iter().filter_map(|alloc| {
            let mut users = alloc.res(0)?.users().into_iter();
            users.find(|user| user.op_name() == "linalg.fill" && writes_all(*user, *alloc))
        });
        let is_same =
            |fill: &Op<'c>| fill.opnd(0).zip(number).is_some_and(|(x, y)| same_value(x, y));
        fills.filter(is_same).collect()
    }

    /// The number that is in the row, if the buffer is filled with it in front of a loop which uses each row once.
    fn filled_before(&self, around: Op<'c>, number: Val<'c>) -> Option<Val<'c>> {
        let (block, array) = (around.block()?, self.row.whole.res(0)?);
        let iv = *around.body(0)?.arg_list().first()?;
        if self.row.whole.block() != Some(block) || !is_own_index(number, iv, around) {
            return None;
        }
        let mut fill = None;
        for user in uses_of_all(self.row.whole)? {
            let at = beside(user, Some(block))?;
            let is_copy = self.copies.iter().any(|copy| copy.key() == user.key());
            let is_fill = user.op_name() == "linalg.fill" && same_value(user.opnd(1)?, array);
            if is_fill && at.is_before(around) && fill.is_none() {
                fill = user.opnd(0);
            } else if !(is_copy || around.is_before(at)) {
                return None;
            }
        }
        fill
    }

    /// In front of what the view that takes the place of an allocation is to be.
    fn place(&self, alloc: Op<'c>, block: Blk<'c>) -> Op<'c> {
        if beside(alloc, Some(block)).is_some() { alloc } else { self.first }
    }

    /// Whether the buffer and the number of the row are known in front of an operation.
    fn is_known_at(&self, place: Op<'c>) -> bool {
        let number = match self.row.number {
            Number::Known(_) => None,
            Number::Value(number) => number.defining_op(),
        };
        let is_before =
            |op: Op<'c>| beside(place, op.block()).is_some_and(|place| op.is_before(place));
        [number, Some(self.row.whole)].into_iter().flatten().all(is_before)
    }

    /// Makes the array in the row; returns the copies that are gone.
    pub fn make(mut self, context: &'c Context) -> Option<Vec<OpKey>> {
        let block = self.copies.first()?.block()?;
        let bytes = self.row.bytes(context)?;
        for &alloc in &self.arrays {
            let place = self.place(alloc, block);
            let b = Builder::before(context, place, place.block()?);
            let view = self.row.view(&b, bytes, self.row.number.value(&b), alloc)?;
            alloc.res(0)?.replace_all_uses(view);
            alloc.erase();
        }
        let gone = self.copies.iter().map(|copy| copy.key()).collect();
        self.copies.iter().chain(&self.fills).for_each(|op| op.erase());
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

    /// Whether it is one of its names that an operation hands on.
    fn is_handed_on_by(&self, op: Op<'c>) -> bool {
        let around = op.parent().filter(|_| op.op_name() == "scf.yield");
        around.is_some_and(|around| around.result_list().into_iter().any(|name| self.has(name)))
    }

    /// What uses an allocation, by the names that it has in its branch.
    fn uses_of(&self, alloc: Op<'c>) -> Option<Vec<Op<'c>>> {
        let uses = uses_of(alloc.res(0)?, |op| self.is_handed_on_by(op))?;
        Some(uses.into_iter().map(|(user, _)| user).collect())
    }

    /// What uses it.
    fn users(&self) -> Option<Vec<Op<'c>>> {
        let uses = self.names.iter().map(|&name| uses_of(name, |op| self.is_handed_on_by(op)));
        let uses: Vec<_> = uses.collect::<Option<_>>()?;
        Some(uses.into_iter().flatten().map(|(user, _)| user).collect())
    }

    /// Whether nothing that was in it before the block runs is read, and it is one array at a time.
    fn is_fresh_in(&self, block: Blk<'c>) -> Option<bool> {
        let uses: Option<Vec<_>> = self.allocations.iter().map(|op| self.uses_of(*op)).collect();
        let uses = uses?;
        let is_alone = |i: usize| {
            let mut others = uses[i + 1..].iter().flatten();
            others.all(|other| uses[i].iter().all(|own| are_exclusive(*own, *other)))
        };
        let is_fresh = |(alloc, uses): (&Op<'c>, &Vec<Op<'c>>)| {
            let is_written = |at: &Op<'c>| {
                writes_all(*at, *alloc)
                    && uses.iter().all(|user| {
                        let user = beside(*user, at.block());
                        user.is_some_and(|user| user.key() == at.key() || at.is_before(user))
                    })
            };
            is_plain(*alloc)
                && (beside(*alloc, Some(block)).is_some() || uses.iter().any(is_written))
        };
        let are_fresh = self.allocations.iter().zip(&uses).all(is_fresh);
        Some(are_fresh && (0..uses.len()).all(is_alone))
    }
}
