//! Conversion to Tensor SSA [ATL Figures 11 and 12].

use crate::affine::Affine;
use crate::expr::{Constant, Expr, Half, Names, Node, Path, Type, Var, type_of_input};
use crate::predicate::{Predicate, Range};
use crate::ssa::{Contraction, Operation, Results, Ssa, canonical, equal_places, places, shifted};
use std::collections::{HashMap, HashSet};

/// Builds programs in Tensor SSA. Operations that are equal share one binding.
pub struct Builder {
    /// The names that are free.
    pub names: Names,
    inputs: Vec<(Var, Type)>,
    bindings: Vec<(Var, Operation)>,
    sizes: HashMap<Var, Vec<Affine>>,
    shared: HashMap<Operation, Var>,
    bound: HashMap<Var, Var>,
}

impl Builder {
    /// Begins a program.
    pub fn new(inputs: Vec<(Var, Type)>, names: Names) -> Builder {
        Builder {
            names,
            inputs,
            bindings: Vec::new(),
            sizes: HashMap::new(),
            shared: HashMap::new(),
            bound: HashMap::new(),
        }
    }

    /// Goes on with a program.
    pub fn resume(ssa: &Ssa, names: Names) -> Builder {
        let shared = ssa.bindings.iter();
        let shared = shared.map(|(name, operation)| (operation.clone(), *name));
        Builder {
            shared: shared.collect(),
            bindings: ssa.bindings.clone(),
            sizes: ssa.sizes.clone(),
            ..Builder::new(ssa.inputs.clone(), names)
        }
    }

    /// The bindings so far.
    pub fn bindings(&self) -> &[(Var, Operation)] {
        &self.bindings
    }

    /// One more input.
    pub fn add_input(&mut self, input_type: Type) -> Var {
        let name = self.names.var();
        self.inputs.push((name, input_type));
        name
    }

    /// The program with these results; what none of them needs is gone.
    pub fn finish(self, results: Results) -> (Ssa, Names) {
        fn mark(results: &Results, needed: &mut HashSet<Var>) {
            match results {
                Results::One(name) => {
                    needed.insert(*name);
                }
                Results::Pair(first, second) => {
                    mark(first, needed);
                    mark(second, needed);
                }
            }
        }
        let mut needed = HashSet::new();
        mark(&results, &mut needed);
        let mut kept = Vec::new();
        for (name, operation) in self.bindings.into_iter().rev() {
            if needed.contains(&name) {
                needed.extend(operation.operands());
                kept.push((name, operation));
            }
        }
        kept.reverse();
        let ssa = Ssa { inputs: self.inputs, bindings: kept, results, sizes: self.sizes };
        (ssa, self.names)
    }

    /// The sizes of a binding's tensor, none for a number.
    pub fn sizes(&self, name: Var) -> &[Affine] {
        &self.sizes[&name]
    }

    /// The variable of an operation, which is bound unless it has been.
    pub fn push(&mut self, operation: Operation) -> Var {
        let operation = self.ordered(operation);
        if let Some(name) = self.shared.get(&operation) {
            return *name;
        }
        let sizes = match &operation {
            Operation::Input(name, path) => type_of_input(&self.inputs, *name).leaf(path).sizes(),
            Operation::Fill(sizes, _)
            | Operation::Add(sizes, _)
            | Operation::Map(sizes, ..)
            | Operation::Contract(Contraction { sizes, .. }) => sizes.clone(),
        };
        let name = self.names.var();
        self.sizes.insert(name, sizes);
        self.shared.insert(operation.clone(), name);
        self.bindings.push((name, operation));
        name
    }

    /// Operands in order, so that equal operations look equal; `e + e` as `2 e`.
    fn ordered(&mut self, operation: Operation) -> Operation {
        match operation {
            Operation::Add(sizes, [left, right]) if left == right => {
                let two = self.push(Operation::Fill(vec![], Constant::new(2.0)));
                let (predicate, name) = left;
                let rank = sizes.len() as u32;
                let same = (0..rank).map(|place| equal_places(place, rank + place));
                let predicate = Predicate::and([vec![predicate], same.collect()].concat());
                let factors = vec![two, name];
                let rest = vec![];
                let doubled = Contraction { sizes, predicate, factors, rest };
                self.ordered(Operation::Contract(doubled))
            }
            Operation::Add(sizes, mut operands) => {
                operands.sort_by_key(|(_, name)| *name);
                Operation::Add(sizes, operands)
            }
            Operation::Contract(mut contraction) => {
                if let [first, second] = contraction.factors[..]
                    && second < first
                {
                    let outer = contraction.sizes.len() as u32;
                    let ranks = [first, second].map(|name| self.sizes(name).len() as u32);
                    contraction.predicate = shifted(&contraction.predicate, &|index| {
                        let place = index.0.checked_sub(outer)?;
                        match () {
                            () if place < ranks[0] => Some(index.0 + ranks[1]),
                            () if place < ranks[0] + ranks[1] => Some(index.0 - ranks[0]),
                            () => None,
                        }
                    });
                    contraction.factors.reverse();
                }
                Operation::Contract(contraction)
            }
            other => other,
        }
    }

    /// A contraction of factors that are accessed at places, for the values of
    /// `outer`, over those of `inner`, where `predicate` holds.
    pub fn contract(
        &mut self,
        outer: &[Range],
        inner: &[Range],
        predicate: &Predicate,
        factors: &[(Var, Vec<Affine>)],
    ) -> Var {
        let mut ranges = outer.to_vec();
        let mut parts = vec![predicate.clone()];
        // An index that alone is a place takes the place's part, unless it is
        // one of the result's or has been taken.
        let mut rest = inner.to_vec();
        for (name, places) in factors {
            for (place, size) in places.iter().zip(self.sizes(*name).to_vec()) {
                let same =
                    |range: &Range| place.as_index() == Some(range.index) && range.size == size;
                match rest.iter().position(same) {
                    Some(position) => ranges.push(rest.remove(position)),
                    None => {
                        let own = self.names.range(&size);
                        parts.push(Predicate::equal(&Affine::index(own.index), place));
                        ranges.push(own);
                    }
                }
            }
        }
        ranges.extend(rest.iter().cloned());
        let predicate = canonical(&Predicate::and(parts), &ranges);
        let is_copy = |(name, places): &(Var, Vec<Affine>)| {
            let is_own =
                places.iter().map(Affine::as_index).eq(outer.iter().map(|range| Some(range.index)));
            let is_whole = self.sizes(*name).iter().eq(outer.iter().map(|range| &range.size));
            is_own && is_whole
        };
        let is_plain = inner.is_empty() && parts_hold(&predicate, outer.len() as u32);
        if let [factor] = factors
            && is_plain
            && is_copy(factor)
        {
            return factor.0;
        }
        self.push(Operation::Contract(Contraction {
            sizes: outer.iter().map(|range| range.size.clone()).collect(),
            predicate,
            factors: factors.iter().map(|(name, _)| *name).collect(),
            rest: rest.into_iter().map(|range| range.size).collect(),
        }))
    }

    /// A program of lets, whose generations are outermost, in Tensor SSA: its
    /// results.
    pub fn convert(&mut self, expr: &Expr) -> Results {
        match &**expr {
            // (5.25)
            Node::Let(name, value, body) => {
                let bound = self.convert_root(value);
                self.bound.insert(*name, bound);
                self.convert(body)
            }
            Node::Pair(first, second) => {
                let first = Box::new(self.convert(first));
                Results::Pair(first, Box::new(self.convert(second)))
            }
            _ => Results::One(self.convert_root(expr)),
        }
    }

    fn convert_root(&mut self, expr: &Expr) -> Var {
        self.convert_guarded(&mut vec![], Predicate::True, expr, true)
    }

    /// The tensor of `[predicate] expr` for the values of `ranges`. Where the
    /// predicate is false it need be zero only if `is_masked`.
    fn convert_guarded(
        &mut self,
        ranges: &mut Vec<Range>,
        predicate: Predicate,
        expr: &Expr,
        is_masked: bool,
    ) -> Var {
        let sizes = |ranges: &[Range]| -> Vec<Affine> {
            ranges.iter().map(|range| range.size.clone()).collect()
        };
        if let Some(read) = self.read(expr) {
            // (5.26), (5.30), with the dimensions that are not accessed, too.
            let depth = ranges.len();
            let (name, mut at) = read;
            let unread = self.sizes(name)[at.len()..].to_vec();
            for size in unread {
                let range = self.names.range(&size);
                at.push(Affine::index(range.index));
                ranges.push(range);
            }
            let result = self.contract(ranges, &[], &predicate, &[(name, at)]);
            ranges.truncate(depth);
            return result;
        }
        match &**expr {
            // (5.27)
            Node::Gen(range, inner) => {
                ranges.push(range.clone());
                let result = self.convert_guarded(ranges, predicate, inner, is_masked);
                ranges.pop();
                result
            }
            // (5.28)
            Node::Bracket(other, inner) => {
                let both = Predicate::and([predicate, other.clone()]);
                self.convert_guarded(ranges, both, inner, is_masked)
            }
            // (5.29)
            Node::Constant(value) => {
                if is_masked && predicate != Predicate::True {
                    let fill = self.push(Operation::Fill(vec![], *value));
                    return self.contract(ranges, &[], &predicate, &[(fill, vec![])]);
                }
                self.push(Operation::Fill(sizes(ranges), *value))
            }
            // (5.31)
            Node::Add(left, right) => {
                let operands = [left, right].map(|operand| {
                    let (own, inner) = unguarded(operand);
                    let both = Predicate::and([predicate.clone(), own]);
                    let name = self.convert_guarded(ranges, both.clone(), &inner, false);
                    (canonical(&both, ranges), name)
                });
                self.push(Operation::Add(sizes(ranges), operands))
            }
            // (5.33)
            Node::Call(function, arguments) => {
                let arguments = arguments.iter().map(|argument| {
                    self.convert_guarded(ranges, predicate.clone(), argument, false)
                });
                let arguments = arguments.collect();
                let predicate = canonical(&predicate, ranges);
                self.push(Operation::Map(sizes(ranges), predicate, *function, arguments))
            }
            // (5.32), (5.34)
            Node::Mul(..) | Node::Sum(..) => {
                let depth = ranges.len();
                let mut inner = expr.clone();
                let mut all = predicate;
                loop {
                    let (own, body) = unguarded(&inner);
                    all = Predicate::and([all, own]);
                    let Node::Sum(range, body) = &*body else {
                        inner = body;
                        break;
                    };
                    ranges.push(range.clone());
                    inner = body.clone();
                }
                let operands = match &*inner {
                    Node::Mul(left, right) => vec![left.clone(), right.clone()],
                    _ => vec![inner.clone()],
                };
                let mut factors = Vec::new();
                for operand in &operands {
                    let (own, body) = unguarded(operand);
                    factors.push(match self.read(&body) {
                        Some(read) => {
                            all = Predicate::and([all, own]);
                            read
                        }
                        None => {
                            let name = self.convert_guarded(ranges, all.clone(), operand, false);
                            (
                                name,
                                if self.sizes(name).is_empty() { vec![] } else { places(ranges) },
                            )
                        }
                    });
                }
                let inner = ranges.split_off(depth);
                self.contract(ranges, &inner, &all, &factors)
            }
            other => panic!("not in the form that gen pushout leaves: {other:?}"),
        }
    }

    /// The variable, and where it is accessed, if an expression is an access.
    fn read(&mut self, expr: &Expr) -> Option<(Var, Vec<Affine>)> {
        match &**expr {
            Node::Access(inner, place) => {
                let (name, mut at) = self.read(inner)?;
                at.push(place.clone());
                Some((name, at))
            }
            Node::Var(name) => Some((self.input(*name, vec![]), vec![])),
            Node::Project(half, inner) => {
                let mut path = vec![*half];
                let mut inner = inner;
                while let Node::Project(half, next) = &**inner {
                    path.push(*half);
                    inner = next;
                }
                path.reverse();
                match &**inner {
                    Node::Var(name) => Some((self.input(*name, path), vec![])),
                    // A half of an element of an input [ATL 5.14].
                    Node::Access(..) => {
                        let (name, path, at) = self.read_half(inner, path)?;
                        Some((self.input(name, path), at))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn read_half(&mut self, expr: &Expr, path: Path) -> Option<(Var, Path, Vec<Affine>)> {
        match &**expr {
            Node::Access(inner, place) => {
                let (name, path, mut at) = self.read_half(inner, path)?;
                at.push(place.clone());
                Some((name, path, at))
            }
            Node::Project(half, inner) => self.read_half(inner, [vec![*half], path].concat()),
            Node::Var(name) => Some((*name, path, vec![])),
            _ => None,
        }
    }

    fn input(&mut self, name: Var, path: Vec<Half>) -> Var {
        match self.bound.get(&name) {
            Some(bound) => *bound,
            None => self.push(Operation::Input(name, path)),
        }
    }
}

/// Whether a predicate says no more than that each index of a copy is that of
/// its result.
fn parts_hold(predicate: &Predicate, rank: u32) -> bool {
    let same: Vec<Predicate> = (0..rank).map(|place| equal_places(place, rank + place)).collect();
    *predicate == Predicate::and(same)
}

/// The predicate around an expression, and what it is around.
fn unguarded(expr: &Expr) -> (Predicate, Expr) {
    let mut predicate = Predicate::True;
    let mut inner = expr.clone();
    while let Node::Bracket(other, body) = &*inner.clone() {
        predicate = Predicate::and([predicate, other.clone()]);
        inner = body.clone();
    }
    (predicate, inner)
}
