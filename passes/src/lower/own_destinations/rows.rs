//! Rows of an array that each iteration of a loop updates stay where they are.
//!
//! ```text
//! a = ..                               a = ..
//! for t {                              for t, with b = a {
//!   r = f to a[t]                ==>     r = f to b[t];  ... r ...
//!   ... r ...                            yield b with r in b[t]
//! }                                    }
//! ```
//! where nothing else uses the array. Bufferisation does not compare the slices of different iterations, and would copy the
//! row for it to be written to.

use ad_dialect::{
    ir::{BlkExt, DYNAMIC, Op, OpExt, Val, ValExt, i32_array, i64_array},
    linalg::Structured,
};
use melior::{
    Context,
    ir::{BlockLike, ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::{Builder, same_value},
    combinator::constant_index,
    region::{all_of, with_more, yield_more},
};

/// Lets the loops of a module carry the arrays; returns how many.
pub fn carry<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let mut carried = 0;
    for mut root in all_of(module, "scf.for") {
        // Handles of what is inside stay valid.
        while let Some(new) = carry_one(context, root) {
            root = new;
            carried += 1;
        }
    }
    carried
}

fn carry_one<'c>(context: &'c Context, root: Op<'c>) -> Option<Op<'c>> {
    let body = root.body(0)?;
    let (slice, row) = body.body_ops().into_iter().find_map(|op| updated_row(root, op))?;
    let array = slice.opnd(0)?;
    let new = with_more(context, root, &[array], &[array.r#type()]);
    let own = body.add_argument(array.r#type(), new.location());
    slice.set_operand(0, own);
    let b = Builder::before(context, body.term()?, body).with_location(slice.location());
    let segments = slice.attr("operandSegmentSizes").and_then(i32_array)?;
    let segments = [&[1], &segments[..]].concat();
    let attributes = [
        ("static_offsets", slice.attr("static_offsets")?),
        ("static_sizes", slice.attr("static_sizes")?),
        ("static_strides", slice.attr("static_strides")?),
        ("operandSegmentSizes", b.i32s_attr(&segments)),
    ];
    let operands = [&[row, own], &slice.operand_list()[1..]].concat();
    let kept = b.val_with("tensor.insert_slice", &operands, array.r#type(), &attributes);
    yield_more(body, &[kept]);
    Some(new)
}

/// The slice of an array with a row for each iteration of a loop that an operation updates, and what the row is then.
fn updated_row<'c>(root: Op<'c>, op: Op<'c>) -> Option<(Op<'c>, Val<'c>)> {
    let structured = Structured::of(op)?;
    structured.inits.iter().enumerate().find_map(|(i, init)| {
        let slice = init.defining_op().filter(|op| op.op_name() == "tensor.extract_slice")?;
        let is_here = slice.block() == op.block() && init.users().len() == 1;
        let array = slice.opnd(0)?;
        let maker = array.defining_op().filter(|maker| maker.block() == root.block())?;
        let is_only_use = array
            .users()
            .iter()
            .all(|user| user.key() == slice.key() || user.op_name() == "tensor.dim");
        let is_new = Structured::of(maker).is_some();
        (is_here && is_only_use && is_new && is_own_row(root, slice))
            .then(|| op.res(i).map(|row| (slice, row)))
            .flatten()
    })
}

/// Whether a slice is the row of a loop's number.
fn is_own_row(root: Op<'_>, slice: Op<'_>) -> bool {
    let list = |name: &str| slice.attr(name).and_then(i64_array).unwrap_or_default();
    let (offsets, sizes) = (list("static_offsets"), list("static_sizes"));
    let number = root.body(0).and_then(|body| body.arg_list().first().copied());
    let is_number = number.zip(slice.opnd(1)).is_some_and(|(a, b)| same_value(a, b));
    let steps = root.opnd(2).and_then(constant_index).is_some_and(|step| step > 0);
    offsets.first() == Some(&DYNAMIC) && sizes.first() == Some(&1) && is_number && steps
}
