//! What an engine works on.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val};
use melior::ir::{Location, operation::OperationLike};

use super::{
    Derivative, Mode,
    activity::{self, Activity, Flows},
    memory, pick,
};
use crate::support::diag::{Result, internal_error};

/// A function and its derivative, taken apart for an engine.
pub struct Task<'c> {
    /// The body of the function.
    pub from: Blk<'c>,
    /// The body of the derivative, to be filled.
    pub to: Blk<'c>,
    /// The return of the function.
    pub terminator: Op<'c>,
    /// The arguments of the function.
    pub arguments: Vec<Val<'c>>,
    /// Those that are differentiated.
    pub wrt: Vec<Val<'c>>,
    /// What the function returns.
    pub results: Vec<Val<'c>>,
    /// Positions of the results whose derivative is seeded or asked for.
    pub of: Vec<usize>,
    /// What needs a derivative.
    pub activity: Activity,
    /// Whether the derivative is cut at its exit.
    pub is_cut: bool,
    /// Where the function is.
    pub location: Location<'c>,
}

impl<'c> Task<'c> {
    /// A function and its derivative, which is to be cut at its exit or not.
    pub(super) fn new(
        source: Op<'c>,
        target: Op<'c>,
        derivative: Derivative,
        is_cut: bool,
        flows: &Flows,
    ) -> Result<Self> {
        let (Some(from), Some(to)) = (source.body(0), target.body(0)) else {
            return Err(internal_error(source, "function without body"));
        };
        let ends = source.blocks().into_iter().filter_map(|block| block.term());
        let Some(terminator) = ends.into_iter().find(|end| end.op_name() == "func.return") else {
            return Err(internal_error(source, "function without return"));
        };
        let (arguments, results) = (from.arg_list(), terminator.operand_list());
        let wrt = pick(&arguments, &derivative.wrt);
        let wanted = pick(&results, &derivative.of);
        let is_written_later = is_cut || derivative.mode == Mode::Jvp;
        let activity =
            flows.activity(&sources(&wrt, &wanted, is_written_later), &sinks(&wrt, wanted));
        let (of, location) = (derivative.of, source.location());
        Ok(Self { from, to, terminator, arguments, wrt, results, of, activity, is_cut, location })
    }

    /// The results that have a seed: where the derivative is cut, buffers have none, because whoever calls the halves has
    /// their shadows.
    pub fn seeded(&self) -> Vec<Val<'c>> {
        let mut seeded = pick(&self.results, &self.of);
        seeded.retain(|value| !self.is_cut || !activity::is_shared(*value));
        seeded
    }

    /// The results whose shadows are returned.
    pub fn handed_out(&self) -> Vec<Val<'c>> {
        let mut handed_out = pick(&self.results, &self.of);
        handed_out.retain(|value| self.is_cut && activity::is_shared(*value));
        handed_out
    }
}

/// What varies: what is differentiated, and buffers that are returned to a caller that has their shadows and may write to
/// them what varies.
fn sources<'c>(wrt: &[Val<'c>], results: &[Val<'c>], is_written_later: bool) -> Vec<Val<'c>> {
    let is_source = |value: &&Val<'c>| is_written_later && memory::is_buffer(**value);
    wrt.iter().chain(results.iter().filter(is_source)).copied().collect()
}

/// What a derivative is asked of: results, and the contents of buffers in the end.
pub(super) fn sinks<'c>(wrt: &[Val<'c>], results: Vec<Val<'c>>) -> Vec<Val<'c>> {
    let buffers = wrt.iter().copied().filter(|value| memory::is_buffer(*value));
    results.into_iter().chain(buffers).collect()
}
