//! Bodies of maps that have memory of their own become functions, which run it forwards and back as any other function does:
//!
//! ```text
//! map (\x -> m = alloc; ..; y) xs   =>   map (\x -> f(x, fvs)) xs,   f(x, fvs) = m = alloc; ..; y
//! ```
//! So each iteration has a shadow and a tape of its own.

use ad_dialect::{
    capi::is_acc,
    ir::{BlkExt, Op, OpExt, ValExt},
};
use melior::ir::{TypeLike, ValueLike, operation::OperationLike};

use super::is_buffer;
use crate::{
    ad::{Session, add_function, rules::call},
    support::{
        builder::Builder,
        diag::{Result, internal_error},
        region::{ValueMap, all_inside, all_of, captured, clone_op, copy_ops, free_values},
        symbol::name_of,
    },
};

/// Makes functions of the bodies, those of inner maps first.
pub fn outline<'c>(session: &mut Session<'c>, function: Op<'c>) -> Result<()> {
    for map in all_of(function, "soac.map").into_iter().rev().filter(|map| has_own_memory(*map)) {
        outline_body(session, function, map)?;
    }
    Ok(())
}

/// Whether a body uses buffers, all of which it makes itself, and has no accumulators.
fn has_own_memory(map: Op<'_>) -> bool {
    let read = free_values(&map.blocks());
    let values = map.operand_list().into_iter().chain(read);
    let has_values_only =
        values.into_iter().all(|v| !v.r#type().is_mem_ref() && !is_acc(v.r#type()));
    has_values_only && all_inside(map).iter().any(|op| op.result_list().into_iter().any(is_buffer))
}

fn outline_body<'c>(session: &mut Session<'c>, function: Op<'c>, map: Op<'c>) -> Result<()> {
    let context = session.context();
    let Some((body, end)) = map.body(0).and_then(|body| Some((body, body.term()?))) else {
        return Err(internal_error(map, "a map without a body"));
    };
    let (constants, captured) = captured(&map.blocks());
    let arguments = [body.arg_list(), captured].concat();
    let types_of = |values: &[_]| values.iter().map(ValueLike::r#type).collect::<Vec<_>>();
    let (inputs, results) = (types_of(&arguments), types_of(&end.operand_list()));
    let name = session.unused_name(&format!("{}.body", name_of(function).unwrap_or_default()));
    let made =
        add_function(context, session.module, map, &name, &inputs, &results, Some("private"));
    session.names.insert(name.clone(), made);
    let Some(entry) = made.body(0) else {
        return Err(internal_error(map, "a function without a body"));
    };
    let b = Builder::at_end(context, entry, map.location());
    let mut values: ValueMap = arguments.iter().map(ValExt::key).zip(entry.arg_list()).collect();
    for made in constants {
        clone_op(&b, made, &mut values);
    }
    let ops = body.body_ops();
    let ends = copy_ops(&b, body, &mut values);
    b.op("func.return", &ends, &[]);

    let before = Builder::before(context, end, body).with_location(map.location());
    end.set_operands(&call(&before, &name, &arguments, &results));
    ops.iter().rev().for_each(OpExt::erase);
    Ok(())
}
