//! `lower-atomics`: updates of elements by any operator, as the LLVM dialect can have them.
//!
//! * Before the lowering to the LLVM dialect: products, which LLVM has no update for, become a
//!   `memref.generic_atomic_rmw`. Upstream makes a compare-and-swap of an element of a
//!   `memref.generic_atomic_rmw`, which LLVM has for integers only. A buffer of floats is cast to one of
//!   integers. Both become the same structure of pointers, so that `reconcile-unrealized-casts` removes
//!   the cast.
//! * After it, in a `gpu.module`: upstream orders all other memory around each update, which on a device
//!   are fences of the whole system. Updates say nothing about other memory. For NVIDIA's devices they are
//!   atomic among threads of the device, and one that changes nothing writes nothing (`changes`).

mod changes;

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, float_width};
use melior::{
    Context,
    ir::{
        ShapedTypeLike, Type, ValueLike,
        attribute::{IntegerAttribute, StringAttribute},
        operation::OperationLike,
        r#type::{DimSize, IntegerType, MemRefType},
    },
};

use super::forall_to_gpu::swaps::{NOWHERE, become_swaps};
use crate::support::{builder::Builder, diag::Result};

/// LLVM's number of `monotonic`.
const MONOTONIC: i64 = 2;
/// LLVM's name for the threads of one of NVIDIA's devices.
const DEVICE: &str = "device";

/// Runs the pass; returns how many operations were changed.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    become_swaps(context, module, NOWHERE)?;
    let (mut updates, mut kernels) = (vec![], vec![]);
    module.for_each(&mut |op| match op.op_name() {
        "memref.generic_atomic_rmw" => updates.push(op),
        "gpu.module" => kernels.push(op),
        _ => {}
    });
    let mut changed = 0;
    for op in updates {
        changed += u64::from(use_integers(context, op).is_some());
    }
    for op in kernels {
        changed += relax(context, op);
    }
    Ok(changed)
}

/// Makes an update of floats one of integers.
fn use_integers<'c>(context: &'c Context, op: Op<'c>) -> Option<()> {
    let (buffer, result, body) = (op.opnd(0)?, op.res(0)?, op.body(0)?);
    let float = result.r#type();
    if !float.is_float_type() {
        return None;
    }
    let bits: Type = IntegerType::new(context, float_width(float)).into();
    let (now, end) = (*body.arg_list().first()?, body.term()?);
    let (first, next) = (*body.ops().first()?, end.opnd(0)?);
    let block = op.block()?;

    let b = Builder::before(context, op, block);
    let cast = b.val("builtin.unrealized_conversion_cast", &[buffer], with_elements(buffer, bits)?);
    op.set_operand(0, cast);

    now.set_type(bits);
    let value = Builder::before(context, first, body).val("arith.bitcast", &[now], float);
    replace_other_uses(now, value);
    // The element as it was may be what is stored.
    let next = if next.key() == now.key() { value } else { next };
    let next = Builder::before(context, end, body).val("arith.bitcast", &[next], bits);
    end.set_operand(0, next);

    result.set_type(bits);
    let after = Builder::before(context, op.next()?, block);
    let old = after.val("arith.bitcast", &[result], float);
    replace_other_uses(result, old);
    Some(())
}

/// Replaces all uses of a value but that by the operation that makes another of it.
fn replace_other_uses<'c>(value: Val<'c>, with: Val<'c>) {
    let maker = with.defining_op().map(|op| op.key());
    for (user, operand) in value.uses() {
        if Some(user.key()) != maker {
            user.set_operand(operand, with);
        }
    }
}

/// The type of a buffer, with other elements.
fn with_elements<'c>(buffer: Val<'c>, element: Type<'c>) -> Option<Type<'c>> {
    let old = MemRefType::try_from(buffer.r#type()).ok()?;
    let known = |size| match size {
        DimSize::Static(size) => size as i64,
        DimSize::Dynamic => DYNAMIC,
    };
    let shape: Vec<i64> = (0..old.rank()).map(|i| old.dim_size(i).map_or(DYNAMIC, known)).collect();
    Some(MemRefType::new(element, &shape, Some(old.layout()), old.memory_space()).into())
}

/// Takes away the order that updates give to other memory; returns of how many.
fn relax<'c>(context: &'c Context, kernels: Op<'c>) -> u64 {
    let targets = kernels.attr("targets").map(|targets| targets.to_string()).unwrap_or_default();
    let i64 = IntegerType::new(context, 64).into();
    let monotonic = IntegerAttribute::new(i64, MONOTONIC).into();
    let is_nvidia = targets.contains("#nvvm.target");
    let mut swaps = vec![];
    let mut changed = 0;
    kernels.for_each(&mut |op| {
        let orders: &[&str] = match op.op_name() {
            "llvm.cmpxchg" => &["success_ordering", "failure_ordering"],
            "llvm.atomicrmw" => &["ordering"],
            _ => return,
        };
        for name in orders {
            op.set_attr(context, name, monotonic);
        }
        if is_nvidia {
            op.set_attr(context, "syncscope", StringAttribute::new(context, DEVICE).into());
        }
        if is_nvidia && op.op_name() == "llvm.cmpxchg" {
            swaps.push(op);
        }
        changed += 1;
    });
    for swap in swaps {
        changes::only(context, swap);
    }
    changed
}
