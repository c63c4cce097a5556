//! Random reductions, scans, histograms and scatters.

use super::generate::{Entry, Generator, Scope, element_type};
use super::generate_arrays::dims_of;
use super::tree::{Fold, Op, Ty};

/// A bound on the combination of `n` elements.
pub(super) fn folded_bound(fold: Fold, n: usize, bound: f64) -> f64 {
    match fold {
        Fold::Add => n as f64 * bound,
        Fold::Mul => bound.max(1.0).powi(n as i32),
        Fold::Twisted => (1.0 + bound).powi(n as i32),
        Fold::Affine => 4f64.powi(n as i32 + 1),
        Fold::Max | Fold::Min if n == 0 => 1e3,
        Fold::Max | Fold::Min => bound,
    }
}

impl Generator {
    /// Combines elements in one of the ways there are.
    pub(super) fn fold(&mut self, scope: &mut Scope) -> Option<Entry> {
        match self.rng.below(6) {
            0..3 => self.reduce(scope),
            3 => self.scan(scope),
            4 => self.hist(scope),
            _ => self.scatter(scope),
        }
    }

    fn reduce(&mut self, scope: &mut Scope) -> Option<Entry> {
        let a = self.array(scope, |_| true)?;
        let a = self.bounded(scope, a);
        let dims = dims_of(&a.ty);
        let (n, element) = (self.size(dims[0]), element_type(&dims));
        let fold = self.operator();
        let operand = (a.var, a.ty.clone());
        if fold == Fold::Affine {
            if dims.len() > 1 {
                return None;
            }
            let other = self.value(scope, &a.ty);
            let other = self.bounded(scope, other);
            let operands = vec![operand, (other.var, other.ty)];
            let entry =
                self.emit_all(scope, Op::Reduce(fold), operands, vec![], vec![Ty::Float; 2]);
            let count = scope.entries.len();
            scope.entries[count - 2..].iter_mut().for_each(|e| e.bound = 4f64.powi(n as i32 + 1));
            return Some(entry);
        }
        let bound = folded_bound(fold, n, a.bound);
        Some(self.emit(scope, Op::Reduce(fold), vec![operand], vec![], element, bound))
    }

    fn operator(&mut self) -> Fold {
        let folds =
            [Fold::Add, Fold::Add, Fold::Mul, Fold::Max, Fold::Min, Fold::Twisted, Fold::Affine];
        *self.rng.pick(&folds)
    }

    fn scan(&mut self, scope: &mut Scope) -> Option<Entry> {
        let a = self.array(scope, |_| true)?;
        let a = self.bounded(scope, a);
        let dims = dims_of(&a.ty);
        let mut fold = self.operator();
        let mut operands = vec![(a.var, a.ty.clone())];
        if fold == Fold::Affine && dims.len() > 1 {
            fold = Fold::Add;
        }
        if fold == Fold::Affine {
            let other = self.value(scope, &a.ty);
            operands.push((self.bounded(scope, other).var, a.ty.clone()));
        }
        let (exclusive, reverse) = (self.rng.one_in(2), self.rng.one_in(2));
        // The first element of an exclusive scan is the neutral element.
        let first = if exclusive { folded_bound(fold, 0, 1.0) } else { 0.0 };
        let bound = folded_bound(fold, self.size(dims[0]), a.bound).max(first);
        let types = vec![a.ty.clone(); operands.len()];
        let count = types.len();
        let op = Op::Scan { fold, exclusive, reverse };
        let entry = self.emit_all(scope, op, operands, vec![], types);
        let first = scope.entries.len() - count;
        scope.entries[first..].iter_mut().for_each(|e| e.bound = bound);
        Some(Entry { bound, ..entry })
    }

    /// Bins or a destination of rank one or two, and as many values as there are in another array.
    fn placed(&mut self, scope: &mut Scope) -> Option<(Entry, Entry, usize)> {
        let target = self.filled_array(scope, None)?;
        let target = self.bounded(scope, target);
        let symbol = self.symbol();
        let mut dims = dims_of(&target.ty);
        dims[0] = symbol;
        let values = self.value(scope, &Ty::Array(dims));
        let values = self.bounded(scope, values);
        Some((target, values, self.size(symbol)))
    }

    fn hist(&mut self, scope: &mut Scope) -> Option<Entry> {
        let (bins, values, n) = self.placed(scope)?;
        let mut fold = self.operator();
        let (factor, offset) = (self.rng.below(3), self.rng.below(3));
        let mut operands = vec![(bins.var, bins.ty.clone())];
        if fold == Fold::Affine && dims_of(&bins.ty).len() > 1 {
            fold = Fold::Twisted;
        }
        if fold == Fold::Affine {
            let other = self.value(scope, &bins.ty);
            operands.push((self.bounded(scope, other).var, bins.ty.clone()));
            let other = self.value(scope, &values.ty);
            operands.push((values.var, values.ty.clone()));
            operands.push((self.bounded(scope, other).var, values.ty.clone()));
        } else {
            operands.push((values.var, values.ty.clone()));
        }
        let bound = folded_bound(fold, n + 1, bins.bound.max(values.bound));
        let types = vec![bins.ty.clone(); operands.len() / 2];
        let count = types.len();
        let op = Op::Hist { fold, factor, offset };
        let entry = self.emit_all(scope, op, operands, vec![], types);
        let first = scope.entries.len() - count;
        scope.entries[first..].iter_mut().for_each(|e| e.bound = bound);
        Some(Entry { bound, ..entry })
    }

    fn scatter(&mut self, scope: &mut Scope) -> Option<Entry> {
        let (target, values, _) = self.placed(scope)?;
        let op = Op::Scatter { factor: self.rng.below(3), offset: self.rng.below(3) };
        let operands = vec![(target.var, target.ty.clone()), (values.var, values.ty)];
        let bound = target.bound.max(values.bound);
        Some(self.emit(scope, op, operands, vec![], target.ty, bound))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_hold_for_small_folds() {
        for x in [-2.0f64, 0.5, 2.0] {
            let mut product = 1.0;
            let mut twisted = 0.0;
            for n in 0..5 {
                assert!(f64::abs(product) <= folded_bound(Fold::Mul, n, 2.0));
                assert!(f64::abs(twisted) <= folded_bound(Fold::Twisted, n, 2.0));
                product *= x;
                twisted = twisted + x + twisted * x;
            }
        }
    }
}
