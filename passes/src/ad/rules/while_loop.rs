//! Differentiates: `scf.while`, in forward mode; reverse mode never sees one.
//!
//! Primal: `vs = while (xs) = (xs0): (c, vs) = before(xs); if c then xs = after(vs)`
//! Forward sweep: loop-carried values and the values handed from the condition to the
//! body are bundled with their tangents; the condition is that of the primal.
//! Return sweep: none; `raise/while_loop.rs` makes it an `scf.for` before.
//! Source: [FUT 3] (loops bundle), [FUT 6.2] (while loops in reverse mode).
//! Requires: nothing.
//! Ensures: as many iterations as the primal.
//! Edge cases: no iteration: the tangents of the initial values pass through the
//! condition's region; results may differ from the initial values in number and type.
//! Tests: test/ad/jvp/while.mlir, test/ad/vjp/while.mlir, test/ad/numeric/while.mlir.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val};

use super::Rule;
use crate::{
    ad::{activity::Flows, jvp::Jvp, vjp::Vjp},
    support::diag::{Result, internal_error},
};

/// The rule for `scf.while`.
pub struct While;

impl Rule for While {
    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        let (Some(before), Some(after)) = (op.body(0), op.body(1)) else { return };
        let passed = terminator(before).split_off(1);
        flows.edges(&op.operand_list(), &before.arg_list());
        flows.edges(&passed, &after.arg_list());
        flows.edges(&passed, &op.result_list());
        flows.edges(&terminator(after), &before.arg_list());
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        let (Some(before), Some(after)) = (op.body(0), op.body(1)) else { return Ok(()) };
        let (from, to, results) = (before.arg_list(), after.arg_list(), op.result_list());
        let carried: Vec<_> = (0..from.len()).filter(|&i| jvp.is_active(from[i])).collect();
        // Both must be bundled if the argument of the body or the result is active.
        let passed: Vec<_> =
            (0..to.len()).filter(|&i| jvp.is_active(to[i]) || jvp.is_active(results[i])).collect();
        let pick = |list: &[Val<'c>], positions: &[usize]| -> Vec<Val<'c>> {
            positions.iter().map(|&i| list[i]).collect()
        };
        let inits = op.operand_list();
        let bundle = jvp.bundle(&inits, &pick(&inits, &carried));
        let from_types = Jvp::bundle_types(&from, &pick(&from, &carried));
        let to_types = Jvp::bundle_types(&to, &pick(&to, &passed));
        let regions = [from_types, to_types.clone()];
        let b = jvp.b;
        let new = b.op_with("scf.while", &bundle, &to_types, &[], &regions);
        b.fill_body(new, 0, "scf.condition", |inner, arguments| {
            jvp.unbundle(&from, &pick(&from, &carried), arguments);
            jvp.block(inner, before, |jvp| {
                let mut values = terminator(before);
                let rest = values.split_off(1);
                let mut all = jvp.primal_list(&values);
                all.extend(jvp.bundle(&rest, &pick(&rest, &passed)));
                Ok(all)
            })
        })?;
        b.fill_body(new, 1, "scf.yield", |inner, arguments| {
            jvp.unbundle(&to, &pick(&to, &passed), arguments);
            jvp.block(inner, after, |jvp| {
                let next = terminator(after);
                Ok(jvp.bundle(&next, &pick(&next, &carried)))
            })
        })?;
        if let Some(bound) = op.attr("ad.bound") {
            new.set_attr(jvp.session.context(), "ad.bound", bound);
        }
        jvp.unbundle(&results, &pick(&results, &passed), &new.result_list());
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, _: &mut Vjp<'_, 'c>) -> Result<()> {
        Err(internal_error(op, "loop that was not raised to 'scf.for'"))
    }
}

fn terminator<'c>(block: Blk<'c>) -> Vec<Val<'c>> {
    block.ends()
}
