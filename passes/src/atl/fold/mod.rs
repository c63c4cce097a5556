//! Expressions as combinators.
//!
//! Generations become maps. A sum goes over the indices that its predicate leaves
//! open [ATL 4.3]: an equation determines an index without a loop, a numbered
//! tuple of a list determines all indices of the relation, a row that is known or a
//! sorted list leaves few of them, inequalities narrow the bounds, and what is left
//! is a guard.

mod order;
mod scatter;
mod tuples;

use ad_calculus::{
    affine::{Affine, Index, Term},
    expr::{Expr, Names, Node, Type as Kind, accesses, untuple},
    let_lift::split_lets,
    predicate::{Predicate, Range},
};
use ad_dialect::ir::{DYNAMIC, OpExt, Val, ValExt, tensor_type};
use melior::ir::Type;

use order::Sorted;

use super::{
    fragment::{Fragment, RelationOf},
    scope::{Scope, arithmetic, join, joined},
};
use crate::support::{
    builder::{Builder, CMP_EQ, CMP_SGE, CMP_ULT},
    diag::{Result, error},
};

/// What is made of the values of indices for which a predicate holds.
#[derive(Clone, Copy)]
enum Fold<'e> {
    /// The sum of an expression.
    Sum(&'e Expr),
    /// Whether there are any.
    Exists,
}

/// Makes combinators of expressions.
pub struct Lower<'a, 'c> {
    scope: Scope<'a, 'c>,
    names: Names,
    /// Lists that no program has, and whether they are compressed: relations with the
    /// numbers behind those of the program.
    lists: Vec<(Vec<Val<'c>>, bool)>,
    /// The rows of the tuples of compressed lists.
    rows: Vec<(Val<'c>, Vec<Val<'c>>, Val<'c>)>,
    /// Arrays of lists that were sorted.
    sorted: Vec<Sorted<'c>>,
    /// Which tuples of lists are the first ones of those that are equal.
    first_ones: Vec<(Vec<Val<'c>>, Val<'c>)>,
    /// In how many loops what is made is.
    depth: usize,
    /// What everything is made behind: an operation that goes in the end.
    begin: Val<'c>,
    at_top: Builder<'c>,
}

impl<'a, 'c> Lower<'a, 'c> {
    /// Begins where the builder is.
    pub fn new(b: &Builder<'c>, fragment: &'a Fragment<'c>) -> Self {
        let (scope, names) = (Scope::new(b, fragment), fragment.names.clone());
        let begin = b.index(0);
        Lower {
            scope,
            names,
            lists: vec![],
            rows: vec![],
            sorted: vec![],
            first_ones: vec![],
            depth: 0,
            begin,
            at_top: *b,
        }
    }

    /// Where what is needed in several places is made, in front of all of them.
    fn top(&self) -> Builder<'c> {
        match self.begin.defining_op() {
            Some(begin) => Builder::before(self.at_top.context(), begin, self.at_top.block())
                .with_location(self.at_top.location()),
            None => self.at_top,
        }
    }

    /// The results of lets whose generations are outermost.
    pub fn program(&mut self, b: &Builder<'c>, body: &Expr) -> Result<Vec<Val<'c>>> {
        let (lets, body) = split_lets(body);
        for (name, value) in &lets {
            let kind = self.scope.kind(value);
            let value = self.tensor(b, value)?;
            self.scope.bind(*name, kind, value);
        }
        let results = untuple(&body, self.scope.fragment.results.len());
        let results = results.into_iter().map(|result| self.tensor(b, result)).collect();
        self.finish();
        results
    }

    /// Erases what was there for the time being.
    pub fn finish(&self) {
        if let Some(begin) = self.begin.defining_op() {
            begin.erase();
        }
    }

    /// A value at the top: a generation, a part of an input, or a number.
    fn tensor(&mut self, b: &Builder<'c>, expr: &Expr) -> Result<Val<'c>> {
        match &**expr {
            Node::Gen(range, inner) => {
                if let Some(hist) = self.scattered(b, expr)? {
                    return Ok(hist);
                }
                let of = self.scope.mlir_type(expr);
                let extent = self.scope.affine(b, &range.size)?;
                let fixed = range.size.as_constant().unwrap_or(DYNAMIC);
                let rows = b.iota(extent, fixed);
                self.depth += 1;
                let made = b.map(&[rows], &[], &[of], |b, arguments| {
                    self.scope.set_index(range.index, arguments[0]);
                    Ok(vec![self.tensor(&b, inner)?])
                })?;
                self.depth -= 1;
                Ok(made[0])
            }
            Node::Pair(..) | Node::Project(..) => Err(error(
                self.scope.fragment.function,
                "takes or returns pairs, which have no lowering; run atl-split-pairs before",
            )),
            _ if self.scope.kind(expr) != Kind::Number => match &**expr {
                Node::Var(_) => self.scalar(b, expr),
                _ => self.rest_of_access(b, expr),
            },
            _ => self.scalar(b, expr),
        }
    }

    /// An access of fewer indices than there are dimensions.
    fn rest_of_access(&mut self, b: &Builder<'c>, expr: &Expr) -> Result<Val<'c>> {
        let (tensor, places) = accesses(expr);
        if !matches!(**tensor, Node::Var(_)) {
            return Err(self.scope.lost("a tensor"));
        }
        let tensor = self.scalar(b, tensor)?;
        places.iter().try_fold(tensor, |tensor, place| {
            let place = self.scope.affine(b, place)?;
            Ok(b.row(tensor, place))
        })
    }

    fn scalar(&mut self, b: &Builder<'c>, expr: &Expr) -> Result<Val<'c>> {
        let fragment = self.scope.fragment;
        if let Some(value) = arithmetic(b, fragment, expr, &mut |inner| self.scalar(b, inner))? {
            return Ok(value);
        }
        Ok(match &**expr {
            Node::Var(name) => self.scope.var(*name)?,
            Node::Access(..) => {
                let (tensor, places) = accesses(expr);
                let tensor = self.scalar(b, tensor)?;
                let places = places.iter().map(|place| self.scope.affine(b, place));
                b.extract(tensor, &places.collect::<Result<Vec<_>>>()?)
            }
            Node::Sum(..) | Node::Bracket(..) => {
                let (sums, parts, inner) = taken_apart(expr);
                self.fold(b, sums, parts, Fold::Sum(&inner))?
            }
            _ => return Err(self.scope.lost("an expression")),
        })
    }

    /// What is made of all values of the indices of `open` for which all of
    /// `parts` hold.
    fn fold(
        &mut self,
        b: &Builder<'c>,
        open: Vec<Range>,
        parts: Vec<Predicate>,
        fold: Fold<'_>,
    ) -> Result<Val<'c>> {
        let is_open = |index: Index| open.iter().any(|range| range.index == index);
        // What a tuple has may be read only where the rest says that it is there.
        let is_ready = |lower: &Self, part: &Predicate| {
            !open.iter().any(|range| part.uses(range.index)) && lower.numbered(part).is_none()
        };
        if parts.iter().any(|part| is_ready(self, part)) {
            let (ready, rest): (Vec<_>, Vec<_>) =
                parts.into_iter().partition(|part| is_ready(self, part));
            let condition = self.predicate(b, &Predicate::and(ready))?;
            return self.guarded(b, condition, fold, |lower, b| lower.fold(b, open, rest, fold));
        }
        for (position, part) in parts.iter().enumerate() {
            if let Some(tuple) = self.numbered(part) {
                let mut rest = parts.clone();
                rest.remove(position);
                if let Some(row) = tuple.row(is_open) {
                    rest.extend(self.in_row(b, &tuple, row)?);
                    return self.fold(b, open, Predicate::and(rest).conjuncts().to_vec(), fold);
                }
                if !tuple.number.indices().any(is_open) {
                    return self.with_tuple(b, tuple, open, rest, fold);
                }
            }
            let Predicate::Zero(value) = part else { continue };
            let unknown: Vec<Index> = value.indices().filter(|index| is_open(*index)).collect();
            if let [index] = unknown[..] {
                return self.with_solution(b, index, value, open.clone(), parts.clone(), fold);
            }
        }
        match open.is_empty() {
            true => match fold {
                Fold::Sum(inner) => self.scalar(b, inner),
                Fold::Exists => Ok(b.truth(true)),
            },
            false => {
                let (mut open, mut parts) = (open, parts);
                if let Fold::Exists = fold
                    && self.merge(&mut open, &mut parts)
                {
                    return self.fold(b, open, parts, fold);
                }
                self.with_numbers(b, &mut open, &mut parts, fold)?;
                self.grouped(b, &mut open, &mut parts)?;
                self.looped(b, open, parts, fold)
            }
        }
    }

    /// Makes a quantifier around a tuple that has its number from elsewhere part of the
    /// one that is asked for: the tuple determines indices of both.
    fn merge(&self, open: &mut Vec<Range>, parts: &mut Vec<Predicate>) -> bool {
        let place = parts.iter().position(|part| {
            let Predicate::Exists(range, inner) = part else { return false };
            let is_elsewhere = |part| {
                let tuple = self.numbered(part);
                tuple.is_some_and(|tuple| !tuple.number.uses(range.index))
            };
            inner.conjuncts().iter().any(is_elsewhere)
        });
        let Some(place) = place else { return false };
        if let Predicate::Exists(range, inner) = parts.remove(place) {
            open.push(range);
            parts.extend_from_slice(inner.conjuncts());
        }
        true
    }

    fn type_of(&self, b: &Builder<'c>, fold: Fold<'_>) -> Type<'c> {
        match fold {
            Fold::Sum(_) => self.scope.fragment.number,
            Fold::Exists => b.bool_type(),
        }
    }

    /// What `inside` makes where a condition holds.
    fn guarded(
        &mut self,
        b: &Builder<'c>,
        condition: Val<'c>,
        fold: Fold<'_>,
        inside: impl FnOnce(&mut Self, &Builder<'c>) -> Result<Val<'c>>,
    ) -> Result<Val<'c>> {
        let of = self.type_of(b, fold);
        let mut inside = Some(inside);
        let branches = b.if_else(condition, &[of], |b, is_true| {
            Ok(vec![match (is_true, inside.take()) {
                (true, Some(inside)) => inside(self, &b)?,
                (_, other) => {
                    inside = other;
                    b.zero_scalar(of)
                }
            }])
        })?;
        branches.res(0).ok_or_else(|| self.scope.lost("a branch"))
    }

    /// Goes on with the index that an equation determines.
    fn with_solution(
        &mut self,
        b: &Builder<'c>,
        index: Index,
        equation: &Affine,
        mut open: Vec<Range>,
        parts: Vec<Predicate>,
        fold: Fold<'_>,
    ) -> Result<Val<'c>> {
        let position = open.iter().position(|range| range.index == index);
        let range = open.remove(position.ok_or_else(|| self.scope.lost("an index"))?);
        let factor = equation.coefficient(Term::Index(index));
        let others = Affine::index(index).times(factor).minus(equation);
        let known = self.scope.affine(b, &others.times(factor.signum()))?;
        let is_whole = factor.abs() == 1;
        let value = match is_whole {
            true => known,
            false => b.same("arith.floordivsi", &[known, b.index(factor.abs())]),
        };
        self.scope.set_index(index, value);
        // With a factor the equation says whether there is a remainder.
        let solved = Predicate::Zero(equation.clone());
        let rest = parts.into_iter().filter(|part| !is_whole || *part != solved);
        let inside = range.contains(&Affine::index(index));
        let rest = Predicate::and(rest.chain([inside])).conjuncts().to_vec();
        self.fold(b, open, rest, fold)
    }

    /// Goes on for all values of one index, between the bounds that are known.
    fn looped(
        &mut self,
        b: &Builder<'c>,
        mut open: Vec<Range>,
        parts: Vec<Predicate>,
        fold: Fold<'_>,
    ) -> Result<Val<'c>> {
        let range = open.remove(self.next_loop(&open, &parts));
        let (mut low, mut high) = (b.index(0), self.scope.affine(b, &range.size)?);
        let mut is_narrow = false;
        let mut rest = Vec::new();
        for part in parts {
            let own = Term::Index(range.index);
            match &part {
                Predicate::NotNegative(value)
                    if value.coefficient(own) != 0
                        && !open.iter().any(|other| value.uses(other.index)) =>
                {
                    let factor = value.coefficient(own);
                    let others = value.minus(&Affine::term(own).times(factor));
                    let affine = |value: &Affine| self.scope.affine(b, value);
                    // The whole part of a bound, where the index has a factor.
                    let whole = || {
                        let by = b.index(factor.abs());
                        Ok(b.same("arith.floordivsi", &[affine(&others)?, by]))
                    };
                    if factor > 0 {
                        let start = match factor {
                            1 => affine(&others.times(-1))?,
                            _ => b.sub(b.index(0), whole()?),
                        };
                        low = b.same("arith.maxsi", &[low, start]);
                    } else {
                        let end = match factor {
                            -1 => affine(&others.plus_constant(1))?,
                            _ => b.add(whole()?, b.index(1)),
                        };
                        high = b.same("arith.minsi", &[high, end]);
                    }
                    is_narrow = true;
                }
                _ => rest.push(part),
            }
        }
        let fixed = range.size.as_constant().filter(|_| !is_narrow).unwrap_or(DYNAMIC);
        let count = match is_narrow {
            true => b.same("arith.maxsi", &[b.sub(high, low), b.index(0)]),
            false => high,
        };
        let of = self.type_of(b, fold);
        let steps = b.iota(count, fixed);
        self.depth += 1;
        let terms = b.map(&[steps], &[], &[tensor_type(&[fixed], of)], |b, arguments| {
            let index = if is_narrow { b.add(low, arguments[0]) } else { arguments[0] };
            self.scope.set_index(range.index, index);
            Ok(vec![self.fold(&b, open, rest, fold)?])
        })?;
        self.depth -= 1;
        match fold {
            Fold::Sum(_) => b.sum(terms[0]),
            Fold::Exists => {
                let either = b.reduce(&terms, &[b.truth(false)], |b, args| {
                    Ok(vec![b.same("arith.ori", &[args[0], args[1]])])
                })?;
                Ok(either[0])
            }
        }
    }

    /// The position of the index to loop over: one that numbers tuples, else the last
    /// one in an equation, else the first one, so that the innermost loop walks through
    /// memory. Among numbers those with bounds come first, as they are few, and compressed
    /// lists last, of which the row makes the loop over numbers short.
    fn next_loop(&self, open: &[Range], parts: &[Predicate]) -> usize {
        let position = |index: Index| open.iter().position(|range| range.index == index);
        let numbers = parts.iter().filter_map(|part| {
            let tuple = self.numbered(part)?;
            let number = tuple.number.as_index()?;
            let place = position(number);
            if tuple.is_compressed {
                let row = tuple.places.first().and_then(|row| position(row.as_index()?));
                return Some((2, row.or(place)?));
            }
            let is_free = !parts.iter().any(|part| bounds(part, number));
            Some((u8::from(is_free), place?))
        });
        let equations = parts.iter().filter_map(|part| match part {
            Predicate::Zero(value) => value.indices().filter_map(position).max(),
            _ => None,
        });
        numbers.min().map(|(_, place)| place).or_else(|| equations.max()).unwrap_or(0)
    }

    /// The truth of a predicate.
    pub fn predicate(&mut self, b: &Builder<'c>, predicate: &Predicate) -> Result<Val<'c>> {
        let zero = b.index(0);
        Ok(match predicate {
            Predicate::True => b.truth(true),
            Predicate::False => b.truth(false),
            Predicate::Zero(value) => b.compare(CMP_EQ, self.scope.affine(b, value)?, zero),
            Predicate::NotNegative(value) => b.compare(CMP_SGE, self.scope.affine(b, value)?, zero),
            Predicate::And(parts) => {
                let (ranges, rest) = self.scope.ranges(parts);
                let mut all = vec![];
                for (value, size) in ranges {
                    let [value, size] =
                        [self.scope.affine(b, &value)?, self.scope.affine(b, &size)?];
                    all.push(b.compare(CMP_ULT, value, size));
                }
                for part in &rest {
                    all.push(self.predicate(b, part)?);
                }
                join(b, "arith.andi", all, true)
            }
            Predicate::Or(_) => joined(b, predicate, &mut |part| self.predicate(b, part))?,
            Predicate::Exists(..) => {
                let (mut open, mut inner) = (Vec::new(), predicate);
                while let Predicate::Exists(range, body) = inner {
                    open.push(range.clone());
                    inner = body;
                }
                self.fold(b, open, inner.conjuncts().to_vec(), Fold::Exists)?
            }
            Predicate::Related(relation, places) => match self.numbered(predicate) {
                Some(tuple) => match tuple.row(|_| false) {
                    Some(row) => {
                        let parts = self.in_row(b, &tuple, row)?;
                        self.fold(b, vec![], parts, Fold::Exists)?
                    }
                    None => self.with_tuple(b, tuple, vec![], vec![], Fold::Exists)?,
                },
                None => match self.scope.fragment.relations.get(relation.0 as usize) {
                    Some(RelationOf::Truth(value)) => *value,
                    Some(RelationOf::Member { tensors, compressed, .. }) => {
                        self.is_member(b, (tensors, *compressed), places)?
                    }
                    None => return Err(self.scope.lost("a relation")),
                },
            },
        })
    }
}

/// The ranges of nested sums, the parts of the predicates in them, and what is
/// added up.
fn taken_apart(expr: &Expr) -> (Vec<Range>, Vec<Predicate>, Expr) {
    let (mut sums, mut parts) = (Vec::new(), Vec::new());
    let mut inner = expr;
    loop {
        match &**inner {
            Node::Sum(range, body) => {
                sums.push(range.clone());
                inner = body;
            }
            Node::Bracket(predicate, body) => {
                parts.push(predicate.clone());
                inner = body;
            }
            _ => return (sums, Predicate::and(parts).conjuncts().to_vec(), inner.clone()),
        }
    }
}

/// Whether a part says that an index is above or below something.
fn bounds(part: &Predicate, index: Index) -> bool {
    matches!(part, Predicate::NotNegative(_)) && part.uses(index)
}
