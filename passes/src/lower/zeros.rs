//! Minima and maxima of numbers of which none is -0.
//!
//! The maximum of 0 and -0 is 0, whichever comes first, for which processors have no instruction: it takes ten. Where no
//! number can be -0, such as where all are squares, it takes three.

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt};
use melior::ir::{BlockLike, attribute::FloatAttribute};

use crate::support::{builder::same_value, combinator::input_count, update::Update};

/// What a number is made of is looked at so far.
const DEPTH: usize = 8;

/// The minima and maxima in the operator of a reduction, scan or histogram that combine no -0.
pub fn extrema_without_negative_zeros(op: Op<'_>) -> Vec<Op<'_>> {
    let (starts, inputs) = match op.op_name() {
        "soac.hist" => {
            let update = Update::of(op);
            (update.dests, update.inputs)
        }
        "soac.reduce" | "soac.scan" => {
            let mut inputs = op.operand_list();
            let starts = inputs.split_off(input_count(op).min(inputs.len()));
            (starts, inputs)
        }
        _ => return vec![],
    };
    let Some(body) = op.body(0) else { return vec![] };
    let Some(end) = body.term() else { return vec![] };
    let (arguments, yielded) = (body.arg_list(), end.operand_list());
    let count = yielded.len();
    let found = (0..count).filter_map(|k| {
        let extremum = yielded[k].defining_op().filter(|&op| is_extremum(op))?;
        let own = [*arguments.get(k)?, *arguments.get(k + count)?];
        let combines = |value: &Val<'_>| own.iter().any(|own| same_value(*own, *value));
        let is_own = extremum.operand_list().iter().all(combines);
        let (start, input) = (*starts.get(k)?, *inputs.get(k)?);
        let never = is_never_negative_zero(start, DEPTH) && is_never_negative_zero(input, DEPTH);
        (is_own && never).then_some(extremum)
    });
    found.collect()
}

fn is_extremum(op: Op<'_>) -> bool {
    matches!(op.op_name(), "arith.maximumf" | "arith.minimumf")
}

/// Whether a number, or all elements of an array, cannot be -0; not if that would take long to find out.
fn is_never_negative_zero(value: Val<'_>, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let never = |value: Option<Val<'_>>| value.is_some_and(|v| is_never_negative_zero(v, depth));
    let Some(op) = value.defining_op() else {
        // An element of an input of a map.
        let map = value.owner_block().and_then(|block| block.parent_operation());
        let map = map.filter(|map| map.op_name() == "soac.map");
        return map.is_some_and(|map| {
            value.position() < input_count(map) && never(map.opnd(value.position()))
        });
    };
    let (a, b) = (op.opnd(0), op.opnd(1));
    match op.op_name() {
        "arith.constant" => is_other_constant(op),
        "arith.mulf" => a.zip(b).is_some_and(|(a, b)| same_value(a, b)),
        "math.absf" | "math.exp" | "math.exp2" | "arith.uitofp" | "arith.sitofp" => true,
        // Zeros of both signs add up to 0.
        "arith.addf" => never(a) || never(b),
        "arith.maximumf" | "arith.minimumf" => never(a) && never(b),
        "arith.select" => never(b) && never(op.opnd(2)),
        "tensor.splat" | "linalg.fill" | "tensor.extract" | "tensor.extract_slice" => never(a),
        "soac.map" => {
            let end = op.body(0).and_then(|body| body.term());
            never(end.and_then(|end| end.opnd(value.position())))
        }
        _ => false,
    }
}

/// Whether a constant is a number other than -0.
fn is_other_constant(op: Op<'_>) -> bool {
    let number = op.attr("value").and_then(|value| FloatAttribute::try_from(value).ok());
    number.is_some_and(|number| number.value() != 0.0 || number.value().is_sign_positive())
}
