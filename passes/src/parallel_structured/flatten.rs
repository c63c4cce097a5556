//! Reductions of what reductions of rows give, as one of all elements.
//!
//! ```text
//! reduce (+) 0 (map (\xs -> reduce (+) 0 (map f xs)) xss)
//!   ==>  reduce (+) 0 (map (\n -> f xss[n / k, n % k]) (iota (|xss| * k)))        k is the length of a row
//! ```
//! There may be few rows, and what neighbouring threads read is side by side only if they share them.

use std::collections::HashSet;

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, array_of};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::{
    map_to_gpu::FEW,
    support::{
        builder::{Builder, same_value},
        combinator::{input_count, is_iota},
        diag::Result,
        elementwise::{name_element, works_by_element},
        extent::{Extent, extent_of},
        region::{ValueMap, copy_block, renamed, replace, what},
    },
};

/// Flattens a reduction on the host, if it is one of reductions; whether it was.
pub fn flatten<'c>(context: &'c Context, op: Op<'c>) -> Result<bool> {
    let (Some(rows), Some(block)) = (Rows::of(op), op.block()) else { return Ok(false) };
    let b = &Builder::before(context, op, block).with_location(op.location());
    let [count, width] = rows.sizes.map(|size| size.value(b));
    let total = match rows.sizes {
        [Extent::Known(count), Extent::Known(width)] => count * width,
        _ => DYNAMIC,
    };
    let numbers = b.iota(b.mul(count, width), total);
    let neutral = op.operand_list()[1];
    let terms = b.map(&[numbers], &[], &[array_of(total, neutral.r#type())], |b, number| {
        let at = [("arith.divui", width), ("arith.remui", width)];
        let at = at.map(|(name, size)| b.same(name, &[number[0], size]));
        Ok(rows.term(&b, &at))
    })?;
    let sum = b.reduce(&terms, &[neutral], |b, pair| {
        Ok(op.body(0).map_or(vec![], |body| copy_block(&b, body, pair)))
    })?;
    replace(op, &sum);
    rows.map.erase();
    Ok(true)
}

/// A map that reduces its rows.
struct Rows<'c> {
    map: Op<'c>,
    /// What it reduces.
    row: Val<'c>,
    /// The maps that make it.
    makers: Vec<Op<'c>>,
    /// How many rows there are, and how many elements in each.
    sizes: [Extent<'c>; 2],
}

impl<'c> Rows<'c> {
    /// The rows whose reductions a reduction is of, by the same operator: each term is computed of elements of rows alone.
    fn of(reduction: Op<'c>) -> Option<Self> {
        let operator = operator(reduction)?;
        let map = reduction.opnd(0)?.defining_op()?;
        let is_narrow = |array: &Val<'_>| array.r#type().shape().len() <= 2;
        let is_map = map.op_name() == "soac.map"
            && map.result_count() == 1
            && map.operand_count() == input_count(map)
            && map.operand_list().iter().all(is_narrow)
            && map.block() == reduction.block()
            && map.res(0)?.users().len() == 1;
        let body = map.body(0).filter(|_| is_map)?;
        let (inner, before) =
            body.body_ops().split_last().map(|(&last, before)| (last, before.to_vec()))?;
        let neutrals = [reduction, inner].map(|op| op.opnd(1));
        let is_same = operator == self::operator(inner)?
            && body.ends() == inner.result_list()
            && same_value(neutrals[0]?, neutrals[1]?);
        // What is computed of a row as a whole would be computed for each of its elements.
        let are_maps = before.iter().all(|op| op.op_name() == "soac.map");
        let row = inner.opnd(0).filter(|_| is_same && are_maps)?;
        let mut known: HashSet<_> = body.arg_list().iter().map(ValExt::key).collect();
        let is_by_element = before.iter().all(|&op| works_by_element(op, &mut known));
        let sizes = [extent_of(map.opnd(0)?, 0), extent_of(row, 0)];
        let is_short = matches!(sizes[1], Extent::Known(width) if width <= FEW);
        let fits = is_by_element && known.contains(&row.key()) && !is_short;
        (fits && sizes.iter().all(|size| size.is_outside(map))).then_some(Self {
            map,
            row,
            makers: before,
            sizes,
        })
    }

    /// The term at the number of a row and that of an element of it.
    fn term(&self, b: &Builder<'c>, at: &[Val<'c>; 2]) -> Vec<Val<'c>> {
        let Some(body) = self.map.body(0) else { return vec![] };
        let mut names = ValueMap::new();
        for (argument, array) in body.arg_list().into_iter().zip(self.map.operand_list()) {
            let rank = array.r#type().shape().len();
            let value = match is_iota(array) {
                true => b.index_as(at[0], array.r#type().scalar()),
                false => b.extract(array, &at[..rank]),
            };
            names.insert(argument.key(), value);
        }
        self.makers.iter().for_each(|&maker| name_element(b, maker, &mut names));
        vec![renamed(&names, self.row)]
    }
}

/// The operation that a reduction of one array of numbers reduces it by.
fn operator<'c>(reduction: Op<'c>) -> Option<String> {
    let is_number = |neutral: Val<'_>| neutral.r#type().as_tensor().is_none();
    let is_one = reduction.op_name() == "soac.reduce"
        && reduction.operand_count() == 2
        && reduction.opnd(1).is_some_and(is_number);
    let body = reduction.body(0).filter(|_| is_one)?;
    let ops = body.body_ops();
    let [op] = ops[..] else { return None };
    let is_of_both = op.operand_list() == body.arg_list() && body.ends() == op.result_list();
    (is_of_both && op.blocks().is_empty()).then(|| what(op))
}
