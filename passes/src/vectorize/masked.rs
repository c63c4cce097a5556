//! The iterations that no whole vector is left for, on a part of one.
//!
//! ```text
//! if left > 0                          or, of a vector of several registers
//!   m = the first `left` lanes           if left <= R         m = the first left lanes of R
//!   the body on lanes m                    the body on lanes m
//!                                        else if left <= 2 R  m = the first left - R lanes of R
//!                                          the body on R lanes and lanes m
//!                                        else ...
//! ```
//! A register that no lane needs takes as long as any other, and so does a mask where all lanes are
//! needed, on some processors much longer.

use ad_dialect::ir::{Blk, OpExt, TyExt, Val};
use melior::ir::{Type, ValueLike};

use super::{
    carried::Carried,
    emit::{Emitter, Lanes, malformed, types},
    plan::Plan,
};
use crate::support::{
    builder::{Builder, CMP_SGT},
    diag::Result,
    memory::behind,
};

impl<'c> Plan<'c> {
    /// Runs the last iterations, given where they begin and how many there are; takes and returns what
    /// the loop carries.
    pub(super) fn masked_rest<'a>(
        &'a self,
        b: &Builder<'c>,
        emitter: impl Fn() -> Emitter<'a, 'c>,
        (middle, left): (Val<'c>, Val<'c>),
        partial: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let is_any_left = b.compare(CMP_SGT, left, b.index(0));
        let rest =
            b.if_else(is_any_left, &types(partial), |b, taken| match (taken, self.is_split) {
                (false, _) => Ok(partial.to_vec()),
                (true, true) => self.split_rest(b, &emitter, (middle, left), partial, 1),
                (true, false) => {
                    let mut emitter = emitter();
                    emitter.mask = Some(mask(&b, self.lanes, left));
                    emitter.iterations(b, self.body()?, middle, partial)
                }
            })?;
        Ok(rest.result_list())
    }

    /// The same on so many registers, if those are enough, else on more.
    fn split_rest<'a>(
        &'a self,
        b: Builder<'c>,
        emitter: &impl Fn() -> Emitter<'a, 'c>,
        (middle, left): (Val<'c>, Val<'c>),
        partial: &[Val<'c>],
        registers: usize,
    ) -> Result<Vec<Val<'c>>> {
        let end = registers * self.register;
        if end == self.lanes {
            return self.rest_on(b, emitter(), (middle, left), partial, registers);
        }
        let is_more = b.compare(CMP_SGT, left, b.index(end as i64));
        let rest = b.if_else(is_more, &types(partial), |b, taken| match taken {
            true => self.split_rest(b, emitter, (middle, left), partial, registers + 1),
            false => self.rest_on(b, emitter(), (middle, left), partial, registers),
        })?;
        Ok(rest.result_list())
    }

    /// The same on some lanes of the last of so many registers and all before it. LLVM would take apart
    /// vectors whose number of lanes is no power of two; of a register that is never read it drops most.
    fn rest_on(
        &self,
        b: Builder<'c>,
        mut emitter: Emitter<'_, 'c>,
        (middle, left): (Val<'c>, Val<'c>),
        partial: &[Val<'c>],
        registers: usize,
    ) -> Result<Vec<Val<'c>>> {
        let lanes = registers.next_power_of_two() * self.register;
        let full = (registers - 1) * self.register;
        emitter.lanes = lanes;
        emitter.mask = Some(mask(&b, lanes, left));
        emitter.last = (registers > 1).then(|| {
            let behind = b.val("arith.subi", &[left, b.index(full as i64)], b.index_type());
            (full, mask(&b, self.register, behind))
        });
        let carried = || partial.iter().copied().zip(&self.facts.carried.kinds);
        let is_part = |kind: &Carried| lanes < self.lanes && *kind != Carried::InTurn;
        let own: Vec<_> = carried()
            .map(|(all, kind)| if is_part(kind) { part(&b, all, 0, lanes) } else { all })
            .collect();
        let own = emitter.iterations(b, self.body()?, middle, &own)?;
        let whole = carried().zip(own);
        Ok(whole
            .map(|((all, kind), own)| if is_part(kind) { insert(&b, own, all, 0) } else { own })
            .collect())
    }

    fn body(&self) -> Result<Blk<'c>> {
        self.copy.body(0).ok_or_else(|| malformed(self.copy))
    }
}

impl<'c> Emitter<'_, 'c> {
    /// A vector from neighbouring places; zeros in lanes that do not run.
    pub(super) fn load_row(
        &self,
        b: &Builder<'c>,
        array: Val<'c>,
        at: &[Val<'c>],
        ty: Type<'c>,
    ) -> Val<'c> {
        let zeros = |ty: Type<'c>| b.val("vector.broadcast", &[b.zero_scalar(ty.scalar())], ty);
        let masked = |at: &[Val<'c>], mask, ty| {
            b.val("vector.maskedload", &[&[array], at, &[mask, zeros(ty)]].concat(), ty)
        };
        let whole = |at: &[Val<'c>], ty| b.val("vector.load", &[&[array], at].concat(), ty);
        match (self.mask, self.last) {
            (None, _) => whole(at, ty),
            (Some(mask), None) => masked(at, mask, ty),
            (Some(_), Some((last, mask))) => {
                let register = Type::vector(&[self.register as u64], ty.scalar());
                (0..=last).step_by(self.register).fold(zeros(ty), |all, from| {
                    let at = behind(b, at, from as i64);
                    let is_last = from == last;
                    let own =
                        if is_last { masked(&at, mask, register) } else { whole(&at, register) };
                    insert(b, own, all, from)
                })
            }
        }
    }

    /// Stores the lanes of a vector that run to neighbouring places.
    pub(super) fn store_row(&self, b: &Builder<'c>, all: Val<'c>, array: Val<'c>, at: &[Val<'c>]) {
        let masked = |at: &[Val<'c>], mask, value| {
            b.op("vector.maskedstore", &[&[array], at, &[mask, value]].concat(), &[]);
        };
        let whole = |at: &[Val<'c>], value| {
            b.op("vector.store", &[&[value, array], at].concat(), &[]);
        };
        match (self.mask, self.last) {
            (None, _) => whole(at, all),
            (Some(mask), None) => masked(at, mask, all),
            (Some(_), Some((last, mask))) => {
                for from in (0..=last).step_by(self.register) {
                    let (own, at) = (part(b, all, from, self.register), behind(b, at, from as i64));
                    if from == last { masked(&at, mask, own) } else { whole(&at, own) }
                }
            }
        }
    }

    /// How many lanes may run.
    pub(super) fn running(&self) -> usize {
        self.last.map_or(self.lanes, |(last, _)| last + self.register)
    }

    /// Whether a lane runs, unless it always does.
    pub(super) fn runs(&self, b: &Builder<'c>, lane: usize) -> Option<Val<'c>> {
        let is_always = self.last.is_some_and(|(last, _)| lane < last);
        let mask = self.mask.filter(|_| !is_always)?;
        Some(self.lane(b, Lanes::Each(mask), lane))
    }
}

/// The first so many of some lanes.
fn mask<'c>(b: &Builder<'c>, lanes: usize, count: Val<'c>) -> Val<'c> {
    b.val("vector.create_mask", &[count], Type::vector(&[lanes as u64], b.bool_type()))
}

/// The type of a vector with as many lanes as another one.
pub(super) fn vector_of<'c>(like: Val<'c>, scalar: Type<'c>) -> Type<'c> {
    let lanes: Vec<_> = like.r#type().lanes().into_iter().map(|lanes| lanes as u64).collect();
    Type::vector(&lanes, scalar)
}

/// Lanes of a vector.
fn part<'c>(b: &Builder<'c>, all: Val<'c>, from: usize, lanes: usize) -> Val<'c> {
    let [offsets, sizes, strides] = [from, lanes, 1].map(|n| b.list_attr(&[n as i64]));
    let slice = [("offsets", offsets), ("sizes", sizes), ("strides", strides)];
    let ty = Type::vector(&[lanes as u64], all.r#type().scalar());
    b.val_with("vector.extract_strided_slice", &[all], ty, &slice)
}

/// A vector with some lanes in the place of its own.
fn insert<'c>(b: &Builder<'c>, part: Val<'c>, all: Val<'c>, from: usize) -> Val<'c> {
    let slice = [("offsets", b.list_attr(&[from as i64])), ("strides", b.list_attr(&[1]))];
    b.val_with("vector.insert_strided_slice", &[part, all], all.r#type(), &slice)
}
