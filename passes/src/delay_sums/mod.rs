//! `ad-delay-sums`: products of matrices and sums of rows (`rows`) that a loop adds up are one behind the loop.
//!
//! ```text
//! for t < n (S = S0, Z) { z = ..; S' = S + X[t]^T z; Z' = Z with [t] = z }
//!         ==>
//! for t < n (Z) { z = ..; Z' = Z with [t] = z };  S = S0 + (sum over t and i of X[t, i, j] Z[t, i, k])
//! ```
//! The derivative for the weights of a recurrent network is such a sum. One large product is made at a higher rate than
//! many small ones, and without anything in between that waits for it.
//!
//! Requires that the rows are kept anyhow, each in the place of its iteration in an array, so that nothing is stored for
//! it, or can be where others have been read for the last time (`spent`), and that they are all there when the loop ends.
//! The terms of a sum of a structured operation have no order.
//!
//! Indices that are summed over and are side by side in both factors are made one, in all products: kernels find their way
//! along one.

mod rows;
mod spent;

use ad_dialect::{
    ir::{Blk, BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, i64_array, tensor_type},
    linalg::{Expr, Structured, map_attribute},
};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::{Builder, same_value},
    combinator::{BOUNDS, constant_index, slice_sizes},
    diag::Result,
    extent::{Extent, extent_of, extent_of_value},
    place,
    position::{Position, positions},
    region::{all_of, copy_block, is_outside, replace},
    structured::adds_up,
};

use rows::RowSum;

/// Runs the pass; returns how many sums are made behind loops, and how many products got fewer indices.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<(u64, u64)> {
    let mut count = 0;
    // What comes out of a loop may be what a loop around it adds up.
    for op in all_of(module, "scf.for").into_iter().rev() {
        let op = spent::keep_rows(context, op);
        for position in 0..op.result_count() {
            if let Some(sum) = Sum::of(op, position) {
                sum.delay(context)?;
                count += 1;
            } else if let Some(sum) = RowSum::of(op, position) {
                sum.delay(context)?;
                count += 1;
            }
        }
    }
    let mut joined = 0;
    for op in all_of(module, "linalg.generic") {
        joined += u64::from(join(context, op)?);
    }
    Ok((count, joined))
}

/// Makes one of the indices that a product is summed over, if some are side by side.
fn join<'c>(context: &'c Context, op: Op<'c>) -> Result<bool> {
    let Some((s, block)) = Structured::of(op).zip(op.block()) else { return Ok(false) };
    let [start] = s.inits[..] else { return Ok(false) };
    if start.r#type().as_tensor().is_none() || !adds_product(&s, start) {
        return Ok(false);
    }
    let maps = s.maps.iter().map(|map| Structured::plain_loops(map)).collect();
    let mut product = Product { loops: s.loops, arrays: s.inputs.clone(), maps };
    if product.neighbours().is_none() {
        return Ok(false);
    }
    let b = Builder::before(context, op, block).deriving(op);
    product.join(&b);
    let made = product.make(&b, start, s.body)?;
    replace(op, &[made]);
    Ok(true)
}

/// A product of matrices that a loop adds to what it carries.
struct Sum<'c> {
    around: Op<'c>,
    position: usize,
    product: Op<'c>,
    structured: Structured<'c>,
    factors: Vec<Factor<'c>>,
}

/// What a factor, or what is added up, is behind the loop.
enum Factor<'c> {
    /// An array with a row for each iteration.
    Rows(Val<'c>),
    /// The same in each iteration.
    Same(Val<'c>),
}

impl<'c> Sum<'c> {
    fn of(around: Op<'c>, position: usize) -> Option<Self> {
        let body = around.body(0)?;
        let (product, structured) = added_product(around, position)?;
        let factors = structured.inputs.iter().map(|&input| Factor::of(around, body, input));
        let factors = factors.collect::<Option<Vec<_>>>()?;
        let has_rows = factors.iter().any(|factor| matches!(factor, Factor::Rows(_)));
        has_rows.then_some(Self { around, position, product, structured, factors })
    }

    /// Makes the sum behind the loop; what the loop carried for it is left to canonicalisation.
    fn delay(&self, context: &'c Context) -> Result<()> {
        let Self { around, position, structured: s, .. } = self;
        let (Some(block), Some(body)) = (around.block(), around.body(0)) else { return Ok(()) };
        let (Some(result), Some(end)) = (around.res(*position), body.term()) else { return Ok(()) };
        let Some(start) = around.opnd(BOUNDS + position) else { return Ok(()) };
        let b = Builder::after(context, *around, block).deriving(self.product);
        // The number of the iteration is the first loop, the others follow.
        let indices = |map: &[Expr], has_rows: bool| -> Vec<usize> {
            let own = Structured::plain_loops(map).into_iter().map(|l| l + 1);
            (0..usize::from(has_rows)).chain(own).collect()
        };
        let (mut arrays, mut maps) = (vec![], vec![]);
        for (factor, map) in self.factors.iter().zip(&s.maps) {
            let (array, has_rows) = match factor {
                Factor::Rows(array) => (*array, true),
                Factor::Same(array) => (*array, false),
            };
            arrays.push(array);
            maps.push(indices(map, has_rows));
        }
        maps.push(indices(&s.maps[s.inputs.len()], false));
        let mut product = Product { loops: s.loops + 1, arrays, maps };
        product.join(&b);
        let made = product.make(&b, start, s.body)?;
        result.replace_all_uses(made);
        end.set_operand(*position, body.arg_list()[position + 1]);
        self.product.erase();
        Ok(())
    }
}

/// The product of matrices that a loop from 0 by 1 adds to what it carries at a position, and does nothing else with.
fn added_product<'c>(around: Op<'c>, position: usize) -> Option<(Op<'c>, Structured<'c>)> {
    let body = around.body(0).filter(|_| counts_rows(around))?;
    let own = *body.arg_list().get(position + 1)?;
    let product = body.ends().get(position)?.defining_op()?;
    let structured = Structured::of(product).filter(|s| adds_product(s, own))?;
    let is_alone = |value: Val<'c>| value.users().len() == 1;
    let is_sum = product.block() == Some(body) && is_alone(own) && is_alone(product.res(0)?);
    is_sum.then_some((product, structured))
}

/// Whether a loop counts from 0 by 1.
pub fn counts_rows(around: Op<'_>) -> bool {
    let is = |operand, number| around.opnd(operand).and_then(constant_index) == Some(number);
    is(0, 0) && is(2, 1) && around.attr("unsignedCmp").is_none()
}

impl<'c> Factor<'c> {
    fn of(around: Op<'c>, body: Blk<'c>, input: Val<'c>) -> Option<Self> {
        if is_outside(around, input) {
            return Some(Self::Same(input));
        }
        let made = input.defining_op()?;
        let from = made.opnd(0)?;
        if made.op_name() == "tensor.extract_slice" && is_outside(around, from) {
            return is_row(around, made, from, input).then_some(Self::Rows(from));
        }
        let kept = body.ends().into_iter().enumerate().find_map(|(position, end)| {
            let kept = end.defining_op().filter(|op| op.op_name() == "tensor.insert_slice")?;
            let own = *body.arg_list().get(position + 1)?;
            let keeps = same_value(kept.opnd(0)?, input) && same_value(kept.opnd(1)?, own);
            let array = around.res(position)?;
            (keeps && is_row(around, kept, array, input)).then_some(array)
        });
        kept.map(Self::Rows)
    }
}

/// Whether a slice is all of the row of an array that belongs to the iteration, and the array has a row for each: row t, or
/// the rows from the last to the first. What is put into a slice has its size.
fn is_row<'c>(around: Op<'c>, slice: Op<'c>, array: Val<'c>, row: Val<'c>) -> bool {
    let iv = around.body(0).and_then(|body| body.arg_list().first().copied());
    let (Some(end), Some(iv)) = (around.opnd(1), iv) else { return false };
    let Some(at) = positions(slice) else { return false };
    let number = place::Sum::of(iv);
    let from_last = place::Sum::of(end).plus(&place::Sum::constant(1), -1).plus(&number, -1);
    let is_own = match at[0] {
        Some(Position::At(i)) => [number, from_last].contains(&place::Sum::of(i)),
        _ => false,
    };
    let Some((sizes, dynamic)) =
        slice.attr("static_sizes").and_then(i64_array).zip(slice_sizes(slice))
    else {
        return false;
    };
    let mut dynamic = dynamic.into_iter();
    let mut extent = |&size: &i64| match size {
        DYNAMIC => dynamic.next().map(extent_of_value),
        known => Some(Extent::Known(known)),
    };
    let sizes: Vec<_> = sizes.iter().map(&mut extent).collect();
    let is_row = sizes.len() == row.r#type().shape().len() + 1;
    let is_whole = (1..sizes.len()).all(|d| sizes[d] == Some(extent_of(array, d)));
    is_own && is_row && is_whole && is_length(extent_of(array, 0), end)
}

/// Whether an array has as many rows as a loop from 0 to `end` has iterations: n or max(n, 0), since no size is negative.
fn is_length<'c>(rows: Extent<'c>, end: Val<'c>) -> bool {
    let clamped = |value: Val<'c>| {
        let op = value.defining_op().filter(|op| op.op_name() == "arith.maxsi")?;
        op.opnd(1).and_then(constant_index).filter(|&least| least == 0)?;
        op.opnd(0).map(extent_of_value)
    };
    let plain = |extent: Extent<'c>| match extent {
        Extent::Value(value) => clamped(value).unwrap_or(extent),
        _ => extent,
    };
    plain(rows) == plain(extent_of_value(end))
}

/// Whether a structured operation adds products to what it is given: matrices, whose elements are read often.
fn adds_product<'c>(s: &Structured<'c>, own: Val<'c>) -> bool {
    let [init] = s.inits[..] else { return false };
    let is_plain = s.maps.iter().all(|map| Structured::plain_loops(map).len() == map.len());
    let kept = Structured::plain_loops(&s.maps[s.inputs.len()]);
    let lacks = |input: usize| kept.iter().any(|&l| !s.maps[input].contains(&Expr::Loop(l)));
    s.inputs.len() == 2
        && same_value(init, own)
        && is_plain
        && kept.len() < s.loops
        && (0..2).all(lacks)
        && adds_up(s)
}

/// A product that is being made.
struct Product<'c> {
    loops: usize,
    arrays: Vec<Val<'c>>,
    /// The loops that are the indices of each array, and then of the result.
    maps: Vec<Vec<usize>>,
}

impl<'c> Product<'c> {
    /// Makes one loop of two that are summed over and side by side wherever either is.
    fn join(&mut self, b: &Builder<'c>) {
        while let Some([first, second]) = self.neighbours() {
            let inputs = self.arrays.iter_mut().zip(&mut self.maps);
            for (array, map) in inputs {
                let Some(d) = map.iter().position(|&l| l == first) else { continue };
                map.remove(d + 1);
                let mut shape = array.r#type().shape();
                let size = shape.remove(d + 1);
                let is_known = shape[d] != DYNAMIC && size != DYNAMIC;
                shape[d] = if is_known { shape[d] * size } else { DYNAMIC };
                let group = |k: usize| match k {
                    k if k < d => vec![k],
                    k if k == d => vec![k, k + 1],
                    k => vec![k + 1],
                };
                let groups: Vec<_> = (0..shape.len()).map(group).collect();
                let r#type = tensor_type(&shape, array.r#type().scalar());
                *array = b.collapse(*array, &groups, r#type);
            }
            for l in self.maps.iter_mut().flatten().filter(|l| **l > second) {
                *l -= 1;
            }
            self.loops -= 1;
        }
    }

    fn neighbours(&self) -> Option<[usize; 2]> {
        let (kept, inputs) = self.maps.split_last()?;
        let mut summed = (0..self.loops).filter(|l| !kept.contains(l));
        summed.find_map(|first| {
            let next = inputs.iter().find_map(|map| {
                let d = map.iter().position(|&l| l == first)?;
                map.get(d + 1).copied()
            })?;
            let place = |map: &Vec<usize>, l| map.iter().position(|&own| own == l);
            let are_beside = inputs.iter().all(|map| match (place(map, first), place(map, next)) {
                (Some(one), Some(other)) => other == one + 1,
                (one, other) => one.is_none() && other.is_none(),
            });
            (are_beside && !kept.contains(&next)).then_some([first, next])
        })
    }

    fn make(&self, b: &Builder<'c>, start: Val<'c>, body: Blk<'c>) -> Result<Val<'c>> {
        let map = |loops: &Vec<usize>| {
            let indices: Vec<_> = loops.iter().map(|&l| Expr::Loop(l)).collect();
            map_attribute(b.context(), self.loops, &indices)
        };
        let maps: Vec<_> = self.maps.iter().filter_map(map).collect();
        let kept = self.maps.last();
        let parallel: Vec<_> =
            (0..self.loops).map(|l| kept.is_some_and(|kept| kept.contains(&l))).collect();
        let op = b.generic(&maps, &parallel, &self.arrays, &[start], |b, elements| {
            Ok(copy_block(&b, body, elements))
        })?;
        Ok(op.res(0).unwrap_or(start))
    }
}
