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
//! In reading order: `record` (what a tape is), `access` (what is done with it).

mod access;
mod record;

use ad_dialect::{
    capi,
    ir::{Blk, BlkExt, Op, OpExt, parse_ops},
};
use melior::{
    Context,
    ir::{Type, ValueLike},
};

use crate::support::{
    diag::{Result, error, internal_error},
    retype::change_types,
    symbol::{find, name_of},
};
use access::{Access, Kind};
use record::Layout;

/// Lowers a module; returns how many tapes are created.
pub fn lower<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let Some(top) = module.body(0) else { return Ok(0) };
    let accesses = find_accesses(context, module)?;
    if !accesses.is_empty() {
        declare(context, top, module)?;
    }
    let pointer = pointer(context, module)?;
    change_types(context, module, |old| if capi::is_tape(old) { pointer } else { old });
    let mut count = 0;
    for access in accesses {
        let op = access.op;
        count += u64::from(matches!(access.kind, Kind::Create { .. }));
        access.lower(context).ok_or_else(|| internal_error(op, "access cannot be lowered"))?;
    }
    Ok(count)
}

/// All that is done with tapes; what has to be known about it is found before anything changes.
fn find_accesses<'c>(context: &'c Context, module: Op<'c>) -> Result<Vec<Access<'c>>> {
    let mut found = vec![];
    module.for_each(&mut |op| {
        if op.op_name().starts_with("ad.tape_") {
            found.push(op);
        }
    });
    found
        .into_iter()
        .map(|op| {
            let tape = op.opnd(0).or_else(|| op.res(0)).map(|tape| tape.r#type());
            let layout = tape.and_then(|tape| Layout::of(context, tape));
            let layout =
                layout.ok_or_else(|| error(op, "keeps values that have no place in memory"))?;
            Access::of(op, layout).ok_or_else(|| error(op, "keeps tensors that are not in buffers"))
        })
        .collect()
}

fn pointer<'c>(context: &'c Context, module: Op<'c>) -> Result<Type<'c>> {
    let pointer = Type::parse(context, "!llvm.ptr");
    pointer.ok_or_else(|| internal_error(module, "there are no pointers"))
}

/// Copies an array with so many bytes to a place with more.
const GROW: &str = "ad.grow_tape";

/// Adds what the C library has for tapes, and the function that copies arrays.
fn declare<'c>(context: &'c Context, top: Blk<'c>, module: Op<'c>) -> Result<()> {
    let functions = format!(
        r#"
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func internal @{GROW}(%old: !llvm.ptr, %used: i64, %bytes: i64) -> (!llvm.ptr {{llvm.noalias}})
    attributes {{passthrough = ["cold", "noinline"]}} {{
  %new = llvm.call @malloc(%bytes) : (i64) -> !llvm.ptr
  "llvm.intr.memcpy"(%new, %old, %used) <{{isVolatile = false}}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.call @free(%old) : (!llvm.ptr) -> ()
  llvm.return %new : !llvm.ptr
}}"#
    );
    let functions = parse_ops(context, &functions);
    for op in functions.ok_or_else(|| internal_error(module, "functions are wrong"))? {
        match name_of(op).and_then(|name| find(top, &name)) {
            None => top.push(op),
            Some(other) if other.op_name() == "llvm.func" => op.erase(),
            Some(other) => return Err(error(other, "has the name of a function of the C library")),
        }
    }
    Ok(())
}
