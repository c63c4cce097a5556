//! Structured operations of `linalg` on tensors, generic and named alike.
//!
//! Every named operation has a body and indexing maps as `linalg.generic` has, so
//! one rule serves all (`structured`). `Payload` says how the body uses the outputs.

pub mod structured;

use std::collections::HashSet;

use ad_dialect::{
    ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey},
    linalg::Structured,
};
use melior::ir::{ValueLike, operation::OperationLike};

use crate::support::{
    region::free_values,
    structured::{covers_once, reached},
};

/// The operations that the rule for structured operations serves.
pub const NAMES: &[&str] = &[
    "linalg.abs",
    "linalg.add",
    "linalg.batch_matmul",
    "linalg.batch_matvec",
    "linalg.batch_mmt4d",
    "linalg.batch_reduce_matmul",
    "linalg.batch_vecmat",
    "linalg.broadcast",
    "linalg.ceil",
    "linalg.contract",
    "linalg.conv_1d",
    "linalg.conv_1d_ncw_fcw",
    "linalg.conv_1d_nwc_wcf",
    "linalg.conv_2d",
    "linalg.conv_2d_nchw_fchw",
    "linalg.conv_2d_nchw_fchw_q",
    "linalg.conv_2d_ngchw_fgchw",
    "linalg.conv_2d_ngchw_gfchw",
    "linalg.conv_2d_ngchw_gfchw_q",
    "linalg.conv_2d_nhwc_fhwc",
    "linalg.conv_2d_nhwc_fhwc_q",
    "linalg.conv_2d_nhwc_hwcf",
    "linalg.conv_2d_nhwc_hwcf_q",
    "linalg.conv_2d_nhwgc_gfhwc",
    "linalg.conv_2d_nhwgc_gfhwc_q",
    "linalg.conv_3d",
    "linalg.conv_3d_ncdhw_fcdhw",
    "linalg.conv_3d_ndhwc_dhwcf",
    "linalg.conv_3d_ndhwc_dhwcf_q",
    "linalg.copy",
    "linalg.depthwise_conv_1d_ncw_cw",
    "linalg.depthwise_conv_1d_nwc_wc",
    "linalg.depthwise_conv_1d_nwc_wcm",
    "linalg.depthwise_conv_2d_nchw_chw",
    "linalg.depthwise_conv_2d_nhwc_hwc",
    "linalg.depthwise_conv_2d_nhwc_hwc_q",
    "linalg.depthwise_conv_2d_nhwc_hwcm",
    "linalg.depthwise_conv_2d_nhwc_hwcm_q",
    "linalg.depthwise_conv_3d_ncdhw_cdhw",
    "linalg.depthwise_conv_3d_ndhwc_dhwc",
    "linalg.depthwise_conv_3d_ndhwc_dhwcm",
    "linalg.div",
    "linalg.div_unsigned",
    "linalg.dot",
    "linalg.elementwise",
    "linalg.erf",
    "linalg.exp",
    "linalg.fill_rng_2d",
    "linalg.floor",
    "linalg.generic",
    "linalg.log",
    "linalg.map",
    "linalg.matmul",
    "linalg.matvec",
    "linalg.max",
    "linalg.min",
    "linalg.mmt4d",
    "linalg.mul",
    "linalg.negf",
    "linalg.pooling_nchw_max",
    "linalg.pooling_nchw_sum",
    "linalg.pooling_ncw_max",
    "linalg.pooling_ncw_sum",
    "linalg.pooling_ndhwc_max",
    "linalg.pooling_ndhwc_min",
    "linalg.pooling_ndhwc_sum",
    "linalg.pooling_nhwc_max",
    "linalg.pooling_nhwc_max_unsigned",
    "linalg.pooling_nhwc_min",
    "linalg.pooling_nhwc_min_unsigned",
    "linalg.pooling_nhwc_sum",
    "linalg.pooling_nwc_max",
    "linalg.pooling_nwc_max_unsigned",
    "linalg.pooling_nwc_min",
    "linalg.pooling_nwc_min_unsigned",
    "linalg.pooling_nwc_sum",
    "linalg.powf",
    "linalg.quantized_batch_matmul",
    "linalg.quantized_matmul",
    "linalg.reciprocal",
    "linalg.reduce",
    "linalg.round",
    "linalg.rsqrt",
    "linalg.select",
    "linalg.sqrt",
    "linalg.square",
    "linalg.sub",
    "linalg.tanh",
    "linalg.transpose",
    "linalg.vecmat",
];

/// How the body makes the elements of one output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payload {
    /// It adds to the element a term that does not depend on any output.
    Adds,
    /// Every element is made once, perhaps from what was there.
    Writes,
    /// Anything else: a minimum, a product, an element that is made several times.
    Folds,
}

/// How the body makes the elements of each output.
pub fn payloads(s: &Structured<'_>) -> Vec<Payload> {
    let arguments = s.body.arg_list();
    let outs = arguments.get(s.inputs.len()..).unwrap_or_default();
    let yielded = s.body.ends();
    let once: Vec<_> = s
        .output_maps()
        .iter()
        .zip(&s.inits)
        .map(|(map, init)| covers_once(map, &init.r#type().shape(), s.loops))
        .collect();
    let states: Vec<_> =
        outs.iter().zip(&once).filter(|(_, once)| !**once).map(|(out, _)| *out).collect();
    outs.iter()
        .zip(&yielded)
        .zip(once)
        .map(|((out, value), once)| {
            let others: Vec<_> =
                states.iter().copied().filter(|state| state.key() != out.key()).collect();
            let depends = reached(s.body, &[&others[..], &[*out]].concat());
            if adds_to(*value, *out, &depends) {
                Payload::Adds
            } else if once && !reached(s.body, &others).contains(&value.key()) {
                Payload::Writes
            } else {
                Payload::Folds
            }
        })
        .collect()
}

/// Whether the value is `out` plus terms that do not depend on an output.
fn adds_to<'c>(value: Val<'c>, out: Val<'c>, depends: &HashSet<ValueKey>) -> bool {
    if value.users().len() != 1 {
        return false;
    }
    if value.key() == out.key() {
        return true;
    }
    let Some(op) = value.defining_op() else { return false };
    let operands = op.operand_list();
    let carried: &[usize] = match op.op_name() {
        "arith.addf" | "complex.add" => &[0, 1],
        "arith.subf" | "complex.sub" => &[0],
        "math.fma" => &[2],
        _ => return false,
    };
    let mut dependent = (0..operands.len())
        .filter(|&i| operands.get(i).is_some_and(|v| depends.contains(&v.key())));
    match (dependent.next(), dependent.next()) {
        (Some(i), None) if carried.contains(&i) => {
            operands.get(i).is_some_and(|&next| adds_to(next, out, depends))
        }
        _ => false,
    }
}

/// Whether the return sweep has a rule: every output that has a derivative is a sum or
/// made once, and the body reads no array with a derivative from outside.
pub fn is_regular(op: Op<'_>) -> bool {
    let Some(s) = Structured::of(op) else { return false };
    let reads_array = free_values(&[s.body])
        .iter()
        .any(|value| value.r#type().as_tensor().is_some() && value.r#type().is_differentiable());
    let payloads = payloads(&s);
    let folds =
        |init: &Val<'_>, payload| init.r#type().is_differentiable() && payload == Payload::Folds;
    !reads_array && !s.inits.iter().zip(payloads).any(|(init, payload)| folds(init, payload))
}

/// Why a structured operation has no rule, if it would have one on tensors.
pub fn refusal(op: Op<'_>) -> Option<&'static str> {
    let on_memory = op.result_count() == 0 && Structured::of(op).is_some();
    on_memory.then_some("it works on memory; differentiate before bufferisation")
}
