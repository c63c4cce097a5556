//! Results that take the place of arrays which nobody else reads.
//!
//! On one thread, the loop of a map writes its results over an input that dies there. In chunks, the input is what the
//! threads share, and each of them reads its rows from where it is going to write:
//!
//! ```text
//! ys = map f xs   =>   ys = forall t (out = xs): out[chunk t] = map f out[chunk t]
//! ```

use ad_dialect::ir::{DYNAMIC, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::{ValueLike, operation::OperationLike};

use super::{group::Group, is_in_loop};
use crate::support::{
    builder::same_value,
    combinator::{becomes, strip_casts},
    extent::extent_of,
    region::beside,
};

/// For each result of a map or elementwise operation the input whose place it takes, if any.
pub fn overwritten<'c>(group: &Group<'c>) -> Vec<Option<Val<'c>>> {
    let op = group.op;
    let mut found: Vec<Option<Val<'c>>> = vec![];
    for result in op.result_list() {
        let is_free =
            |input: &Val<'c>| !found.iter().flatten().any(|used| same_value(*used, *input));
        let mut inputs = op.operand_list().into_iter().filter(is_free);
        let input = inputs.find(|&input| dies_in(group, input, result) && fits(input, result));
        found.push(input);
    }
    found
}

/// Whether the operation is the last one that reads an array, and the array is new: no other one lies in the same place.
fn dies_in<'c>(group: &Group<'c>, input: Val<'c>, result: Val<'c>) -> bool {
    let op = group.op;
    let mut others = input.users();
    let count = others.len();
    others.retain(|user| user.key() != op.key());
    let is_once = count == others.len() + 1;
    // Where the operation may run in one piece, lowering asks for no other reader.
    let in_pieces = !group.has_scan() && !is_in_loop(op);
    let is_last = others
        .into_iter()
        .all(|user| user.op_name() == "tensor.dim" || in_pieces && is_read_before(op, user));
    let is_new = match input.defining_op() {
        Some(maker) => maker.block() == op.block() && makes_array(maker),
        // What a loop carries stays in one place if what it becomes is there.
        None => {
            input.owner_block() == op.block()
                && becomes(input).is_some_and(|next| same_value(strip_casts(next), result))
        }
    };
    is_once && is_last && is_new && !group.is_inside(input)
}

/// Whether a reader of an array, of which it makes new values only, runs before an operation.
fn is_read_before<'c>(op: Op<'c>, reader: Op<'c>) -> bool {
    let is_new = reader.op_name() == "tensor.extract" || reader.op_name().starts_with("soac.");
    let here = beside(reader, op.block());
    is_new && here.is_some_and(|here| here.key() != op.key() && here.is_before(op))
}

/// Whether the results of an operation are arrays of their own, which are stored.
fn makes_array(maker: Op<'_>) -> bool {
    match maker.op_name() {
        "soac.map" | "soac.scan" | "soac.hist" | "soac.scatter" | "scf.for" => true,
        "arith.select" => maker.opnd(0).is_some_and(|by| by.r#type().as_tensor().is_some()),
        name if name.starts_with("arith.") || name.starts_with("math.") => {
            maker.operand_count() > 0
        }
        _ => false,
    }
}

/// Whether a result is as large as an input, of which it has as many rows.
fn fits<'c>(input: Val<'c>, result: Val<'c>) -> bool {
    let shape = input.r#type().shape();
    let mut dynamic = (1..shape.len()).filter(|&d| shape.get(d) == Some(&DYNAMIC));
    input.r#type() == result.r#type()
        && dynamic.all(|d| extent_of(input, d) == extent_of(result, d))
}
