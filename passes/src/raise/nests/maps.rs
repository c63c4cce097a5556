//! The maps that a parallel loop over buffers becomes, one for each of its dimensions.

use ad_dialect::{
    ir::{BlkExt, DYNAMIC, Op, OpExt, Val, ValExt, ValueKey, tensor_type},
    linalg::{Expr, map_attribute},
};
use melior::ir::{Type, ValueLike, operation::OperationLike};

use super::{Nest, Spot, Update};
use crate::support::{
    bounds::{induction_variable, trip_count},
    builder::{Builder, CMP_SGT},
    combinator::constant_index,
    diag::Result,
    memory::{contents, element, materialize, tensor_of, with_any_layout},
    place::Sum,
    region::{ValueMap, all_inside, clone_op, clone_with, is_outside, renamed},
};

/// Builds maps for a loop, before it.
pub fn build<'c>(b: &Builder<'c>, nest: &Nest<'c>) -> Result<()> {
    let mut maps = Maps { nest, counts: counts(b, nest), held: vec![] };
    for read in &nest.lookups {
        maps.hold(b, read.buffer);
    }
    let mut rows = vec![];
    for group in groups(nest) {
        rows.extend(maps.read(b, &group)?);
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
        let part = maps.part(b, spot, &vec![[0; 2]; spot.loops.len()]);
        part.into_iter().for_each(|part| materialize(b, array, part));
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

/// What is read and where, and how far along each dimension behind the first of what is read with it.
type Read<'a, 'c> = (ValueKey, &'a Spot<'c>, Vec<i64>);

/// What is read of buffers at the numbers of the loops, with what is read some elements beside it.
fn groups<'a, 'c>(nest: &'a Nest<'c>) -> Vec<Vec<Read<'a, 'c>>> {
    let mut groups: Vec<Vec<Read<'a, 'c>>> = vec![];
    for (number, spot) in &nest.slices {
        let beside = |group: &Vec<Read<'a, 'c>>| distance(nest, group[0].1, spot);
        let found = groups.iter_mut().find_map(|group| Some((beside(group)?, group)));
        match found {
            Some((distance, group)) => group.push((number.key(), spot, distance)),
            None => groups.push(vec![(number.key(), spot, vec![0; spot.loops.len()])]),
        }
    }
    groups
}

/// How far a place is behind another one along each dimension, in the same buffer and at the same numbers of loops, if the
/// loops go through all elements in between.
fn distance<'c>(nest: &Nest<'c>, first: &Spot<'c>, other: &Spot<'c>) -> Option<Vec<i64>> {
    let is_dense =
        |&(l, times): &(usize, i64)| times == 1 && constant_index(nest.ranges[l][2]) == Some(1);
    let fits = first.buffer.key() == other.buffer.key()
        && first.loops == other.loops
        && first.loops.iter().flatten().all(is_dense);
    let pairs = first.indices.iter().zip(&other.indices).zip(&first.loops).filter(|_| fits);
    let by = |((&a, &b), l): ((&Val<'c>, &Val<'c>), &Option<(usize, i64)>)| {
        let by = Sum::of(b).plus(&Sum::of(a), -1).as_constant()?;
        (l.is_some() || by == 0).then_some(by)
    };
    pairs.map(by).collect::<Option<Vec<_>>>().filter(|all| all.len() == first.loops.len())
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

    /// What a part of a buffer holds in front of the loop, for all that is read beside each other.
    fn read(&self, b: &Builder<'c>, group: &[Read<'_, 'c>]) -> Result<Vec<Rows<'c>>> {
        let first = group[0].1;
        let ends = |d: usize| {
            let along = group.iter().map(|(.., distance)| distance[d]);
            let (least, most) = along.fold((0, 0), |(a, z), by| (a.min(by), z.max(by)));
            [least, most - least]
        };
        let ends: Vec<_> = (0..first.loops.len()).map(ends).collect();
        let dense = element(first.buffer)
            .map(|number| tensor_type(&vec![DYNAMIC; first.order().len()], number));
        let Some((part, dense)) = self.part(b, first, &ends).zip(dense) else { return Ok(vec![]) };
        let all = contents(b, part, dense);
        let loops = sorted(&first.order());
        let counts: Vec<_> = first.order().iter().map(|&l| self.counts[l]).collect();
        let mut rows = vec![];
        for (number, spot, distance) in group {
            let along = distance.iter().zip(&ends).zip(&spot.loops).filter(|(_, l)| l.is_some());
            let offsets: Vec<_> = along.map(|((by, [least, _]), _)| by - least).collect();
            let rank = offsets.len();
            let array = if ends.iter().all(|[_, extra]| *extra == 0) {
                all
            } else {
                let statics = [offsets, vec![DYNAMIC; rank], vec![1; rank]];
                let operands = [&[all], &counts[..]].concat();
                b.slice_op(
                    "tensor.extract_slice",
                    &operands,
                    dense,
                    &statics,
                    &[1, 0, rank as i32, 0],
                )
            };
            let array = transposed(b, array, &spot.order(), &loops)?;
            rows.push(Rows { number: *number, array, loops: loops.clone() });
        }
        Ok(rows)
    }

    /// The part of a buffer that iterations read or write, beginning and ending some elements before or behind.
    fn part(&self, b: &Builder<'c>, spot: &Spot<'c>, ends: &[[i64; 2]]) -> Option<Val<'c>> {
        let starts = self.nest.ivs.iter().zip(&self.nest.ranges);
        let mut names: ValueMap<'c> = starts.map(|(iv, range)| (iv.key(), range[0])).collect();
        let offset = |(&index, [least, _]): (&Val<'c>, &[i64; 2])| {
            let start = self.at_start(b, index, &mut names);
            let offset = if *least == 0 { start } else { b.add(start, b.index(*least)) };
            // In front of the buffer no iteration reads or writes: there is none.
            let is_in_front = Sum::of(offset).as_constant().is_some_and(|offset| offset < 0);
            if is_in_front { b.index(0) } else { offset }
        };
        let offsets: Vec<_> = spot.indices.iter().zip(ends).map(offset).collect();
        let size = |(l, [_, more]): (&Option<(usize, i64)>, &[i64; 2])| {
            let count = self.counts[l.map(|(l, _)| l)?];
            let zero = b.index(0);
            let runs = || b.compare(CMP_SGT, count, zero);
            let longer = || b.select(runs(), b.add(count, b.index(*more)), zero);
            Some(if *more == 0 { count } else { longer() })
        };
        let sizes: Vec<_> = spot.loops.iter().zip(ends).filter_map(size).collect();
        let stride = |&(l, times): &(usize, i64)| b.mul(self.nest.ranges[l][2], b.index(times));
        let strides: Vec<_> = spot.loops.iter().flatten().map(stride).collect();
        let along: Vec<_> = spot.loops.iter().map(|l| l.map_or(1, |_| DYNAMIC)).collect();
        let statics = [vec![DYNAMIC; offsets.len()], along.clone(), along];
        let segments = [1, offsets.len(), sizes.len(), strides.len()].map(|n| n as i32);
        let any = with_any_layout(b, tensor_of(spot.buffer.r#type())?)?;
        let is_any = any == spot.buffer.r#type();
        let buffer = if is_any { spot.buffer } else { b.val("memref.cast", &[spot.buffer], any) };
        let dense = tensor_type(&vec![DYNAMIC; sizes.len()], element(spot.buffer)?);
        let operands = [vec![buffer], offsets, sizes, strides].concat();
        Some(b.slice_op(
            "memref.subview",
            &operands,
            with_any_layout(b, dense)?,
            &statics,
            &segments,
        ))
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
        let Some(range) = self.nest.ranges.get(level) else {
            return Ok(self.iteration(b, arrays, ivs, accs));
        };
        let own = arrays.iter().filter(|rows| rows.loops.first() == Some(&level));
        let own: Vec<_> = own.map(|rows| rows.array).collect();
        let inputs = [&[b.iota(self.counts[level], DYNAMIC)], &own[..]].concat();
        let types = self.types(level).into_iter().chain(accs.iter().map(|acc| acc.r#type()));
        b.map(&inputs, accs, &types.collect::<Vec<_>>(), |b, arguments| {
            ivs.push(induction_variable(&b, range, arguments[0]));
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
        let ivs = nest.ivs.iter().zip(ivs).map(|(iv, &own)| (iv.key(), own));
        let mut names: ValueMap<'c> = ivs.collect();
        names.extend(arrays.iter().map(|rows| (rows.number, rows.array)));
        for op in nest.body.body_ops() {
            let is_known = op.res(0).is_some_and(|result| names.contains_key(&result.key()));
            let is_written = ["memref.store", "memref.atomic_rmw"].contains(&op.op_name());
            if !is_known && !is_written && !nest.sums.contains(&op.key()) {
                self.copy(b, op, &mut names);
            }
        }
        let mut accs = accs.to_vec();
        let updated = nest.updated();
        for Update { value, spot, is_negative } in &nest.updates {
            let own = updated.iter().position(|buffer| buffer.key() == spot.buffer.key());
            let indices: Vec<_> = spot.indices.iter().map(|&at| renamed(&names, at)).collect();
            if let Some(acc) = own.and_then(|own| accs.get_mut(own)) {
                let value = renamed(&names, *value);
                *acc =
                    b.update_acc(*acc, &indices, if *is_negative { b.neg(value) } else { value });
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
