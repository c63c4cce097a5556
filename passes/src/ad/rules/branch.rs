//! Differentiates: `scf.if` with results.
//!
//! Primal: `ys = if c then f() else g()`
//! Forward sweep: the branch itself.
//! Return sweep:
//! ```text
//! fvs_bar = if c then  f again; return sweep of f  in fvs_bar'
//!                else  g again; return sweep of g  in fvs_bar'
//! ```
//! Source: [FUT 4.1, 4.2] (a branch is a scope like any other).
//! Requires: nothing.
//! Ensures: only the branch that ran is differentiated, so the other one
//! contributes a zero that is never multiplied; the adjoints of the free
//! variables are handed through, so work stays that of the branch.
//! Edge cases: a free variable that only one branch reads keeps its adjoint in
//! the other; an accumulator is handed through, and null when the branch runs again.
//! Tests: test/ad/jvp/if.mlir, test/ad/vjp/if.mlir, test/ad/numeric/if.mlir.

use ad_dialect::ir::{BlkExt, Op, OpExt};
use melior::ir::{Type, ValueLike};

use super::Rule;
use crate::{
    ad::{
        activity::Flows,
        jvp::Jvp,
        vjp::{Returned, Vjp},
    },
    support::diag::Result,
};

/// The rule for `scf.if`.
pub struct If;

impl Rule for If {
    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        for block in op.blocks() {
            if let Some(terminator) = block.term() {
                flows.edges(&terminator.operand_list(), &op.result_list());
            }
        }
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        let results = op.result_list();
        let active = jvp.active_of(&results);
        let types: Vec<Type<'c>> = Jvp::bundle_types(&results, &active);
        let positions: Vec<_> = (0..results.len()).filter(|&i| jvp.is_active(results[i])).collect();
        let condition = jvp.primal_list(&op.operand_list());
        let b = jvp.b;
        let new = b.if_else(condition[0], &types, |inner, taken| {
            let Some(block) = op.body(usize::from(!taken)) else { return Ok(vec![]) };
            jvp.block(inner, block, |jvp| {
                let yielded = block.ends();
                let wanted: Vec<_> = positions.iter().map(|&i| yielded[i]).collect();
                Ok(jvp.bundle(&yielded, &wanted))
            })
        })?;
        jvp.unbundle(&results, &active, &new.result_list());
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let seeds: Vec<_> = op.result_list().into_iter().map(|r| vjp.cotangents.take(r)).collect();
        let free = vjp.active_free_values(&op.blocks());
        let outer: Vec<_> = free.iter().map(|&v| vjp.cotangents.get(v)).collect();
        let types: Vec<_> =
            free.iter().zip(&outer).map(|(v, adjoint)| adjoint.unwrap_or(*v).r#type()).collect();
        let condition = vjp.primal_list(&op.operand_list());
        let b = vjp.b;
        let mut reached = [vec![], vec![]];
        let new = b.if_else(condition[0], &types, |inner, taken| {
            vjp.cotangents.swap(&free, outer.clone());
            let Some(block) = op.body(usize::from(!taken)) else { return Ok(vec![]) };
            vjp.at(inner, |vjp| {
                vjp.body(block, &seeds)?;
                reached[usize::from(!taken)] =
                    free.iter().map(|&value| vjp.cotangents.has(value)).collect();
                Ok(free.iter().map(|&value| vjp.take_or_zero(value)).collect())
            })
        })?;
        vjp.returned.insert(op.key(), Returned { op: new, restored: vec![] });
        let [then, other] = reached;
        for (k, &adjoint) in new.result_list().iter().enumerate() {
            // An adjoint that only one branch contributes to is masked by the branch.
            match (outer[k].is_some(), then.get(k), other.get(k)) {
                (false, Some(true), Some(false)) => vjp.mask(adjoint, adjoint, condition[0]),
                (false, Some(false), Some(true)) => {
                    let negated = vjp.b.not(condition[0]);
                    vjp.mask(adjoint, adjoint, negated);
                }
                _ => {}
            }
        }
        let adjoints = new.result_list().into_iter().map(Some).collect();
        vjp.cotangents.swap(&free, adjoints);
        Ok(())
    }
}
