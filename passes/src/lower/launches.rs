//! `lower-launches`: each kernel gets a function that launches it.
//!
//! ```text
//! gpu.launch_func <%s> @m::@k blocks in (%n, ..) threads in (%t, ..) args(%a)   =>   llvm.call @m.k.launch(%n, .., %t, .., %a, %s)
//! ```
//!
//! The translation to LLVM IR puts the arguments of a launch on the stack, one by one. In a function of their own they
//! leave the stack with it, so that a loop of launches needs no more of it than one. And blocks stay small: LLVM 22
//! schedules calls by looking for paths through the stores before them, of which there are exponentially many (host code
//! with 206 launches took more than 6 minutes, and takes a second).

use std::collections::HashMap;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, parse_ops};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::Builder,
    diag::{Result, internal_error},
    symbol::{find, name_of, path_of},
};

const LAUNCH: &str = "gpu.launch_func";

/// Moves the launches of a module into functions; returns how many functions that makes.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let Some(top) = module.body(0) else { return Ok(0) };
    let mut launches = vec![];
    module.for_each(&mut |op| launches.extend((op.op_name() == LAUNCH).then_some(op)));
    let mut functions: HashMap<String, Op<'c>> = HashMap::new();
    for launch in launches.into_iter().filter(|&launch| is_lowered(launch)) {
        let failed = || internal_error(launch, "launch cannot be moved into a function");
        let operands = launch.operand_list();
        let b = Builder::before(context, launch, launch.block().ok_or_else(failed)?);
        let like = likeness(launch);
        let known = functions.get(&like).copied();
        let function = match known {
            Some(function) => function,
            None => launcher(context, top, launch).ok_or_else(failed)?,
        };
        b.llvm_call(&name_of(function).ok_or_else(failed)?, &operands, &[]);
        if known.is_none() {
            move_into(function, launch).ok_or_else(failed)?;
            functions.insert(like, function);
        } else {
            launch.erase();
        }
    }
    Ok(functions.len() as u64)
}

/// Whether a launch is in the LLVM dialect, as `gpu-to-llvm` leaves it.
fn is_lowered(launch: Op<'_>) -> bool {
    let other = ["index", "memref", "!gpu"];
    let is_other = |r#type: String| other.iter().any(|name| r#type.starts_with(name));
    launch.result_list().is_empty()
        && !launch.operand_list().into_iter().any(|value| is_other(value.r#type().to_string()))
}

/// What launches have in common that one function stands for.
fn likeness(launch: Op<'_>) -> String {
    let attributes =
        ["kernel", "operandSegmentSizes", "clusterSize"].map(|name| match launch.attr(name) {
            Some(attribute) => attribute.to_string(),
            None => String::new(),
        });
    format!("{} {}", attributes.join(" "), types(launch).join(", "))
}

fn types(launch: Op<'_>) -> Vec<String> {
    launch.operand_list().into_iter().map(|value| value.r#type().to_string()).collect()
}

/// Makes a function for a launch, before the one that has it.
fn launcher<'c>(context: &'c Context, top: Blk<'c>, launch: Op<'c>) -> Option<Op<'c>> {
    let kernel = path_of(launch.attr("kernel")?).join(".");
    let mut name = format!("{kernel}.launch");
    while find(top, &name).is_some() {
        name.push('_');
    }
    let parameters: Vec<_> =
        types(launch).iter().enumerate().map(|(i, ty)| format!("%p{i}: {ty}")).collect();
    let text = format!(
        "llvm.func internal @\"{name}\"({}) attributes {{no_inline}} {{ llvm.return }}",
        parameters.join(", ")
    );
    let function = parse_ops(context, &text)?.pop()?;
    let mut caller = launch;
    while let Some(parent) = caller.parent().filter(|parent| parent.parent().is_some()) {
        caller = parent;
    }
    top.insert_before(caller, function);
    Some(function)
}

/// Moves a launch into its function.
fn move_into<'c>(function: Op<'c>, launch: Op<'c>) -> Option<()> {
    let body = function.body(0)?;
    launch.detach();
    body.insert_before(body.term()?, launch);
    launch.set_operands(&body.arg_list());
    Some(())
}
