//! A sum of products and the maps around it.

use std::iter::successors;

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::ValueLike;

use super::{
    access::Access,
    product::{Product, terms},
};
use crate::{
    ad::rules::operator::{Kind, Operator},
    support::{
        builder::same_value,
        combinator::{array_result_count, input_count},
        extent::{Extent, extent_of},
        region::is_outside,
        zero::is_zero,
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
    /// The sum: in the innermost of the first `kept` maps.
    pub total: Sum<'c>,
    /// What the sum begins with.
    pub start: Val<'c>,
    /// The factors of each product.
    pub terms: Vec<[Val<'c>; 2]>,
}

impl<'c> Nest<'c> {
    /// The largest nest that makes a product of matrices of a sum. It begins behind what makes the
    /// factors, and ends with the last sum of sums: no sum is stored only to be added up.
    pub fn find(sum: Sum<'c>) -> Option<Self> {
        let (products, yielded) = sum.summand()?;
        let terms = terms(yielded)?;
        let mut maps: Vec<_> = successors(sum.reduce.parent(), OpExt::parent)
            // The body of an accumulation runs once.
            .take_while(|op| ["soac.map", "soac.with_acc"].contains(&op.op_name()))
            .filter(|op| op.op_name() == "soac.map")
            .collect();
        maps.reverse();
        maps.push(products);
        let totals: Vec<_> = successors(Some(sum), Sum::around).collect();
        let totals = totals.iter().enumerate().rev();
        totals.into_iter().find_map(|(more, &total)| {
            let kept = maps.len().checked_sub(more + 1)?;
            (0..kept).find_map(|first| {
                let maps = maps.get(first..)?.to_vec();
                let start = total.start().filter(|&start| is_outside(maps[0], start))?;
                let (levels, terms) = ((0..maps.len()).collect(), terms.clone());
                let nest = Self { maps, levels, kept: kept - first, total, start, terms };
                let is_product = nest.products().all(|product| product.is_of_matrices());
                is_product.then_some(nest)
            })
        })
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

/// A component of a reduction that adds up what a map makes.
#[derive(Clone, Copy)]
pub struct Sum<'c> {
    /// The reduction.
    pub reduce: Op<'c>,
    /// Which of its results it is.
    pub component: usize,
}

impl<'c> Sum<'c> {
    /// The sums of floats among the results of an operation.
    pub fn all(op: Op<'c>) -> Vec<Self> {
        let Some(body) = op.body(0).filter(|_| op.op_name() == "soac.reduce") else {
            return vec![];
        };
        let operators = Operator::components(body).into_iter().enumerate();
        let sums =
            operators.filter(|(_, operator)| operator.is_some_and(|it| it.kind == Kind::Add));
        let is_used = |sum: &Self| {
            sum.result().is_some_and(|it| it.r#type().is_float_type() && !it.users().is_empty())
        };
        sums.map(|(component, _)| Self { reduce: op, component }).filter(is_used).collect()
    }

    /// The value of the sum.
    pub fn result(&self) -> Option<Val<'c>> {
        self.reduce.res(self.component)
    }

    /// What the sum begins with.
    pub fn start(&self) -> Option<Val<'c>> {
        self.reduce.opnd(input_count(self.reduce) + self.component)
    }

    /// The map that makes what is added up, and the value in its body; nothing else reads it.
    pub fn summand(&self) -> Option<(Op<'c>, Val<'c>)> {
        let input = self.reduce.opnd(self.component).filter(|input| input.users().len() == 1)?;
        let map = input.defining_op().filter(|op| op.op_name() == "soac.map")?;
        (input.position() < array_result_count(map))
            .then_some((map, map.body(0)?.term()?.opnd(input.position())?))
    }

    /// The sum of this sum over the map around it, which does nothing else with it.
    fn around(&self) -> Option<Self> {
        let own = self.result().filter(|_| self.start().is_some_and(is_zero))?;
        let [end] = own.users()[..] else { return None };
        let position = end.operand_list().iter().position(|value| same_value(*value, own))?;
        let readers = end.parent()?.res(position)?.users();
        readers
            .into_iter()
            .flat_map(Self::all)
            .find(|sum| sum.summand().is_some_and(|(_, summand)| same_value(summand, own)))
    }
}
