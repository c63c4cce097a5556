//! Where the least or largest value is that a loop comes to.
//!
//! ```text
//! least' = min(least, v)            each lane has its least value and the first of its places; at the end
//! at' = v < least ? i : at   ==>      least = the least of the lanes'
//!                                     at = the first of the places of lanes whose value is that
//! ```
//! In turn, each place would wait for the comparison before. A lane whose value is the least of all, and
//! less than the one that the loop began with, has its place; if none is less, all have the first one.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::{Attribute, ValueLike, operation::OperationLike};

use super::carried::{AllCarried, Carried};
use crate::support::{
    builder::{Builder, Is, same_value},
    extremum::Extremum,
};

/// A place is carried at a position, and its value at another one, as an extremum of a kind.
type Found = (usize, (usize, &'static str));

/// The places among what the body of a loop carries, given as arguments and what they are next.
pub fn places<'c>(body: Blk<'c>, carried: &[(Val<'c>, Val<'c>)]) -> Vec<Found> {
    (0..carried.len()).filter_map(|at| place(body, carried, at)).collect()
}

fn place<'c>(body: Blk<'c>, carried: &[(Val<'c>, Val<'c>)], at: usize) -> Option<Found> {
    let (argument, next) = carried[at];
    let choice = next.defining_op().filter(|op| op.op_name() == "arith.select")?;
    let [wins, new, old] = choice.operand_list()[..] else { return None };
    let is_number = same_value(new, *body.arg_list().first()?) && same_value(old, argument);
    let is_read = argument.users().len() > 1 || next.users().len() > 1;
    if !is_number || is_read || choice.block() != Some(body) {
        return None;
    }
    let conditions = conditions(wins);
    (0..carried.len()).find_map(|k| {
        let (least, next) = carried[k];
        let op = next.defining_op().filter(|op| op.block() == Some(body))?;
        let (kind, is_least) = match op.op_name() {
            "arith.minimumf" => ("minimumf", true),
            "arith.maximumf" => ("maximumf", false),
            _ => return None,
        };
        let (a, b) = (op.opnd(0)?, op.opnd(1)?);
        let value = if same_value(a, least) { b } else { a };
        let is_carried = same_value(a, least) != same_value(b, least);
        let is_among = |users: Vec<Op<'c>>, last: Op<'c>| {
            users.iter().all(|user| {
                user.key() == last.key() || conditions.iter().any(|c| c.key() == user.key())
            })
        };
        // Nothing else may read what only all lanes together know.
        let is_alone = next.users().len() == 1
            && is_among(least.users(), op)
            && conditions
                .iter()
                .all(|c| c.result_list().iter().all(|r| is_among(r.users(), choice)));
        let extremum = Extremum { is_least, keeps_nan: true };
        let is_place = is_carried && is_alone && extremum.is_right(wins, least, value);
        is_place.then_some((at, (k, kind)))
    })
}

/// The comparisons that a condition consists of, and what joins them.
fn conditions(condition: Val<'_>) -> Vec<Op<'_>> {
    let mut found: Vec<Op<'_>> = vec![];
    let mut pending = vec![condition];
    while let Some(value) = pending.pop() {
        let is_part = |op: &Op<'_>| {
            matches!(op.op_name(), "arith.cmpf" | "arith.andi" | "arith.ori" | "arith.xori")
        };
        if let Some(op) = value.defining_op().filter(is_part)
            && found.iter().all(|known| known.key() != op.key())
        {
            found.push(op);
            pending.extend(op.operand_list());
        }
    }
    found
}

impl AllCarried {
    /// What the loop carries in the end, given what it carries in lanes and what it began with.
    pub(super) fn totals<'c>(
        &self,
        b: &Builder<'c>,
        lanes: &[Val<'c>],
        inits: &[Val<'c>],
    ) -> Vec<Val<'c>> {
        let all = self.kinds.iter().zip(lanes.iter().zip(inits));
        let mut totals: Vec<_> =
            all.map(|(kind, (&lanes, &init))| kind.of_lanes(b, lanes, init)).collect();
        for (i, kind) in self.kinds.iter().enumerate() {
            if let Carried::Place(value) = *kind {
                totals[i] = first_place(b, lanes[i], lanes[value], totals[value]);
            }
        }
        totals
    }
}

/// The least of the places in lanes whose value is the extremum, which a NaN is.
fn first_place<'c>(b: &Builder<'c>, at: Val<'c>, values: Val<'c>, extreme: Val<'c>) -> Val<'c> {
    let spread = |x: Val<'c>, like: Val<'c>| {
        let ty = super::masked::vector_of(like, x.r#type());
        b.val("vector.broadcast", &[x], ty)
    };
    let is_extreme = b.compare_floats(Is::Equal, values, spread(extreme, values));
    let is_it = b.same("arith.ori", &[is_extreme, b.compare_floats(Is::Nan, values, values)]);
    let far = spread(b.index(i64::MAX), at);
    let kind = Attribute::parse(b.context(), "#vector.kind<minsi>").map(|kind| ("kind", kind));
    let candidates = b.select(is_it, at, far);
    b.val_with("vector.reduction", &[candidates], at.r#type().scalar(), kind.as_slice())
}
