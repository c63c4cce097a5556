//! Places in buffers, as sums of symbols, and which of them may be the same memory.
//!
//! A place is seen through all views, in the buffer that has the memory. Two places in one buffer are
//! apart if along some dimension the difference of their indices cannot be zero: a sum of sizes,
//! which are not negative, plus at least one.

use std::collections::{HashMap, HashSet};

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt, ValueKey};
use melior::ir::BlockLike;

use super::{
    combinator::constant_index,
    extent::Extent,
    memory,
    roots::{Root, roots},
    slice::{Dimension, shown},
};

/// What a sum is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// A value.
    Value(ValueKey),
    /// The size of a dimension of a buffer: not negative.
    Dim(ValueKey, usize),
    /// The number of an iteration of the loop in question, which counts from 0 on.
    Number,
}

/// A sum of multiples of symbols, none of them zero, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    terms: HashMap<Symbol, i64>,
    constant: i64,
}

/// A place in a buffer that is no view.
#[derive(Clone)]
pub struct Place<'c> {
    /// The buffer.
    pub base: Val<'c>,
    /// The indices; none for a dimension along which it may be anywhere.
    pub at: Vec<Option<Sum>>,
}

impl Sum {
    /// A constant.
    pub fn constant(constant: i64) -> Self {
        Self { terms: HashMap::new(), constant }
    }

    /// A symbol.
    pub fn symbol(symbol: Symbol) -> Self {
        Self { terms: HashMap::from([(symbol, 1)]), constant: 0 }
    }

    /// An index.
    pub fn of(value: Val<'_>) -> Self {
        Search::default().index(value)
    }

    /// An index that is computed of others by sums and multiples; `other` says what each of these is, and whatever is not known
    /// to be one.
    pub fn of_parts<'c>(value: Val<'c>, other: &mut dyn FnMut(Val<'c>) -> Self) -> Self {
        if let Some(constant) = constant_index(value) {
            return Self::constant(constant);
        }
        let op = value.defining_op();
        let Some((op, a, b)) = op.and_then(|op| Some((op, op.opnd(0)?, op.opnd(1)?))) else {
            return other(value);
        };
        match op.op_name() {
            "arith.addi" => Self::of_parts(a, other).plus(&Self::of_parts(b, other), 1),
            "arith.subi" => Self::of_parts(a, other).plus(&Self::of_parts(b, other), -1),
            "arith.muli" => match (constant_index(a), constant_index(b)) {
                (_, Some(n)) => Self::default().plus(&Self::of_parts(a, other), n),
                (Some(n), _) => Self::default().plus(&Self::of_parts(b, other), n),
                _ => other(value),
            },
            _ => other(value),
        }
    }

    /// The size of a dimension of a buffer.
    pub fn of_size(array: Val<'_>, d: usize) -> Self {
        Search::default().size(array, d)
    }

    /// A size, wherever it comes from.
    pub fn of_extent(extent: Extent<'_>) -> Self {
        match extent {
            Extent::Known(number) => Self::constant(number),
            Extent::Value(value) => Self::of(value),
            Extent::Dim(array, d) => Self::of_size(array, d),
        }
    }

    /// The sum with something else for a symbol.
    pub fn with(mut self, symbol: Symbol, other: &Self) -> Self {
        let n = self.terms.remove(&symbol).unwrap_or(0);
        self.plus(other, n)
    }

    /// The values that it is made of.
    pub fn values(&self) -> impl Iterator<Item = ValueKey> {
        self.terms.keys().filter_map(|symbol| match symbol {
            Symbol::Value(key) | Symbol::Dim(key, _) => Some(*key),
            Symbol::Number => None,
        })
    }

    /// The sum with a multiple of another one.
    pub fn plus(mut self, other: &Self, factor: i64) -> Self {
        self.constant += factor * other.constant;
        for (&symbol, &n) in &other.terms {
            *self.terms.entry(symbol).or_default() += factor * n;
        }
        self.terms.retain(|_, n| *n != 0);
        self
    }

    /// The constant, if it is one.
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// How often it has a value.
    pub fn times(&self, value: ValueKey) -> i64 {
        self.count(Symbol::Value(value))
    }

    /// How often it has a symbol.
    fn count(&self, symbol: Symbol) -> i64 {
        self.terms.get(&symbol).copied().unwrap_or(0)
    }

    /// Whether an index is behind another one, whatever iterations of a loop they are evaluated in; `sizes` all are how many
    /// iterations it has.
    pub fn is_behind(&self, other: &Self, sizes: &[Self]) -> bool {
        let counts = (self.count(Symbol::Number), other.count(Symbol::Number));
        let nothing = Self::default();
        // Of the first iteration in the former and of the last one in the latter.
        let [own, other] = [self, other].map(|at| at.clone().with(Symbol::Number, &nothing));
        let distance = own.plus(&other, -1);
        let has_all = |size| distance.clone().plus(size, -1).plus(&Self::constant(1), 1);
        match counts {
            (0 | 1, 0) => distance.is_positive(),
            (0 | 1, 1) => sizes.iter().any(|size| has_all(size).is_positive()),
            _ => false,
        }
    }

    /// Whether it is plainly at least one.
    fn is_positive(&self) -> bool {
        self.is_at_least(1, |_| false)
    }

    /// Whether it is plainly no smaller than a constant, if some values are not negative.
    pub fn is_at_least(&self, least: i64, is_size: impl Fn(ValueKey) -> bool) -> bool {
        let is_added = |(symbol, &n): (&Symbol, &i64)| {
            let is_size = match symbol {
                Symbol::Value(key) => is_size(*key),
                Symbol::Dim(..) => true,
                Symbol::Number => false,
            };
            is_size && n > 0
        };
        self.constant >= least && self.terms.iter().all(is_added)
    }
}

#[derive(Default)]
struct Search {
    /// Sizes of carried buffers that are being looked for.
    pending: Vec<(ValueKey, usize)>,
}

impl Search {
    fn index(&mut self, value: Val<'_>) -> Sum {
        Sum::of_parts(value, &mut |other| {
            let dim = other.defining_op().filter(|op| op.op_name() == "memref.dim");
            let size = dim.and_then(|op| {
                Some(self.size(op.opnd(0)?, op.opnd(1).and_then(constant_index)? as usize))
            });
            size.unwrap_or_else(|| Sum::symbol(Symbol::Value(other.key())))
        })
    }

    fn size(&mut self, array: Val<'_>, d: usize) -> Sum {
        let unknown = Sum::symbol(Symbol::Dim(array.key(), d));
        if let Some(size) = memory::static_size(array, d) {
            return Sum::constant(size);
        }
        let Some(op) = array.defining_op() else {
            let around = array.owner_block().and_then(|block| block.parent_operation());
            let around = around.filter(|op| op.op_name() == "scf.for" && array.position() > 0);
            let size = around.and_then(|op| self.carried(op, array.position() - 1, d));
            return size.unwrap_or(unknown);
        };
        let size = match op.op_name() {
            "memref.alloc" | "memref.alloca" => {
                let dynamic = |d: &usize| memory::static_size(array, *d).is_none();
                op.opnd((0..d).filter(dynamic).count()).map(|size| self.index(size))
            }
            "memref.cast" => op.opnd(0).map(|source| self.size(source, d)),
            "memref.subview" => shown(op).and_then(|dimensions| {
                match dimensions.into_iter().filter(|d| d.is_kept).nth(d)?.size {
                    Extent::Value(size) => Some(self.index(size)),
                    size => Some(Sum::of_extent(size)),
                }
            }),
            "scf.for" => self.carried(op, array.position(), d),
            _ => None,
        };
        size.unwrap_or(unknown)
    }

    /// The size of a carried buffer, if it keeps it.
    fn carried(&mut self, op: Op<'_>, position: usize, d: usize) -> Option<Sum> {
        let body = op.body(0)?;
        let own = body.arg_list().get(1 + position)?.key();
        if self.pending.contains(&(own, d)) {
            return None;
        }
        let first = self.size(op.opnd(3 + position)?, d);
        self.pending.push((own, d));
        let next = self.size(body.term()?.opnd(position)?, d);
        self.pending.pop();
        let is_kept = next == first || next == Sum::symbol(Symbol::Dim(own, d));
        is_kept.then_some(first)
    }
}

impl<'c> Place<'c> {
    /// A place, given by its indices.
    pub fn new(array: Val<'c>, at: Vec<Sum>) -> Self {
        Self::along(array, at.into_iter().map(Some).collect())
    }

    /// Any place of a buffer, or of a part of it.
    pub fn anywhere(array: Val<'c>) -> Self {
        Self::along(array, vec![None; memory::rank(array)])
    }

    /// A place, given by the indices that are known.
    pub fn along(array: Val<'c>, at: Vec<Option<Sum>>) -> Self {
        let view = array.defining_op().filter(|op| memory::is_view(op.op_name()));
        let Some((view, source)) = view.and_then(|op| Some((op, op.opnd(0)?))) else {
            return Self { base: array, at };
        };
        match view.op_name() {
            "memref.cast" => Self::along(source, at),
            _ => match in_source(view, at) {
                Some(at) => Self::along(source, at),
                None => Self::anywhere(source),
            },
        }
    }

    /// Whether two places are the same one, wherever they are evaluated together.
    pub fn is(&self, other: &Self) -> bool {
        let is_known = self.at.iter().all(Option::is_some);
        self.base.key() == other.base.key() && is_known && self.at == other.at
    }

    /// Whether two places are never the same one where they are evaluated together.
    pub fn is_apart(&self, other: &Self) -> bool {
        if self.base.key() != other.base.key() {
            return are_distinct(self.base, other.base);
        }
        let is_positive = |a: &Sum, b: &Sum| a.clone().plus(b, -1).is_positive();
        self.indices(other).any(|(a, b)| is_positive(a, b) || is_positive(b, a))
    }

    /// Whether two places are never the same one, whatever iterations of a loop they are evaluated in;
    /// `sizes` all are how many iterations it has.
    pub fn is_apart_in(&self, other: &Self, sizes: &[Sum]) -> bool {
        if self.base.key() != other.base.key() {
            return are_distinct(self.base, other.base);
        }
        self.indices(other).any(|(a, b)| a.is_behind(b, sizes) || b.is_behind(a, sizes))
    }

    /// Whether two places are among those that each iteration has for itself, and that of the same iteration.
    pub fn is_own(&self, other: &Self) -> bool {
        let is_numbered = |(a, b): (&Sum, &Sum)| a == b && a.count(Symbol::Number) == 1;
        self.base.key() == other.base.key() && self.indices(other).any(is_numbered)
    }

    /// The indices along the dimensions along which those of two places in a buffer are known.
    fn indices<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (&'a Sum, &'a Sum)> {
        self.at.iter().zip(&other.at).filter_map(|(a, b)| Some((a.as_ref()?, b.as_ref()?)))
    }

    /// The place in any iteration of a loop, which counts from 0 on, given the values inside.
    pub fn in_loop(mut self, inside: &HashSet<ValueKey>, number: Val<'c>) -> Self {
        let number = Symbol::Value(number.key());
        for at in self.at.iter_mut().flatten() {
            *at = std::mem::take(at).with(number, &Sum::symbol(Symbol::Number));
        }
        self.outside(inside)
    }

    /// The place as it is known outside of an operation, given the values inside: indices that depend on them are not.
    pub fn outside(mut self, inside: &HashSet<ValueKey>) -> Self {
        for at in &mut self.at {
            *at = at.take().filter(|at| !at.values().any(|key| inside.contains(&key)));
        }
        self
    }
}

/// Whether two buffers that are no views of each other have no memory in common.
fn are_distinct(a: Val<'_>, b: Val<'_>) -> bool {
    let (a, b) = (roots(a), roots(b));
    let is_any = |root: &Root| *root == Root::Unknown;
    !a.iter().chain(&b).any(is_any) && a.is_disjoint(&b)
}

/// Where a place of a slice is in what it is a slice of.
fn in_source(subview: Op<'_>, at: Vec<Option<Sum>>) -> Option<Vec<Option<Sum>>> {
    let mut given = at.into_iter();
    let place = |dimension: Dimension| {
        let offset = Sum::of_extent(dimension.offset);
        match dimension.is_kept {
            true => Some(given.next()?.map(|at| offset.plus(&at, dimension.stride))),
            false => Some(Some(offset)),
        }
    };
    shown(subview)?.into_iter().map(place).collect()
}
