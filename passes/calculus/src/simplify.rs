//! Algebra of expressions: brackets, sums over one value, zeros [ATL 2.1, 2.2].
//!
//! A zero is a bracket that is false. It makes products zero and leaves sums,
//! whatever the other operand is; the number 0 is a number like others.

use crate::affine::{Affine, Index};
use crate::expr::{
    Constant, Expr, Names, Node, add, bracket, call, constant, generate, map_operands, mul,
    operands, replace_index, sum_all,
};
use crate::known::{Known, common_conjuncts, fixed_by};
use crate::oracle::Oracle;
use crate::predicate::{Predicate, Range};
use std::collections::HashSet;

/// No expression is gone through more often.
const MOST_ROUNDS: usize = 20;

/// An expression that is the same and costs no more: with predicates without what
/// is known around them, products and sums inside of brackets, and without sums
/// over an index that a predicate fixes. Lets must be outermost, then
/// generations.
pub fn simplify(expr: &Expr, oracle: &dyn Oracle, names: &mut Names) -> Expr {
    simplify_new(expr, &mut HashSet::new(), oracle, names)
}

/// The same, but what is `done` is left as it is.
pub fn simplify_new(
    expr: &Expr,
    done: &mut HashSet<Expr>,
    oracle: &dyn Oracle,
    names: &mut Names,
) -> Expr {
    if done.contains(expr) {
        return expr.clone();
    }
    match &**expr {
        Node::Let(..) | Node::Pair(..) => {
            map_operands(expr, &mut |operand| simplify_new(operand, done, oracle, names))
        }
        _ => {
            let mut simpler = expr.clone();
            for _ in 0..MOST_ROUNDS {
                let next = Simplifier { names }.tensor(&simpler, &Known::nothing(oracle));
                if next == simpler {
                    break;
                }
                simpler = next;
            }
            done.insert(simpler.clone());
            simpler
        }
    }
}

/// `[predicate] body`, where `body` is no bracket.
struct Guarded {
    predicate: Predicate,
    body: Expr,
}

impl Guarded {
    fn always(body: Expr) -> Guarded {
        Guarded { predicate: Predicate::True, body }
    }

    fn zero() -> Guarded {
        Guarded { predicate: Predicate::False, body: constant(0.0) }
    }

    /// `[predicate] body`, where `known` holds.
    fn new(predicate: &Predicate, body: Expr, known: &Known) -> Guarded {
        match known.simplify(predicate) {
            Predicate::False => Guarded::zero(),
            predicate => Guarded { predicate, body },
        }
    }

    fn is_zero(&self) -> bool {
        self.predicate == Predicate::False
    }

    fn expr(self) -> Expr {
        bracket(self.predicate, self.body)
    }

    /// The same where it does not matter, as it does in an addition, whether it is
    /// zero: no bracket that only says where the sum in it has terms, or the
    /// addition operands.
    fn alone(self, known: &Known) -> Expr {
        let conjuncts = self.predicate.conjuncts().to_vec();
        match &*self.body {
            Node::Add(left, right) => {
                let operands = [left, right];
                let mut guards = operands.map(|operand| guard_of(operand).clone());
                let needed = conjuncts.into_iter().filter(|part| !moved(part, &mut guards, known));
                let needed = Predicate::and(needed.collect::<Vec<_>>());
                let [left_guard, right_guard] = guards;
                let left = bracket(left_guard, unguarded(left));
                bracket(needed, add(left, bracket(right_guard, unguarded(right))))
            }
            Node::Sum(..) => {
                let (ranges, inner) = split_sums(&self.body);
                let inside = known.inside_all(&ranges);
                let needed = conjuncts.into_iter();
                let needed = needed.filter(|part| !inside.follows(guard_of(&inner), part));
                bracket(Predicate::and(needed), self.body)
            }
            _ => self.expr(),
        }
    }
}

/// Moves what is around an addition into the guards of its operands, if that makes
/// predicates shorter.
fn moved(part: &Predicate, guards: &mut [Predicate; 2], known: &Known) -> bool {
    if guards.iter().all(|guard| known.follows(guard, part)) {
        return true;
    }
    let whole = guards.each_ref();
    let whole = whole.map(|guard| known.simplify(&Predicate::and([part.clone(), guard.clone()])));
    let size = |guards: &[Predicate; 2]| guards.iter().map(Predicate::size).sum::<usize>();
    let is_shorter = size(&whole) < size(guards) + part.size();
    if is_shorter {
        *guards = whole;
    }
    is_shorter
}

/// The predicate around an expression, true if there is none.
fn guard_of(expr: &Expr) -> &Predicate {
    match &**expr {
        Node::Bracket(predicate, _) => predicate,
        _ => &Predicate::True,
    }
}

/// What a bracket is around, or the expression itself.
fn unguarded(expr: &Expr) -> Expr {
    match &**expr {
        Node::Bracket(_, inner) => inner.clone(),
        _ => expr.clone(),
    }
}

/// The ranges of the sums at the top of an expression, with or without brackets
/// between them, and what they are around.
fn split_sums(expr: &Expr) -> (Vec<Range>, Expr) {
    let mut ranges = Vec::new();
    let (mut predicate, mut inner) = (guard_of(expr).clone(), unguarded(expr));
    while let Node::Sum(range, body) = &*inner.clone() {
        ranges.push(range.clone());
        predicate = Predicate::and([predicate, guard_of(body).clone()]);
        inner = unguarded(body);
    }
    (ranges, bracket(predicate, inner))
}

/// Whether an index occurs free in an expression.
fn uses(expr: &Expr, index: Index) -> bool {
    let is_here = match &**expr {
        Node::Access(_, place) => place.uses(index),
        Node::Bracket(predicate, _) => predicate.uses(index),
        _ => false,
    };
    is_here || operands(expr).into_iter().any(|operand| uses(operand, index))
}

struct Simplifier<'a> {
    names: &'a mut Names,
}

impl Simplifier<'_> {
    fn tensor(&mut self, expr: &Expr, known: &Known) -> Expr {
        match &**expr {
            Node::Gen(range, inner) => {
                generate(range.clone(), self.tensor(inner, &known.inside(range)))
            }
            _ => self.scalar(expr, known).alone(known),
        }
    }

    fn scalar(&mut self, expr: &Expr, known: &Known) -> Guarded {
        match &**expr {
            Node::Bracket(predicate, inner) => {
                let predicate = known.simplify(predicate);
                if predicate == Predicate::False {
                    return Guarded::zero();
                }
                let inner = self.placed(inner, &predicate);
                let inner = self.scalar(&inner, &known.and(&predicate));
                let both = Predicate::and([predicate, inner.predicate]);
                Guarded::new(&both, inner.body, known)
            }
            Node::Add(left, right) => {
                let [left, right] = [left, right].map(|operand| self.scalar(operand, known));
                match (left.is_zero(), right.is_zero()) {
                    (true, _) => right,
                    (_, true) => left,
                    _ => added(left, right),
                }
            }
            Node::Mul(left, right) => {
                let left = self.scalar(left, known);
                let right = self.scalar(right, &known.and(&left.predicate));
                let both = Predicate::and([left.predicate, right.predicate]);
                Guarded::new(&both, multiplied(left.body, right.body), known)
            }
            Node::Call(function, arguments) => {
                let arguments = arguments.iter().map(|argument| {
                    let argument = self.scalar(argument, known);
                    match argument.is_zero() {
                        true => constant(0.0),
                        false => argument.alone(known),
                    }
                });
                Guarded::always(call(*function, arguments.collect()))
            }
            Node::Sum(..) => {
                let (ranges, inner) = split_sums(expr);
                let inner = self.scalar(&inner, &known.inside_all(&ranges));
                self.summed(ranges, inner, known)
            }
            // Variables, accesses and halves of variables.
            _ => Guarded::always(expr.clone()),
        }
    }

    /// `expr` where a predicate holds: with the last of the indices that are in an
    /// equality as what it says, so that what is read at one place looks so.
    fn placed(&mut self, expr: &Expr, predicate: &Predicate) -> Expr {
        let mut placed = expr.clone();
        for part in predicate.conjuncts() {
            if let Predicate::Zero(value) = part
                && let Some(last) = value.indices().max()
                && let Some(value) = fixed_by(part, last)
                && uses(&placed, last)
            {
                placed = replace_index(&placed, last, &value, self.names);
            }
        }
        placed
    }

    /// The sum of what has been simplified. All sums that are around one
    /// predicate are seen at once, as an equality may fix any of their indices.
    fn summed(&mut self, mut ranges: Vec<Range>, inner: Guarded, known: &Known) -> Guarded {
        let (more, inner) = split_sums(&inner.expr());
        ranges.extend(more);
        let (mut predicate, mut body) = (guard_of(&inner).clone(), unguarded(&inner));
        for range in &ranges {
            if range.size == Affine::constant(1) {
                let is_first = Predicate::zero(Affine::index(range.index));
                predicate = Predicate::and([predicate, is_first]);
            }
        }
        while let Some((place, value)) = fixed_range(&ranges, &predicate, known)
            .or_else(|| self.stride(&mut ranges, &mut predicate))
        {
            let range = ranges.remove(place);
            let whole = bracket(predicate.clone(), body);
            let whole = replace_index(&whole, range.index, &value, self.names);
            predicate = Predicate::and([guard_of(&whole).clone(), range.contains(&value)]);
            body = unguarded(&whole);
        }
        let inside = known.inside_all(&ranges);
        let predicate = inside.simplify(&predicate);
        if predicate == Predicate::False || inside.excludes(&Predicate::True) {
            return Guarded::zero();
        }
        // What no index matters to moves out; out of all sums, as what is between
        // them would end what the cost takes for one sum.
        let (own, free): (Vec<Predicate>, Vec<Predicate>) = predicate
            .conjuncts()
            .iter()
            .cloned()
            .partition(|part| ranges.iter().any(|range| part.uses(range.index)));
        let body = match (&ranges[..], own.is_empty()) {
            ([], _) => body,
            (_, true) => sum_all(&ranges, body),
            _ => sum_all(&ranges, bracket(Predicate::and(own), body)),
        };
        Guarded { predicate: Predicate::and(free), body }
    }

    /// The position of a range whose index a quantifier says to be a multiple of
    /// its own index, and the value. In the place of the quantifier there is one
    /// more range: each value of one index has one of the other.
    fn stride(
        &mut self,
        ranges: &mut Vec<Range>,
        predicate: &mut Predicate,
    ) -> Option<(usize, Affine)> {
        let found = predicate.conjuncts().iter().enumerate().find_map(|(part, quantified)| {
            let Predicate::Exists(own, inner) = quantified else { return None };
            let fixed = ranges.iter().enumerate().find_map(|(place, range)| {
                let fixed = |part| fixed_by(part, range.index);
                let value = inner.conjuncts().iter().find_map(fixed)?;
                value.uses(own.index).then_some((place, value))
            });
            fixed.map(|(place, value)| (part, own.clone(), (**inner).clone(), place, value))
        });
        let (part, own, inner, place, value) = found?;
        let range = self.names.range(&own.size);
        let renamed = |index: Index| (index == own.index).then(|| Affine::index(range.index));
        let mut parts = predicate.conjuncts().to_vec();
        parts[part] = inner.substitute(&renamed);
        *predicate = Predicate::and(parts);
        ranges.push(range.clone());
        Some((place, value.substitute(&renamed)))
    }
}

/// The position of a range whose index an equality fixes, and the value. Of
/// several it is the largest, if it is known which that is, else the one of which
/// the ranges of the others leave least to check, as those are the narrower ones, or
/// whose size has most terms: the size of a result, and not that of a window.
fn fixed_range(ranges: &[Range], predicate: &Predicate, known: &Known) -> Option<(usize, Affine)> {
    let fixed = ranges.iter().enumerate().filter_map(|(place, range)| {
        let fixed = |part| fixed_by(part, range.index);
        let value = predicate.conjuncts().iter().find_map(fixed)?;
        Some((place, value))
    });
    let checks = |(place, value): &(usize, Affine)| {
        let others = [&ranges[..*place], &ranges[place + 1..]].concat();
        let check = known.inside_all(&others).simplify(&ranges[*place].contains(value));
        check.conjuncts().len()
    };
    fixed.reduce(|best, next| {
        let larger = ranges[next.0].size.minus(&ranges[best.0].size).as_constant();
        let is_better = match larger {
            Some(larger) if larger != 0 => larger > 0,
            _ => {
                let terms = |(place, _): &(usize, Affine)| ranges[*place].size.terms().count();
                (checks(&next), terms(&best)) < (checks(&best), terms(&next))
            }
        };
        if is_better { next } else { best }
    })
}

/// `left + right`, inside of what holds for both.
fn added(left: Guarded, right: Guarded) -> Guarded {
    let (common, rest) = common_conjuncts(&[left.predicate, right.predicate]);
    let mut rest = rest.into_iter();
    let [left, right] =
        [left.body, right.body].map(|body| bracket(rest.next().unwrap_or(Predicate::True), body));
    Guarded { predicate: common, body: add(left, right) }
}

/// `left * right`, where 1 is no factor.
fn multiplied(left: Expr, right: Expr) -> Expr {
    let one = Node::Constant(Constant::new(1.0));
    match () {
        () if *left == one => right,
        () if *right == one => left,
        () => mul(left, right),
    }
}
