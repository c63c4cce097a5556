//! `lower-forall-to-openmp`: the iterations of outermost `scf.forall` over buffers run on threads.

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, i32_array, i64_array};
use melior::{Context, ir::operation::OperationLike};

use crate::support::{
    builder::{Builder, CMP_SGT},
    region::move_body,
};

/// Lowers a module; returns how many loops run on threads.
pub fn lower<'c>(context: &'c Context, module: Op<'c>, threads: i64) -> u64 {
    if threads < 2 {
        return 0;
    }
    let mut loops = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "scf.forall" && is_outermost(op) {
            loops.push(op);
        }
    });
    loops.into_iter().filter(|&op| lower_loop(context, op, threads).is_some()).count() as u64
}

/// Threads that start threads would be more than there are cores.
fn is_outermost(op: Op<'_>) -> bool {
    let mut around = op.parent();
    while let Some(op) = around {
        if matches!(op.op_name(), "scf.forall" | "omp.parallel") {
            return false;
        }
        around = op.parent();
    }
    true
}

fn lower_loop<'c>(context: &'c Context, op: Op<'c>, threads: i64) -> Option<()> {
    let (block, body) = (op.block()?, op.body(0)?);
    let b = Builder::before(context, op, block);
    let segments = op.attr("operandSegmentSizes").and_then(i32_array)?;
    let mut operands = op.operand_list().into_iter();
    let mut bounds = vec![];
    for name in ["staticLowerBound", "staticUpperBound", "staticStep"] {
        let [bound] = op.attr(name).and_then(i64_array)?[..] else { return None };
        bounds.push(if bound == DYNAMIC { operands.next()? } else { b.index(bound) });
    }
    // Results are tensors, which are not shared by assignment.
    if segments.last() != Some(&0) || op.result_count() != 0 {
        return None;
    }
    let is_large = match op.attr("staticUpperBound").and_then(i64_array)?[..] {
        // There are no threads to start for one iteration.
        [DYNAMIC] => vec![b.compare(CMP_SGT, bounds[1], b.add(bounds[0], bounds[2]))],
        _ => vec![],
    };
    let count = b.i32(threads);
    let segments = ("operandSegmentSizes", b.i32s_attr(&[0, 0, is_large.len() as i32, 1, 0, 0]));
    let operands = [&is_large[..], &[count]].concat();
    let parallel = b.op_with("omp.parallel", &operands, &[], &[segments], &[vec![]]);
    let inner = b.into_block(parallel.body(0)?);
    let segments = ("operandSegmentSizes", b.i32s_attr(&[0; 7]));
    let shared = inner.op_with("omp.wsloop", &[], &[], &[segments], &[vec![]]);
    inner.op("omp.terminator", &[], &[]);
    let around = b.into_block(shared.body(0)?);
    let arguments = vec![b.index_type()];
    let nest = around.op_with("omp.loop_nest", &bounds, &[], &[], &[arguments]);
    let inside = b.into_block(nest.body(0)?);
    move_body(&inside, body, &nest.body(0)?.arg_list());
    inside.op("omp.yield", &[], &[]);
    op.erase();
    Some(())
}
