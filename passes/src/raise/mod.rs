//! `raise-to-soac`: upstream operations in forms that have derivative rules.
//!
//! An operation is raised when its meaning is that of simpler operations whose rules
//! already give the best derivative. A rule of its own (`ad/rules`) is for what they
//! would not give as good a one.
//!
//! Before a function is differentiated, `ad-differentiate` raises a copy of it; the
//! function itself stays as it is. The pass does the same to a whole module.

pub mod buffers;
pub mod dear;
pub mod flat;
mod for_loop;
pub(crate) mod forall;
mod gather;
mod index_switch;
pub mod linalg;
pub mod nests;
mod neutral;
pub mod pad;
mod parallel;
pub mod reads;
mod reduction;
mod region;
mod relayout;
mod unsigned_for;
mod while_loop;

use std::{collections::HashMap, sync::LazyLock};

use ad_dialect::ir::{Op, OpExt, Val, ValExt};
use melior::{Context, ir::operation::OperationLike};

use crate::{
    ad::{Mode, rules::scan},
    checkpoint::strip_mine,
    support::{
        builder::Builder,
        diag::{Result, error},
    },
};

/// Builds what stands for the operation, before it, and returns the values of its
/// results; none if the operation stays as it is. The caller erases the operation; a
/// raising function erases nothing.
pub type Raise = for<'c> fn(&Builder<'c>, Op<'c>) -> Result<Option<Vec<Val<'c>>>>;

/// What an operation is raised for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To be differentiated in forward mode.
    Forward,
    /// To be differentiated in reverse mode.
    Reverse,
    /// To be lowered to loops.
    Lowering,
    /// To become kernels.
    Kernels,
    /// To run in parallel, rounded as it is.
    Parallel,
    /// To run in parallel, with sums and products in any order.
    ParallelSums,
}

use Purpose::{Forward, Kernels, Lowering, Parallel, ParallelSums, Reverse};

impl From<Mode> for Purpose {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Jvp => Forward,
            Mode::Vjp => Reverse,
        }
    }
}

/// What loops are raised for by the name of an option, if they are.
pub fn of_loops(module: Op<'_>, name: &str) -> Result<Option<Purpose>> {
    match name {
        "none" => Ok(None),
        "exact" => Ok(Some(Parallel)),
        "any-order" => Ok(Some(ParallelSums)),
        _ => Err(error(module, &format!("'loops' must be none, exact or any-order, not '{name}'"))),
    }
}

/// For derivatives in either mode.
pub const DERIVATIVES: &[Purpose] = &[Forward, Reverse];
const ALWAYS: &[Purpose] = &[Forward, Reverse, Lowering, Kernels];

/// For each operation how it is raised and what for, beside the structured operations of
/// `linalg`, which `linalg` knows. Operations inside come before those around.
pub const RAISES: &[(&str, &[Purpose], Raise)] = &[
    ("linalg.pack", ALWAYS, relayout::pack),
    ("linalg.softmax", ALWAYS, relayout::softmax),
    ("linalg.unpack", ALWAYS, relayout::unpack),
    ("scf.execute_region", DERIVATIVES, region::execute_region),
    ("scf.for", DERIVATIVES, unsigned_for::unsigned_for),
    ("scf.for", &[Reverse], strip_mine::annotated),
    ("scf.for", &[Parallel], for_loop::exact),
    ("scf.for", &[ParallelSums], for_loop::in_any_order),
    ("scf.forall", DERIVATIVES, forall::forall),
    ("scf.index_switch", DERIVATIVES, index_switch::index_switch),
    ("scf.parallel", DERIVATIVES, parallel::parallel),
    ("scf.parallel", &[Lowering], parallel::in_order),
    ("scf.parallel", &[Kernels], parallel::in_kernels),
    ("scf.while", &[Reverse], while_loop::while_loop),
    ("soac.map", &[Reverse], dear::yield_dear),
    ("soac.scan", &[Reverse], scan::vectorized::interchange),
    ("tensor.concat", &[Lowering, Kernels], pad::concat),
    ("tensor.gather", ALWAYS, gather::gather),
    ("tensor.pad", ALWAYS, pad::pad),
    ("tensor.scatter", ALWAYS, gather::scatter),
    ("vector.reduction", DERIVATIVES, reduction::reduction),
];

/// What an operation is raised for, and how.
type Row = (&'static [Purpose], Raise);

/// The rows of `RAISES` by operation, because every operation of a program is looked up.
static INDEX: LazyLock<HashMap<&str, Vec<Row>>> = LazyLock::new(|| {
    let mut index: HashMap<_, Vec<_>> = HashMap::new();
    for &(name, purposes, raise) in RAISES {
        index.entry(name).or_default().push((purposes, raise));
    }
    index
});

/// What an operation is raised to may be raised again, at most this often.
const ROUNDS: usize = 8;

/// Raises what is inside an operation, for any of some purposes; returns how many operations
/// were replaced.
pub fn raise<'c>(context: &'c Context, root: Op<'c>, purposes: &[Purpose]) -> Result<u64> {
    raise_among(context, &|| inside_out(root), purposes)
}

/// Raises those of some operations, each of which comes after those inside of it; returns how many were replaced.
pub fn raise_among<'c>(
    context: &'c Context,
    among: &dyn Fn() -> Vec<Op<'c>>,
    purposes: &[Purpose],
) -> Result<u64> {
    let mut raised = 0;
    for _ in 0..ROUNDS {
        let before = raised;
        for op in among() {
            raised += u64::from(raise_by(context, op, &raises_of(op, purposes))?);
        }
        if raised == before {
            break;
        }
    }
    Ok(raised)
}

/// Whether there is anything to raise inside an operation.
pub fn is_wanted(root: Op<'_>, purposes: &[Purpose]) -> bool {
    let mut wanted = false;
    root.for_each(&mut |op| wanted |= !raises_of(op, purposes).is_empty());
    wanted
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

/// How an operation may be raised for any of some purposes.
fn raises_of(op: Op<'_>, purposes: &[Purpose]) -> Vec<Raise> {
    let is_wanted = |row: &&Row| row.0.iter().any(|p| purposes.contains(p));
    match INDEX.get(op.op_name()) {
        Some(rows) => rows.iter().filter(is_wanted).map(|row| row.1).collect(),
        None if purposes.contains(&Reverse) && linalg::is_raised(op) => vec![linalg::structured],
        None => vec![],
    }
}

/// The operations inside an operation, each after those inside it.
fn inside_out(root: Op<'_>) -> Vec<Op<'_>> {
    let mut found = vec![];
    root.for_each(&mut |op| found.push(op));
    found.reverse();
    found
}
