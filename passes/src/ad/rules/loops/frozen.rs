//! Arrays that a loop fills without false dependencies [FUT 6.2].
//!
//! When no element is overwritten after it was read or written in the loop, whatever an
//! iteration reads is still in the final array, so the return sweep reads that and nothing
//! is saved. The user promises it (`ad.no_false_dependencies`), or it is proven here from
//! affine indices: iteration i writes one element of row `a i + b` and reads rows that
//! earlier iterations wrote, or none did.
//!
//! The paper saves a copy at the entry of the nest and executes the nest again on it;
//! reading the final array needs no copy and executes no update again.

use std::collections::HashSet;

use ad_dialect::{
    capi::{self, RemarkKind},
    ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey, bool_array, int_of},
};
use melior::ir::{ValueLike, operation::OperationLike};

use super::in_place::{Site, trace};
use crate::{
    ad::vjp::Vjp,
    checkpoint::strip_mine::PROMISE,
    support::{
        builder::same_value,
        diag::Result,
        position::{Position, positions},
        region::{is_outside, values_inside},
    },
};

/// Freezes the arrays of a loop that have no false dependencies: in the return sweep, all
/// their versions are the last. Returns what to thaw afterwards.
pub fn freeze<'c>(op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<Vec<ValueKey>> {
    let Some(body) = op.body(0) else { return Ok(vec![]) };
    let yielded = body.ends();
    let promised = Promise::of(op);
    let mut frozen = vec![];
    for (i, result) in op.result_list().into_iter().enumerate() {
        let carried = body.arg_list()[i + 1];
        if result.r#type().as_tensor().is_none() || vjp.frozen.contains_key(&carried.key()) {
            continue;
        }
        let wanted = matches!(&promised, Promise::Some(flags) if flags[i]);
        let traced = trace(body, yielded[i]).filter(|(sites, _)| !has_histogram(sites));
        let sites = match traced {
            // What is handed on as it is, or replaced by an array from outside, is not updated.
            Some((sites, from))
                if sites.is_empty() && (same_value(from, carried) || is_outside(op, from)) =>
            {
                continue;
            }
            Some((sites, from)) if same_value(from, carried) => sites,
            _ if wanted => {
                let message = format!(
                    "promises no false dependencies for loop-carried value {i}, which is not \
                     only updated in place by 'tensor.insert', 'tensor.insert_slice' and \
                     'soac.scatter'"
                );
                return Err(vjp.session.refuse(op, &message));
            }
            _ => continue,
        };
        if wanted || promised == Promise::All || is_proven(op, carried, &sites) {
            let last = vjp.primal(result);
            let mut versions = vec![carried];
            collect_versions(&sites, &mut versions);
            for version in versions {
                vjp.frozen.insert(version.key(), last);
                frozen.push(version.key());
            }
        }
    }
    Ok(frozen)
}

/// Which loop-carried tensors the user promises something of.
#[derive(PartialEq)]
enum Promise {
    None,
    All,
    Some(Vec<bool>),
}

impl Promise {
    /// What is promised of a loop. A list that does not fit the loop any more is void.
    fn of(op: Op<'_>) -> Self {
        let Some(attribute) = op.attr(PROMISE) else { return Promise::None };
        let Some(flags) = bool_array(attribute) else { return Promise::All };
        if flags.len() == op.result_count() {
            return Promise::Some(flags);
        }
        let reason = format!(
            "'{PROMISE}' is void: it speaks of {} values, and the loop carries {}",
            flags.len(),
            op.result_count()
        );
        let entries = [("Reason", reason)];
        let (kind, pass) = (RemarkKind::Missed, "ad-differentiate");
        capi::emit_remark(op.location(), kind, pass, "promise", &entries);
        Promise::None
    }
}

/// Forgets what is frozen.
pub fn thaw(vjp: &mut Vjp<'_, '_>, frozen: &[ValueKey]) {
    for key in frozen {
        vjp.frozen.remove(key);
    }
}

/// The values that an array goes through in a chain of updates.
fn collect_versions<'c>(sites: &[Site<'c>], versions: &mut Vec<Val<'c>>) {
    for site in sites {
        match site {
            Site::Update(op, position) => versions.extend(op.res(*position)),
            Site::Branch(op, position, chains) => {
                versions.extend(op.res(*position));
                chains.iter().for_each(|chain| collect_versions(chain, versions));
            }
            Site::Loop(op, position, chain) => {
                versions.extend(op.res(*position));
                versions.extend(op.body(0).and_then(|b| b.arg_list().get(position + 1).copied()));
                collect_versions(chain, versions);
            }
        }
    }
}

/// Whether the indices prove that nothing is overwritten that was read or written.
fn is_proven<'c>(op: Op<'c>, carried: Val<'c>, sites: &[Site<'c>]) -> bool {
    let mut versions = vec![carried];
    collect_versions(sites, &mut versions);
    versions.extend(op.res(carried.position() - 1));
    let mut updates = vec![];
    collect_updates(sites, &mut vec![], &mut updates);
    let [(update, ivs)] = &updates[..] else { return false };
    let inside = values_inside(op);
    let Some(reads) = reads(&versions, &inside) else { return false };
    let Some(body) = op.body(0) else { return false };
    let proof = Proof { op, iv: body.arg_list()[0], inside };
    let Some(positions) = positions(*update) else { return false };
    (0..positions.len()).any(|d| {
        proof.writes_once(&positions, ivs, d)
            && reads.iter().all(|read| proof.is_safe(*read, &positions, d))
    })
}

/// Whether one of the updates is a histogram, which reads what it overwrites.
fn has_histogram(sites: &[Site<'_>]) -> bool {
    let mut updates = vec![];
    collect_updates(sites, &mut vec![], &mut updates);
    updates.iter().any(|(update, _)| update.op_name() == "soac.hist")
}

/// The updates, each with the induction variables of the inner loops around it.
fn collect_updates<'c>(
    sites: &[Site<'c>],
    ivs: &mut Vec<Val<'c>>,
    updates: &mut Vec<(Op<'c>, Vec<Val<'c>>)>,
) {
    for site in sites {
        match site {
            Site::Update(op, _) => updates.push((*op, ivs.clone())),
            Site::Branch(_, _, chains) => {
                chains.iter().for_each(|chain| collect_updates(chain, ivs, updates));
            }
            Site::Loop(op, _, chain) => {
                ivs.extend(op.body(0).and_then(|body| body.arg_list().first().copied()));
                collect_updates(chain, ivs, updates);
                ivs.pop();
            }
        }
    }
}

/// The operations in the loop that read elements of any version; none if something else
/// is done to one.
fn reads<'c>(versions: &[Val<'c>], inside: &HashSet<ValueKey>) -> Option<Vec<Op<'c>>> {
    let keys: HashSet<_> = versions.iter().map(ValExt::key).collect();
    let is_version = |value: Option<Val<'c>>| value.is_some_and(|v| keys.contains(&v.key()));
    let mut reads = vec![];
    for version in versions.iter().filter(|version| inside.contains(&version.key())) {
        for user in version.users() {
            let positions = (0..user.operand_list().len())
                .filter(|&i| user.opnd(i).is_some_and(|value| same_value(value, *version)));
            for position in positions {
                let stays = match user.op_name() {
                    "tensor.extract" | "tensor.extract_slice" => {
                        reads.push(user);
                        true
                    }
                    "tensor.dim" => true,
                    "tensor.insert" | "tensor.insert_slice" => position == 1,
                    "scf.yield" => is_version(user.parent().and_then(|op| op.res(position))),
                    "scf.for" => {
                        let arguments = user.body(0).map(|b| b.arg_list()).unwrap_or_default();
                        position >= 3 && is_version(arguments.get(position - 2).copied())
                    }
                    _ => false,
                };
                if !stays {
                    return None;
                }
            }
        }
    }
    Some(reads)
}

/// A linear function `a * iv + b` of one variable.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Linear {
    a: i64,
    b: i64,
}

struct Proof<'c> {
    op: Op<'c>,
    iv: Val<'c>,
    inside: HashSet<ValueKey>,
}

impl<'c> Proof<'c> {
    /// Whether no element is written twice: each iteration has a row of its own in
    /// dimension `d`, and each inner loop a dimension of its own.
    fn writes_once(&self, at: &[Option<Position<'c>>], inner: &[Val<'c>], d: usize) -> bool {
        if self.linear(at[d], self.iv).is_none_or(|row| row.a == 0) {
            return false;
        }
        let mut taken = HashSet::from([d]);
        inner.iter().all(|&iv| {
            let own = (0..at.len()).find(|e| {
                !taken.contains(e) && self.linear(at[*e], iv).is_some_and(|place| place.a != 0)
            });
            own.is_some_and(|e| taken.insert(e))
        })
    }

    /// Whether nothing that is read in dimension `d` is written in the same or a later iteration.
    fn is_safe(&self, read: Op<'c>, write: &[Option<Position<'c>>], d: usize) -> bool {
        let Some(read) = positions(read) else { return false };
        let (Some(r), Some(w)) = (self.linear(read[d], self.iv), self.linear(write[d], self.iv))
        else {
            return false;
        };
        let lower = self.op.opnd(0).and_then(constant);
        match r.a {
            // A row before the first that is written.
            0 => {
                w.a > 0
                    && lower.is_some_and(|lb| {
                        w.a.checked_mul(lb)
                            .and_then(|first| first.checked_add(w.b))
                            .is_some_and(|first| r.b < first)
                    })
            }
            a if a == w.a => (r.b < w.b) == (a > 0) && r.b != w.b,
            _ => false,
        }
    }

    /// An index as a function of a variable that nothing else in the loop changes.
    fn linear(&self, position: Option<Position<'c>>, iv: Val<'c>) -> Option<Linear> {
        let value = match position? {
            Position::Constant(b) => return Some(Linear { a: 0, b }),
            Position::At(value) => value,
        };
        if same_value(value, iv) {
            return Some(Linear { a: 1, b: 0 });
        }
        if let Some(b) = constant(value) {
            return Some(Linear { a: 0, b });
        }
        let op = value.defining_op().filter(|_| self.inside.contains(&value.key()))?;
        let part = |i| self.linear(op.opnd(i).map(Position::At), iv);
        let (x, y) = match op.op_name() {
            "arith.addi" | "arith.subi" | "arith.muli" => (part(0)?, part(1)?),
            "arith.index_cast" => return part(0),
            _ => return None,
        };
        let linear = |a: Option<i64>, b: Option<i64>| Some(Linear { a: a?, b: b? });
        match op.op_name() {
            "arith.addi" => linear(x.a.checked_add(y.a), x.b.checked_add(y.b)),
            "arith.subi" => linear(x.a.checked_sub(y.a), x.b.checked_sub(y.b)),
            _ if y.a == 0 => linear(x.a.checked_mul(y.b), x.b.checked_mul(y.b)),
            _ if x.a == 0 => linear(y.a.checked_mul(x.b), y.b.checked_mul(x.b)),
            _ => None,
        }
    }
}

fn constant(value: Val<'_>) -> Option<i64> {
    let op = value.defining_op().filter(|op| op.op_name() == "arith.constant")?;
    int_of(op.attr("value")?)
}
