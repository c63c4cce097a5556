//! Expressions as combinators.
//!
//! Generations become maps. A sum goes over the indices that its predicate leaves
//! open [ATL 4.3]: an equation determines an index without a loop, a numbered
//! tuple of a list determines all indices of the relation, inequalities narrow
//! the bounds, and what is left is a guard.

use ad_calculus::{
    affine::{Affine, Index, Term},
    expr::{Expr, Names, Node, Type as Kind, accesses, untuple},
    let_lift::split_lets,
    predicate::{Predicate, Range},
};
use ad_dialect::{
    capi::{RemarkKind, emit_remark},
    ir::{DYNAMIC, OpExt, TyExt, Val, tensor_type},
};
use melior::ir::{Type, ValueLike, operation::OperationLike};

use super::{
    fragment::{Fragment, RelationOf},
    scope::{Scope, arithmetic, joined},
};
use crate::support::{
    builder::{Builder, CMP_EQ, CMP_SGE},
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
}

impl<'a, 'c> Lower<'a, 'c> {
    /// Begins where the builder is.
    pub fn new(b: &Builder<'c>, fragment: &'a Fragment<'c>) -> Self {
        Lower { scope: Scope::new(b, fragment), names: fragment.names.clone() }
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
        results.into_iter().map(|result| self.tensor(b, result)).collect()
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
                let made = b.map(&[rows], &[], &[of], |b, arguments| {
                    self.scope.set_index(range.index, arguments[0]);
                    Ok(vec![self.tensor(&b, inner)?])
                })?;
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

    /// A generation of sums over numbered tuples that determine all its indices:
    /// each tuple adds to one element.
    fn scattered(&mut self, b: &Builder<'c>, expr: &Expr) -> Result<Option<Val<'c>>> {
        let mut gens = Vec::new();
        let mut body = expr;
        while let Node::Gen(range, inner) = &**body {
            gens.push(range.clone());
            body = inner;
        }
        let (sums, parts, inner) = taken_apart(body);
        let found = parts.iter().find_map(|part| {
            let (tensors, places) = self.numbered(part)?;
            let (number, places) = places.split_last()?;
            let tuple = sums.iter().find(|sum| number.as_index() == Some(sum.index))?;
            let bins = gens.iter().map(|range| {
                let alone = |place: &Affine| place.as_index() == Some(range.index);
                Some(tensors[places.iter().position(alone)?])
            });
            Some((tuple.clone(), bins.collect::<Option<Vec<_>>>()?))
        });
        let Some((tuple, bins)) = found else { return Ok(None) };
        let reason = "each tuple of a list adds to one element: to gather them would be to look \
                      through the list for every element";
        let entries = [("Reason", reason.to_owned())];
        let (kind, at) = (RemarkKind::Analysis, self.scope.fragment.function.location());
        emit_remark(at, kind, "lower-atl-to-soac", "histogram", &entries);
        let of = self.scope.mlir_type(expr);
        let number = self.scope.fragment.number;
        let extent = self.scope.affine(b, &tuple.size)?;
        let fixed = tuple.size.as_constant().unwrap_or(DYNAMIC);
        let tuples = b.iota(extent, fixed);
        let element = tensor_type(&[fixed], number);
        let index = tensor_type(&[fixed], b.index_type());
        let types = [vec![index; bins.len()], vec![element]].concat();
        let rest: Vec<Range> = sums.into_iter().filter(|sum| *sum != tuple).collect();
        let all = [gens.clone(), rest].concat();
        let made = b.map(&[tuples], &[], &types, |b, arguments| {
            self.scope.set_index(tuple.index, arguments[0]);
            // Where the list has no such tuple, nothing is added to some place.
            let places = bins.iter().map(|bin| {
                let (at, inside) = b.in_range(&arguments[..1], *bin);
                Ok(b.as_index(b.guarded_element(inside, *bin, &at, |_| None)?))
            });
            let places = places.collect::<Result<Vec<Val<'c>>>>()?;
            let value = self.fold(&b, all.clone(), parts.clone(), Fold::Sum(&inner))?;
            Ok([places, vec![value]].concat())
        })?;
        let sizes = gens.iter().filter(|range| range.size.as_constant().is_none());
        let sizes =
            sizes.map(|range| self.scope.affine(b, &range.size)).collect::<Result<Vec<_>>>()?;
        let zeros = b.zeros(of, &sizes);
        let (value, places) = made.split_last().ok_or_else(|| self.scope.lost("a sum"))?;
        let zero = b.zero_scalar(number);
        let sums = b.hist(places, &[*value], &[zeros], &[zero], |b, args| {
            Ok(vec![b.add(args[0], args[1])])
        })?;
        Ok(Some(sums[0]))
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

    /// The arrays and places of a relation with numbered tuples.
    fn numbered<'p>(&self, part: &'p Predicate) -> Option<(&'a [Val<'c>], &'p [Affine])> {
        let Predicate::Related(relation, places) = part else { return None };
        match self.scope.fragment.relations.get(relation.0 as usize)? {
            RelationOf::Member { tensors, at: true } => Some((tensors, places)),
            _ => None,
        }
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
        let is_ready = |part: &Predicate| !open.iter().any(|range| part.uses(range.index));
        if parts.iter().any(is_ready) {
            let (ready, rest): (Vec<_>, Vec<_>) = parts.into_iter().partition(is_ready);
            let condition = self.predicate(b, &Predicate::and(ready))?;
            return self.guarded(b, condition, fold, |lower, b| lower.fold(b, open, rest, fold));
        }
        for (position, part) in parts.iter().enumerate() {
            if let Some((tensors, places)) = self.numbered(part)
                && let Some((number, places)) = places.split_last()
                && !number.indices().any(is_open)
            {
                let mut rest = parts.clone();
                rest.remove(position);
                let tuple = (tensors, number.clone(), places.to_vec());
                return self.with_tuple(b, tuple, open, rest, fold);
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
            false => self.looped(b, open, parts, fold),
        }
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

    /// Goes on with the indices that a tuple of a list determines.
    fn with_tuple(
        &mut self,
        b: &Builder<'c>,
        (tensors, number, places): (&'a [Val<'c>], Affine, Vec<Affine>),
        open: Vec<Range>,
        mut rest: Vec<Predicate>,
        fold: Fold<'_>,
    ) -> Result<Val<'c>> {
        let at = self.scope.affine(b, &number)?;
        let (_, is_there) = b.in_range(&[at], tensors[0]);
        self.guarded(b, is_there, fold, |lower, b| {
            // What the tuple has is known; that it is at the place is an equation.
            for (tensor, place) in tensors.iter().zip(&places) {
                let entry = lower.names.index();
                lower.scope.set_index(entry, b.as_index(b.extract(*tensor, &[at])));
                rest.push(Predicate::equal(&Affine::index(entry), place));
            }
            lower.fold(b, open, Predicate::and(rest).conjuncts().to_vec(), fold)
        })
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
        let range = open.remove(next_loop(&open, &parts, |part| {
            self.numbered(part).and_then(|(_, places)| places.last()?.as_index())
        }));
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
        let terms = b.map(&[steps], &[], &[tensor_type(&[fixed], of)], |b, arguments| {
            let index = if is_narrow { b.add(low, arguments[0]) } else { arguments[0] };
            self.scope.set_index(range.index, index);
            Ok(vec![self.fold(&b, open, rest, fold)?])
        })?;
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

    /// The truth of a predicate.
    pub fn predicate(&mut self, b: &Builder<'c>, predicate: &Predicate) -> Result<Val<'c>> {
        let zero = b.index(0);
        Ok(match predicate {
            Predicate::True => b.truth(true),
            Predicate::False => b.truth(false),
            Predicate::Zero(value) => b.compare(CMP_EQ, self.scope.affine(b, value)?, zero),
            Predicate::NotNegative(value) => b.compare(CMP_SGE, self.scope.affine(b, value)?, zero),
            Predicate::And(_) | Predicate::Or(_) => {
                joined(b, predicate, &mut |part| self.predicate(b, part))?
            }
            Predicate::Exists(..) => {
                let (mut open, mut inner) = (Vec::new(), predicate);
                while let Predicate::Exists(range, body) = inner {
                    open.push(range.clone());
                    inner = body;
                }
                self.fold(b, open, inner.conjuncts().to_vec(), Fold::Exists)?
            }
            Predicate::Related(relation, places) => {
                let known = self.scope.fragment.relations.get(relation.0 as usize);
                match known.ok_or_else(|| self.scope.lost("a relation"))? {
                    RelationOf::Truth(value) => *value,
                    RelationOf::Member { tensors, at: true } => {
                        let (number, places) =
                            places.split_last().ok_or_else(|| self.scope.lost("a tuple"))?;
                        let tuple = (&tensors[..], number.clone(), places.to_vec());
                        self.with_tuple(b, tuple, vec![], vec![], Fold::Exists)?
                    }
                    RelationOf::Member { tensors, at: false } => {
                        let at = places.iter().map(|place| self.scope.affine(b, place));
                        let at = at.collect::<Result<Vec<_>>>()?;
                        is_member(b, tensors, &at)?
                    }
                }
            }
        })
    }
}

/// Whether a mask is true at a place, or a list has a tuple.
fn is_member<'c>(b: &Builder<'c>, tensors: &[Val<'c>], at: &[Val<'c>]) -> Result<Val<'c>> {
    let is_mask = tensors[0].r#type().scalar() == b.bool_type();
    if is_mask {
        let (at, inside) = b.in_range(at, tensors[0]);
        return b.guarded_element(inside, tensors[0], &at, |_| None);
    }
    let fixed = tensors[0].r#type().shape()[0];
    let found = tensor_type(&[fixed], b.bool_type());
    let found = b.map(tensors, &[], &[found], |b, arguments| {
        let same = arguments
            .iter()
            .zip(at)
            .map(|(value, place)| b.compare(CMP_EQ, b.as_index(*value), *place));
        let same = same.reduce(|left, right| b.same("arith.andi", &[left, right]));
        Ok(same.into_iter().collect())
    })?;
    let either = b.reduce(&found, &[b.truth(false)], |b, args| {
        Ok(vec![b.same("arith.ori", &[args[0], args[1]])])
    })?;
    Ok(either[0])
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

/// The position of the index to loop over: one that numbers tuples, else the last
/// one in an equation, else the first one, so that the innermost loop walks through memory.
fn next_loop(
    open: &[Range],
    parts: &[Predicate],
    number_of: impl Fn(&Predicate) -> Option<Index>,
) -> usize {
    let position = |index: Index| open.iter().position(|range| range.index == index);
    let numbers = parts.iter().filter_map(|part| position(number_of(part)?)).next();
    let equations = parts.iter().filter_map(|part| match part {
        Predicate::Zero(value) => value.indices().filter_map(position).max(),
        _ => None,
    });
    numbers.or_else(|| equations.max()).unwrap_or(0)
}
