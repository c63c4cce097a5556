//! `lower-forall-to-openmp`: the iterations of outermost `scf.forall` over buffers run on threads.

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, Val, i64_array};
use melior::{
    Context,
    ir::{Attribute, operation::OperationLike},
};

use crate::support::{
    builder::{Builder, CMP_SGT},
    combinator::constant_index,
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

/// There are no threads to start for one iteration. OpenMP takes a microsecond to find that out, so that a loop that may
/// have just one is there twice.
fn lower_loop<'c>(context: &'c Context, op: Op<'c>, threads: i64) -> Option<()> {
    // Results are tensors, which are not shared by assignment.
    if op.result_count() != 0 {
        return None;
    }
    let b = Builder::before(context, op, op.block()?);
    let bounds = bounds_of(&b, op)?;
    let [start, end, step] = bounds;
    let is_known = bounds.iter().all(|&bound| constant_index(bound).is_some());
    if is_known {
        return on_threads(&b, op, &bounds, threads);
    }
    let is_many = b.compare(CMP_SGT, end, b.add(start, step));
    let branch = b.op_with("scf.if", &[is_many], &[], &[], &[vec![], vec![]]);
    let (many, one) = (b.into_block(branch.body(0)?), b.into_block(branch.body(1)?));
    one.insert(op.clone_detached());
    on_threads(&many, op, &bounds, threads)?;
    for end in [many, one] {
        end.op("scf.yield", &[], &[]);
    }
    Some(())
}

/// Start, end and step of a loop with one dimension.
fn bounds_of<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<[Val<'c>; 3]> {
    let mut operands = op.operand_list().into_iter();
    let mut bound = |name| {
        let [bound] = op.attr(name).and_then(i64_array)?[..] else { return None };
        if bound == DYNAMIC { operands.next() } else { Some(b.index(bound)) }
    };
    Some([bound("staticLowerBound")?, bound("staticUpperBound")?, bound("staticStep")?])
}

/// Moves the body of a loop into a parallel one, which is built here.
fn on_threads<'c>(b: &Builder<'c>, op: Op<'c>, bounds: &[Val<'c>], threads: i64) -> Option<()> {
    let count = b.i32(threads);
    let segments = ("operandSegmentSizes", b.i32s_attr(&[0, 0, 0, 1, 0, 0]));
    let parallel = b.op_with("omp.parallel", &[count], &[], &[segments], &[vec![]]);
    let inner = b.into_block(parallel.body(0)?);
    // Whoever is done waits at the end of the parallel region, which is next.
    let once = ("nowait", Attribute::unit(b.context()));
    let segments = ("operandSegmentSizes", b.i32s_attr(&[0; 7]));
    let shared = inner.op_with("omp.wsloop", &[], &[], &[segments, once], &[vec![]]);
    inner.op("omp.terminator", &[], &[]);
    let around = b.into_block(shared.body(0)?);
    let arguments = vec![b.index_type()];
    let nest = around.op_with("omp.loop_nest", bounds, &[], &[], &[arguments]);
    let inside = b.into_block(nest.body(0)?);
    move_body(&inside, op.body(0)?, &nest.body(0)?.arg_list());
    inside.op("omp.yield", &[], &[]);
    op.erase();
    Some(())
}
