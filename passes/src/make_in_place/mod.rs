//! `ad-make-in-place`: what is copied to a row of a buffer is made there.
//!
//! ```text
//! T = alloc n, m                                     bytes = alloc (8 n m);  T = view bytes[0], n, m
//! for t { x = alloc m;  ... x ...;  copy x, T[t] }   for t { x = view bytes[8 m t], m;  ... x ... }
//! ```
//! An array that a loop makes in branches, or by atomic updates, is not put where it is going by bufferisation: cotangents
//! of all steps of a recurrent network are like that. Nor is one that the next iteration puts there, like a state of a
//! network that is kept for the way back (`carried`). Each copy is a kernel, and reads and writes the array once more.
//!
//! A view of bytes has the plain layout wherever it begins, so that types stay as they are. If the buffer is filled with a
//! number in front of a loop of which each iteration makes a row of its own, no iteration fills its row with that number; and if
//! none would, and the iterations make all rows, nobody fills the buffer.
//!
//! Requires that nothing else uses the buffer from the first use of the array to the copy, and nothing the array after it;
//! that an array which is allocated in front of the block is written as a whole first; and that of the arrays of several
//! branches one is in use at a time. Run it on buffers that nobody frees yet.

mod carried;
mod made;
mod row;
pub mod uses;

use ad_dialect::ir::{Op, OpExt};
use melior::Context;

use crate::support::region::all_of;
use carried::Carried;
use made::Made;

/// Runs the pass, also for what loops carry if that is wanted; returns how many copies are gone, and how many are left to the
/// first iteration of a loop.
pub fn run<'c>(context: &'c Context, module: Op<'c>, carries: bool) -> (u64, u64) {
    let (mut gone, mut rare) = (vec![], 0);
    for copy in all_of(module, "memref.copy") {
        if gone.contains(&copy.key()) || !is_on_host(copy) {
            continue;
        }
        if let Some(made) = Made::of(copy) {
            gone.extend(made.make(context).into_iter().flatten());
        } else if let Some(carried) = carries.then(|| Carried::of(copy)).flatten() {
            rare += carried.make(context).map_or(0, |()| 1);
        }
    }
    (gone.len() as u64, rare)
}

/// Whether an operation is in no parallel loop: threads would all need the whole buffer.
fn is_on_host(op: Op<'_>) -> bool {
    let mut around = std::iter::successors(op.parent(), |op| op.parent());
    !around.any(|op| matches!(op.op_name(), "scf.forall" | "scf.parallel"))
}
