//! Differentiates: `soac.map`.
//!
//! Primal: `xs = map (\a -> stms in x) as`
//! Forward sweep: the map itself; no iteration is saved.
//! Return sweep:
//! ```text
//! as_bar += map (\a x_bar -> stms; return sweep of stms in a_bar) as xs_bar
//! ```
//! where, of the body's free variables, scalars are bound per iteration and
//! summed afterwards, and arrays become accumulators for the extent of the map.
//! Source: [FUT 5.4]
//! Requires: iterations are independent.
//! Ensures: work and depth of the primal; a gather's adjoint touches only what
//! was read.
//! Edge cases: an empty map contributes zeros; accumulators among the operands
//! hand on their cotangent array unchanged.
//! Tests: test/ad/jvp/map.mlir, test/ad/vjp/map.mlir, test/ad/numeric/map.mlir.

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, i32_array};
use melior::ir::{Type, ValueLike};

use super::Rule;
use crate::{
    ad::{activity::Flows, jvp::Jvp, vjp::Vjp},
    support::diag::Result,
};

/// The rule for `soac.map`.
pub struct Map;

/// The number of array inputs; the other operands are accumulators.
fn input_count(op: Op<'_>) -> usize {
    op.attr("operandSegmentSizes")
        .and_then(i32_array)
        .and_then(|sizes| sizes.first().copied())
        .unwrap_or(0) as usize
}

impl Rule for Map {
    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        super::body_flows(op, flows);
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        let Some(body) = op.body(0) else { return Ok(()) };
        let (operands, arguments, results) = (op.operand_list(), body.arg_list(), op.result_list());
        let inputs = input_count(op);
        let arrays = results.len() - (operands.len() - inputs);
        let is_active = |list: &[Val<'c>], jvp: &Jvp<'_, 'c>| -> Vec<usize> {
            (0..list.len()).filter(|&i| jvp.is_active(list[i])).collect()
        };
        let active_in = is_active(&arguments[..inputs], jvp);
        let active_accs = is_active(&arguments[inputs..], jvp);
        let active_out = is_active(&results[..arrays], jvp);
        let pick = |list: &[Val<'c>], which: &[usize]| -> Vec<Val<'c>> {
            which.iter().map(|&i| list[i]).collect()
        };
        let ins = jvp.bundle(&operands[..inputs], &pick(&operands, &active_in));
        let accs = jvp.bundle(&operands[inputs..], &pick(&operands[inputs..], &active_accs));
        let mut types = Jvp::bundle_types(&results[..arrays], &pick(&results, &active_out));
        types.extend(accs.iter().map(|acc| acc.r#type()));
        let b = jvp.b;
        let new = b.map(&ins, &accs, &types, |inner, new| {
            let (elements, new_accs) = new.split_at(ins.len());
            jvp.unbundle(&arguments[..inputs], &pick(&arguments, &active_in), elements);
            let old_accs = &arguments[inputs..];
            jvp.unbundle(old_accs, &pick(old_accs, &active_accs), new_accs);
            jvp.block(inner, body, |jvp| {
                let yielded = body.term().map(|t| t.operand_list()).unwrap_or_default();
                let (values, done) = yielded.split_at(arrays);
                let mut all = jvp.bundle(values, &pick(values, &active_out));
                all.extend(jvp.bundle(done, &pick(done, &active_accs)));
                Ok(all)
            })
        })?;
        let (values, done) = new.split_at(arrays + active_out.len());
        jvp.unbundle(&results[..arrays], &pick(&results, &active_out), values);
        let old_accs = &results[arrays..];
        jvp.unbundle(old_accs, &pick(old_accs, &active_accs), done);
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let Some(body) = op.body(0) else { return Ok(()) };
        let (operands, arguments, results) = (op.operand_list(), body.arg_list(), op.result_list());
        let inputs = input_count(op);
        let arrays = results.len() - (operands.len() - inputs);
        let bars: Vec<_> = results.iter().map(|&r| vjp.cotangents.take(r)).collect();
        for (&acc, bar) in operands[inputs..].iter().zip(&bars[arrays..]) {
            if let Some(bar) = bar {
                vjp.add_dense(acc, *bar)?;
            }
        }
        let active: Vec<_> = (0..inputs).filter(|&i| vjp.is_active(arguments[i])).collect();
        let types: Vec<Type<'c>> = active.iter().map(|&i| operands[i].r#type()).collect();
        let mut ins = vjp.primal_list(&operands[..inputs]);
        ins.extend(bars[..arrays].iter().flatten());
        let free = vjp.active_free_values(&[body]);
        let new = vjp.adjoint_map(&ins, &types, &free, |vjp, elements| {
            vjp.set_primals(&arguments[..inputs], &elements[..inputs]);
            for &acc in &arguments[inputs..] {
                let null = vjp.b.val("soac.null_acc", &[], acc.r#type());
                vjp.set_primal(acc, null);
            }
            let mut element_bars = elements[inputs..].iter().copied();
            let mut seeds: Vec<_> =
                bars[..arrays].iter().map(|bar| bar.and_then(|_| element_bars.next())).collect();
            seeds.extend_from_slice(&bars[arrays..]);
            vjp.body(body, &seeds)?;
            for &acc in &arguments[inputs..] {
                vjp.cotangents.take(acc);
            }
            Ok(active.iter().map(|&i| vjp.take_or_zero(arguments[i])).collect())
        })?;
        for (i, bar) in active.into_iter().zip(new) {
            vjp.add_dense(operands[i], bar)?;
        }
        Ok(())
    }
}
