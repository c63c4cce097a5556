//! `lower-sum-order`: sums of columns become sums of rows.
//!
//! ```text
//! map (\j -> reduce op e (map (\i -> f i j)))
//!   =>  reduce (map2 op) (replicate e) (map (\i -> map (\j -> f i j)))
//! ```
//! Each element is combined in the same order as before. It is done where `f` reads
//! arrays along `j`: then the inner loop passes over memory in order, and its
//! iterations do not depend on each other.

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, ValueKey, array_of};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::Builder,
    combinator::input_count,
    diag::Result,
    region::{ValueMap, copy_ops, free_values},
};

/// Runs the pass on a module; returns how many nests were put in another order.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut maps = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "soac.map" {
            maps.push(op);
        }
    });
    let mut changed = 0;
    for map in maps.into_iter().rev() {
        if let Some(columns) = Columns::find(map).filter(Columns::is_better_by_rows) {
            columns.rewrite(context)?;
            changed += 1;
        }
    }
    Ok(changed)
}

/// A map whose body is a reduction of a map.
struct Columns<'c> {
    outer: Op<'c>,
    outer_body: Blk<'c>,
    /// What the body starts with; none of it depends on the iteration.
    before: Vec<Op<'c>>,
    inner: Op<'c>,
    inner_body: Blk<'c>,
    reduce: Op<'c>,
    reduce_body: Blk<'c>,
}

impl<'c> Columns<'c> {
    fn find(outer: Op<'c>) -> Option<Self> {
        if input_count(outer) != outer.operand_count() {
            return None;
        }
        let outer_body = outer.body(0)?;
        let mut before = outer_body.body_ops();
        let (reduce, inner) = (before.pop()?, before.pop()?);
        if reduce.op_name() != "soac.reduce" || inner.op_name() != "soac.map" {
            return None;
        }
        let (inner_body, reduce_body) = (inner.body(0)?, reduce.body(0)?);
        let found = Self { outer, outer_body, before, inner, inner_body, reduce, reduce_body };
        found.matches().then_some(found)
    }

    fn matches(&self) -> bool {
        let keys = |values: &[Val<'c>]| values.iter().map(ValExt::key).collect::<Vec<_>>();
        let (made, operands) = (self.inner.result_list(), self.reduce.operand_list());
        let (read, neutrals) = operands.split_at(input_count(self.reduce).min(operands.len()));
        let yielded = self.outer_body.ends();
        let used_once = made.iter().all(|value| value.users().len() == 1);
        // What the iteration of the outer map decides.
        let varies: HashSet<ValueKey> =
            self.outer_body.arg_list().iter().map(ValExt::key).collect();
        let is_fixed = |values: &[Val<'c>]| values.iter().all(|v| !varies.contains(&v.key()));
        let is_simple = |block: Blk<'c>| {
            block.ops().iter().all(|op| {
                op.blocks().is_empty()
                    && op.result_list().iter().all(|v| v.r#type().as_tensor().is_none())
            })
        };
        let fixed_before = self.before.iter().all(|op| {
            let name = op.op_name();
            is_fixed(&op.operand_list())
                && ["soac.iota", "tensor.dim", "arith.constant"].contains(&name)
        });
        keys(&made) == keys(read)
            && used_once
            && keys(&yielded) == keys(&self.reduce.result_list())
            && fixed_before
            && is_fixed(&self.inner.operand_list())
            && is_fixed(neutrals)
            && is_fixed(&free_values(&[self.reduce_body]))
            && input_count(self.inner) == self.inner.operand_count()
            && is_simple(self.inner_body)
            && is_simple(self.reduce_body)
    }

    /// Whether the reads pass over memory in order along the outer map, and not along
    /// the inner one.
    fn is_better_by_rows(&self) -> bool {
        let (mut along_outer, mut along_inner) = (0, 0);
        for read in self.inner_body.body_ops() {
            if read.op_name() != "tensor.extract" {
                continue;
            }
            let operands = read.operand_list();
            let Some((&array, indices)) = operands.split_first() else { continue };
            let mut steps = vec![];
            // A row of an input has the iteration as its first index.
            steps.extend(array.owner_block().and_then(|block| self.step_of(block)));
            for index in indices {
                let step = match (index.owner_block(), index.defining_op()) {
                    (Some(block), _) => self.step_of(block).unwrap_or(Step::None),
                    (None, Some(op)) if op.block() == Some(self.inner_body) => Step::Irregular,
                    _ => Step::None,
                };
                steps.push(step);
            }
            match steps.pop() {
                Some(Step::Outer) => along_outer += usize::from(steps.contains(&Step::Inner)),
                Some(Step::Inner) => along_inner += usize::from(steps.contains(&Step::Outer)),
                Some(Step::None) => {
                    along_outer += usize::from(steps == [Step::Inner]);
                    along_inner += usize::from(steps.contains(&Step::Outer));
                }
                _ => return false,
            }
        }
        along_outer > 0 && along_inner == 0
    }

    fn step_of(&self, block: Blk<'c>) -> Option<Step> {
        if block == self.inner_body {
            Some(Step::Inner)
        } else if block == self.outer_body {
            Some(Step::Outer)
        } else {
            None
        }
    }

    fn rewrite(&self, context: &'c Context) -> Result<()> {
        let Some(block) = self.outer.block() else { return Ok(()) };
        let b = Builder::before(context, self.outer, block);
        for op in &self.before {
            op.detach();
            b.insert(*op);
        }
        let operands = self.reduce.operand_list();
        let neutrals = operands.get(input_count(self.reduce)..).unwrap_or_default();
        let outer_inputs = self.outer.operand_list();
        let columns = static_size(&outer_inputs);
        let rows = static_size(&self.inner.operand_list());
        let row_types: Vec<_> =
            neutrals.iter().map(|value| array_of(columns, value.r#type())).collect();
        let starts: Vec<_> = neutrals
            .iter()
            .zip(&row_types)
            .map(|(&value, &row)| {
                let size = (columns == DYNAMIC).then(|| width(&b, &outer_inputs));
                b.fill(value, b.empty(row, size.as_slice()))
            })
            .collect();
        let types: Vec<_> = row_types.iter().map(|&row| array_of(rows, row)).collect();
        let made = b.map(&self.inner.operand_list(), &[], &types, |b, inner_arguments| {
            b.map(&outer_inputs, &[], &row_types, |b, outer_arguments| {
                let old = [self.inner_body.arg_list(), self.outer_body.arg_list()].concat();
                let new = [inner_arguments, outer_arguments].concat();
                Ok(copy_body(&b, self.inner_body, &old, &new))
            })
        })?;
        let results = b.reduce(&made, &starts, |b, pairs| {
            b.map(pairs, &[], &row_types, |b, arguments| {
                Ok(copy_body(&b, self.reduce_body, &self.reduce_body.arg_list(), arguments))
            })
        })?;
        for (old, new) in self.outer.result_list().into_iter().zip(results) {
            let wanted = old.r#type();
            old.replace_all_uses(b.cast(new, wanted));
        }
        self.outer.erase();
        Ok(())
    }
}

/// What an index of a read follows.
#[derive(Clone, Copy, PartialEq)]
enum Step {
    None,
    Outer,
    Inner,
    Irregular,
}

/// Copies the operations of a block with its arguments renamed; returns what it yields.
fn copy_body<'c>(
    b: &Builder<'c>,
    body: Blk<'c>,
    arguments: &[Val<'c>],
    values: &[Val<'c>],
) -> Vec<Val<'c>> {
    let pairs = arguments.iter().zip(values);
    let mut map: ValueMap<'c> = pairs.map(|(old, new)| (old.key(), *new)).collect();
    copy_ops(b, body, &mut map)
}

fn static_size(inputs: &[Val<'_>]) -> i64 {
    let sizes = inputs.iter().filter_map(|input| input.r#type().shape().first().copied());
    sizes.max().unwrap_or(DYNAMIC)
}

/// The outer size of the inputs, preferably of one that is not stored.
fn width<'c>(b: &Builder<'c>, inputs: &[Val<'c>]) -> Val<'c> {
    let iota = inputs.iter().filter_map(ValExt::defining_op);
    let size = iota.filter(|op| op.op_name() == "soac.iota").find_map(|op| op.opnd(0));
    match (size, inputs.first()) {
        (Some(size), _) => size,
        (None, Some(&input)) => b.dim(input, 0),
        (None, None) => b.index(0),
    }
}
