//! Tensors on tapes become buffers that are the tape's: what is pushed is a copy, and who pops it owns it.

use ad_dialect::{
    capi,
    ir::{DYNAMIC, Op, OpExt, TyExt, Val},
};
use melior::{
    Context,
    ir::{Type, TypeLike, ValueLike, operation::OperationLike},
};

use super::{operations, record::buffer_type};
use crate::support::{
    builder::Builder,
    diag::{Result, error},
    memory::{allocate, dim},
    retype::change_types,
};

/// Says of `ad.tape_free` which components are buffers that are freed with the tape.
pub const OWNED: &str = "ad.owned";

/// Runs over a module where arrays are buffers.
pub fn own<'c>(context: &'c Context, module: Op<'c>) -> Result<()> {
    for op in operations(module) {
        let Some((tape, block)) = tape_of(op).zip(op.block()) else { continue };
        let parts = capi::tape_components(tape);
        let tensors: Vec<_> =
            (0..parts.len()).filter(|&i| parts[i].as_tensor().is_some()).collect();
        if tensors.is_empty() {
            continue;
        }
        let b = Builder::before(context, op, block).with_location(op.location());
        if op.op_name() == "ad.tape_free" {
            let positions: Vec<_> = tensors.iter().map(|&i| i as i64).collect();
            op.set_attr(context, OWNED, b.i64s_attr(&positions));
        }
        for i in tensors {
            let failed = || error(op, "keeps tensors that are not in buffers");
            let r#type = owned(context, parts[i]).ok_or_else(failed)?;
            if op.op_name() == "ad.tape_push" {
                let value = op.opnd(1 + i).filter(|value| value.r#type().is_mem_ref());
                op.set_operand(1 + i, copy(&b, value.ok_or_else(failed)?, parts[i], r#type));
            } else if let Some(value) = op.res(i).filter(|_| op.op_name() == "ad.tape_pop")
                && value.r#type() != r#type
            {
                return Err(failed());
            }
        }
    }
    change_types(context, module, |old| {
        if !capi::is_tape(old) {
            return old;
        }
        let parts = capi::tape_components(old).into_iter();
        let new: Vec<_> = parts.map(|part| owned(context, part).unwrap_or(part)).collect();
        capi::tape_type(context, &new)
    });
    Ok(())
}

/// The type of the tape that an operation is about.
pub fn tape_of(op: Op<'_>) -> Option<Type<'_>> {
    op.opnd(0).or_else(|| op.res(0)).map(|tape| tape.r#type())
}

/// The type of the buffer in place of a tensor.
fn owned<'c>(context: &'c Context, part: Type<'c>) -> Option<Type<'c>> {
    part.as_tensor().and_then(|_| buffer_type(context, &part.shape(), part.scalar()))
}

fn copy<'c>(b: &Builder<'c>, value: Val<'c>, part: Type<'c>, r#type: Type<'c>) -> Val<'c> {
    let sizes = part.shape().into_iter().enumerate().filter(|(_, size)| *size == DYNAMIC);
    let sizes: Vec<_> = sizes.map(|(d, _)| dim(b, value, d)).collect();
    let new = allocate(b, "memref.alloc", r#type, &sizes);
    b.op("memref.copy", &[value, new], &[]);
    new
}
