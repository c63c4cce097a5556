//! `ad-fuse`: combinators that read what other combinators make become one.
//!
//! Reading order: `vertical` (a map runs in the map that reads it), `horizontal`
//! (combinators that read the same arrays run together), `choices` (arrays of which one is taken), `join` (what is in between),
//! `share` (what two operations compute that cannot be one), `block` (order in a block).
//!
//! A map that one reduction, scan, histogram or scatter reads stays as it is: the
//! lowering runs it there. So a map is not merged with another one if that would give
//! it a second reader.

pub mod block;
mod choices;
mod horizontal;
mod join;
mod share;
mod vertical;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, ValExt};
use melior::{Context, ir::ValueLike};

use crate::support::{combinator::array_result_count, diag::Result};

/// Runs the pass on a module; returns how many combinators were merged into others.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut fused = 0;
    let mut blocks = module.blocks();
    while let Some(here) = blocks.pop() {
        here.ops().into_iter().filter(|op| op.op_name() == "soac.map").for_each(share_results);
        fused += choices::move_all(context, here);
        loop {
            let merged = join::join_all(context, here)?
                + vertical::fuse_all(context, here)?
                + horizontal::reductions(context, here)?
                + horizontal::histograms(context, here)?
                + horizontal::maps(context, here)?;
            if merged == 0 {
                break;
            }
            fused += merged;
        }
        fused += share::share_all(context, here)?;
        blocks.extend(here.ops().into_iter().flat_map(|op| op.blocks()));
    }
    Ok(fused)
}

/// Merges the maps of a block that others read.
pub fn fuse_maps<'c>(context: &'c Context, block: Blk<'c>) -> Result<()> {
    while vertical::fuse_all(context, block)? > 0 {}
    Ok(())
}

/// Makes one result of those that are the same value in every iteration.
fn share_results(map: Op<'_>) {
    let yielded = map.body(0).and_then(|body| body.term()).map(|end| end.operand_list());
    let yielded = yielded.unwrap_or_default();
    let results = map.result_list();
    for i in 1..array_result_count(map) {
        let same = (0..i).find(|&j| {
            yielded.get(i).map(ValExt::key) == yielded.get(j).map(ValExt::key)
                && results.get(i).map(|v| v.r#type()) == results.get(j).map(|v| v.r#type())
        });
        if let (Some(same), Some(result)) = (same.and_then(|j| results.get(j)), results.get(i)) {
            result.replace_all_uses(*same);
        }
    }
}
