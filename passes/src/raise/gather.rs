//! Raises `tensor.gather` to a generated tensor and `tensor.scatter` to a loop of
//! insertions.
//!
//! The adjoint of a gather accumulates at what was read; that of a scatter reads what
//! was written and clears it, one element per update, not the whole tensor.

use ad_dialect::ir::{DYNAMIC, Op, OpExt, TyExt, Val, i64_array};
use melior::ir::ValueLike;

use crate::support::{
    builder::Builder,
    diag::{Result, internal_error},
};

/// How the indices of the tensor with all elements follow from those of the smaller one.
struct Coordinates<'c> {
    /// One position per entry of the leading dimensions; the last dimension is that of
    /// the coordinates.
    indices: Val<'c>,
    /// The dimension that each coordinate is an index of.
    dims: Vec<i64>,
    /// Whether the smaller tensor has dimensions of size 1 in their place.
    keeps_rank: bool,
    /// The rank of the tensor with all elements.
    rank: usize,
}

impl<'c> Coordinates<'c> {
    /// From an operation, its indices, and the tensors with all and with some elements.
    fn of(
        op: Op<'c>,
        name: &str,
        indices: Option<Val<'c>>,
        all: Option<Val<'c>>,
        some: Option<Val<'c>>,
    ) -> Result<Self> {
        let dims = op.attr(name).and_then(i64_array);
        let (Some(indices), Some(all), Some(some), Some(dims)) = (indices, all, some, dims) else {
            return Err(internal_error(op, "indices without dimensions"));
        };
        let rank = all.r#type().shape().len();
        let leading = indices.r#type().shape().len().saturating_sub(1);
        let keeps_rank = some.r#type().shape().len() == leading + rank;
        Ok(Self { indices, dims, keeps_rank, rank })
    }

    /// The number of leading dimensions.
    fn leading(&self) -> usize {
        self.indices.r#type().shape().len().saturating_sub(1)
    }

    /// The dimension of the smaller tensor that runs along a dimension of the other.
    fn dimension_along(&self, d: usize) -> usize {
        let before = self.dims.iter().filter(|&&dim| dim < d as i64).count();
        self.leading() + if self.keeps_rank { d } else { d - before }
    }

    /// The index into the tensor with all elements at an index into the smaller one.
    fn index(&self, b: &Builder<'c>, position: &[Val<'c>]) -> Vec<Val<'c>> {
        let one = |d: usize| {
            let coordinate = self.dims.iter().position(|&dim| dim == d as i64);
            let Some(k) = coordinate else { return position[self.dimension_along(d)] };
            let at = [&position[..self.leading()], &[b.index(k as i64)]].concat();
            let index = b.extract(self.indices, &at);
            if index.r#type() == b.index_type() {
                return index;
            }
            b.val("arith.index_cast", &[index], b.index_type())
        };
        (0..self.rank).map(one).collect()
    }
}

/// `tensor.gather`
pub fn gather<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    let (source, result) = (op.opnd(0), op.res(0));
    let coordinates = Coordinates::of(op, "gather_dims", op.opnd(1), source, result)?;
    let (Some(source), Some(result)) = (source, result) else { return Ok(None) };
    let shape = result.r#type().shape();
    let size = |d: usize| match d.checked_sub(coordinates.leading()) {
        None => b.dim(coordinates.indices, d),
        Some(_) => (0..coordinates.rank)
            .find(|&s| {
                !coordinates.dims.contains(&(s as i64)) && coordinates.dimension_along(s) == d
            })
            .map_or_else(|| b.index(1), |s| b.dim(source, s)),
    };
    let sizes: Vec<_> = (0..shape.len()).filter(|&d| shape[d] == DYNAMIC).map(size).collect();
    let types = vec![b.index_type(); shape.len()];
    let new = b.op_with("tensor.generate", &sizes, &[result.r#type()], &[], &[types]);
    b.fill_body(new, 0, "tensor.yield", |inner, position| {
        Ok(vec![inner.extract(source, &coordinates.index(&inner, position))])
    })?;
    Ok(Some(new.result_list()))
}

/// `tensor.scatter`
pub fn scatter<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    let (source, target) = (op.opnd(0), op.opnd(1));
    let coordinates = Coordinates::of(op, "scatter_dims", op.opnd(2), target, source)?;
    let (Some(source), Some(target)) = (source, target) else { return Ok(None) };
    let written = nest(b, source, target, &coordinates, &[])?;
    Ok(Some(vec![written]))
}

/// The loops over the dimensions of the source from the number of known indices on.
fn nest<'c>(
    b: &Builder<'c>,
    source: Val<'c>,
    target: Val<'c>,
    coordinates: &Coordinates<'c>,
    position: &[Val<'c>],
) -> Result<Val<'c>> {
    if position.len() == source.r#type().shape().len() {
        let value = b.extract(source, position);
        return Ok(b.insert_element(value, target, &coordinates.index(b, position)));
    }
    let bounds = [b.index(0), b.dim(source, position.len()), b.index(1)];
    let new = b.for_loop(bounds, &[target], |inner, i, carried| {
        let target = carried.first().copied().unwrap_or(target);
        let position = [position, &[i]].concat();
        Ok(vec![nest(&inner, source, target, coordinates, &position)?])
    })?;
    Ok(new.res(0).unwrap_or(target))
}
