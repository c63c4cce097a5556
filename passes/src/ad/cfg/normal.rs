//! The form in which the engines take a function with several blocks.
//!
//! * Every block is reached from the entry, and one block returns, whatever the function returns from [ZYG 3.1].
//! * An `scf.execute_region` with several blocks is part of the graph, and so are loops and branches of `scf` around it.
//! * No edge is *critical*: from a block with several edges to one that several edges lead to. So what happens along an
//!   edge has a block to be in, and loops are left to blocks that are reached by that edge only.

use ad_dialect::{
    blocks::{
        add_block, erase_blocks, hand_on, handed_on, in_order, is_branch, move_block, redirect,
        region_of, successors,
    },
    ir::{Blk, BlkExt, Op, OpExt, Reg, Val, ValExt},
};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use super::{is_graph_region, unnest};
use crate::{
    ad::Session,
    support::{
        builder::Builder,
        diag::{Result, internal_error},
    },
};

/// Brings a function, which is a copy, into normal form.
pub fn normalise<'c>(session: &Session<'c>, function: Op<'c>, mode: &str) -> Result<()> {
    let context = session.context();
    let entry = function.body(0);
    let Some((entry, region)) = entry.and_then(|block| Some((block, region_of(block)?))) else {
        return Err(internal_error(function, "function without body"));
    };
    unnest(context, function, &is_graph_region)?;
    erase_unreachable(function, entry);
    for end in function.blocks().into_iter().filter_map(|block| block.term()) {
        if !successors(end).is_empty() && !is_branch(end) {
            let message = format!("has no {mode} rule: only branches of 'cf' are known");
            return Err(session.refuse(end, &message));
        }
    }
    merge_returns(session, function, region, mode)?;
    split_critical_edges(context, function, region);
    Ok(())
}

/// Makes the blocks of a region blocks of the function: its yields become branches to what comes after it.
pub(super) fn splice<'c>(context: &'c Context, op: Op<'c>, region: Reg<'c>) -> Result<()> {
    let (Some(block), Some(entry)) = (op.block(), op.body(0)) else {
        return Err(internal_error(op, "region without blocks"));
    };
    let rest = split_behind(op, region);
    let blocks = op.blocks();
    for &inner in &blocks {
        move_block(inner, region);
        if let Some(end) = inner.term().filter(|end| end.op_name() == "scf.yield") {
            let b = Builder::before(context, end, inner);
            b.branch(&(rest, end.operand_list()));
            end.erase();
        }
    }
    Builder::before(context, op, block).branch(&(entry, vec![]));
    op.erase();
    Ok(())
}

/// Moves what comes after an operation to a new block, which gets what the operation gave.
pub(super) fn split_behind<'c>(op: Op<'c>, region: Reg<'c>) -> Blk<'c> {
    let types: Vec<Type<'c>> = op.result_list().iter().map(|result| result.r#type()).collect();
    let rest = add_block(region, &types, op.location());
    for later in std::iter::successors(op.next(), |later| later.next()).collect::<Vec<_>>() {
        later.detach();
        rest.push(later);
    }
    for (old, new) in op.result_list().into_iter().zip(rest.arg_list()) {
        old.replace_all_uses(new);
    }
    rest
}

fn erase_unreachable<'c>(function: Op<'c>, entry: Blk<'c>) {
    let seen = in_order(entry);
    let gone: Vec<_> =
        function.blocks().into_iter().filter(|block| !seen.contains(block)).collect();
    erase_blocks(&gone);
}

/// Several returns become branches to one block that returns.
fn merge_returns<'c>(
    session: &Session<'c>,
    function: Op<'c>,
    region: Reg<'c>,
    mode: &str,
) -> Result<()> {
    let ends = function.blocks().into_iter().filter_map(|block| block.term());
    let returns: Vec<_> = ends.filter(|end| end.op_name() == "func.return").collect();
    let Some(first) = returns.first() else {
        let message = format!("has no {mode} rule: it never returns");
        return Err(session.refuse(function, &message));
    };
    if returns.len() == 1 {
        return Ok(());
    }
    let context = session.context();
    let types: Vec<_> = first.operand_list().iter().map(|value| value.r#type()).collect();
    let exit = add_block(region, &types, first.location());
    Builder::at_end(context, exit, first.location()).op("func.return", &exit.arg_list(), &[]);
    for end in returns {
        if let Some(block) = end.block() {
            Builder::before(context, end, block).branch(&(exit, end.operand_list()));
            end.erase();
        }
    }
    Ok(())
}

/// Puts a block in the middle of each critical edge.
fn split_critical_edges<'c>(context: &'c Context, function: Op<'c>, region: Reg<'c>) {
    let ends: Vec<_> = function.blocks().into_iter().filter_map(|block| block.term()).collect();
    let targets: Vec<Blk<'c>> = ends.iter().flat_map(|end| successors(*end)).collect();
    for end in ends {
        let next = successors(end);
        if next.len() < 2 {
            continue;
        }
        let mut handed: Vec<Vec<Val<'c>>> = handed_on(end);
        for (k, to) in next.into_iter().enumerate() {
            if targets.iter().filter(|target| **target == to).count() < 2 {
                continue;
            }
            let middle = add_block(region, &[], end.location());
            let values = std::mem::take(&mut handed[k]);
            Builder::at_end(context, middle, end.location()).branch(&(to, values));
            redirect(end, k, middle);
        }
        hand_on(context, end, &handed);
    }
}
