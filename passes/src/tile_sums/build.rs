//! The operation that makes sums.

use ad_dialect::{
    ir::{DYNAMIC, Op, OpExt, TyExt, Val, ValExt, tensor_type},
    linalg::{Expr as Index, map_attribute},
};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use super::{
    nest::Nest,
    term::{Element, Obstacle, Term},
};
use crate::{
    acc_to_reduce::store_anyway,
    contract::leading_part,
    lower::contractions_to_gpu::Contraction,
    support::{
        builder::{Builder, CMP_ULE},
        diag::Result,
        extent::{Extent, extent_of},
    },
};

/// Sums with fewer terms than this are not stored, if that is known.
const SHORT: i64 = 8;

/// What of a nest is a sum, and over what.
pub struct Sum<'c> {
    pub nest: Nest<'c>,
    /// The maps whose iterations are indices of the sums, in that order.
    pub kept: Vec<usize>,
    /// What each sum begins with, from outside of the nest.
    pub start: Val<'c>,
    pub term: Term<'c>,
}

/// The term of a sum in a nest, when everything that it is made of is stored.
pub fn term_of<'c>(
    context: &'c Context,
    nest: &mut dyn FnMut() -> Option<(Nest<'c>, Val<'c>)>,
) -> Result<Option<(Nest<'c>, Term<'c>)>> {
    while let Some((nest, value)) = nest() {
        match Term::of(&nest, value) {
            Ok(term) => return Ok(Some((nest, term))),
            Err(Obstacle::Computed(value)) if is_worth_storing(&nest, value) => {
                if !store_anyway(context, nest.front, value)? {
                    break;
                }
            }
            Err(_) => break,
        }
    }
    Ok(None)
}

/// Whether a value has fewer elements than there are terms: it is in fewer maps of the nest.
fn is_worth_storing<'c>(nest: &Nest<'c>, value: Val<'c>) -> bool {
    let around =
        std::iter::successors(value.defining_op().and_then(|op| op.parent()), |op| op.parent());
    let is_own = |op: &Op<'c>| nest.maps.iter().any(|map| map.key() == op.key());
    let own = around.filter(is_own).count();
    own + value.r#type().shape().len() < nest.maps.len()
}

impl<'c> Sum<'c> {
    /// The array of the sums, made in front of the nest; none if tiles are no use or not possible.
    pub fn array(&self, context: &'c Context) -> Result<Option<Val<'c>>> {
        let front = self.nest.front;
        let Some(block) = front.block() else { return Ok(None) };
        if !self.is_worth_it() {
            return Ok(None);
        }
        let b = Builder::before(context, front, block).deriving(front);
        let Some(sizes) = self.sizes(&b) else { return Ok(None) };
        let shape: Vec<_> = self.kept.iter().map(|&level| self.static_size(level)).collect();
        let r#type = tensor_type(&shape, self.start.r#type());
        let start = |b: &Builder<'c>| b.fill(self.start, b.empty(r#type, &sizes));
        let Some(runs) = b.all_hold(&self.nest.conditions) else {
            return self.generic(&b, start(&b));
        };
        let mut is_made = false;
        let made = b.if_else(runs, &[r#type], |b, runs| {
            let start = start(&b);
            let made = if runs { self.generic(&b, start)? } else { None };
            is_made |= made.is_some();
            Ok(vec![made.unwrap_or(start)])
        })?;
        if !is_made {
            made.erase();
            return Ok(None);
        }
        Ok(made.res(0))
    }

    /// Whether each element is used for several sums, as far as sizes are known.
    fn is_worth_it(&self) -> bool {
        let summed = (0..self.nest.maps.len()).filter(|level| !self.kept.contains(level));
        let terms = summed.map(|level| self.static_size(level));
        let terms: Vec<_> = terms.collect();
        let count: i64 = terms.iter().product();
        let is_long = terms.contains(&DYNAMIC) || count >= SHORT;
        let has = |element: &Element<'c>, level: usize| element.levels.contains(&level);
        let is_index = |level: usize| self.term.elements.iter().any(|element| has(element, level));
        is_long && (0..self.nest.maps.len()).all(is_index)
    }

    fn static_size(&self, level: usize) -> i64 {
        match self.nest.extent(level) {
            Some(Extent::Known(size)) => size,
            _ => DYNAMIC,
        }
    }

    /// The sizes of the indices of the sums that are not static.
    fn sizes(&self, b: &Builder<'c>) -> Option<Vec<Val<'c>>> {
        let dynamic = self.kept.iter().filter(|&&level| self.static_size(level) == DYNAMIC);
        dynamic.map(|&level| Some(self.nest.extent(level)?.value(b))).collect()
    }

    /// The operation, if it can be made in tiles.
    fn generic(&self, b: &Builder<'c>, start: Val<'c>) -> Result<Option<Val<'c>>> {
        let Self { nest, kept, term, .. } = self;
        let loops = nest.maps.len();
        // Loops are numbered like the maps.
        let parallel: Vec<bool> = (0..loops).map(|level| kept.contains(&level)).collect();
        let map = |levels: &[usize]| {
            let indices: Vec<_> = levels.iter().map(|&level| Index::Loop(level)).collect();
            map_attribute(b.context(), loops, &indices)
        };
        let levels = term.elements.iter().map(|element| &element.levels[..]);
        let maps: Option<Vec<_>> = levels.chain([&kept[..]]).map(map).collect();
        let arrays: Option<Vec<_>> =
            term.elements.iter().map(|element| self.operand(b, element)).collect();
        let Some((maps, arrays)) = maps.zip(arrays) else { return Ok(None) };
        let op = b.generic(&maps, &parallel, &arrays, &[start], |b, elements| {
            let Some((&sum, elements)) = elements.split_last() else { return Ok(vec![]) };
            let made = term.make(&b, elements);
            let index = |l: usize| {
                let dim = [("dim", b.i64_attr(l as i64))];
                b.val_with("linalg.index", &[], b.index_type(), &dim)
            };
            let borders = nest.borders().into_iter();
            let within =
                borders.map(|(inner, bound)| b.compare(CMP_ULE, index(inner), index(bound)));
            let within = within.reduce(|all, more| b.same("arith.andi", &[all, more]));
            let masked = match within {
                Some(within) => b.select(within, made, b.zero_scalar(made.r#type())),
                None => made,
            };
            Ok(vec![b.add(sum, masked)])
        })?;
        if Contraction::of(op).is_none() {
            op.erase();
            return Ok(None);
        }
        Ok(op.res(0))
    }

    /// An array, as far as the nest reads it.
    fn operand(&self, b: &Builder<'c>, element: &Element<'c>) -> Option<Val<'c>> {
        let is_whole =
            |(d, &level): (usize, &usize)| self.nest.runs_over(level, extent_of(element.array, d));
        if element.levels.iter().enumerate().all(is_whole) {
            return Some(element.array);
        }
        let sizes = element.levels.iter().map(|&level| Some(self.nest.extent(level)?.value(b)));
        leading_part(b, element.array, sizes.collect::<Option<_>>()?)
    }
}
