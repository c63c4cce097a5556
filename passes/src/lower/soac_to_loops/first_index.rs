//! A reduction that also finds where its least or largest element is.
//!
//! ```text
//! y, iy = reduce argmin (e, d) xs (iota n)  =>
//!   y, at = loop (y, at) = (e, -1) for start < n in steps of a block do
//!             let y' = loop (y) for i in the block do min y xs[i]
//!             in (y', if y' beats y then start else at)
//!   iy    = if at < 0 then d else loop (iy = n) for i in the block at `at` do
//!             if xs[i] is y then min iy i else iy
//! ```
//! In one loop each position would wait for the one before. Here the loop over a block only
//! computes the minimum and the last one the least of some numbers, which are vectorised, and each
//! element is read from memory once: a block fits in the cache.
//!
//! Source: [FUT 5.1.1] has the operator on pairs; the blocks are ours. Values are combined in the
//! order of the pairs, and the position found is theirs: NaNs and signed zeros included.

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::{Type, ValueLike};

use super::{Lowering, input_count, is_dynamic, scan::reached, source::Source};
use crate::{
    ad::rules::operator::{Kind, Operator},
    support::{
        builder::{Builder, CMP_SGE, Is, same_value},
        diag::{Result, internal_error},
        extremum::Extremum,
        region::{ValueMap, clone_op, move_body},
    },
};

/// Elements per block: a quarter of a first-level cache in doubles, and enough to fill vectors.
const BLOCK: i64 = 1024;

/// Fewer elements are not worth three loops.
const LONG: i64 = 64;

/// An index component, and the extremum that it is the position of.
struct Place<'c> {
    value: usize,
    index: usize,
    operator: Operator<'c>,
}

/// The positions that a reduction finds, if it finds any and nothing else depends on them.
fn places<'c>(lowering: &Lowering<'c>, op: Op<'c>) -> Option<Vec<Place<'c>>> {
    let (body, operands) = (op.body(0)?, op.operand_list());
    let inputs = operands.get(..input_count(op))?;
    let yielded = body.term()?.operand_list();
    let arguments = body.arg_list();
    let (left, right) = arguments.split_at(yielded.len().min(arguments.len()));
    let operators = Operator::components(body);
    let place = |index: usize| -> Option<Place<'c>> {
        let choice = yielded[index].defining_op().filter(|op| op.op_name() == "arith.select")?;
        let [wins, new, old] = choice.operand_list()[..] else { return None };
        let chooses = same_value(new, right[index]) && same_value(old, left[index]);
        let is_index = new.r#type() == Type::index(lowering.context);
        if !lowering.numbers_rows(inputs[index]) || !chooses || !is_index {
            return None;
        }
        let value = (0..yielded.len()).find(|&k| {
            let in_memory = matches!(lowering.source(inputs[k]), Source::Array(_));
            let is_scalar = left[k].r#type().is_float_type();
            in_memory
                && is_scalar
                && operators[k].is_some_and(|it| decides(wins, left[k], right[k], &it))
        })?;
        Some(Place { value, index, operator: operators[value]? })
    };
    let places: Vec<_> = (0..yielded.len()).filter_map(place).collect();
    let depends = values(&places, yielded.len()).into_iter().any(|k| {
        let read = reached(body, yielded[k]);
        let reads = |i: usize| read.contains(&left[i].key()) || read.contains(&right[i].key());
        places.iter().any(|place| reads(place.index))
    });
    let is_long = inputs.iter().all(|input| {
        input.r#type().shape().first().is_none_or(|&size| is_dynamic(size) || size >= LONG)
    });
    (!places.is_empty() && !depends && is_long).then_some(places)
}

/// The components that are no positions.
fn values(places: &[Place<'_>], count: usize) -> Vec<usize> {
    (0..count).filter(|k| places.iter().all(|place| place.index != *k)).collect()
}

/// Whether a condition on two numbers is that the right one is the extremum, and the left one not
/// as well.
pub fn decides<'c>(wins: Val<'c>, l: Val<'c>, r: Val<'c>, operator: &Operator<'c>) -> bool {
    let is_least = operator.kind == Kind::Min;
    let extremum = Extremum { is_least, keeps_nan: operator.keeps_nan() };
    operator.is_one_operation() && extremum.is_right(wins, l, r)
}

impl<'c> Lowering<'c> {
    /// Whether an array is made of the numbers of its rows alone: `iota`, or a map over it that runs where it is read, as
    /// for a chunk of an array.
    fn numbers_rows(&self, array: Val<'c>) -> bool {
        match self.source(array) {
            Source::Iota => true,
            Source::Map(map, _) => {
                let is_iota = |input| matches!(self.source(input), Source::Iota);
                map.operand_list().into_iter().all(is_iota)
            }
            _ => false,
        }
    }

    /// What a place reads its position from once that is found: a copy, for the loop over a block takes the map's body.
    fn positions(&mut self, b: &Builder<'c>, array: Val<'c>) -> Val<'c> {
        let Source::Map(map, result) = self.source(array) else { return array };
        let copy = clone_op(b, map, &mut ValueMap::new());
        self.deferred.insert(copy.key());
        copy.res(result).unwrap_or(array)
    }

    /// `soac.reduce` that finds positions; says whether it is one.
    pub fn reduce_by_blocks(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<bool> {
        let Some(places) = places(self, op) else { return Ok(false) };
        let (Some(body), operands) = (op.body(0), op.operand_list()) else {
            return Err(internal_error(op, "reduce without body"));
        };
        let (inputs, neutrals) = operands.split_at(input_count(op).min(operands.len()));
        let values = values(&places, neutrals.len());
        let positions: Vec<_> =
            places.iter().map(|place| self.positions(&b, inputs[place.index])).collect();
        let width = self.width(&b, op, inputs)?;
        let size = b.index(BLOCK);
        let most = b.add(width, b.index(BLOCK - 1));
        let blocks = b.same("arith.divui", &[most, size]);
        let mut inits: Vec<_> = values.iter().map(|&k| neutrals[k]).collect();
        inits.extend(places.iter().map(|_| b.index(-1)));
        let found = self.counted_loop(b, blocks, &inits, |this, b, number, carried| {
            let start = b.mul(number, size);
            let (before, at) = carried.split_at(values.len());
            let count = b.same("arith.minui", &[size, b.sub(width, start)]);
            let after = this.counted_loop(b, count, before, |this, b, step, carried| {
                let rows = this.rows(&b, inputs, b.add(start, step))?;
                this.consumable.extend(carried.iter().map(ValExt::key));
                // What is not carried only leads to positions.
                let mut arguments = neutrals.to_vec();
                for (&k, &value) in values.iter().zip(carried) {
                    arguments[k] = value;
                }
                arguments.extend(rows);
                for (old, new) in body.arg_list().into_iter().zip(arguments) {
                    old.replace_all_uses(new);
                }
                let yielded = move_body(&b, body, &[]);
                Ok(values.iter().map(|&k| yielded[k]).collect())
            })?;
            let mut next = after.clone();
            for (place, &at) in places.iter().zip(at) {
                let k = values.iter().position(|&k| k == place.value).unwrap_or(0);
                let wins = place.operator.right_wins(&b, before[k], after[k]);
                next.push(b.select(wins, start, at));
            }
            Ok(next)
        })?;
        let (ends, at) = found.split_at(values.len());
        let mut results = neutrals.to_vec();
        for (&k, &end) in values.iter().zip(ends) {
            results[k] = end;
        }
        for ((place, &at), &numbers) in places.iter().zip(at).zip(&positions) {
            let (y, neutral) = (results[place.value], neutrals[place.index]);
            let found = self.first_in_block(b, inputs[place.value], y, at, width)?;
            let is_element = b.compare(CMP_SGE, at, b.index(0));
            let chosen = b.if_else(is_element, &[neutral.r#type()], |b, is_element| {
                if is_element { self.rows(&b, &[numbers], found) } else { Ok(vec![neutral]) }
            })?;
            results[place.index] = chosen.result_list()[0];
        }
        self.finish(op, &results);
        self.erase_run_maps(&positions);
        Ok(true)
    }

    /// The first index from `at` on of an element that is `y`, where there is one in the block; any
    /// index if `at` is negative.
    fn first_in_block(
        &mut self,
        b: Builder<'c>,
        array: Val<'c>,
        y: Val<'c>,
        at: Val<'c>,
        width: Val<'c>,
    ) -> Result<Val<'c>> {
        let is_element = b.compare(CMP_SGE, at, b.index(0));
        let most = b.same("arith.minui", &[b.index(BLOCK), b.sub(width, at)]);
        let count = b.select(is_element, most, b.index(0));
        let y_is_nan = b.compare_floats(Is::Nan, y, y);
        let found = self.counted_loop(b, count, &[width], |_, b, step, carried| {
            let index = b.add(at, step);
            let x = b.row(array, index);
            let both_nan = b.same("arith.andi", &[y_is_nan, b.compare_floats(Is::Nan, x, x)]);
            let is_y = b.same("arith.ori", &[b.compare_floats(Is::Equal, x, y), both_nan]);
            let candidate = b.select(is_y, index, width);
            Ok(vec![b.same("arith.minui", &[carried[0], candidate])])
        })?;
        Ok(found[0])
    }
}
