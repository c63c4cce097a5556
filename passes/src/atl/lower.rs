//! `lower-atl-to-soac`: functions of the tensor language as combinators.
//!
//! Generations become maps. A sum goes over the indices that its predicate leaves
//! open [ATL 4.3]: an equation determines an index without a loop, a numbered
//! tuple of a list determines all indices of the relation, inequalities narrow
//! the bounds, and what is left is a guard.

use std::collections::HashMap;

use ad_calculus::{
    affine::{Affine, Index, Term},
    expr::{Expr, Node, Type as Kind, Var, type_of},
    predicate::{Predicate, Range},
};
use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, tensor_type};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use super::{
    export,
    fragment::{Fragment, FunctionOf, RelationOf, SizeOf, type_of_kind},
    functions,
    import::{import, import_root, import_truth},
    is_pure, simplified,
};
use crate::support::{
    builder::{Builder, CMP_EQ},
    diag::{Reported, Result, error, internal_error},
    region::erase_dead_ops,
};

/// `a >= b` of signed integers in `arith.cmpi`.
const CMP_SGE: i64 = 5;

/// Lowers what there is of the language: functions that consist of it as a whole,
/// other operations one by one. Returns how many of both.
pub fn lower<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut lowered = 0;
    for function in functions(module) {
        if is_pure(function) {
            lower_function(context, function)?;
            lowered += 1;
        } else {
            lowered += lower_roots(context, function)?;
        }
    }
    Ok(lowered)
}

fn lower_function<'c>(context: &'c Context, function: Op<'c>) -> Result<()> {
    let mut fragment = import(function)?;
    let body = simplified(&mut fragment);
    let (Some(block), Some(end)) =
        (function.body(0), function.body(0).and_then(|body| body.term()))
    else {
        return Err(internal_error(function, "it has no body"));
    };
    let b = Builder::before(context, end, block).with_location(function.location());
    let values = Lower::new(&b, &fragment).program(&b, &body)?;
    for (position, value) in values.iter().enumerate() {
        end.set_operand(position, cast(&b, *value, fragment.results[position]));
    }
    erase_dead_ops(block);
    Ok(())
}

/// Lowers the operations of the language in an operation that has others, too.
pub fn lower_roots<'c>(context: &'c Context, within: Op<'c>) -> Result<u64> {
    let mut roots = Vec::new();
    within.for_each(&mut |op| {
        let is_root = op.parent().is_none_or(|parent| !is_of_dialect(parent));
        if is_of_dialect(op) && is_root {
            roots.push(op);
        }
    });
    for root in &roots {
        let (Some(result), Some(block)) = (root.res(0), root.block()) else { continue };
        let b = Builder::before(context, *root, block).with_location(root.location());
        let value = match result.r#type() == b.bool_type() {
            true => {
                let mut fragment = import_truth(*root)?;
                let predicate = std::mem::replace(&mut fragment.1, Predicate::True);
                Lower::new(&b, &fragment.0).predicate(&b, &predicate)?
            }
            false => {
                let mut fragment = import_root(*root)?;
                let body = simplified(&mut fragment);
                let values = Lower::new(&b, &fragment).program(&b, &body)?;
                cast(&b, values[0], result.r#type())
            }
        };
        result.replace_all_uses(value);
        root.erase();
    }
    Ok(roots.len() as u64)
}

fn is_of_dialect(op: Op<'_>) -> bool {
    op.op_name().starts_with("atl.")
}

fn cast<'c>(b: &Builder<'c>, value: Val<'c>, wanted: Type<'c>) -> Val<'c> {
    if value.r#type() == wanted { value } else { b.cast(value, wanted) }
}

/// What is made of the values of indices for which a predicate holds.
#[derive(Clone, Copy)]
enum Fold<'e> {
    /// The sum of an expression.
    Sum(&'e Expr),
    /// Whether there are any.
    Exists,
}

struct Lower<'a, 'c> {
    fragment: &'a Fragment<'c>,
    vars: HashMap<Var, (Val<'c>, Kind)>,
    indices: HashMap<Index, Val<'c>>,
    sizes: Vec<Val<'c>>,
}

impl<'a, 'c> Lower<'a, 'c> {
    fn new(b: &Builder<'c>, fragment: &'a Fragment<'c>) -> Self {
        let inputs = fragment.inputs.iter().zip(&fragment.values);
        let vars = inputs.map(|((name, kind), value)| (*name, (*value, kind.clone())));
        let sizes = fragment.sizes.iter().map(|size| match size {
            SizeOf::Value(value) => *value,
            SizeOf::Dimension(value, path, dimension) => {
                b.dim(export::part(b, *value, path), *dimension)
            }
        });
        let sizes = sizes.collect();
        Lower { fragment, vars: vars.collect(), indices: HashMap::new(), sizes }
    }

    /// The results of lets whose generations are outermost.
    fn program(&mut self, b: &Builder<'c>, body: &Expr) -> Result<Vec<Val<'c>>> {
        let mut inner = body;
        while let Node::Let(name, value, next) = &**inner {
            let kind = self.kind(value);
            let value = self.tensor(b, value)?;
            self.vars.insert(*name, (value, kind));
            inner = next;
        }
        let mut values = Vec::new();
        while values.len() + 1 < self.fragment.results.len()
            && let Node::Pair(first, rest) = &**inner
        {
            values.push(self.tensor(b, first)?);
            inner = rest;
        }
        values.push(self.tensor(b, inner)?);
        Ok(values)
    }

    fn kind(&self, expr: &Expr) -> Kind {
        type_of(expr, &|name| self.vars.get(&name).map_or(Kind::Number, |(_, kind)| kind.clone()))
    }

    fn lost(&self, what: &str) -> Reported {
        internal_error(self.fragment.function, &format!("{what} has no value"))
    }

    /// A value at the top: a generation, a part of an input, or a number.
    fn tensor(&mut self, b: &Builder<'c>, expr: &Expr) -> Result<Val<'c>> {
        match &**expr {
            Node::Gen(range, inner) => {
                if let Some(hist) = self.scattered(b, expr)? {
                    return Ok(hist);
                }
                let of = type_of_kind(&self.kind(expr), self.fragment.number);
                let extent = self.affine(b, &range.size)?;
                let fixed = range.size.as_constant().unwrap_or(DYNAMIC);
                let rows = b.iota(extent, fixed);
                let made = b.map(&[rows], &[], &[of], |b, arguments| {
                    self.indices.insert(range.index, arguments[0]);
                    Ok(vec![self.tensor(&b, inner)?])
                })?;
                Ok(made[0])
            }
            Node::Pair(..) | Node::Project(..) => Err(error(
                self.fragment.function,
                "takes or returns pairs, which have no lowering; pass their halves instead",
            )),
            _ if self.kind(expr) != Kind::Number => match &**expr {
                Node::Var(_) => self.scalar(b, expr),
                _ => self.rest_of_access(b, expr),
            },
            _ => self.scalar(b, expr),
        }
    }

    /// An access of fewer indices than there are dimensions.
    fn rest_of_access(&mut self, b: &Builder<'c>, expr: &Expr) -> Result<Val<'c>> {
        let (tensor, places) = export::accesses(expr);
        if !matches!(**tensor, Node::Var(_)) {
            return Err(self.lost("a tensor"));
        }
        let tensor = self.scalar(b, tensor)?;
        places.iter().try_fold(tensor, |tensor, place| {
            let place = self.affine(b, place)?;
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
        let of = type_of_kind(&self.kind(expr), self.fragment.number);
        let number = self.fragment.number;
        let extent = self.affine(b, &tuple.size)?;
        let fixed = tuple.size.as_constant().unwrap_or(DYNAMIC);
        let tuples = b.iota(extent, fixed);
        let element = tensor_type(&[fixed], number);
        let index = tensor_type(&[fixed], b.index_type());
        let types = [vec![index; bins.len()], vec![element]].concat();
        let rest: Vec<Range> = sums.into_iter().filter(|sum| *sum != tuple).collect();
        let all = [gens.clone(), rest].concat();
        let made = b.map(&[tuples], &[], &types, |b, arguments| {
            self.indices.insert(tuple.index, arguments[0]);
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
        let sizes = sizes.map(|range| self.affine(b, &range.size)).collect::<Result<Vec<_>>>()?;
        let zeros = b.zeros(of, &sizes);
        let (value, places) = made.split_last().ok_or_else(|| self.lost("a sum"))?;
        let zero = b.zero_scalar(number);
        let sums = b.hist(places, &[*value], &[zeros], &[zero], |b, args| {
            Ok(vec![b.add(args[0], args[1])])
        })?;
        Ok(Some(sums[0]))
    }

    fn scalar(&mut self, b: &Builder<'c>, expr: &Expr) -> Result<Val<'c>> {
        let number = self.fragment.number;
        Ok(match &**expr {
            Node::Var(name) => self.vars.get(name).ok_or_else(|| self.lost("a variable"))?.0,
            Node::Constant(value) => b.number(number, value.value()),
            Node::Add(left, right) => {
                let left = self.scalar(b, left)?;
                match export::negated(right) {
                    Some(right) => b.sub(left, self.scalar(b, right)?),
                    None => b.add(left, self.scalar(b, right)?),
                }
            }
            Node::Mul(left, right) => match export::negated(expr) {
                Some(inner) => b.neg(self.scalar(b, inner)?),
                None => {
                    let left = self.scalar(b, left)?;
                    b.mul(left, self.scalar(b, right)?)
                }
            },
            Node::Call(function, arguments) => {
                let arguments = arguments.iter().map(|argument| self.scalar(b, argument));
                let arguments = arguments.collect::<Result<Vec<_>>>()?;
                let known = self.fragment.known_functions.get(function.0 as usize);
                known.ok_or_else(|| self.lost("a function"))?.emit(b, &arguments, number)
            }
            Node::Access(..) => {
                let (tensor, places) = export::accesses(expr);
                let tensor = self.scalar(b, tensor)?;
                let places = places.iter().map(|place| self.affine(b, place));
                b.extract(tensor, &places.collect::<Result<Vec<_>>>()?)
            }
            Node::Sum(..) | Node::Bracket(..) => {
                let (sums, parts, inner) = taken_apart(expr);
                self.fold(b, sums, parts, Fold::Sum(&inner))?
            }
            _ => return Err(self.lost("an expression")),
        })
    }

    fn affine(&self, b: &Builder<'c>, value: &Affine) -> Result<Val<'c>> {
        let mut sum: Option<Val<'c>> = None;
        for (term, factor) in value.terms() {
            let known = match term {
                Term::Index(index) => self.indices.get(&index),
                Term::Size(size) => self.sizes.get(size.0 as usize),
            };
            let known = *known.ok_or_else(|| self.lost("an index"))?;
            sum = Some(match (sum, factor) {
                (Some(sum), -1) => b.sub(sum, known),
                (None, 1) => known,
                (sum, factor) => {
                    let part = match factor {
                        1 => known,
                        factor => b.mul(known, b.index(factor)),
                    };
                    sum.map_or(part, |sum| b.add(sum, part))
                }
            });
        }
        Ok(match (sum, value.offset()) {
            (None, offset) => b.index(offset),
            (Some(sum), 0) => sum,
            (Some(sum), offset) => b.add(sum, b.index(offset)),
        })
    }

    /// The arrays and places of a relation with numbered tuples.
    fn numbered<'p>(&self, part: &'p Predicate) -> Option<(&'a [Val<'c>], &'p [Affine])> {
        let Predicate::Related(relation, places) = part else { return None };
        match self.fragment.relations.get(relation.0 as usize)? {
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
            Fold::Sum(_) => self.fragment.number,
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
        branches.res(0).ok_or_else(|| self.lost("a branch"))
    }

    /// Goes on with the indices that a tuple of a list determines.
    fn with_tuple(
        &mut self,
        b: &Builder<'c>,
        (tensors, number, places): (&'a [Val<'c>], Affine, Vec<Affine>),
        mut open: Vec<Range>,
        mut rest: Vec<Predicate>,
        fold: Fold<'_>,
    ) -> Result<Val<'c>> {
        let at = self.affine(b, &number)?;
        let (_, is_there) = b.in_range(&[at], tensors[0]);
        self.guarded(b, is_there, fold, |lower, b| {
            let mut matches: Option<Val<'c>> = None;
            for (tensor, place) in tensors.iter().zip(&places) {
                let value = b.as_index(b.extract(*tensor, &[at]));
                let alone = open.iter().position(|range| place.as_index() == Some(range.index));
                match alone {
                    Some(position) => {
                        let range = open.remove(position);
                        lower.indices.insert(range.index, value);
                        rest.push(range.contains(&Affine::index(range.index)));
                    }
                    None if place.indices().any(|index| open.iter().any(|r| r.index == index)) => {
                        // Not yet determined: known as an index of its own.
                        return Err(lower.lost("a place that several indices make"));
                    }
                    None => {
                        let same = b.compare(CMP_EQ, value, lower.affine(b, place)?);
                        let both = |matches| b.same("arith.andi", &[matches, same]);
                        matches = Some(matches.map_or(same, both));
                    }
                }
            }
            let rest = Predicate::and(rest).conjuncts().to_vec();
            match matches {
                Some(matches) => {
                    lower.guarded(b, matches, fold, |lower, b| lower.fold(b, open, rest, fold))
                }
                None => lower.fold(b, open, rest, fold),
            }
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
        let range = open.remove(position.ok_or_else(|| self.lost("an index"))?);
        let factor = equation.coefficient(Term::Index(index));
        let others = Affine::index(index).times(factor).minus(equation);
        let known = self.affine(b, &others.times(factor.signum()))?;
        let is_whole = factor.abs() == 1;
        let value = match is_whole {
            true => known,
            false => b.same("arith.floordivsi", &[known, b.index(factor.abs())]),
        };
        self.indices.insert(index, value);
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
        let (mut low, mut high) = (b.index(0), self.affine(b, &range.size)?);
        let mut is_narrow = false;
        let mut rest = Vec::new();
        for part in parts {
            let own = Term::Index(range.index);
            match &part {
                Predicate::NotNegative(value)
                    if value.coefficient(own).abs() == 1
                        && !open.iter().any(|other| value.uses(other.index)) =>
                {
                    let factor = value.coefficient(own);
                    let others = value.minus(&Affine::term(own).times(factor));
                    if factor == 1 {
                        low = b.same("arith.maxsi", &[low, self.affine(b, &others.times(-1))?]);
                    } else {
                        let end = self.affine(b, &others.plus_constant(1))?;
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
            self.indices.insert(range.index, index);
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

    fn predicate(&mut self, b: &Builder<'c>, predicate: &Predicate) -> Result<Val<'c>> {
        let zero = b.index(0);
        Ok(match predicate {
            Predicate::True => b.truth(true),
            Predicate::False => b.truth(false),
            Predicate::Zero(value) => b.compare(CMP_EQ, self.affine(b, value)?, zero),
            Predicate::NotNegative(value) => b.compare(CMP_SGE, self.affine(b, value)?, zero),
            Predicate::And(parts) => self.joined(b, "arith.andi", parts)?,
            Predicate::Or(parts) => self.joined(b, "arith.ori", parts)?,
            Predicate::Exists(..) => {
                let (mut open, mut inner) = (Vec::new(), predicate);
                while let Predicate::Exists(range, body) = inner {
                    open.push(range.clone());
                    inner = body;
                }
                self.fold(b, open, inner.conjuncts().to_vec(), Fold::Exists)?
            }
            Predicate::Related(relation, places) => {
                let known = self.fragment.relations.get(relation.0 as usize);
                match known.ok_or_else(|| self.lost("a relation"))? {
                    RelationOf::Truth(value) => *value,
                    RelationOf::Member { tensors, at: true } => {
                        let (number, places) =
                            places.split_last().ok_or_else(|| self.lost("a tuple"))?;
                        let tuple = (&tensors[..], number.clone(), places.to_vec());
                        self.with_tuple(b, tuple, vec![], vec![], Fold::Exists)?
                    }
                    RelationOf::Member { tensors, at: false } => {
                        let at = places.iter().map(|place| self.affine(b, place));
                        let at = at.collect::<Result<Vec<_>>>()?;
                        is_member(b, tensors, &at)?
                    }
                }
            }
        })
    }

    fn joined(&mut self, b: &Builder<'c>, name: &str, parts: &[Predicate]) -> Result<Val<'c>> {
        let mut joined: Option<Val<'c>> = None;
        for part in parts {
            let part = self.predicate(b, part)?;
            joined = Some(joined.map_or(part, |joined| b.same(name, &[joined, part])));
        }
        joined.ok_or_else(|| self.lost("an empty predicate"))
    }
}

impl<'c> FunctionOf<'c> {
    /// The value for numbers.
    pub fn emit(&self, b: &Builder<'c>, arguments: &[Val<'c>], number: Type<'c>) -> Val<'c> {
        match self {
            FunctionOf::Operation(name, attributes) => {
                let attributes: Vec<_> =
                    attributes.iter().map(|(name, value)| (name.as_str(), *value)).collect();
                b.val_with(name, arguments, number, &attributes)
            }
            FunctionOf::Call(name) => {
                let callee = b.symbol_attr(name);
                b.val_with("func.call", arguments, number, &[("callee", callee)])
            }
        }
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
/// one in an equation, else the last one.
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
    numbers.or_else(|| equations.max()).unwrap_or(open.len() - 1)
}
