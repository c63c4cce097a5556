//! Nests that are not perfect, as a loop for each of their parts:
//!
//! ```text
//! for i { c[i] = 0;  for k { c[i] += a[i, k] } }   ==>   for i { c[i] = 0 };  for i { for k { c[i] += a[i, k] } }
//! ```
//! What has no effects is computed by each part that needs it; what the loop that a part is needs in front of it goes into it.

use std::collections::HashSet;

use ad_dialect::{
    capi::memory_effects,
    ir::{BlkExt, Op, OpExt, OpKey, ValExt, ValueKey},
};
use melior::{Context, ir::operation::OperationLike};

use super::{Nest, Spot, counted};
use crate::support::{
    builder::{Builder, same_value},
    memory::effects_inside,
    place::Sum,
    region::{all_inside, move_before, reads, values_inside},
    roots::are_apart,
};

/// The nests that become maps in place of a loop: its own, or those of others in front of it; none if it stays.
pub fn parts<'c>(context: &'c Context, op: Op<'c>) -> Option<Vec<Nest<'c>>> {
    if let Some(nest) = Nest::of(context, op) {
        return Some(vec![nest]);
    }
    let b = Builder::before(context, op, op.block()?);
    let loops = Nest::of_loops(&b, op)?.split(&b)?;
    let mut all: Vec<Nest<'c>> = vec![];
    let mut fits = true;
    for part in loops {
        let own = if fits { parts(context, part) } else { None };
        fits = own.is_some();
        if own.as_ref().is_none_or(|own| own[0].op.key() != part.key()) {
            part.erase();
        }
        all.extend(own.into_iter().flatten());
    }
    if !fits {
        all.iter().for_each(|nest| nest.op.erase());
    }
    fits.then_some(all)
}

/// Where something in the body of a nest reads or writes.
struct Access<'c> {
    spot: Spot<'c>,
    writes: bool,
    /// The number of the operation of the body that it is, or is in.
    place: usize,
}

impl<'c> Nest<'c> {
    /// Loops with a part of the body each, in front of the nest, if all iterations of one part may come before those of the next.
    fn split(&self, b: &Builder<'c>) -> Option<Vec<Op<'c>>> {
        let ops = self.body.body_ops();
        let groups = groups(&ops)?;
        match &groups[..] {
            [] => return None,
            [only] if ops.len() < 2 || counted(only[0], self.op).is_none() => return None,
            _ => {}
        }
        let needs: Vec<_> = groups.iter().map(|group| needed(&ops, group)).collect();
        let inside = values_inside(self.op);
        let accesses = |needed: &HashSet<OpKey>| {
            let own = ops.iter().enumerate().filter(|(_, op)| needed.contains(&op.key()));
            let own = own.map(|(place, &op)| self.accesses(op, place, &inside));
            own.collect::<Option<Vec<_>>>().map(|all| all.into_iter().flatten().collect())
        };
        let accesses: Vec<Vec<Access<'c>>> = needs.iter().map(accesses).collect::<Option<_>>()?;
        let fits = |(first, next): (&Access<'c>, &Access<'c>)| {
            !first.writes && !next.writes
                || are_apart(first.spot.buffer, next.spot.buffer)
                || first.place < next.place
                    && (!self.in_order || self.are_apart_in(&first.spot, &next.spot, &inside))
        };
        let may_follow = |h: usize| {
            let before = accesses[..h].iter().flatten();
            let mut pairs = before.flat_map(|x| accesses[h].iter().map(move |y| (x, y)));
            pairs.all(fits)
        };
        (1..needs.len()).all(may_follow).then_some(())?;
        needs.iter().map(|needed| self.part(b, &ops, needed)).collect()
    }

    /// Whether two places of one buffer are never the same one in different iterations: for each loop they have the same index
    /// along a dimension, by its number and nothing else inside.
    fn are_apart_in(&self, one: &Spot<'c>, other: &Spot<'c>, inside: &HashSet<ValueKey>) -> bool {
        same_value(one.buffer, other.buffer)
            && self.ivs.iter().all(|iv| {
                let mut indices = one.indices.iter().zip(&other.indices);
                indices.any(|(&a, &b)| {
                    let sum = Sum::of(a);
                    let is_fixed = |key: ValueKey| key == iv.key() || !inside.contains(&key);
                    sum.times(iv.key()) != 0 && sum.values().all(is_fixed) && sum == Sum::of(b)
                })
            })
    }

    /// What an operation of the body reads and writes; none if that is something else than elements of buffers.
    fn accesses(
        &self,
        op: Op<'c>,
        place: usize,
        inside: &HashSet<ValueKey>,
    ) -> Option<Vec<Access<'c>>> {
        let mut found = vec![];
        for op in all_inside(op).into_iter().chain([op]) {
            let (before, writes) = match op.op_name() {
                "memref.load" => (0, false),
                "memref.store" | "memref.atomic_rmw" => (1, true),
                _ if !op.blocks().is_empty() => continue,
                _ => {
                    let effects = memory_effects(op);
                    if effects.reads || effects.writes {
                        return None;
                    }
                    continue;
                }
            };
            found.push(Access { spot: self.spot(op, before, inside)?, writes, place });
        }
        Some(found)
    }

    /// The nest with some operations of the body, in front of it.
    fn part(&self, b: &Builder<'c>, ops: &[Op<'c>], needed: &HashSet<OpKey>) -> Option<Op<'c>> {
        let copy = self.op.clone_detached();
        b.insert(copy);
        let body = Self::of_loops(b, copy)?.body.body_ops();
        for (own, op) in ops.iter().zip(body).rev() {
            if !needed.contains(&own.key()) {
                op.erase();
            }
        }
        let body = Self::of_loops(b, copy)?.body.body_ops();
        if let Some((&inner, before)) = body.split_last()
            && counted(inner, copy).is_some()
            && let Some(block) = inner.body(0)
            && let Some(&first) = block.ops().first()
        {
            before.iter().for_each(|op| move_before(b.context(), block, *op, first));
        }
        Some(copy)
    }
}

/// The operations of a body that write, each loop by itself; none if one gives something, too.
fn groups<'c>(ops: &[Op<'c>]) -> Option<Vec<Vec<Op<'c>>>> {
    let mut groups: Vec<Vec<Op<'c>>> = vec![];
    let mut is_open = false;
    for &op in ops {
        if !effects_inside(op).writes {
            continue;
        }
        let is_loop = !op.blocks().is_empty();
        if is_loop && op.result_count() > 0 {
            return None;
        }
        match groups.last_mut().filter(|_| is_open && !is_loop) {
            Some(group) => group.push(op),
            None => groups.push(vec![op]),
        }
        is_open = !is_loop;
    }
    Some(groups)
}

/// The operations of a body that some of them need, these included.
fn needed<'c>(ops: &[Op<'c>], group: &[Op<'c>]) -> HashSet<OpKey> {
    let mut found: HashSet<_> = group.iter().map(OpExt::key).collect();
    let mut values = HashSet::new();
    for &op in ops.iter().rev() {
        let gives = op.result_list().iter().any(|result| values.contains(&result.key()));
        if gives || found.contains(&op.key()) {
            found.insert(op.key());
            let read = reads(op);
            values.extend(read.iter().map(ValExt::key));
        }
    }
    found
}
