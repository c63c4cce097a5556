//! `lower-strided-casts`: a buffer whose rows are apart is copied where a type is to say that they are side by side.
//!
//! ```text
//! memref.cast %v : memref<5x?xf64, strided<[5, 1]>> to memref<5x?xf64>   =>   %c = memref.alloc(..);  memref.copy %v, %c
//! ```
//! One-shot bufferisation (LLVM 22) takes the strides of a type without layout for unknown where sizes are, and casts. But
//! they follow from the sizes, which others rely on: copies of all bytes at once, reshapes, readers of results.

use ad_dialect::ir::{DYNAMIC, Op, OpExt, Val, ValExt, i64_array};
use melior::{
    Context,
    ir::{TypeLike, ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::{Builder, same_value},
    combinator::constant_index,
    memory::{allocate, dynamic_dims, rank, static_size, with_plain_layout},
    region::replace,
};

/// Runs the pass on a module; returns how many buffers are copied.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let mut casts = vec![];
    module.for_each(&mut |op| casts.extend(hides_strides(op).then_some(op)));
    for &cast in &casts {
        let (Some(block), Some(from), Some(result)) = (cast.block(), cast.opnd(0), cast.res(0))
        else {
            continue;
        };
        let b = Builder::before(context, cast, block).with_location(cast.location());
        let dense = with_plain_layout(from.r#type());
        let copy = allocate(&b, "memref.alloc", dense, &dynamic_dims(&b, from));
        b.op("memref.copy", &[from, copy], &[]);
        let copy = if dense == result.r#type() {
            copy
        } else {
            b.val("memref.cast", &[copy], result.r#type())
        };
        replace(cast, &[copy]);
    }
    casts.len() as u64
}

/// Whether an operation casts a buffer whose rows may be apart to a type without layout.
fn hides_strides(op: Op<'_>) -> bool {
    let is_plain = |value: Val<'_>| with_plain_layout(value.r#type()) == value.r#type();
    let (Some(from), Some(to)) = (op.opnd(0), op.res(0)) else { return false };
    op.op_name() == "memref.cast"
        && from.r#type().is_mem_ref()
        && to.r#type().is_mem_ref()
        && rank(to) > 1
        && !is_plain(from)
        && is_plain(to)
        && !is_of_whole_rows(from)
}

/// Whether a buffer is a slice of a dense one that has all of its rows, or some in one piece.
fn is_of_whole_rows(buffer: Val<'_>) -> bool {
    let Some(view) = buffer.defining_op().filter(|op| op.op_name() == "memref.subview") else {
        return false;
    };
    let statics = |name: &str| view.attr(name).and_then(i64_array).unwrap_or_default();
    let (sizes, strides) = (statics("static_sizes"), statics("static_strides"));
    let Some(base) = view.opnd(0) else { return false };
    // The sizes come behind the offsets.
    let offsets = statics("static_offsets").iter().filter(|&&offset| offset == DYNAMIC).count();
    let size = |d: usize| {
        let before = sizes[..d].iter().filter(|&&size| size == DYNAMIC).count();
        view.opnd(1 + offsets + before)
    };
    let is_whole = |d: usize| match sizes[d] {
        DYNAMIC => size(d).is_some_and(|size| is_dim(size, base, d)),
        known => static_size(base, d) == Some(known),
    };
    with_plain_layout(base.r#type()) == base.r#type()
        && rank(buffer) == rank(base)
        && strides.iter().all(|&stride| stride == 1)
        && (1..rank(base)).all(is_whole)
}

/// Whether a value is the size of a buffer.
fn is_dim(size: Val<'_>, buffer: Val<'_>, d: usize) -> bool {
    let named = |op: &Op<'_>, name: &str| op.op_name() == name;
    let dim = size.defining_op().filter(|op| named(op, "memref.dim"));
    let is_of_buffer = dim.is_some_and(|op| {
        let (of, number) = (op.opnd(0), op.opnd(1).and_then(constant_index));
        of.is_some_and(|of| same_value(of, buffer)) && number == Some(d as i64)
    });
    let before = (0..d).filter(|&d| static_size(buffer, d).is_none()).count();
    let alloc = buffer.defining_op().filter(|op| named(op, "memref.alloc"));
    let given = alloc.and_then(|op| op.opnd(before));
    is_of_buffer || given.is_some_and(|given| same_value(given, size))
}
