//! A loop that takes several iterations at once.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val, ValExt};
use melior::{Context, ir::operation::OperationLike};

use super::ahead::Ahead;
use crate::support::{
    builder::Builder,
    diag::{Result, internal_error},
    region::{ValueMap, clone_op, renamed, renamed_ends},
    rest::end_of_several,
};

/// Lets a loop take several iterations at once; what it leaves runs after it, as before.
pub fn unroll<'c>(context: &'c Context, root: Op<'c>, several: usize) -> Result<()> {
    let malformed = || internal_error(root, "a loop cannot be unrolled");
    let ahead = Ahead::of(root).ok_or_else(malformed)?;
    let (block, body) = root.block().zip(root.body(0)).ok_or_else(malformed)?;
    let b = Builder::before(context, root, block);
    let operands = root.operand_list();
    let ([low, high, _], inits) = operands.split_first_chunk().ok_or_else(malformed)?;
    let step = b.index(several as i64);
    let (end, _) = end_of_several(&b, *low, *high, step);
    let main = b.for_loop([*low, end, step], inits, |inner, first, carried| {
        let mut emitter = Emitter { ahead: &ahead, renamings: vec![ValueMap::new(); several] };
        emitter.iterations(inner, body, first, carried)
    })?;
    root.set_operand(0, end);
    for (i, sum) in main.result_list().into_iter().enumerate() {
        root.set_operand(3 + i, sum);
    }
    Ok(())
}

struct Emitter<'a, 'c> {
    ahead: &'a Ahead<'c>,
    /// What the values of the loop are in each of the iterations.
    renamings: Vec<ValueMap<'c>>,
}

impl<'c> Emitter<'_, 'c> {
    /// The iterations that run at once; returns what the last one yields.
    fn iterations(
        &mut self,
        b: Builder<'c>,
        body: Blk<'c>,
        first: Val<'c>,
        carried: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let arguments = body.arg_list();
        for (i, renaming) in self.renamings.iter_mut().enumerate() {
            let number = if i == 0 { first } else { b.add(first, b.index(i as i64)) };
            renaming.insert(arguments[0].key(), number);
        }
        let ahead = self.ahead;
        self.early(b, &ahead.early)?;
        let mut carried = carried.to_vec();
        for renaming in &mut self.renamings {
            renaming.extend(arguments[1..].iter().map(ValExt::key).zip(carried));
            for &op in &self.ahead.in_turn {
                clone_op(&b.with_location(op.location()), op, renaming);
            }
            carried = renamed_ends(body, renaming);
        }
        Ok(carried)
    }

    /// What runs ahead: a loop that runs alike as one loop, and what is between such loops for one
    /// iteration after the other, which needs the fewest registers.
    fn early(&mut self, b: Builder<'c>, ops: &[Op<'c>]) -> Result<()> {
        let ahead = self.ahead;
        let is_jammed = |op: &Op<'c>| ahead.is_jammed(*op);
        for part in ops.chunk_by(|a, b| !is_jammed(a) && !is_jammed(b)) {
            let at = |op: Op<'c>| b.with_location(op.location());
            match part {
                [op] if is_jammed(op) => self.inner_loop(at(*op), *op)?,
                _ => (0..self.renamings.len())
                    .for_each(|i| part.iter().for_each(|&op| self.copy(at(op), op, i))),
            }
        }
        Ok(())
    }

    /// Copies an operation for an iteration; one that does not differ is copied for the first one.
    fn copy(&mut self, b: Builder<'c>, op: Op<'c>, i: usize) {
        if i == 0 || self.ahead.differs(op) {
            clone_op(&b, op, &mut self.renamings[i]);
            return;
        }
        for result in op.result_list() {
            let first = renamed(&self.renamings[0], result);
            self.renamings[i].insert(result.key(), first);
        }
    }

    fn inner_loop(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<()> {
        let malformed = || internal_error(op, "a loop cannot be jammed");
        let body = op.body(0).ok_or_else(malformed)?;
        let operands = op.operand_list();
        let (bounds, inits) = operands.split_first_chunk::<3>().ok_or_else(malformed)?;
        let (arguments, results) = (body.arg_list(), op.result_list());
        let slots = self.slots(&arguments[1..]);
        let of = |emitter: &Self, values: &[Val<'c>]| -> Vec<Val<'c>> {
            slots.iter().map(|&(k, i)| renamed(&emitter.renamings[i], values[k])).collect()
        };
        let bounds = bounds.map(|bound| renamed(&self.renamings[0], bound));
        let new = b.for_loop(bounds, &of(self, inits), |inner, number, carried| {
            for renaming in &mut self.renamings {
                renaming.insert(arguments[0].key(), number);
            }
            self.set(&slots, &arguments[1..], carried);
            self.early(inner, &body.body_ops())?;
            Ok(of(self, &body.ends()))
        })?;
        self.set(&slots, &results, &new.result_list());
        if self.ahead.grows(op) {
            for i in 1..self.renamings.len() {
                self.rest(&b, op, i)?;
            }
        }
        Ok(())
    }

    /// What a jammed loop has left of an iteration that runs further than the first one.
    fn rest(&mut self, b: &Builder<'c>, op: Op<'c>, i: usize) -> Result<()> {
        let malformed = || internal_error(op, "a loop cannot be jammed");
        let body = op.body(0).ok_or_else(malformed)?;
        let (high, step) = op.opnd(1).zip(op.opnd(2)).ok_or_else(malformed)?;
        let (arguments, results) = (body.arg_list(), op.result_list());
        let ends_of = |renaming: &ValueMap<'c>| renamed(renaming, high);
        let bounds = [ends_of(&self.renamings[0]), ends_of(&self.renamings[i]), step];
        let renaming = &mut self.renamings[i];
        let inits: Vec<_> = results.iter().map(|&result| renamed(renaming, result)).collect();
        let new = b.for_loop(bounds, &inits, |inner, number, carried| {
            renaming.insert(arguments[0].key(), number);
            renaming.extend(arguments[1..].iter().map(ValExt::key).zip(carried.iter().copied()));
            for inside in body.body_ops() {
                clone_op(&inner.with_location(inside.location()), inside, renaming);
            }
            Ok(renamed_ends(body, renaming))
        })?;
        self.renamings[i].extend(results.iter().map(ValExt::key).zip(new.result_list()));
        Ok(())
    }

    /// What a jammed loop carries: the position of each value, and the iteration it is for. What does
    /// not differ is there once.
    fn slots(&self, carried: &[Val<'c>]) -> Vec<(usize, usize)> {
        let copies = |value: &Val<'c>| match self.ahead.varies(*value) {
            true => self.renamings.len(),
            false => 1,
        };
        let of = |(k, value)| (0..copies(value)).map(move |i| (k, i));
        carried.iter().enumerate().flat_map(of).collect()
    }

    /// Says what values of the loop are, given one by one for the slots.
    fn set(&mut self, slots: &[(usize, usize)], old: &[Val<'c>], new: &[Val<'c>]) {
        for (&(k, i), &value) in slots.iter().zip(new) {
            // The first one stands for those that have no slots of their own.
            let others = if i == 0 { self.renamings.len() } else { i + 1 };
            for renaming in &mut self.renamings[i..others] {
                renaming.insert(old[k].key(), value);
            }
        }
    }
}
