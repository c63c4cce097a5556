//! What functions of the host do with buffers.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val, ValExt};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use super::{is_of_deallocation, make};
use crate::{
    lower::declare::declare_llvm,
    support::{
        builder::Builder,
        diag::{Result, error, internal_error},
        memory::{address, allocate, base, bytes_of, element, is_array, with_plain_layout},
        region::replace,
        symbol::find,
    },
};

/// Moves the buffers of a function to the device; returns how many it makes there.
pub fn lower<'c>(context: &'c Context, top: Blk<'c>, function: Op<'c>) -> Result<u64> {
    let mut count = 0;
    for op in all(function) {
        let Some(block) = op.block() else { continue };
        let b = Builder::before(context, op, block);
        match op.op_name() {
            "memref.alloc" | "memref.alloca" if !is_bookkeeping(op) => {
                let new = make(&b, op.result_list()[0].r#type(), &op.operand_list());
                if op.op_name() == "memref.alloca"
                    && let Some(end) = block.term()
                {
                    Builder::before(context, end, block).op("gpu.dealloc", &[new], &[]);
                }
                replace(op, &[new]);
                count += 1;
            }
            "memref.get_global" if !is_read_by_host(op) => {
                constant(context, top, function, op)?;
                count += 1;
            }
            "func.call" => check_call(top, op)?,
            _ => {}
        }
    }
    for op in all(function) {
        let is_on_host = |buffer: Val<'c>| {
            let maker = base(buffer).defining_op();
            maker.is_some_and(|op| op.op_name().starts_with("memref."))
        };
        let Some(block) = op.block() else { continue };
        let b = Builder::before(context, op, block);
        match op.op_name() {
            "memref.dealloc" if !op.opnd(0).is_some_and(is_on_host) => {
                b.op("gpu.dealloc", &op.operand_list(), &[]);
                op.erase();
            }
            "memref.load" if !op.opnd(0).is_some_and(is_on_host) => {
                load(&b, top, function, op)?;
            }
            "memref.reshape" if !op.opnd(1).is_some_and(is_on_host) => {
                sizes_on_host(&b, function, op)?;
            }
            _ => {}
        }
    }
    Ok(count)
}

fn all<'c>(function: Op<'c>) -> Vec<Op<'c>> {
    let mut ops = vec![];
    function.for_each(&mut |op| ops.push(op));
    ops
}

/// Whether a buffer is a list that only upstream's deallocation reads: nothing that runs on the device can have filled
/// it.
fn is_bookkeeping(alloc: Op<'_>) -> bool {
    fn is_unseen(buffer: Val<'_>) -> bool {
        buffer.users().into_iter().all(|user| match user.op_name() {
            "memref.store" | "memref.load" | "memref.dealloc" | "memref.dim" => true,
            "func.call" => {
                let callee = user.attr("callee").map(|callee| callee.to_string());
                callee.is_some_and(|name| is_of_deallocation(name.trim_start_matches('@')))
            }
            "memref.cast" => user.res(0).is_none_or(is_unseen),
            _ => false,
        })
    }
    alloc.res(0).is_none_or(is_unseen)
}

/// Whether only the host reads a constant.
fn is_read_by_host(global: Op<'_>) -> bool {
    let users = global.res(0).map(|array| array.users()).unwrap_or_default();
    users.into_iter().all(|user| user.op_name() == "memref.load")
}

/// Copies a constant to the device where the function starts.
fn constant<'c>(
    context: &'c Context,
    top: Blk<'c>,
    function: Op<'c>,
    global: Op<'c>,
) -> Result<()> {
    let name = global.attr("name").map(|name| name.to_string()).unwrap_or_default();
    if find(top, &name).is_some_and(|op| op.attr("constant").is_none()) {
        return Err(error(global, "is a variable of the host, which kernels cannot change"));
    }
    let failed = || internal_error(global, "constant is in no function");
    let entry = function.body(0).ok_or_else(failed)?;
    let first = entry.ops().into_iter().next().ok_or_else(failed)?;
    let b = Builder::before(context, first, entry).with_location(global.location());
    let array = global.res(0).ok_or_else(failed)?;
    let copy = make(&b, array.r#type(), &[]);
    array.replace_all_uses(copy);
    global.detach();
    entry.insert_before(first, global);
    b.op("gpu.memcpy", &[copy, array], &[]);
    for block in function.blocks() {
        if let Some(end) = block.term().filter(|end| end.op_name() == "func.return") {
            Builder::before(context, end, block).op("gpu.dealloc", &[copy], &[]);
        }
    }
    Ok(())
}

/// Copies the sizes that an array is given from the device: the host has to know them.
fn sizes_on_host<'c>(b: &Builder<'c>, function: Op<'c>, op: Op<'c>) -> Result<()> {
    let failed = || internal_error(op, "reshape has no sizes");
    let sizes = op.opnd(1).ok_or_else(failed)?;
    let start = at_start(b, function, op)?;
    let copy = allocate(&start, "memref.alloca", with_plain_layout(sizes.r#type()), &[]);
    b.op("gpu.memcpy", &[copy, sizes], &[]);
    op.set_operand(1, copy);
    Ok(())
}

/// Builds where a function starts, for an operation in it.
fn at_start<'c>(b: &Builder<'c>, function: Op<'c>, op: Op<'c>) -> Result<Builder<'c>> {
    let failed = || internal_error(op, "is in no function");
    let entry = function.body(0).ok_or_else(failed)?;
    let first = entry.ops().into_iter().next().ok_or_else(failed)?;
    Ok(Builder::before(b.context(), first, entry).with_location(op.location()))
}

/// Copies an element from the device, and waits for it.
fn load<'c>(b: &Builder<'c>, top: Blk<'c>, function: Op<'c>, op: Op<'c>) -> Result<()> {
    let context = b.context();
    let failed = || internal_error(op, "load has no address");
    let operands = op.operand_list();
    let (&buffer, indices) = operands.split_first().ok_or_else(failed)?;
    let r#type = element(buffer).ok_or_else(failed)?;
    let bytes =
        bytes_of(r#type).ok_or_else(|| error(op, "reads a value that has no place in memory"))?;
    let parse = |text: &str| Type::parse(context, text).ok_or_else(failed);
    let (i64, pointer) = (parse("i64")?, parse("!llvm.ptr")?);
    if !declare_llvm(context, top, "mgpuMemcpy", "(!llvm.ptr, !llvm.ptr, i64, !llvm.ptr)") {
        return Err(error(op, "calls @mgpuMemcpy of the runtime, but the name is taken"));
    }
    let start = at_start(b, function, op)?;
    let slot =
        allocate(&start, "memref.alloca", parse(&format!("memref<{type}>", type = r#type))?, &[]);
    let as_pointer = |address: Val<'c>| {
        let address = b.val("arith.index_cast", &[address], i64);
        b.val("llvm.inttoptr", &[address], pointer)
    };
    let from = as_pointer(address(b, buffer, indices).ok_or_else(failed)?);
    let to = as_pointer(address(b, slot, &[]).ok_or_else(failed)?);
    let size = b.val("arith.index_cast", &[b.index(bytes)], i64);
    let stream = b.val("llvm.mlir.zero", &[], pointer);
    b.llvm_call("mgpuMemcpy", &[to, from, size, stream], &[]);
    replace(op, &[b.val("memref.load", &[slot], r#type)]);
    Ok(())
}

/// Refuses to hand arrays to functions of libraries, which are the host's.
fn check_call(top: Blk<'_>, call: Op<'_>) -> Result<()> {
    let name = call.attr("callee").map(|callee| callee.to_string()).unwrap_or_default();
    let takes_arrays = call.operand_list().into_iter().any(is_array);
    if takes_arrays && find(top, &name).is_some_and(|op| op.body(0).is_none()) {
        return Err(error(call, "gives arrays of the device to a function of a library"));
    }
    Ok(())
}
