//! Copies of buffers become parallel loops over their elements.

use ad_dialect::ir::{BlkExt, Op, OpExt};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::Builder,
    memory::{allocate, dim, element, rank, static_size},
    region::replace,
};

/// Replaces all copies in a function.
pub fn become_loops<'c>(context: &'c Context, function: Op<'c>) {
    let mut copies = vec![];
    function.for_each(&mut |op| {
        if matches!(op.op_name(), "memref.copy" | "bufferization.clone") {
            copies.push(op);
        }
    });
    copies.into_iter().for_each(|op| {
        if op.op_name() == "memref.copy" {
            become_loop(context, op);
        } else {
            become_copy(context, op);
        }
    });
}

/// A clone is a copy to a buffer of its own.
fn become_copy<'c>(context: &'c Context, op: Op<'c>) -> Option<()> {
    let b = Builder::before(context, op, op.block()?);
    let from = op.opnd(0)?;
    let unknown = (0..rank(from)).filter(|&d| static_size(op.result_list()[0], d).is_none());
    let sizes: Vec<_> = unknown.map(|d| dim(&b, from, d)).collect();
    let to = allocate(&b, "memref.alloc", op.res(0)?.r#type(), &sizes);
    let copy = b.op("memref.copy", &[from, to], &[]);
    replace(op, &[to]);
    become_loop(context, copy)
}

fn become_loop<'c>(context: &'c Context, op: Op<'c>) -> Option<()> {
    let b = Builder::before(context, op, op.block()?);
    let (from, to) = (op.opnd(0)?, op.opnd(1)?);
    let element = element(from)?;
    if rank(from) == 0 {
        let value = b.val("memref.load", &[from], element);
        b.op("memref.store", &[value, to], &[]);
        op.erase();
        return Some(());
    }
    let dimensions = rank(from);
    let sizes: Vec<_> = (0..dimensions).map(|d| dim(&b, from, d)).collect();
    let bounds = [vec![b.index(0); dimensions], sizes, vec![b.index(1); dimensions]].concat();
    let n = dimensions as i32;
    let attributes = [("operandSegmentSizes", b.i32s_attr(&[n, n, n, 0]))];
    let arguments = vec![b.index_type(); dimensions];
    let nest = b.op_with("scf.parallel", &bounds, &[], &attributes, &[arguments]);
    let body = nest.body(0)?;
    let inner = b.into_block(body);
    let indices = body.arg_list();
    let value = inner.val("memref.load", &[&[from], &indices[..]].concat(), element);
    inner.op("memref.store", &[&[value, to], &indices[..]].concat(), &[]);
    inner.op("scf.reduce", &[], &[]);
    op.erase();
    Some(())
}
