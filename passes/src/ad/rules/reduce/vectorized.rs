//! Differentiates: `soac.reduce` over rows whose operator combines them element by
//! element, other than by +.
//!
//! Primal: `ys = reduce (map (op)) es xs`
//! Forward sweep: `ys = map (reduce (op)) es (transpose xs)`
//! Return sweep: that of the map; then `xs_bar += transpose` of the adjoint.
//! Source: [FUT 5.2] (vectorised operators, there for scan) and [FUT 5.1.1].
//! Requires: the rows have one length.
//! Ensures: the special rules for scalar operators apply; work and depth of the primal
//! and of two transpositions.
//! Edge cases: no rows give the neutral elements; rows without elements give none.
//! Rows of several dimensions are taken apart one dimension after the other.
//! Tests: test/ad/jvp/reduce-vectorized.mlir, test/ad/vjp/reduce-vectorized.mlir,
//! test/ad/numeric/reduce-vectorized.mlir.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, tensor_type};
use melior::ir::{Type, ValueLike};

use super::{inputs, neutrals, reduce_flows, reduce_jvp};
use crate::{
    ad::{
        activity::{Activity, Flows},
        jvp::Jvp,
        rules::{Rule, elementwise::Elementwise},
        vjp::Vjp,
    },
    support::{
        builder::Builder,
        diag::{Result, internal_error},
    },
};

/// The rule for operators on rows that work element by element.
pub struct ReduceVectorized;

impl Rule for ReduceVectorized {
    fn applies(&self, op: Op<'_>) -> bool {
        operator(op).is_some()
    }

    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        reduce_flows(op, flows);
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        reduce_jvp(op, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let results = op.result_list();
        let y_bars: Vec<_> = results.iter().map(|&y| vjp.cotangents.take(y)).collect();
        let inputs = inputs(op);
        let by_columns = by_columns(op, vjp)?;
        let columns = by_columns.arg_list();
        let yielded = by_columns.ends();
        let mut sources: Vec<_> = vjp.active_free_values(&[by_columns]);
        let active: Vec<_> = (0..inputs.len()).filter(|&k| vjp.is_active(inputs[k])).collect();
        sources.extend(active.iter().map(|&k| columns[k]));

        let primals = vjp.primal_list(&inputs);
        let b = vjp.at_copy_of(op)?;
        let transposed = {
            let transpose = |&xs: &Val<'c>| transpose(&b, xs, b.dim(xs, 1));
            primals.iter().map(transpose).collect::<Result<Vec<_>>>()?
        };
        vjp.set_primals(&columns, &transposed);
        vjp.at(b, |vjp| vjp.forward_block(by_columns))?;
        let new = vjp.primal_list(&yielded);
        vjp.replace_results(op, &new);

        let activity = Activity::between(&[by_columns], &sources, &yielded);
        let bars = vjp.with_activity(activity, |vjp| {
            for (&y, y_bar) in yielded.iter().zip(&y_bars) {
                if let Some(y_bar) = y_bar {
                    vjp.add_dense(y, *y_bar)?;
                }
            }
            vjp.reverse_block(by_columns)?;
            Ok(active.iter().map(|&k| vjp.cotangents.take(columns[k])).collect::<Vec<_>>())
        })?;
        for (&k, bar) in active.iter().zip(bars) {
            let Some(bar) = bar else { continue };
            let rows = vjp.b.dim(primals[k], 0);
            let bar = transpose(&vjp.b, bar, rows)?;
            vjp.add_dense(inputs[k], bar)?;
        }
        Ok(())
    }
}

/// The operator, if all its components are rows.
fn operator(op: Op<'_>) -> Option<Elementwise<'_>> {
    op.body(0).and_then(Elementwise::of).filter(|operator| !operator.is_row.contains(&false))
}

/// The reduction of the columns one by one, as source code: takes the transposed
/// inputs and yields the results.
fn by_columns<'c>(op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<Blk<'c>> {
    let Some(operator) = operator(op) else {
        return Err(internal_error(op, "operator does not work element by element"));
    };
    let (inputs, neutrals) = (inputs(op), neutrals(op));
    let types: Vec<_> = inputs.iter().map(|xs| transposed(xs.r#type())).collect();
    let results: Vec<_> = neutrals.iter().map(|e| e.r#type()).collect();
    vjp.source_block(op, &types, |b, columns| {
        let all = [columns, &neutrals[..], &operator.outside].concat();
        b.map(&all, &[], &results, |b, elements| {
            let (columns, elements) = elements.split_at(inputs.len());
            let (neutrals, outside) = elements.split_at(inputs.len());
            b.reduce(columns, neutrals, |b, x| Ok(operator.apply(&b, x, outside)))
        })
    })
}

/// The type with its first two dimensions exchanged.
fn transposed(array: Type<'_>) -> Type<'_> {
    let mut shape = array.shape();
    shape.swap(0, 1);
    tensor_type(&shape, array.scalar())
}

/// The array with its first two dimensions exchanged. Its second size is given,
/// because an array without rows does not know it.
fn transpose<'c>(b: &Builder<'c>, array: Val<'c>, width: Val<'c>) -> Result<Val<'c>> {
    let indices = b.iota(width, array.r#type().shape()[1]);
    let columns = b.map(&[indices], &[], &[transposed(array.r#type())], |b, j| {
        Ok(vec![b.column(array, j[0])])
    })?;
    Ok(columns[0])
}
