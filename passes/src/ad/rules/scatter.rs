//! Differentiates: `soac.scatter`.
//!
//! Primal: `ys = scatter xs is vs`, that is `ys = xs with [is[i]] <- vs[i]` for all i
//! Forward sweep: the scatter itself.
//! Return sweep:
//! ```text
//! last = scatter scratch is (iota m)      -- who wrote last; not initialised
//! vs_bar += map (\i k -> if k in range && last[k] == i then ys_bar[k] else 0) (iota m) is
//! xs_bar += scatter ys_bar is (replicate m 0)
//! ```
//! Source: [FUT 5.3]. The paper assumes that there are no duplicates; here the last
//! of several values for one index is in the result and alone gets its cotangent.
//! The paper restores xs from the elements it overwrote: here xs is a value, which
//! the return sweep can read as before; nothing is saved, except by a loop that carries
//! xs (`loops/in_place.rs`).
//! Requires: nothing.
//! Ensures: O(m) work for m values and constant depth, whatever the size of xs; the
//! scratch array is neither filled nor read elsewhere than at the indices. Without
//! it where one of the index arrays is an iota, so that no index repeats.
//! Edge cases: an ignored value and an overwritten one get zero.
//! Tests: test/ad/jvp/scatter.mlir, test/ad/vjp/scatter.mlir,
//! test/ad/numeric/scatter.mlir.

use ad_dialect::ir::{DYNAMIC, Op, OpExt, TyExt, Val, tensor_type};
use melior::ir::{Type, ValueLike};

use super::Rule;
use crate::{
    ad::{jvp::Jvp, vjp::Vjp},
    support::{builder::Builder, diag::Result, update::Update},
};

/// The rule for `soac.scatter`.
pub struct Scatter;

impl Rule for Scatter {
    fn flows<'c>(&self, op: Op<'c>, flows: &mut crate::ad::activity::Flows) {
        let update = Update::of(op);
        flows.edges(&update.inputs, &op.result_list());
        flows.edges(&update.dests, &op.result_list());
    }

    /// One scatter of primals and tangents.
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        let (update, results) = (Update::of(op), op.result_list());
        let active: Vec<_> = (0..results.len()).filter(|&k| jvp.is_active(results[k])).collect();
        let pick = |list: &[Val<'c>]| active.iter().map(|&k| list[k]).collect::<Vec<_>>();
        let at = jvp.primal_list(&update.at);
        let inputs = jvp.bundle(&update.inputs, &pick(&update.inputs));
        let dests = jvp.bundle(&update.dests, &pick(&update.dests));
        let new = jvp.b.scatter(&at, &inputs, &dests);
        jvp.unbundle(&results, &pick(&results), &new);
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let update = Update::of(op);
        let (at, b) = (vjp.primal_list(&update.at), vjp.b);
        let mut last = None;
        for (k, result) in op.result_list().into_iter().enumerate() {
            let (input, dest) = (update.inputs[k], update.dests[k]);
            let Some(y_bar) = vjp.cotangents.take(result) else { continue };
            if vjp.is_active(input) {
                if last.is_none() && !update.has_distinct_places() {
                    last = last_writer(&b, &at, y_bar);
                }
                let v_bar = b.gather(y_bar, &at, input.r#type(), last)?;
                vjp.add_dense(input, v_bar)?;
            }
            if vjp.is_active(dest) {
                let zeros = zeros_for(&b, &at, y_bar, input.r#type());
                let x_bar = b.scatter(&at, &[zeros], &[y_bar]);
                vjp.add_dense(dest, x_bar[0])?;
            }
        }
        Ok(())
    }
}

/// For every index that is written to, the number of the value that is written last;
/// undefined elsewhere. The sizes are asked of the cotangent, because a loop saves the
/// primal array for whoever reads it.
fn last_writer<'c>(b: &Builder<'c>, at: &[Val<'c>], y_bar: Val<'c>) -> Option<Val<'c>> {
    let number = Type::parse(b.context(), "i64")?;
    let sizes = &y_bar.r#type().shape()[..at.len()];
    let dynamic = (0..at.len()).filter(|&d| sizes[d] == DYNAMIC).map(|d| b.dim(y_bar, d));
    let dynamic: Vec<_> = dynamic.collect();
    let scratch = b.empty(tensor_type(sizes, number), &dynamic);
    let numbers = b.numbers(b.dim(at[0], 0), at[0].r#type().shape()[0], number);
    b.scatter(at, &[numbers], &[scratch]).first().copied()
}

/// A zero for each value, as an array of the type of the values.
fn zeros_for<'c>(b: &Builder<'c>, at: &[Val<'c>], y_bar: Val<'c>, values: Type<'c>) -> Val<'c> {
    let zero = b.zero_element(y_bar, at.len());
    let zeros = b.replicate(zero, b.dim(at[0], 0), values.shape()[0]);
    b.cast(zeros, values)
}
