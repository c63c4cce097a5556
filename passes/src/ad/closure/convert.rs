//! `ad-closure-convert`: bodies of lambdas become functions [MYIA 4].

use std::collections::HashSet;

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use super::{functions, modules};
use crate::{
    ad::add_function,
    support::{
        builder::Builder,
        diag::{Result, internal_error},
        region::{ValueMap, free_values, rename_operands},
        symbol::name_of,
    },
};

/// Makes functions of all lambdas, inner ones first, and closures of them; returns how many.
pub fn convert<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut converted = 0;
    for module in modules(module) {
        let mut names: HashSet<String> =
            functions(module).into_iter().filter_map(name_of).collect();
        for function in functions(module) {
            let around = name_of(function).unwrap_or_default();
            let mut lambdas = vec![];
            inside_out(function, &mut lambdas);
            for lambda in lambdas {
                let name = unused(&mut names, &format!("{around}.lambda"));
                outline(context, module, lambda, &name)?;
                converted += 1;
            }
        }
    }
    Ok(converted)
}

fn inside_out<'c>(op: Op<'c>, lambdas: &mut Vec<Op<'c>>) {
    for inner in op.blocks().into_iter().flat_map(|block| block.ops()) {
        inside_out(inner, lambdas);
    }
    if op.op_name() == "ad.lambda" {
        lambdas.push(op);
    }
}

/// A name that no function has, which gets it.
pub fn unused(names: &mut HashSet<String>, wanted: &str) -> String {
    let mut name = wanted.to_owned();
    let mut number = 0;
    while !names.insert(name.clone()) {
        number += 1;
        name = format!("{wanted}_{number}");
    }
    name
}

/// The free values of a body are what is captured; constants are copied instead.
fn outline<'c>(context: &'c Context, module: Op<'c>, lambda: Op<'c>, name: &str) -> Result<()> {
    let (Some(body), Some(closure)) = (lambda.body(0), lambda.res(0)) else {
        return Err(internal_error(lambda, "lambda without body"));
    };
    let is_constant = |value: &Val<'c>| {
        value.defining_op().is_some_and(|op| {
            matches!(op.op_name(), "arith.constant" | "complex.constant" | "func.constant")
        })
    };
    let (constants, captured): (Vec<_>, Vec<_>) =
        free_values(&[body]).into_iter().partition(is_constant);
    let types = |values: &[Val<'c>]| values.iter().map(|v| v.r#type()).collect::<Vec<Type<'c>>>();
    let arguments = body.arg_list();
    let inputs = [types(&captured), types(&arguments)].concat();
    let results = types(&body.ends());
    let private = Some("private");
    let function = add_function(context, module, lambda, name, &inputs, &results, private);
    let Some(to) = function.body(0) else {
        return Err(internal_error(lambda, "function without body"));
    };
    let b = Builder::at_end(context, to, lambda.location());
    let mut map: ValueMap<'c> = ValueMap::new();
    let old = captured.iter().chain(&arguments);
    map.extend(old.map(ValExt::key).zip(to.arg_list()));
    for value in constants {
        let copy = value.defining_op().map(|op| op.clone_detached());
        copy.into_iter().for_each(|copy| b.insert(copy));
        map.extend(copy.and_then(|copy| copy.res(0)).map(|new| (value.key(), new)));
    }
    for op in body.ops() {
        rename_operands(op, &map);
        if op.op_name() == "ad.yield" {
            b.with_location(op.location()).op("func.return", &op.operand_list(), &[]);
            op.erase();
        } else {
            op.detach();
            b.insert(op);
        }
    }
    let Some(block) = lambda.block() else {
        return Err(internal_error(lambda, "lambda outside of a block"));
    };
    let b = Builder::before(context, lambda, block);
    let callee = [("callee", b.symbol_attr(name))];
    let new = b.val_with("ad.closure", &captured, closure.r#type(), &callee);
    closure.replace_all_uses(new);
    lambda.erase();
    Ok(())
}
