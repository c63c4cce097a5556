//! Nests of maps whose bodies have reductions or a scan of numbers, with a block for each iteration.
//!
//! A map whose results are stored is made by the threads of the reduction that reads it, each of its elements by the one
//! that combines it:
//!
//! ```text
//! ys, s = map f xs, reduce op e (map g ys)  ==>  forall thread t < BLOCK:
//!                                                    s = reduce op e of every BLOCKth element of map g ys,
//!                                                    where y = f x is made once, and put into ys
//! ```

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt};

use super::{
    Mapped, kernels,
    nest::{Nest, forall_nest, is_light, is_scalar_reduce, slot, with_light_maps, with_maps_and},
    reduce,
    scan::{self, is_scalar_scan},
};
use crate::{
    parallelize::{group::Group, rows::empty_rows},
    support::{
        builder::Builder,
        diag::Result,
        region::{ValueMap, clone_op, renamed},
    },
};

/// Makes a kernel of a nest.
pub fn rows<'c>(b: &Builder<'c>, group: Group<'c>) -> Mapped<'c> {
    let Some(nest) = Nest::of(group) else { return Ok(None) };
    let results = nest.root().result_list();
    let shared = empty_rows(b, &nest.levels[0].group, &results);
    let Some((shared, body)) = shared.zip(nest.body()) else { return Ok(None) };
    let (ends, widths) = (nest.ends(), nest.widths(b));
    let made = forall_nest(b, &widths, &shared, kernels(b, widths.len()), |b, indices, outs| {
        let mut names = ValueMap::new();
        nest.enter(b, indices, &mut names);
        let mut block = Block { ends: &ends, outs, indices, rows: vec![None; ends.len()] };
        let mut map = None;
        for op in body.body_ops() {
            let copy = clone_op(b, op, &mut names);
            let inner = Builder::before(b.context(), copy, b.block());
            if is_scalar_reduce(op) {
                let sums = block.reduce(&inner, copy, map)?;
                names.extend(op.result_list().iter().map(ValExt::key).zip(sums));
                copy.erase();
            } else if is_scalar_scan(op) {
                block.scan(&inner, op, copy)?;
                copy.erase();
            } else if op.op_name() == "soac.map" && !is_light(op) {
                map = Some(Stored { op, copy });
            }
        }
        let ends = ends.iter().zip(block.rows);
        Ok(ends.map(|(&end, row)| row.unwrap_or_else(|| renamed(&names, end))).collect())
    })?;
    Ok(Some(made))
}

/// A map in a body whose results are stored, and its copy in the kernel.
#[derive(Clone, Copy)]
struct Stored<'c> {
    op: Op<'c>,
    copy: Op<'c>,
}

/// What a block does in an iteration.
struct Block<'a, 'c> {
    /// What the body ends with, and the shared arrays that get rows of that.
    ends: &'a [Val<'c>],
    outs: &'a [Val<'c>],
    /// The numbers of the iteration.
    indices: &'a [Val<'c>],
    /// The rows that threads have filled.
    rows: Vec<Option<Val<'c>>>,
}

impl<'c> Block<'_, 'c> {
    /// The ends that an operation makes, by their numbers, and where they go.
    fn slots(&self, b: &Builder<'c>, op: Op<'c>) -> Vec<(usize, Val<'c>)> {
        let is_own = |end: Val<'c>| end.defining_op().is_some_and(|made| made.key() == op.key());
        let own = (0..self.ends.len()).filter(|&k| is_own(self.ends[k]));
        own.map(|k| (k, slot(b, self.outs[k], self.indices))).collect()
    }

    fn fill(&mut self, slots: &[(usize, Val<'c>)], rows: Vec<Val<'c>>) {
        slots.iter().zip(rows).for_each(|(&(k, _), row)| self.rows[k] = Some(row));
    }

    /// What a reduction makes, with the map whose results it reads.
    fn reduce(
        &mut self,
        b: &Builder<'c>,
        copy: Op<'c>,
        map: Option<Stored<'c>>,
    ) -> Result<Vec<Val<'c>>> {
        let group = with_maps_and(copy, map.map(|map| map.copy));
        let is_read = |map: &Stored<'c>| group.maps.iter().any(|op| op.key() == map.copy.key());
        let Some(map) = map.filter(is_read) else { return Ok(reduce::by_block(b, &group, &[])?.0) };
        let slots = self.slots(b, map.op);
        let made = map.copy.result_list();
        let stored = slots.iter().map(|&(k, slot)| (made[self.ends[k].position()], slot));
        let (sums, rows) = reduce::by_block(b, &group, &stored.collect::<Vec<_>>())?;
        self.fill(&slots, rows);
        Ok(sums)
    }

    fn scan(&mut self, b: &Builder<'c>, op: Op<'c>, copy: Op<'c>) -> Result<()> {
        let slots = self.slots(b, op);
        let rows = slots.iter().map(|&(k, slot)| (self.ends[k].position(), slot));
        let rows = scan::by_block(b, &with_light_maps(copy), &rows.collect::<Vec<_>>())?;
        self.fill(&slots, rows);
        Ok(())
    }
}
