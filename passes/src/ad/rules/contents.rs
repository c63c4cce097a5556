//! Differentiates: what whole buffers hold, as arrays: `bufferization.to_tensor`, `materialize_in_destination`, and
//! `alloc_tensor` that copies.
//!
//! Primal, forward mode and return sweep, with the tangents `m_dot` or the adjoints `m_bar` of a buffer `m` in its shadow:
//! ```text
//! y = to_tensor m         y_dot = to_tensor m_dot         m_bar += y_bar
//! materialize x in m      materialize x_dot in m_dot      x_bar += m_bar;  m_bar = 0
//! y = materialize x in a  y_dot = x_dot                   x_bar += y_bar
//! y = copy x              y_dot = copy x_dot              x_bar += y_bar
//! ```
//! Source: [ZYG 3.2], a box that holds an array.
//! Requires: every buffer with a derivative has a shadow (`ad/memory`); what is read of memory that something writes to later
//! is copied (`raise/buffers.rs`).
//! Ensures: one pass over the shadow for each over the primal, and one more copy of it where an array is stored.
//! Edge cases: an array that is read and written by one operation; buffers that share memory; sizes of zero.
//! Tests: test/ad/{jvp,vjp,numeric}/contents.mlir.

use ad_dialect::ir::{Op, OpExt};
use melior::ir::{TypeLike, ValueLike};

use super::{Rule, arrays::linear_jvp};
use crate::{
    ad::{
        activity::Flows,
        jvp::Jvp,
        memory::{clear, is_buffer},
        vjp::Vjp,
    },
    support::{
        diag::Result,
        memory::{contents, materialize, tensor_of},
    },
};

/// `bufferization.to_tensor`
pub struct Contents;

impl Rule for Contents {
    fn applies(&self, op: Op<'_>) -> bool {
        op.opnd(0).is_some_and(is_buffer)
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        jvp.copy(op);
        let (Some(buffer), Some(result)) = (op.opnd(0), op.res(0)) else { return Ok(()) };
        let shadow = jvp.shadow(op, buffer)?;
        let tangent = contents(&jvp.b, shadow, result.r#type());
        jvp.set_tangent(result, tangent);
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let Some(y_bar) = op.res(0).and_then(|y| vjp.cotangents.take(y)) else { return Ok(()) };
        let Some(buffer) = op.opnd(0) else { return Ok(()) };
        let shadow = vjp.shadow(op, buffer)?;
        let so_far = contents(&vjp.b, shadow, y_bar.r#type());
        materialize(&vjp.b, vjp.b.add(so_far, y_bar), shadow);
        Ok(())
    }
}

/// `bufferization.materialize_in_destination`
pub struct Materialize;

impl Rule for Materialize {
    fn applies(&self, op: Op<'_>) -> bool {
        op.opnd(1).is_some_and(|to| is_buffer(to) || !to.r#type().is_mem_ref())
    }

    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        let (Some(value), Some(to)) = (op.opnd(0), op.opnd(1)) else { return };
        flows.edge(value, op.res(0).unwrap_or(to));
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        let (Some(value), Some(to)) = (op.opnd(0), op.opnd(1)) else { return Ok(()) };
        jvp.copy(op);
        let tangent = jvp.tangent_or_zero(value);
        match op.res(0) {
            Some(result) => jvp.set_tangent(result, tangent),
            None => materialize(&jvp.b, tangent, jvp.shadow(op, to)?),
        }
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let (Some(value), Some(to)) = (op.opnd(0), op.opnd(1)) else { return Ok(()) };
        if let Some(result) = op.res(0) {
            let y_bar = vjp.cotangents.take(result);
            return y_bar.map_or(Ok(()), |y_bar| vjp.add_dense(value, y_bar));
        }
        let shadow = vjp.shadow(op, to)?;
        let array = tensor_of(to.r#type()).filter(|_| vjp.is_active(value));
        let read = |array| vjp.b.copy_of(contents(&vjp.b, shadow, array));
        // What is stored may have sizes that the buffer does not tell.
        let x_bar = array.map(|array| vjp.b.cast(read(array), value.r#type()));
        clear(&vjp.b, shadow);
        x_bar.map_or(Ok(()), |x_bar| vjp.add_dense(value, x_bar))
    }
}

/// `bufferization.alloc_tensor` that copies
pub struct Copy;

impl Rule for Copy {
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        linear_jvp(op, op.operand_list().len(), jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let (Some(x), Some(y)) = (op.opnd(0), op.res(0)) else { return Ok(()) };
        let y_bar = vjp.cotangents.take(y);
        y_bar.map_or(Ok(()), |y_bar| vjp.add_dense(x, y_bar))
    }
}
