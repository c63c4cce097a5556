//! Differentiates: operations that only rearrange or choose.
//!
//! | Primal | Return sweep |
//! |---|---|
//! | `y = cast a` | `a_bar += cast y_bar` |
//! | `y = collapse a` / `expand a` | `a_bar += expand y_bar` / `collapse y_bar` |
//! | `y = concat a_0 a_1 ..` | `a_k_bar += slice y_bar` |
//! | `y = reshape a s` | `a_bar += reshape y_bar (shape of a)` |
//! | `y = select c a b` | `a_bar += select c y_bar 0`, `b_bar += select c 0 y_bar` |
//!
//! Forward sweep: the operation itself.
//! Source: [FUT 5] (structural operators keep their shape under both modes).
//! Requires: nothing.
//! Ensures: an operand that was not chosen contributes a zero that is never
//! multiplied, so that no NaN arises from it.
//! Edge cases: sizes that are only known at run time come from the primal.
//! Tests: test/ad/vjp/{cast,concat,reshape,select,tensor-reshape}.mlir and their siblings.

use ad_dialect::ir::{DYNAMIC, Op, OpExt, TyExt, int_of, tensor_type};
use melior::ir::ValueLike;

use super::{Rule, arrays::linear_jvp};
use crate::{
    ad::{activity::Flows, jvp::Jvp, vjp::Vjp},
    raise::pad::offsets,
    support::diag::{Result, internal_error},
};

/// `tensor.cast`
pub struct Cast;

impl Rule for Cast {
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        linear_jvp(op, 1, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let (Some(a), Some(y)) = (op.opnd(0), op.res(0)) else { return Ok(()) };
        let Some(y_bar) = vjp.cotangents.take(y) else { return Ok(()) };
        let a_bar = vjp.b.cast(y_bar, a.r#type());
        vjp.add_dense(a, a_bar)
    }
}

/// `tensor.collapse_shape` and `tensor.expand_shape`
pub struct Reshape;

impl Rule for Reshape {
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        linear_jvp(op, 1, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let (Some(a), Some(y), Some(groups)) = (op.opnd(0), op.res(0), op.attr("reassociation"))
        else {
            return Err(internal_error(op, "reshape without reassociation"));
        };
        let Some(y_bar) = vjp.cotangents.take(y) else { return Ok(()) };
        let b = vjp.b;
        let a_bar = if op.op_name() == "tensor.expand_shape" {
            b.val_with("tensor.collapse_shape", &[y_bar], a.r#type(), &[("reassociation", groups)])
        } else {
            let mut operands = vec![y_bar];
            operands.extend(b.dynamic_dims(vjp.primal(a)));
            let shape = a.r#type().shape();
            debug_assert_eq!(
                operands.len() - 1,
                shape.iter().filter(|&&size| size == DYNAMIC).count()
            );
            let sizes = b.i64s_attr(&shape);
            b.val_with(
                "tensor.expand_shape",
                &operands,
                a.r#type(),
                &[("reassociation", groups), ("static_output_shape", sizes)],
            )
        };
        vjp.add_dense(a, a_bar)
    }
}

/// `tensor.reshape`, whose shape is a value
pub struct ReshapeTo;

impl Rule for ReshapeTo {
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        linear_jvp(op, 1, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let (Some(a), Some(y)) = (op.opnd(0), op.res(0)) else { return Ok(()) };
        let Some(y_bar) = vjp.cotangents.take(y) else { return Ok(()) };
        let (b, primal) = (vjp.b, vjp.primal(a));
        let rank = a.r#type().shape().len();
        let sizes: Vec<_> = (0..rank).map(|d| b.dim(primal, d)).collect();
        let shape = tensor_type(&[rank as i64], b.index_type());
        let shape = b.val("tensor.from_elements", &sizes, shape);
        let a_bar = b.val("tensor.reshape", &[y_bar, shape], a.r#type());
        vjp.add_dense(a, a_bar)
    }
}

/// `tensor.concat`
pub struct Concat;

impl Rule for Concat {
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        linear_jvp(op, op.operand_list().len(), jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let (Some(y), Some(along)) = (op.res(0), op.attr("dim").and_then(int_of)) else {
            return Err(internal_error(op, "concatenation without dimension"));
        };
        let Some(y_bar) = vjp.cotangents.take(y) else { return Ok(()) };
        let (parts, along, b) = (op.operand_list(), along as usize, vjp.b);
        let primals = vjp.primal_list(&parts);
        let offsets = offsets(&b, &primals, along);
        for ((part, primal), (fixed, offset)) in parts.into_iter().zip(primals).zip(offsets) {
            if !vjp.is_active(part) {
                continue;
            }
            let shape = primal.r#type().shape();
            let mut position = vec![0; shape.len()];
            position[along] = fixed;
            let dynamic_offset = (fixed == DYNAMIC).then_some(offset);
            let sizes = b.dynamic_dims(primal);
            let segments = [1, dynamic_offset.iter().count() as i32, sizes.len() as i32, 0];
            let operands: Vec<_> = [y_bar].into_iter().chain(dynamic_offset).chain(sizes).collect();
            let statics = [position, shape.clone(), vec![1; shape.len()]];
            let name = "tensor.extract_slice";
            let part_bar = b.slice_op(name, &operands, part.r#type(), &statics, &segments);
            vjp.add_dense(part, part_bar)?;
        }
        Ok(())
    }
}

/// `arith.select`
pub struct Select;

impl Rule for Select {
    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        for value in op.operand_list().into_iter().skip(1) {
            flows.edges(&[value], &op.result_list());
        }
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        jvp.copy(op);
        let (Some(c), Some(a), Some(b), Some(y)) = (op.opnd(0), op.opnd(1), op.opnd(2), op.res(0))
        else {
            return Ok(());
        };
        let y_dot = jvp.b.select(jvp.primal(c), jvp.tangent_or_zero(a), jvp.tangent_or_zero(b));
        jvp.set_tangent(y, y_dot);
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let (Some(c), Some(a), Some(b), Some(y)) = (op.opnd(0), op.opnd(1), op.opnd(2), op.res(0))
        else {
            return Ok(());
        };
        let Some(y_bar) = vjp.cotangents.take(y) else { return Ok(()) };
        let c = vjp.primal(c);
        // Of two arrays, the one that was not chosen may have other sizes.
        let [of_c, of_y] = [c, y].map(|value| value.r#type().shape());
        let is_choice_of_arrays = of_c.is_empty() && of_y.contains(&DYNAMIC);
        let like = |vjp: &Vjp<'_, 'c>, operand| {
            if is_choice_of_arrays { vjp.primal(operand) } else { y_bar }
        };
        if vjp.is_active(a) {
            let zero = vjp.b.zeros_like(like(vjp, a));
            let a_bar = vjp.b.select(c, y_bar, zero);
            vjp.mask(a_bar, y_bar, c);
            vjp.add_dense(a, a_bar)?;
        }
        if vjp.is_active(b) {
            let zero = vjp.b.zeros_like(like(vjp, b));
            let b_bar = vjp.b.select(c, zero, y_bar);
            let not_c = vjp.b.not(c);
            vjp.mask(b_bar, y_bar, not_c);
            vjp.add_dense(b, b_bar)?;
        }
        Ok(())
    }
}
