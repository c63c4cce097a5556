//! Differentiates: operations on buffers, `memref`, `linalg.fill`, `vector.load` and `vector.store`.
//!
//! Primal, forward mode and return sweep, with the tangents `m_dot` or the adjoints `m_bar` of a buffer `m` in its shadow:
//! ```text
//! m = alloc          m_dot = alloc, 0           free m_bar; or m_bar = 0 where it is for all iterations of a loop
//! free m             free m_dot                 nothing: m_bar is zero from here back
//! v = view m         v_dot = view m_dot         nothing
//! y = m[i]           y_dot = m_dot[i]           m_bar[i] += y_bar
//! m[i] = x           m_dot[i] = x_dot           x_bar += m_bar[i];  m_bar[i] = 0
//! d = copy s         d_dot = copy s_dot         t = d_bar;  d_bar = 0;  s_bar += t
//! m = fill x         m_dot = fill x_dot         x_bar += sum m_bar;  m_bar = 0
//! i = m[k] += x      i_dot = m_dot[k] += x_dot  x_bar += m_bar[k];  m_bar[k] += i_bar
//! ```
//! Source: [ZYG 3.2] (a box: `get` accumulates, `set` takes the adjoint and leaves zero; the adjoint is found by identity).
//! The paper has a dictionary of adjoints; here a shadow is found by the operations that lead to it.
//! Requires: every buffer with a derivative has a shadow (`ad/memory`).
//! Ensures: one read and one write of the shadow for each of the primal; nothing is saved where memory is overwritten.
//! Edge cases: buffers that share memory; a copy of a buffer to itself; a value that is read and overwritten; an element
//! that is written twice, of which the first value has no adjoint.
//! Tests: test/ad/jvp/memory.mlir, test/ad/vjp/memory.mlir, test/ad/vjp/memory-read.mlir, test/ad/numeric/memory-local.mlir,
//! test/ad/numeric/vector-memory.mlir.

use ad_dialect::ir::{Op, OpExt, Val, ValExt};
use melior::ir::{ValueLike, attribute::IntegerAttribute};

use super::Rule;
use crate::{
    ad::{
        activity::Flows,
        jvp::Jvp,
        memory::{add, clear, dense, handed_through, is_buffer},
        vjp::Vjp,
    },
    support::{
        builder::Builder,
        diag::Result,
        memory::{base, dim, load, rank, read, store, write},
        roots::are_apart,
    },
};

/// `memref.alloc`, `memref.alloca`
pub struct Alloc;

impl Rule for Alloc {
    fn flows<'c>(&self, _op: Op<'c>, _flows: &mut Flows) {}

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        jvp.copy(op);
        let Some(buffer) = op.res(0) else { return Ok(()) };
        let copy = jvp.copy_linear(op, &jvp.primal_list(&op.operand_list()));
        if let Some(shadow) = copy.res(0) {
            clear(&jvp.b, shadow);
            jvp.set_tangent(buffer, shadow);
        }
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let Some(buffer) = op.res(0) else { return Ok(()) };
        let shadow = vjp.shadow(op, buffer)?;
        if vjp.is_early(shadow) {
            clear(&vjp.b, shadow);
        } else {
            vjp.b.op("memref.dealloc", &[shadow], &[]);
        }
        Ok(())
    }
}

/// `memref.dealloc`
pub struct Dealloc;

impl Rule for Dealloc {
    fn flows<'c>(&self, _op: Op<'c>, _flows: &mut Flows) {}

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        jvp.copy(op);
        for buffer in op.operand_list() {
            let shadow = jvp.shadow(op, buffer)?;
            jvp.b.op("memref.dealloc", &[shadow], &[]);
        }
        Ok(())
    }

    fn vjp<'c>(&self, _op: Op<'c>, _vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        Ok(())
    }
}

/// Views of buffers.
pub struct View;

impl Rule for View {
    fn applies(&self, op: Op<'_>) -> bool {
        let buffers = [op.opnd(0), op.res(0)];
        buffers.into_iter().flatten().all(|buffer| is_buffer(buffer))
    }

    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        if let (Some(buffer), Some(view)) = (op.opnd(0), op.res(0)) {
            flows.edge(buffer, view);
        }
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        jvp.copy(op);
        let mut operands = jvp.primal_list(&op.operand_list());
        for i in handed_through(op).unwrap_or_default() {
            operands[i] = jvp.shadow(op, op.operand_list()[i])?;
        }
        let shadow = jvp.copy_linear(op, &operands);
        if let (Some(view), Some(shadow)) = (op.res(0), shadow.res(0)) {
            jvp.set_tangent(view, shadow);
        }
        Ok(())
    }

    fn vjp<'c>(&self, _op: Op<'c>, _vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        Ok(())
    }
}

/// `memref.load`, `vector.load`
pub struct Load;

impl Rule for Load {
    fn applies(&self, op: Op<'_>) -> bool {
        op.opnd(0).is_some_and(is_buffer)
    }

    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        if let (Some(buffer), Some(result)) = (op.opnd(0), op.res(0)) {
            flows.edge(buffer, result);
        }
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        jvp.copy(op);
        let operands = op.operand_list();
        let shadow = jvp.shadow(op, operands[0])?;
        if let Some(result) = op.res(0) {
            let at = jvp.primal_list(&operands[1..]);
            let tangent = read(&jvp.b, shadow, &at, result.r#type());
            jvp.set_tangent(result, tangent);
        }
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let Some(y_bar) = op.res(0).and_then(|y| vjp.cotangents.take(y)) else { return Ok(()) };
        let operands = op.operand_list();
        let shadow = vjp.shadow(op, operands[0])?;
        let at = vjp.primal_list(&operands[1..]);
        let sum = vjp.b.add(read(&vjp.b, shadow, &at, y_bar.r#type()), y_bar);
        write(&vjp.b, sum, shadow, &at);
        Ok(())
    }
}

/// `memref.store`, `vector.store`
pub struct Store;

impl Rule for Store {
    fn applies(&self, op: Op<'_>) -> bool {
        op.opnd(1).is_some_and(|buffer| is_buffer(buffer) && !is_global(buffer))
    }

    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        if let (Some(value), Some(buffer)) = (op.opnd(0), op.opnd(1)) {
            flows.edge(value, buffer);
        }
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        jvp.copy(op);
        let operands = op.operand_list();
        let shadow = jvp.shadow(op, operands[1])?;
        let tangent = jvp.tangent_or_zero(operands[0]);
        write(&jvp.b, tangent, shadow, &jvp.primal_list(&operands[2..]));
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let operands = op.operand_list();
        let shadow = vjp.shadow(op, operands[1])?;
        let at = vjp.primal_list(&operands[2..]);
        let x = vjp.primal(operands[0]);
        let x_bar = vjp.is_active(operands[0]).then(|| read(&vjp.b, shadow, &at, x.r#type()));
        write(&vjp.b, vjp.b.zeros_like(x), shadow, &at);
        x_bar.map_or(Ok(()), |x_bar| vjp.add_dense(operands[0], x_bar))
    }
}

/// `memref.copy`
pub struct Copy;

impl Rule for Copy {
    fn applies(&self, op: Op<'_>) -> bool {
        op.opnd(1).is_some_and(|buffer| is_buffer(buffer) && !is_global(buffer))
    }

    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        if let (Some(from), Some(to)) = (op.opnd(0), op.opnd(1)) {
            flows.edge(from, to);
        }
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        jvp.copy(op);
        let mut shadows = vec![];
        for buffer in op.operand_list() {
            shadows.push(jvp.shadow(op, buffer)?);
        }
        jvp.b.op("memref.copy", &shadows, &[]);
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let operands = op.operand_list();
        let (from, to) = (vjp.shadow(op, operands[0])?, vjp.shadow(op, operands[1])?);
        if are_apart(operands[0], operands[1]) {
            add(&vjp.b, from, to)?;
            clear(&vjp.b, to);
            return Ok(());
        }
        let between = dense(&vjp.b, to);
        vjp.b.op("memref.copy", &[to, between], &[]);
        clear(&vjp.b, to);
        add(&vjp.b, from, between)?;
        vjp.b.op("memref.dealloc", &[between], &[]);
        Ok(())
    }
}

/// `linalg.fill` of a buffer
pub struct FillBuffer;

impl Rule for FillBuffer {
    fn applies(&self, op: Op<'_>) -> bool {
        op.opnd(1).is_some_and(|buffer| is_buffer(buffer) && !is_global(buffer))
    }

    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        Store.flows(op, flows);
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        jvp.copy(op);
        let operands = op.operand_list();
        let tangents = [jvp.tangent_or_zero(operands[0]), jvp.shadow(op, operands[1])?];
        jvp.copy_linear(op, &tangents);
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let operands = op.operand_list();
        let shadow = vjp.shadow(op, operands[1])?;
        if vjp.is_active(operands[0]) {
            let zero = vjp.b.zeros_like(vjp.primal(operands[0]));
            let sum = sum(&vjp.b, shadow, zero, &mut vec![])?;
            vjp.add_dense(operands[0], sum)?;
        }
        clear(&vjp.b, shadow);
        Ok(())
    }
}

/// `memref.atomic_rmw` that adds
pub struct AtomicAdd;

impl Rule for AtomicAdd {
    fn applies(&self, op: Op<'_>) -> bool {
        let kind = op.attr("kind").and_then(|kind| IntegerAttribute::try_from(kind).ok());
        kind.is_some_and(|kind| kind.signed_value() == 0)
            && op.opnd(1).is_some_and(|buffer| is_buffer(buffer) && !is_global(buffer))
    }

    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        let (Some(value), Some(buffer), Some(old)) = (op.opnd(0), op.opnd(1), op.res(0)) else {
            return;
        };
        flows.edge(value, buffer);
        flows.edge(buffer, old);
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        jvp.copy(op);
        let operands = op.operand_list();
        let mut tangents = vec![jvp.tangent_or_zero(operands[0]), jvp.shadow(op, operands[1])?];
        tangents.extend(jvp.primal_list(&operands[2..]));
        let copy = jvp.copy_linear(op, &tangents);
        if let (Some(old), Some(tangent)) = (op.res(0), copy.res(0)) {
            jvp.set_tangent(old, tangent);
        }
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let operands = op.operand_list();
        let shadow = vjp.shadow(op, operands[1])?;
        let at = vjp.primal_list(&operands[2..]);
        let x_bar = load(&vjp.b, shadow, &at);
        if let Some(old_bar) = op.res(0).and_then(|old| vjp.cotangents.take(old)) {
            let sum = vjp.b.add(x_bar, old_bar);
            store(&vjp.b, sum, shadow, &at);
        }
        vjp.add_dense(operands[0], x_bar)
    }
}

/// The sum of a number and what is in a buffer at indices that begin so.
fn sum<'c>(
    b: &Builder<'c>,
    buffer: Val<'c>,
    start: Val<'c>,
    at: &mut Vec<Val<'c>>,
) -> Result<Val<'c>> {
    if at.len() == rank(buffer) {
        return Ok(b.add(start, load(b, buffer, at)));
    }
    let bounds = [b.index(0), dim(b, buffer, at.len()), b.index(1)];
    let whole = b.for_loop(bounds, &[start], |inner, i, so_far| {
        at.push(i);
        let sum = sum(&inner, buffer, so_far[0], at);
        at.pop();
        Ok(vec![sum?])
    })?;
    Ok(whole.res(0).unwrap_or(start))
}

/// Why an operation on memory of the module has no derivative.
pub fn refusal(op: Op<'_>) -> Option<&'static str> {
    op.operand_list().into_iter().any(is_global).then_some(
        "other functions may use the memory of a 'memref.global', too; take the buffer as an argument instead",
    )
}

/// Whether it is the memory of a constant or of a variable of the module, which other functions may use, too.
fn is_global(buffer: Val<'_>) -> bool {
    base(buffer).defining_op().is_some_and(|op| op.op_name() == "memref.get_global")
}
