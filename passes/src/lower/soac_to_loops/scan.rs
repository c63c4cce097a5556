//! A scan becomes a loop that carries the running tuple and the results.
//!
//! ```text
//! ys = scan op e xs  =>  (_, ys) = loop (s, out) = (e, empty) for i < n do
//!                                    let s = op s xs[i] in (s, out with [i] <- s)
//! ```
//! In sequence the operator is applied to the running tuple and one element. A component
//! that nobody reads, and that no component that is read needs of the running tuple, is
//! there only to make the operator associative: it is left out. So a return scan over
//! linear functions becomes the recurrence that it solves [FUT 5.2].
//!
//! Where a cheap map or reduction is all that reads the results, its loop runs the scan, too, and
//! nothing is stored:
//! ```text
//! reduce oq d (map f (scan op e xs))
//!   =>  loop (s, t) = (e, d) for i < n do let s = op s xs[i] in (s, oq t (f s))
//! ```

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey, tensor_type};
use melior::ir::{Type, ValueLike, operation::OperationLike};

use super::{Lowering, input_count, insert_row, is_dynamic, source::only_reader};
use crate::support::{
    builder::Builder,
    combinator::{is_quick, strip_casts},
    diag::{Result, internal_error},
    region::{free_values, move_body, sort_by_place},
};

/// More operations than this are not cheap.
const FEW: usize = 64;

/// A scan as a loop that runs it sees it.
pub struct Recurrence<'c> {
    op: Op<'c>,
    body: Blk<'c>,
    inputs: Vec<Val<'c>>,
    neutrals: Vec<Val<'c>>,
    /// The components that are computed.
    live: Vec<usize>,
}

impl<'c> Recurrence<'c> {
    fn of(op: Op<'c>) -> Result<Self> {
        let body = op.body(0).ok_or_else(|| internal_error(op, "scan without body"))?;
        let mut inputs = op.operand_list();
        let neutrals = inputs.split_off(input_count(op).min(inputs.len()));
        let mut all = Self { op, body, inputs, neutrals, live: vec![] };
        all.live = live_components(op, body, &all.arguments()[0]);
        Ok(all)
    }

    /// Whether it runs from the last element to the first.
    fn is_reverse(&self) -> bool {
        self.op.attr("reverse").is_some()
    }

    fn is_exclusive(&self) -> bool {
        self.op.attr("exclusive").is_some()
    }

    /// The running tuple and the element as the operator knows them.
    fn arguments(&self) -> [Vec<Val<'c>>; 2] {
        let mut left = self.body.arg_list();
        let right = left.split_off(self.neutrals.len().min(left.len()));
        if self.is_reverse() { [right, left] } else { [left, right] }
    }

    /// The live ones of a value for each component.
    fn pick(&self, list: &[Val<'c>]) -> Vec<Val<'c>> {
        self.live.iter().filter_map(|&k| list.get(k).copied()).collect()
    }

    /// The running tuple in the beginning.
    pub fn starts(&self) -> Vec<Val<'c>> {
        self.pick(&self.neutrals)
    }
}

/// The index of the element in an iteration of a loop that runs scans, all of which go one way.
pub fn place<'c>(
    b: &Builder<'c>,
    scans: &[Recurrence<'c>],
    width: Val<'c>,
    step: Val<'c>,
) -> Val<'c> {
    match scans.first() {
        Some(scan) if scan.is_reverse() => b.sub(b.sub(width, b.index(1)), step),
        _ => step,
    }
}

/// The scans that run in the loop that reads arrays, if so does every operation of which that is said.
fn scans_of<'c>(arrays: &[Val<'c>], runs: impl Fn(Op<'c>) -> bool) -> Vec<Op<'c>> {
    let (mut found, mut seen, mut todo) = (vec![], HashSet::new(), arrays.to_vec());
    while let Some(array) = todo.pop() {
        let Some(op) = strip_casts(array).defining_op().filter(|op| runs(*op)) else { continue };
        if seen.insert(op.key()) {
            todo.extend(op.operand_list());
            found.extend(Some(op).filter(|op| op.op_name() == "soac.scan"));
        }
    }
    found
}

impl<'c> Lowering<'c> {
    /// The combinator whose loop is to run a scan: it, and maps in its loop, are all that reads the
    /// results.
    pub fn runner(&self, scan: Op<'c>, block: Blk<'c>) -> Option<Op<'c>> {
        if scan.result_list().iter().any(|result| result.r#type().shape().len() != 1) {
            return None;
        }
        let is_reverse = |scan: Op<'c>| scan.attr("reverse").is_some();
        let mut reader = only_reader(scan, block).filter(|reader| is_cheap(*reader))?;
        while reader.op_name() == "soac.map" && self.may_defer(reader, block) {
            reader = only_reader(reader, block).filter(|reader| is_cheap(*reader))?;
        }
        let fits = match reader.op_name() {
            "soac.map" => true,
            "soac.reduce" => reader.result_count() == 1 && !is_reverse(scan),
            _ => false,
        };
        // A map that comes later may turn out to run in the same loop.
        let with_later =
            |op: Op<'c>| self.deferred.contains(&op.key()) || op.op_name() == "soac.map";
        let mut others = scans_of(&reader.operand_list(), with_later).into_iter();
        let one_way = others.all(|other| is_reverse(other) == is_reverse(scan));
        let is_overwritten = || self.is_overwritten_before(scan, reader, block);
        (fits && one_way && !is_overwritten()).then_some(reader)
    }

    /// The scans that run in the loop that reads arrays, those that read another's results behind it.
    pub fn recurrences(&self, arrays: &[Val<'c>]) -> Result<Vec<Recurrence<'c>>> {
        let mut scans = scans_of(arrays, |op| self.deferred.contains(&op.key()));
        sort_by_place(&mut scans);
        scans.into_iter().map(Recurrence::of).collect()
    }

    /// Runs scans for one index, so that their results there are known; returns the running tuples,
    /// one behind the other.
    pub fn run_scans(
        &mut self,
        b: &Builder<'c>,
        scans: &[Recurrence<'c>],
        i: Val<'c>,
        mut running: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let mut all = vec![];
        for scan in scans {
            let (own, rest) = running.split_at(scan.live.len().min(running.len()));
            let next = self.step(b, scan, i, own)?;
            let results = if scan.is_exclusive() { own } else { &next };
            for (&k, &value) in scan.live.iter().zip(results) {
                self.running.extend(scan.op.res(k).map(|result| (result.key(), value)));
            }
            all.extend(next);
            running = rest;
        }
        Ok(all)
    }

    /// The running tuple behind the element at an index.
    fn step(
        &mut self,
        b: &Builder<'c>,
        scan: &Recurrence<'c>,
        i: Val<'c>,
        running: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let rows = self.rows(b, &scan.inputs, i)?;
        // What is left out is read by nothing that counts.
        let mut values = scan.neutrals.clone();
        for (&k, &value) in scan.live.iter().zip(running) {
            values[k] = value;
        }
        for (argument, value) in scan.arguments().concat().iter().zip([values, rows].concat()) {
            argument.replace_all_uses(value);
        }
        Ok(scan.pick(&move_body(b, scan.body, &[])))
    }

    /// `soac.scan`: the running tuple and the results are carried.
    pub fn scan(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<()> {
        let scan = Recurrence::of(op)?;
        let (live, starts) = (&scan.live, scan.starts());
        let width = self.width(&b, op, &scan.inputs)?;
        let stored: Vec<_> = (0..live.len()).filter(|&at| is_read(op, live[at])).collect();
        let results: Vec<_> = stored.iter().filter_map(|&at| op.res(live[at])).collect();
        let is_together = are_read_together(&results);
        let row_sizes: Vec<_> = stored.iter().map(|&at| b.dynamic_dims(starts[at])).collect();
        let empty = |r#type: Type<'c>, row: &[Val<'c>]| {
            let is_wide = r#type.shape().first().is_some_and(|&n| is_dynamic(n));
            b.empty(r#type, &[&[width][..usize::from(is_wide)], row].concat())
        };
        let types: Vec<_> = stored.iter().map(|&at| scan.inputs[live[at]].r#type()).collect();
        let mut inits = starts.clone();
        if is_together {
            let shape = [types[0].shape()[0], types.len() as i64];
            inits.push(empty(tensor_type(&shape, types[0].scalar()), &[]));
        } else {
            inits.extend(types.iter().zip(&row_sizes).map(|(&array, row)| empty(array, row)));
        }
        let outputs = self.counted_loop(b, width, &inits, |this, b, step, carried| {
            let i = place(&b, std::slice::from_ref(&scan), width, step);
            let (running, outputs) = carried.split_at(starts.len());
            let store = |values: &[Val<'c>]| -> Vec<Val<'c>> {
                if is_together {
                    let columns = (0..).zip(&stored);
                    return vec![columns.fold(outputs[0], |out, (column, &at)| {
                        b.insert_element(values[at], out, &[i, b.index(column)])
                    })];
                }
                let triples = stored.iter().zip(outputs).zip(&row_sizes);
                triples
                    .map(|((&at, &out), sizes)| insert_row(&b, values[at], out, i, sizes))
                    .collect()
            };
            let before = scan.is_exclusive().then(|| store(running));
            let mut next = this.step(&b, &scan, i, running)?;
            next.extend(before.unwrap_or_else(|| store(&next)));
            Ok(next)
        })?;
        let outputs = &outputs[starts.len()..];
        // What nobody reads may be anything.
        let mut all = scan.neutrals.clone();
        for (column, &result) in results.iter().enumerate().filter(|_| is_together) {
            read_column(&b, result, outputs[0], column);
        }
        for (&at, &output) in stored.iter().zip(outputs).filter(|_| !is_together) {
            all[live[at]] = output;
        }
        self.finish(op, &all);
        Ok(())
    }
}

/// Whether results are read element by element only, and always all of them at a place: then they are rows of one array,
/// which are in one line of the cache.
fn are_read_together(results: &[Val<'_>]) -> bool {
    let places = |result: &Val<'_>| -> Option<HashSet<ValueKey>> {
        let of_read = |user: &Op<'_>| {
            let is_read = user.op_name() == "tensor.extract" && user.operand_list().len() == 2;
            user.opnd(1).filter(|_| is_read).map(|place| place.key())
        };
        result.users().iter().map(of_read).collect()
    };
    let Some((first, others)) = results.split_first() else { return false };
    let Some(all) = places(first) else { return false };
    !others.is_empty()
        && others.iter().all(|other| {
            other.r#type() == first.r#type() && places(other).is_some_and(|places| places == all)
        })
}

/// Has who reads a result read a column of an array instead.
fn read_column<'c>(b: &Builder<'c>, result: Val<'c>, rows: Val<'c>, column: usize) {
    for read in result.users() {
        let (Some(place), Some(block)) = (read.opnd(1), read.block()) else { continue };
        let b = Builder::before(b.context(), read, block);
        // It stays, because the operations of its block are gone through.
        read.set_operands(&[rows, place, b.index(column as i64)]);
    }
}

/// The components whose results are read, and those whose running value they need.
fn live_components<'c>(op: Op<'c>, body: Blk<'c>, states: &[Val<'c>]) -> Vec<usize> {
    let yielded = body.ends();
    let mut todo: Vec<_> = (0..yielded.len()).filter(|&k| is_read(op, k)).collect();
    let mut live: HashSet<_> = todo.iter().copied().collect();
    while let Some(k) = todo.pop() {
        let read = reached(body, yielded[k]);
        let needed = (0..states.len()).filter(|&j| read.contains(&states[j].key()));
        todo.extend(needed.filter(|&j| live.insert(j)));
    }
    let mut live: Vec<_> = live.into_iter().collect();
    live.sort_unstable();
    live
}

/// Whether a combinator costs next to nothing beside a scan whose steps wait for each other: a little
/// arithmetic on scalars, which gains little from vectors.
pub fn is_cheap(op: Op<'_>) -> bool {
    let ops = op.body(0).map(|body| body.body_ops()).unwrap_or_default();
    let is_little = |op: &Op<'_>| {
        let name = op.op_name();
        is_quick(name)
            || ["tensor.extract", "tensor.from_elements", "tensor.insert"].contains(&name)
    };
    ops.len() <= FEW && ops.iter().all(is_little)
}

fn is_read(op: Op<'_>, k: usize) -> bool {
    op.res(k).is_some_and(|result| !result.users().is_empty())
}

/// The values from which a value in a block is computed.
pub fn reached<'c>(block: Blk<'c>, value: Val<'c>) -> HashSet<ValueKey> {
    let mut reached = HashSet::from([value.key()]);
    for op in block.body_ops().into_iter().rev() {
        if op.result_list().iter().any(|result| reached.contains(&result.key())) {
            let free = free_values(&op.blocks());
            reached.extend(op.operand_list().iter().chain(&free).map(ValExt::key));
        }
    }
    reached
}
