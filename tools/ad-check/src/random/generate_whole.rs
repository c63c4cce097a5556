//! Random statements on whole arrays: arithmetic, `linalg`, `tensor`.

use super::generate::{Entry, Generator, Scope};
use super::generate_arrays::dims_of;
use super::generate_folds::folded_bound;
use super::tree::{Fold, Op, Ty, Var};
use super::vocabulary::{BINARY, COMPLEX, UNARY, binary_bound, unary_bound};

impl Generator {
    pub(super) fn whole_statement(&mut self, scope: &mut Scope) -> Option<Entry> {
        match self.rng.below(11) {
            10 => self.choose(scope),
            0 | 1 => self.whole_arithmetic(scope),
            2 => self.transpose(scope),
            3 | 4 => self.product(scope),
            5 => self.column_fold(scope),
            6 => self.pad(scope),
            7 => self.concat(scope),
            _ => self.complex(scope),
        }
    }

    fn whole_arithmetic(&mut self, scope: &mut Scope) -> Option<Entry> {
        let a = self.array(scope, |_| true)?;
        let a = if a.bound > 20.0 { self.bounded(scope, a) } else { a };
        let operand = (a.var, a.ty.clone());
        if self.rng.one_in(2) {
            let f = self.rng.below(UNARY.len());
            let bound = unary_bound(f, a.bound);
            return Some(self.emit(scope, Op::Unary(f), vec![operand], vec![], a.ty, bound));
        }
        let f = self.rng.below(BINARY.len());
        let other = self.value(scope, &a.ty);
        let bound = binary_bound(f, a.bound, other.bound);
        let operands = vec![operand, (other.var, other.ty)];
        Some(self.emit(scope, Op::Binary(f), operands, vec![], a.ty, bound))
    }

    fn matrix(&mut self, scope: &Scope) -> Option<Entry> {
        self.array(scope, |dims| dims.len() == 2)
    }

    fn transpose(&mut self, scope: &mut Scope) -> Option<Entry> {
        let a = self.filled_array(scope, None)?;
        let mut dims = dims_of(&a.ty);
        dims.rotate_left(1);
        let operands = vec![(a.var, a.ty)];
        Some(self.emit(scope, Op::Transpose, operands, vec![], Ty::Array(dims), a.bound))
    }

    fn product(&mut self, scope: &mut Scope) -> Option<Entry> {
        let a = self.matrix(scope)?;
        let a = self.bounded(scope, a);
        let dims = dims_of(&a.ty);
        let columns = if self.rng.one_in(2) { vec![self.symbol()] } else { vec![] };
        let other = self.value(scope, &Ty::Array([&dims[1..], &columns].concat()));
        let bound = self.size(dims[1]) as f64 * a.bound * other.bound;
        let operands = vec![(a.var, a.ty), (other.var, other.ty)];
        let ty = Ty::Array([&dims[..1], &columns].concat());
        Some(self.emit(scope, Op::Product, operands, vec![], ty, bound))
    }

    pub(super) fn contract(&mut self, scope: &mut Scope) -> Option<Entry> {
        let a = self.matrix(scope)?;
        let dims = dims_of(&a.ty);
        let other = self.value(scope, &Ty::Array(vec![dims[1]]));
        let body = self.scalar_body(scope, &[a.bound, other.bound]);
        let operands = vec![(a.var, a.ty), (other.var, other.ty)];
        let ty = Ty::Array(vec![dims[0]]);
        Some(self.emit(scope, Op::Contract, operands, vec![body], ty, 10.0))
    }

    fn column_fold(&mut self, scope: &mut Scope) -> Option<Entry> {
        let a = self.matrix(scope)?;
        let a = self.bounded(scope, a);
        let mut dims = dims_of(&a.ty);
        let dim = self.rng.below(2);
        let n = self.size(dims.remove(dim));
        let folds = [Fold::Add, Fold::Mul, Fold::Max, Fold::Min, Fold::Twisted];
        let fold = *self.rng.pick(&folds);
        let bound = folded_bound(fold, n, a.bound);
        let operands = vec![(a.var, a.ty)];
        Some(self.emit(scope, Op::Columns(fold, dim), operands, vec![], Ty::Array(dims), bound))
    }

    fn pad(&mut self, scope: &mut Scope) -> Option<Entry> {
        let a = self.array(scope, |dims| dims.len() == 1)?;
        let x = self.float(scope);
        let (low, high) = (self.rng.below(3), self.rng.below(3));
        let size = low + self.size(dims_of(&a.ty)[0]) + high;
        let ty = Ty::Array(vec![self.local_symbol(size)]);
        let bound = a.bound.max(x.bound);
        let operands = vec![(a.var, a.ty), (x.var, x.ty)];
        Some(self.emit(scope, Op::Pad { low, high }, operands, vec![], ty, bound))
    }

    fn concat(&mut self, scope: &mut Scope) -> Option<Entry> {
        let a = self.array(scope, |dims| dims.len() == 1)?;
        let b = self.array(scope, |dims| dims.len() == 1)?;
        let size = self.size(dims_of(&a.ty)[0]) + self.size(dims_of(&b.ty)[0]);
        let ty = Ty::Array(vec![self.local_symbol(size)]);
        let bound = a.bound.max(b.bound);
        let operands = vec![(a.var, a.ty), (b.var, b.ty)];
        Some(self.emit(scope, Op::Concat, operands, vec![], ty, bound))
    }

    fn complex(&mut self, scope: &mut Scope) -> Option<Entry> {
        let operands = self.bounded_values(scope, &[Ty::Float, Ty::Float]);
        let f = self.rng.below(COMPLEX.len());
        let entry = self.emit_all(scope, Op::Complex(f), operands, vec![], vec![Ty::Float; 2]);
        if COMPLEX[f].0 == "complex.pow" {
            let count = scope.entries.len();
            scope.entries[count - 2..].iter_mut().for_each(|e| e.bound = 12.0);
        }
        Some(entry)
    }

    /// One of two arrays, or each element of one of them.
    fn choose(&mut self, scope: &mut Scope) -> Option<Entry> {
        let x = self.array(scope, |_| true)?;
        let y = self.value(scope, &x.ty);
        let compared = if self.rng.one_in(2) { Ty::Float } else { x.ty.clone() };
        let mut operands: Vec<(Var, Ty)> =
            (0..2).map(|_| (self.value(scope, &compared).var, compared.clone())).collect();
        operands.extend([(x.var, x.ty.clone()), (y.var, y.ty)]);
        let predicate = *self.rng.pick(&["olt", "ogt", "une"]);
        Some(self.emit(scope, Op::Select(predicate), operands, vec![], x.ty, x.bound.max(y.bound)))
    }
}
