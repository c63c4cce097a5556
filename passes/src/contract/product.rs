//! Which products in nests of maps are products of matrices.

use std::collections::{BTreeSet, HashSet};

use ad_dialect::ir::{Op, OpExt, TyExt, Val, ValExt};
use melior::ir::ValueLike;

use super::access::{Access, argument};
use crate::support::combinator::is_iota;
use crate::{
    acc_to_reduce::can_store,
    support::{
        combinator::input_count,
        extent::{Extent, extent_of, is_regular},
        region::{free_values, is_outside},
    },
};

/// Products of fewer multiplications than this stay loops, if their sizes are static.
const SMALL: i64 = 4096;

/// Sums of more products than this in one nest stay loops, which read what they share once.
const MOST_TERMS: usize = 8;

/// A sum of products of two factors in a nest of maps.
pub struct Product<'a, 'c> {
    /// What a factor is stored in front of: the outermost map, or something around it.
    pub top: Op<'c>,
    /// The maps, outermost first; the product is computed in the last one.
    pub maps: &'a [Op<'c>],
    /// The maps whose iterations are indices of the result; it is summed over the others.
    pub kept: &'a [usize],
    /// What is multiplied.
    pub factors: [Val<'c>; 2],
}

impl<'c> Product<'_, 'c> {
    /// Whether the factors are matrices, which share the indices of the sum, and each of which lacks
    /// an index of the result that the other one has: elements are read many times. Further indices of
    /// the result, which both have, are those of a batch.
    pub fn is_of_matrices(&self) -> bool {
        let levels = self.factors.map(|factor| self.levels(factor));
        let [x, y] = &levels;
        let is_own = |own: &BTreeSet<usize>, other: &BTreeSet<usize>| {
            self.kept.iter().any(|level| own.contains(level) && !other.contains(level))
        };
        let is_sum = |level: &usize| !self.kept.contains(level);
        let mut all = 0..self.maps.len();
        all.clone().any(|level| is_sum(&level))
            && all.all(|l| match is_sum(&l) {
                true => x.contains(&l) && y.contains(&l),
                false => x.contains(&l) || y.contains(&l),
            })
            && is_own(x, y)
            && is_own(y, x)
            && self.maps.iter().all(|map| self.has_fixed_width(*map))
            && self.factors.iter().zip(&levels).all(|(&factor, own)| self.is_matrix(factor, own))
            && self.is_large()
    }

    /// The factors, or the arrays that they are elements of, that are computed inside.
    pub fn computed(&self) -> Vec<Val<'c>> {
        let arrays = self.factors.map(|factor| Access::of(self.maps, factor).array);
        arrays.into_iter().filter(|array| !self.is_given(*array)).collect()
    }

    fn is_given(&self, array: Val<'c>) -> bool {
        self.maps.first().is_none_or(|outer| is_outside(*outer, array))
    }

    /// Whether a factor is an element of an array that is given, or could be stored as one that has
    /// no index that the factor does not depend on.
    fn is_matrix(&self, factor: Val<'c>, levels: &BTreeSet<usize>) -> bool {
        let access = Access::of(self.maps, factor);
        let is_twice = |l: usize| access.levels.iter().filter(|level| **level == l).count() > 1;
        if (0..self.maps.len()).any(is_twice) {
            return false;
        }
        if self.is_given(access.array) {
            return true;
        }
        let Some(op) = access.array.defining_op() else { return false };
        let around = self.maps.iter().take_while(|map| !is_beside(**map, op)).count();
        around < self.maps.len()
            && (0..around).all(|level| levels.contains(&level))
            && is_regular(self.top, access.array)
            && can_store(self.top, access.array)
    }

    /// The maps whose iterations a value depends on.
    fn levels(&self, value: Val<'c>) -> BTreeSet<usize> {
        let (mut levels, mut seen, mut open) = (BTreeSet::new(), HashSet::new(), vec![value]);
        while let Some(value) = open.pop() {
            if self.is_given(value) || !seen.insert(value.key()) {
                continue;
            }
            if let Some((level, input)) = argument(self.maps, value) {
                levels.insert(level);
                open.extend((!is_iota(input)).then_some(input));
            } else if let Some(op) = value.defining_op() {
                open.extend(op.operand_list());
                open.extend(free_values(&op.blocks()));
            }
        }
        levels
    }

    fn has_fixed_width(&self, map: Op<'c>) -> bool {
        let mut widths = widths(map);
        widths.any(|width| match width {
            Extent::Known(_) => true,
            Extent::Value(value) | Extent::Dim(value, _) => self.is_given(value),
        })
    }

    /// Whether the product is not known to be too small to be worth more than loops.
    fn is_large(&self) -> bool {
        let size = |map: &Op<'c>| {
            widths(*map).find_map(|width| match width {
                Extent::Known(size) => Some(size),
                _ => None,
            })
        };
        let count =
            self.maps.iter().try_fold(1_i64, |count, map| Some(count.saturating_mul(size(map)?)));
        count.is_none_or(|count| count > SMALL)
    }
}

/// The factors of each term of a sum of products of floats, if there are few.
pub fn terms<'c>(sum: Val<'c>) -> Option<Vec<[Val<'c>; 2]>> {
    let (mut terms, mut open) = (vec![], vec![sum]);
    while let Some(term) = open.pop() {
        let op = term.defining_op().filter(|_| term.r#type().is_float_type())?;
        let (x, y) = (op.opnd(0)?, op.opnd(1)?);
        match op.op_name() {
            "arith.addf" => open.extend([y, x]),
            "arith.mulf" => terms.push([x, y]),
            _ => return None,
        }
        // A term that is added to itself again and again would be very many.
        if open.len() + terms.len() > MOST_TERMS {
            return None;
        }
    }
    Some(terms)
}

/// The sizes that are all the number of iterations of a map.
fn widths<'c>(map: Op<'c>) -> impl Iterator<Item = Extent<'c>> {
    let inputs = map.operand_list().into_iter().take(input_count(map));
    inputs.map(|input| extent_of(input, 0))
}

/// Whether an operation is not inside of another.
fn is_beside(outer: Op<'_>, op: Op<'_>) -> bool {
    op.res(0).is_none_or(|result| is_outside(outer, result))
}
