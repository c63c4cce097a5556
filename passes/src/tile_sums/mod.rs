//! `ad-tile-sums`: sums in nests of maps, whose terms are made of values that several sums share, become `linalg.generic`
//! operations, which `lower-contractions-to-gpu` makes in tiles [FUT 6.1].
//!
//! ```text
//! map (\i -> map (\j -> g (sum (map (\k -> f a[i,k] b[j,k]) ks))) js) is
//!   =>  linalg.generic: c[i,j] += f a[i,k] b[j,k]
//!       map (\ci -> map g ci) c
//! map (\i -> map (\j -> upd [j] (f a[i] b[j]) acc))              -- and further maps around
//!   =>  linalg.generic: c[j] += f a[i] b[j]                      -- what the accumulator becomes, added to its array
//! ```
//!
//! `ad-contract` does the first for sums of products of matrices, of which a processor has a library's. A GPU gains from
//! tiles whatever the function is, because a value that is in shared memory is used by a row of threads; and an
//! accumulator whose updates become a sum needs no atomic operations. Here a term may be any arithmetic of elements; it
//! may be of an inner map, whose body is computed again; and the number of terms may grow by one from a sum to the next,
//! as in a triangle:
//!
//! ```text
//! linalg.generic: z[i, r] += if c <= r then q[r, c] * x[i, c] else 0
//! ```
//!
//! The sums are stored, so it is not done where a static size says that there are few terms in each.
//!
//! Reading order: `nest` (the maps around a sum), `term` (what is added), `sums` and `updates` (where sums are found),
//! `build` (the operation).

mod build;
mod nest;
mod sums;
mod term;
mod updates;

use ad_dialect::ir::{BlkExt, Op, OpExt};
use melior::Context;

use crate::{
    acc_to_reduce::hoist_sizes,
    support::{
        diag::Result,
        region::all_of,
        symbol::{called_inside, name_of},
    },
};

/// Runs the pass; returns how many sums are made in tiles.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let inside = called_inside(module);
    let mut count = 0;
    for function in module.blocks().into_iter().flat_map(|block| block.ops()) {
        let name = name_of(function).unwrap_or_default();
        if function.op_name() == "func.func" && !inside.contains(&name) {
            count += updates::run(context, function)?;
            count += sums::run(context, function)?;
            // What depends on nothing but sizes of rows then moves out of maps, which are distributed if they know the
            // sizes of what they make.
            all_of(function, "soac.map").into_iter().for_each(|map| hoist_sizes(context, map));
        }
    }
    Ok(count)
}
