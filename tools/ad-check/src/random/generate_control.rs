//! Random loops and branches.

use super::generate::{Entry, Generator, Scope};
use super::tree::{Body, Fold, Op, Ty, Var};

impl Generator {
    /// A loop or a branch.
    pub(super) fn control(&mut self, scope: &mut Scope, depth: usize) -> Option<Entry> {
        match self.rng.below(10) {
            0..4 => self.counted(scope, depth),
            4 | 5 => self.branch(scope, depth),
            6 => self.switch(scope, depth),
            7 => self.conditional_loop(scope, depth),
            8 => self.parallel(scope, depth),
            _ => self.forall(scope, depth),
        }
    }

    fn counted(&mut self, scope: &mut Scope, depth: usize) -> Option<Entry> {
        let mut inits = Vec::new();
        for i in 0..1 + self.rng.below(3) {
            let ty = if i > 0 && self.rng.one_in(2) { self.array_type() } else { Ty::Float };
            let init = self.value(scope, &ty);
            inits.push(self.bounded(scope, init));
        }
        let mut inner = scope.inner();
        let mut params = vec![(self.fresh(), Ty::Index)];
        inner.add(params[0].0, Ty::Index, 4.0, false);
        for init in &inits {
            let var = self.fresh();
            inner.add(var, init.ty.clone(), 2.0, true);
            params.push((var, init.ty.clone()));
        }
        let types: Vec<Ty> = inits.iter().map(|e| e.ty.clone()).collect();
        let body = self.body(inner, params, depth, &types);
        let mut operands = Vec::new();
        if self.rng.one_in(3) {
            operands.extend(self.index_operands(scope, 1));
        }
        let op = Op::For {
            lower: self.rng.below(2),
            upper: self.rng.below(5),
            step: 1 + self.rng.below(2),
            carried: inits.len(),
        };
        operands.extend(inits.into_iter().map(|e| (e.var, e.ty)));
        Some(self.emit_all(scope, op, operands, vec![body], types))
    }

    fn branch(&mut self, scope: &mut Scope, depth: usize) -> Option<Entry> {
        let (predicate, operands) = if self.rng.one_in(2) {
            (*self.rng.pick(&["ult", "eq", "uge"]), self.index_operands(scope, 2))
        } else {
            let pair = [self.float(scope), self.float(scope)].map(|e| (e.var, Ty::Float));
            (*self.rng.pick(&["olt", "oge", "one"]), pair.to_vec())
        };
        let mut types = vec![Ty::Float];
        if self.rng.one_in(3) {
            types.push(self.array_type());
        }
        let bodies = [(); 2].map(|()| self.body(scope.inner(), vec![], depth, &types));
        Some(self.emit_all(scope, Op::If(predicate), operands, bodies.into(), types))
    }

    fn switch(&mut self, scope: &mut Scope, depth: usize) -> Option<Entry> {
        let operands = self.index_operands(scope, 1);
        let mut types = vec![Ty::Float];
        if self.rng.one_in(3) {
            types.push(self.array_type());
        }
        let bodies = [(); 3].map(|()| self.body(scope.inner(), vec![], depth, &types));
        Some(self.emit_all(scope, Op::Switch, operands, bodies.into(), types))
    }

    fn conditional_loop(&mut self, scope: &mut Scope, depth: usize) -> Option<Entry> {
        let mut types = vec![Ty::Float];
        if self.rng.one_in(2) {
            types.push(self.array_type());
        }
        let operands = self.bounded_values(scope, &types);
        let mut inner = scope.inner();
        let mut params = vec![(self.fresh(), Ty::Index)];
        inner.add(params[0].0, Ty::Index, 4.0, false);
        for ty in &types {
            let var = self.fresh();
            inner.add(var, ty.clone(), 2.0, true);
            params.push((var, ty.clone()));
        }
        let body = self.body(inner, params, depth, &types);
        let op = Op::While { limit: self.rng.below(4), watches: self.rng.one_in(2) };
        Some(self.emit_all(scope, op, operands, vec![body], types))
    }

    /// A body that computes a number from an index.
    fn indexed_body(&mut self, scope: &Scope, depth: usize) -> Body {
        let mut inner = scope.inner();
        let params: Vec<(Var, Ty)> = vec![(self.fresh(), Ty::Index)];
        inner.add(params[0].0, Ty::Index, 4.0, false);
        self.body(inner, params, depth, &[Ty::Float])
    }

    fn parallel(&mut self, scope: &mut Scope, depth: usize) -> Option<Entry> {
        let init = self.bounded_values(scope, &[Ty::Float]);
        let body = self.indexed_body(scope, depth);
        let fold = *self.rng.pick(&[Fold::Add, Fold::Mul, Fold::Max]);
        let op = Op::Parallel { steps: self.rng.below(4), fold };
        Some(self.emit(scope, op, init, vec![body], Ty::Float, 32.0))
    }

    fn forall(&mut self, scope: &mut Scope, depth: usize) -> Option<Entry> {
        let ty = Ty::Array(vec![self.symbol()]);
        let body = self.indexed_body(scope, depth);
        Some(self.emit(scope, Op::Forall, vec![], vec![body], ty, 2.0))
    }
}
