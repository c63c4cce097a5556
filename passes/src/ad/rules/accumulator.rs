//! Differentiates: `soac.with_acc` and `soac.update_acc`.
//!
//! Primal: `bs, es = withacc as (\acc -> ... upd i v acc ...)`, that is
//! `bs = as + sum of all updates`
//! Forward sweep: the operation itself.
//! Return sweep:
//! ```text
//! the body again with null accumulators (its further values only)
//! upd i v acc:  v_bar += bs_bar[i]
//! as_bar += bs_bar
//! ```
//! Source: [FUT 5.4] gives accumulators their meaning; their own derivative
//! follows from it, because `bs` is linear in `as` and in every `v`.
//! Requires: accumulators are linear.
//! Ensures: the cotangent of an accumulator is one array that is only read,
//! wherever the accumulator is handed on; work and depth of the primal.
//! Edge cases: several updates of one element each receive its cotangent; an
//! array nobody reads has no cotangent and its updates contribute nothing.
//! Tests: test/ad/jvp/with-acc.mlir, test/ad/vjp/with-acc.mlir,
//! test/ad/numeric/with-acc.mlir, test/ad/compose/vjp-of-vjp.mlir.

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, tensor_type};
use melior::ir::{Type, ValueLike};

use super::Rule;
use crate::{
    ad::{activity::Flows, jvp::Jvp, vjp::Vjp},
    support::{builder::Builder, diag::Result},
};

/// The rule for `soac.with_acc`.
pub struct WithAcc;

impl Rule for WithAcc {
    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        super::body_flows(op, flows);
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        let Some(body) = op.body(0) else { return Ok(()) };
        let (arrays, accs, results) = (op.operand_list(), body.arg_list(), op.result_list());
        let (own, further) = results.split_at(arrays.len());
        let positions: Vec<_> = (0..accs.len()).filter(|&i| jvp.is_active(accs[i])).collect();
        let pick = |list: &[Val<'c>]| positions.iter().map(|&i| list[i]).collect::<Vec<_>>();
        let active_further: Vec<_> =
            (0..further.len()).filter(|&i| jvp.is_active(further[i])).collect();
        let extra: Vec<Type<'c>> = further
            .iter()
            .chain(active_further.iter().map(|&i| &further[i]))
            .map(|v| v.r#type())
            .collect();
        let bundle = jvp.bundle(&arrays, &pick(&arrays));
        let b = jvp.b;
        let new = b.with_acc(&bundle, &extra, |inner, arguments| {
            jvp.unbundle(&accs, &pick(&accs), arguments);
            jvp.block(inner, body, |jvp| {
                let yielded = body.ends();
                let (done, more) = yielded.split_at(arrays.len());
                let mut all = jvp.bundle(done, &pick(done));
                let wanted: Vec<_> = active_further.iter().map(|&i| more[i]).collect();
                all.extend(jvp.bundle(more, &wanted));
                Ok(all)
            })
        })?;
        let (first, rest) = new.split_at(bundle.len());
        jvp.unbundle(own, &pick(own), first);
        let wanted: Vec<_> = active_further.iter().map(|&i| further[i]).collect();
        jvp.unbundle(further, &wanted, rest);
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let Some(body) = op.body(0) else { return Ok(()) };
        for acc in body.arg_list() {
            let null = vjp.b.val("soac.null_acc", &[], acc.r#type());
            vjp.set_primal(acc, null);
        }
        let seeds: Vec<_> = op.result_list().into_iter().map(|r| vjp.cotangents.take(r)).collect();
        vjp.body(body, &seeds)?;
        for acc in body.arg_list() {
            vjp.cotangents.take(acc);
        }
        for (array, seed) in op.operand_list().into_iter().zip(seeds) {
            if let Some(seed) = seed {
                vjp.add_dense(array, seed)?;
            }
        }
        Ok(())
    }
}

/// The rule for `soac.update_acc`.
pub struct UpdateAcc;

impl Rule for UpdateAcc {
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        let operands = op.operand_list();
        let (Some(&acc), Some(&value), Some(result)) =
            (operands.first(), operands.last(), op.res(0))
        else {
            return Ok(());
        };
        jvp.copy(op);
        let tangent = jvp.tangent_or_zero(acc);
        let updated = match jvp.tangent(value) {
            Some(value) => {
                let indices = jvp.primal_list(&operands[1..operands.len() - 1]);
                jvp.b.update_acc(tangent, &indices, value)
            }
            None => tangent,
        };
        jvp.set_tangent(result, updated);
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let operands = op.operand_list();
        let (Some(&acc), Some(&value), Some(result)) =
            (operands.first(), operands.last(), op.res(0))
        else {
            return Ok(());
        };
        let Some(array_bar) = vjp.cotangents.take(result) else { return Ok(()) };
        vjp.add_dense(acc, array_bar)?;
        if vjp.is_active(value) {
            let indices = vjp.primal_list(&operands[1..operands.len() - 1]);
            let part = sub_array(&vjp.b, array_bar, &indices, value.r#type());
            vjp.add_dense(value, part)?;
        }
        Ok(())
    }
}

/// The element or the sub-array of the trailing dimensions at leading indices,
/// as a value of the given type.
fn sub_array<'c>(
    b: &Builder<'c>,
    array: Val<'c>,
    indices: &[Val<'c>],
    wanted: Type<'c>,
) -> Val<'c> {
    let shape = array.r#type().shape();
    if indices.len() == shape.len() {
        return b.extract(array, indices);
    }
    if indices.is_empty() {
        return b.cast(array, wanted);
    }
    let mut operands = vec![array];
    operands.extend_from_slice(indices);
    let mut offsets = vec![DYNAMIC; indices.len()];
    offsets.resize(shape.len(), 0);
    let mut sizes = vec![1; indices.len()];
    for (i, &size) in shape.iter().enumerate().skip(indices.len()) {
        sizes.push(size);
        if size == DYNAMIC {
            operands.push(b.dim(array, i));
        }
    }
    let segments = [1, indices.len() as i32, (operands.len() - 1 - indices.len()) as i32, 0];
    let part = tensor_type(&shape[indices.len()..], array.r#type().scalar());
    let statics = [offsets, sizes, vec![1; shape.len()]];
    let part = b.slice_op("tensor.extract_slice", &operands, part, &statics, &segments);
    b.cast(part, wanted)
}
