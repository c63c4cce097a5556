//! Copies of buffers become parallel loops over their elements.

use ad_dialect::ir::{BlkExt, Op, OpExt};
use melior::{Context, ir::operation::OperationLike};

use crate::support::{builder::Builder, memory::rank};

/// Replaces all copies in a function.
pub fn become_loops<'c>(context: &'c Context, function: Op<'c>) {
    let mut copies = vec![];
    function.for_each(&mut |op| {
        if op.op_name() == "memref.copy" {
            copies.push(op);
        }
    });
    copies.into_iter().for_each(|op| {
        become_loop(context, op);
    });
}

fn become_loop<'c>(context: &'c Context, op: Op<'c>) -> Option<()> {
    let b = Builder::before(context, op, op.block()?);
    let (from, to) = (op.opnd(0)?, op.opnd(1)?);
    let element = crate::support::memory::element(from)?;
    if rank(from) == 0 {
        let value = b.val("memref.load", &[from], element);
        b.op("memref.store", &[value, to], &[]);
        op.erase();
        return Some(());
    }
    let dimensions = rank(from);
    let sizes = (0..dimensions)
        .map(|d| b.val("memref.dim", &[from, b.index(d as i64)], b.index_type()))
        .collect::<Vec<_>>();
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
