//! `ad-gather-first`: a map of which only some rows are read makes only those.
//!
//! ```text
//! ys = map f xs                          few = |is| is less than |xs|
//! zs = map (\i -> g ys[i]) is    ==>     xs' = if few then map (\i -> xs[i]) is else xs
//!                                        ys = map f xs'
//!                                        zs = map (\i n -> g ys[if few then n else i]) is (iota |is|)
//! ```
//! Where a map runs at indices that are data (vertices of a mesh, words of a text), what reads them
//! often reads fewer rows than there are. How many is known when the program runs, and so is the
//! choice; the maps themselves stay as they are, so that there is one copy of the code. A row that is
//! read twice is made twice, which the comparison counts.
//!
//! In a map over seeds, the choice and the rows depend on no seed: `ad-hoist` takes them out. What
//! maps give to this one alone, they make of the same rows: such as the values that all seeds share.

pub mod reads;

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, array_of, tensor_type};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::{Builder, CMP_SLE},
    combinator::{array_result_count, input_count, is_iota},
    diag::Result,
    hand_in::hand_in,
    region::{ValueMap, clone_op, is_there_before, move_before, renamed},
};
use reads::{Reads, all_uses};

/// Rows that are read are few if there are at most three for every four that the map makes: handing
/// a row over costs something, too.
const READ: i64 = 3;
/// See [`READ`].
const MADE: i64 = 4;

/// How long a row may be that is handed over although it may not be read as a whole.
const SHORT: i64 = 64;

/// Runs the pass; returns how many maps make only what is read.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut maps = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "soac.map" && is_costly(op) {
            maps.push(op);
        }
    });
    let mut changed = 0;
    for map in maps {
        changed += u64::from(make_read_rows(context, map)?);
    }
    Ok(changed)
}

/// Has a map make only the rows that are read, if they are few and all of its results are read by row;
/// whether that may be.
pub fn make_read_rows<'c>(context: &'c Context, map: Op<'c>) -> Result<bool> {
    Reads::of(map).map_or(Ok(false), |reads| gather_first(context, map, &reads))
}

/// Whether an iteration of a map does much more than to read its rows, which are handed over whole.
fn is_costly(map: Op<'_>) -> bool {
    let Some(body) = map.body(0) else { return false };
    let has_loops = body.body_ops().into_iter().any(|op| {
        matches!(op.op_name(), "soac.map" | "soac.reduce" | "soac.scan" | "soac.hist" | "scf.for")
    });
    has_loops && makes_rows(map)
}

/// The maps whose results only this one takes as inputs, moved to where it or what is around it begins, and
/// itself last: all of them make the same rows.
fn with_makers<'c>(context: &'c Context, map: Op<'c>, reads: &Reads<'c>) -> Vec<Op<'c>> {
    let mut chain = vec![];
    for input in map.operand_list() {
        let maker = input.defining_op().filter(|op| op.op_name() == "soac.map");
        let Some((maker, block)) = maker.and_then(|maker| maker.block().map(|b| (maker, b))) else {
            continue;
        };
        let is_input = |(user, i): (Op<'c>, usize)| user.key() == map.key() && i < input_count(map);
        let is_known = chain.iter().any(|known: &Op<'c>| known.key() == maker.key());
        if is_known || !makes_rows(maker) || !all_uses(maker).into_iter().all(is_input) {
            continue;
        }
        let mut here = map;
        while let Some(parent) = here.parent().filter(|_| here.block() != Some(block)) {
            here = parent;
        }
        let is_there = |&input: &Val<'c>| {
            input.defining_op().is_some_and(|op| op.key() == maker.key())
                || is_there_before(input, here)
        };
        if reads.is_known_before(here) && map.operand_list().iter().all(is_there) {
            move_before(context, block, maker, here);
            chain.push(maker);
        }
    }
    chain.push(map);
    chain
}

/// Whether a map has nothing but arrays as results, of rows that may be handed over.
fn makes_rows(map: Op<'_>) -> bool {
    array_result_count(map) == map.result_count()
        && input_count(map) > 0
        && map.body(0).is_some_and(|body| body.arg_list().into_iter().all(is_read_whole))
}

/// Whether handing a row over costs no more than what reads it.
fn is_read_whole(row: Val<'_>) -> bool {
    let shape = row.r#type().shape();
    let is_short = !shape.contains(&DYNAMIC) && shape.iter().product::<i64>() <= SHORT;
    is_short || row.users().iter().any(|user| user.op_name().starts_with("soac."))
}

/// Has a map run on the rows that are read, if they are few.
fn gather_first<'c>(context: &'c Context, map: Op<'c>, reads: &Reads<'c>) -> Result<bool> {
    let chain = with_makers(context, map, reads);
    let Some((block, reader_body)) = chain[0].block().zip(reads.reader.body(0)) else {
        return Ok(false);
    };
    let b = Builder::before(context, chain[0], block);
    let mut inputs: Vec<Val<'c>> = vec![];
    for input in chain.iter().flat_map(|op| op.operand_list()) {
        let is_made = chain.iter().any(|op| op.result_list().contains(&input));
        if !is_made && !inputs.contains(&input) {
            inputs.push(input);
        }
    }
    let per_reader = reads.indices.len() as i64;
    let size = |array: Val<'c>| array.r#type().shape()[0];
    let (size_made, size_readers) = (size(inputs[0]), size(reads.slice.inputs[0].0));
    let are_known = size_made != DYNAMIC && size_readers != DYNAMIC;
    if are_known && size_readers * per_reader * MADE > size_made * READ {
        return Ok(false);
    }
    let (made, readers) = (b.dim(inputs[0], 0), b.dim(reads.slice.inputs[0].0, 0));
    let scaled = |value, by: i64| if by == 1 { value } else { b.mul(value, b.index(by)) };
    let few = b.compare(CMP_SLE, scaled(readers, per_reader * MADE), scaled(made, READ));
    let loose: Vec<_> = inputs.iter().map(|input| loose_type(input.r#type())).collect();
    // Buffers are hoisted out of branches: they must be as large as they are needed, also if not taken.
    let count = b.select(few, readers, b.index(0));
    let chosen = b.if_else(few, &loose, |b, taken| match taken {
        true => rows_at(&b, &inputs, reads, count, made),
        false => Ok(inputs.iter().zip(&loose).map(|(&x, &ty)| b.cast(x, ty)).collect()),
    })?;
    let chosen: ValueMap<'c> = inputs.iter().map(ValExt::key).zip(chosen.result_list()).collect();
    for op in chain {
        let operands = op.operand_list().into_iter();
        op.set_operands(&operands.map(|input| renamed(&chosen, input)).collect::<Vec<_>>());
        for result in op.result_list() {
            result.set_type(loose_type(result.r#type()));
        }
    }
    let width = reads.slice.inputs[0].0.r#type().shape()[0];
    let Some(number) = hand_in(context, &[reads.reader], b.iota(readers, width)) else {
        return Ok(true);
    };
    for (i, index) in reads.indices.iter().enumerate() {
        let after = match index.value.defining_op() {
            Some(op) => op.next(),
            None => reader_body.ops().first().copied(),
        };
        let Some(after) = after else { continue };
        let b = Builder::before(context, after, reader_body);
        let mut row = number;
        if per_reader > 1 {
            row = b.add(b.mul(number, b.index(per_reader)), b.index(i as i64));
        }
        let row = b.select(few, row, index.value);
        for &(read, operand) in &index.reads {
            read.set_operand(operand, row);
        }
    }
    Ok(true)
}

/// The rows of arrays that the first `count` iterations of the reader read, in their order.
fn rows_at<'c>(
    b: &Builder<'c>,
    arrays: &[Val<'c>],
    reads: &Reads<'c>,
    count: Val<'c>,
    made: Val<'c>,
) -> Result<Vec<Val<'c>>> {
    let sources: Vec<_> =
        reads.slice.inputs.iter().map(|&(x, _)| first_rows(b, x, count)).collect();
    let index = b.index_type();
    let per_reader = reads.indices.len() as i64;
    let row = if per_reader == 1 { index } else { tensor_type(&[per_reader], index) };
    let last = b.sub(made, b.index(1));
    let mut indices = b.map(&sources, &[], &[array_of(DYNAMIC, row)], |b, elements| {
        let arguments = reads.slice.inputs.iter().map(|(_, argument)| argument.key());
        let mut copies: ValueMap<'c> = arguments.zip(elements.iter().copied()).collect();
        for &op in &reads.slice.ops {
            clone_op(&b, op, &mut copies);
        }
        // What is read under a condition may be out of range where the condition does not hold.
        let inside = |value: Val<'c>| b.same("arith.minui", &[renamed(&copies, value), last]);
        let all: Vec<_> = reads.indices.iter().map(|index| inside(index.value)).collect();
        Ok(vec![if per_reader == 1 { all[0] } else { b.val("tensor.from_elements", &all, row) }])
    })?[0];
    if per_reader > 1 {
        indices = b.collapse(indices, &[vec![0, 1]], tensor_type(&[DYNAMIC], index));
    }
    let types: Vec<_> = arrays.iter().map(|array| loose_type(array.r#type())).collect();
    b.map(&[indices], &[], &types, |b, at| {
        Ok(arrays.iter().map(|&x| if is_iota(x) { at[0] } else { b.row(x, at[0]) }).collect())
    })
}

/// The first rows of an array.
fn first_rows<'c>(b: &Builder<'c>, array: Val<'c>, count: Val<'c>) -> Val<'c> {
    if is_iota(array) {
        return b.iota(count, DYNAMIC);
    }
    let result = loose_type(array.r#type());
    let (sizes, rank) = (result.shape(), result.shape().len());
    let others = (1..rank).filter(|&d| sizes[d] == DYNAMIC).map(|d| b.dim(array, d));
    let operands: Vec<_> = [array, count].into_iter().chain(others).collect();
    let segments = [1, 0, operands.len() as i32 - 1, 0];
    let statics = [vec![0; rank], sizes, vec![1; rank]];
    b.slice_op("tensor.extract_slice", &operands, result, &statics, &segments)
}

/// The type of an array with any number of rows.
fn loose_type(array: Type<'_>) -> Type<'_> {
    let mut shape = array.shape();
    shape[0] = DYNAMIC;
    tensor_type(&shape, array.scalar())
}
