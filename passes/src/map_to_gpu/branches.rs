//! Maps in the branches of a body that only update what is outside become maps of the body, so that threads share them
//! where it is distributed (map-if interchange):
//!
//! ```text
//! if c then { s = reduce op e xs; map (\j -> acc[i, j] += f s j) (iota m); n[i] += 1 }
//!         ==>
//! s' = if c then { s = reduce op e xs; n[i] += 1; s } else 0
//! map (\j -> if c then acc[i, j] += f s' j) (iota m)
//! ```
//! What is simple in a branch, and what the map reads, is computed again by each iteration, behind the condition: an
//! index may be in range only there. Other numbers come out of the branch, where they are zero in the other one. What else
//! the branch does stays in it; updates may be made in any order.
//!
//! Invariant: how many iterations such a map has is known in front of the outermost map, whatever the conditions are.

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpKey, TyExt, Val, ValExt};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use super::{
    nest::{is_part, is_regular_map, is_simple, width_inside, with_light_maps},
    rows::Elements,
};
use crate::{
    lower::forall_to_gpu::when,
    parallelize::group::Group,
    support::{
        builder::{Builder, same_value},
        diag::Result,
        extent::{Extent, extent_of},
        region::{
            ValueMap, clone_op, copy_ops, erase_dead_ops, is_outside, move_body, reads, renamed,
            replace,
        },
        size::Size,
    },
};

/// At most so many numbers come out of branches for a map: each is stored for each iteration of the map around.
const NUMBERS: usize = 4;

/// Rewrites the branches of the innermost body of a nest of maps; whether there were any to rewrite.
pub fn become_maps<'c>(context: &'c Context, root: Op<'c>, body: Blk<'c>) -> Result<bool> {
    let mut changes = false;
    for mut branch in body.body_ops() {
        let condition = branch.opnd(0).filter(|_| branch.op_name() == "scf.if");
        // Where all iterations take the same branch, it is decided in front of them (`inner`).
        if condition.is_none_or(|condition| is_outside(root, condition)) {
            continue;
        }
        let mut maps = vec![];
        collect(branch, &mut maps);
        let mut has_changed = false;
        for map in maps {
            if let Some(guarded) = Guarded::of(root, branch, map) {
                branch = guarded.rewrite(context, branch)?;
                has_changed = true;
            }
        }
        if has_changed {
            tidy(branch);
        }
        changes |= has_changed;
    }
    Ok(changes)
}

/// The maps in the branches of an operation, also in branches inside of these.
fn collect<'c>(branch: Op<'c>, maps: &mut Vec<Op<'c>>) {
    for op in branch.blocks().into_iter().flat_map(|block| block.body_ops()) {
        match op.op_name() {
            "scf.if" => collect(op, maps),
            "soac.map" => maps.push(op),
            _ => {}
        }
    }
}

/// Erases what nothing needs any more; what all branches hand on does not go through them.
fn tidy(branch: Op<'_>) {
    for result in branch.result_list() {
        let mut ends = branch.blocks().into_iter().map(|block| block.ends()[result.position()]);
        let Some(first) = ends.next().filter(|&end| is_outside(branch, end)) else { continue };
        if ends.all(|end| same_value(end, first)) {
            result.replace_all_uses(first);
        }
    }
    erase_dead_inside(branch);
    if branch.is_dead() {
        branch.erase();
    }
}

fn erase_dead_inside(branch: Op<'_>) {
    for block in branch.blocks() {
        block
            .body_ops()
            .into_iter()
            .filter(|op| op.op_name() == "scf.if")
            .for_each(erase_dead_inside);
        erase_dead_ops(block);
    }
}

/// A map in a branch that can be one of the body, with a guard.
struct Guarded<'c> {
    map: Op<'c>,
    /// The map, with those that compute its inputs for it.
    group: Group<'c>,
    width: Extent<'c>,
    /// Inputs that are as long as the map has iterations, whatever the condition is.
    inputs: Vec<Val<'c>>,
    /// What is copied behind the condition.
    copied: HashSet<OpKey>,
    /// The numbers that come out of branches.
    numbers: Vec<Val<'c>>,
}

impl<'c> Guarded<'c> {
    /// That of a map inside of a branch of the innermost body of a nest of maps.
    fn of(root: Op<'c>, branch: Op<'c>, map: Op<'c>) -> Option<Self> {
        let has_results = map.result_list().iter().any(|result| !result.users().is_empty());
        let group = with_light_maps(map);
        if has_results || !is_part(map) || !is_regular_map(root, map) || group.has_empty() {
            return None;
        }
        let width = width_inside(map)?;
        let mut inputs = map.operand_list();
        inputs.retain(|&input| is_outside(branch, input) && extent_of(input, 0) == width);
        let copied = HashSet::new();
        let mut guarded = Self { map, group, width, inputs, copied, numbers: vec![] };
        guarded.slice(branch).then_some(guarded)
    }

    /// Finds what of the branches the map needs; whether all of it is there for its iterations.
    fn slice(&mut self, branch: Op<'c>) -> bool {
        let ops = self.group.maps.iter().chain([&self.map]);
        let mut wanted: Vec<_> = ops.flat_map(|&op| reads(op)).collect();
        wanted.extend(around(branch, self.map).iter().filter_map(|(inner, _)| inner.opnd(0)));
        while let Some(value) = wanted.pop() {
            if is_outside(branch, value) || self.group.is_inside(value) {
                continue;
            }
            let Some(op) = value.defining_op() else { return false };
            if !is_simple(op) {
                self.numbers.push(value);
            } else if self.copied.insert(op.key()) {
                wanted.extend(reads(op));
            }
        }
        let mut seen = HashSet::new();
        self.numbers.retain(|number| seen.insert(number.key()));
        let is_number = |number: &Val<'c>| {
            number.r#type().is_float_type() || number.r#type().is_int_or_index_type()
        };
        self.numbers.len() <= NUMBERS && self.numbers.iter().all(is_number)
    }

    /// Puts the map behind the outermost branch around it; returns that, which may have more results than before.
    fn rewrite(self, context: &'c Context, branch: Op<'c>) -> Result<Op<'c>> {
        let (mut branch, mut names) = (branch, ValueMap::new());
        let mut positions = vec![];
        for &number in &self.numbers {
            let (around, outside) = brought_out(context, branch, number)?;
            branch = around;
            positions.push(outside.position());
        }
        // Each makes another branch of it, so that what the ones before gave is gone.
        let results = branch.result_list();
        let outside = positions.into_iter().filter_map(|position| results.get(position).copied());
        names.extend(self.numbers.iter().map(ValExt::key).zip(outside));
        let (Some(after), Some(block)) = (branch.next(), branch.block()) else {
            return Ok(branch);
        };
        let b = Builder::before(context, after, block).deriving(self.map);
        let width = Size::of_extent(&b, self.width);
        let numbers = b.iota(width.value(&b), width.in_type());
        let inputs = [&[numbers], &self.inputs[..]].concat();
        let around = around(branch, self.map);
        b.map(&inputs, &[], &[], |b, arguments| {
            self.behind(&b, &around, arguments, &mut names)?;
            Ok(vec![])
        })?;
        self.map.erase();
        Ok(branch)
    }

    /// What an iteration does in a branch, given its number and the elements of the inputs.
    fn behind(
        &self,
        b: &Builder<'c>,
        around: &[(Op<'c>, Blk<'c>)],
        arguments: &[Val<'c>],
        names: &mut ValueMap<'c>,
    ) -> Result<()> {
        let Some((&(branch, block), inner)) = around.split_first() else {
            return self.iteration(b, arguments, names);
        };
        let Some(condition) = branch.opnd(0).map(|condition| renamed(names, condition)) else {
            return Ok(());
        };
        let is_then = branch.body(0) == Some(block);
        let condition = if is_then { condition } else { b.not(condition) };
        when(b, condition, |b| {
            for op in block.body_ops().into_iter().filter(|op| self.copied.contains(&op.key())) {
                clone_op(b, op, names);
            }
            self.behind(b, inner, arguments, names)
        })
    }

    fn iteration(
        &self,
        b: &Builder<'c>,
        arguments: &[Val<'c>],
        names: &mut ValueMap<'c>,
    ) -> Result<()> {
        let (Some((&number, rows)), Some(body)) = (arguments.split_first(), self.map.body(0))
        else {
            return Ok(());
        };
        let own: ValueMap<'c> =
            self.inputs.iter().map(ValExt::key).zip(rows.iter().copied()).collect();
        let mut elements = Elements::renamed(&self.group, number, names);
        let element = |input: Val<'c>| match own.get(&input.key()) {
            Some(&row) => row,
            None => elements.of(b, &[input])[0],
        };
        let elements: Vec<_> = self.map.operand_list().into_iter().map(element).collect();
        names.extend(body.arg_list().iter().map(ValExt::key).zip(elements));
        copy_ops(b, body, names);
        Ok(())
    }
}

/// The branches around an operation, from a given one inwards, with the block of each.
fn around<'c>(outermost: Op<'c>, op: Op<'c>) -> Vec<(Op<'c>, Blk<'c>)> {
    let mut found = vec![];
    let mut at = op;
    while at.key() != outermost.key() {
        let (Some(block), Some(branch)) = (at.block(), at.parent()) else { break };
        found.push((branch, block));
        at = branch;
    }
    found.reverse();
    found
}

/// The number behind the outermost branch around it that it is where it was made, and that branch.
fn brought_out<'c>(
    context: &'c Context,
    outermost: Op<'c>,
    number: Val<'c>,
) -> Result<(Op<'c>, Val<'c>)> {
    let (mut branch, mut value) = (outermost, number);
    let Some(op) = number.defining_op() else { return Ok((branch, value)) };
    for (inner, block) in around(outermost, op).into_iter().rev() {
        let position = block.ends().iter().position(|&end| same_value(end, value));
        if let Some(known) = position.and_then(|position| inner.res(position)) {
            (branch, value) = (inner, known);
            continue;
        }
        let Some(outer) = inner.block() else { break };
        let mut types: Vec<_> = inner.result_list().iter().map(|r| r.r#type()).collect();
        types.push(value.r#type());
        let (condition, is_then) = (inner.operand_list()[0], inner.body(0) == Some(block));
        let b = Builder::before(context, inner, outer).deriving(inner);
        branch = b.if_else(condition, &types, |b, then| {
            let body = inner.body(usize::from(!then));
            let mut ends = body.map(|body| move_body(&b, body, &[])).unwrap_or_default();
            ends.push(if then == is_then { value } else { b.zero_scalar(value.r#type()) });
            Ok(ends)
        })?;
        let results = branch.result_list();
        replace(inner, &results);
        value = results[results.len() - 1];
    }
    Ok((branch, value))
}
