//! `lower-math-to-calls`: functions whose upstream expansion loses digits.
//!
//! Upstream expands `math.expm1 x` to exp(x) - 1, which has no correct digit for
//! small x. It becomes a call of the C library's function instead.

use ad_dialect::ir::{Op, OpExt, TyExt, Val, ValExt, float_width, with_scalar};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use super::declare::declare;
use crate::support::{builder::Builder, diag::Result};

/// Operations, with the names of the functions for f64 and f32.
const FUNCTIONS: &[(&str, [&str; 2])] = &[("math.expm1", ["expm1", "expm1f"])];

/// Runs the pass; returns how many operations became calls.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut found = vec![];
    module.for_each(&mut |op| {
        if let Some((_, names)) = FUNCTIONS.iter().find(|(name, _)| *name == op.op_name()) {
            found.push((op, *names));
        }
    });
    let Some(top) = module.body(0) else { return Ok(0) };
    let mut calls = 0;
    for (op, [double, single]) in found {
        let (Some(argument), Some(result), Some(block)) = (op.opnd(0), op.res(0), op.block())
        else {
            continue;
        };
        let short = argument.r#type();
        let float = match float_width(short.scalar()) {
            16 => Type::float32(context),
            _ => short.scalar(),
        };
        let name = match float.to_string().as_str() {
            "f64" => double,
            "f32" => single,
            _ => continue,
        };
        let signature = format!("({float}) -> {float} attributes {{llvm.readnone}}");
        if !declare(context, top, name, &signature) {
            continue;
        }
        let b = Builder::before(context, op, block);
        let r#type = with_scalar(short, float);
        let is_same = r#type == short;
        let wide = if is_same { argument } else { b.val("arith.extf", &[argument], r#type) };
        let Some(value) = apply(&b, name, wide, float) else { continue };
        let value = if is_same { value } else { b.val("arith.truncf", &[value], short) };
        result.replace_all_uses(value);
        op.erase();
        calls += 1;
    }
    Ok(calls)
}

/// The function of a float, or of each element of a vector of one dimension.
fn apply<'c>(b: &Builder<'c>, name: &str, argument: Val<'c>, float: Type<'c>) -> Option<Val<'c>> {
    let call = |argument| {
        let callee = [("callee", b.symbol_attr(name))];
        b.val_with("func.call", &[argument], float, &callee)
    };
    if argument.r#type() == float {
        return Some(call(argument));
    }
    let text = argument.r#type().to_string();
    let size: i64 = text.strip_prefix("vector<")?.split('x').next()?.parse().ok()?;
    if text != format!("vector<{size}x{float}>") {
        return None;
    }
    let mut result = argument;
    for i in 0..size {
        let position = [("static_position", b.i64s_attr(&[i]))];
        let element = b.val_with("vector.extract", &[argument], float, &position);
        result =
            b.val_with("vector.insert", &[call(element), result], argument.r#type(), &position);
    }
    Some(result)
}
