//! Arrays that are read at sums of loops, such as the windows of a convolution.
//!
//! ```text
//! y[n, i, f] += x[n, 2 i + a, c] * w[a, c, f]
//! x as an array of its own for each loop: v[n, i, a, c], where i and a lead 2 rows and one row further
//! ```
//! Such an array is read as another one, of the same memory, that has a dimension for each loop: what is left is a product
//! of matrices in some layout. Neighbours along two dimensions may be the same element then, which nobody writes.

use ad_dialect::ir::Val;

use crate::support::{
    builder::Builder,
    memory::{Strided, dim, has_lines, static_size},
    structured::Index,
};

/// How many iterations some loops have, of which arrays are read at these indices; nothing of those that are nowhere alone.
pub fn sizes<'c>(
    b: &Builder<'c>,
    arrays: &[Val<'c>],
    indices: &[Vec<Index>],
    count: usize,
) -> Vec<Option<Val<'c>>> {
    let places = |l: usize| {
        let all = arrays.iter().zip(indices);
        all.flat_map(move |(&array, own)| {
            let here = (0..own.len()).filter(move |&d| own[d].plain() == Some(l));
            here.map(move |d| (array, d))
        })
    };
    let size = |l: usize| {
        let is_static = |&(array, d): &(Val<'c>, usize)| static_size(array, d).is_some();
        let (array, d) = places(l).find(is_static).or_else(|| places(l).next())?;
        Some(dim(b, array, d))
    };
    (0..count).map(size).collect()
}

/// A buffer as one that has a dimension for each loop of its indices; itself if it is one.
pub fn view<'c>(
    b: &Builder<'c>,
    array: Val<'c>,
    indices: &[Index],
    sizes: &[Option<Val<'c>>],
) -> Option<Val<'c>> {
    if indices.iter().all(|index| index.plain().is_some()) {
        return Some(array);
    }
    let strided = Strided::of(b, array)?;
    let firsts: Vec<_> = indices.iter().map(|index| b.index(index.first)).collect();
    let offset = strided.place(b, &firsts);
    let terms = indices.iter().zip(&strided.strides);
    let terms = terms.flat_map(|(index, &stride)| index.terms.iter().map(move |it| (it, stride)));
    let (own, strides) = terms
        .map(|(&(l, by), stride)| Some((sizes[l]?, b.mul(stride, b.index(by)))))
        .collect::<Option<(Vec<_>, Vec<_>)>>()?;
    let is_line = has_lines(array)
        && indices.last().is_some_and(|index| matches!(index.terms.last(), Some((_, 1))));
    Strided { offset, sizes: own, strides, ..strided }.view(b, is_line)
}
