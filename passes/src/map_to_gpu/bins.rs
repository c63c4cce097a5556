//! Histograms with bins in shared memory.
//!
//! Neighbouring threads often update the same bin, which the memory of a device does one after the other. So each block
//! has bins of its own in shared memory, and updates those of the device once for each bin that is not neutral. Where
//! there are more bins than fit, several groups of blocks go through the values, each for a part of the bins:
//!
//! ```text
//! forall block:  own = neutral ...
//!                forall thread: every so manieth value whose place is in the block's part: own[place - first] op= value
//!                forall thread: own[k] is not neutral => bins[first + k] op= own[k]
//! ```
//!
//! With few values, or more parts than `PARTS`, each thread updates the bins of the device.
//!
//! Memory multiplies by trying until nobody came in between, so that many blocks with a factor for one bin wait for each
//! other. The products of blocks are rows of an array instead, and a few threads for each bin go through its column.

use ad_dialect::ir::{BlkExt, DYNAMIC, OpExt, TyExt, Val, array_of, tensor_type};
use melior::ir::ValueLike;

use super::{
    BLOCK,
    atomic::{as_stored, empty_buffer, plain_contents, stored_as, update, update_by},
    one_kernel,
    reduce::{AHEAD, is_short},
    rows::Elements,
    shared::{BYTES, shared_array},
};
use crate::{
    lower::forall_to_gpu::{of_threads, when},
    parallelize::{group::Group, rows::width_of},
    support::{
        atomic::{Kind, MULTIPLY_FLOAT, MULTIPLY_INTEGER},
        builder::{Builder, CMP_SLE, CMP_ULT},
        chunk::forall_on,
        combinator::cannot_fail,
        diag::Result,
        memory::bytes_of,
        region::copy_block,
        size::Size,
        update::Update,
    },
};

/// Into how many parts the bins are split at most: each of them reads all places.
const PARTS: i64 = 4;
/// The most blocks for a part.
const BLOCKS: i64 = 512;
/// How many rows a thread goes through at least where they are shared out, and how many threads share a column at most: each
/// of them updates the bin of the device.
const ROWS: i64 = 32;
const SHARES: i64 = 8;
/// How many values a thread has at least.
const PER_THREAD: i64 = 8;

/// A histogram over arrays of scalars whose operators memory has.
pub struct Bins<'a, 'c> {
    pub group: &'a Group<'c>,
    pub its: &'a Update<'c>,
    pub kinds: &'a [Kind],
    /// The bins in the memory of the device.
    pub buffers: &'a [Val<'c>],
}

impl<'c> Bins<'_, 'c> {
    /// Makes the histogram; `directly` makes the kernel that needs no shared memory.
    pub fn make(
        &self,
        b: &Builder<'c>,
        mut directly: impl FnMut(&Builder<'c>) -> Result<()>,
    ) -> Result<()> {
        let dests = &self.its.dests;
        let stored = |dest: &Val<'c>| stored_as(b, dest.r#type().scalar());
        let bytes: Option<i64> = dests.iter().map(|dest| bytes_of(stored(dest)?)).sum();
        let is_vector = |dest: &Val<'c>| {
            let scalar = dest.r#type().scalar();
            let is_short = stored(dest) != Some(scalar);
            dest.r#type().shape().len() == 1
                && !scalar.is_complex_type()
                && !(is_short && self.has_rows())
        };
        let Some(bytes) = bytes.filter(|_| dests.iter().all(is_vector)) else {
            return directly(b);
        };
        let room = BYTES / bytes / BLOCK * BLOCK;
        if room == 0 {
            return directly(b);
        }
        // Places that a map makes are not computed several times.
        let is_made = self.its.at.iter().any(|&at| self.group.is_inside(at));
        let parts = if is_made { 1 } else { PARTS };
        let (bins, width) = (b.dim(dests[0], 0), width_of(b, self.group).value(b));
        let most = b.compare(CMP_SLE, bins, b.index(room * parts));
        let is_worth_it = b.compare(CMP_SLE, b.index(BLOCK * PER_THREAD), width);
        let is_dense = b.compare(CMP_SLE, bins, width);
        let both = b.same("arith.andi", &[most, is_worth_it]);
        b.if_else(b.same("arith.andi", &[both, is_dense]), &[], |b, is_shared| {
            if is_shared {
                self.shared(&b, room)?
            } else {
                directly(&b)?
            }
            Ok(vec![])
        })?;
        Ok(())
    }

    /// Blocks that have `room` bins each.
    fn shared(&self, b: &Builder<'c>, room: i64) -> Result<()> {
        let (bins, width) = (b.dim(self.its.dests[0], 0), width_of(b, self.group).value(b));
        let parts = b.same("arith.ceildivsi", &[bins, b.index(room)]);
        // A block has more values than bins, of which each costs an update, too.
        let values = b.same("arith.maxsi", &[bins, b.index(BLOCK * PER_THREAD)]);
        let wanted = b.same("arith.ceildivsi", &[width, values]);
        let has_rows = self.has_rows();
        let blocks = b.same("arith.minsi", &[wanted, b.index(BLOCKS)]);
        let count = b.mul(parts, blocks);
        let rows = if has_rows { self.rows(b, count, room) } else { vec![] };
        forall_on(b, Size::Value(count), &[], one_kernel(b), |b, number, _| {
            let first = b.mul(b.same("arith.divui", &[number, blocks]), b.index(room));
            let block = b.same("arith.remui", &[number, blocks]);
            let left = b.sub(bins, first);
            let own = self.own(b, room);
            self.fill(b, &own, room)?;
            self.count(b, &own, [first, left, b.index(room)], [block, blocks, width])?;
            let used = b.same("arith.minsi", &[left, b.index(room)]);
            match has_rows {
                true => self.keep(b, &own, &rows, [number, used])?,
                false => self.hand_over(b, &own, first, used)?,
            }
            Ok(vec![])
        })?;
        if has_rows {
            self.combine(b, &rows, [bins, blocks], room)?;
        }
        Ok(())
    }

    /// Whether the bins of blocks become rows.
    fn has_rows(&self) -> bool {
        self.kinds.iter().any(|kind| matches!(*kind, MULTIPLY_FLOAT | MULTIPLY_INTEGER))
    }

    /// The neutral elements as they lie in bins.
    fn neutrals(&self, b: &Builder<'c>) -> Vec<Val<'c>> {
        self.its.neutrals.iter().filter_map(|&neutral| as_stored(b, neutral)).collect()
    }

    /// Buffers with a row of bins for each block.
    fn rows(&self, b: &Builder<'c>, count: Val<'c>, room: i64) -> Vec<Val<'c>> {
        let types = self.its.neutrals.iter().map(|x| tensor_type(&[DYNAMIC, room], x.r#type()));
        types.filter_map(|r#type| empty_buffer(b, r#type, &[count])).collect()
    }

    /// Writes the bins of a block to its rows.
    fn keep(
        &self,
        b: &Builder<'c>,
        own: &[Val<'c>],
        rows: &[Val<'c>],
        [number, used]: [Val<'c>; 2],
    ) -> Result<()> {
        forall_on(b, Size::Value(used), &[], of_threads(b), |b, k, _| {
            for ((&bins, &row), neutral) in own.iter().zip(rows).zip(&self.its.neutrals) {
                let value = b.val("memref.load", &[bins, k], neutral.r#type());
                b.op("memref.store", &[value, row, number, k], &[]);
            }
            Ok(vec![])
        })?;
        Ok(())
    }

    /// Updates the bins of the device by the rows of all blocks that have these bins. Each of the threads that share a column
    /// goes through every so manieth row.
    fn combine(
        &self,
        b: &Builder<'c>,
        rows: &[Val<'c>],
        [bins, blocks]: [Val<'c>; 2],
        room: i64,
    ) -> Result<()> {
        let neutrals = &self.its.neutrals;
        let all: Vec<_> = rows
            .iter()
            .zip(neutrals)
            .map(|(&row, x)| plain_contents(b, row, tensor_type(&[DYNAMIC, room], x.r#type())))
            .collect();
        let types: Vec<_> = neutrals.iter().map(|x| array_of(DYNAMIC, x.r#type())).collect();
        let shares = b.same("arith.divui", &[blocks, b.index(ROWS)]);
        let shares = b.same("arith.minsi", &[shares, b.index(SHARES)]);
        let shares = b.same("arith.maxsi", &[shares, b.index(1)]);
        b.map(&[b.iota(b.mul(bins, shares), DYNAMIC)], &[], &[], |b, number| {
            let [share, k] = b.divide(number[0], bins);
            let [part, column] = b.divide(k, b.index(room));
            let first = b.add(b.mul(part, blocks), share);
            let own = b.same("arith.ceildivsi", &[b.sub(blocks, share), shares]);
            let columns = b.map(&[b.iota(own, DYNAMIC)], &[], &types, |b, number| {
                let row = b.add(first, b.mul(number[0], shares));
                Ok(all.iter().map(|&rows| b.extract(rows, &[row, column])).collect())
            })?;
            let products = b.reduce(&columns, neutrals, |b, both| {
                Ok(self.group.op.body(0).map(|body| copy_block(&b, body, both)).unwrap_or_default())
            })?;
            let each = self.kinds.iter().zip(self.buffers).zip(products);
            each.into_iter()
                .try_for_each(|((&kind, &buffer), value)| update(&b, kind, buffer, &[k], value))?;
            Ok(vec![])
        })?;
        Ok(())
    }

    /// The bins of a block.
    fn own(&self, b: &Builder<'c>, room: i64) -> Vec<Val<'c>> {
        let scalars = self.its.dests.iter().map(|dest| stored_as(b, dest.r#type().scalar()));
        scalars.flatten().filter_map(|scalar| shared_array(b, room, scalar)).collect()
    }

    fn fill(&self, b: &Builder<'c>, own: &[Val<'c>], room: i64) -> Result<()> {
        forall_on(b, Size::Known(room), &[], of_threads(b), |b, k, _| {
            for (&bins, neutral) in own.iter().zip(self.neutrals(b)) {
                b.op("memref.store", &[neutral, bins, k], &[]);
            }
            Ok(vec![])
        })?;
        Ok(())
    }

    /// Updates the block's bins by its values.
    fn count(
        &self,
        b: &Builder<'c>,
        own: &[Val<'c>],
        [first, left, room]: [Val<'c>; 3],
        [block, blocks, width]: [Val<'c>; 3],
    ) -> Result<()> {
        let threads = b.mul(blocks, b.index(BLOCK));
        let element = |i| Elements::new(self.group, i);
        let place = |b: &Builder<'c>, i| {
            let at = element(i).of(b, &self.its.at);
            let place = b.sub(b.as_index(at[0]), first);
            // Read as unsigned, a negative place is larger than any size.
            let is_bin = b.compare(CMP_ULT, place, left);
            (place, b.same("arith.andi", &[is_bin, b.compare(CMP_ULT, place, room)]))
        };
        forall_on(b, Size::Known(BLOCK), &[], of_threads(b), |b, t, _| {
            let mut start = b.add(b.mul(block, b.index(BLOCK)), t);
            if self.group.op.body(0).is_some_and(|body| is_short(self.group, body))
                && self.is_safe()
            {
                // Several values are read before the first of them is waited for, also those that have no place in the block.
                let times = |k| b.mul(threads, b.index(k));
                let full = [start, b.sub(width, times(AHEAD - 1)), times(AHEAD)];
                let made = b.for_loop(full, &[start], |b, i, _| {
                    let numbers = (0..AHEAD).map(|k| b.add(i, b.mul(threads, b.index(k))));
                    let read = |i| (place(&b, i), element(i).of(&b, &self.its.inputs));
                    let all: Vec<_> = numbers.map(read).collect();
                    for ((place, is_own), values) in all {
                        when(&b, is_own, |b| self.update(b, own, place, &values))?;
                    }
                    Ok(vec![b.add(i, b.mul(threads, b.index(AHEAD)))])
                })?;
                start = made.result_list()[0];
            }
            b.for_loop([start, width, threads], &[], |b, i, _| {
                let (place, is_own) = place(&b, i);
                when(&b, is_own, |b| {
                    self.update(b, own, place, &element(i).of(b, &self.its.inputs))
                })?;
                Ok(vec![])
            })?;
            Ok(vec![])
        })?;
        Ok(())
    }

    /// Whether values can be made that have no place: what makes them may rely on one.
    fn is_safe(&self) -> bool {
        let mut bodies = self.group.maps.iter().filter_map(|map| map.body(0));
        bodies.all(|body| body.body_ops().into_iter().all(|op| cannot_fail(op.op_name())))
    }

    /// Updates the bins of the device by those of a block.
    fn hand_over(
        &self,
        b: &Builder<'c>,
        own: &[Val<'c>],
        first: Val<'c>,
        count: Val<'c>,
    ) -> Result<()> {
        forall_on(b, Size::Value(count), &[], of_threads(b), |b, k, _| {
            let place = b.add(first, k);
            for (position, (&bins, neutral)) in own.iter().zip(self.neutrals(b)).enumerate() {
                let value = b.val("memref.load", &[bins, k], neutral.r#type());
                let (kind, buffer) = (self.kinds[position], self.buffers[position]);
                update_by(b, kind, buffer, [value, neutral], |_| vec![place])?;
            }
            Ok(vec![])
        })?;
        Ok(())
    }

    fn update(
        &self,
        b: &Builder<'c>,
        bins: &[Val<'c>],
        place: Val<'c>,
        values: &[Val<'c>],
    ) -> Result<()> {
        let mut all = self.kinds.iter().zip(bins).zip(values);
        all.try_for_each(|((&kind, &bins), &value)| update(b, kind, bins, &[place], value))
    }
}
