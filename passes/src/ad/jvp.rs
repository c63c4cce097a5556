//! The forward engine (FUT 3): tangent statements interleaved with the primal
//! ones, tangents bundled with primals in parameters, results and bodies.
//!
//! A value without tangent has the tangent zero, for which no code exists.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::{Type, ValueLike, operation::OperationLike};

use super::{Session, Task, activity::Activity, pick, rules};
use crate::support::{
    builder::Builder,
    diag::Result,
    region::{ValueMap, clone_op, renamed},
};

/// The state of one forward differentiation.
pub struct Jvp<'s, 'c> {
    /// Functions generated so far, errors.
    pub session: &'s mut Session<'c>,
    /// Where new code goes.
    pub b: Builder<'c>,
    primals: ValueMap<'c>,
    tangents: ValueMap<'c>,
    activity: Activity,
}

impl<'s, 'c> Jvp<'s, 'c> {
    /// An engine that builds at a position.
    pub fn new(session: &'s mut Session<'c>, b: Builder<'c>, activity: Activity) -> Self {
        let (primals, tangents) = (ValueMap::new(), ValueMap::new());
        Self { session, b, primals, tangents, activity }
    }

    /// The value that a source value has in the new code.
    pub fn primal(&self, value: Val<'c>) -> Val<'c> {
        renamed(&self.primals, value)
    }

    /// The values that several source values have in the new code.
    pub fn primal_list(&self, values: &[Val<'c>]) -> Vec<Val<'c>> {
        values.iter().map(|&value| self.primal(value)).collect()
    }

    /// Says what several source values are in the new code.
    pub fn set_primals(&mut self, values: &[Val<'c>], new: &[Val<'c>]) {
        self.primals.extend(values.iter().map(ValExt::key).zip(new.iter().copied()));
    }

    /// Whether a source value needs a tangent.
    pub fn is_active(&self, value: Val<'c>) -> bool {
        self.activity.is_active(value)
    }

    /// The tangent, if it is not a symbolic zero.
    pub fn tangent(&self, value: Val<'c>) -> Option<Val<'c>> {
        self.tangents.get(&value.key()).copied()
    }

    /// The tangent; zero is materialised.
    pub fn tangent_or_zero(&self, value: Val<'c>) -> Val<'c> {
        self.tangent(value).unwrap_or_else(|| {
            let primal = self.primal(value);
            if primal.r#type().is_acc() {
                return self.b.val("soac.null_acc", &[], primal.r#type());
            }
            self.b.zeros_like(primal)
        })
    }

    /// Says what the tangent of a source value is.
    pub fn set_tangent(&mut self, value: Val<'c>, tangent: Val<'c>) {
        if self.is_active(value) {
            self.tangents.insert(value.key(), tangent);
        }
    }

    /// Copies an operation.
    pub fn copy(&mut self, op: Op<'c>) -> Op<'c> {
        clone_op(&self.b, op, &mut self.primals)
    }

    /// Copies an operation with other operands, for its tangent.
    pub fn copy_linear(&mut self, op: Op<'c>, operands: &[Val<'c>]) -> Op<'c> {
        let copy = op.clone_detached();
        crate::support::region::rename_operands(copy, &self.primals);
        copy.set_operands(operands);
        self.b.insert(copy);
        copy
    }

    /// The active ones among source values.
    pub fn active_of(&self, values: &[Val<'c>]) -> Vec<Val<'c>> {
        values.iter().copied().filter(|&value| self.is_active(value)).collect()
    }

    /// Primals of all, then tangents of the active ones: how values are bundled.
    pub fn bundle(&self, values: &[Val<'c>], active: &[Val<'c>]) -> Vec<Val<'c>> {
        let mut bundle = self.primal_list(values);
        bundle.extend(active.iter().map(|&value| self.tangent_or_zero(value)));
        bundle
    }

    /// Records new values as primals of all and tangents of the active ones.
    pub fn unbundle(&mut self, values: &[Val<'c>], active: &[Val<'c>], new: &[Val<'c>]) {
        self.set_primals(values, &new[..values.len().min(new.len())]);
        for (&value, &tangent) in active.iter().zip(&new[values.len().min(new.len())..]) {
            self.set_tangent(value, tangent);
        }
    }

    /// Derives a block at another position and returns what `result` makes of it.
    pub fn block<T>(
        &mut self,
        b: Builder<'c>,
        block: Blk<'c>,
        result: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let outer = std::mem::replace(&mut self.b, b);
        let done = self.block_here(block).and_then(|()| result(self));
        self.b = outer;
        done
    }

    /// Derives the operations of a block before its terminator.
    pub fn block_here(&mut self, block: Blk<'c>) -> Result<()> {
        let mut failure = None;
        let outer = self.b;
        for op in block.body_ops() {
            self.b = self.b.deriving(op);
            let active = op.result_list().iter().any(|&result| self.is_active(result));
            if !active && !self.activity.is_on_shared(op) {
                self.copy(op);
            } else if let Err(reported) = rules::jvp(op, self) {
                self.copy(op);
                failure = Some(reported);
            }
        }
        self.b = self.b.deriving_as(outer);
        failure.map_or(Ok(()), Err)
    }

    /// Types of all, then of the active ones: the types of a bundle.
    pub fn bundle_types(values: &[Val<'c>], active: &[Val<'c>]) -> Vec<Type<'c>> {
        values.iter().chain(active).map(|value| value.r#type()).collect()
    }
}

/// Fills the jvp of a function: the target takes the primal arguments, then one
/// seed per argument in `wrt`, and returns the primal results, then the tangents
/// of the results in `of`.
pub fn function<'c>(session: &mut Session<'c>, task: Task<'c>) -> Result<()> {
    let b = Builder::at_end(session.context(), task.to, task.location);
    let wanted = pick(&task.results, &task.of);
    let mut jvp = Jvp::new(session, b, task.activity);
    jvp.unbundle(&task.arguments, &task.wrt, &task.to.arg_list());
    let made = jvp.make_tangents(&task.arguments);
    jvp.block_here(task.from)?;
    jvp.b = jvp.b.with_location(task.terminator.location());
    jvp.free(&made);
    let returned = jvp.bundle(&task.results, &wanted);
    jvp.b.op("func.return", &returned, &[]);
    Ok(())
}
