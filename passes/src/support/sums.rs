//! Sizes and indices of tensors, as sums.

use ad_dialect::ir::{Val, ValExt};

use super::{
    extent::{Extent, Extents},
    place::{Sum, Symbol},
};

/// The size of a dimension of an array.
pub fn size<'c>(extents: &mut Extents<'c>, array: Val<'c>, d: usize) -> Sum {
    let extent = extents.of(array, d);
    of_extent(extents, extent)
}

/// A size or an offset.
pub fn of_extent<'c>(extents: &mut Extents<'c>, extent: Extent<'c>) -> Sum {
    match extent {
        Extent::Known(n) => Sum::constant(n),
        Extent::Dim(array, d) => Sum::symbol(Symbol::Dim(array.key(), d)),
        Extent::Value(value) => of_value(extents, value),
    }
}

/// A size or an index.
pub fn of_value<'c>(extents: &mut Extents<'c>, value: Val<'c>) -> Sum {
    Sum::of_parts(value, &mut |other| match extents.of_value(other) {
        Extent::Value(_) => Sum::of(other),
        known => of_extent(extents, known),
    })
}
