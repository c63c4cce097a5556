//! The maps that a parallel loop over buffers becomes, one for each of its dimensions.

use ad_dialect::{
    ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, ValueKey, tensor_type},
    linalg::{Expr, map_attribute},
};
use melior::ir::{Type, ValueLike, operation::OperationLike};

use super::{Nest, Spot};
use crate::{
    ad::rules::trip_count,
    support::{
        builder::{Builder, CMP_SGT},
        diag::Result,
        memory::{contents, element, materialize, tensor_of, with_any_layout},
        region::{ValueMap, all_inside, all_of, clone_op, clone_with, is_outside, renamed},
    },
};

/// Builds maps for a loop, before it.
pub fn build<'c>(b: &Builder<'c>, nest: &Nest<'c>) -> Result<()> {
    let mut maps = Maps { nest, counts: counts(b, nest), held: vec![] };
    for load in all_of(nest.op, "memref.load") {
        load.opnd(0).and_then(|buffer| maps.hold(b, buffer));
    }
    let mut rows = vec![];
    for (number, spot) in &nest.slices {
        let Some(array) = maps.hold(b, spot.buffer) else { continue };
        let slice = maps.slice(b, "tensor.extract_slice", array, spot);
        let loops = sorted(&spot.order());
        let array = transposed(b, slice, &spot.order(), &loops)?;
        rows.push(Rows { number: number.key(), array, loops });
    }
    let buffers = nest.updated();
    let starts: Vec<_> = buffers.iter().filter_map(|&buffer| maps.hold(b, buffer)).collect();
    let made = if starts.is_empty() {
        maps.rows(b, &rows, &mut vec![], &[])?
    } else {
        let mut made = b.with_acc(&starts, &maps.types(0), |b, accs| {
            let mut made = maps.rows(&b, &rows, &mut vec![], accs)?;
            made.rotate_right(accs.len());
            Ok(made)
        })?;
        made.rotate_left(starts.len());
        made
    };
    let (written, updated) = made.split_at(nest.stores.len());
    for ((_, spot), &array) in nest.stores.iter().zip(written) {
        let array = transposed(b, array, &sorted(&spot.order()), &spot.order())?;
        let any = tensor_of(spot.buffer.r#type()).and_then(|ty| with_any_layout(b, ty));
        let buffer = match any {
            Some(any) if any != spot.buffer.r#type() => b.val("memref.cast", &[spot.buffer], any),
            _ => spot.buffer,
        };
        materialize(b, array, maps.slice(b, "memref.subview", buffer, spot));
    }
    for (buffer, &array) in buffers.into_iter().zip(updated) {
        materialize(b, array, buffer);
    }
    Ok(())
}

/// How often each loop runs, never if another one does not run.
fn counts<'c>(b: &Builder<'c>, nest: &Nest<'c>) -> Vec<Val<'c>> {
    let own: Vec<_> = nest.ranges.iter().map(|range| trip_count(b, range)).collect();
    let zero = b.index(0);
    let runs = own.iter().map(|&count| b.compare(CMP_SGT, count, zero));
    match runs.reduce(|x, y| b.same("arith.andi", &[x, y])) {
        Some(all) if own.len() > 1 => {
            own.into_iter().map(|count| b.select(all, count, zero)).collect()
        }
        _ => own,
    }
}

/// What is read at the numbers of some loops, in order.
struct Rows<'c> {
    /// The number that it is in an iteration.
    number: ValueKey,
    array: Val<'c>,
    loops: Vec<usize>,
}

/// The maps of a loop that are being built.
struct Maps<'a, 'c> {
    nest: &'a Nest<'c>,
    /// How often each loop runs.
    counts: Vec<Val<'c>>,
    /// What buffers hold before the loop.
    held: Vec<(ValueKey, Val<'c>)>,
}

impl<'c> Maps<'_, 'c> {
    /// What a buffer holds, which is read in front of the maps.
    fn hold(&mut self, b: &Builder<'c>, buffer: Val<'c>) -> Option<Val<'c>> {
        if self.held(buffer).is_none() {
            let array = tensor_of(buffer.r#type())?;
            self.held.push((buffer.key(), contents(b, buffer, array)));
        }
        self.held(buffer)
    }

    fn held(&self, buffer: Val<'c>) -> Option<Val<'c>> {
        self.held.iter().find(|(key, _)| *key == buffer.key()).map(|(_, array)| *array)
    }

    /// The part of an array, or of a buffer, that iterations read or write.
    fn slice(&self, b: &Builder<'c>, name: &str, array: Val<'c>, spot: &Spot<'c>) -> Val<'c> {
        let starts = self.nest.body.arg_list().into_iter().zip(&self.nest.ranges);
        let mut names: ValueMap<'c> = starts.map(|(iv, range)| (iv.key(), range[0])).collect();
        let offsets: Vec<_> =
            spot.indices.iter().map(|&index| self.at_start(b, index, &mut names)).collect();
        let loops = || spot.loops.iter().flatten();
        let sizes: Vec<_> = loops().map(|&(l, _)| self.counts[l]).collect();
        let strides: Vec<_> =
            loops().map(|&(l, times)| b.mul(self.nest.ranges[l][2], b.index(times))).collect();
        let along: Vec<_> = spot.loops.iter().map(|l| l.map_or(1, |_| DYNAMIC)).collect();
        let statics = [vec![DYNAMIC; offsets.len()], along.clone(), along];
        let segments = [1, offsets.len(), sizes.len(), strides.len()].map(|n| n as i32);
        let number = element(array).unwrap_or(array.r#type().scalar());
        let dense = tensor_type(&vec![DYNAMIC; sizes.len()], number);
        let operands = [vec![array], offsets, sizes, strides].concat();
        let view = (name == "memref.subview").then(|| with_any_layout(b, dense)).flatten();
        b.slice_op(name, &operands, view.unwrap_or(dense), &statics, &segments)
    }

    /// An index where all loops start.
    fn at_start(&self, b: &Builder<'c>, index: Val<'c>, names: &mut ValueMap<'c>) -> Val<'c> {
        if names.contains_key(&index.key()) || is_outside(self.nest.op, index) {
            return renamed(names, index);
        }
        let Some(op) = index.defining_op() else { return index };
        let operands: Vec<_> =
            op.operand_list().into_iter().map(|value| self.at_start(b, value, names)).collect();
        let types: Vec<_> = op.result_list().iter().map(|value| value.r#type()).collect();
        let made = clone_with(b, op, &operands, &types).result_list();
        names.extend(op.result_list().iter().map(ValExt::key).zip(made));
        renamed(names, index)
    }

    /// The types of what is written, for all numbers of the loops from one on.
    fn types(&self, level: usize) -> Vec<Type<'c>> {
        let shape = vec![DYNAMIC; self.nest.ranges.len() - level];
        self.nest.stores.iter().map(|(value, _)| tensor_type(&shape, value.r#type())).collect()
    }

    /// What is written, for all numbers of the loops from one on, then the accumulators.
    fn rows(
        &self,
        b: &Builder<'c>,
        arrays: &[Rows<'c>],
        ivs: &mut Vec<Val<'c>>,
        accs: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let level = ivs.len();
        let Some(&[lower, _, step]) = self.nest.ranges.get(level) else {
            return Ok(self.iteration(b, arrays, ivs, accs));
        };
        let own = arrays.iter().filter(|rows| rows.loops.first() == Some(&level));
        let own: Vec<_> = own.map(|rows| rows.array).collect();
        let inputs = [&[b.iota(self.counts[level], DYNAMIC)], &own[..]].concat();
        let types = self.types(level).into_iter().chain(accs.iter().map(|acc| acc.r#type()));
        b.map(&inputs, accs, &types.collect::<Vec<_>>(), |b, arguments| {
            ivs.push(b.add(lower, b.mul(arguments[0], step)));
            let (own, accs) = arguments[1..].split_at(own.len());
            let mut own = own.iter();
            let row = |rows: &Rows<'c>| match rows.loops.split_first() {
                Some((first, rest)) if *first == level => Rows {
                    number: rows.number,
                    array: own.next().copied().unwrap_or(rows.array),
                    loops: rest.to_vec(),
                },
                _ => Rows { loops: rows.loops.clone(), ..*rows },
            };
            let arrays: Vec<_> = arrays.iter().map(row).collect();
            let made = self.rows(&b, &arrays, ivs, accs);
            ivs.pop();
            made
        })
    }

    /// What one iteration writes, then the accumulators.
    fn iteration(
        &self,
        b: &Builder<'c>,
        arrays: &[Rows<'c>],
        ivs: &[Val<'c>],
        accs: &[Val<'c>],
    ) -> Vec<Val<'c>> {
        let nest = self.nest;
        let ivs = nest.body.arg_list().into_iter().zip(ivs).map(|(iv, &own)| (iv.key(), own));
        let mut names: ValueMap<'c> = ivs.collect();
        names.extend(arrays.iter().map(|rows| (rows.number, rows.array)));
        for op in nest.body.body_ops() {
            let is_known = op.res(0).is_some_and(|result| names.contains_key(&result.key()));
            if !is_known && !["memref.store", "memref.atomic_rmw"].contains(&op.op_name()) {
                self.copy(b, op, &mut names);
            }
        }
        let mut accs = accs.to_vec();
        let updated = nest.updated();
        for (value, spot) in &nest.updates {
            let own = updated.iter().position(|buffer| buffer.key() == spot.buffer.key());
            let indices: Vec<_> = spot.indices.iter().map(|&at| renamed(&names, at)).collect();
            if let Some(acc) = own.and_then(|own| accs.get_mut(own)) {
                *acc = b.update_acc(*acc, &indices, renamed(&names, *value));
            }
        }
        nest.stores.iter().map(|(value, _)| renamed(&names, *value)).chain(accs).collect()
    }

    /// Copies an operation, which reads what buffers held.
    fn copy(&self, b: &Builder<'c>, op: Op<'c>, names: &mut ValueMap<'c>) {
        let new = clone_op(b, op, names);
        for load in all_inside(new).into_iter().chain([new]) {
            let array = load.opnd(0).filter(|_| load.op_name() == "memref.load");
            let (Some(array), Some(block)) =
                (array.and_then(|buffer| self.held(buffer)), load.block())
            else {
                continue;
            };
            let b = Builder::before(b.context(), load, block).with_location(load.location());
            let value = b.extract(array, &load.operand_list()[1..]);
            if load.key() == new.key() {
                names.extend(op.res(0).map(|result| (result.key(), value)));
            }
            load.result_list().into_iter().for_each(|old| old.replace_all_uses(value));
            load.erase();
        }
    }
}

/// An array with a dimension for each of some loops, in another order.
fn transposed<'c>(
    b: &Builder<'c>,
    array: Val<'c>,
    from: &[usize],
    to: &[usize],
) -> Result<Val<'c>> {
    if from == to {
        return Ok(array);
    }
    let dimension = |l: &usize| to.iter().position(|other| other == l).unwrap_or_default();
    let own = |order: &[usize]| order.iter().map(|l| Expr::Loop(dimension(l))).collect::<Vec<_>>();
    let size = |l: &usize| from.iter().position(|other| other == l).unwrap_or_default();
    let sizes: Vec<_> = to.iter().map(|l| b.dim(array, size(l))).collect();
    let empty = b.empty(array.r#type(), &sizes);
    let maps = [own(from), own(to)];
    let maps = maps.iter().filter_map(|map| map_attribute(b.context(), from.len(), map));
    let (maps, parallel): (Vec<_>, _) = (maps.collect(), vec![true; from.len()]);
    let made =
        b.generic(&maps, &parallel, &[array], &[empty], |_, numbers| Ok(vec![numbers[0]]))?;
    Ok(made.result_list()[0])
}

fn sorted(order: &[usize]) -> Vec<usize> {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    sorted
}
