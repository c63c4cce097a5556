//! Tensor SSA: six right-hand sides [ATL Figure 10].
//!
//! An operation outside of all bodies is an input, a constant, a guarded addition,
//! a guarded function of elements, or a contraction of one or two tensors, with a
//! generation around it if it is a tensor. That operands are in order and that
//! equal operations are one is not verified.

use ad_dialect::{
    atl,
    ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt},
};
use melior::ir::ValueLike;

use super::{has_pair, is_name, is_output, is_part_of_input, is_value};
use crate::support::diag::{Result, error};

const ELEMENTS: &str = "elements of named tensors at the indices of the result";

/// Verifies an operation outside of all bodies.
pub fn binding(op: Op<'_>) -> Result<()> {
    let Some(result) = op.res(0).filter(|result| is_value(result.r#type())) else {
        return Ok(());
    };
    match op.op_name() {
        "arith.constant" | "tensor.cast" => Ok(()),
        _ if is_part_of_input(result) && op.op_name() == "atl.project" => Ok(()),
        "atl.pair" => Ok(()),
        "atl.gen" if has_pair(result.r#type()) && is_output(op) => Ok(()),
        "atl.gen" => {
            let body = op.body(0).ok_or_else(|| wrong(op, "has no body"))?;
            let element = yielded(op, body)?;
            match inside(element, body) {
                Some(element) => right_hand_side(element, &body.arg_list()),
                None => Ok(()),
            }
        }
        _ => right_hand_side(op, &[]),
    }
}

fn wrong(op: Op<'_>, why: &str) -> crate::support::diag::Reported {
    error(op, &format!("is not in Tensor SSA: {why}"))
}

fn yielded<'c>(op: Op<'c>, body: Blk<'c>) -> Result<Val<'c>> {
    body.ends().first().copied().ok_or_else(|| wrong(op, "has no body"))
}

/// What defines a value in a body.
fn inside<'c>(value: Val<'c>, body: Blk<'c>) -> Option<Op<'c>> {
    value.defining_op().filter(|_| value.parent_block() == Some(body))
}

/// The bracket's body, if there is a bracket, and what is in it.
fn unguarded<'c>(op: Op<'c>) -> Result<(bool, Val<'c>)> {
    let result = op.res(0).ok_or_else(|| wrong(op, "has no result"))?;
    match (op.op_name(), op.body(0)) {
        ("atl.bracket", Some(body)) => Ok((true, yielded(op, body)?)),
        _ => Ok((false, result)),
    }
}

/// Verifies the element of a tensor for `outer`, or a number.
fn right_hand_side<'c>(op: Op<'c>, outer: &[Val<'c>]) -> Result<()> {
    let (is_guarded, value) = unguarded(op)?;
    let Some(inner) = value.defining_op().filter(|_| !is_name(value) || !is_guarded) else {
        // A constant, or a number with a name, under a bracket.
        return Ok(());
    };
    match inner.op_name() {
        "arith.addf" if is_guarded => Err(wrong(
            inner,
            "a bracket is around each operand of an addition, not around both [ATL 5.31]",
        )),
        "arith.addf" => inner.operand_list().iter().try_for_each(|operand| {
            let own = operand.defining_op().filter(|_| !is_name(*operand));
            let operand = match own {
                Some(own) => unguarded(own)?.1,
                None => *operand,
            };
            element(inner, operand, outer, "an addition", "5.31")
        }),
        "atl.sum" if is_guarded => {
            Err(wrong(inner, "the bracket is inside of the sum of a contraction [ATL 5.34]"))
        }
        "atl.sum" => {
            let body = inner.body(0).ok_or_else(|| wrong(inner, "has no body"))?;
            let term = yielded(inner, body)?;
            let term = match inside(term, body) {
                Some(own) => unguarded(own)?.1,
                None => term,
            };
            contraction(inner, term, &body.arg_list())
        }
        "arith.mulf" => contraction(inner, value, &[]),
        "atl.access" | "atl.project" if is_input(value, outer) => Ok(()),
        "atl.access" => Err(wrong(
            inner,
            "a copy is no binding, and what is read elsewhere is a contraction [ATL 5.30]",
        )),
        "arith.subf" | "arith.negf" => {
            Err(wrong(inner, "a difference is an addition of a product with -1"))
        }
        "arith.constant" => Ok(()),
        name if name.starts_with("arith.") || name.starts_with("math.") || name == "func.call" => {
            let mut operands = inner.operand_list().into_iter();
            operands.try_for_each(|operand| element(inner, operand, outer, "a function", "5.33"))
        }
        _ => Err(wrong(inner, "it is none of the six right-hand sides [ATL Figure 10]")),
    }
}

/// Verifies that an operand is a number with a name, or an element of a named tensor
/// at the indices of the result.
fn element<'c>(
    op: Op<'c>,
    operand: Val<'c>,
    outer: &[Val<'c>],
    of: &str,
    rule: &str,
) -> Result<()> {
    if is_name(operand) && outer.is_empty() {
        return Ok(());
    }
    let own = operand.defining_op().filter(|_| !is_name(operand));
    let access = own.filter(|own| own.op_name() == "atl.access");
    match access.and_then(places_of) {
        Some(places) if places == outer => Ok(()),
        _ => {
            let rule = access.map_or(rule, |_| "5.30");
            Err(wrong(op, &format!("operands of {of} are {ELEMENTS} [ATL {rule}]")))
        }
    }
}

/// Whether a value is a half of an element of an input at the indices of the result:
/// a tensor of them is a part of the input.
fn is_input<'c>(value: Val<'c>, outer: &[Val<'c>]) -> bool {
    let (mut value, mut halves, mut free) = (value, 0, outer);
    while let Some(op) = value.defining_op() {
        match op.op_name() {
            "atl.project" => halves += 1,
            "atl.access" => {
                let places = plain_indices(op).unwrap_or_default();
                match free.strip_suffix(&places[..]) {
                    Some(rest) if !places.is_empty() => free = rest,
                    _ => return false,
                }
            }
            _ => return false,
        }
        let Some(inner) = op.opnd(0) else { return false };
        value = inner;
    }
    halves > 0 && free.is_empty()
}

/// The indices of an access of a named tensor, all of whose dimensions it accesses
/// at an index each.
fn places_of<'c>(access: Op<'c>) -> Option<Vec<Val<'c>>> {
    let tensor = access.opnd(0).filter(|tensor| is_name(*tensor))?;
    let places = plain_indices(access)?;
    (places.len() == tensor.r#type().shape().len()).then_some(places)
}

/// The indices of an access, if they are nothing but indices.
fn plain_indices<'c>(access: Op<'c>) -> Option<Vec<Val<'c>>> {
    let places = atl::expressions(access)?;
    let places = places.iter().map(|place| match place.terms[..] {
        [(index, 1)] if place.constant == 0 => Some(index),
        _ => None,
    });
    places.collect()
}

/// Verifies that a term is one factor or the product of two, each a named tensor at
/// indices of the sum of its own, in order.
fn contraction<'c>(op: Op<'c>, term: Val<'c>, sums: &[Val<'c>]) -> Result<()> {
    let product = term.defining_op().filter(|own| !is_name(term) && own.op_name() == "arith.mulf");
    let is_here = term.defining_op().filter(|own| own.key() == op.key());
    let factors = match product.or(is_here) {
        Some(product) => product.operand_list(),
        None => vec![term],
    };
    let mut free = sums;
    for factor in factors {
        let own = factor.defining_op().filter(|_| !is_name(factor));
        let Some(own) = own else { continue };
        let places = Some(own).filter(|own| own.op_name() == "atl.access").and_then(places_of);
        let Some(places) = places else {
            let why = "factors of a contraction are elements of named tensors at indices of its \
                       sum [ATL 5.30, 5.32, 5.34]";
            return Err(wrong(own, why));
        };
        if !free.starts_with(&places) {
            let why = "each index of a factor is an index of the sum of its own, in order: the \
                       predicate says which are equal [ATL 5.32]";
            return Err(wrong(own, why));
        }
        free = &free[places.len()..];
    }
    Ok(())
}
