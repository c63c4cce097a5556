//! The maps around a sum.

use ad_dialect::ir::{Blk, Op, OpExt, Val, ValExt};
use melior::ir::{BlockLike, operation::OperationLike};

use crate::support::{
    combinator::{constant_index, input_count, is_iota},
    extent::{Extent, extent_of, is_width},
    region::is_outside,
};

/// How many iterations a map has.
#[derive(Clone, Copy, PartialEq)]
pub enum Width<'c> {
    /// As many as is known in front of the nest.
    Fixed(Extent<'c>),
    /// One more than the number of an iteration of another map.
    UpTo(usize),
}

/// The maps around an operation, and what decides whether it runs.
pub struct Nest<'c> {
    /// What the host executes, in front of which nothing of the nest has happened.
    pub front: Op<'c>,
    /// The maps, outermost first.
    pub maps: Vec<Op<'c>>,
    pub widths: Vec<Width<'c>>,
    /// Conditions, known in front of the nest, and the branches of them that the operation is in.
    pub conditions: Vec<(Val<'c>, bool)>,
}

impl<'c> Nest<'c> {
    /// The nest around an operation, with one more map inside if there is one. It begins with the outermost map, or with
    /// an operation around that.
    pub fn around(op: Op<'c>, inner: Option<Op<'c>>, root: Option<Op<'c>>) -> Option<Self> {
        let mut scopes: Vec<(Op<'c>, Blk<'c>)> = vec![];
        let mut here = op;
        while let (Some(parent), Some(block)) = (here.parent(), here.block()) {
            if !["soac.map", "soac.with_acc", "scf.if"].contains(&parent.op_name()) {
                break;
            }
            scopes.push((parent, block));
            here = parent;
        }
        let is_host = |op: Op<'c>| {
            ["func.func", "scf.for", "scf.while", "scf.if"].contains(&op.op_name())
                || op.op_name() == "soac.with_acc"
        };
        let mut outside = std::iter::successors(here.parent(), |op| op.parent());
        if !outside.all(|op| is_host(op) || op.op_name() == "builtin.module") {
            return None;
        }
        scopes.reverse();
        let is_first = |(op, _): &(Op<'c>, Blk<'c>)| {
            op.op_name() == "soac.map" || root.is_some_and(|root| root.key() == op.key())
        };
        let first = scopes.iter().position(is_first)?;
        let scopes = scopes.split_off(first);
        let front = scopes.first()?.0;
        let of_name =
            |name: &'static str| scopes.iter().filter(move |(op, _)| op.op_name() == name);
        let conditions = of_name("scf.if").map(|&(op, block)| {
            let condition = op.opnd(0).filter(|&condition| is_outside(front, condition))?;
            Some((condition, op.body(0) == Some(block)))
        });
        let conditions = conditions.collect::<Option<_>>()?;
        let maps: Vec<_> = of_name("soac.map").map(|(op, _)| *op).chain(inner).collect();
        let widths = maps.iter().map(|&map| width(front, &maps, map)).collect::<Option<_>>()?;
        (!maps.is_empty()).then_some(Self { front, maps, widths, conditions })
    }

    /// The maps whose numbers of iterations depend on another one's, and those.
    pub fn borders(&self) -> Vec<(usize, usize)> {
        let up_to = |(level, width): (usize, &Width<'c>)| match width {
            Width::UpTo(bound) => Some((level, *bound)),
            Width::Fixed(_) => None,
        };
        self.widths.iter().enumerate().filter_map(up_to).collect()
    }

    /// The number of iterations of a map, or of the largest it has.
    pub fn extent(&self, level: usize) -> Option<Extent<'c>> {
        match self.widths.get(level)? {
            Width::Fixed(extent) => Some(*extent),
            Width::UpTo(bound) => match self.widths.get(*bound)? {
                Width::Fixed(extent) => Some(*extent),
                Width::UpTo(_) => None,
            },
        }
    }

    /// Whether a map, or the one that says how many iterations it has at most, has as many as an extent says.
    pub fn runs_over(&self, level: usize, extent: Extent<'c>) -> bool {
        let bound = match self.widths.get(level) {
            Some(Width::UpTo(bound)) => *bound,
            _ => level,
        };
        self.extent(level) == Some(extent) || is_width(&inputs(self.maps[bound]), extent)
    }
}

fn inputs(map: Op<'_>) -> Vec<Val<'_>> {
    map.operand_list().into_iter().take(input_count(map)).collect()
}

fn counted<'c>(maps: &[Op<'c>], index: Val<'c>) -> Option<usize> {
    let map = index.owner_block()?.parent_operation()?;
    let level = maps.iter().position(|own| own.key() == map.key())?;
    map.opnd(index.position()).filter(|&input| is_iota(input)).map(|_| level)
}

fn width<'c>(front: Op<'c>, maps: &[Op<'c>], map: Op<'c>) -> Option<Width<'c>> {
    let extents: Vec<_> = inputs(map).iter().map(|&input| extent_of(input, 0)).collect();
    let rank = |extent: &&Extent<'c>| match extent {
        Extent::Known(_) => 0,
        Extent::Value(_) => 1,
        Extent::Dim(..) => 2,
    };
    let outside = extents.iter().filter(|extent| extent.is_outside(front)).min_by_key(rank);
    if let Some(extent) = outside {
        return Some(Width::Fixed(*extent));
    }
    extents.into_iter().find_map(|extent| {
        let Extent::Value(value) = extent else { return None };
        let sum = value.defining_op().filter(|op| op.op_name() == "arith.addi")?;
        let [number, more] = sum.operand_list()[..] else { return None };
        (constant_index(more) == Some(1)).then(|| counted(maps, number).map(Width::UpTo)).flatten()
    })
}
