//! Blocks of a control-flow graph, and the branches between them.
//!
//! An *edge* is one successor of a terminator together with what the terminator hands to its arguments. Edges are
//! counted one by one: both of a `cf.cond_br` may lead to one block.

use std::collections::HashSet;

use melior::{
    Context,
    ir::{
        BlockLike, BlockRef, Location, RegionLike, Type, TypeLike, Value,
        attribute::{AttributeLike, DenseI32ArrayAttribute},
        operation::OperationLike,
    },
};
use mlir_sys as sys;

use crate::ir::{Blk, BlkExt, Op, OpExt, Reg, Val, i32_array};

/// The branches that are known, all of them without other effects than to branch.
const BRANCHES: [&str; 3] = ["cf.br", "cf.cond_br", "cf.switch"];

/// Whether the operation is a branch whose edges are known.
pub fn is_branch(op: Op<'_>) -> bool {
    BRANCHES.contains(&op.op_name())
}

/// The blocks that a terminator may go to, edge by edge.
pub fn successors<'c>(op: Op<'c>) -> Vec<Blk<'c>> {
    // SAFETY: the operation is valid and the positions are in range.
    unsafe {
        (0..sys::mlirOperationGetNumSuccessors(op.to_raw()))
            .map(|i| Blk::from_raw(sys::mlirOperationGetSuccessor(op.to_raw(), i)))
            .collect()
    }
}

/// Lets an edge lead to another block.
pub fn redirect<'c>(op: Op<'c>, edge: usize, to: Blk<'c>) {
    // SAFETY: callers give a position in range.
    unsafe { sys::mlirOperationSetSuccessor(op.to_raw(), edge as isize, to.to_raw()) }
}

/// The blocks that a block reaches, itself first, each after those that dominate it: the reverse of the order in which a
/// depth-first search leaves them.
pub fn in_order<'c>(entry: Blk<'c>) -> Vec<Blk<'c>> {
    let next = |block: Blk<'c>| block.term().map(successors).unwrap_or_default();
    let mut seen = HashSet::from([entry.key()]);
    let mut left = vec![];
    let mut path = vec![(entry, next(entry))];
    while let Some((block, todo)) = path.last_mut() {
        match todo.pop() {
            Some(to) => {
                if seen.insert(to.key()) {
                    path.push((to, next(to)));
                }
            }
            None => {
                left.push(*block);
                path.pop();
            }
        }
    }
    left.reverse();
    left
}

/// A handle with one lifetime; see the invariant of `ir`.
pub fn block_handle<'c>(block: BlockRef<'c, '_>) -> Blk<'c> {
    // SAFETY: only the lifetime of the reference changes.
    unsafe { Blk::from_raw(block.to_raw()) }
}

/// What a branch decides by: a bit, a flag, or nothing.
pub fn deciding<'c>(op: Op<'c>) -> Option<Val<'c>> {
    (op.op_name() != "cf.br").then(|| op.opnd(0)).flatten()
}

/// How many operands each edge of a known branch has; they come after what decides, in this order.
fn counts(op: Op<'_>) -> Vec<usize> {
    let list = |name: &str| op.attr(name).and_then(i32_array).unwrap_or_default();
    let segments = list("operandSegmentSizes");
    let sizes: Vec<i32> = match op.op_name() {
        "cf.br" => return vec![op.operand_count()],
        "cf.cond_br" => segments.into_iter().skip(1).collect(),
        "cf.switch" => {
            segments.into_iter().skip(1).take(1).chain(list("case_operand_segments")).collect()
        }
        _ => vec![],
    };
    sizes.into_iter().map(|size| size as usize).collect()
}

/// What a known branch hands on along each edge.
pub fn handed_on<'c>(op: Op<'c>) -> Vec<Vec<Val<'c>>> {
    let mut operands = op.operand_list().into_iter().skip(usize::from(deciding(op).is_some()));
    counts(op).into_iter().map(|count| operands.by_ref().take(count).collect()).collect()
}

/// Replaces what a known branch hands on along each edge.
pub fn hand_on<'c>(context: &'c Context, op: Op<'c>, edges: &[Vec<Val<'c>>]) {
    let operands: Vec<_> =
        deciding(op).into_iter().chain(edges.iter().flatten().copied()).collect();
    op.set_operands(&operands);
    set_segments(context, op, &edges.iter().map(Vec::len).collect::<Vec<_>>());
}

/// Says how many operands each edge of a branch has.
fn set_segments<'c>(context: &'c Context, op: Op<'c>, counts: &[usize]) {
    let list = |sizes: &[usize]| {
        let sizes: Vec<i32> = sizes.iter().map(|&size| size as i32).collect();
        DenseI32ArrayAttribute::new(context, &sizes).into()
    };
    match op.op_name() {
        "cf.cond_br" => {
            op.set_attr(context, "operandSegmentSizes", list(&[1, counts[0], counts[1]]));
        }
        "cf.switch" => {
            let cases = counts[1..].iter().sum();
            op.set_attr(context, "case_operand_segments", list(&counts[1..]));
            op.set_attr(context, "operandSegmentSizes", list(&[1, counts[0], cases]));
        }
        _ => {}
    }
}

/// The region that a block is in.
pub fn region_of<'c>(block: Blk<'c>) -> Option<Reg<'c>> {
    // SAFETY: the block is valid; one that is in no region gives null.
    unsafe {
        let region = sys::mlirBlockGetParentRegion(block.to_raw());
        (!region.ptr.is_null()).then(|| Reg::from_raw(region))
    }
}

/// The blocks of a region, in their order.
pub fn blocks_of(region: Reg<'_>) -> Vec<Blk<'_>> {
    let mut blocks = vec![];
    // SAFETY: the region is valid; the last block is followed by null.
    unsafe {
        let mut next = Blk::from_option_raw(sys::mlirRegionGetFirstBlock(region.to_raw()));
        while let Some(block) = next {
            blocks.push(block);
            next = Blk::from_option_raw(sys::mlirBlockGetNextInRegion(block.to_raw()));
        }
    }
    blocks
}

/// Adds an empty block at the end of a region.
pub fn add_block<'c>(region: Reg<'c>, arguments: &[Type<'c>], location: Location<'c>) -> Blk<'c> {
    let types: Vec<_> = arguments.iter().map(TypeLike::to_raw).collect();
    let locations = vec![location.to_raw(); types.len()];
    // SAFETY: both arrays have the length that is given; the region takes the block over.
    unsafe {
        let block = sys::mlirBlockCreate(types.len() as isize, types.as_ptr(), locations.as_ptr());
        sys::mlirRegionAppendOwnedBlock(region.to_raw(), block);
        Blk::from_raw(block)
    }
}

/// Moves a block to the end of another region.
pub fn move_block<'c>(block: Blk<'c>, to: Reg<'c>) {
    // SAFETY: the region takes over the block, which is in none any more.
    unsafe {
        sys::mlirBlockDetach(block.to_raw());
        sys::mlirRegionAppendOwnedBlock(to.to_raw(), block.to_raw());
    }
}

/// Adds an argument at the end.
pub fn add_argument<'c>(block: Blk<'c>, r#type: Type<'c>, location: Location<'c>) -> Val<'c> {
    // SAFETY: the block, the type and the location are valid.
    unsafe {
        Value::from_raw(sys::mlirBlockAddArgument(
            block.to_raw(),
            r#type.to_raw(),
            location.to_raw(),
        ))
    }
}

/// Removes an argument, which must have no uses.
pub fn erase_argument(block: Blk<'_>, position: usize) {
    // SAFETY: callers give a position in range.
    unsafe { sys::mlirBlockEraseArgument(block.to_raw(), position as std::os::raw::c_uint) }
}

/// Erases blocks with what is in them, which may use values of each other, but nothing else may.
pub fn erase_blocks(blocks: &[Blk<'_>]) {
    for block in blocks {
        for op in block.ops() {
            op.for_each(&mut |inner| {
                // SAFETY: the operation is valid and is erased below.
                unsafe { sys::mlirOperationSetOperands(inner.to_raw(), 0, std::ptr::null()) }
            });
        }
    }
    for block in blocks {
        for op in block.ops().into_iter().rev() {
            op.erase();
        }
    }
    for block in blocks {
        // SAFETY: the block is empty, and no branch to it is left.
        unsafe {
            sys::mlirBlockDetach(block.to_raw());
            sys::mlirBlockDestroy(block.to_raw());
        }
    }
}

/// The numbers of a `cf.switch` that lead along its edges after the first, which is the default.
pub fn cases(op: Op<'_>) -> Vec<i64> {
    let Some(values) = op.attr("case_values") else { return vec![] };
    let raw = values.to_raw();
    // SAFETY: the attribute holds integers of the width of the flag, and the positions are in range.
    unsafe {
        let width = sys::mlirIntegerTypeGetWidth(sys::mlirShapedTypeGetElementType(
            sys::mlirAttributeGetType(raw),
        ));
        let number = |i| match width {
            1 => i64::from(sys::mlirDenseElementsAttrGetBoolValue(raw, i)),
            8 => i64::from(sys::mlirDenseElementsAttrGetInt8Value(raw, i)),
            16 => i64::from(sys::mlirDenseElementsAttrGetInt16Value(raw, i)),
            32 => i64::from(sys::mlirDenseElementsAttrGetInt32Value(raw, i)),
            _ => sys::mlirDenseElementsAttrGetInt64Value(raw, i),
        };
        (0..sys::mlirElementsAttrGetNumElements(raw) as isize).map(number).collect()
    }
}
