//! What a loop writes and reads again in the same iteration, without memory.

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt};

use super::access::Access;
use crate::support::{place::Place, region::erase_dead_ops};

/// Replaces loads of what is known to be there, erases stores that others follow, and moves stores behind
/// what they do not concern, in the body of a loop that only accesses elements and computes.
pub fn in_loop(root: Op<'_>) {
    let Some(body) = root.body(0) else { return };
    let accesses: Vec<_> =
        body.body_ops().into_iter().filter_map(|op| Some((op, Access::of(op)?))).collect();
    let kept = forward(accesses);
    let (mut overwritten, mut behind): (Vec<Place<'_>>, Vec<Place<'_>>) = (vec![], vec![]);
    let Some(mut end) = body.term() else { return };
    for (op, access) in kept.into_iter().rev() {
        if !access.is_write {
            overwritten.retain(|place| place.is_apart(&access.place));
            behind.push(access.place);
        } else if overwritten.iter().any(|place| place.is(&access.place)) {
            op.erase();
        } else {
            if behind.iter().all(|place| place.is_apart(&access.place)) {
                op.detach();
                BlkExt::insert_before(&body, end, op);
                end = op;
            } else {
                behind.push(access.place.clone());
            }
            overwritten.push(access.place);
        }
    }
    erase_dead_ops(body);
}

/// Replaces loads; returns the other accesses.
fn forward<'c>(accesses: Vec<(Op<'c>, Access<'c>)>) -> Vec<(Op<'c>, Access<'c>)> {
    let mut known: Vec<(Place<'c>, Val<'c>)> = vec![];
    let mut kept = vec![];
    for (op, access) in accesses {
        let there =
            known.iter().find(|(place, _)| place.is(&access.place)).map(|(_, value)| *value);
        if access.is_write {
            known.retain(|(place, _)| place.is_apart(&access.place));
            known.extend(op.opnd(0).map(|value| (access.place.clone(), value)));
        } else if let (Some(value), Some(result)) = (there, op.res(0)) {
            result.replace_all_uses(value);
            op.erase();
            continue;
        } else {
            known.extend(op.res(0).map(|value| (access.place.clone(), value)));
        }
        kept.push((op, access));
    }
    kept
}
