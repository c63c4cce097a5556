//! Random programs, well-typed and in bounds by construction.
//!
//! Every float carries a bound on its magnitude; what grows too large is passed through a bounded function, so that
//! difference quotients stay accurate through loops and products.

use super::ops::LanesOp;
use super::tree::{Body, Fold, Op, Stmt, Symbol, Tree, Ty, Var};
use super::vocabulary::{ADDITION, BINARY, BOUNDING, UNARY, binary_bound, unary_bound};
use crate::numbers::Rng;
use std::collections::HashSet;

/// What programs may contain and how large they get.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub statements: usize,
    pub depth: usize,
    pub functions: usize,
    pub accumulators: bool,
    pub requests: bool,
    pub calls: bool,
    /// One program in so many computes in `f32`.
    pub narrow_one_in: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            statements: 7,
            depth: 4,
            functions: 2,
            accumulators: true,
            requests: true,
            calls: true,
            narrow_one_in: 6,
        }
    }
}

/// A value in scope, with a bound on its magnitude.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub var: Var,
    pub ty: Ty,
    pub bound: f64,
    /// Depends on an argument of the function.
    pub active: bool,
}

/// What is visible, and the statements so far of the innermost body.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub entries: Vec<Entry>,
    pub stmts: Vec<Stmt>,
}

impl Scope {
    /// A scope inside this one.
    pub fn inner(&self) -> Scope {
        Scope { entries: self.entries.clone(), stmts: Vec::new() }
    }

    pub fn add(&mut self, var: Var, ty: Ty, bound: f64, active: bool) {
        self.entries.push(Entry { var, ty, bound, active });
    }

    /// Whether a statement with these operands and bodies depends on an argument.
    pub fn is_active(&self, operands: &[(Var, Ty)], bodies: &[Body]) -> bool {
        let mut read: HashSet<Var> = operands.iter().map(|o| o.0).collect();
        bodies.iter().for_each(|b| b.free(&mut read));
        self.entries.iter().any(|e| e.active && read.contains(&e.var))
    }
}

pub(super) struct Generator {
    pub rng: Rng,
    pub tree: Tree,
    pub settings: Settings,
    next: Var,
}

/// Magnitudes above this are bounded before further use.
const LARGE: f64 = 40.0;

/// The program of a seed.
pub fn generate(seed: u64, settings: Settings) -> Tree {
    let mut rng = Rng::new(seed);
    let narrow = rng.one_in(settings.narrow_one_in);
    let mut symbols = Vec::new();
    for _ in 0..3 {
        // Mostly small, sometimes one or none at all.
        let size = *rng.pick(&[2, 3, 3, 4, 5, 1, 0]);
        symbols.push(Symbol { size, dynamic: !rng.one_in(3) });
    }
    let tree = Tree { narrow, symbols, functions: Vec::new() };
    let mut generator = Generator { rng, tree, settings, next: 0 };
    let helpers = generator.rng.below(settings.functions + 1);
    for _ in 0..helpers {
        let function = generator.function(false);
        generator.tree.functions.push(function);
    }
    let entry = generator.function(true);
    generator.tree.functions.push(entry);
    generator.tree.prune();
    generator.tree
}

impl Generator {
    pub fn fresh(&mut self) -> Var {
        self.next += 1;
        self.next
    }

    pub fn size(&self, symbol: usize) -> usize {
        self.tree.symbols[symbol].size
    }

    pub fn symbol(&mut self) -> usize {
        self.rng.below(self.tree.symbols.len().min(3))
    }

    /// A symbol of a fixed size that only local values have.
    pub fn local_symbol(&mut self, size: usize) -> usize {
        self.tree.symbols.push(Symbol { size, dynamic: false });
        self.tree.symbols.len() - 1
    }

    fn function(&mut self, entry: bool) -> Body {
        let mut scope = Scope::default();
        let mut params = Vec::new();
        let count = 1 + self.rng.below(3);
        for i in 0..count {
            let array = if i == 0 { !self.rng.one_in(4) } else { self.rng.one_in(2) };
            let ty = match array {
                true => self.array_type(),
                // Inputs of the entry are numbers and arrays.
                false if !entry && self.rng.one_in(6) => self.lanes_type(&scope),
                false => Ty::Float,
            };
            let var = self.fresh();
            params.push((var, ty.clone()));
            scope.add(var, ty, 2.0, true);
        }
        let depth = if entry { self.settings.depth } else { self.settings.depth - 1 };
        let mut wanted = vec![Ty::Float];
        if self.rng.one_in(3) {
            wanted.push(self.array_type());
        }
        self.body(scope, params, depth, &wanted)
    }

    /// The type of an array; one of no rows has rank one, because the size of rows that do
    /// not exist need not be known.
    pub fn array_type(&mut self) -> Ty {
        let rank = *self.rng.pick(&[1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3]);
        let mut dims: Vec<usize> = (0..rank).map(|_| self.symbol()).collect();
        if let Some(first) = dims.iter().position(|&s| self.size(s) == 0) {
            dims.truncate(first + 1);
        }
        Ty::Array(dims)
    }

    /// The type of something that loops carry and branches give: an array, or a vector.
    pub fn carried_type(&mut self, scope: &Scope) -> Ty {
        if self.rng.one_in(6) { self.lanes_type(scope) } else { self.array_type() }
    }

    /// A body of random statements that gives bounded values of the wanted types.
    pub fn body(
        &mut self,
        mut scope: Scope,
        params: Vec<(Var, Ty)>,
        depth: usize,
        wanted: &[Ty],
    ) -> Body {
        let outer = scope.entries.len();
        let most = if depth >= self.settings.depth { self.settings.statements } else { 3 };
        for _ in 0..1 + self.rng.below(most) {
            self.statement(&mut scope, depth);
        }
        let results =
            wanted.iter().map(|ty| (self.result(&mut scope, outer, ty), ty.clone())).collect();
        Body { params, stmts: scope.stmts, results }
    }

    /// A bounded value of a type, preferably one that this body computed; a number takes in
    /// other values of the body, so that less of it is dead.
    fn result(&mut self, scope: &mut Scope, outer: usize, ty: &Ty) -> Var {
        let own: Vec<Entry> =
            scope.entries[outer..].iter().rev().filter(|e| e.active).cloned().collect();
        let mut entry = match own.iter().find(|e| e.ty == *ty) {
            Some(entry) if !self.rng.one_in(5) => entry.clone(),
            _ => self.value(scope, ty),
        };
        if *ty == Ty::Float {
            let first = entry.var;
            for other in own.into_iter().filter(|e| e.var != first).take(self.rng.below(4)) {
                let Some(x) = self.number_from(scope, other) else { continue };
                let pair = vec![(entry.var, Ty::Float), (x.var, Ty::Float)];
                let bound = entry.bound + x.bound;
                entry = self.emit(scope, Op::Binary(ADDITION), pair, vec![], Ty::Float, bound);
            }
        }
        self.bounded(scope, entry).var
    }

    /// A bounded number that depends on a value.
    fn number_from(&mut self, scope: &mut Scope, entry: Entry) -> Option<Entry> {
        let mut entry = self.bounded(scope, entry);
        while let Ty::Array(dims) = entry.ty.clone() {
            let bound = self.size(dims[0]) as f64 * entry.bound;
            let operands = vec![(entry.var, entry.ty)];
            let op = Op::Reduce(Fold::Add);
            entry = self.emit(scope, op, operands, vec![], element_type(&dims), bound);
            entry = self.bounded(scope, entry);
        }
        if let Ty::Lanes(n) = entry.ty {
            let op = Op::Lanes(LanesOp::Reduction(Fold::Add));
            let bound = n as f64 * entry.bound;
            let operands = vec![(entry.var, entry.ty)];
            entry = self.emit(scope, op, operands, vec![], Ty::Float, bound);
            entry = self.bounded(scope, entry);
        }
        (entry.ty == Ty::Float).then_some(entry)
    }

    /// The value itself, or a bounded function of it when it may be large.
    pub fn bounded(&mut self, scope: &mut Scope, entry: Entry) -> Entry {
        if entry.bound <= 2.0 {
            return entry;
        }
        let unary = self.rng.below(BOUNDING);
        match &entry.ty {
            Ty::Float | Ty::Lanes(_) => {
                let operands = vec![(entry.var, entry.ty.clone())];
                self.emit(scope, Op::Unary(unary), operands, vec![], entry.ty, 1.0)
            }
            Ty::Array(dims) => {
                let element = element_type(dims);
                let param = self.fresh();
                let mut inner = scope.inner();
                inner.add(param, element.clone(), entry.bound, entry.active);
                let start = inner.entries[inner.entries.len() - 1].clone();
                let result = self.bounded(&mut inner, start);
                let body = Body {
                    params: vec![(param, element.clone())],
                    stmts: inner.stmts,
                    results: vec![(result.var, element)],
                };
                let operands = vec![(entry.var, entry.ty.clone())];
                self.emit(scope, Op::Map, operands, vec![body], entry.ty.clone(), 1.0)
            }
            _ => entry,
        }
    }

    /// Adds a statement with one result.
    pub fn emit(
        &mut self,
        scope: &mut Scope,
        op: Op,
        operands: Vec<(Var, Ty)>,
        bodies: Vec<Body>,
        ty: Ty,
        bound: f64,
    ) -> Entry {
        let var = self.fresh();
        let active = scope.is_active(&operands, &bodies);
        scope.stmts.push(Stmt { results: vec![(var, ty.clone())], op, operands, bodies });
        scope.add(var, ty.clone(), bound, active);
        Entry { var, ty, bound, active }
    }

    /// Some value of a type: one in scope, later ones more often, or a new one.
    pub fn value(&mut self, scope: &mut Scope, ty: &Ty) -> Entry {
        let fitting: Vec<Entry> = scope.entries.iter().filter(|e| e.ty == *ty).cloned().collect();
        if fitting.is_empty() || self.rng.one_in(12) {
            return self.fresh_value(scope, ty);
        }
        let active: Vec<Entry> = fitting.iter().filter(|e| e.active).cloned().collect();
        let fitting = if active.is_empty() || self.rng.one_in(6) { fitting } else { active };
        let n = fitting.len();
        let chosen = fitting[self.rng.below(n).max(self.rng.below(n))].clone();
        if chosen.bound > LARGE { self.bounded(scope, chosen) } else { chosen }
    }

    pub fn float(&mut self, scope: &mut Scope) -> Entry {
        self.value(scope, &Ty::Float)
    }

    /// A value made from constants or scalars.
    fn fresh_value(&mut self, scope: &mut Scope, ty: &Ty) -> Entry {
        match ty {
            Ty::Float => {
                let x = (self.rng.uniform(-2.0, 2.0) * 8.0).round() / 8.0;
                self.emit(scope, Op::Const(x), vec![], vec![], Ty::Float, x.abs())
            }
            Ty::Index => {
                let n = self.rng.below(4);
                self.emit(scope, Op::Index(n), vec![], vec![], Ty::Index, 3.0)
            }
            Ty::Lanes(n) => self.fresh_lanes(scope, *n),
            Ty::Indices(_) => self.emit(scope, Op::Iota, vec![], vec![], ty.clone(), 5.0),
            Ty::Array(dims) => {
                if self.rng.one_in(2) {
                    return self.generated_value(scope, dims.clone());
                }
                if self.rng.one_in(3) {
                    let row = self.value(scope, &element_type(dims));
                    let operands = vec![(row.var, row.ty)];
                    return self.emit(
                        scope,
                        Op::Replicate,
                        operands,
                        vec![],
                        ty.clone(),
                        row.bound,
                    );
                }
                let x = self.float(scope);
                let op = if self.rng.one_in(2) { Op::Splat } else { Op::Fill };
                self.emit(scope, op, vec![(x.var, Ty::Float)], vec![], ty.clone(), x.bound)
            }
        }
    }

    /// An array computed from its indices and a scalar.
    fn generated_value(&mut self, scope: &mut Scope, dims: Vec<usize>) -> Entry {
        let x = self.float(scope);
        let mut inner = scope.inner();
        let mut params = Vec::new();
        for _ in &dims {
            let var = self.fresh();
            inner.add(var, Ty::Index, 5.0, false);
            params.push((var, Ty::Index));
        }
        let index = vec![(params[0].0, Ty::Index)];
        let i = self.emit(&mut inner, Op::FromIndex, index, vec![], Ty::Float, 5.0);
        let f = self.rng.below(BINARY.len());
        let bound = binary_bound(f, x.bound, i.bound);
        let operands = vec![(x.var, Ty::Float), (i.var, Ty::Float)];
        let value = self.emit(&mut inner, Op::Binary(f), operands, vec![], Ty::Float, bound);
        let value = self.bounded(&mut inner, value);
        let results = vec![(value.var, Ty::Float)];
        let body = Body { params, stmts: inner.stmts, results };
        self.emit(scope, Op::Generate, vec![], vec![body], Ty::Array(dims), 2.0)
    }

    /// Some array in scope that satisfies a condition on its dimensions.
    pub fn array(&mut self, scope: &Scope, wanted: impl Fn(&[usize]) -> bool) -> Option<Entry> {
        let fits = |e: &&Entry| matches!(&e.ty, Ty::Array(dims) if wanted(dims));
        let list: Vec<&Entry> = scope.entries.iter().filter(fits).collect();
        if list.is_empty() {
            return None;
        }
        let active: Vec<&Entry> = list.iter().filter(|e| e.active).copied().collect();
        let list = if active.is_empty() || self.rng.one_in(6) { list } else { active };
        let n = list.len();
        Some(list[self.rng.below(n).max(self.rng.below(n))].clone())
    }

    pub fn statement(&mut self, scope: &mut Scope, depth: usize) {
        if depth > 0 && self.rng.one_in(2) {
            self.construct(scope, depth - 1);
        } else if self.rng.one_in(3) {
            self.array_statement(scope);
        } else {
            self.scalar_statement(scope);
        }
    }

    pub fn scalar_statement(&mut self, scope: &mut Scope) {
        let x = self.float(scope);
        let y = self.float(scope);
        let pair = vec![(x.var, Ty::Float), (y.var, Ty::Float)];
        match self.rng.below(14) {
            12 => self.rare_scalar(scope, x, y),
            0..5 | 13 => {
                // Sums and products more often than the rest.
                let f = if self.rng.one_in(2) {
                    self.rng.below(3)
                } else {
                    self.rng.below(BINARY.len())
                };
                let bound = binary_bound(f, x.bound, y.bound);
                self.emit(scope, Op::Binary(f), pair, vec![], Ty::Float, bound);
            }
            5..9 => {
                let f = self.rng.below(UNARY.len());
                let bound = unary_bound(f, x.bound);
                self.emit(scope, Op::Unary(f), pair[..1].to_vec(), vec![], Ty::Float, bound);
            }
            9 => {
                let z = self.float(scope);
                let operands = [pair, vec![(z.var, Ty::Float)]].concat();
                let bound = x.bound * y.bound + z.bound;
                self.emit(scope, Op::Fma, operands, vec![], Ty::Float, bound);
            }
            10 => {
                let predicate = *self.rng.pick(&["olt", "ogt", "ole", "une", "ult"]);
                let (a, b) = (self.float(scope), self.float(scope));
                let operands = [vec![(a.var, Ty::Float), (b.var, Ty::Float)], pair].concat();
                let bound = x.bound.max(y.bound);
                self.emit(scope, Op::Select(predicate), operands, vec![], Ty::Float, bound);
            }
            _ => {
                let i = self.value(scope, &Ty::Index);
                self.emit(
                    scope,
                    Op::FromIndex,
                    vec![(i.var, Ty::Index)],
                    vec![],
                    Ty::Float,
                    i.bound,
                );
            }
        }
    }

    fn rare_scalar(&mut self, scope: &mut Scope, x: Entry, y: Entry) {
        let one = vec![(x.var, Ty::Float)];
        match self.rng.below(4) {
            0 => {
                let operands = [one, vec![(y.var, Ty::Float)]].concat();
                self.emit(scope, Op::Clamp, operands, vec![], Ty::Float, x.bound.max(0.75));
            }
            1 => {
                self.emit_all(scope, Op::SinCos, one, vec![], vec![Ty::Float; 2]);
            }
            2 if self.tree.narrow => {
                self.emit(scope, Op::OtherWidth, one, vec![], Ty::Float, 1.0);
            }
            _ => {
                let n = self.rng.below(6) as i32 - 2;
                let bound = if n < 0 { 1.0 } else { x.bound.max(1.0).powi(n) };
                self.emit(scope, Op::Power(n), one, vec![], Ty::Float, bound);
            }
        }
    }
}

/// The type of an element along the outermost dimension.
pub(super) fn element_type(dims: &[usize]) -> Ty {
    if dims.len() <= 1 { Ty::Float } else { Ty::Array(dims[1..].to_vec()) }
}
