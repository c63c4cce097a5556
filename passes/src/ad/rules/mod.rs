//! The rules: how derivatives pass through each operation.
//!
//! `RULES` lists, per operation, candidates from most special to general; the
//! first that applies is used. Scalar operations have a table of their own, in
//! `scalar`. An operation that is in neither has no derivative by nature or is
//! refused, with an error at the operation and a note at the request; `without`
//! gives the reasons. Programs that embed the passes add rules of their own by `register`.

mod accumulator;
mod arrays;
pub mod bits;
mod branch;
pub mod call;
#[allow(unsafe_code)]
pub mod callback;
mod contents;
mod elementwise;
mod generate;
mod hist;
pub mod linalg;
mod loops;
mod map;
pub mod memory;
pub mod operator;
mod reduce;
pub mod register;
pub mod scalar;
pub mod scan;
mod scatter;
mod shape;
pub mod tape;
mod vector;
mod while_loop;
pub mod without;

use std::{collections::HashMap, sync::LazyLock};

use ad_dialect::{
    blocks::{handed_on, is_branch, successors},
    capi,
    ir::{BlkExt, Op, OpExt, Val, ValExt},
};
use melior::ir::{Type, ValueLike};

pub use call::call;
pub(crate) use loops::remark::Report as LoopReport;

use super::{
    activity::{Flows, carries_derivative, is_shared},
    jvp::Jvp,
    vjp::Vjp,
};
use crate::support::diag::Result;

/// How derivatives pass through one operation.
pub trait Rule: Sync {
    /// Whether the rule can be used for the operation.
    fn applies(&self, _op: Op<'_>) -> bool {
        true
    }

    /// The pairs of values that derivatives flow between; from every operand to
    /// every result, unless the rule says otherwise.
    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        for operand in op.operand_list() {
            for result in op.result_list() {
                flows.edge(operand, result);
            }
        }
    }

    /// Emits the primal and its tangent. Called when a result is active.
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()>;

    /// Distributes the cotangents of the results. Called in the return sweep when
    /// an active result has a cotangent.
    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()>;
}

/// For each operation its rules, from most special to general.
pub const RULES: &[(&str, &[&dyn Rule])] = &[
    ("ad.tape_create", &[&tape::Tape]),
    ("ad.tape_free", &[&tape::Tape]),
    ("ad.tape_pop", &[&tape::Tape]),
    ("ad.tape_push", &[&tape::Tape]),
    ("arith.select", &[&memory::View, &shape::Select]),
    ("bufferization.alloc_tensor", &[&contents::Copy]),
    ("bufferization.materialize_in_destination", &[&contents::Materialize]),
    ("bufferization.to_tensor", &[&contents::Contents]),
    ("func.call", &[&call::Call]),
    ("linalg.fill", &[&arrays::Fill, &memory::FillBuffer]),
    ("memref.alloc", &[&memory::Alloc]),
    ("memref.alloca", &[&memory::Alloc]),
    ("memref.assume_alignment", &[&memory::View]),
    ("memref.atomic_rmw", &[&memory::AtomicAdd]),
    ("memref.cast", &[&memory::View]),
    ("memref.collapse_shape", &[&memory::View]),
    ("memref.copy", &[&memory::Copy]),
    ("memref.dealloc", &[&memory::Dealloc]),
    ("memref.expand_shape", &[&memory::View]),
    ("memref.extract_strided_metadata", &[&memory::View]),
    ("memref.load", &[&memory::Load]),
    ("memref.memory_space_cast", &[&memory::View]),
    ("memref.reinterpret_cast", &[&memory::View]),
    ("memref.store", &[&memory::Store]),
    ("memref.subview", &[&memory::View]),
    ("memref.transpose", &[&memory::View]),
    ("scf.for", &[&loops::For]),
    ("scf.if", &[&branch::If]),
    ("scf.while", &[&while_loop::While]),
    (
        "soac.hist",
        &[
            &hist::add::HistAdd,
            &hist::mul::HistMul,
            &hist::min_max::HistMinMax,
            &hist::general::HistGeneral,
        ],
    ),
    ("soac.map", &[&map::Map]),
    (
        "soac.reduce",
        &[
            &reduce::add::ReduceAdd,
            &reduce::mul::ReduceMul,
            &reduce::min_max::ReduceMinMax,
            &reduce::vectorized::ReduceVectorized,
            &reduce::general::ReduceGeneral,
        ],
    ),
    ("soac.replicate", &[&arrays::Replicate]),
    (
        "soac.scan",
        &[&scan::add::ScanAdd, &scan::jacobian::ScanJacobian, &scan::general::ScanGeneral],
    ),
    ("soac.scatter", &[&scatter::Scatter]),
    ("soac.update_acc", &[&accumulator::UpdateAcc]),
    ("soac.with_acc", &[&accumulator::WithAcc]),
    ("tensor.cast", &[&shape::Cast]),
    ("tensor.collapse_shape", &[&shape::Reshape]),
    ("tensor.concat", &[&shape::Concat]),
    ("tensor.expand_shape", &[&shape::Reshape]),
    ("tensor.extract", &[&arrays::Extract]),
    ("tensor.extract_slice", &[&arrays::ExtractSlice]),
    ("tensor.from_elements", &[&arrays::FromElements]),
    ("tensor.generate", &[&generate::Generate]),
    ("tensor.insert", &[&arrays::Insert]),
    ("tensor.insert_slice", &[&arrays::InsertSlice]),
    ("tensor.reshape", &[&shape::ReshapeTo]),
    ("tensor.splat", &[&arrays::Splat]),
    ("vector.broadcast", &[&vector::Broadcast]),
    ("vector.extract", &[&vector::Extract]),
    ("vector.from_elements", &[&vector::FromElements]),
    ("vector.insert", &[&vector::Insert]),
    ("vector.load", &[&memory::Load]),
    ("vector.reduction", &[&vector::ReductionAdd]),
    ("vector.shape_cast", &[&vector::ShapeCast]),
    ("vector.store", &[&memory::Store]),
    ("vector.to_elements", &[&vector::ToElements]),
    ("vector.transpose", &[&vector::Transpose]),
];

/// Whether an operation of the name has a rule.
pub fn has_rule(name: &str) -> bool {
    INDEX.contains_key(name)
}

/// All rules by operation, because every operation of a program is looked up.
static INDEX: LazyLock<HashMap<&str, Vec<&dyn Rule>>> = LazyLock::new(|| {
    let structured = RULES.iter().map(|(name, rules)| (*name, rules.to_vec()));
    let rule: &dyn Rule = &linalg::structured::StructuredOp;
    let linalg = linalg::NAMES.iter().map(|&name| (name, vec![rule]));
    let scalar = scalar::rules().map(|(name, rule)| (name, vec![rule]));
    structured.chain(linalg).chain(scalar).collect()
});

fn rule_of(op: Op<'_>) -> Option<&'static dyn Rule> {
    let own = || INDEX.get(op.op_name())?.iter().copied().find(|rule| rule.applies(op));
    register::rule_of(op).or_else(own)
}

/// Whether a derivative that reaches an operand of the operation would be lost,
/// neither followed by a rule nor zero by nature.
pub fn loses_derivative(op: Op<'_>) -> bool {
    if op.op_name() == "func.call" {
        let takes_tape = op.operand_list().iter().any(|value| capi::is_tape(value.r#type()));
        let is_followed = op.result_list().into_iter().any(carries_derivative);
        return takes_tape || !is_followed && bits::come_back_of_call(op);
    }
    if bits::is_bitcast(op) {
        return bits::come_back(op);
    }
    // What is not known may hand it on by each of its results, and by memory.
    let results = op.result_list();
    let is_followed = |result: &Val<'_>| carries_derivative(*result) || result.users().is_empty();
    is_unknown(op)
        && (!results.iter().any(|result| carries_derivative(*result))
            || !results.iter().all(is_followed)
            || capi::memory_effects(op).writes
            || op.operand_list().iter().any(|value| is_pointer(value.r#type())))
}

/// Whether nothing is known about the derivative of an operation.
pub fn is_unknown(op: Op<'_>) -> bool {
    rule_of(op).is_none() && !is_branch(op) && !without::is_non_differentiable(op.op_name())
}

fn is_pointer(r#type: Type<'_>) -> bool {
    r#type.to_string().starts_with("!llvm.ptr")
}

/// Operands to the arguments of the body, and what it yields to the results.
fn body_flows<'c>(op: Op<'c>, flows: &mut Flows) {
    let Some(body) = op.body(0) else { return };
    flows.edges(&op.operand_list(), &body.arg_list());
    if let Some(terminator) = body.term() {
        flows.edges(&terminator.operand_list(), &op.result_list());
    }
}

/// Records the pairs of values that derivatives flow between.
pub fn flows<'c>(op: Op<'c>, flows: &mut Flows) {
    if is_branch(op) {
        for (to, values) in successors(op).into_iter().zip(handed_on(op)) {
            flows.edges(&values, &to.arg_list());
        }
        return;
    }
    if without::is_non_differentiable(op.op_name()) {
        return;
    }
    match rule_of(op) {
        Some(rule) => rule.flows(op, flows),
        // An unknown operation counts as differentiable, so that it is refused
        // where it matters and never silently treated as a constant.
        None => {
            let buffers = op.operand_list().into_iter().filter(|value| is_shared(*value));
            let to: Vec<_> = op.result_list().into_iter().chain(buffers).collect();
            for value in crate::support::region::free_values(&op.blocks())
                .into_iter()
                .chain(op.operand_list())
            {
                to.iter().for_each(|result| flows.edge(value, *result));
            }
        }
    }
}

/// Applies the operation's rule in forward mode.
pub fn jvp<'c>(op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
    match rule_of(op) {
        Some(rule) => rule.jvp(op, jvp),
        None => Err(jvp.session.no_rule(op, "jvp")),
    }
}

/// Applies the operation's rule in reverse mode.
pub fn vjp<'c>(op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
    match rule_of(op) {
        Some(rule) => rule.vjp(op, vjp),
        None => Err(vjp.session.no_rule(op, "vjp")),
    }
}
