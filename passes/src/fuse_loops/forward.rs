//! What a loop writes and reads again in the same iteration, without memory.

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt};

use super::access::{self, Access};
use crate::support::{
    memory::is_pure,
    place::Place,
    region::{all_inside, erase_dead_ops},
};

/// Replaces loads of what is known to be there, also in inner loops, and erases stores that others follow, in the body of a
/// loop. If that only accesses elements and computes, it moves stores behind what they do not concern.
pub fn in_loop(root: Op<'_>) {
    let Some(body) = root.body(0) else { return };
    let kept = forward(body.body_ops());
    let is_simple = access::is_simple(root);
    let (mut overwritten, mut behind): (Vec<Place<'_>>, Vec<Place<'_>>) = (vec![], vec![]);
    let Some(mut end) = body.term() else { return };
    for (op, accesses) in kept.into_iter().rev() {
        match accesses {
            Effects::Store(place) if overwritten.iter().any(|other| other.is(&place)) => op.erase(),
            Effects::Store(place) => {
                if is_simple && behind.iter().all(|other| other.is_apart(&place)) {
                    op.detach();
                    BlkExt::insert_before(&body, end, op);
                    end = op;
                } else {
                    behind.push(place.clone());
                }
                overwritten.push(place);
            }
            Effects::Some(all) => {
                for access in all {
                    overwritten.retain(|place| place.is_apart(&access.place));
                    behind.push(access.place);
                }
            }
            Effects::Any => overwritten.clear(),
        }
    }
    erase_dead_ops(body);
}

/// What an operation does to memory.
enum Effects<'c> {
    /// It writes an element.
    Store(Place<'c>),
    /// It may access some places.
    Some(Vec<Access<'c>>),
    /// It may access whatever there is.
    Any,
}

impl<'c> Effects<'c> {
    fn of(op: Op<'c>) -> Self {
        match (Access::of(op), access::effects(op)) {
            (Some(access), _) if access.is_write => Self::Store(access.place),
            (_, Some(all)) => Self::Some(all),
            _ => Self::Any,
        }
    }
}

/// Replaces loads; returns the other operations that access memory.
fn forward<'c>(ops: Vec<Op<'c>>) -> Vec<(Op<'c>, Effects<'c>)> {
    let mut known: Vec<(Place<'c>, Val<'c>)> = vec![];
    let mut kept = vec![];
    for op in ops.into_iter().filter(|op| !is_pure(*op)) {
        if replace(op, &known) {
            continue;
        }
        let effects = Effects::of(op);
        match &effects {
            Effects::Store(place) => {
                known.retain(|(other, _)| other.is_apart(place));
                known.extend(op.opnd(0).map(|value| (place.clone(), value)));
            }
            Effects::Some(all) => {
                for written in all.iter().filter(|access| access.is_write) {
                    known.retain(|(other, _)| other.is_apart(&written.place));
                }
                for inner in all_inside(op) {
                    replace(inner, &known);
                }
                let read = Access::of(op).zip(op.res(0));
                known.extend(read.map(|(access, value)| (access.place, value)));
            }
            Effects::Any => known.clear(),
        }
        kept.push((op, effects));
    }
    kept
}

/// Replaces a load of what is known; says whether it was one.
fn replace<'c>(op: Op<'c>, known: &[(Place<'c>, Val<'c>)]) -> bool {
    let read = Access::of(op).filter(|access| !access.is_write).zip(op.res(0));
    let Some((access, result)) = read else { return false };
    let Some((_, value)) = known.iter().find(|(place, _)| place.is(&access.place)) else {
        return false;
    };
    result.replace_all_uses(*value);
    op.erase();
    true
}
