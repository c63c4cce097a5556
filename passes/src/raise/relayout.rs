//! Raises `linalg.softmax`, `linalg.pack` and `linalg.unpack` to generic operations.
//!
//! ```text
//! softmax x:  m = max x; e = exp (x - m); y = e / sum e       -- along one dimension
//! pack x:     y[o.., t..] = x[o * tile + t, ..]               -- of x padded
//! unpack x:   y[i..] = x[i floordiv tile, .., i mod tile, ..]
//! ```
//! The result of softmax does not depend on m, which is there against overflow only, so
//! no derivative is taken of it.

use ad_dialect::{
    ir::{DYNAMIC, Op, OpExt, TyExt, Val, i64_array, int_of, tensor_type},
    linalg::{Expr, map_attribute},
};
use melior::ir::{ValueLike, attribute::FloatAttribute};

use crate::support::{builder::Builder, diag::Result};

/// Raises a softmax on tensors.
pub fn softmax<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    let (Some(x), Some(out), Some(_)) = (op.opnd(0), op.opnd(1), op.res(0)) else {
        return Ok(None);
    };
    let Some(along) = op.attr("dimension").and_then(int_of) else { return Ok(None) };
    let (shape, element) = (x.r#type().shape(), x.r#type().scalar());
    let kept = || (0..shape.len()).filter(|&d| d as i64 != along);
    let full: Vec<_> = (0..shape.len()).map(Expr::Loop).collect();
    let rest: Vec<_> = kept().map(Expr::Loop).collect();
    let parallel: Vec<_> = (0..shape.len()).map(|d| d as i64 != along).collect();
    let everywhere = vec![true; shape.len()];

    let row_shape: Vec<_> = kept().map(|d| shape[d]).collect();
    let sizes: Vec<_> = kept().filter(|&d| shape[d] == DYNAMIC).map(|d| b.dim(x, d)).collect();
    let row = tensor_type(&row_shape, element);
    let low = FloatAttribute::new(b.context(), element, f64::NEG_INFINITY).into();
    let low = b.val_with("arith.constant", &[], element, &[("value", low)]);
    let lows = b.fill(low, b.empty(row, &sizes));
    let zeros = b.zeros(row, &sizes);
    let like_x = b.empty(x.r#type(), &b.dynamic_dims(x));

    let frozen = b.val("ad.stop_gradient", &[x], x.r#type());
    let m = generic(b, [&full, &rest], &parallel, &[frozen], lows, |b, v| {
        b.same("arith.maxnumf", &[v[0], v[1]])
    })?;
    let e = generic(b, [&full, &rest, &full], &everywhere, &[x, m], like_x, |b, v| {
        b.same("math.exp", &[b.sub(v[0], v[1])])
    })?;
    let l = generic(b, [&full, &rest], &parallel, &[e], zeros, |b, v| b.add(v[1], v[0]))?;
    let y = generic(b, [&full, &rest, &full], &everywhere, &[e, l], out, |b, v| b.div(v[0], v[1]))?;
    Ok(Some(vec![y]))
}

/// Raises a pack with static tiles.
pub fn pack<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    let Some(layout) = Layout::of(op) else { return Ok(None) };
    let (Some(source), Some(dest), Some(_)) = (op.opnd(0), op.opnd(1), op.res(0)) else {
        return Ok(None);
    };
    let source = match op.opnd(2) {
        Some(padding) => layout.pad(b, source, dest, padding),
        None => source,
    };
    let rank = layout.order.len();
    let mut indices = vec![Expr::Constant(0); rank];
    for (o, &d) in layout.order.iter().enumerate() {
        indices[d] = match layout.tile_of(d) {
            Some(k) => {
                let outer = Expr::Mul(Box::new([Expr::Loop(o), Expr::Constant(layout.tiles[k])]));
                Expr::Add(Box::new([outer, Expr::Loop(rank + k)]))
            }
            None => Expr::Loop(o),
        };
    }
    copy(b, &indices, source, dest).map(Some)
}

/// Raises an unpack with static tiles.
pub fn unpack<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    let Some(layout) = Layout::of(op) else { return Ok(None) };
    let (Some(source), Some(dest), Some(_)) = (op.opnd(0), op.opnd(1), op.res(0)) else {
        return Ok(None);
    };
    let tiled = |d: usize, k: usize| Box::new([Expr::Loop(d), Expr::Constant(layout.tiles[k])]);
    let outer = layout.order.iter().map(|&d| match layout.tile_of(d) {
        Some(k) => Expr::FloorDiv(tiled(d, k)),
        None => Expr::Loop(d),
    });
    let inner = layout.positions.iter().enumerate().map(|(k, &d)| Expr::Mod(tiled(d, k)));
    let indices: Vec<_> = outer.chain(inner).collect();
    copy(b, &indices, source, dest).map(Some)
}

/// How an array is tiled.
struct Layout {
    /// The dimension that each outer dimension runs along.
    order: Vec<usize>,
    /// The dimension that each tile is of.
    positions: Vec<usize>,
    tiles: Vec<i64>,
}

impl Layout {
    /// The layout, if all tiles are static.
    fn of(op: Op<'_>) -> Option<Self> {
        let numbers = |name: &str| op.attr(name).and_then(i64_array);
        let dimensions = |list: Vec<i64>| -> Option<Vec<usize>> {
            list.into_iter().map(|d| usize::try_from(d).ok()).collect()
        };
        let tiles = numbers("static_inner_tiles")?;
        let positions = dimensions(numbers("inner_dims_pos")?)?;
        let packed = op.opnd(usize::from(op.op_name() == "linalg.pack"))?;
        let rank = packed.r#type().shape().len().checked_sub(tiles.len())?;
        let order = dimensions(numbers("outer_dims_perm").unwrap_or_default())?;
        let order = if order.is_empty() { (0..rank).collect() } else { order };
        (!tiles.contains(&DYNAMIC)).then_some(Self { order, positions, tiles })
    }

    fn tile_of(&self, dimension: usize) -> Option<usize> {
        self.positions.iter().position(|&d| d == dimension)
    }

    /// The source with whole tiles.
    fn pad<'c>(
        &self,
        b: &Builder<'c>,
        source: Val<'c>,
        dest: Val<'c>,
        padding: Val<'c>,
    ) -> Val<'c> {
        let (shape, packed) = (source.r#type().shape(), dest.r#type().shape());
        let (mut full, mut sizes) = (shape.clone(), vec![]);
        for (d, size) in full.iter_mut().enumerate() {
            let outer = self.order.iter().position(|&other| other == d);
            match (self.tile_of(d), outer) {
                (Some(k), Some(o)) if packed[o] == DYNAMIC => {
                    *size = DYNAMIC;
                    sizes.push(b.mul(b.dim(dest, o), b.index(self.tiles[k])));
                }
                (Some(k), Some(o)) => *size = packed[o] * self.tiles[k],
                _ if *size == DYNAMIC => sizes.push(b.dim(source, d)),
                _ => {}
            }
        }
        let array = b.empty(tensor_type(&full, source.r#type().scalar()), &sizes);
        let array = b.fill(padding, array);
        let dynamic = b.dynamic_dims(source);
        let rank = shape.len();
        let statics = [vec![0; rank], shape, vec![1; rank]];
        let operands = [&[source, array], &dynamic[..]].concat();
        let segments = [1, 1, 0, dynamic.len() as i32, 0];
        b.slice_op("tensor.insert_slice", &operands, array.r#type(), &statics, &segments)
    }
}

/// The target with every element read from the source at indices.
fn copy<'c>(
    b: &Builder<'c>,
    indices: &[Expr],
    source: Val<'c>,
    target: Val<'c>,
) -> Result<Vec<Val<'c>>> {
    let loops = target.r#type().shape().len();
    let all: Vec<_> = (0..loops).map(Expr::Loop).collect();
    let y = generic(b, [indices, &all], &vec![true; loops], &[source], target, |_, v| v[0])?;
    Ok(vec![y])
}

/// A generic operation with one output.
fn generic<'c, const N: usize>(
    b: &Builder<'c>,
    maps: [&[Expr]; N],
    parallel: &[bool],
    inputs: &[Val<'c>],
    output: Val<'c>,
    body: impl FnOnce(Builder<'c>, &[Val<'c>]) -> Val<'c>,
) -> Result<Val<'c>> {
    let maps: Vec<_> =
        maps.iter().filter_map(|map| map_attribute(b.context(), parallel.len(), map)).collect();
    let op = b.generic(&maps, parallel, inputs, &[output], |b, v| Ok(vec![body(b, v)]))?;
    Ok(op.res(0).unwrap_or(output))
}
