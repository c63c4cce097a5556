//! Random statements on whole arrays: arithmetic, `linalg`, `tensor`.

use super::generate::{Entry, Generator, Scope};
use super::generate_arrays::dims_of;
use super::tree::{Body, Fold, Op, Ty};
use super::vocabulary::{BINARY, COMPLEX, UNARY, binary_bound, unary_bound};

impl Generator {
    pub(super) fn whole_statement(&mut self, scope: &mut Scope) -> Option<Entry> {
        match self.rng.below(10) {
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
        let a = self.filled_array(scope, Some(2))?;
        let mut dims = dims_of(&a.ty);
        dims.reverse();
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
        let mut inner = scope.inner();
        // Bodies of `linalg` operations are scalar code.
        inner.entries.retain(|e| e.ty == Ty::Float);
        let mut params = Vec::new();
        for bound in [a.bound, other.bound] {
            let var = self.fresh();
            inner.add(var, Ty::Float, bound, true);
            params.push((var, Ty::Float));
        }
        for _ in 0..1 + self.rng.below(3) {
            self.scalar_statement(&mut inner);
        }
        let value = self.float(&mut inner);
        let results = vec![(self.bounded(&mut inner, value).var, Ty::Float)];
        let body = Body { params, stmts: inner.stmts, results };
        let operands = vec![(a.var, a.ty), (other.var, other.ty)];
        let ty = Ty::Array(vec![dims[0]]);
        Some(self.emit(scope, Op::Contract, operands, vec![body], ty, 10.0))
    }

    fn column_fold(&mut self, scope: &mut Scope) -> Option<Entry> {
        let a = self.matrix(scope)?;
        let a = self.bounded(scope, a);
        let dims = dims_of(&a.ty);
        let fold = *self.rng.pick(&[Fold::Add, Fold::Mul, Fold::Max]);
        let operands = vec![(a.var, a.ty)];
        Some(self.emit(scope, Op::Columns(fold), operands, vec![], Ty::Array(vec![dims[0]]), 32.0))
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
        let op = Op::Complex(self.rng.below(COMPLEX.len()));
        Some(self.emit_all(scope, op, operands, vec![], vec![Ty::Float; 2]))
    }
}
