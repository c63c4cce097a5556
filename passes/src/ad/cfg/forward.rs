//! Forward mode: every block is derived as it stands, and branches hand on primals and tangents.
//!
//! Source: [FUT 3], for blocks: the arguments of a block are bundles of all primals and the tangents of the active ones.
//! Edge cases: one block that two edges of a branch lead to; blocks that never return.
//! Tests: test/ad/jvp/cf-*.mlir, test/ad/numeric/cf-*.mlir.

use ad_dialect::{
    blocks::{add_block, deciding, handed_on, region_of, successors},
    ir::{Blk, BlkExt, Op, Val},
};
use melior::ir::operation::OperationLike;

use super::{Blocks, copy_branch};
use crate::{
    ad::{Session, Task, jvp::Jvp, pick},
    support::{
        builder::Builder,
        diag::{Result, internal_error},
    },
};

/// Fills the jvp of a function in normal form.
pub fn function<'c>(session: &mut Session<'c>, source: Op<'c>, task: Task<'c>) -> Result<()> {
    let blocks = Blocks::of(source)?;
    let Some(region) = region_of(task.to) else {
        return Err(internal_error(source, "derivative without body"));
    };
    let context = session.context();
    let wanted = pick(&task.results, &task.of);
    let b = Builder::at_end(context, task.to, task.location);
    let mut jvp = Jvp::new(session, b, task.activity);
    let mut new = vec![task.to];
    jvp.unbundle(&task.arguments, &task.wrt, &task.to.arg_list());
    let buffers = jvp.make_tangents(&task.arguments);
    for block in &blocks.list[1..] {
        let arguments = block.arg_list();
        let active = jvp.active_of(&arguments);
        let types = Jvp::bundle_types(&arguments, &active);
        let made = add_block(region, &types, task.location);
        jvp.unbundle(&arguments, &active, &made.arg_list());
        new.push(made);
    }
    for number in blocks.graph.order() {
        let block = blocks.list[number];
        jvp.b = Builder::at_end(context, new[number], task.location);
        jvp.block_here(block)?;
        let Some(end) = block.term() else { continue };
        jvp.b = jvp.b.with_location(end.location());
        if number == blocks.exit {
            jvp.free(&buffers);
            let returned = jvp.bundle(&task.results, &wanted);
            jvp.b.op("func.return", &returned, &[]);
        } else if successors(end).is_empty() {
            jvp.copy(end);
        } else {
            let to: Vec<_> = blocks.graph.next(number).iter().map(|&to| new[to]).collect();
            let edges = edges(&jvp, end, &to);
            copy_branch(&jvp.b, end, deciding(end).map(|value| jvp.primal(value)), &edges);
        }
    }
    Ok(())
}

/// The edges of a branch, to new blocks with bundles.
fn edges<'c>(jvp: &Jvp<'_, 'c>, end: Op<'c>, to: &[Blk<'c>]) -> Vec<(Blk<'c>, Vec<Val<'c>>)> {
    let targets = successors(end).into_iter().zip(to);
    let bundle = |((old, &new), values): ((Blk<'c>, &Blk<'c>), Vec<Val<'c>>)| {
        let pairs = old.arg_list().into_iter().zip(&values);
        let active: Vec<_> =
            pairs.filter(|(arg, _)| jvp.is_active(*arg)).map(|(_, v)| *v).collect();
        (new, jvp.bundle(&values, &active))
    };
    targets.zip(handed_on(end)).map(bundle).collect()
}
