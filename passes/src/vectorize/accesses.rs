//! Loads and stores of the vectorised loop.

use ad_dialect::ir::{Op, OpExt, Val};
use melior::ir::ValueLike;

use super::{
    carried::Carried,
    emit::{Emitter, Lanes, copy, malformed},
    plan::{Class, Index},
};
use crate::support::{builder::Builder, diag::Result, memory};

impl<'c> Emitter<'_, 'c> {
    /// The places of an access in one lane, in a buffer that is the same one in all.
    pub(super) fn indices(&self, b: &Builder<'c>, at: &[Index<'c>], lane: usize) -> Vec<Val<'c>> {
        at.iter()
            .map(|index| {
                let mut sum: Option<Val<'c>> = None;
                for (value, stride) in &index.terms {
                    let mut term = self.lane(b, self.lanes(*value), lane);
                    if *stride != 1 {
                        term = b.val("arith.muli", &[term, b.index(*stride)], term.r#type());
                    }
                    sum = Some(sum.map_or(term, |s| b.val("arith.addi", &[s, term], s.r#type())));
                }
                match (sum, index.constant) {
                    (Some(sum), 0) => sum,
                    (Some(sum), c) => b.val("arith.addi", &[sum, b.index(c)], sum.r#type()),
                    (None, c) => b.index(c),
                }
            })
            .collect()
    }

    pub(super) fn load(&mut self, b: &Builder<'c>, op: Op<'c>) -> Result<()> {
        let operands = op.operand_list();
        let (&array, at) = operands.split_first().ok_or_else(|| malformed(op))?;
        let result = op.res(0).ok_or_else(|| malformed(op))?;
        let value = match self.facts.is_private(array) {
            true => self.load_own(b, array, at),
            false => {
                let place = self.facts.place(array, at).ok_or_else(|| malformed(op))?;
                if let Some(column) = self.load_column(b, op, &place) {
                    self.set(result, Lanes::Each(column));
                    return Ok(());
                }
                let array = self.scalar(place.array);
                let read = |lane| memory::load(b, array, &self.indices(b, &place.at, lane));
                match self.facts.class_of_place(&place) {
                    Class::Same => Lanes::Same(read(0)),
                    Class::Next => {
                        let ty = self.vector_type(result.r#type());
                        Lanes::Each(self.load_row(b, array, &self.indices(b, &place.at, 0), ty))
                    }
                    Class::Each => self.gather(b, &(0..self.lanes).map(read).collect::<Vec<_>>()),
                }
            }
        };
        self.set(result, value);
        Ok(())
    }

    /// A load from an array of the loop's own.
    fn load_own(&self, b: &Builder<'c>, array: Val<'c>, at: &[Val<'c>]) -> Lanes<'c> {
        let own = self.scalar(array);
        let has_vectors = self.facts.elements(array) != Class::Same;
        let read = |lane: usize| {
            let at: Vec<_> = at.iter().map(|&i| self.lane(b, self.lanes(i), lane)).collect();
            memory::load(b, own, &at)
        };
        let is_same = at.iter().all(|&i| self.facts.class(i) == Class::Same);
        match (is_same, has_vectors) {
            (true, true) => Lanes::Each(read(0)),
            (true, false) => Lanes::Same(read(0)),
            (false, true) => {
                let lane = |l| self.lane(b, Lanes::Each(read(l)), l);
                self.gather(b, &(0..self.lanes).map(lane).collect::<Vec<_>>())
            }
            (false, false) => self.gather(b, &(0..self.lanes).map(read).collect::<Vec<_>>()),
        }
    }

    pub(super) fn store(&mut self, b: &Builder<'c>, op: Op<'c>) -> Result<()> {
        let operands = op.operand_list();
        let ([value, array], at) = operands.split_first_chunk().ok_or_else(|| malformed(op))?;
        if self.facts.is_private(*array) {
            self.store_own(b, *value, *array, at);
            return Ok(());
        }
        let place = self.facts.place(*array, at).ok_or_else(|| malformed(op))?;
        let array = self.scalar(place.array);
        let class = self.facts.class_of_place(&place);
        let addition = self.facts.addition(op);
        let value = self.lanes(addition.map_or(*value, |addition| addition.value));
        if class == Class::Same && addition.is_some() {
            let at = self.indices(b, &place.at, 0);
            let terms = self.spread(b, value);
            if self.add_to_row(b, op, &at, terms) {
                return Ok(());
            }
            let old = memory::load(b, array, &at);
            let sum = Carried::Sum.of_lanes(b, terms, old);
            memory::store(b, sum, array, &at);
            return Ok(());
        }
        if class == Class::Next {
            let at = self.indices(b, &place.at, 0);
            let mut all = self.spread(b, value);
            if let Some(addition) = addition {
                let old = self.load_row(b, array, &at, all.r#type());
                all = copy(b, addition.sum, &[old, all], &[all.r#type()])[0];
            }
            self.store_row(b, all, array, &at);
            return Ok(());
        }
        if self.add_to_tile(b, op, &place, value) {
            return Ok(());
        }
        for lane in 0..self.lanes {
            let at = self.indices(b, &place.at, lane);
            let mut value = self.lane(b, value, lane);
            if let Some(addition) = addition {
                let old = memory::load(b, array, &at);
                value = copy(b, addition.sum, &[old, value], &[value.r#type()])[0];
            }
            memory::store(b, value, array, &at);
        }
        Ok(())
    }

    /// A store to an array of the loop's own.
    fn store_own(&self, b: &Builder<'c>, value: Val<'c>, array: Val<'c>, at: &[Val<'c>]) {
        let own = self.scalar(array);
        let place = |lane: usize| -> Vec<Val<'c>> {
            at.iter().map(|&i| self.lane(b, self.lanes(i), lane)).collect()
        };
        if self.facts.elements(array) == Class::Same {
            memory::store(b, self.scalar(value), own, &place(0));
        } else if at.iter().all(|&i| self.facts.class(i) == Class::Same) {
            memory::store(b, self.vector(b, value), own, &place(0));
        } else {
            for lane in 0..self.lanes {
                let at = place(lane);
                let (old, new) = (memory::load(b, own, &at), self.lane(b, self.lanes(value), lane));
                let position = [("static_position", b.i64s_attr(&[lane as i64]))];
                let all = b.val_with("vector.insert", &[new, old], old.r#type(), &position);
                memory::store(b, all, own, &at);
            }
        }
    }
}
