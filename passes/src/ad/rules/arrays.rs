//! Differentiates: operations that read, write and make arrays.
//!
//! | Primal | Return sweep |
//! |---|---|
//! | `y = a[i]` | `a_bar[i] += y_bar` |
//! | `y = a[slice]` | `a_bar[slice] += y_bar` |
//! | `y = a with [i] <- v` | `v_bar += y_bar[i]`, `a_bar += y_bar with [i] <- 0` |
//! | `y = a with [slice] <- v` | `v_bar += y_bar[slice]`, `a_bar += y_bar with [slice] <- 0` |
//! | `y = fill v`, `splat v` | `v_bar += sum y_bar` |
//! | `y = replicate n v` | `v_bar += sum of the rows of y_bar` |
//! | `y = [v_0, v_1, ..]` | `v_k_bar += y_bar[k]` |
//!
//! Forward sweep: the operation itself.
//! Source: [FUT 4.2] (array indexing, `upd`), [FUT 2.1] (in-place update).
//! Requires: indices are in bounds.
//! Ensures: an update in place, with the work of the primal; no zero array is
//! made if the adjoint exists already.
//! Edge cases: repeated reads of one element add up.
//! Tests: test/ad/vjp/{extract,extract-slice,insert,insert-slice,fill,replicate,
//! from-elements,splat}.mlir and their siblings in test/ad/jvp and test/ad/numeric.

use ad_dialect::ir::{DYNAMIC, Op, OpExt, TyExt, Val};
use melior::ir::ValueLike;

use super::Rule;
use crate::{
    ad::{activity::Flows, cotangent::Contribution, jvp::Jvp, vjp::Vjp},
    support::{
        diag::{Result, internal_error},
        row_major::position,
        slice::Slice,
    },
};

/// Copies the operation and applies it, linear as it is in its first `count`
/// operands, to their tangents.
pub fn linear_jvp<'c>(op: Op<'c>, count: usize, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
    jvp.copy(op);
    let operands = op.operand_list();
    let mut tangents: Vec<_> =
        operands[..count].iter().map(|&value| jvp.tangent_or_zero(value)).collect();
    tangents.extend(jvp.primal_list(&operands[count..]));
    let copy = jvp.copy_linear(op, &tangents);
    for (result, tangent) in op.result_list().into_iter().zip(copy.result_list()) {
        jvp.set_tangent(result, tangent);
    }
    Ok(())
}

/// The first result's cotangent.
pub(super) fn y_bar<'c>(op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<Val<'c>> {
    op.res(0)
        .and_then(|result| vjp.cotangents.take(result))
        .ok_or_else(|| internal_error(op, "result without cotangent"))
}

/// `tensor.extract`
pub struct Extract;

impl Rule for Extract {
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        linear_jvp(op, 1, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let y_bar = y_bar(op, vjp)?;
        let operands = op.operand_list();
        let indices = vjp.primal_list(&operands[1..]);
        vjp.add(operands[0], Contribution::Element(&indices, y_bar))
    }
}

/// `tensor.extract_slice`
pub struct ExtractSlice;

impl Rule for ExtractSlice {
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        linear_jvp(op, 1, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let y_bar = y_bar(op, vjp)?;
        let slice = slice_of(op, 1, vjp)?;
        vjp.add(op.operand_list()[0], Contribution::Slice(&slice, y_bar))
    }
}

fn slice_of<'c>(op: Op<'c>, skip: usize, vjp: &Vjp<'_, 'c>) -> Result<Slice<'c>> {
    Slice::of(op, skip, |value| vjp.primal(value))
        .ok_or_else(|| internal_error(op, "slice without offsets"))
}

/// `tensor.insert`
pub struct Insert;

impl Rule for Insert {
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        linear_jvp(op, 2, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let y_bar = y_bar(op, vjp)?;
        let operands = op.operand_list();
        let indices = vjp.primal_list(&operands[2..]);
        if vjp.is_active(operands[0]) {
            let v_bar = vjp.b.extract(y_bar, &indices);
            vjp.add_dense(operands[0], v_bar)?;
        }
        if vjp.is_active(operands[1]) {
            let zero = vjp.b.zero_scalar(operands[0].r#type());
            let a_bar = vjp.b.insert_element(zero, y_bar, &indices);
            vjp.add_dense(operands[1], a_bar)?;
        }
        Ok(())
    }
}

/// `tensor.insert_slice`
pub struct InsertSlice;

impl Rule for InsertSlice {
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        linear_jvp(op, 2, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let y_bar = y_bar(op, vjp)?;
        let slice = slice_of(op, 2, vjp)?;
        let operands = op.operand_list();
        let part = vjp.primal(operands[0]);
        if vjp.is_active(operands[0]) {
            let v_bar = slice.extract(&vjp.b, y_bar, part.r#type());
            vjp.add_dense(operands[0], v_bar)?;
        }
        if vjp.is_active(operands[1]) {
            let zeros = vjp.b.zeros_like(part);
            let a_bar = slice.insert(&vjp.b, zeros, y_bar);
            vjp.add_dense(operands[1], a_bar)?;
        }
        Ok(())
    }
}

/// `linalg.fill`: the value is spread over the target, whose contents are lost.
pub struct Fill;

impl Rule for Fill {
    fn applies(&self, op: Op<'_>) -> bool {
        op.res(0).is_some()
    }

    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        if let (Some(value), Some(result)) = (op.opnd(0), op.res(0)) {
            flows.edge(value, result);
        }
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        linear_jvp(op, 1, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let y_bar = y_bar(op, vjp)?;
        let sum = vjp.b.sum_all(y_bar)?;
        vjp.add_dense(op.operand_list()[0], sum)
    }
}

/// `tensor.splat`
pub struct Splat;

impl Rule for Splat {
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        linear_jvp(op, 1, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        Fill.vjp(op, vjp)
    }
}

/// `soac.replicate`
pub struct Replicate;

impl Rule for Replicate {
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        linear_jvp(op, 1, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let y_bar = y_bar(op, vjp)?;
        let sum = vjp.b.sum(y_bar)?;
        vjp.add_dense(op.operand_list()[0], sum)
    }
}

/// `tensor.from_elements`
pub struct FromElements;

impl Rule for FromElements {
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        linear_jvp(op, op.operand_list().len(), jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let y_bar = y_bar(op, vjp)?;
        let shape = y_bar.r#type().shape();
        debug_assert!(!shape.contains(&DYNAMIC));
        for (number, value) in op.operand_list().into_iter().enumerate() {
            if vjp.is_active(value) {
                let indices: Vec<_> = position(number as i64, &shape)
                    .into_iter()
                    .map(|index| vjp.b.index(index))
                    .collect();
                let v_bar = vjp.b.extract(y_bar, &indices);
                vjp.add_dense(value, v_bar)?;
            }
        }
        Ok(())
    }
}
