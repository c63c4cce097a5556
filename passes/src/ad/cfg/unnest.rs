//! Structured control flow as blocks, where it is around what may not run again.
//!
//! Rules for loops and branches run bodies a second time. A call of which the forward half has left something on a tape may
//! not: the operations around it become blocks, which block inversion does not run again. So do those around other blocks.

use ad_dialect::{
    blocks::{add_block, move_block, region_of},
    ir::{Blk, BlkExt, Op, OpExt, Reg, i64_array},
};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use super::normal::{splice, split_behind};
use crate::support::{
    builder::{Builder, CMP_EQ, CMP_SLT, CMP_ULT, Edge},
    diag::{Result, internal_error},
};

/// What becomes blocks.
pub const STRUCTURED: [&str; 5] =
    ["scf.execute_region", "scf.for", "scf.if", "scf.index_switch", "scf.while"];

/// Makes blocks of the structured operations of a function, which is a copy, that some operation is inside of.
pub fn unnest<'c>(
    context: &'c Context,
    function: Op<'c>,
    is_inside: &dyn Fn(Op<'c>) -> bool,
) -> Result<()> {
    let Some(region) = function.body(0).and_then(region_of) else {
        return Err(internal_error(function, "function without body"));
    };
    while let Some(op) = next(function, is_inside) {
        match op.op_name() {
            "scf.execute_region" => splice(context, op, region)?,
            _ => lower(context, op, region)?,
        }
    }
    Ok(())
}

fn next<'c>(function: Op<'c>, is_inside: &dyn Fn(Op<'c>) -> bool) -> Option<Op<'c>> {
    let ops = function.blocks().into_iter().flat_map(|block| block.ops());
    ops.filter(|op| STRUCTURED.contains(&op.op_name())).find(|op| {
        let mut found = false;
        op.for_each(&mut |inner| found |= is_inside(inner));
        found
    })
}

fn lower<'c>(context: &'c Context, op: Op<'c>, region: Reg<'c>) -> Result<()> {
    let Some(block) = op.block() else {
        return Err(internal_error(op, "operation outside of a block"));
    };
    let rest = split_behind(op, region);
    let b = Builder::at_end(context, block, op.location());
    let operands = op.operand_list();
    let bodies = op.blocks();
    bodies.iter().for_each(|&body| move_block(body, region));
    op.detach();
    match (op.op_name(), &bodies[..]) {
        ("scf.if", &[yes]) => {
            b.cond_branch(operands[0], [&(yes, vec![]), &(rest, vec![])]);
            leave(context, yes, rest);
        }
        ("scf.if", &[yes, no]) => {
            b.cond_branch(operands[0], [&(yes, vec![]), &(no, vec![])]);
            leave(context, yes, rest);
            leave(context, no, rest);
        }
        ("scf.for", &[body]) => {
            let types: Vec<_> = body.arg_list().iter().map(|arg| arg.r#type()).collect();
            let header = add_block(region, &types, op.location());
            let values = header.arg_list();
            b.branch(&(header, [&operands[..1], &operands[3..]].concat()));
            let h = b.into_block(header);
            let less = if op.attr("unsignedCmp").is_some() { CMP_ULT } else { CMP_SLT };
            let goes_on = h.compare(less, values[0], operands[1]);
            h.cond_branch(goes_on, [&(body, values.clone()), &(rest, values[1..].to_vec())]);
            if let Some(end) = body.term() {
                let b = Builder::before(context, end, body);
                let next = b.add(body.arg_list()[0], operands[2]);
                b.branch(&(header, [&[next], &end.operand_list()[..]].concat()));
                end.erase();
            }
        }
        ("scf.while", &[before, after]) => {
            b.branch(&(before, operands));
            if let Some(end) = before.term() {
                let passed = end.operand_list();
                let values = passed[1..].to_vec();
                let b = Builder::before(context, end, before);
                b.cond_branch(passed[0], [&(after, values.clone()), &(rest, values)]);
                end.erase();
            }
            leave(context, after, before);
        }
        ("scf.index_switch", [default, cases @ ..]) => {
            let numbers = op.attr("cases").and_then(i64_array).unwrap_or_default();
            let mut at = b;
            for (k, (&case, number)) in cases.iter().zip(numbers).enumerate() {
                let is_last = k + 1 == cases.len();
                let other = if is_last { *default } else { add_block(region, &[], op.location()) };
                let is_it = at.compare(CMP_EQ, operands[0], at.index(number));
                let edges: [Edge<'c>; 2] = [(case, vec![]), (other, vec![])];
                at.cond_branch(is_it, [&edges[0], &edges[1]]);
                at = at.into_block(other);
            }
            if cases.is_empty() {
                b.branch(&(*default, vec![]));
            }
            bodies.iter().for_each(|&body| leave(context, body, rest));
        }
        _ => return Err(internal_error(op, "structured operation that is not known")),
    }
    op.erase();
    Ok(())
}

/// What a block yields goes to another block.
fn leave<'c>(context: &'c Context, block: Blk<'c>, to: Blk<'c>) {
    if let Some(end) = block.term() {
        Builder::before(context, end, block).branch(&(to, end.operand_list()));
        end.erase();
    }
}
