//! Loads in front of stores.
//!
//! ```text
//! for 8 lanes i: a[2, i] += v          old_2 = a[2, 0 .. 8], old_1 = a[1, 0 .. 8]
//! for 8 lanes i: a[1, i] += w   ==>    a[2, 0 .. 8] = old_2 + v
//!                                      a[1, 0 .. 8] = old_1 + w
//! ```
//! If a row is shorter than a vector, the end of the vector is the beginning of the next row, which may just have
//! been stored. Lanes there have no effect, but a load waits until such a store has reached the cache.

use ad_dialect::ir::{BlkExt, Op, OpExt, Val};
use melior::Context;

use super::plan::Facts;
use crate::support::{
    builder::same_value,
    place::{Place, Sum},
    region::{is_outside, move_before, values_inside},
    roots::roots,
};

impl<'c> Facts<'c> {
    /// Moves the loads of a loop without others in it in front of all stores, but for those of what may have been
    /// stored before.
    pub(super) fn load_first(&self, context: &'c Context) -> Option<()> {
        let body = self.root.body(0)?;
        let number = *body.arg_list().first()?;
        let (sizes, inside) = (self.sizes(), values_inside(self.root));
        let place = |array: Val<'c>, at: &[Val<'c>]| {
            let at = at.iter().map(|&i| Sum::of(i)).collect();
            Place::new(array, at).in_loop(&inside, number)
        };
        let is_given = |v: &Val<'c>| same_value(*v, number) || is_outside(self.root, *v);
        let mut stores: Vec<(Op<'c>, Val<'c>, Place<'c>)> = vec![];
        for op in body.body_ops() {
            let operands = op.operand_list();
            match (op.op_name(), &operands[..]) {
                ("memref.store", [_, array, at @ ..]) => {
                    stores.push((op, *array, place(*array, at)));
                }
                ("memref.load", [array, at @ ..]) => {
                    let Some(&(first, ..)) = stores.first() else { continue };
                    let read = place(*array, at);
                    let is_apart = stores.iter().all(|(_, other, written)| {
                        roots(*array).is_disjoint(&roots(*other))
                            || read.is_apart_in(written, &sizes)
                    });
                    if is_apart && operands.iter().all(is_given) {
                        move_before(context, body, op, first);
                    }
                }
                _ => {}
            }
        }
        Some(())
    }
}
