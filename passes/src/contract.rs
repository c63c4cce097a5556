//! `ad-contract`: nests of maps around a sum of products become contractions.
//!
//! ```text
//! map (\i -> map (\j -> reduce (+) 0 (map (\k -> a[i,k] * b[k,j]) ks)) js) is
//!   =>  linalg.generic: c[i,j] += a[i,k] * b[k,j]
//! ```
//! for any order of indices, and with more maps around, over indices that both factors have. It is
//! done where each factor lacks an index that the other one has: the product of two matrices, whose
//! elements are read many times. What is left can then be computed in tiles, or by a library.
//! The adjoint of a matrix product that [FUT 6.1] arrives at is two such nests.

use std::{collections::HashSet, iter::successors};

use ad_dialect::{
    ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, tensor_type},
    linalg::{Expr, map_attribute},
};
use melior::{
    Context,
    ir::{BlockLike, ValueLike, operation::OperationLike},
};

use crate::{
    ad::rules::operator::{Kind, is_each},
    support::{
        builder::Builder,
        combinator::{array_result_count, constant_index, input_count},
        diag::Result,
        extent::{Extent, extent_of, is_width},
        region::is_outside,
    },
};

/// Runs the pass; returns how many nests became contractions.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut maps = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "soac.map" {
            maps.push(op);
        }
    });
    // A nest comes before what is inside of it, which goes with it.
    let mut replaced = vec![];
    let mut gone = HashSet::new();
    for map in maps {
        if successors(Some(map), OpExt::parent).any(|around| gone.contains(&around.key())) {
            continue;
        }
        let Some(nest) = Nest::find(map) else { continue };
        let (Some(block), Some(result)) = (map.block(), map.res(0)) else { continue };
        let b = Builder::before(context, map, block).deriving(map);
        if let Some(array) = nest.contraction(&b)? {
            result.replace_all_uses(array);
            gone.insert(map.key());
            replaced.push(map);
        }
    }
    replaced.iter().for_each(|map| map.erase());
    Ok(replaced.len() as u64)
}

/// Maps, each of which does nothing but the next; the last one makes what is summed up.
struct Nest<'c> {
    maps: Vec<Op<'c>>,
    /// What the sum begins with.
    start: Val<'c>,
    factors: [Access<'c>; 2],
}

/// An array from outside of a nest, and for each of its dimensions the map whose iteration it is
/// indexed by.
struct Access<'c> {
    array: Val<'c>,
    levels: Vec<usize>,
}

impl<'c> Nest<'c> {
    fn find(outer: Op<'c>) -> Option<Self> {
        let mut maps = vec![];
        let mut map = outer;
        let reduce = loop {
            if array_result_count(map) != 1 || map.result_count() != 1 {
                return None;
            }
            maps.push(map);
            let body = map.body(0)?;
            let yielded = body.term()?.opnd(0)?;
            match body.body_ops()[..] {
                [inner] if inner.op_name() == "soac.map" && is_result(inner, yielded) => {
                    map = inner
                }
                [products, reduce] if is_sum_of(reduce, products) && is_result(reduce, yielded) => {
                    maps.push(products);
                    break reduce;
                }
                _ => return None,
            }
        };
        let start = reduce.opnd(1).filter(|&start| is_outside(outer, start))?;
        let products = maps.last()?.body(0)?;
        let product = products.term()?.opnd(0)?.defining_op()?;
        let is_read = |op: &Op<'c>| op.op_name() == "tensor.extract" || op.key() == product.key();
        if product.op_name() != "arith.mulf" || !products.body_ops().iter().all(is_read) {
            return None;
        }
        let factors = [access(&maps, product.opnd(0)?)?, access(&maps, product.opnd(1)?)?];
        let nest = Self { maps, start, factors };
        nest.is_contraction().then_some(nest)
    }

    /// Whether every index is of a factor, that of the sum of both, and each factor has one of its
    /// own; and whether it is worth more than the loops that it takes.
    fn is_contraction(&self) -> bool {
        let sum = self.maps.len() - 1;
        let has = |factor: usize, level| self.factors[factor].levels.contains(&level);
        let own = |factor: usize| (0..sum).any(|l| has(factor, l) && !has(1 - factor, l));
        let is_plain = |factor: &Access<'c>| {
            (0..=sum).all(|l| factor.levels.iter().filter(|&&level| level == l).count() < 2)
        };
        let sizes: Option<Vec<i64>> = (0..=sum)
            .map(|level| match self.width(level) {
                Extent::Known(size) => Some(size),
                _ => None,
            })
            .collect();
        const SMALL: i64 = 4096;
        self.factors.iter().all(is_plain)
            && has(0, sum)
            && has(1, sum)
            && (0..sum).all(|l| has(0, l) || has(1, l))
            && own(0)
            && own(1)
            && sizes.is_none_or(|sizes| sizes.iter().product::<i64>() > SMALL)
    }

    fn inputs(&self, level: usize) -> Vec<Val<'c>> {
        let map = self.maps[level];
        map.operand_list().into_iter().take(input_count(map)).collect()
    }

    /// How many iterations a map has.
    fn width(&self, level: usize) -> Extent<'c> {
        let inputs = self.inputs(level).into_iter();
        inputs
            .map(|input| extent_of(input, 0))
            .min_by_key(|extent| match extent {
                Extent::Known(_) => 0,
                Extent::Value(value) => 1 + 3 * u8::from(!is_outside(self.maps[0], *value)),
                Extent::Dim(array, _) => 2 + 3 * u8::from(!is_outside(self.maps[0], *array)),
            })
            .unwrap_or(Extent::Known(0))
    }

    /// The operation; none if a size is not known in front of the nest.
    fn contraction(&self, b: &Builder<'c>) -> Result<Option<Val<'c>>> {
        let outer = self.maps[0];
        let Some(result) = outer.res(0) else { return Ok(None) };
        let sum = self.maps.len() - 1;
        let size = |level: usize| match self.width(level) {
            Extent::Known(size) => Some(b.index(size)),
            Extent::Value(value) => is_outside(outer, value).then_some(value),
            Extent::Dim(array, d) => is_outside(outer, array).then(|| b.dim(array, d)),
        };
        let mut inputs = vec![];
        for factor in &self.factors {
            let is_whole = |(d, &level): (usize, &usize)| {
                is_width(&self.inputs(level), extent_of(factor.array, d))
            };
            if factor.levels.iter().enumerate().all(is_whole) {
                inputs.push(factor.array);
                continue;
            }
            // A part of the array: what is behind its end is not read, so there is none.
            let Some(sizes) = factor.levels.iter().map(|&level| size(level)).collect() else {
                return Ok(None);
            };
            let Some(part) = leading_part(b, factor.array, sizes) else { return Ok(None) };
            inputs.push(part);
        }
        let shape = result.r#type().shape();
        let dynamic = (0..sum).filter(|&d| shape.get(d) == Some(&DYNAMIC));
        let Some(sizes) = dynamic.map(size).collect::<Option<Vec<_>>>() else { return Ok(None) };
        let start = b.fill(self.start, b.empty(result.r#type(), &sizes));
        let rows: Vec<usize> = (0..sum).collect();
        let maps = [&self.factors[0].levels, &self.factors[1].levels, &rows];
        let attribute = |levels: &Vec<usize>| {
            let indices: Vec<_> = levels.iter().map(|&level| Expr::Loop(level)).collect();
            map_attribute(b.context(), sum + 1, &indices)
        };
        let Some(maps) = maps.into_iter().map(attribute).collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        let parallel: Vec<bool> = (0..=sum).map(|level| level < sum).collect();
        let op = b.generic(&maps, &parallel, &inputs, &[start], |b, x| {
            Ok(vec![b.add(x[2], b.mul(x[0], x[1]))])
        })?;
        Ok(op.res(0))
    }
}

/// The first so many elements along every dimension; none if it is known that there are fewer.
fn leading_part<'c>(b: &Builder<'c>, array: Val<'c>, sizes: Vec<Val<'c>>) -> Option<Val<'c>> {
    let full = array.r#type();
    let known: Vec<i64> =
        sizes.iter().map(|&size| constant_index(size).unwrap_or(DYNAMIC)).collect();
    let is_too_much = |(&have, &want): (&i64, &i64)| have != DYNAMIC && want > have;
    if full.shape().iter().zip(&known).any(is_too_much) {
        return None;
    }
    let rank = known.len();
    let dynamic: Vec<_> =
        sizes.into_iter().zip(&known).filter(|(_, n)| **n == DYNAMIC).map(|(v, _)| v).collect();
    let segments = [1, 0, dynamic.len() as i32, 0];
    let part = tensor_type(&known, full.scalar());
    let statics = [vec![0; rank], known, vec![1; rank]];
    let operands = [&[array], &dynamic[..]].concat();
    Some(b.slice_op("tensor.extract_slice", &operands, part, &statics, &segments))
}

fn is_result(op: Op<'_>, value: Val<'_>) -> bool {
    op.res(0).is_some_and(|result| result.key() == value.key())
}

/// Whether an operation adds up the elements of another's only result.
fn is_sum_of(reduce: Op<'_>, products: Op<'_>) -> bool {
    products.op_name() == "soac.map"
        && reduce.op_name() == "soac.reduce"
        && input_count(reduce) == 1
        && reduce.opnd(0).is_some_and(|input| is_result(products, input))
        && is_each(reduce, Kind::Add)
}

/// Which element of which array from outside of a nest a value in it is.
fn access<'c>(maps: &[Op<'c>], value: Val<'c>) -> Option<Access<'c>> {
    if is_outside(maps[0], value) {
        return Some(Access { array: value, levels: vec![] });
    }
    if let Some(read) = value.defining_op() {
        let operands = read.operand_list();
        let (&array, indices) =
            operands.split_first().filter(|_| read.op_name() == "tensor.extract")?;
        let mut access = access(maps, array)?;
        for &index in indices {
            access.levels.push(iteration(maps, index)?);
        }
        return Some(access);
    }
    let (level, input) = argument(maps, value)?;
    let mut access = access(maps, input)?;
    access.levels.push(level);
    Some(access)
}

/// Which map an index counts the iterations of.
fn iteration(maps: &[Op<'_>], index: Val<'_>) -> Option<usize> {
    let (level, input) = argument(maps, index)?;
    input.defining_op().filter(|op| op.op_name() == "soac.iota")?;
    Some(level)
}

/// The map that a value is an argument of, and the input whose elements it is.
fn argument<'c>(maps: &[Op<'c>], value: Val<'c>) -> Option<(usize, Val<'c>)> {
    let owner = value.owner_block()?.parent_operation()?;
    let level = maps.iter().position(|map| map.key() == owner.key())?;
    Some((level, owner.opnd(value.position())?))
}
