//! What the lanes of a subgroup combine, in the order of the elements.
//!
//! The lanes have neighbouring elements, one each, so that the operator need not commute. If it does, a lane combines all
//! of its own elements first.

use ad_dialect::ir::{OpExt, Val};

use super::{
    reduce::Combine,
    subgroup::{LANES, STEPS, from_before, from_behind},
};
use crate::support::{
    builder::{Builder, CMP_SGE, CMP_SLT},
    diag::Result,
};

/// An operator on elements that are gone over from the first one to the last, or the other way.
#[derive(Clone, Copy)]
pub struct Ordered<'a, 'c> {
    pub operator: Combine<'a, 'c>,
    pub is_reverse: bool,
}

impl<'c> Ordered<'_, 'c> {
    pub fn combine(&self, b: &Builder<'c>, earlier: &[Val<'c>], later: &[Val<'c>]) -> Vec<Val<'c>> {
        let (left, right) = if self.is_reverse { (later, earlier) } else { (earlier, later) };
        self.operator.apply(b, left, right)
    }

    /// What a lane has of all elements so far with some more, of each of which all lanes have one. `all` says what these
    /// combine to.
    pub fn add(
        &self,
        b: &Builder<'c>,
        lane: Val<'c>,
        running: &[Val<'c>],
        mut tuples: Vec<Vec<Val<'c>>>,
    ) -> Result<Vec<Val<'c>>> {
        if !self.operator.commutes {
            tuples = self.of_all_lanes(b, lane, tuples)?;
        }
        Ok(tuples.iter().fold(running.to_vec(), |all, next| self.combine(b, &all, next)))
    }

    /// What all elements combine to, for the first lane, given what each lane has of them.
    pub fn all(
        &self,
        b: &Builder<'c>,
        lane: Val<'c>,
        running: Vec<Val<'c>>,
    ) -> Result<Vec<Val<'c>>> {
        if !self.operator.commutes {
            return Ok(running);
        }
        Ok(self.of_all_lanes(b, lane, vec![running])?.concat())
    }

    /// What each of some tuples combines to with those of all lanes behind, for the first lane.
    fn of_all_lanes(
        &self,
        b: &Builder<'c>,
        lane: Val<'c>,
        tuples: Vec<Vec<Val<'c>>>,
    ) -> Result<Vec<Vec<Val<'c>>>> {
        self.in_lanes(b, tuples, |b, distance, own| {
            let others = own.iter().map(|&value| from_behind(b, value, distance)).collect();
            let is_there = || b.compare(CMP_SLT, b.add(lane, distance), b.index(LANES));
            self.combine(b, own, &self.operator.operands(b, is_there, others))
        })
    }

    /// What each of some tuples combines to with those of all lanes before.
    pub fn of_lanes_before(
        &self,
        b: &Builder<'c>,
        lane: Val<'c>,
        tuples: Vec<Vec<Val<'c>>>,
    ) -> Result<Vec<Vec<Val<'c>>>> {
        self.in_lanes(b, tuples, |b, distance, own| {
            let others = own.iter().map(|&value| from_before(b, value, distance)).collect();
            let is_there = b.compare(CMP_SGE, lane, distance);
            let others = self.operator.operands(b, || is_there, others);
            let both = self.combine(b, &others, own).into_iter().zip(own);
            both.map(|(both, &own)| b.select(is_there, both, own)).collect()
        })
    }

    /// Does something to each of some tuples for distances between lanes that double.
    fn in_lanes(
        &self,
        b: &Builder<'c>,
        tuples: Vec<Vec<Val<'c>>>,
        step: impl Fn(&Builder<'c>, Val<'c>, &[Val<'c>]) -> Vec<Val<'c>>,
    ) -> Result<Vec<Vec<Val<'c>>>> {
        let width = self.operator.neutrals.len().max(1);
        let bounds = [b.index(0), b.index(STEPS), b.index(1)];
        let all = b.for_loop(bounds, &tuples.concat(), |b, k, all| {
            let distance = b.same("arith.shli", &[b.index(1), k]);
            Ok(all.chunks(width).flat_map(|own| step(&b, distance, own)).collect())
        })?;
        Ok(all.result_list().chunks(width).map(<[_]>::to_vec).collect())
    }
}
