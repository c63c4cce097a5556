//! Slices of arrays.

use ad_dialect::ir::{DYNAMIC, Op, OpExt, TyExt, Val, ValExt, i32_array, i64_array};
use melior::ir::{Type, ValueLike};

use super::{
    builder::Builder, combinator::constant_index, diag::Result, extent::Extent, memory::rank,
};

/// Whether an operation shows an array, or a part of it, in another form.
pub fn is_view(op: Op<'_>) -> bool {
    matches!(
        op.op_name(),
        "tensor.extract_slice" | "tensor.cast" | "tensor.collapse_shape" | "tensor.expand_shape"
    )
}

/// The array that a value is, or is a part of.
pub fn whole(array: Val<'_>) -> Val<'_> {
    let view = array.defining_op().filter(|op| is_view(*op));
    view.and_then(|op| op.opnd(0)).map_or(array, whole)
}

/// The position of a slice in an array, as `tensor.extract_slice` gives it.
pub struct Slice<'c> {
    /// Dynamic offsets, sizes and strides, in this order.
    operands: Vec<Val<'c>>,
    counts: [i32; 3],
    statics: [Vec<i64>; 3],
}

/// A dimension of a buffer of which a view shows a part.
pub struct Dimension<'c> {
    /// Where the part begins.
    pub offset: Extent<'c>,
    /// How many elements it has.
    pub size: Extent<'c>,
    /// The stride.
    pub stride: i64,
    /// Whether the view has this dimension.
    pub is_kept: bool,
}

/// What a `memref.subview` shows of each dimension, if its strides are static and it is known which dimensions it drops.
pub fn shown(view: Op<'_>) -> Option<Vec<Dimension<'_>>> {
    let slice = Slice::of(view, 1, |value| value)?;
    let [_, sizes, strides] = &slice.statics;
    let dropped = sizes.len().checked_sub(rank(view.res(0)?))?;
    let is_clear = dropped == 0 || dropped == sizes.iter().filter(|&&size| size == 1).count();
    let dimension = |d: usize| {
        let [offset, size, _] = slice.entries(d);
        Dimension { offset, size, stride: strides[d], is_kept: dropped == 0 || sizes[d] != 1 }
    };
    let is_known = is_clear && !strides.contains(&DYNAMIC);
    is_known.then(|| (0..sizes.len()).map(dimension).collect())
}

impl<'c> Slice<'c> {
    /// The slice of a `tensor.extract_slice` (or `insert_slice`) whose first
    /// `skip` operands are tensors, with operands renamed.
    pub fn of(op: Op<'c>, skip: usize, rename: impl Fn(Val<'c>) -> Val<'c>) -> Option<Self> {
        let segments = i32_array(op.attr("operandSegmentSizes")?)?;
        let counts = [*segments.get(skip)?, *segments.get(skip + 1)?, *segments.get(skip + 2)?];
        let statics = [
            i64_array(op.attr("static_offsets")?)?,
            i64_array(op.attr("static_sizes")?)?,
            i64_array(op.attr("static_strides")?)?,
        ];
        let operands = op.operand_list().into_iter().skip(skip).map(rename).collect();
        Some(Self { operands, counts, statics })
    }

    /// The slice of one element.
    pub fn of_element(indices: &[Val<'c>]) -> Self {
        let rank = indices.len();
        let statics = [vec![DYNAMIC; rank], vec![1; rank], vec![1; rank]];
        Self { operands: indices.to_vec(), counts: [rank as i32, 0, 0], statics }
    }

    /// Offset, size and stride along a dimension.
    pub fn entries(&self, dimension: usize) -> [Extent<'c>; 3] {
        [0, 1, 2].map(|which| match self.statics[which][dimension] {
            DYNAMIC => Extent::Value(self.operands[self.operand(which, dimension)]),
            known => Extent::Known(known),
        })
    }

    /// The slice with another offset, size and stride along a dimension.
    pub fn along(mut self, dimension: usize, entries: [Val<'c>; 3]) -> Self {
        for (which, value) in entries.into_iter().enumerate() {
            let at = self.operand(which, dimension);
            if self.statics[which][dimension] == DYNAMIC {
                self.operands.remove(at);
                self.counts[which] -= 1;
            }
            self.statics[which][dimension] = constant_index(value).unwrap_or(DYNAMIC);
            if self.statics[which][dimension] == DYNAMIC {
                self.operands.insert(at, value);
                self.counts[which] += 1;
            }
        }
        self
    }

    /// The slice along all dimensions but the first.
    pub fn behind_first(&self) -> Self {
        let mut rest = Self {
            operands: self.operands.clone(),
            counts: self.counts,
            statics: self.statics.clone(),
        };
        for which in [2, 1, 0] {
            if self.statics[which][0] == DYNAMIC {
                rest.operands.remove(self.operand(which, 0));
                rest.counts[which] -= 1;
            }
            rest.statics[which].remove(0);
        }
        rest
    }

    /// Whether the sizes from a dimension on are a shape.
    pub fn has_shape_from(&self, dimension: usize, shape: &[i64]) -> bool {
        self.statics[1][dimension..] == *shape
    }

    /// Where an entry is among the operands, if it is dynamic.
    fn operand(&self, which: usize, dimension: usize) -> usize {
        let before = self.counts[..which].iter().sum::<i32>() as usize;
        before + self.statics[which][..dimension].iter().filter(|&&s| s == DYNAMIC).count()
    }

    /// Reads the slice of an array, as a tensor of the given type.
    pub fn extract(&self, b: &Builder<'c>, array: Val<'c>, part: Type<'c>) -> Val<'c> {
        let operands = [&[array], &self.operands[..]].concat();
        let segments = [&[1], &self.counts[..]].concat();
        b.slice_op("tensor.extract_slice", &operands, part, &self.statics, &segments)
    }

    /// The array with the slice replaced.
    pub fn insert(&self, b: &Builder<'c>, part: Val<'c>, array: Val<'c>) -> Val<'c> {
        let operands = [&[part, array], &self.operands[..]].concat();
        let segments = [&[1, 1], &self.counts[..]].concat();
        b.slice_op("tensor.insert_slice", &operands, array.r#type(), &self.statics, &segments)
    }

    /// Where the slice begins along each dimension, if it takes all elements from there on.
    pub fn dense_offsets(&self) -> Option<Vec<Extent<'c>>> {
        let [offsets, _, strides] = &self.statics;
        let mut dynamic = self.operands.iter().copied();
        let offset = |&offset: &i64| match offset {
            DYNAMIC => dynamic.next().map(Extent::Value),
            known => Some(Extent::Known(known)),
        };
        let offsets = offsets.iter().map(offset).collect::<Option<_>>()?;
        strides.iter().all(|&stride| stride == 1).then_some(offsets)
    }

    /// Offset or stride (0 or 2) of a dimension.
    fn entry(&self, b: &Builder<'c>, which: usize, dimension: usize) -> Val<'c> {
        let fixed = self.statics[which][dimension];
        if fixed != DYNAMIC {
            return b.index(fixed);
        }
        self.operands[self.operand(which, dimension)]
    }

    /// Where the slice begins.
    pub fn offsets(&self, b: &Builder<'c>) -> Vec<Val<'c>> {
        (0..self.statics[0].len()).map(|d| self.entry(b, 0, d)).collect()
    }

    /// For every dimension of the array, the dimension of the part that runs
    /// along it; none where the part has been rank-reduced: not in a dimension of size one that the part has, too.
    pub fn part_dimensions(&self, part: &[i64]) -> Vec<Option<usize>> {
        let mut surplus = self.statics[1].len() - part.len();
        let mut next = 0;
        let mut result = vec![];
        for &size in &self.statics[1] {
            if size == 1 && surplus > 0 && part.get(next) != Some(&1) {
                surplus -= 1;
                result.push(None);
            } else {
                result.push(Some(next));
                next += 1;
            }
        }
        result
    }

    /// Adds a part into an accumulator of the array, element by element.
    pub fn accumulate(&self, b: &Builder<'c>, acc: Val<'c>, part: Val<'c>) -> Result<Val<'c>> {
        let shape = part.r#type().shape();
        self.accumulate_from(b, acc, part, &shape, &mut vec![])
    }

    fn accumulate_from(
        &self,
        b: &Builder<'c>,
        acc: Val<'c>,
        part: Val<'c>,
        shape: &[i64],
        position: &mut Vec<Val<'c>>,
    ) -> Result<Val<'c>> {
        if position.len() == shape.len() {
            let value = b.extract(part, position);
            let mut indices = vec![];
            for (dimension, along) in self.part_dimensions(shape).into_iter().enumerate() {
                let offset = self.entry(b, 0, dimension);
                indices.push(match along {
                    None => offset,
                    Some(i) => {
                        let step = b.mul(position[i], self.entry(b, 2, dimension));
                        b.add(offset, step)
                    }
                });
            }
            return Ok(b.update_acc(acc, &indices, value));
        }
        let dimension = position.len();
        let iota = b.iota(b.dim(part, dimension), shape[dimension]);
        let results = b.map(&[iota], &[acc], &[acc.r#type()], |b, args| {
            position.push(args[0]);
            let next = self.accumulate_from(&b, args[1], part, shape, position)?;
            position.pop();
            Ok(vec![next])
        })?;
        Ok(results[0])
    }
}
