//! Vectors of truth values that kernels get.
//!
//! LLVM gives a parameter for one a byte for all its lanes, and reads a byte for each. So a kernel gets numbers of 8 bits in
//! their place.

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt, with_scalar};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike, r#type::IntegerType},
};

use crate::support::{
    builder::{Builder, CMP_SLT},
    region::{free_values, is_within},
};

/// Widens what the launches of a function capture.
pub fn widen<'c>(context: &'c Context, function: Op<'c>) {
    let mut launches = vec![];
    function.for_each(&mut |op| launches.extend((op.op_name() == "gpu.launch").then_some(op)));
    for launch in launches {
        for mask in free_values(&launch.blocks()).into_iter().filter(is_mask) {
            widen_one(context, launch, mask);
        }
    }
}

fn is_mask(value: &Val<'_>) -> bool {
    let r#type = value.r#type();
    r#type.is_vector_type() && r#type.scalar().to_string() == "i1"
}

fn widen_one<'c>(context: &'c Context, launch: Op<'c>, mask: Val<'c>) {
    let (Some(block), Some(body)) = (launch.block(), launch.body(0)) else { return };
    let Some(first) = body.ops().into_iter().next() else { return };
    let byte: Type<'c> = IntegerType::new(context, 8).into();
    let outside = Builder::before(context, launch, block);
    let bytes = with_scalar(mask.r#type(), byte);
    // What only makes them shorter again is taken for the mask by others.
    let bytes = outside.val("arith.extsi", &[mask], bytes);
    let inside = Builder::before(context, first, body);
    let same = inside.compare(CMP_SLT, bytes, inside.int_like(bytes, 0));
    for (user, operand) in mask.uses() {
        if is_within(user, launch) {
            user.set_operand(operand, same);
        }
    }
}
