//! Sums to which an iteration adds several terms, one after the other, become those to which it adds one:
//!
//! ```text
//! s = (s + x) - y   =>   s = s + (x - y)
//! ```

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val, ValExt};
use melior::{Context, ir::operation::OperationLike};

use ad_dialect::linalg::Structured;

use crate::support::{builder::Builder, structured::reached};

/// Regroups what the body of a structured operation adds to its outputs.
pub fn regroup<'c>(context: &'c Context, op: Op<'c>) {
    let sums = |s: &Structured<'c>| s.maps.last().is_some_and(|map| map.len() < s.loops);
    let Some(s) = Structured::of(op).filter(sums) else { return };
    let outs = s.body.arg_list().split_off(s.inputs.len());
    let Some(end) = s.body.term() else { return };
    for (k, &out) in outs.iter().enumerate() {
        let Some(sum) = end.opnd(k).and_then(|end| Sum::of(s.body, end, out)) else { continue };
        let b = Builder::before(context, end, s.body).with_location(sum.steps[0].location());
        let mut terms = sum.terms.into_iter().rev();
        let first = terms.next().map(|(term, adds)| if adds { term } else { b.neg(term) });
        let Some(first) = first else { continue };
        let term = terms.fold(first, |sum, (term, adds)| {
            b.same(if adds { "arith.addf" } else { "arith.subf" }, &[sum, term])
        });
        end.set_operand(k, b.same("arith.addf", &[out, term]));
        sum.steps.iter().for_each(OpExt::erase);
    }
}

/// What is added to an output.
struct Sum<'c> {
    /// The operations that do, the last one first.
    steps: Vec<Op<'c>>,
    /// The terms, the last one first, and whether each is added: others are subtracted.
    terms: Vec<(Val<'c>, bool)>,
}

impl<'c> Sum<'c> {
    /// That of a value which is made of an output and of nothing else that is; none if it is in the form already.
    fn of(body: Blk<'c>, mut value: Val<'c>, out: Val<'c>) -> Option<Self> {
        let mut sum = Self { steps: vec![], terms: vec![] };
        let dependent = reached(body, &[out]);
        let depends = |value: Val<'c>| dependent.contains(&value.key());
        while value.key() != out.key() {
            let step = value.defining_op().filter(|op| op.block() == Some(body))?;
            let [left, right] = step.operand_list()[..] else { return None };
            let (rest, term, adds) = match step.op_name() {
                "arith.addf" if depends(left) => (left, right, true),
                "arith.addf" => (right, left, true),
                "arith.subf" => (left, right, false),
                _ => return None,
            };
            if value.users().len() != 1 || depends(term) {
                return None;
            }
            sum.steps.push(step);
            sum.terms.push((term, adds));
            value = rest;
        }
        let is_plain = matches!(sum.terms[..], [] | [(_, true)]);
        (out.users().len() == 1 && !is_plain).then_some(sum)
    }
}
