//! Map and reduce become loops.
//!
//! ```text
//! ys = map f xs         =>  ys = loop (out = empty) for i < n do out with [i] <- f xs[i]
//! s = reduce op e xs    =>  s = loop (acc = e) for i < n do op acc xs[i]
//! ```
//! A reduction of results of a map that are stored for others runs in the loop of the map.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::{ValueLike, operation::OperationLike};

use super::{
    Lowering, input_count, insert_row, is_dynamic,
    scan::{Recurrence, place},
    sizes::Sizes,
    source::{Source, only_reader},
};
use crate::support::{
    builder::{Builder, same_value},
    combinator::{array_result_count, strip_casts},
    diag::{Result, internal_error},
    extent::{Extent, extent_of},
    region::{free_values, move_body, replace},
    slice::whole,
    update::Update,
};

/// The reductions that are to run in the loop of a map: what they read are results of the map, and their
/// neutral elements are there in front of it.
pub fn riders<'c>(map: Op<'c>) -> Vec<Op<'c>> {
    // Of what was accumulated an iteration has no row.
    let mut results = map.result_list();
    results.truncate(array_result_count(map));
    let is_result = |value: Val<'c>| results.iter().any(|result| result.key() == value.key());
    let is_there = |value: Val<'c>| {
        value.defining_op().is_none_or(|maker| maker.block() != map.block() || maker.is_before(map))
    };
    let rides = |reduce: &Op<'c>| {
        let operands = reduce.operand_list();
        let (inputs, neutrals) = operands.split_at(input_count(*reduce).min(operands.len()));
        reduce.op_name() == "soac.reduce"
            && reduce.block() == map.block()
            && reduce.result_count() == 1
            && neutrals.iter().all(|neutral| neutral.r#type().as_tensor().is_none())
            && inputs.iter().all(|input| is_result(*input))
            && neutrals.iter().all(|neutral| is_there(*neutral))
            && free_values(&reduce.blocks()).into_iter().all(is_there)
    };
    let mut found: Vec<Op<'c>> = vec![];
    let mut is_stored = false;
    for user in results.iter().flat_map(|result| result.users()) {
        if !rides(&user) {
            is_stored = true;
        } else if found.iter().all(|known| known.key() != user.key()) {
            found.push(user);
        }
    }
    found.retain(|_| is_stored);
    found
}

/// Applies the operator of a reduction to its sum so far and to what an iteration of a map yields.
fn ride<'c>(
    b: &Builder<'c>,
    map: Op<'c>,
    reduce: Op<'c>,
    sum: Val<'c>,
    yielded: &[Val<'c>],
) -> Vec<Val<'c>> {
    let results = map.result_list();
    let Some(body) = reduce.body(0) else { return vec![] };
    let element = |input: Val<'c>| {
        let position = results.iter().position(|result| result.key() == input.key());
        position.and_then(|k| yielded.get(k)).copied()
    };
    let elements = reduce.operand_list().into_iter().take(input_count(reduce)).filter_map(element);
    for (argument, value) in body.arg_list().into_iter().zip(std::iter::once(sum).chain(elements)) {
        argument.replace_all_uses(value);
    }
    move_body(b, body, &[])
}

impl<'c> Lowering<'c> {
    /// Whether the map is to run in the loop of its only reader.
    ///
    /// Nothing between the two may overwrite what the map reads: the map would then
    /// need a copy of it.
    pub fn may_defer(&self, map: Op<'c>, block: Blk<'c>) -> bool {
        only_reader(map, block)
            .is_some_and(|reader| !self.is_overwritten_before(map, reader, block))
    }

    /// Whether something between a map and its reader, which may be in a branch of the block, may
    /// overwrite what the map reads.
    pub fn is_overwritten_before(&self, map: Op<'c>, reader: Op<'c>, block: Blk<'c>) -> bool {
        let read = self.arrays_read_by(map);
        let (mut at, mut between) = (reader, vec![]);
        while let Some((here, around)) = at.block().filter(|here| *here != block).zip(at.parent()) {
            between.extend(here.ops().into_iter().take_while(|op| op.key() != at.key()));
            at = around;
        }
        let after = block.ops().into_iter().skip_while(|op| op.key() != map.key()).skip(1);
        between.extend(after.take_while(|op| op.key() != at.key()));
        // Updates overwrite while they read; other readers fill new arrays.
        if matches!(reader.op_name(), "soac.hist" | "soac.scatter") {
            between.push(reader);
        }
        let overwrites = |op: &Op<'c>| {
            let operands = op.operand_list();
            let update = Update::of(*op);
            let destinations: &[Val<'c>] = match op.op_name() {
                "tensor.insert" | "tensor.insert_slice" => operands.get(1..2).unwrap_or(&[]),
                "scf.for" | "scf.while" | "scf.forall" => &operands,
                "soac.update_acc" => operands.get(..1).unwrap_or(&[]),
                "soac.map" => operands.get(input_count(*op)..).unwrap_or(&[]),
                "soac.hist" | "soac.scatter" => &update.dests,
                name if name.starts_with("linalg.") => operands.get(1..).unwrap_or(&[]),
                _ => &[],
            };
            destinations.iter().any(|d| read.iter().any(|r| same_value(whole(*d), whole(*r))))
        };
        between.iter().any(overwrites)
    }

    /// The arrays that a map reads, also through maps that run in its loop. Each of these is looked at once, however many of
    /// its results are read.
    fn arrays_read_by(&self, map: Op<'c>) -> Vec<Val<'c>> {
        let (mut read, mut maps, mut next) = (vec![], vec![map], 0);
        while let Some(&map) = maps.get(next) {
            next += 1;
            let values = map.operand_list().into_iter().chain(free_values(&map.blocks()));
            for array in values.filter(|value| value.r#type().as_tensor().is_some()) {
                read.push(array);
                let maker = strip_casts(array).defining_op();
                let is_new = |op: &Op<'c>| maps.iter().all(|known| known.key() != op.key());
                let runs_here = |op: &Op<'c>| self.deferred.contains(&op.key()) && is_new(op);
                maps.extend(maker.filter(runs_here));
            }
        }
        read
    }

    /// `soac.map`.
    pub fn map(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<()> {
        let (Some(body), operands) = (op.body(0), op.operand_list()) else {
            return Err(internal_error(op, "map without body"));
        };
        let (inputs, accs) = operands.split_at(input_count(op).min(operands.len()));
        let width = self.width(&b, op, inputs)?;
        let destinations = self.destinations(&b, op, inputs, width)?;
        let mut inits: Vec<_> = destinations.iter().map(|d| d.start).collect();
        inits.extend_from_slice(accs);
        let scans = self.recurrences(inputs)?;
        inits.extend(scans.iter().flat_map(Recurrence::starts));
        let riders = if scans.is_empty() { riders(op) } else { vec![] };
        inits.extend(riders.iter().filter_map(|reduce| reduce.opnd(input_count(*reduce))));
        let results = self.counted_loop(b, width, &inits, |this, b, step, carried| {
            let iv = place(&b, &scans, width, step);
            let (carried, running) = carried.split_at(op.result_count().min(carried.len()));
            let (running, sums) = running.split_at(running.len().saturating_sub(riders.len()));
            let running = this.run_scans(&b, &scans, iv, running)?;
            let mut arrays = inputs.to_vec();
            for (destination, &out) in destinations.iter().zip(carried) {
                if let Some(slot) = destination.reused.and_then(|i| arrays.get_mut(i)) {
                    *slot = out;
                }
            }
            let mut arguments = this.rows(&b, &arrays, iv)?;
            for destination in &destinations {
                let row = destination.reused.and_then(|i| arguments.get(i));
                this.consumable.extend(row.map(ValExt::key));
            }
            arguments.extend(carried.iter().skip(destinations.len()));
            for (old, new) in body.arg_list().into_iter().zip(arguments) {
                old.replace_all_uses(new);
            }
            let mut next = move_body(&b, body, &[]);
            let sums: Vec<_> = riders
                .iter()
                .zip(sums)
                .flat_map(|(reduce, &sum)| ride(&b, op, *reduce, sum, &next))
                .collect();
            for ((value, &out), d) in next.iter_mut().zip(carried).zip(&destinations) {
                *value = insert_row(&b, *value, out, iv, &d.row_sizes);
            }
            next.extend(running);
            next.extend(sums);
            Ok(next)
        })?;
        let sums = &results[results.len() - riders.len()..];
        for (reduce, sum) in riders.into_iter().zip(sums) {
            reduce.result_list()[0].replace_all_uses(*sum);
            self.done.insert(reduce.key());
        }
        self.finish(op, &results);
        Ok(())
    }

    /// `soac.reduce`.
    pub fn reduce(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<()> {
        if self.done.remove(&op.key()) {
            op.erase();
            return Ok(());
        }
        if self.reduce_by_blocks(b, op)? {
            return Ok(());
        }
        let (Some(body), operands) = (op.body(0), op.operand_list()) else {
            return Err(internal_error(op, "reduce without body"));
        };
        let (inputs, neutrals) = operands.split_at(input_count(op).min(operands.len()));
        let width = self.width(&b, op, inputs)?;
        let scans = self.recurrences(inputs)?;
        let mut inits = neutrals.to_vec();
        inits.extend(scans.iter().flat_map(Recurrence::starts));
        let results = self.counted_loop(b, width, &inits, |this, b, step, carried| {
            let i = place(&b, &scans, width, step);
            let (carried, running) = carried.split_at(neutrals.len().min(carried.len()));
            let running = this.run_scans(&b, &scans, i, running)?;
            let rows = this.rows(&b, inputs, i)?;
            this.consumable.extend(carried.iter().map(ValExt::key));
            let arguments = [carried, &rows].concat();
            for (old, new) in body.arg_list().into_iter().zip(arguments) {
                old.replace_all_uses(new);
            }
            let mut next = move_body(&b, body, &[]);
            next.extend(running);
            Ok(next)
        })?;
        self.finish(op, &results);
        Ok(())
    }

    /// Replaces a lowered combinator, and erases the maps that ran in its loop.
    pub fn finish(&mut self, op: Op<'c>, results: &[Val<'c>]) {
        let operands = op.operand_list();
        replace(op, results);
        self.erase_run_maps(&operands);
    }

    /// Erases deferred maps and scans that nothing reads any more.
    pub fn erase_run_maps(&mut self, arrays: &[Val<'c>]) {
        let mut maps: Vec<Op<'c>> = vec![];
        for array in arrays {
            let inner = strip_casts(*array);
            let Some(map) = inner.defining_op() else { continue };
            let is_new = maps.iter().all(|known| known.key() != map.key());
            if is_new && self.deferred.contains(&map.key()) {
                maps.push(map);
            }
        }
        for map in maps {
            let operands = map.operand_list();
            self.deferred.remove(&map.key());
            map.erase();
            self.erase_run_maps(&operands);
        }
    }

    /// The common outer size of the inputs, preferably one that is known without a
    /// tensor to ask.
    pub fn width(&self, b: &Builder<'c>, op: Op<'c>, inputs: &[Val<'c>]) -> Result<Val<'c>> {
        let is_static = |v: &&Val<'c>| v.r#type().shape().first().is_some_and(|&n| !is_dynamic(n));
        let is_virtual = |v: &&Val<'c>| !matches!(self.source(**v), Source::Array(_));
        let best = inputs.iter().find(is_static).or_else(|| inputs.iter().find(is_virtual));
        // All are equal. Where it is that of an argument it is that of the first one, so that all combinators over arrays
        // of that size have the same.
        let of_argument = |v: &&Val<'c>| match extent_of(**v, 0) {
            Extent::Dim(array, 0) if array.defining_op().is_none() => Some(array.position()),
            _ => None,
        };
        let of_arguments = inputs.iter().filter(|v| of_argument(v).is_some());
        let first = of_arguments.min_by_key(|v| of_argument(v));
        let first = best.filter(|best| of_argument(best).is_some()).and(first);
        match first.or(best).or(inputs.first()) {
            Some(&input) => self.outer_size(b, input),
            None => Err(internal_error(op, "combinator without input")),
        }
    }

    /// The outer size of an array.
    pub fn outer_size(&self, b: &Builder<'c>, array: Val<'c>) -> Result<Val<'c>> {
        let mut sizes = Sizes::new(self, *b);
        sizes.dim(array, 0).map_err(|obstacle| sizes.unknown(array, obstacle))
    }
}
