//! Operations on whole arrays in the bodies of maps become maps, so that threads share them where the map around is not
//! wide: arithmetic, and arrays with a part that comes from another one.
//!
//! ```text
//! insert_slice a into b[offset]  ==>  map (\i b_i -> if offset <= i < offset + size a then a[i - offset] else b_i) b
//! ```

use ad_dialect::ir::{Blk, BlkExt, DYNAMIC, Op, OpExt, TyExt, Val};
use melior::{Context, ir::ValueLike};

use crate::support::{
    builder::{Builder, CMP_ULT},
    diag::Result,
    elementwise::{as_maps, is_elementwise},
    region::replace,
    slice::Slice,
};

/// Arrays that are known to have fewer elements are one thread's.
const SMALL: i64 = 32;

/// Rewrites the operations of a body.
pub fn become_maps<'c>(context: &'c Context, body: Blk<'c>) -> Result<()> {
    for op in body.body_ops() {
        if !is_large(op) {
            continue;
        }
        let b = Builder::before(context, op, body);
        let made = match op.op_name() {
            "tensor.insert_slice" => {
                Insertion::of(&b, op).map(|it| it.rows(&b, it.into, 0, vec![])).transpose()?
            }
            _ if is_elementwise(op) => Some(as_maps(&b, op, &op.operand_list())?),
            _ => None,
        };
        if let Some(made) = made {
            replace(op, &[made]);
        }
    }
    Ok(())
}

/// Whether what an operation makes has more than a few elements, as far as that is known.
pub fn is_large(op: Op<'_>) -> bool {
    let shape = op.res(0).map(|result| result.r#type().shape()).unwrap_or_default();
    !shape.is_empty() && (shape.contains(&DYNAMIC) || shape.iter().product::<i64>() >= SMALL)
}

/// A part of an array that comes from another one.
struct Insertion<'c> {
    from: Val<'c>,
    into: Val<'c>,
    offsets: Vec<Val<'c>>,
}

impl<'c> Insertion<'c> {
    /// That of an operation whose part has as many dimensions as the array, and no gaps.
    fn of(b: &Builder<'c>, op: Op<'c>) -> Option<Self> {
        let (from, into) = (op.opnd(0)?, op.opnd(1)?);
        let offsets = Slice::of(op, 2, |value| value)?.dense_offsets()?;
        let has_all = from.r#type().shape().len() == into.r#type().shape().len();
        let offsets = offsets.into_iter().map(|offset| offset.value(b)).collect();
        has_all.then_some(Self { from, into, offsets })
    }

    /// The rows of the array from a dimension on; the indices before it are those of the part where all is well.
    fn rows(
        &self,
        b: &Builder<'c>,
        into: Val<'c>,
        d: usize,
        before: Vec<(Val<'c>, Val<'c>)>,
    ) -> Result<Val<'c>> {
        let size = into.r#type().shape()[0];
        let numbers = b.iota(b.dim(into, 0), size);
        let made = b.map(&[into, numbers], &[], &[into.r#type()], |b, row| {
            let [row, number] = row[..] else { return Ok(vec![]) };
            let own = b.sub(number, self.offsets[d]);
            let is_inside = b.compare(CMP_ULT, own, b.dim(self.from, d));
            let mut all = before.clone();
            all.push((own, is_inside));
            if row.r#type().as_tensor().is_some() {
                return Ok(vec![self.rows(&b, row, d + 1, all)?]);
            }
            let (indices, conditions): (Vec<_>, Vec<_>) = all.into_iter().unzip();
            let inside = conditions.into_iter().reduce(|x, y| b.same("arith.andi", &[x, y]));
            let Some(inside) = inside else { return Ok(vec![row]) };
            let chosen = b.if_else(inside, &[row.r#type()], |b, inside| {
                Ok(vec![if inside { b.extract(self.from, &indices) } else { row }])
            })?;
            Ok(chosen.result_list())
        })?;
        Ok(made[0])
    }
}
