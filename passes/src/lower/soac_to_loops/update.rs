//! Hist and scatter become loops that update their destinations in place.
//!
//! ```text
//! ys = scatter xs is vs        =>  ys = loop (ys = xs) for i < m do
//!                                    if is[i] in range then ys with [is[i]] <- vs[i] else ys
//! hs = hist op e is vs dest    =>  hs = loop (hs = dest) for i < m do
//!                                    if is[i] in range
//!                                    then hs with [is[i]] <- hs[is[i]] op vs[i] else hs
//! ```

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val, ValExt};
use melior::ir::ValueLike;

use super::Lowering;
use crate::support::{
    builder::Builder,
    diag::{Result, internal_error},
    region::move_body,
    update::Update,
};

impl<'c> Lowering<'c> {
    /// `soac.hist` and `soac.scatter`.
    pub fn update(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<()> {
        let update = Update::of(op);
        let read = update.read();
        let Some(&first) = update.dests.first() else {
            return Err(internal_error(op, "update of nothing"));
        };
        let width = self.width(&b, op, &read)?;
        let results = self.counted_loop(b, width, &update.dests, |this, b, iv, carried| {
            let rows = this.rows(&b, &read, iv)?;
            let (at, values) = rows.split_at(update.at.len().min(rows.len()));
            let (at, inside) = b.in_range(at, first);
            let types: Vec<_> = carried.iter().map(|array| array.r#type()).collect();
            let updated = b.if_else(inside, &types, |b, taken| {
                if !taken {
                    return Ok(carried.to_vec());
                }
                let new = match op.body(0) {
                    Some(body) => this.combine(&b, body, carried, &at, values),
                    None => values.to_vec(),
                };
                let pairs = new.into_iter().zip(carried);
                Ok(pairs.map(|(new, &array)| b.replace_element(new, array, &at)).collect())
            })?;
            Ok(updated.result_list())
        })?;
        self.finish(op, &results);
        Ok(())
    }

    /// The operator of a hist, applied to what a bin holds and the new values.
    fn combine(
        &mut self,
        b: &Builder<'c>,
        body: Blk<'c>,
        arrays: &[Val<'c>],
        at: &[Val<'c>],
        values: &[Val<'c>],
    ) -> Vec<Val<'c>> {
        let held: Vec<_> = arrays.iter().map(|&array| b.element(array, at)).collect();
        self.consumable.extend(held.iter().map(ValExt::key));
        for (old, &new) in body.arg_list().into_iter().zip(held.iter().chain(values)) {
            old.replace_all_uses(new);
        }
        move_body(b, body, &[])
    }
}
