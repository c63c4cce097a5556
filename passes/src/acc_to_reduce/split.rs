//! Builds a nest of its own for one update, as planned in `place`.

use ad_dialect::ir::{DYNAMIC, Op, OpExt, TyExt, Val, ValExt, ValueKey, array_of};
use melior::ir::{Type, ValueLike};

use super::{
    place::{Item, Nest, What},
    target::sum_into,
};
use crate::support::combinator::is_iota;
use crate::support::{
    builder::Builder,
    diag::Result,
    extent::{Extent, extent_of},
    region::{ValueMap, clone_op, renamed},
};

/// Builds the nest of one update behind its `soac.with_acc`. What is summed up is going to be added to the array `total`, which
/// is none where the nest keeps all.
pub fn split<'c>(b: &Builder<'c>, nest: &Nest<'c>, total: Option<Val<'c>>) -> Result<Val<'c>> {
    let mut types = vec![nest.value.r#type()];
    for (place, &level) in nest.order.iter().enumerate().rev() {
        let inner = types.last().copied().unwrap_or(nest.value.r#type());
        let is_kept = place < nest.kept;
        types.push(if is_kept { array_of(static_width(nest, level), inner) } else { inner });
    }
    types.reverse();
    let mut split = Split { nest, total, types, map: ValueMap::new(), numbers: ValueMap::new() };
    split.items(b, 0, 0);
    split.level(*b, 0)
}

impl<'c> Nest<'c> {
    /// Whether the sizes of what the nest makes are known in front of an operation.
    pub fn has_sizes(&self, top: Op<'c>) -> bool {
        self.extents().iter().all(|extent| extent.is_outside(top))
    }

    /// The type of what the nest makes, and its sizes that are not static, where they are known.
    pub fn sizes(&self, b: &Builder<'c>) -> (Type<'c>, Vec<Val<'c>>) {
        let extents = self.extents();
        let size = |extent: &Extent<'c>| match extent {
            Extent::Known(size) => *size,
            _ => DYNAMIC,
        };
        let kept = extents.len() - self.value.r#type().shape().len();
        let own = self.value.r#type();
        let full =
            extents[..kept].iter().rev().fold(own, |row, extent| array_of(size(extent), row));
        let dynamic = extents.iter().zip(full.shape()).filter(|(_, size)| *size == DYNAMIC);
        (full, dynamic.map(|(extent, _)| extent.value(b)).collect())
    }

    /// The sizes of what the nest makes.
    fn extents(&self) -> Vec<Extent<'c>> {
        let kept = self.order.iter().take(self.kept).filter_map(|&level| self.widths.get(level));
        let rank = self.value.r#type().shape().len();
        kept.copied().chain((0..rank).map(|d| extent_of(self.value, d))).collect()
    }
}

fn static_width(nest: &Nest<'_>, level: usize) -> i64 {
    match nest.widths.get(level) {
        Some(Extent::Known(size)) => *size,
        _ => DYNAMIC,
    }
}

/// The nest as far as it is built.
struct Split<'a, 'c> {
    nest: &'a Nest<'c>,
    /// What its sums are added to, if it has any.
    total: Option<Val<'c>>,
    /// What the nest computes from each place on.
    types: Vec<Type<'c>>,
    /// The new names of values.
    map: ValueMap<'c>,
    /// The iteration numbers of the open levels.
    numbers: ValueMap<'c>,
}

impl<'c> Split<'_, 'c> {
    fn renamed(&self, value: Val<'c>) -> Val<'c> {
        renamed(&self.map, value)
    }

    /// The maps from a place on, and the sums of what they yield.
    fn level(&mut self, b: Builder<'c>, place: usize) -> Result<Val<'c>> {
        let Some(&level) = self.nest.order.get(place) else { return self.innermost(&b, 0) };
        let (inputs, arguments) = self.inputs(level);
        let mut all: Vec<_> = inputs.iter().map(|&input| self.renamed(input)).collect();
        let is_direct = self.nest.direct.get(level) == Some(&true);
        let numbered = self.is_numbered(level) || all.is_empty();
        let size = static_width(self.nest, level);
        if numbered {
            let width = self.nest.widths.get(level).copied().unwrap_or(Extent::Known(0));
            all.push(b.iota(width.value_of(&b, |value| self.renamed(value)), size));
        }
        let inner = self.types.get(place + 1).copied().unwrap_or(b.index_type());
        let made = b.map(&all, &[], &[array_of(size, inner)], |b, rows| {
            if is_direct {
                for (argument, row) in arguments.iter().zip(rows) {
                    self.map.insert(argument.key(), *row);
                }
            }
            if let Some(&number) = rows.last().filter(|_| numbered) {
                self.numbers.insert(level as ValueKey, number);
            }
            self.items(&b, place + 1, 0);
            Ok(vec![self.level(b, place + 1)?])
        })?;
        let made = made.first().copied().unwrap_or(self.nest.value);
        match self.total.filter(|_| place >= self.nest.kept) {
            Some(total) => sum_into(&b, made, total, self.nest.value.r#type().shape().len()),
            None => Ok(made),
        }
    }

    /// The old inputs that the map of a level reads, and their arguments.
    fn inputs(&self, level: usize) -> (Vec<Val<'c>>, Vec<Val<'c>>) {
        if self.nest.direct.get(level) != Some(&true) {
            return (vec![], vec![]);
        }
        let rows = self.nest.items.iter().filter_map(|item| match item.what {
            What::Row { level: own, input, argument } if own == level && !is_iota(input) => {
                Some((input, argument))
            }
            _ => None,
        });
        rows.unzip()
    }

    /// Whether the body needs the iteration number of a level.
    fn is_numbered(&self, level: usize) -> bool {
        let is_direct = self.nest.direct.get(level) == Some(&true);
        self.nest.items.iter().any(|item| match item.what {
            What::Row { level: own, input, .. } => own == level && (!is_direct || is_iota(input)),
            What::Op(_) => false,
        })
    }

    /// Everything that runs at a place and in as many branches.
    fn items(&mut self, b: &Builder<'c>, place: usize, guard: usize) {
        let innermost = self.nest.order.len();
        let here =
            |item: &&Item<'c>| item.place == place && (place < innermost || item.guard == guard);
        for item in self.nest.items.iter().filter(here) {
            match item.what {
                What::Op(op) => {
                    clone_op(b, op, &mut self.map);
                }
                What::Row { level, input, argument } => self.row(b, level, input, argument),
            }
        }
    }

    fn row(&mut self, b: &Builder<'c>, level: usize, input: Val<'c>, argument: Val<'c>) {
        if self.map.contains_key(&argument.key()) {
            return;
        }
        let Some(&number) = self.numbers.get(&(level as ValueKey)) else { return };
        let row = if is_iota(input) {
            b.index_as(number, argument.r#type())
        } else {
            b.row(self.renamed(input), number)
        };
        self.map.insert(argument.key(), row);
    }

    /// The contribution of one iteration, or zero where a branch says so.
    fn innermost(&mut self, b: &Builder<'c>, guard: usize) -> Result<Val<'c>> {
        let Some(&(branch, number)) = self.nest.guards.get(guard) else {
            return Ok(self.renamed(self.nest.value));
        };
        let Some(condition) = branch.opnd(0) else { return Ok(self.nest.value) };
        let (condition, full) = (self.renamed(condition), self.nest.value.r#type());
        let (innermost, mut made) = (self.nest.order.len(), self.nest.value);
        let chosen = b.if_else(condition, &[full], |b, yes| {
            if yes != (number == 0) {
                return Ok(vec![b.zeros(full, &[])]);
            }
            self.items(&b, innermost, guard + 1);
            made = self.innermost(&b, guard + 1)?;
            Ok(vec![made])
        })?;
        Ok(chosen.res(0).unwrap_or(made))
    }
}
