//! `ad-unroll-short`: what combinators do with arrays of few elements becomes arithmetic of numbers.
//!
//! ```text
//! map (\xs -> reduce (+) 0 (map (\x -> x * x) xs)) xss      -- rows of three
//!   =>  map (\xs -> let x = xs[0], y = xs[1], z = xs[2] in ((0 + x * x) + y * y) + z * z) xss
//! ```
//! A kernel does such things in one thread anyhow. As numbers they are in registers, and the maps around them are simple
//! enough for other passes to compute again where that is better than to store, or to add up, what they make. So do reductions
//! of such arrays become those of numbers (`tuples`).
//!
//! Beside other loops nothing is unrolled: what has such loops is never computed again, and they would keep all of the numbers
//! in registers. Updates of accumulators stay in their loops, from which neighbouring threads make them together
//! (`lower-row-updates-to-nvvm`).

mod tuples;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt};
use melior::{
    Context,
    ir::{TypeLike, ValueLike},
};

use crate::{
    map_to_gpu::FEW,
    support::{
        builder::Builder,
        combinator::{BOUNDS, constant_index, input_count},
        diag::Result,
        elementwise::is_elementwise,
        region::{clone_with, copy_block, replace},
    },
};

/// The most operations that one becomes.
const MOST: usize = 64;

/// Runs the pass; returns how many operations were unrolled.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut count = 0;
    for block in module.blocks() {
        count += unroll_in(context, block, false);
        for function in block.ops() {
            function.blocks().into_iter().try_for_each(|block| tuples::rewrite(context, block))?;
        }
    }
    Ok(count)
}

/// Unrolls what is in a block, what is inside of other things first; `inside` says whether a combinator is around it.
fn unroll_in<'c>(context: &'c Context, block: Blk<'c>, inside: bool) -> u64 {
    let mut count = 0;
    for op in block.body_ops() {
        // What an operator does with arrays tells what kind of operator it is.
        let is_operator = ["soac.reduce", "soac.scan", "soac.hist"].contains(&op.op_name());
        for inner in op.blocks().into_iter().filter(|_| !is_operator) {
            let is_inside = match op.op_name() {
                "soac.map" => !has_loops(inner),
                _ => inside,
            };
            count += unroll_in(context, inner, is_inside);
        }
        if !inside {
            continue;
        }
        let b = Builder::before(context, op, block).deriving(op);
        if let Some(values) = unrolled(&b, op) {
            replace(op, &values);
            count += 1;
        }
    }
    count
}

/// Whether a body has loops that stay, other than maps with threads of their own.
fn has_loops(body: Blk<'_>) -> bool {
    body.body_ops().into_iter().any(|op| match op.op_name() {
        "scf.while" => true,
        "scf.for" => iterations(op).is_none() || updates(op) || op.body(0).is_some_and(has_loops),
        "scf.if" => op.blocks().into_iter().any(has_loops),
        "soac.map" => width(op).is_some() && updates(op),
        _ => false,
    })
}

/// Whether an operation hands on accumulators.
fn updates(op: Op<'_>) -> bool {
    op.operand_list().iter().any(|operand| operand.r#type().is_acc())
}

/// What an operation makes, if it is short.
fn unrolled<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Vec<Val<'c>>> {
    if updates(op) || op.body(0).is_some_and(|body| !is_small(body)) {
        return None;
    }
    match op.op_name() {
        "soac.map" => map(b, op),
        "soac.reduce" => reduce(b, op),
        "scf.for" => for_loop(b, op),
        _ if is_elementwise(op) => elementwise(b, op),
        _ => None,
    }
}

/// Whether a body may be copied for each of few iterations.
fn is_small(body: Blk<'_>) -> bool {
    let mut count = 0;
    for op in body.ops() {
        op.for_each(&mut |_| count += 1);
    }
    count * FEW as usize <= MOST
}

/// How many elements a vector of few has.
fn length(array: Val<'_>) -> Option<i64> {
    let known = array.r#type().as_tensor().map(|_| array.r#type().shape());
    known.and_then(|shape| <[i64; 1]>::try_from(shape).ok()).map(|[size]| size).filter(is_few)
}

fn is_few(size: &i64) -> bool {
    (1..=FEW).contains(size)
}

/// How many iterations a combinator has, if these are few.
fn width(op: Op<'_>) -> Option<i64> {
    let inputs = op.operand_list().into_iter().take(input_count(op));
    inputs.filter_map(|input| input.r#type().shape().first().copied()).find(is_few)
}

/// The rows of the inputs of a combinator for an iteration.
fn rows<'c>(b: &Builder<'c>, op: Op<'c>, k: i64) -> Vec<Val<'c>> {
    let inputs = op.operand_list().into_iter().take(input_count(op));
    inputs.map(|input| row(b, input, k)).collect()
}

/// A row of an array, without the array where it can be.
fn row<'c>(b: &Builder<'c>, array: Val<'c>, k: i64) -> Val<'c> {
    let maker = array.defining_op();
    let operand = |i: usize| maker.and_then(|op| op.opnd(i));
    match maker.map(|op| op.op_name()) {
        Some("soac.iota") => b.index_as(b.index(k), array.r#type().row()),
        Some("soac.replicate") => operand(0).unwrap_or(array),
        Some("tensor.from_elements") if array.r#type().shape().len() == 1 => {
            operand(k as usize).unwrap_or(array)
        }
        _ => b.row(array, b.index(k)),
    }
}

fn map<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Vec<Val<'c>>> {
    let (width, body, results) = (width(op)?, op.body(0)?, op.result_list());
    results.iter().all(|&array| length(array) == Some(width)).then_some(())?;
    let ends: Vec<_> = (0..width).map(|k| copy_block(b, body, &rows(b, op, k))).collect();
    let of_elements = |(i, array): (usize, &Val<'c>)| {
        let elements: Vec<_> = ends.iter().map(|ends| ends[i]).collect();
        b.val("tensor.from_elements", &elements, array.r#type())
    };
    Some(results.iter().enumerate().map(of_elements).collect())
}

fn reduce<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Vec<Val<'c>>> {
    let (width, body) = (width(op)?, op.body(0)?);
    let neutrals = op.operand_list()[input_count(op)..].to_vec();
    Some((0..width).fold(neutrals, |sums, k| copy_block(b, body, &[sums, rows(b, op, k)].concat())))
}

fn for_loop<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Vec<Val<'c>>> {
    let (body, start) = (op.body(0)?, op.operand_list()[BOUNDS..].to_vec());
    let next = |carried, k| copy_block(b, body, &[vec![b.index(k)], carried].concat());
    Some(iterations(op)?.into_iter().fold(start, next))
}

/// The numbers that a loop counts by `index`, if these are known and few.
fn iterations(op: Op<'_>) -> Option<Vec<i64>> {
    let bounds: Option<Vec<_>> = (0..BOUNDS).map(|i| constant_index(op.opnd(i)?)).collect();
    let [from, to, step] = bounds?[..] else { return None };
    let step = usize::try_from(step).ok().filter(|&step| step > 0)?;
    let numbers: Vec<_> = (from..to).step_by(step).collect();
    let is_index = TypeLike::is_index(&op.opnd(0)?.r#type());
    (is_index && numbers.len() as i64 <= FEW).then_some(numbers)
}

fn elementwise<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Vec<Val<'c>>> {
    let result = op.res(0)?;
    let element = |k: i64| {
        let operands: Vec<_> = op.operand_list().iter().map(|&array| row(b, array, k)).collect();
        clone_with(b, op, &operands, &[result.r#type().scalar()]).res(0)
    };
    let elements = (0..length(result)?).map(element).collect::<Option<Vec<_>>>()?;
    Some(vec![b.val("tensor.from_elements", &elements, result.r#type())])
}
