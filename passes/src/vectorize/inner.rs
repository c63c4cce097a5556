//! Inner loops that run alike in all lanes.

use ad_dialect::ir::{BlkExt, Op, OpExt, Val};

use super::{
    cost,
    emit::{Emitter, Lanes, malformed},
    plan::Class,
};
use crate::support::{
    builder::Builder, combinator::constant_index, diag::Result, rest::end_of_several,
};

impl<'c> Emitter<'_, 'c> {
    /// An inner loop. Where it goes along rows, it takes as many iterations at once as a register has
    /// lanes, and what that leaves runs behind it one by one.
    pub(super) fn inner_loop(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<()> {
        let operands = op.operand_list();
        let ([low, high, step], inits) =
            operands.split_first_chunk().ok_or_else(|| malformed(op))?;
        let [mut low, high, step] = [*low, *high, *step].map(|bound| self.scalar(bound));
        let mut carried = self.as_carried(&b, op, inits);
        if self.may_take_several(op) && (self.find_rows(op) | self.find_tiles(op)) {
            let several = b.index(self.register as i64);
            let (middle, _) = end_of_several(&b, low, high, several);
            carried =
                self.iterations_of(&b, op, [low, middle, several], &carried, self.register)?;
            self.rows.clear();
            self.columns.clear();
            self.tiles.clear();
            low = middle;
        }
        let results = self.iterations_of(&b, op, [low, high, step], &carried, 1)?;
        self.set_carried(op, &op.result_list(), &results);
        Ok(())
    }

    /// Whether the iterations of an inner loop are neighbours, of which there may be as many as a
    /// register has lanes.
    fn may_take_several(&self, op: Op<'c>) -> bool {
        let is_long = cost::trips(op).is_none_or(|trips| trips >= self.register as f64);
        is_long && self.register > 1 && op.opnd(2).and_then(constant_index) == Some(1)
    }

    /// A loop that takes several iterations of an inner one at once; returns what it carries out.
    fn iterations_of(
        &mut self,
        b: &Builder<'c>,
        op: Op<'c>,
        bounds: [Val<'c>; 3],
        inits: &[Val<'c>],
        several: usize,
    ) -> Result<Vec<Val<'c>>> {
        let body = op.body(0).ok_or_else(|| malformed(op))?;
        let arguments = body.arg_list();
        let ends = body.ends();
        let new = b.for_loop(bounds, inits, |inner, first, carried| {
            let mut carried = carried.to_vec();
            for i in 0..several {
                let number = if i == 0 { first } else { inner.add(first, inner.index(i as i64)) };
                self.set(arguments[0], Lanes::Same(number));
                self.set_carried(op, &arguments[1..], &carried);
                self.block(inner, body)?;
                carried = self.as_carried(&inner, op, &ends);
            }
            self.add_rows(&inner);
            Ok(carried)
        })?;
        Ok(new.result_list())
    }

    /// Which of the values that an inner loop carries differ between lanes.
    fn differs(&self, op: Op<'c>) -> impl Iterator<Item = bool> {
        let carried = op.body(0).map(|body| body.arg_list().split_off(1)).unwrap_or_default();
        carried.into_iter().map(|argument| self.facts.class(argument) == Class::Each)
    }

    /// Values as an inner loop carries them.
    pub(super) fn as_carried(
        &self,
        b: &Builder<'c>,
        op: Op<'c>,
        values: &[Val<'c>],
    ) -> Vec<Val<'c>> {
        let one = |(&v, each)| if each { self.vector(b, v) } else { self.scalar(v) };
        values.iter().zip(self.differs(op)).map(one).collect()
    }

    /// Says what arguments or results of an inner loop are.
    pub(super) fn set_carried(&mut self, op: Op<'c>, old: &[Val<'c>], new: &[Val<'c>]) {
        let differs: Vec<_> = self.differs(op).collect();
        for ((&old, &new), each) in old.iter().zip(new).zip(differs) {
            self.set(old, if each { Lanes::Each(new) } else { Lanes::Same(new) });
        }
    }
}
