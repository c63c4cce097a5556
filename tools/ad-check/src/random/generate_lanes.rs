//! Random statements on vectors of a fixed number of lanes.

use super::generate::{Entry, Generator, Scope};
use super::ops::LanesOp;
use super::tree::{Fold, Op, Ty};
use super::vocabulary::{BINARY, UNARY, binary_bound, unary_bound};

impl Generator {
    /// The type of vectors in scope, or of others.
    pub(super) fn lanes_type(&mut self, scope: &Scope) -> Ty {
        let known = scope.entries.iter().rev().find(|e| matches!(e.ty, Ty::Lanes(_)));
        match known {
            Some(entry) if !self.rng.one_in(5) => entry.ty.clone(),
            _ => Ty::Lanes(*self.rng.pick(&[4, 4, 2, 3, 1])),
        }
    }

    pub(super) fn lanes_statement(&mut self, scope: &mut Scope) -> Option<Entry> {
        let ty = self.lanes_type(scope);
        let Ty::Lanes(lanes) = ty else { return None };
        let v = self.value(scope, &ty);
        match self.rng.below(9) {
            0..3 => Some(self.lanes_arithmetic(scope, v)),
            3 => {
                let mut operands = vec![(v.var, ty)];
                operands.extend(self.index_operands(scope, 1));
                let op = Op::Lanes(LanesOp::Extract);
                Some(self.emit(scope, op, operands, vec![], Ty::Float, v.bound))
            }
            4 => {
                let x = self.float(scope);
                let mut operands = vec![(v.var, ty.clone()), (x.var, Ty::Float)];
                operands.extend(self.index_operands(scope, 1));
                let op = Op::Lanes(LanesOp::Insert);
                Some(self.emit(scope, op, operands, vec![], ty, v.bound.max(x.bound)))
            }
            5 => Some(self.lanes_total(scope, v, lanes)),
            6 => {
                let types = vec![Ty::Float; lanes];
                let v = self.bounded(scope, v);
                let op = Op::Lanes(LanesOp::ToElements);
                Some(self.emit_all(scope, op, vec![(v.var, ty)], vec![], types))
            }
            7 if lanes % 2 == 0 => {
                let op = Op::Lanes(LanesOp::Shuffle);
                Some(self.emit(scope, op, vec![(v.var, ty.clone())], vec![], ty, v.bound))
            }
            _ => {
                let other = self.value(scope, &ty);
                let op = Op::Lanes(LanesOp::Rows(self.rng.below(2)));
                let bound = v.bound * v.bound.max(other.bound);
                let operands = vec![(v.var, ty.clone()), (other.var, ty.clone())];
                Some(self.emit(scope, op, operands, vec![], ty, bound))
            }
        }
    }

    /// What arithmetic makes of each lane.
    fn lanes_arithmetic(&mut self, scope: &mut Scope, v: Entry) -> Entry {
        let ty = v.ty.clone();
        let other = self.value(scope, &ty);
        let pair = vec![(v.var, ty.clone()), (other.var, ty.clone())];
        match self.rng.below(6) {
            0 | 1 => {
                let f = self.rng.below(UNARY.len());
                let bound = unary_bound(f, v.bound);
                self.emit(scope, Op::Unary(f), pair[..1].to_vec(), vec![], ty, bound)
            }
            2 | 3 => {
                let f = self.rng.below(BINARY.len());
                let bound = binary_bound(f, v.bound, other.bound);
                self.emit(scope, Op::Binary(f), pair, vec![], ty, bound)
            }
            4 => {
                let third = self.value(scope, &ty);
                let bound = v.bound * other.bound + third.bound;
                let operands = [pair, vec![(third.var, ty.clone())]].concat();
                self.emit(scope, Op::Fma, operands, vec![], ty, bound)
            }
            _ => {
                let operands = [pair.clone(), pair].concat();
                let predicate = *self.rng.pick(&["olt", "oge", "une"]);
                let bound = v.bound.max(other.bound);
                self.emit(scope, Op::Select(predicate), operands, vec![], ty, bound)
            }
        }
    }

    fn lanes_total(&mut self, scope: &mut Scope, v: Entry, lanes: usize) -> Entry {
        let v = self.bounded(scope, v);
        let fold = *self.rng.pick(&[Fold::Add, Fold::Add, Fold::Mul, Fold::Max, Fold::Min]);
        let mut operands = vec![(v.var, v.ty)];
        if self.rng.one_in(2) {
            operands.extend(self.bounded_values(scope, &[Ty::Float]));
        }
        let bound = match fold {
            Fold::Add => 2.0 * (lanes + 1) as f64,
            Fold::Mul => 2f64.powi(lanes as i32 + 1),
            _ => 2.0,
        };
        self.emit(scope, Op::Lanes(LanesOp::Reduction(fold)), operands, vec![], Ty::Float, bound)
    }

    /// A vector made of numbers.
    pub(super) fn fresh_lanes(&mut self, scope: &mut Scope, lanes: usize) -> Entry {
        let broadcast = self.rng.one_in(3);
        let count = if broadcast { 1 } else { lanes };
        let numbers: Vec<Entry> = (0..count).map(|_| self.float(scope)).collect();
        let op = if broadcast { LanesOp::Broadcast } else { LanesOp::FromElements };
        let bound = numbers.iter().map(|e| e.bound).fold(0.0, f64::max);
        let operands = numbers.into_iter().map(|e| (e.var, e.ty)).collect();
        self.emit(scope, Op::Lanes(op), operands, vec![], Ty::Lanes(lanes), bound)
    }
}
