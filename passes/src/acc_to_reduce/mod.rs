//! `ad-acc-to-reduce`: accumulators become maps, reductions and histograms [FUT 6.1].
//!
//! ```text
//! map (\i -> map (\j -> upd [j] v acc))  =>  map (\j -> sum (map (\i -> v)))
//! ```
//!
//! An accumulator is replaced when that can be done for each of its updates. Then the
//! `soac.with_acc` is left without updates of it, and canonicalisation drops it.
//!
//! Reading order: `analysis` (the updates and their indices), `thread` (handing a value
//! out of its nest as it is), `place` and `split` (a nest of its own in another order),
//! `target` (adding the result in), `histogram` (indices that are read), `normalise`, `factor`
//! (what all terms of a sum are multiplied by), `gram` (what is multiplied by a linear function of itself),
//! `store` (products of matrices), `twins` (the sum of rows that are kept anyhow).

mod analysis;
mod factor;
mod gram;
mod histogram;
mod normalise;
mod place;
mod split;
mod store;
mod target;
mod thread;
mod twins;

use ad_dialect::{
    capi::{self, RemarkKind},
    ir::{DYNAMIC, Op, OpExt, TyExt, ValExt},
};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::support::{
    accumulator::updates,
    builder::Builder,
    diag::{Result, internal_error},
    region::all_of,
};
pub use analysis::{Index, Site};
use analysis::{Reason, Scope};
use factor::factor;
pub use factor::hoist_sizes;
use gram::use_gram_matrix;
use histogram::{histogram, is_histogram};
use normalise::{map_of_loop, merge_updates};
pub use place::Repeats;
use place::{Nest, is_natural, makes_more};
use split::split;
use store::store_factors;
pub use store::{can_store, store, store_anyway};
use target::Target;
pub use target::{add_arrays, add_common};
pub use thread::forget;
use thread::thread;
use twins::sum_rows;

/// Runs the pass on a module; returns how many accumulators were replaced.
pub fn run<'c>(context: &'c Context, module: Op<'c>, repeats: Repeats) -> Result<u64> {
    for op in all_of(module, "scf.for").into_iter().rev() {
        map_of_loop(context, op);
    }
    let (mut replaced, mut missed) = (0, vec![]);
    // Before any values are added, which twins have in common.
    for op in all_of(module, "soac.with_acc") {
        replaced += sum_rows(context, op)?;
    }
    for op in all_of(module, "soac.update_acc") {
        merge_updates(context, op);
    }
    for op in all_of(module, "soac.update_acc") {
        factor(context, op)?;
    }
    for op in all_of(module, "soac.map") {
        use_gram_matrix(context, op)?;
    }
    // Innermost first: what an inner accumulator becomes may be the value of an update.
    for mut op in all_of(module, "soac.with_acc").into_iter().rev() {
        for position in 0..op.operand_count() {
            for update in updates(op, position) {
                store_factors(context, update)?;
            }
        }
        let mut stay;
        loop {
            stay = vec![];
            let before = replaced;
            for position in 0..op.operand_count() {
                match replace(context, op, position, repeats)? {
                    Outcome::Idle => {}
                    Outcome::Replaced(new) => {
                        op = new;
                        replaced += 1;
                    }
                    Outcome::Stays(update, reason) => stay.push((update, reason)),
                }
            }
            if replaced == before {
                break;
            }
        }
        missed.extend(stay.into_iter().rev().map(|(update, why)| (update.location(), why)));
    }
    for (location, reason) in missed.into_iter().rev() {
        let entries = [("Reason", format!("the accumulator stays: {reason}"))];
        capi::emit_remark(
            location,
            RemarkKind::Missed,
            "ad-acc-to-reduce",
            "accumulator",
            &entries,
        );
    }
    Ok(replaced)
}

/// What became of an accumulator.
enum Outcome<'c> {
    /// Nothing updates it, or nobody reads it.
    Idle,
    /// The `soac.with_acc` after it was replaced.
    Replaced(Op<'c>),
    /// An update that is in the way, and why.
    Stays(Op<'c>, Reason),
}

/// How one update is replaced.
enum Plan<'c> {
    Thread,
    Split(Nest<'c>),
}

/// Replaces the accumulator of one array of a `soac.with_acc`.
fn replace<'c>(
    context: &'c Context,
    root: Op<'c>,
    position: usize,
    repeats: Repeats,
) -> Result<Outcome<'c>> {
    let (Some(start), Some(result)) = (root.opnd(position), root.res(position)) else {
        return Ok(Outcome::Idle);
    };
    let all = updates(root, position);
    if all.is_empty() || result.users().is_empty() {
        return Ok(Outcome::Idle);
    }
    for &update in &all {
        let plan = Site::new(root, update).and_then(|site| {
            let target = Target::new(root, &site, start)?;
            if all.len() > 1 && !target.covers() && site.invariant_levels().is_empty() {
                return Err("several updates touch different parts, and none is a sum");
            }
            plan(root, &site, repeats)
        });
        let Err(reason) = plan else { continue };
        if all.len() == 1 && is_histogram(root, update) {
            let (new, sums) = histogram(context, root, update, start)?;
            if let Some(result) = new.res(position) {
                result.replace_all_uses(sums);
            }
            return Ok(Outcome::Replaced(new));
        }
        return Ok(Outcome::Stays(update, reason));
    }
    let Some(block) = root.block() else { return Ok(Outcome::Idle) };
    let b = Builder::after(context, root, block);
    let (mut root, mut total) = (root, start);
    for update in all {
        // Again, because the update before this one may have rebuilt operations around it.
        let again = Site::new(root, update).and_then(|site| {
            Ok((Target::new(root, &site, start)?, plan(root, &site, repeats)?, site))
        });
        let Ok((target, plan, site)) = again else {
            return Err(internal_error(update, "an update can no longer be replaced"));
        };
        let made = match plan {
            Plan::Thread => {
                // The first contributions may be a result of what is rebuilt; results keep their places.
                let is_own = total.defining_op().is_some_and(|op| op.key() == root.key());
                let own = is_own.then(|| total.position());
                let (new, made) = thread(context, root, &site, start)?;
                total = own.and_then(|place| new.res(place)).unwrap_or(total);
                root = new;
                made
            }
            Plan::Split(nest) => split(&b, &nest, Some(start))?,
        };
        total = target.embed(&b, total, made)?;
        forget(update);
    }
    if let Some(result) = root.res(position) {
        result.replace_all_uses(total);
    }
    Ok(Outcome::Replaced(root))
}

/// Chooses how to replace an update.
///
/// A value that is made by maps is summed element by element, if that repeats little;
/// else whole rows are summed.
fn plan<'c>(
    root: Op<'c>,
    site: &Site<'c>,
    repeats: Repeats,
) -> std::result::Result<Plan<'c>, Reason> {
    let (levels, summed) = (site.levels(), site.invariant_levels());
    if !summed.is_empty()
        && let Ok(nest) = Nest::plan(root, site, true, repeats)
    {
        return Ok(Plan::Split(nest));
    }
    let maps = summed.iter().filter_map(|&level| levels.get(level));
    // What also makes something else could not run in the loop of the sum.
    let is_alone = maps.into_iter().all(|level| !makes_more(level.map, &[site.update]));
    if is_natural(site) && is_alone && !decides_about_rows(site) {
        return Ok(Plan::Thread);
    }
    Nest::plan(root, site, false, repeats).map(Plan::Split)
}

/// Whether a branch around the update would have to yield an array of unknown size.
fn decides_about_rows(site: &Site<'_>) -> bool {
    let indexed = site.index_levels();
    let mut dynamic = site.value.r#type().shape().contains(&DYNAMIC);
    let mut level = site.levels().len();
    for scope in site.path.iter().rev() {
        match scope {
            Scope::Branch(..) if dynamic => return true,
            Scope::Map(map) => {
                level -= 1;
                dynamic |= indexed.contains(&level)
                    && map.map.operand_list().iter().all(|input| {
                        input.r#type().shape().first().is_none_or(|&size| size == DYNAMIC)
                    });
            }
            _ => {}
        }
    }
    false
}
