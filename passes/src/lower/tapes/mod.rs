//! `lower-tapes`: tapes are arrays that grow, one for each component [ZYG 3.2].
//!
//! ```text
//! struct { count, room, [f64]*, [i64]*, .. }         of !ad.tape<f64, index, ..>
//!
//! push t, x, i:  if (t.count == t.room)              pop t:  t.count -= 1
//!                  each array = copy of it with 2 room       t.xs[t.count], t.is[t.count]
//!                t.xs[t.count] = x
//!                t.is[t.count] = i
//!                t.count += 1
//! ```
//! A tensor of static size is as many elements of its array. Tensors of other sizes are one after the other in
//! an array that grows by itself, and their sizes in the array that has an element for each entry.
//!
//! LLVM keeps the record in registers where it is on the stack and its address goes nowhere, so that the loop that pushes
//! an f64 compares, stores and counts. What copies an array is a function of its own, which is cold. It is not `realloc`,
//! which takes large arrays from the system page by page, where blocks from `malloc` come in large pages.
//!
//! Kernels have tapes in the memory of the device, whose `malloc` and `free` threads call. Between kernels the host hands on
//! the address of the record, as a number.
//!
//! In reading order: `record` (what a tape is), `access` (what is done with it), `owned` (tensors become buffers, which
//! the host can have on a device).

mod access;
mod owned;
mod record;

use ad_dialect::{
    capi,
    ir::{Blk, BlkExt, Op, OpExt, parse_ops},
};
use melior::{Context, ir::Type};

use super::declare;
use crate::support::{
    diag::{Result, error, internal_error},
    memory::is_tape_access,
    retype::change_types,
    symbol::{find, name_of},
};
use access::{Access, Kind};
use owned::OWNED;
use record::Layout;

pub use owned::{own, tape_of};
pub use record::Place;

/// Lowers a module; returns how many tapes are created.
pub fn lower<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    lower_some(context, module, operations(module), Place::Host)
}

/// Lowers operations that threads of kernels run, and that are all that is done with tapes of their types.
pub fn lower_in_kernels<'c>(context: &'c Context, module: Op<'c>, ops: Vec<Op<'c>>) -> Result<()> {
    lower_some(context, module, ops, Place::Kernel).map(|_| ())
}

/// All that is done with tapes.
pub fn operations(module: Op<'_>) -> Vec<Op<'_>> {
    let mut found = vec![];
    module.for_each(&mut |op| found.extend(is_tape_access(op).then_some(op)));
    found
}

fn lower_some<'c>(
    context: &'c Context,
    module: Op<'c>,
    ops: Vec<Op<'c>>,
    place: Place,
) -> Result<u64> {
    let Some(top) = module.body(0) else { return Ok(0) };
    let types: Vec<_> = ops.iter().filter_map(|&op| tape_of(op)).collect();
    // What has to be known of them is found before anything changes.
    let accesses = ops.into_iter().map(|op| access(context, op, place));
    let accesses = accesses.collect::<Result<Vec<_>>>()?;
    if !accesses.is_empty() {
        declare_functions(context, top, module, place)?;
    }
    let owns =
        |access: &Access<'_>| matches!(&access.kind, Kind::Free { owned, .. } if !owned.is_empty());
    if place == Place::Host && accesses.iter().any(owns) {
        let found = declare::declare_llvm(context, top, FREE_ON_DEVICE, "(!llvm.ptr, !llvm.ptr)");
        found
            .then_some(())
            .ok_or_else(|| error(module, "has a function @mgpuMemFree, which the runtime has"))?;
    }
    let handle = Type::parse(context, place.handle());
    let handle = handle.ok_or_else(|| internal_error(module, "there are no handles"))?;
    let is_own =
        |old: &Type<'c>| place == Place::Host && capi::is_tape(*old) || types.contains(old);
    change_types(context, module, |old| if is_own(&old) { handle } else { old });
    let mut count = 0;
    for access in accesses {
        let op = access.op;
        count += u64::from(matches!(access.kind, Kind::Create { .. }));
        access.lower(context).ok_or_else(|| internal_error(op, "access cannot be lowered"))?;
    }
    Ok(count)
}

fn access<'c>(context: &'c Context, op: Op<'c>, place: Place) -> Result<Access<'c>> {
    let layout = tape_of(op).and_then(|tape| Layout::of(context, tape));
    let layout = layout.ok_or_else(|| error(op, "keeps values that have no place in memory"))?;
    let access = Access::of(op, layout, place);
    access.ok_or_else(|| error(op, "keeps tensors that are not in buffers"))
}

/// Frees a buffer of the device: its address, and the stream.
const FREE_ON_DEVICE: &str = "mgpuMemFree";

/// Adds what the C library has for tapes, and the function that copies arrays. A device has little memory for `malloc`.
fn declare_functions<'c>(
    context: &'c Context,
    top: Blk<'c>,
    module: Op<'c>,
    place: Place,
) -> Result<()> {
    let name = place.grow();
    let [begin, check, end] = match place {
        Place::Host => [
            format!(
                "llvm.func internal @{name}(%old: !llvm.ptr, %used: i64, %bytes: i64) -> (!llvm.ptr {{llvm.noalias}})
                 attributes {{passthrough = [\"cold\", \"noinline\"]}}"
            ),
            String::new(),
            "llvm.return".to_owned(),
        ],
        Place::Kernel => [
            format!("func.func private @{name}(%old: !llvm.ptr, %used: i64, %bytes: i64) -> !llvm.ptr"),
            "%null = llvm.mlir.zero : !llvm.ptr
             %is_there = llvm.icmp \"ne\" %new, %null : !llvm.ptr
             cf.assert %is_there, \"there is no memory left on the device for a tape\""
                .to_owned(),
            "return".to_owned(),
        ],
    };
    let functions = format!(
        r#"
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
{begin} {{
  %new = llvm.call @malloc(%bytes) : (i64) -> !llvm.ptr
  {check}
  "llvm.intr.memcpy"(%new, %old, %used) <{{isVolatile = false}}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.call @free(%old) : (!llvm.ptr) -> ()
  {end} %new : !llvm.ptr
}}"#
    );
    let functions = parse_ops(context, &functions);
    for op in functions.ok_or_else(|| internal_error(module, "functions are wrong"))? {
        match name_of(op).and_then(|name| find(top, &name)) {
            None => top.push(op),
            Some(other) if other.op_name() == op.op_name() => op.erase(),
            Some(other) => return Err(error(other, "has the name of a function of the C library")),
        }
    }
    Ok(())
}
