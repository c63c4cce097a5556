//! Differentiates: `tensor.generate`.
//!
//! Primal: `y[i, j, ..] = f(i, j, ..)`
//! Forward sweep: the operation itself.
//! Return sweep: as for a nest of maps over the indices,
//! ```text
//! map (\i -> map (\j -> f again; return sweep of f at y_bar[i, j]) iota) iota
//! ```
//! with the free variables of f handled as those of a map.
//! Source: [FUT 5.4]; the operation is a map over virtual arrays.
//! Requires: nothing.
//! Ensures: work and depth of the primal.
//! Edge cases: an empty tensor contributes zeros.
//! Tests: test/ad/jvp/generate.mlir, test/ad/vjp/generate.mlir,
//! test/ad/numeric/generate.mlir.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val};
use melior::ir::ValueLike;

use super::Rule;
use crate::{
    ad::{activity::Flows, jvp::Jvp, vjp::Vjp},
    support::diag::Result,
};

/// The rule for `tensor.generate`.
pub struct Generate;

impl Rule for Generate {
    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        if let Some(terminator) = op.body(0).and_then(|body| body.term()) {
            flows.edges(&terminator.operand_list(), &op.result_list());
        }
    }

    /// A second `tensor.generate`, whose body computes the tangent.
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        let (Some(body), Some(result)) = (op.body(0), op.res(0)) else { return Ok(()) };
        jvp.copy(op);
        let sizes = jvp.primal_list(&op.operand_list());
        let b = jvp.b;
        let indices = vec![b.index_type(); body.arg_list().len()];
        let new = b.op_with("tensor.generate", &sizes, &[result.r#type()], &[], &[indices]);
        b.fill_body(new, 0, "tensor.yield", |inner, indices| {
            jvp.set_primals(&body.arg_list(), indices);
            jvp.block(inner, body, |jvp| {
                let yielded = body.ends();
                Ok(yielded.into_iter().map(|value| jvp.tangent_or_zero(value)).collect())
            })
        })?;
        for y_dot in new.result_list() {
            jvp.set_tangent(result, y_dot);
        }
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let (Some(body), Some(result)) = (op.body(0), op.res(0)) else { return Ok(()) };
        let Some(y_bar) = vjp.cotangents.take(result) else { return Ok(()) };
        let free = vjp.active_free_values(&[body]);
        nest(vjp, body, y_bar, &free, &mut vec![])
    }
}

/// The maps over the dimensions from the number of known indices on.
fn nest<'c>(
    vjp: &mut Vjp<'_, 'c>,
    body: Blk<'c>,
    y_bar: Val<'c>,
    free: &[Val<'c>],
    indices: &mut Vec<Val<'c>>,
) -> Result<()> {
    let shape = y_bar.r#type().shape();
    let Some(&size) = shape.get(indices.len()) else {
        vjp.set_primals(&body.arg_list(), indices);
        let seed = vjp.b.extract(y_bar, indices);
        return vjp.body(body, &[Some(seed)]);
    };
    let iota = vjp.b.iota(vjp.b.dim(y_bar, indices.len()), size);
    vjp.adjoint_map(&[iota], &[], free, |vjp, index| {
        indices.extend_from_slice(index);
        nest(vjp, body, y_bar, free, indices)?;
        indices.pop();
        Ok(vec![])
    })?;
    Ok(())
}
