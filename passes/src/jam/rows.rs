//! Two rows at once: loops over vectors that add to rows of their own, and read the same.
//!
//! ```text
//! for i                                    for i step 2
//!   for j < n(i)                             for j < min(n(i), n(i + 1))
//!     s[i, j] += f(v[i], v[j])        ==>      s[i, j] += f(v[i], v[j])
//!                                              s[i + 1, j] += f(v[i + 1], v[j])
//!                                            for j = the rest of row i;  for j = the rest of row i + 1
//! ```
//! Where `v[j]` fills several registers, a processor computes with it as fast as it is read, and no faster: from a cache
//! that is not the first one if there are many. Two rows read it once.
//!
//! Nothing is computed in another order but what is at different places: all that the loop writes is in row `i`, and it
//! reads nothing else of the arrays that it writes.

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::{
    support::{
        builder::{Builder, same_value},
        combinator::constant_index,
        diag::{Result, internal_error},
        region::{ValueMap, clone_op, is_outside, renamed},
        rest::{end_of_several, is_rest},
        roots::{Root, allocations},
    },
    vectorize::cost,
};

/// Iterations that run at once: two, since the vectors of more do not fit in registers.
const ROWS: usize = 2;

/// What part of the operations on vectors of their width the reads must be that rows have in common.
const SHARED: f64 = 0.25;

/// A loop of which the iterations work on rows of their own.
struct Rows<'c> {
    root: Op<'c>,
    body: Blk<'c>,
    /// What differs between the iterations.
    varying: HashSet<ValueKey>,
}

/// Runs on a module; returns how many loops take two iterations at once.
pub fn jam<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut loops = vec![];
    module.for_each(&mut |op| loops.extend(Rows::of(op)));
    loops.iter().try_for_each(|rows| rows.unroll(context))?;
    Ok(loops.len() as u64)
}

impl<'c> Rows<'c> {
    fn of(root: Op<'c>) -> Option<Self> {
        let steps_by_one = root.opnd(2).and_then(constant_index) == Some(1);
        let is_plain = root.op_name() == "scf.for" && root.result_count() == 0 && !is_rest(root);
        let body = root.body(0).filter(|_| is_plain && steps_by_one)?;
        let number = *body.arg_list().first()?;
        let mut rows = Self { root, body, varying: HashSet::from([number.key()]) };
        rows.find_varying(body);
        let pays = |op| rows.can_be_jammed(op) && rows.shares_reads(op);
        let pays = body.body_ops().into_iter().any(pays);
        (pays && rows.are_independent(number)).then_some(rows)
    }

    fn find_varying(&mut self, block: Blk<'c>) {
        for op in block.body_ops() {
            if self.differs(op) || !op.blocks().is_empty() {
                self.varying.extend(op.result_list().iter().map(ValExt::key));
            }
            op.blocks().into_iter().for_each(|inner| self.find_varying(inner));
        }
    }

    fn varies(&self, value: Val<'c>) -> bool {
        self.varying.contains(&value.key())
    }

    fn differs(&self, op: Op<'c>) -> bool {
        op.operand_list().into_iter().any(|value| self.varies(value))
    }

    /// Whether an inner loop computes with vectors of several registers that all rows read.
    fn shares_reads(&self, op: Op<'c>) -> bool {
        let ops = op.body(0).map(|body| body.body_ops()).unwrap_or_default();
        let is_shared = |op: &&Op<'c>| {
            let is_vector = op.res(0).is_some_and(|value| value.r#type().is_vector_type());
            op.op_name() == "memref.load" && is_vector && !self.differs(**op)
        };
        let shared: Vec<_> = ops.iter().filter(is_shared).collect();
        let result = |op: &Op<'c>| op.res(0).map(|value| value.r#type());
        let wide = ops.iter().filter(|op| shared.first().is_some_and(|s| result(s) == result(op)));
        let (shared, all) = (shared.len(), wide.count());
        cost::trips(op).is_none() && shared as f64 > SHARED * all as f64
    }

    /// Whether all that is written is in the row of the iteration, and nothing else of these arrays is accessed.
    fn are_independent(&self, number: Val<'c>) -> bool {
        let (mut written, mut accesses, mut is_known) = (HashSet::new(), vec![], true);
        self.body.body_ops().into_iter().for_each(|op| {
            op.for_each(&mut |op| match op.op_name() {
                "memref.store" | "vector.store" => {
                    written.extend(op.opnd(1).into_iter().flat_map(allocations));
                    accesses.push((op, 1));
                }
                "memref.load" | "vector.load" => accesses.push((op, 0)),
                "scf.for" | "scf.yield" => {}
                name => {
                    is_known &= ["arith.", "vector."].iter().any(|known| name.starts_with(known))
                        && op.blocks().is_empty();
                }
            });
        });
        let is_own = |&(op, position): &(Op<'c>, usize)| {
            let (Some(array), row) = (op.opnd(position), op.opnd(position + 1)) else {
                return false;
            };
            let roots = allocations(array);
            let is_other = !roots.contains(&Root::Unknown) && roots.is_disjoint(&written);
            let is_whole = array.defining_op().is_some_and(|op| op.op_name() == "memref.alloc");
            let is_here = row.is_some_and(|row| same_value(row, number));
            is_other || is_whole && is_here && is_outside(self.root, array)
        };
        is_known && !written.contains(&Root::Unknown) && accesses.iter().all(is_own)
    }

    /// Whether an inner loop is known to start at the same place for all rows, and to end after a whole number of steps.
    fn can_be_jammed(&self, op: Op<'c>) -> bool {
        let [low, high, step] = op.operand_list()[..] else { return false };
        let Some(steps) = constant_index(step) else { return false };
        let is_whole = steps == 1 || {
            let left = high.defining_op().filter(|op| op.op_name() == "arith.subi");
            let left = left.and_then(|op| op.opnd(1)?.defining_op());
            let by = left.filter(|op| op.op_name() == "arith.remsi").and_then(|op| op.opnd(1));
            by.and_then(constant_index) == Some(steps)
        };
        let ops = op.body(0).map(|body| body.body_ops()).unwrap_or_default();
        let is_flat = ops.iter().all(|inner| inner.blocks().is_empty());
        op.op_name() == "scf.for"
            && op.result_count() == 0
            && is_flat
            && is_whole
            && !self.varies(low)
    }

    fn unroll(&self, context: &'c Context) -> Result<()> {
        let malformed = || internal_error(self.root, "rows cannot be taken together");
        let b = Builder::before(context, self.root, self.root.block().ok_or_else(malformed)?);
        let [low, high, _] = self.root.operand_list()[..] else { return Err(malformed()) };
        let step = b.index(ROWS as i64);
        let (end, _) = end_of_several(&b, low, high, step);
        let number = *self.body.arg_list().first().ok_or_else(malformed)?;
        b.for_loop([low, end, step], &[], |b, first, _| {
            let number_of = |i| if i == 0 { first } else { b.add(first, b.index(i as i64)) };
            let mut renamings: Vec<_> =
                (0..ROWS).map(|i| ValueMap::from([(number.key(), number_of(i))])).collect();
            for op in self.body.body_ops() {
                match self.can_be_jammed(op) {
                    true => self.inner_loop(b, op, &mut renamings)?,
                    false => self.copy(b, op, &mut renamings),
                }
            }
            Ok(vec![])
        })?;
        self.root.set_operand(0, end);
        Ok(())
    }

    /// Copies an operation for each row, or once if it is the same.
    fn copy(&self, b: Builder<'c>, op: Op<'c>, renamings: &mut [ValueMap<'c>]) {
        let b = b.with_location(op.location());
        if self.differs(op) || !op.blocks().is_empty() {
            for renaming in renamings {
                clone_op(&b, op, renaming);
            }
            return;
        }
        let Some((first, others)) = renamings.split_first_mut() else { return };
        clone_op(&b, op, first);
        for result in op.result_list() {
            let copy = renamed(first, result);
            others.iter_mut().for_each(|other| other.extend([(result.key(), copy)]));
        }
    }

    /// An inner loop for all rows as far as all go, and for each what it has left.
    fn inner_loop(&self, b: Builder<'c>, op: Op<'c>, renamings: &mut [ValueMap<'c>]) -> Result<()> {
        let malformed = || internal_error(op, "a loop cannot be jammed");
        let [low, high, step] = op.operand_list()[..] else { return Err(malformed()) };
        let body = op.body(0).ok_or_else(malformed)?;
        let number = *body.arg_list().first().ok_or_else(malformed)?;
        let [low, step] = [low, step].map(|bound| renamed(&renamings[0], bound));
        let ends: Vec<_> = renamings.iter().map(|renaming| renamed(renaming, high)).collect();
        let all = ends
            .iter()
            .copied()
            .reduce(|x, y| if same_value(x, y) { x } else { b.same("arith.minsi", &[x, y]) });
        let all = all.ok_or_else(malformed)?;
        b.for_loop([low, all, step], &[], |b, at, _| {
            renamings.iter_mut().for_each(|renaming| renaming.extend([(number.key(), at)]));
            body.body_ops().into_iter().for_each(|op| self.copy(b, op, renamings));
            Ok(vec![])
        })?;
        if !self.varies(high) {
            return Ok(());
        }
        for (renaming, end) in renamings.iter_mut().zip(ends) {
            b.for_loop([all, end, step], &[], |b, at, _| {
                renaming.insert(number.key(), at);
                for inner in body.body_ops() {
                    clone_op(&b.with_location(inner.location()), inner, renaming);
                }
                Ok(vec![])
            })?;
        }
        Ok(())
    }
}
