//! Reductions of rows that are so few, and so long, that one block for each would leave most of a GPU idle:
//!
//! ```text
//! ss = map (\xs -> g (reduce op e (map f xs))) xss
//!         ==>
//! pss = map (\xs -> map (\s -> reduce op e (map f (part s of xs))) [0 .. S - 1]) xss      -- one block for each part
//! ss  = map (\ps -> g (reduce op e ps)) pss                                             -- one block for each row
//! ```
//! Parts are neighbouring elements, in order, so that any operator will do. How many there are depends on sizes.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val, ValExt, array_of};
use melior::{
    Context,
    ir::{Attribute, ValueLike},
};

use super::{
    BLOCK,
    nest::{Nest, is_scalar_reduce, width_inside, with_light_maps},
};
use crate::{
    parallelize::{parts::Parts, rows::width_of},
    support::{
        builder::{Builder, CMP_SGT},
        chunk::Chunk,
        combinator::inputs_and_rest,
        diag::Result,
        region::{clone_with, replace},
        size::Size,
    },
};

/// What makes parts, and what combines them.
pub const PARTS: &str = "parts";

/// So many blocks are wanted: several for each multiprocessor of a large GPU.
const BLOCKS: i64 = 1024;
/// How many elements a thread combines of a part at least.
const PER_THREAD: i64 = 8;

/// How many parts each row has that a nest reduces, and whether that is more than one: none if it surely is not.
pub fn parts<'c>(b: &Builder<'c>, nest: &Nest<'c>, reduce: Op<'c>) -> Option<[Size<'c>; 2]> {
    let width = width_inside(reduce).filter(|width| width.is_outside(nest.root()))?;
    // Where there are as many rows as a row has elements, they are not few and long.
    if nest.levels.iter().any(|level| width_inside(level.group.op) == Some(width)) {
        return None;
    }
    let width = Size::of_extent(b, width);
    let widths = nest.widths(b).into_iter();
    let rows = widths.fold(Size::Known(1), |product, width| product.times(b, width));
    let least = BLOCK * PER_THREAD;
    if let (Size::Known(rows), Size::Known(width)) = (rows, width) {
        let count = (width / least).min(BLOCKS / rows.max(1));
        return (count > 1).then_some([Size::Known(count), Size::Known(1)]);
    }
    if matches!(width, Size::Known(width) if width < 2 * least)
        || matches!(rows, Size::Known(rows) if rows > BLOCKS / 2)
    {
        return None;
    }
    let divide = |x: Val<'c>, y: Val<'c>| b.same("arith.divui", &[x, y]);
    let some = b.same("arith.maxsi", &[rows.value(b), b.index(1)]);
    let possible = divide(width.value(b), b.index(least));
    let count = b.same("arith.minsi", &[divide(b.index(BLOCKS), some), possible]);
    Some([Size::Value(count), Size::Value(b.compare(CMP_SGT, count, b.index(1)))])
}

/// Lets the reductions in the innermost body of a nest be those of parts, and then of what these are combined to.
pub fn share_out<'c>(context: &'c Context, body: Blk<'c>, count: Size<'c>) -> Result<()> {
    for sum in body.body_ops().into_iter().filter(|&op| is_scalar_reduce(op)) {
        let b = Builder::before(context, sum, body).deriving(sum);
        let (group, (inputs, neutrals)) = (with_light_maps(sum), inputs_and_rest(sum));
        let types: Vec<_> = neutrals.iter().map(|e| e.r#type()).collect();
        let rows: Vec<_> = types.iter().map(|&it| array_of(count.in_type(), it)).collect();
        let width = width_of(&b, &group);
        let numbers = b.iota(count.value(&b), count.in_type());
        let parts = b.map(&[numbers], &[], &rows, |b, number| {
            let chunk = Chunk::new(&b, number[0], width, count);
            let inputs = Parts::new(&group, chunk).of(&b, &inputs)?;
            Ok(clone_with(&b, sum, &[&inputs[..], &neutrals].concat(), &types).result_list())
        })?;
        let total = clone_with(&b, sum, &[&parts[..], &neutrals].concat(), &types);
        let unit = Attribute::unit(context);
        let made = parts.first().and_then(ValExt::defining_op);
        [made, Some(total)].iter().flatten().for_each(|op| op.set_attr(context, PARTS, unit));
        replace(sum, &total.result_list());
    }
    Ok(())
}
