//! What a loop carries from one iteration to the next.
//!
//! ```text
//! for i = a to b iter_args(s, least, at)       for i = a to b step W iter_args(s, least, at)
//!   v = f(x[i])                                  v = f(x[i .. i + W])
//!   s' = s + v                          ==>      s' = s + v                    lane by lane
//!   least' = min(least, v)                       least' = min(least, v)
//!   at' = v < least ? i : at                     at' = v < least ? i .. i + W : at
//!   t' = f(t, v)                                 for lane in 0 .. W, written out
//!                                                  t = f(t, v[lane])
//! ```
//! A sum that may be computed in any order, or a least value and its place, is one per lane, and one at
//! the end. Of anything else the iterations take turns, after all lanes have computed what they read for
//! it: that pays if it is little.

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpKey, Val, ValExt, ValueKey};
use melior::ir::{Attribute, ValueLike, operation::OperationLike};

use super::{
    classes::is_free_sum,
    emit::Emitter,
    places::places,
    plan::{Class, Facts},
};
use crate::support::{
    builder::{Builder, same_value},
    region::{ValueMap, clone_op, free_values},
};

/// How the iterations of a loop come to a value that they carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried {
    /// A sum in any order.
    Sum,
    /// What an operation, of which `vector.reduction` has the kind, makes of all values, in any order
    /// and however often of each.
    Extreme(&'static str),
    /// The first iteration with the extremum that is carried at a position.
    Place(usize),
    /// One iteration after the other.
    InTurn,
}

/// What a loop carries.
#[derive(Default)]
pub struct AllCarried {
    /// How, for each value.
    pub kinds: Vec<Carried>,
    /// The operations of the body that iterations do in turn.
    in_turn: HashSet<OpKey>,
}

impl Carried {
    fn of<'c>(argument: Val<'c>, next: Val<'c>) -> Self {
        let Some(op) = next.defining_op().filter(|op| op.block() == argument.owner_block()) else {
            return Self::InTurn;
        };
        let is_only_there = argument.users().len() == 1 && next.users().len() == 1;
        let reads_it = op.operand_list().iter().any(|&x| same_value(x, argument));
        if !is_only_there || !reads_it {
            return Self::InTurn;
        }
        match op.op_name() {
            _ if is_free_sum(op) => Self::Sum,
            "arith.minimumf" => Self::Extreme("minimumf"),
            "arith.maximumf" => Self::Extreme("maximumf"),
            "arith.minsi" => Self::Extreme("minsi"),
            "arith.maxsi" => Self::Extreme("maxsi"),
            _ => Self::InTurn,
        }
    }

    /// Of the lanes of a vector and a number, what the loop makes of them, but for places.
    pub fn of_lanes<'c>(self, b: &Builder<'c>, vector: Val<'c>, first: Val<'c>) -> Val<'c> {
        let (kind, flags) = match self {
            Self::InTurn | Self::Place(_) => return vector,
            Self::Sum => ("add", Attribute::parse(b.context(), "#arith.fastmath<reassoc>")),
            Self::Extreme(kind) => (kind, None),
        };
        let kind = Attribute::parse(b.context(), &format!("#vector.kind<{kind}>"));
        let attributes: Vec<_> = [("kind", kind), ("fastmath", flags)]
            .into_iter()
            .filter_map(|(name, attribute)| Some((name, attribute?)))
            .collect();
        b.val_with("vector.reduction", &[vector, first], first.r#type(), &attributes)
    }
}

impl AllCarried {
    /// What the body of a loop carries; none if something that iterations do in turn is more than
    /// arithmetic, or if something else depends on it.
    pub fn of(body: Blk<'_>) -> Option<Self> {
        let (arguments, ends) = (body.arg_list(), body.term()?.operand_list());
        let pairs = || arguments.iter().skip(1).copied().zip(ends.iter().copied());
        let mut kinds: Vec<_> =
            pairs().map(|(argument, next)| Carried::of(argument, next)).collect();
        for (at, (value, kind)) in places(body, &pairs().collect::<Vec<_>>()) {
            (kinds[at], kinds[value]) = (Carried::Place(value), Carried::Extreme(kind));
        }
        let is_in_turn = |(kind, _): &(&Carried, _)| **kind == Carried::InTurn;
        let mut values: HashSet<ValueKey> =
            kinds.iter().zip(pairs()).filter(is_in_turn).map(|(_, (a, _))| a.key()).collect();
        let mut in_turn = HashSet::new();
        for op in body.body_ops() {
            let free = free_values(&op.blocks());
            if !op.operand_list().iter().chain(&free).any(|v| values.contains(&v.key())) {
                continue;
            }
            let name = op.op_name();
            let is_arithmetic = name.starts_with("arith.") || name.starts_with("math.");
            if !is_arithmetic || !op.blocks().is_empty() {
                return None;
            }
            values.extend(op.result_list().iter().map(ValExt::key));
            in_turn.insert(op.key());
        }
        let is_apart = |(kind, (_, next)): (&Carried, (Val<'_>, Val<'_>))| {
            *kind == Carried::InTurn || !values.contains(&next.key())
        };
        kinds.iter().zip(pairs()).all(is_apart).then_some(Self { kinds, in_turn })
    }

    /// Whether iterations do an operation in turn.
    pub fn is_in_turn(&self, op: Op<'_>) -> bool {
        self.in_turn.contains(&op.key())
    }

    /// Whether a place is looked for, which LLVM does in turn.
    pub fn has_places(&self) -> bool {
        self.kinds.iter().any(|kind| matches!(kind, Carried::Place(_)))
    }

    /// Whether iterations do anything in turn.
    pub fn has_turns(&self) -> bool {
        self.kinds.contains(&Carried::InTurn)
    }
}

impl<'c> Facts<'c> {
    /// Finds how the loop's values are carried; none if it cannot be vectorised for that.
    pub(super) fn find_carried(&mut self) -> Option<()> {
        let body = self.root.body(0)?;
        self.carried = AllCarried::of(body)?;
        for (argument, kind) in body.arg_list().into_iter().skip(1).zip(&self.carried.kinds) {
            if *kind != Carried::InTurn {
                self.classes.insert(argument.key(), Class::Each);
            }
        }
        Some(())
    }
}

impl<'c> Emitter<'_, 'c> {
    /// What iterations do in turn, for all lanes, when the rest of the body has been emitted; returns
    /// what the loop carries then.
    pub(super) fn take_turns(
        &self,
        b: &Builder<'c>,
        body: Blk<'c>,
        carried: &[Val<'c>],
    ) -> Vec<Val<'c>> {
        let ends = body.ends();
        let kinds = &self.facts.carried.kinds;
        let mut now: Vec<Val<'c>> = carried.to_vec();
        let arguments = body.arg_list();
        let ops = body.body_ops().into_iter().filter(|op| self.facts.carried.is_in_turn(*op));
        let ops: Vec<_> = ops.collect();
        for lane in 0..if self.facts.carried.has_turns() { self.running() } else { 0 } {
            let mut copies: ValueMap<'c> =
                arguments.iter().skip(1).map(ValExt::key).zip(now.iter().copied()).collect();
            let bind = |value: Val<'c>, copies: &mut ValueMap<'c>| {
                let lane = || self.lane(b, self.lanes(value), lane);
                copies.entry(value.key()).or_insert_with(lane);
            };
            for &op in &ops {
                op.operand_list().into_iter().for_each(|value| bind(value, &mut copies));
                clone_op(b, op, &mut copies);
            }
            let runs = self.runs(b, lane);
            let mut next = now.clone();
            for (i, &end) in ends.iter().enumerate().filter(|(i, _)| kinds[*i] == Carried::InTurn) {
                bind(end, &mut copies);
                let value = copies.get(&end.key()).copied().unwrap_or(end);
                next[i] = runs.map_or(value, |runs| b.select(runs, value, now[i]));
            }
            now = next;
        }
        for (i, &end) in ends.iter().enumerate().filter(|(i, _)| kinds[*i] != Carried::InTurn) {
            now[i] = self.vector(b, end);
            if let Some(mask) = self.mask {
                now[i] = b.select(mask, now[i], carried[i]);
            }
        }
        now
    }
}
