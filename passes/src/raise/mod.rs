//! `raise-to-soac`: upstream operations in forms that have derivative rules.
//!
//! An operation is raised when its meaning is that of simpler operations whose rules
//! already give the best derivative. A rule of its own (`ad/rules`) is for what they
//! would not give as good a one.
//!
//! Before a function is differentiated, `ad-differentiate` raises a copy of it; the
//! function itself stays as it is. The pass does the same to a whole module.

mod gather;
mod index_switch;
mod linalg;
pub mod pad;
mod parallel;
mod reduction;
mod region;
mod relayout;
mod unsigned_for;
mod while_loop;

use ad_dialect::ir::{Op, OpExt, Val, ValExt};
use melior::{Context, ir::operation::OperationLike};

use crate::{
    ad::{Mode, rules::scan},
    checkpoint::strip_mine,
    support::{builder::Builder, diag::Result},
};

/// Builds what stands for the operation, before it, and returns the values of its
/// results; none if the operation stays as it is. The caller erases the operation; a
/// raising function erases nothing.
pub type Raise = for<'c> fn(&Builder<'c>, Op<'c>) -> Result<Option<Vec<Val<'c>>>>;

/// When an operation is raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Whatever the mode.
    Always,
    /// For reverse mode only; forward mode has a rule.
    Reverse,
    /// To be lowered only; both modes have rules.
    Lowering,
}

/// For each operation how it is raised, beside the structured operations of `linalg`,
/// which `linalg` knows. Operations inside come before those around.
pub const RAISES: &[(&str, When, Raise)] = &[
    ("linalg.pack", When::Always, relayout::pack),
    ("linalg.softmax", When::Always, relayout::softmax),
    ("linalg.unpack", When::Always, relayout::unpack),
    ("scf.execute_region", When::Always, region::execute_region),
    ("scf.for", When::Always, unsigned_for::unsigned_for),
    ("scf.for", When::Reverse, strip_mine::annotated),
    ("scf.forall", When::Always, parallel::forall),
    ("scf.index_switch", When::Always, index_switch::index_switch),
    ("scf.parallel", When::Always, parallel::parallel),
    ("scf.while", When::Reverse, while_loop::while_loop),
    ("soac.scan", When::Reverse, scan::vectorized::interchange),
    ("tensor.concat", When::Lowering, pad::concat),
    ("tensor.gather", When::Always, gather::gather),
    ("tensor.pad", When::Always, pad::pad),
    ("tensor.scatter", When::Always, gather::scatter),
    ("vector.reduction", When::Always, reduction::reduction),
];

/// What an operation is raised to may be raised again, at most this often.
const ROUNDS: usize = 8;

/// Raises what is inside an operation, for one mode or (none) for all; returns how many
/// operations were replaced.
pub fn raise<'c>(context: &'c Context, root: Op<'c>, mode: Option<Mode>) -> Result<u64> {
    let mut raised = 0;
    for _ in 0..ROUNDS {
        let before = raised;
        for op in inside_out(root) {
            raised += u64::from(raise_one(context, op, mode)?);
        }
        if raised == before {
            break;
        }
    }
    Ok(raised)
}

/// Raises the operations of the given names only, whatever the mode; returns how many
/// were replaced.
pub fn raise_only<'c>(context: &'c Context, root: Op<'c>, names: &[&str]) -> Result<u64> {
    let mut raised = 0;
    for op in inside_out(root).into_iter().filter(|op| names.contains(&op.op_name())) {
        let rows = RAISES.iter().filter(|(name, ..)| *name == op.op_name());
        let raises: Vec<_> = rows.map(|(.., raise)| *raise).collect();
        raised += u64::from(raise_by(context, op, &raises)?);
    }
    Ok(raised)
}

/// Whether there is anything to raise inside an operation.
pub fn is_wanted(root: Op<'_>, mode: Mode) -> bool {
    let mut wanted = false;
    root.for_each(&mut |op| wanted |= !raises_of(op, Some(mode)).is_empty());
    wanted
}

fn raise_one<'c>(context: &'c Context, op: Op<'c>, mode: Option<Mode>) -> Result<bool> {
    raise_by(context, op, &raises_of(op, mode))
}

/// Raises an operation by the first of some functions that can.
fn raise_by<'c>(context: &'c Context, op: Op<'c>, raises: &[Raise]) -> Result<bool> {
    let Some(block) = op.block() else { return Ok(false) };
    for raise in raises {
        let b = Builder::before(context, op, block);
        let Some(values) = raise(&b, op)? else { continue };
        for (old, new) in op.result_list().into_iter().zip(values) {
            old.replace_all_uses(new);
        }
        op.erase();
        return Ok(true);
    }
    Ok(false)
}

/// How an operation may be raised for a mode.
fn raises_of(op: Op<'_>, mode: Option<Mode>) -> Vec<Raise> {
    let is_wanted = |when: When| match when {
        When::Always => true,
        When::Reverse => mode != Some(Mode::Jvp),
        When::Lowering => false,
    };
    let rows: Vec<_> = RAISES.iter().filter(|(name, ..)| *name == op.op_name()).collect();
    if rows.is_empty() && linalg::is_raised(op) && is_wanted(When::Reverse) {
        return vec![linalg::structured as Raise];
    }
    rows.into_iter().filter(|(_, when, _)| is_wanted(*when)).map(|(.., raise)| *raise).collect()
}

/// The operations inside an operation, each after those inside it.
fn inside_out(root: Op<'_>) -> Vec<Op<'_>> {
    let mut found = vec![];
    root.for_each(&mut |op| found.push(op));
    found.reverse();
    found
}
