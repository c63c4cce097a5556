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

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey};
use melior::ir::ValueLike;

use super::{Lowering, input_count, insert_row, is_dynamic};
use crate::support::{
    builder::Builder,
    diag::{Result, internal_error},
    region::{free_values, move_body},
};

impl<'c> Lowering<'c> {
    /// `soac.scan`: the running tuple and the results are carried.
    pub fn scan(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<()> {
        let (Some(body), operands) = (op.body(0), op.operand_list()) else {
            return Err(internal_error(op, "scan without body"));
        };
        let (exclusive, reverse) = (op.attr("exclusive").is_some(), op.attr("reverse").is_some());
        let (inputs, neutrals) = operands.split_at(input_count(op).min(operands.len()));
        let width = self.width(&b, op, inputs)?;
        let arguments = body.arg_list();
        let (left, right) = arguments.split_at(neutrals.len().min(arguments.len()));
        let (states, elements) = if reverse { (right, left) } else { (left, right) };
        let live = live_components(op, body, states);
        let pick = |list: &[Val<'c>]| -> Vec<Val<'c>> {
            live.iter().filter_map(|&k| list.get(k).copied()).collect()
        };
        let starts = pick(neutrals);
        let stored: Vec<_> = (0..live.len()).filter(|&at| is_read(op, live[at])).collect();
        let mut inits = starts.clone();
        let mut row_sizes = vec![];
        for &at in &stored {
            let full = inputs[live[at]].r#type();
            let mut sizes = b.dynamic_dims(starts[at]);
            row_sizes.push(sizes.clone());
            if full.shape().first().is_some_and(|&n| is_dynamic(n)) {
                sizes.insert(0, width);
            }
            inits.push(b.empty(full, &sizes));
        }
        let outputs = self.counted_loop(b, width, &inits, |this, b, step, carried| {
            let last = b.sub(width, b.index(1));
            let i = if reverse { b.sub(last, step) } else { step };
            let rows = this.rows(&b, inputs, i)?;
            let (running, outputs) = carried.split_at(starts.len());
            let store = |values: &[Val<'c>]| -> Vec<Val<'c>> {
                let triples = stored.iter().zip(outputs).zip(&row_sizes);
                triples
                    .map(|((&at, &out), sizes)| insert_row(&b, values[at], out, i, sizes))
                    .collect()
            };
            let before = if exclusive { store(running) } else { vec![] };
            // What is left out is read by nothing that counts.
            let mut values = neutrals.to_vec();
            for (&k, &value) in live.iter().zip(running) {
                values[k] = value;
            }
            for (&state, &value) in states.iter().zip(&values) {
                state.replace_all_uses(value);
            }
            for (&element, &row) in elements.iter().zip(&rows) {
                element.replace_all_uses(row);
            }
            let mut next = pick(&move_body(&b, body, &[]));
            next.extend(if exclusive { before } else { store(&next) });
            Ok(next)
        })?;
        // What nobody reads may be anything.
        let mut all = neutrals.to_vec();
        for (&at, &output) in stored.iter().zip(outputs.iter().skip(starts.len())) {
            all[live[at]] = output;
        }
        self.finish(op, &all);
        Ok(())
    }
}

/// The components whose results are read, and those whose running value they need.
pub fn live_components<'c>(op: Op<'c>, body: Blk<'c>, states: &[Val<'c>]) -> Vec<usize> {
    let yielded = body.term().map(|end| end.operand_list()).unwrap_or_default();
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
