//! `keep-deallocations`: buffers that a program frees itself are not freed for it.
//!
//! Buffers that a program makes and frees, and the shadows that derivatives make and free, are marked for upstream's
//! deallocation, which leaves them alone then. Whatever else is allocated is freed for the program.

use std::collections::HashSet;

use ad_dialect::ir::{Op, OpExt, ValExt};
use melior::{Context, ir::Attribute};

use crate::support::{
    diag::Result,
    roots::{Root, allocations},
};

/// The attribute that upstream reads.
const MARK: &str = "bufferization.manual_deallocation";

/// Marks what frees buffers in an operation, and what allocates them; returns how many of the former there are.
pub fn run<'c>(context: &'c Context, root: Op<'c>) -> Result<u64> {
    let mut functions = vec![];
    root.for_each(&mut |op| {
        if op.op_name() == "func.func" {
            functions.push(op);
        }
    });
    Ok(functions.into_iter().map(|function| mark(context, function)).sum())
}

fn mark<'c>(context: &'c Context, function: Op<'c>) -> u64 {
    let (mut frees, mut makes) = (vec![], vec![]);
    function.for_each(&mut |op| match op.op_name() {
        "memref.dealloc" => frees.push(op),
        "memref.alloc" => makes.push(op),
        _ => {}
    });
    let freed: HashSet<Root> =
        frees.iter().filter_map(|op| op.opnd(0)).flat_map(allocations).collect();
    let is_known = freed.iter().all(|root| matches!(root, Root::Allocated(_)));
    let is_freed = |op: &Op<'c>| {
        let own = op.res(0).map(|buffer| Root::Allocated(buffer.key()));
        !is_known || own.is_some_and(|own| freed.contains(&own))
    };
    // Where it is not known what is freed, everything is taken to be.
    let makes = makes.into_iter().filter(|op| !frees.is_empty() && is_freed(op));
    for op in frees.iter().copied().chain(makes) {
        op.set_attr(context, MARK, Attribute::unit(context));
    }
    frees.len() as u64
}
