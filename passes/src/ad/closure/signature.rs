//! Signatures that change: the types of a function, the attributes of its arguments, and what requests list.

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, Val, i64_array};
use melior::{
    Context,
    ir::{
        Attribute, Type, ValueLike,
        attribute::{ArrayAttribute, TypeAttribute},
        operation::OperationLike,
        r#type::FunctionType,
    },
};

use super::argument_count;
use crate::{ad::signature, support::builder::Builder};

/// Gives a function the type that its body has, with other results; `counts` says how many arguments each of those that it
/// had has become.
pub fn update<'c>(context: &'c Context, function: Op<'c>, results: &[Type<'c>], counts: &[usize]) {
    let Some(body) = function.body(0) else { return };
    let inputs: Vec<_> = body.arg_list().iter().map(|argument| argument.r#type()).collect();
    let r#type = FunctionType::new(context, &inputs, results);
    function.set_attr(context, "function_type", TypeAttribute::new(r#type.into()).into());
    let given = function.attr("arg_attrs").and_then(|all| ArrayAttribute::try_from(all).ok());
    let Some(given) = given else { return };
    let old = |i: usize| given.element(i).map_or("{}".to_owned(), |old| old.to_string());
    let texts = counts.iter().enumerate().flat_map(|(i, &count)| {
        let text = if count == 1 { old(i) } else { "{}".to_owned() };
        std::iter::repeat_n(text, count)
    });
    let text = format!("[{}]", texts.collect::<Vec<_>>().join(", "));
    if let Some(attribute) = Attribute::parse(context, &text) {
        function.set_attr(context, "arg_attrs", attribute);
    }
}

/// Gives a call or a request other arguments, several or none in place of one; the positions that a request lists move.
pub fn replace_arguments<'c>(
    context: &'c Context,
    op: Op<'c>,
    callee: Op<'c>,
    arguments: &[Vec<Val<'c>>],
) {
    let seeds = op.operand_list().split_off(argument_count(op));
    let operands = [arguments.concat(), seeds.clone()].concat();
    op.set_operands(&operands);
    let (Some(block), true) = (op.block(), super::is_request(op)) else { return };
    let b = Builder::before(context, op, block);
    let sizes = [(operands.len() - seeds.len()) as i32, seeds.len() as i32];
    op.set_attr(context, "operandSegmentSizes", b.i32s_attr(&sizes));
    let inputs = signature(callee).map(|(inputs, _)| inputs).unwrap_or_default();
    let all = || (0..inputs.len() as i64).filter(|&i| inputs[i as usize].is_differentiable());
    let wrt = op.attr("wrt").and_then(i64_array).unwrap_or_else(|| all().collect());
    let before = |p: i64| -> usize { arguments.iter().take(p as usize).map(Vec::len).sum() };
    let moved: Vec<i64> = wrt.into_iter().map(|p| before(p) as i64).collect();
    op.set_attr(context, "wrt", b.i64s_attr(&moved));
}
