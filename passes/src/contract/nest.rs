//! A sum of products and the maps around it.

use std::iter::successors;

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt};
use melior::ir::operation::OperationLike;

use super::{access::Access, product::Product};
use crate::{
    ad::rules::operator::{Kind, is_each},
    simplify::zero::is_zero,
    support::{
        combinator::{array_result_count, input_count},
        extent::{Extent, extent_of},
        region::is_outside,
    },
};

/// A sum of products in a nest of maps.
pub struct Nest<'c> {
    /// The maps, outermost first; what they do besides is not looked at.
    pub maps: Vec<Op<'c>>,
    /// Their numbers.
    pub levels: Vec<usize>,
    /// How many of the maps the sum runs in; it is over the iterations of the others.
    pub kept: usize,
    /// The sum: an operation in the innermost of the first `kept` maps.
    pub total: Op<'c>,
    /// What the sum begins with.
    pub start: Val<'c>,
    /// The factors of each product.
    pub terms: Vec<[Val<'c>; 2]>,
}

impl<'c> Nest<'c> {
    /// The largest nest that makes a product of matrices of a sum. It begins behind what makes the
    /// factors, and ends with the last sum of sums: no sum is stored only to be added up.
    pub fn find(reduce: Op<'c>) -> Option<Self> {
        let products = reduce.opnd(0)?.defining_op()?;
        if !is_sum_of(reduce, products) {
            return None;
        }
        let mut maps: Vec<_> = successors(reduce.parent(), OpExt::parent)
            // The body of an accumulation runs once.
            .take_while(|op| ["soac.map", "soac.with_acc"].contains(&op.op_name()))
            .filter(|op| op.op_name() == "soac.map")
            .collect();
        maps.reverse();
        maps.push(products);
        let totals: Vec<_> = successors(Some(reduce), |inner| sum_around(*inner)).collect();
        let totals = totals.iter().enumerate().rev();
        totals.into_iter().find_map(|(more, &total)| {
            let kept = maps.len().checked_sub(more + 1)?;
            (0..kept).find_map(|first| {
                Self::new(maps.get(first..)?.to_vec(), kept - first, total)
                    .filter(|nest| nest.products().all(|product| product.is_of_matrices()))
            })
        })
    }

    fn new(maps: Vec<Op<'c>>, kept: usize, total: Op<'c>) -> Option<Self> {
        let start = total.opnd(1).filter(|&start| is_outside(maps[0], start))?;
        let body = maps.last()?.body(0)?;
        const TERMS: [&str; 3] = ["tensor.extract", "arith.mulf", "arith.addf"];
        if !body.body_ops().iter().all(|op| TERMS.contains(&op.op_name())) {
            return None;
        }
        let (mut terms, mut open) = (vec![], vec![body.term()?.opnd(0)?]);
        while let Some(term) = open.pop() {
            let op = term.defining_op()?;
            let (x, y) = (op.opnd(0)?, op.opnd(1)?);
            match op.op_name() {
                "arith.addf" => open.extend([y, x]),
                "arith.mulf" => terms.push([x, y]),
                _ => return None,
            }
        }
        let levels = (0..maps.len()).collect();
        Some(Self { maps, levels, kept, total, start, terms })
    }

    /// The terms of the sum.
    fn products(&self) -> impl Iterator<Item = Product<'_, 'c>> {
        let (maps, kept) = (&self.maps[..], &self.levels[..self.kept]);
        self.terms.iter().map(move |&factors| Product { top: maps[0], maps, kept, factors })
    }

    /// What is computed inside of the nest and has to be stored first.
    pub fn computed(&self) -> Option<Val<'c>> {
        self.products().find_map(|product| product.computed().first().copied())
    }

    /// The inputs of a map.
    pub fn inputs(&self, level: usize) -> Vec<Val<'c>> {
        let map = self.maps[level];
        map.operand_list().into_iter().take(input_count(map)).collect()
    }

    /// How many iterations a map has, preferably as the size of a factor: so other nests around the
    /// same sum say it, too.
    pub fn width(&self, level: usize) -> Extent<'c> {
        let sizes: Vec<_> = self.sizes_of_factors(level).collect();
        let inputs = self.inputs(level).into_iter();
        inputs
            .map(|input| extent_of(input, 0))
            .min_by_key(|extent| match extent {
                Extent::Known(_) => 0,
                _ if sizes.contains(extent) => 1,
                Extent::Value(value) => 2 + 2 * u8::from(!is_outside(self.maps[0], *value)),
                Extent::Dim(array, _) => 3 + 2 * u8::from(!is_outside(self.maps[0], *array)),
            })
            .unwrap_or(Extent::Known(0))
    }

    /// The sizes of the factors along the dimensions that a map runs over.
    fn sizes_of_factors(&self, level: usize) -> impl Iterator<Item = Extent<'c>> {
        self.terms.iter().flatten().filter_map(move |&factor| {
            let Access { array, levels } = Access::of(&self.maps, factor);
            levels.iter().position(|own| *own == level).map(|d| extent_of(array, d))
        })
    }

    /// How many iterations a map has, if that is known before the program runs.
    pub fn static_width(&self, level: usize) -> Option<i64> {
        match self.width(level) {
            Extent::Known(size) => Some(size),
            _ => None,
        }
    }
}

/// The sum of what the map around a sum yields, if that is nothing but the sum.
fn sum_around(inner: Op<'_>) -> Option<Op<'_>> {
    let map = inner.parent()?;
    let yielded = map.body(0)?.term()?.opnd(0)?;
    match map.res(0)?.users()[..] {
        [outer]
            if is_sum_of(outer, map)
                && outer.block() == map.block()
                && is_result(inner, yielded)
                && inner.opnd(1).is_some_and(is_zero) =>
        {
            Some(outer)
        }
        _ => None,
    }
}

fn is_result(op: Op<'_>, value: Val<'_>) -> bool {
    op.res(0).is_some_and(|result| result.key() == value.key())
}

/// Whether an operation adds up the elements of another's only result, and nothing else reads them.
fn is_sum_of(reduce: Op<'_>, map: Op<'_>) -> bool {
    map.op_name() == "soac.map"
        && map.result_count() == 1
        && array_result_count(map) == 1
        && map.res(0).is_some_and(|result| result.users().len() == 1)
        && reduce.op_name() == "soac.reduce"
        && input_count(reduce) == 1
        && reduce.opnd(0).is_some_and(|input| is_result(map, input))
        && is_each(reduce, Kind::Add)
}
