//! Differentiates: operations that rearrange vectors.
//!
//! | Primal | Return sweep |
//! |---|---|
//! | `y = broadcast a` | `a_bar += sum of y_bar over the lanes that a was copied to` |
//! | `y = a[i]` | `a_bar += 0 with [i] <- y_bar` |
//! | `y = a with [i] <- v` | `v_bar += y_bar[i]`, `a_bar += y_bar with [i] <- 0` |
//! | `y = [v_0, v_1, ..]` | `v_k_bar += y_bar[k]` |
//! | `y_0, y_1, .. = a` | `a_bar += [y_0_bar, y_1_bar, ..]` |
//! | `y = shape_cast a` | `a_bar += shape_cast y_bar` |
//! | `y = transpose a p` | `a_bar += transpose y_bar (inverse of p)` |
//! | `y = reduction add a c` | `a_bar += broadcast y_bar`, `c_bar += y_bar` |
//!
//! Forward sweep: the operation itself; all are linear.
//! Source: [FUT 5] (structural operators keep their shape under both modes),
//! [FUT 5.1.1] (the sum).
//! Requires: vectors of fixed size.
//! Ensures: work of the primal, except that extracting writes a whole vector.
//! Edge cases: vectors of rank 0; sizes of 1 that a broadcast stretches.
//! Tests: test/ad/vjp/vector.mlir, test/ad/jvp/vector.mlir,
//! test/ad/numeric/vector.mlir.

use ad_dialect::ir::{Op, OpExt, TyExt, Val, i64_array};
use melior::ir::ValueLike;

use super::{
    Rule,
    arrays::{linear_jvp, y_bar},
};
use crate::{
    ad::{jvp::Jvp, vjp::Vjp},
    support::{
        builder::Builder,
        diag::{Result, internal_error},
    },
};

/// `vector.broadcast`
pub struct Broadcast;

impl Rule for Broadcast {
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        linear_jvp(op, 1, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let y_bar = y_bar(op, vjp)?;
        let Some(source) = op.opnd(0) else { return Ok(()) };
        let lanes = vjp.b.to_elements(y_bar);
        let (outer, inner) = (y_bar.r#type().lanes(), source.r#type().lanes());
        let mut sums: Vec<Option<Val<'c>>> = vec![None; inner.iter().product::<i64>() as usize];
        for (number, lane) in lanes.into_iter().enumerate() {
            let slot = &mut sums[copied_from(number as i64, &outer, &inner)];
            *slot = Some(slot.map_or(lane, |sum| vjp.b.add(sum, lane)));
        }
        let sums: Vec<_> = sums.into_iter().flatten().collect();
        let a_bar = match sums[..] {
            [sum] if !source.r#type().is_vector_type() => sum,
            _ => vjp.b.val("vector.from_elements", &sums, source.r#type()),
        };
        vjp.add_dense(source, a_bar)
    }
}

/// The number of the source's lane that a lane of the result is a copy of.
fn copied_from(mut number: i64, outer: &[i64], inner: &[i64]) -> usize {
    let (mut from, mut stride) = (0, 1);
    for (k, &size) in outer.iter().rev().enumerate() {
        let index = number % size.max(1);
        number /= size.max(1);
        if let Some(&width) = inner.len().checked_sub(k + 1).and_then(|k| inner.get(k)) {
            from += if width == 1 { 0 } else { index * stride };
            stride *= width;
        }
    }
    from as usize
}

/// `vector.extract`
pub struct Extract;

impl Rule for Extract {
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        linear_jvp(op, 1, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let y_bar = y_bar(op, vjp)?;
        let operands = op.operand_list();
        let zeros = vjp.b.zeros_like(operands[0]);
        let indices = vjp.primal_list(&operands[1..]);
        let a_bar = insert(&vjp.b, op, y_bar, zeros, &indices);
        vjp.add_dense(operands[0], a_bar)
    }
}

/// The vector with the part replaced that the operation reads or writes.
fn insert<'c>(
    b: &Builder<'c>,
    op: Op<'c>,
    part: Val<'c>,
    vector: Val<'c>,
    indices: &[Val<'c>],
) -> Val<'c> {
    let position = op.attr("static_position").unwrap_or_else(|| b.i64s_attr(&[]));
    let operands = [&[part, vector], indices].concat();
    let attributes = [("static_position", position)];
    b.val_with("vector.insert", &operands, vector.r#type(), &attributes)
}

/// `vector.insert`
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
            let position = op.attr("static_position").unwrap_or_else(|| vjp.b.i64s_attr(&[]));
            let all = [&[y_bar], &indices[..]].concat();
            let attributes = [("static_position", position)];
            let v_bar = vjp.b.val_with("vector.extract", &all, operands[0].r#type(), &attributes);
            vjp.add_dense(operands[0], v_bar)?;
        }
        if vjp.is_active(operands[1]) {
            let zero = vjp.b.zeros_like(operands[0]);
            let a_bar = insert(&vjp.b, op, zero, y_bar, &indices);
            vjp.add_dense(operands[1], a_bar)?;
        }
        Ok(())
    }
}

/// `vector.from_elements`
pub struct FromElements;

impl Rule for FromElements {
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        linear_jvp(op, op.operand_list().len(), jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let y_bar = y_bar(op, vjp)?;
        let lanes = vjp.b.to_elements(y_bar);
        for (value, lane) in op.operand_list().into_iter().zip(lanes) {
            vjp.add_dense(value, lane)?;
        }
        Ok(())
    }
}

/// `vector.to_elements`
pub struct ToElements;

impl Rule for ToElements {
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        linear_jvp(op, 1, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let Some(vector) = op.opnd(0) else { return Ok(()) };
        let bars: Vec<_> = op.result_list().into_iter().map(|y| vjp.take_or_zero(y)).collect();
        let a_bar = vjp.b.val("vector.from_elements", &bars, vector.r#type());
        vjp.add_dense(vector, a_bar)
    }
}

/// `vector.shape_cast`
pub struct ShapeCast;

impl Rule for ShapeCast {
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        linear_jvp(op, 1, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let y_bar = y_bar(op, vjp)?;
        let Some(vector) = op.opnd(0) else { return Ok(()) };
        let a_bar = vjp.b.val("vector.shape_cast", &[y_bar], vector.r#type());
        vjp.add_dense(vector, a_bar)
    }
}

/// `vector.transpose`
pub struct Transpose;

impl Rule for Transpose {
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        linear_jvp(op, 1, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let y_bar = y_bar(op, vjp)?;
        let permutation = op.attr("permutation").and_then(i64_array);
        let (Some(vector), Some(permutation)) = (op.opnd(0), permutation) else {
            return Err(internal_error(op, "transpose without permutation"));
        };
        let mut inverse = vec![0; permutation.len()];
        for (i, &p) in permutation.iter().enumerate() {
            inverse[p as usize] = i as i64;
        }
        let attributes = [("permutation", vjp.b.i64s_attr(&inverse))];
        let a_bar = vjp.b.val_with("vector.transpose", &[y_bar], vector.r#type(), &attributes);
        vjp.add_dense(vector, a_bar)
    }
}

/// `vector.reduction <add>`, with or without a value to start from.
pub struct ReductionAdd;

impl Rule for ReductionAdd {
    fn applies(&self, op: Op<'_>) -> bool {
        op.attr("kind").is_some_and(|kind| kind.to_string() == "#vector.kind<add>")
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        linear_jvp(op, op.operand_list().len(), jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let y_bar = y_bar(op, vjp)?;
        let operands = op.operand_list();
        if vjp.is_active(operands[0]) {
            let a_bar = vjp.b.val("vector.broadcast", &[y_bar], operands[0].r#type());
            vjp.add_dense(operands[0], a_bar)?;
        }
        operands.get(1).map_or(Ok(()), |&start| vjp.add_dense(start, y_bar))
    }
}
