//! `ad-contract`: sums of products in nests of maps become contractions.
//!
//! ```text
//! map (\i -> map (\j -> f (sum (map (\k -> a[i,k] * b[k,j]) ks))) js) is
//!   =>  linalg.generic: c[i,j] += a[i,k] * b[k,j]
//!       map (map f) c
//! ```
//! for any order of indices, with more maps around, over indices that both factors have, with more
//! sums outside of the sum, and with more terms. Whatever else the maps do, they read the element
//! in place of computing it. It is done where each factor lacks an index that the other one has: the
//! product of two matrices, whose elements are read many times. What is left can then be computed
//! in tiles, or by a library. The adjoint of a matrix product that [FUT 6.1] arrives at is two such
//! nests.
//!
//! A factor that is computed in the nest is stored first.
//!
//! Reading order: `access` (which element of which array a factor is), `product` (what is worth it),
//! `nest` (finding the sums).

pub mod access;
mod nest;
pub mod product;

use std::{collections::HashSet, iter::successors};

use ad_dialect::{
    ir::{DYNAMIC, Op, OpExt, TyExt, Val, ValExt, tensor_type},
    linalg::{Expr, map_attribute},
};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::acc_to_reduce::store;
use crate::support::{
    builder::Builder,
    combinator::constant_index,
    diag::Result,
    extent::{extent_of, is_width},
    hand_in::hand_in,
};
use access::Access;
use nest::Nest;
pub use nest::Sum;

/// Runs the pass; returns how many sums became contractions.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut sums = vec![];
    module.for_each(&mut |op| sums.extend(Sum::all(op)));
    let (mut count, mut gone, mut dead) = (0, HashSet::new(), vec![]);
    for sum in sums {
        if successors(Some(sum.reduce), OpExt::parent).any(|around| gone.contains(&around.key())) {
            continue;
        }
        let Some(nest) = nest_of(context, sum)? else { continue };
        let (Some(&outer), Some(total)) = (nest.maps.first(), nest.total.result()) else {
            continue;
        };
        let Some(block) = outer.block() else { continue };
        let b = Builder::before(context, outer, block).deriving(outer);
        let Some(array) = nest.contraction(&b)? else { continue };
        let Some(element) = hand_in(context, &nest.maps[..nest.kept], array) else { continue };
        total.replace_all_uses(element);
        count += 1;
        // Other components of either may still be read.
        for op in [nest.total.reduce, nest.maps[nest.kept]] {
            let mut users = op.result_list().into_iter().flat_map(|result| result.users());
            if users.all(|user| gone.contains(&user.key())) && gone.insert(op.key()) {
                dead.push(op);
            }
        }
    }
    dead.iter().for_each(OpExt::erase);
    Ok(count)
}

/// The nest around a sum, when everything that it multiplies is stored.
fn nest_of<'c>(context: &'c Context, sum: Sum<'c>) -> Result<Option<Nest<'c>>> {
    while let Some(nest) = Nest::find(sum) {
        let Some(value) = nest.computed() else { return Ok(Some(nest)) };
        if !store(context, nest.maps[0], value)? {
            break;
        }
    }
    Ok(None)
}

impl<'c> Nest<'c> {
    /// The array of the sums; none if a size is not known in front of the nest.
    fn contraction(&self, b: &Builder<'c>) -> Result<Option<Val<'c>>> {
        let rows: Vec<usize> = (0..self.kept).collect();
        let shape: Vec<_> =
            rows.iter().map(|&level| self.static_width(level).unwrap_or(DYNAMIC)).collect();
        let dynamic = rows.iter().filter(|&&level| shape.get(level) == Some(&DYNAMIC));
        let sizes = dynamic.map(|&level| self.size(b, level)).collect::<Option<Vec<_>>>();
        let Some(sizes) = sizes else { return Ok(None) };
        let empty = b.empty(tensor_type(&shape, self.start.r#type()), &sizes);
        let parallel: Vec<bool> = (0..self.maps.len()).map(|level| level < self.kept).collect();
        let mut sum = b.fill(self.start, empty);
        for factors in &self.terms {
            let [x, y] = factors.map(|factor| Access::of(&self.maps, factor));
            let (Some(left), Some(right)) = (self.operand(b, &x), self.operand(b, &y)) else {
                return Ok(None);
            };
            let maps = [&x.levels, &y.levels, &rows].map(|levels| {
                let indices: Vec<_> = levels.iter().map(|&level| Expr::Loop(level)).collect();
                map_attribute(b.context(), parallel.len(), &indices)
            });
            let Some(maps) = maps.into_iter().collect::<Option<Vec<_>>>() else {
                return Ok(None);
            };
            let op = b.generic(&maps, &parallel, &[left, right], &[sum], |b, x| {
                Ok(vec![b.add(x[2], b.mul(x[0], x[1]))])
            })?;
            sum = op.res(0).unwrap_or(sum);
        }
        Ok(Some(sum))
    }

    /// How many iterations a map has, in front of the nest.
    fn size(&self, b: &Builder<'c>, level: usize) -> Option<Val<'c>> {
        let width = self.width(level);
        width.is_outside(self.maps[0]).then(|| width.value(b))
    }

    /// The array of a factor, as far as the nest reads it.
    fn operand(&self, b: &Builder<'c>, factor: &Access<'c>) -> Option<Val<'c>> {
        let is_whole = |(d, &level): (usize, &usize)| {
            is_width(&self.inputs(level), extent_of(factor.array, d))
        };
        if factor.levels.iter().enumerate().all(is_whole) {
            return Some(factor.array);
        }
        // What is behind the end of a part is not read, so there is none.
        let sizes =
            factor.levels.iter().map(|&level| self.size(b, level)).collect::<Option<_>>()?;
        leading_part(b, factor.array, sizes)
    }
}

/// The first so many elements along every dimension; none if it is known that there are fewer.
pub fn leading_part<'c>(b: &Builder<'c>, array: Val<'c>, sizes: Vec<Val<'c>>) -> Option<Val<'c>> {
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
