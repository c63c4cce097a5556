//! `ad-functions-to-loops`: functions that call themselves last as loops between blocks.
//!
//! ```text
//! f(x): .. return f(y)                       f(x): go to H(x);  H(x): .. go to H(y)
//! f(x): .. return g(y);  g(z): .. return f(w)    f(x): go to H(x);  H(x): .. go to G(y);  G(z): .. go to H(w)
//! ```
//! A call is last if what it gives is returned as it is, be it from a branch (`scf.if`) whose results are: such a branch
//! becomes blocks first. Functions that call each other last are copied into the first of them once each. Calls that
//! are not last stay calls.

use std::collections::HashMap;

use ad_dialect::{
    blocks::{add_block, redirect, region_of, successors},
    ir::{Blk, BlkExt, Op, OpExt, Reg, ValExt, text_of},
};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use crate::{
    ad::signature,
    support::{
        builder::Builder,
        diag::{Result, internal_error},
        region::{ValueMap, clone_op, rename_operands},
        symbol::name_of,
    },
};

/// Makes loops in all functions of a module; gives the number of functions that have got one.
pub fn to_loops<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let ops = module.body(0).map(|body| body.ops()).unwrap_or_default();
    let is_body = |op: &Op<'c>| op.op_name() == "func.func" && op.body(0).is_some();
    let functions: HashMap<String, Op<'c>> =
        ops.iter().copied().filter(is_body).filter_map(|op| Some((name_of(op)?, op))).collect();
    let mut made = 0;
    for function in ops.into_iter().filter(is_body) {
        let name = name_of(function).unwrap_or_default();
        if calls_itself_last(&functions, &name) {
            expand_choices(context, function)?;
            make_loop(context, &functions, &name, function)?;
            made += 1;
        }
    }
    Ok(made)
}

/// The calls that a function ends with.
fn last_calls<'c>(function: Op<'c>) -> Vec<Op<'c>> {
    function.blocks().into_iter().filter_map(|block| block.term()).flat_map(calls_at).collect()
}

/// The calls of which a terminator hands on what they give, and nothing else.
fn calls_at<'c>(end: Op<'c>) -> Vec<Op<'c>> {
    if !matches!(end.op_name(), "func.return" | "scf.yield") {
        return vec![];
    }
    match before(end) {
        Some(op) if is_handed_on(op, end) => match op.op_name() {
            "func.call" => vec![op],
            "scf.if" => {
                op.blocks().into_iter().filter_map(|b| b.term()).flat_map(calls_at).collect()
            }
            _ => vec![],
        },
        _ => vec![],
    }
}

/// The operation in front of a terminator.
fn before<'c>(end: Op<'c>) -> Option<Op<'c>> {
    end.block()?.body_ops().last().copied()
}

/// Whether a terminator hands on the results of an operation, all of them in their order.
fn is_handed_on<'c>(op: Op<'c>, end: Op<'c>) -> bool {
    let (results, values) = (op.result_list(), end.operand_list());
    results.len() == values.len()
        && results.iter().zip(&values).all(|(a, b)| a.key() == b.key() && a.users().len() == 1)
}

fn callee(call: Op<'_>) -> String {
    call.attr("callee").and_then(text_of).unwrap_or_default()
}

/// The functions that a function may go on as, by last calls.
fn calls_itself_last(functions: &HashMap<String, Op<'_>>, name: &str) -> bool {
    let mut seen: Vec<String> = vec![];
    let mut todo = vec![name.to_owned()];
    while let Some(next) = todo.pop() {
        let Some(function) = functions.get(&next) else { continue };
        for call in last_calls(*function).into_iter().map(callee) {
            if call == name {
                return true;
            }
            if !seen.contains(&call) {
                seen.push(call.clone());
                todo.push(call);
            }
        }
    }
    false
}

/// Makes blocks of the branches that a function ends with and that end with calls.
fn expand_choices<'c>(context: &'c Context, function: Op<'c>) -> Result<()> {
    loop {
        let ends = function.blocks().into_iter().filter_map(|block| block.term());
        let choice = ends
            .filter(|end| end.op_name() == "func.return" && !calls_at(*end).is_empty())
            .filter_map(|end| Some((end, before(end)?)))
            .find(|(_, op)| op.op_name() == "scf.if");
        let Some((end, choice)) = choice else { return Ok(()) };
        let place = choice.block().and_then(|block| Some((block, region_of(block)?)));
        let (Some((block, region)), Some(condition)) = (place, choice.opnd(0)) else {
            return Err(internal_error(choice, "branch without block"));
        };
        let mut edges = vec![];
        for body in [choice.body(0), choice.body(1)] {
            let new = add_block(region, &[], choice.location());
            for op in body.map(|body| body.ops()).unwrap_or_default() {
                op.detach();
                new.push(op);
            }
            let b = Builder::at_end(context, new, choice.location());
            let values = new.ends();
            new.term().into_iter().for_each(|end| end.erase());
            b.op("func.return", &values, &[]);
            edges.push((new, vec![]));
        }
        end.erase();
        if let [yes, no] = &edges[..] {
            Builder::at_end(context, block, choice.location()).cond_branch(condition, [yes, no]);
        }
        choice.erase();
    }
}

/// Goes to blocks instead of calling the function itself, or others that do so in turn.
fn make_loop<'c>(
    context: &'c Context,
    functions: &HashMap<String, Op<'c>>,
    name: &str,
    function: Op<'c>,
) -> Result<()> {
    let entry = function.body(0);
    let Some((entry, region)) = entry.and_then(|entry| Some((entry, region_of(entry)?))) else {
        return Err(internal_error(function, "function without body"));
    };
    let outputs = signature(function).map(|(_, outputs)| outputs);
    // An entry is not gone back to.
    let types: Vec<Type<'c>> = entry.arg_list().iter().map(|argument| argument.r#type()).collect();
    let header = add_block(region, &types, function.location());
    for op in entry.ops() {
        op.detach();
        header.push(op);
    }
    for (old, new) in entry.arg_list().into_iter().zip(header.arg_list()) {
        old.replace_all_uses(new);
    }
    Builder::at_end(context, entry, function.location()).branch(&(header, entry.arg_list()));
    let mut headers = HashMap::from([(name.to_owned(), header)]);
    loop {
        let calls = last_calls(function).into_iter().map(|call| (callee(call), call));
        let next = calls
            .filter(|(_, call)| call.block().and_then(region_of).is_some_and(|r| r == region))
            .find(|(callee, _)| {
                headers.contains_key(callee)
                    || functions.get(callee).is_some_and(|other| {
                        calls_back(functions, callee, name)
                            && signature(*other).map(|(_, o)| o) == outputs
                    })
            });
        let Some((callee, call)) = next else { return Ok(()) };
        let to = match headers.get(&callee) {
            Some(to) => *to,
            None => {
                let copied = functions.get(&callee).copied().unwrap_or(function);
                let to = copy_into(context, copied, region)?;
                expand_choices(context, function)?;
                headers.insert(callee, to);
                to
            }
        };
        let (Some(block), Some(end)) = (call.block(), call.next()) else {
            return Err(internal_error(call, "call without return"));
        };
        Builder::before(context, call, block).branch(&(to, call.operand_list()));
        end.erase();
        call.erase();
    }
}

/// Whether a function goes on as another one, by last calls.
fn calls_back(functions: &HashMap<String, Op<'_>>, from: &str, to: &str) -> bool {
    let mut seen: Vec<String> = vec![from.to_owned()];
    let mut todo = vec![from.to_owned()];
    while let Some(next) = todo.pop() {
        let Some(function) = functions.get(&next) else { continue };
        for call in last_calls(*function).into_iter().map(callee) {
            if call == to {
                return true;
            }
            if !seen.contains(&call) {
                seen.push(call.clone());
                todo.push(call);
            }
        }
    }
    false
}

/// Copies the blocks of a function to the end of a region; gives the copy of its entry.
fn copy_into<'c>(context: &'c Context, function: Op<'c>, region: Reg<'c>) -> Result<Blk<'c>> {
    let old = function.blocks();
    let mut map = ValueMap::new();
    let mut new: Vec<Blk<'c>> = vec![];
    for block in &old {
        let types: Vec<_> = block.arg_list().iter().map(|a| a.r#type()).collect();
        let copy = add_block(region, &types, function.location());
        map.extend(block.arg_list().iter().map(ValExt::key).zip(copy.arg_list()));
        new.push(copy);
    }
    for (from, to) in old.iter().zip(&new) {
        for op in from.ops() {
            let copy = clone_op(&Builder::at_end(context, *to, op.location()), op, &mut map);
            for (edge, target) in successors(copy).into_iter().enumerate() {
                if let Some(position) = old.iter().position(|block| *block == target) {
                    redirect(copy, edge, new[position]);
                }
            }
        }
    }
    // Blocks may come before those that dominate them.
    for block in &new {
        block.ops().into_iter().for_each(|op| rename_operands(op, &map));
    }
    new.first().copied().ok_or_else(|| internal_error(function, "function without body"))
}
