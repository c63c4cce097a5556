//! Parallel loops whose iterations make parts of arrays.

use ad_dialect::ir::{BlkExt, DYNAMIC, OpExt, TyExt, Val, array_of, tensor_type};
use melior::ir::{Attribute, ValueLike};

use super::{builder::Builder, diag::Result, size::Size};

/// How many rows lie between arrays of different threads: two lines of the cache, if the rows are numbers.
const APART: i64 = 16;

/// Neighbouring rows of arrays.
#[derive(Clone, Copy)]
pub struct Chunk<'c> {
    /// The first row.
    pub offset: Val<'c>,
    /// The number of rows.
    pub size: Size<'c>,
}

impl<'c> Chunk<'c> {
    /// The chunk of number `t` when `width` rows are cut into `count` chunks that are as equal as whole numbers allow;
    /// the last ones may be empty.
    pub fn new(b: &Builder<'c>, t: Val<'c>, width: Size<'c>, count: Size<'c>) -> Self {
        let most = match (width, count) {
            // Where there is nothing to cut, there may be no chunks.
            (Size::Known(_), Size::Known(c)) => width.divided_by(b, c.max(1)),
            _ => {
                let operands = [width.value(b), count.value(b)];
                Size::Value(b.same("arith.ceildivsi", &operands))
            }
        };
        let start = b.mul(t, most.value(b));
        if let (Size::Known(n), Size::Known(c), Size::Known(m)) = (width, count, most)
            && n == c * m
        {
            return Self { offset: start, size: most };
        }
        let width = width.value(b);
        let offset = b.same("arith.minsi", &[start, width]);
        let size = b.same("arith.minsi", &[b.sub(width, offset), most.value(b)]);
        Self { offset, size: Size::Value(size) }
    }
}

/// The size as an operand, where the type does not say it.
pub fn operand<'c>(b: &Builder<'c>, size: Size<'c>) -> Vec<Val<'c>> {
    match size {
        Size::Known(_) => vec![],
        Size::Value(_) => vec![size.value(b)],
    }
}

/// A part of an array: the chunk along some dimensions, all of the others.
pub fn slice<'c>(b: &Builder<'c>, array: Val<'c>, along: &[usize], chunk: Chunk<'c>) -> Val<'c> {
    part_of(b, array, position(b, array, along, chunk, 1))
}

/// Every so manieth row of an array: so many of them, from one on.
pub fn every<'c>(b: &Builder<'c>, array: Val<'c>, chunk: Chunk<'c>, step: i64) -> Val<'c> {
    part_of(b, array, position(b, array, &[0], chunk, step))
}

fn part_of<'c>(b: &Builder<'c>, array: Val<'c>, position: Position<'c>) -> Val<'c> {
    let (operands, statics, segments) = position;
    let result = ad_dialect::ir::tensor_type(&statics[1], array.r#type().scalar());
    let operands = [&[array], &operands[..]].concat();
    b.slice_op("tensor.extract_slice", &operands, result, &statics, &[&[1], &segments[..]].concat())
}

type Position<'c> = (Vec<Val<'c>>, [Vec<i64>; 3], [i32; 3]);

fn position<'c>(
    b: &Builder<'c>,
    array: Val<'c>,
    along: &[usize],
    chunk: Chunk<'c>,
    step: i64,
) -> Position<'c> {
    let mut sizes = array.r#type().shape();
    let rank = sizes.len();
    let (mut offsets, mut strides) = (vec![0; rank], vec![1; rank]);
    let mut size_operands = vec![];
    for d in 0..rank {
        if along.contains(&d) {
            offsets[d] = DYNAMIC;
            strides[d] = step;
            sizes[d] = chunk.size.in_type();
            size_operands.extend(operand(b, chunk.size));
        } else if sizes[d] == DYNAMIC {
            size_operands.push(b.dim(array, d));
        }
    }
    let segments = [along.len() as i32, size_operands.len() as i32, 0];
    let operands = [&vec![chunk.offset; along.len()][..], &size_operands].concat();
    (operands, [offsets, sizes, strides], segments)
}

/// What an iteration of the parallel loop writes to a result.
pub struct Piece<'c> {
    /// What is inserted, also without the dimension along which it is when that is one row.
    pub value: Val<'c>,
    /// The dimension.
    pub along: usize,
    /// Where along the dimension.
    pub chunk: Chunk<'c>,
    /// How far apart the rows are there.
    pub step: i64,
}

impl<'c> Piece<'c> {
    /// A chunk of rows.
    pub fn rows(value: Val<'c>, chunk: Chunk<'c>) -> Self {
        Self { value, along: 0, chunk, step: 1 }
    }

    /// The row of number `t`.
    pub fn row(b: &Builder<'c>, value: Val<'c>, t: Val<'c>) -> Self {
        let value = match value.r#type().as_tensor() {
            Some(_) => value,
            None => b.val("tensor.from_elements", &[value], array_of(1, value.r#type())),
        };
        Self::rows(value, Chunk { offset: t, size: Size::Known(1) })
    }
}

/// `scf.forall` with one iteration per chunk; the closure gets the number of the iteration and the shared results, and
/// returns what goes into each of them.
pub fn forall<'c>(
    b: &Builder<'c>,
    count: Size<'c>,
    shared: &[Val<'c>],
    body: impl FnOnce(&Builder<'c>, Val<'c>, &[Val<'c>]) -> Result<Vec<Piece<'c>>>,
) -> Result<Vec<Val<'c>>> {
    forall_on(b, count, shared, None, body)
}

/// The same, with what its iterations are mapped to.
pub fn forall_on<'c>(
    b: &Builder<'c>,
    count: Size<'c>,
    shared: &[Val<'c>],
    mapping: Option<Attribute<'c>>,
    body: impl FnOnce(&Builder<'c>, Val<'c>, &[Val<'c>]) -> Result<Vec<Piece<'c>>>,
) -> Result<Vec<Val<'c>>> {
    let types: Vec<_> = shared.iter().map(|v| v.r#type()).collect();
    let bounds = operand(b, count);
    let mut attributes = vec![
        ("staticLowerBound", b.i64s_attr(&[0])),
        ("staticUpperBound", b.i64s_attr(&[count.in_type()])),
        ("staticStep", b.i64s_attr(&[1])),
        ("operandSegmentSizes", b.i32s_attr(&[0, bounds.len() as i32, 0, shared.len() as i32])),
    ];
    attributes.extend(mapping.map(|mapping| ("mapping", mapping)));
    let arguments = [&[b.index_type()], &types[..]].concat();
    let operands = [&bounds[..], shared].concat();
    let op = b.op_with("scf.forall", &operands, &types, &attributes, &[arguments]);
    let Some(block) = op.body(0) else { return Ok(vec![]) };
    let inner = b.into_block(block);
    let arguments = block.arg_list();
    let (t, results) = (arguments[0], &arguments[1..]);
    let pieces = body(&inner, t, results)?;
    let positions: Vec<_> = pieces
        .iter()
        .zip(results)
        .map(|(piece, result)| position(&inner, *result, &[piece.along], piece.chunk, piece.step))
        .collect();
    let end = inner.op_with("scf.forall.in_parallel", &[], &[], &[], &[vec![]]);
    if let Some(block) = end.body(0) {
        let inner = inner.into_block(block);
        for ((piece, &result), (operands, statics, segments)) in
            pieces.iter().zip(results).zip(positions)
        {
            let operands = [&[piece.value, result], &operands[..]].concat();
            let [offsets, sizes, strides] = statics;
            let attributes = [
                ("static_offsets", inner.i64s_attr(&offsets)),
                ("static_sizes", inner.i64s_attr(&sizes)),
                ("static_strides", inner.i64s_attr(&strides)),
                ("operandSegmentSizes", inner.i32s_attr(&[&[1, 1], &segments[..]].concat())),
            ];
            inner.op_with("tensor.parallel_insert_slice", &operands, &[], &attributes, &[]);
        }
    }
    Ok(op.result_list())
}

/// An uninitialised array of as many values as there are chunks.
pub fn per_chunk<'c>(b: &Builder<'c>, count: Size<'c>, like: Val<'c>) -> Val<'c> {
    let sizes = [operand(b, count), b.dynamic_dims(like)].concat();
    b.empty(array_of(count.in_type(), like.r#type()), &sizes)
}

/// The same for arrays that threads write to again and again: no line of the cache has elements of two of them.
pub fn apart<'c>(b: &Builder<'c>, count: Size<'c>, like: Val<'c>) -> Val<'c> {
    let r#type = array_of(count.in_type(), like.r#type());
    let mut shape = r#type.shape();
    if shape.len() < 2 {
        return per_chunk(b, count, like);
    }
    let sizes = [operand(b, count), b.dynamic_dims(like)].concat();
    let mut padded = sizes.clone();
    if shape[1] == DYNAMIC {
        let first = usize::from(shape[0] == DYNAMIC);
        padded[first] = b.add(padded[first], b.index(APART));
    } else {
        shape[1] += APART;
    }
    let all = b.empty(tensor_type(&shape, r#type.scalar()), &padded);
    let rank = shape.len();
    let statics = [vec![0; rank], r#type.shape(), vec![1; rank]];
    let operands = [&[all], &sizes[..]].concat();
    b.slice_op("tensor.extract_slice", &operands, r#type, &statics, &[1, 0, sizes.len() as i32, 0])
}
