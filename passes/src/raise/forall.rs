//! Raises `scf.forall`.
//!
//! It becomes maps whose rows are what the iterations insert, if each inserts one row at its own place:
//!
//! ```text
//! y = forall (i, j) in (n, m): y0[i, j, :] = v(i, j)   =>   y = map (\i -> map (\j -> v(i, j)) (iota m)) (iota n)
//! ```
//! It becomes a nest of `scf.for` that inserts the slices if not. Reads of an output
//! inside give its contents before the loop, so no iteration depends on another, and
//! reverse mode saves nothing.

use ad_dialect::ir::{
    Blk, BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, i32_array, i64_array, tensor_type,
};
use melior::ir::{ValueLike, operation::OperationLike};

use crate::support::{
    bounds::{Bounds, induction_variable, nest_of_loops, nest_of_maps, of_parallel, trip_count},
    builder::Builder,
    combinator::constant_index,
    diag::{Result, internal_error},
    extent::Extents,
    region::{ValueMap, clone_op, is_of_values, renamed},
};

/// Builds maps or loops for an `scf.forall`, before it.
pub fn forall<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    let (Some(body), Some(ranges)) = (op.body(0), of_parallel(b, op)) else { return Ok(None) };
    let Some(inserts) = body.term().and_then(|end| end.body(0)) else {
        return Err(internal_error(op, "loop without terminator"));
    };
    let outputs = op.operand_list().split_off(op.operand_list().len() - op.result_list().len());
    if outputs.is_empty() {
        return Ok(None);
    }
    let rank = ranges.len();
    let shared: Vec<_> = body.arg_list().split_off(rank);
    if let Some(rows) = Rows::of(op, body, inserts, &outputs).filter(|_| is_of_values(op)) {
        return rows.maps(b, &ranges, &outputs).map(Some);
    }
    let loops = nest_of_loops(b, &ranges, &mut vec![], &outputs, &mut |b, ivs, carried| {
        let arguments = [ivs, &outputs].concat();
        let mut map: ValueMap<'c> =
            body.arg_list().iter().map(ValExt::key).zip(arguments).collect();
        for inner in body.body_ops() {
            clone_op(b, inner, &mut map);
        }
        let mut next = carried.to_vec();
        for insert in inserts.ops() {
            let operands = insert.operand_list();
            let target = shared.iter().position(|s| s.key() == operands[1].key());
            let Some(target) = target else { continue };
            next[target] = insert_slice(b, insert, &map, next[target]);
        }
        Ok(next)
    })?;
    Ok(Some(loops))
}

/// What the iterations of an `scf.forall` insert into its outputs, if each inserts one row, at its own place.
struct Rows<'c> {
    body: Blk<'c>,
    /// For each output the row, which may have dimensions of one element in front.
    values: Vec<Val<'c>>,
}

impl<'c> Rows<'c> {
    fn of(op: Op<'c>, body: Blk<'c>, inserts: Blk<'c>, outputs: &[Val<'c>]) -> Option<Self> {
        let rank = body.arg_list().len() - op.result_count();
        let arguments = body.arg_list();
        let (numbers, shared) = arguments.split_at(rank);
        let value = |(out, &start): (&Val<'c>, &Val<'c>)| {
            let mut own = inserts
                .ops()
                .into_iter()
                .filter(|insert| insert.opnd(1).is_some_and(|target| target.key() == out.key()));
            let insert = own.next().filter(|_| own.next().is_none())?;
            Self::is_row(insert, numbers, start).then(|| insert.opnd(0)).flatten()
        };
        let values = shared.iter().zip(outputs).map(value).collect::<Option<Vec<_>>>()?;
        Some(Self { body, values })
    }

    /// Whether a row goes to the place that an iteration has by its numbers in an output that starts from an array, with all
    /// elements that there are behind it.
    fn is_row(insert: Op<'c>, numbers: &[Val<'c>], start: Val<'c>) -> bool {
        let fixed = |name| insert.attr(name).and_then(i64_array).unwrap_or_default();
        let [offsets, sizes, strides] =
            ["static_offsets", "static_sizes", "static_strides"].map(fixed);
        let (rank, shape) = (numbers.len(), start.r#type().shape());
        let places = insert.operand_list().into_iter().skip(2).take(rank);
        let own = places.zip(numbers).filter(|(place, number)| place.key() == number.key());
        let is_own = |d: usize| offsets[d] == DYNAMIC && sizes[d] == 1;
        let size = |d: usize| {
            let before = (rank..d).filter(|&d| sizes[d] == DYNAMIC).count();
            insert.opnd(2 + rank + before)
        };
        let is_all = |d: usize| {
            let is_size = || size(d).is_some_and(|size| is_dim(size, start, d));
            offsets[d] == 0 && sizes[d] == shape[d] && (sizes[d] != DYNAMIC || is_size())
        };
        let source = insert.opnd(0).map_or(0, |row| row.r#type().shape().len());
        rank <= shape.len()
            && (0..rank).all(is_own)
            && (rank..shape.len()).all(is_all)
            && own.count() == rank
            && strides.iter().all(|&stride| stride == 1)
            && (source == shape.len() || source == shape.len() - rank)
    }

    /// The outputs, with what maps over the iterations make inserted.
    fn maps(
        &self,
        b: &Builder<'c>,
        ranges: &[Bounds<'c>],
        outputs: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let count = |(d, range): (usize, &Bounds<'c>)| {
            let is_whole = outputs.iter().any(|&out| covers(*range, out, d));
            if is_whole { range[1] } else { trip_count(b, range) }
        };
        let counts: Vec<_> = ranges.iter().enumerate().map(count).collect();
        let made = self.nest(b, ranges, &counts, outputs)?;
        let rank = ranges.len();
        let insert = |(made, &out): (Val<'c>, &Val<'c>)| {
            let shape = out.r#type().shape();
            let statics = |by_range: i64, rest: &dyn Fn(usize) -> i64| -> Vec<i64> {
                (0..shape.len()).map(|d| if d < rank { by_range } else { rest(d) }).collect()
            };
            let statics = [
                statics(DYNAMIC, &|_| 0),
                statics(DYNAMIC, &|d| shape[d]),
                statics(DYNAMIC, &|_| 1),
            ];
            let column = |k: usize| ranges.iter().map(move |range| range[k]);
            let mut operands = vec![made, out];
            let dynamic = (rank..shape.len()).filter(|&d| shape[d] == DYNAMIC);
            let behind: Vec<_> = dynamic.map(|d| b.dim(out, d)).collect();
            let segments = [rank, rank + behind.len(), rank].map(|count| count as i32);
            let segments = [&[1, 1], &segments[..]].concat();
            let all = column(0).chain(counts.iter().copied()).chain(behind).chain(column(2));
            operands.extend(all);
            b.slice_op("tensor.insert_slice", &operands, out.r#type(), &statics, &segments)
        };
        let is_whole = |out: &Val<'c>| (0..rank).all(|d| covers(ranges[d], *out, d));
        let whole = |(made, out): (Val<'c>, &Val<'c>)| {
            if is_whole(out) { b.cast(made, out.r#type()) } else { insert((made, out)) }
        };
        Ok(made.into_iter().zip(outputs).map(whole).collect())
    }

    /// The maps over the ranges.
    fn nest(
        &self,
        b: &Builder<'c>,
        ranges: &[Bounds<'c>],
        counts: &[Val<'c>],
        outputs: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let fixed = |count: &Val<'c>| constant_index(*count).unwrap_or(DYNAMIC);
        let r#type = |out: &Val<'c>| {
            let mut shape: Vec<_> = counts.iter().map(fixed).collect();
            shape.extend(&out.r#type().shape()[ranges.len()..]);
            tensor_type(&shape, out.r#type().scalar())
        };
        let types: Vec<_> = outputs.iter().map(r#type).collect();
        nest_of_maps(b, counts, &mut vec![], &types, &mut |b, numbers, _| {
            let pairs = ranges.iter().zip(numbers);
            let ivs: Vec<_> = pairs.map(|(range, &k)| induction_variable(b, range, k)).collect();
            Ok(self.rows(b, &ivs, outputs))
        })
    }

    /// The rows of one iteration.
    fn rows(&self, b: &Builder<'c>, ivs: &[Val<'c>], outputs: &[Val<'c>]) -> Vec<Val<'c>> {
        let arguments = [ivs, outputs].concat();
        let old = self.body.arg_list();
        let mut map: ValueMap<'c> = old.iter().map(ValExt::key).zip(arguments).collect();
        self.body.body_ops().into_iter().for_each(|op| {
            clone_op(b, op, &mut map);
        });
        let row = |(value, out): (&Val<'c>, &Val<'c>)| {
            let (value, shape) = (renamed(&map, *value), out.r#type().shape());
            let units = value.r#type().shape().len() + ivs.len() - shape.len();
            if shape.len() == ivs.len() {
                return b.extract(value, &vec![b.index(0); units]);
            }
            let groups: Vec<Vec<usize>> = (0..shape.len() - ivs.len())
                .map(|d| if d == 0 { (0..=units).collect() } else { vec![units + d] })
                .collect();
            let r#type = tensor_type(&shape[ivs.len()..], out.r#type().scalar());
            if units == 0 { value } else { b.collapse(value, &groups, r#type) }
        };
        self.values.iter().zip(outputs).map(row).collect()
    }
}

/// Whether a range goes over a whole dimension of an array, one by one.
pub fn covers<'c>([lower, upper, step]: Bounds<'c>, array: Val<'c>, d: usize) -> bool {
    constant_index(lower) == Some(0) && constant_index(step) == Some(1) && is_dim(upper, array, d)
}

/// Whether a number is known to be the size of a dimension of an array.
pub fn is_dim<'c>(number: Val<'c>, array: Val<'c>, d: usize) -> bool {
    let mut extents = Extents::default();
    extents.of_value(number) == extents.of(array, d)
}

/// `tensor.parallel_insert_slice` as `tensor.insert_slice` into an array.
fn insert_slice<'c>(b: &Builder<'c>, op: Op<'c>, map: &ValueMap<'c>, array: Val<'c>) -> Val<'c> {
    let mut operands: Vec<_> =
        op.operand_list().into_iter().map(|value| renamed(map, value)).collect();
    operands[1] = array;
    let fixed = |name| op.attr(name).and_then(i64_array).unwrap_or_default();
    let statics = [fixed("static_offsets"), fixed("static_sizes"), fixed("static_strides")];
    let segments = op.attr("operandSegmentSizes").and_then(i32_array).unwrap_or_default();
    b.slice_op("tensor.insert_slice", &operands, array.r#type(), &statics, &segments)
}
