//! Loops over rows, and which of them can be one.

use ad_dialect::{
    ir::{BlkExt, Op, OpExt, Val},
    linalg::{Expr, Structured},
};
use melior::{Context, ir::operation::OperationLike};

use super::access::{self, Access};
use crate::{
    support::{
        builder::Builder,
        combinator::constant_index,
        memory::{self, is_arithmetic, is_pure},
        place::{Place, Sum, Symbol},
        region::{move_body, needed_between},
    },
    vectorize::expand,
};

/// A loop from 0 on that only accesses elements and computes, or an operation that can be one.
pub struct Row<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// Whether another one joined it.
    pub is_joint: bool,
    /// How many iterations it has, in several ways.
    sizes: Vec<Sum>,
    /// What an iteration accesses.
    accesses: Vec<Access<'c>>,
}

impl<'c> Row<'c> {
    /// An operation, if it is one.
    pub fn of(op: Op<'c>) -> Option<Self> {
        match op.op_name() {
            "scf.for" => Self::of_loop(op),
            _ => Self::of_arrays(op),
        }
    }

    fn of_loop(op: Op<'c>) -> Option<Self> {
        let bound = |i: usize| op.opnd(i).and_then(constant_index);
        let is_plain = bound(0) == Some(0)
            && bound(2) == Some(1)
            && op.result_count() == 0
            && op.attr("unsignedCmp").is_none()
            && op.discardable_attrs().is_empty();
        if !is_plain || !access::is_simple(op) {
            return None;
        }
        let number = *op.body(0)?.arg_list().first()?;
        let accesses = op.body(0)?.body_ops().into_iter().filter_map(Access::of);
        let in_loop = |access: Access<'c>| Access {
            place: access.place.in_loop(op, number),
            is_write: access.is_write,
        };
        let accesses = accesses.map(in_loop).collect();
        Some(Self { op, is_joint: false, sizes: vec![Sum::of(op.opnd(1)?)], accesses })
    }

    fn of_arrays(op: Op<'c>) -> Option<Self> {
        let (read, written) = access::arrays(op)?;
        let all = || read.iter().chain(&written);
        let is_row = |array: &&Val<'c>| memory::rank(**array) == 1;
        let is_elementwise = Structured::of(op).is_none_or(|s| {
            let of_array = |(operand, _): &(Val<'c>, &Vec<Expr>)| memory::is_array(*operand);
            let mut maps = op.operand_list().into_iter().zip(&s.maps).filter(of_array);
            let computes_only = s.body.body_ops().into_iter().all(is_arithmetic);
            s.loops == 1 && maps.all(|(_, map)| *map == [Expr::Loop(0)]) && computes_only
        });
        if written.is_empty() || !is_elementwise || !all().all(|array| is_row(&array)) {
            return None;
        }
        let number = || vec![Sum::symbol(Symbol::Number)];
        let access = |is_write| {
            move |&array: &Val<'c>| Access { place: Place::new(array, number()), is_write }
        };
        let accesses = read.iter().map(access(false)).chain(written.iter().map(access(true)));
        Some(Self {
            op,
            is_joint: false,
            sizes: all().map(|&array| Sum::of_size(array, 0)).collect(),
            accesses: accesses.collect(),
        })
    }

    /// One loop for this one and a later one of the same block, if there can be one.
    pub fn join(&self, context: &'c Context, later: &Self) -> Option<Self> {
        let is_as_long = self.sizes.iter().any(|size| later.sizes.contains(size));
        let sizes = [&self.sizes[..], &later.sizes].concat();
        if !is_as_long || !self.shares_with(later) || !self.may_run_with(later, &sizes) {
            return None;
        }
        let needed = self.moved_with(later)?;
        let block = self.op.block()?;
        for op in needed {
            op.detach();
            BlkExt::insert_before(&block, self.op, op);
        }
        let [first, second] = [self.op, later.op].map(|op| as_loop(context, op));
        let (first, second) = (first?, second?);
        let (body, number) = (first.body(0)?, *first.body(0)?.arg_list().first()?);
        let b = Builder::before(context, body.term()?, body);
        move_body(&b, second.body(0)?, &[number]);
        second.erase();
        let accesses = [&self.accesses[..], &later.accesses].concat();
        Some(Self { op: first, is_joint: true, sizes, accesses })
    }

    /// Whether some element is accessed by both in the same iteration.
    fn shares_with(&self, later: &Self) -> bool {
        self.pairs(later).any(|(a, b)| a.place.is_own(&b.place))
    }

    /// Whether no iteration of the later one has to wait for another one of this one.
    fn may_run_with(&self, later: &Self, sizes: &[Sum]) -> bool {
        self.pairs(later)
            .filter(|(a, b)| a.is_ordered(b))
            .all(|(a, b)| a.place.is_own(&b.place) || a.place.is_apart_in(&b.place, sizes))
    }

    fn pairs<'a>(
        &'a self,
        other: &'a Self,
    ) -> impl Iterator<Item = (&'a Access<'c>, &'a Access<'c>)> {
        self.accesses.iter().flat_map(|a| other.accesses.iter().map(move |b| (a, b)))
    }

    /// What has to move in front of this one for a later one to run here; none if something cannot, or
    /// if the later one has to wait for what is between.
    fn moved_with(&self, later: &Self) -> Option<Vec<Op<'c>>> {
        let is_between = |op: &Op<'c>| op.key() != later.op.key();
        let between: Vec<_> =
            std::iter::successors(self.op.next(), |op| op.next()).take_while(is_between).collect();
        let moved = needed_between(self.op, later.op)?;
        if !moved.iter().all(|op| is_pure(*op)) {
            return None;
        }
        let is_moved = |op: &Op<'c>| moved.iter().any(|other| other.key() == op.key());
        let may_swap = |op: &Op<'c>| {
            is_pure(*op)
                || access::effects(*op).is_some_and(|all| {
                    let ordered = |a: &Access<'c>| {
                        later.accesses.iter().all(|b| {
                            !a.is_ordered(b) || a.place.is_apart_in(&b.place, &later.sizes)
                        })
                    };
                    all.iter().all(ordered)
                })
        };
        between.iter().filter(|op| !is_moved(op)).all(may_swap).then_some(moved)
    }
}

/// An operation as a loop.
fn as_loop<'c>(context: &'c Context, op: Op<'c>) -> Option<Op<'c>> {
    match op.op_name() {
        "scf.for" => Some(op),
        _ => expand::one(context, op)?,
    }
}
