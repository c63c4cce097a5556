//! Reductions that find where the least or the largest element is, in any order.
//!
//! ```text
//! op (x, i) (y, j) = (min x y, if y beats x then j else i)
//!         ==>
//! op (x, i) (y, j) = (min x y, if y beats x || ! (x beats y) && j < i then j else i)
//! ```
//! Of equal elements the first one is found, which is the one with the lesser index. So the operator commutes, and
//! neighbouring threads may read neighbouring elements. Where no element beats the neutral one, the index is still that
//! of the neutral element, which has to be negative.
//!
//! Source: [FUT 5.1.1] has the operator on pairs; that it may commute is ours.

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::{TypeLike, ValueLike};

use crate::{
    ad::rules::operator::Operator,
    lower::soac_to_loops::decides,
    support::{
        builder::{Builder, CMP_SLT, same_value},
        combinator::{constant_index, inputs_and_rest, strip_casts},
        diag::Result,
        region::{ValueMap, copy_ops, renamed},
    },
};

/// What an operator does with a component.
#[derive(Clone, Copy)]
enum Component<'c> {
    /// It commutes.
    Number,
    /// The index of an extremum; this is whether the right one is taken.
    Index { wins: Val<'c> },
}

/// Whether there is such a form of a reduction.
pub fn has_commuting(op: Op<'_>) -> bool {
    components(op).is_some()
}

/// A reduction like one that finds indices, which is in front of it, with an operator that commutes; none of another one.
pub fn commuting<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Op<'c>>> {
    let Some((components, body)) = components(op).zip(op.body(0)) else { return Ok(None) };
    let (inputs, neutrals) = inputs_and_rest(op);
    let found = b.reduce(&inputs, &neutrals, |b, pair| {
        let (left, right) = pair.split_at(neutrals.len());
        let copy = |pair: &[Val<'c>]| {
            let keys = body.arg_list().into_iter().map(|argument| argument.key());
            let mut names: ValueMap<'c> = keys.zip(pair.iter().copied()).collect();
            let ends = copy_ops(&b, body, &mut names);
            (ends, names)
        };
        let (mut ends, names) = copy(pair);
        let swapped = copy(&[right, left].concat()).1;
        for (k, component) in components.iter().enumerate() {
            let Component::Index { wins } = *component else { continue };
            let loses = b.not(renamed(&swapped, wins));
            let is_before = b.compare(CMP_SLT, right[k], left[k]);
            let is_first = b.same("arith.andi", &[loses, is_before]);
            let is_right = b.same("arith.ori", &[renamed(&names, wins), is_first]);
            ends[k] = b.select(is_right, right[k], left[k]);
        }
        Ok(ends)
    })?;
    Ok(found.first().and_then(|result| result.defining_op()))
}

/// What the operator does with each component, if it finds indices and does nothing else that does not commute.
fn components<'c>(op: Op<'c>) -> Option<Vec<Component<'c>>> {
    let body = op.body(0)?;
    let (inputs, neutrals) = inputs_and_rest(op);
    let ends = body.ends();
    let arguments = body.arg_list();
    let (left, right) = arguments.split_at_checked(ends.len())?;
    let operators = Operator::components(body);
    let is_index = |k: usize| {
        let numbers = strip_casts(inputs[k]).defining_op();
        ends[k].r#type().is_index()
            && numbers.is_some_and(|numbers| numbers.op_name() == "soac.iota")
            && constant_index(neutrals[k]).is_some_and(|number| number < 0)
    };
    let component = |k: usize| {
        if operators[k].is_some_and(|operator| operator.is_one_operation()) {
            return Some(Component::Number);
        }
        let choice = ends[k].defining_op().filter(|op| op.op_name() == "arith.select")?;
        let [wins, new, old] = choice.operand_list()[..] else { return None };
        let is_choice = same_value(new, right[k]) && same_value(old, left[k]);
        let is_of = |other: usize| {
            let operator = operators[other].as_ref();
            left[other].r#type().is_float_type()
                && operator.is_some_and(|it| decides(wins, left[other], right[other], it))
        };
        let is_found = is_choice && is_index(k) && (0..ends.len()).any(is_of);
        is_found.then_some(Component::Index { wins })
    };
    let components = (0..ends.len()).map(component).collect::<Option<Vec<_>>>()?;
    let has_index = components.iter().any(|it| matches!(it, Component::Index { .. }));
    has_index.then_some(components)
}
