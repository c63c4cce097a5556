//! The cost of expressions as formulas in their sizes \[ATL Figure 6\].
//!
//! Each operation costs as much as there are values of the indices around it for
//! which the predicates around it hold. [`count`] finds their number where
//! equalities fix indices and nothing else is said of them; where more is said, it
//! tries all values if the sizes are numbers, and otherwise counts from above.
//! [`cost`](mod@crate::cost) counts by evaluating, which needs the sizes.

use crate::affine::{Affine, Size, Term};
use crate::cost::{guard_of, nested_sums};
use crate::eval::{Environment, Fault, World};
use crate::expr::{Expr, Function, Node, operands};
use crate::inner::count as count_all;
use crate::known::{Known, fixed_by};
use crate::oracle::Oracle;
use crate::polynomial::Polynomial;
use crate::predicate::{Predicate, Range, Relation};

/// No more values of indices are tried.
const MOST_TRIES: i64 = 1 << 20;

/// No disjunction of more parts is counted part by part.
const MOST_PARTS: usize = 4;

/// A number of operations.
#[derive(Clone, Debug, Default)]
pub struct Bound {
    /// The number, or more.
    pub most: Polynomial,
    /// Whether there may be fewer.
    pub is_loose: bool,
}

impl Bound {
    /// The sum of two numbers.
    pub fn plus(&self, other: &Bound) -> Bound {
        Bound { most: self.most.plus(&other.most, 1), is_loose: self.is_loose || other.is_loose }
    }
}

/// How many values of indices make a predicate true.
struct Count {
    /// The number, if `data` are such that all relations hold, or more.
    bound: Bound,
    /// Whether data may make it less.
    is_data: bool,
}

impl Count {
    /// The number as it is known.
    fn bound(self) -> Bound {
        Bound { is_loose: self.bound.is_loose || self.is_data, ..self.bound }
    }

    /// How much more this is than what is no larger, nor grows faster as more
    /// relations hold.
    fn minus(self, other: &Count) -> Bound {
        let is_loose = self.is_data || other.is_data || self.bound.is_loose;
        match other.bound.is_loose {
            true => Bound { is_loose: true, ..self.bound },
            false => Bound { most: self.bound.most.plus(&other.bound.most, -1), is_loose },
        }
    }
}

/// Counts what operations cost. Formulas hold where no range is empty.
pub struct Tally<'a> {
    /// The sizes that are known.
    pub size_of: &'a dyn Fn(Size) -> Option<i64>,
    /// Whether the last place of a relation alone says what the others are.
    pub is_numbered: &'a dyn Fn(Relation) -> bool,
    /// What says whether predicates contradict each other.
    pub oracle: &'a dyn Oracle,
    /// Sees what each operation costs without what is in it: all expressions around
    /// it, and it as the last.
    pub spend: &'a mut dyn FnMut(&[Expr], Bound),
}

/// What is around an expression.
#[derive(Default)]
struct Around {
    ranges: Vec<Range>,
    path: Vec<Expr>,
}

impl Tally<'_> {
    /// Counts an expression.
    pub fn expression(&mut self, expr: &Expr) {
        let mut sizes = Vec::new();
        note_sizes(expr, &mut sizes);
        let known = sizes.iter().fold(Known::nothing(self.oracle), |known, size| {
            let size = self.affine(size);
            match size.as_constant() {
                Some(_) => known,
                None => known.and(&Predicate::not_negative(size.plus_constant(-1))),
            }
        });
        self.walk(expr, &known, &mut Around::default(), &Predicate::True);
    }

    fn walk(&mut self, expr: &Expr, known: &Known, around: &mut Around, held: &Predicate) {
        let both = |predicate: &Predicate| Predicate::and([held.clone(), predicate.clone()]);
        around.path.push(expr.clone());
        match &**expr {
            // (4.24)
            Node::Add(left, right) => {
                let both = Predicate::and([both(guard_of(left)), guard_of(right).clone()]);
                let places = self.count(known, &around.ranges, &both);
                (self.spend)(&around.path, places.bound());
                self.walk(left, known, around, held);
                self.walk(right, known, around, held);
            }
            // (4.25), (4.26)
            Node::Mul(..) | Node::Call(..) => {
                let places = self.count(known, &around.ranges, held);
                (self.spend)(&around.path, places.bound());
                for operand in operands(expr) {
                    self.walk(operand, known, around, held);
                }
            }
            // (4.29)
            Node::Gen(range, inner) => {
                around.ranges.push(range.clone());
                self.walk(inner, known, around, held);
                around.ranges.pop();
            }
            // (4.30)
            Node::Sum(..) => {
                let (own, inner) = nested_sums(expr);
                let own: Vec<Range> = own.into_iter().cloned().collect();
                let terms = both(guard_of(inner));
                let is_there = Predicate::exists(&own, guard_of(inner).clone());
                let sums = self.count(known, &around.ranges, &both(&is_there));
                let is_single = self.is_single(known, &around.ranges, &own, &terms);
                let depth = around.ranges.len();
                around.ranges.extend(own);
                if !is_single {
                    let terms = self.count(known, &around.ranges, &terms);
                    (self.spend)(&around.path, terms.minus(&sums));
                }
                self.walk(inner, known, around, held);
                around.ranges.truncate(depth);
            }
            // (4.33), (4.34)
            Node::Bracket(predicate, inner) => self.walk(inner, known, around, &both(predicate)),
            // (4.22), (4.23), (4.27), (4.28), (4.31), (4.32)
            _ => {
                for operand in operands(expr) {
                    self.walk(operand, known, around, held);
                }
            }
        }
        around.path.pop();
    }

    /// Whether equalities fix all indices of a sum, so that nothing is added.
    fn is_single(&self, known: &Known, around: &[Range], own: &[Range], held: &Predicate) -> bool {
        let all = [around, own].concat();
        let mut predicate = known.inside_all(&all).simplify(held);
        let mut open = own.to_vec();
        while let Some((place, value)) = fixed_ranges(&open, &predicate).pop() {
            predicate = replaced(&predicate, &open.remove(place), &value);
        }
        open.is_empty()
    }

    /// How many values of `ranges` make a predicate true.
    fn count(&self, known: &Known, ranges: &[Range], predicate: &Predicate) -> Count {
        let ranges = ranges.iter().map(|range| Range::new(range.index, self.affine(&range.size)));
        let ranges: Vec<Range> = ranges.collect();
        let bound = |predicate: Predicate| {
            let bound = self.solve(known, ranges.clone(), &predicate);
            match tries(&ranges, &predicate) {
                Some(tries) if bound.is_loose && tries <= MOST_TRIES => {
                    let places = count_all(
                        &ranges,
                        &predicate,
                        &mut Environment::default(),
                        &mut Statically,
                    );
                    let places = places.map_or(0, i128::from);
                    Bound { most: Polynomial::constant(places), is_loose: false }
                }
                _ => bound,
            }
        };
        // No predicate is true because a relation does not hold.
        let [least, most] = [Predicate::False, Predicate::True]
            .map(|relation| self.predicate(predicate, &relation));
        let is_same = least == most;
        let most = bound(most);
        if is_same {
            return Count { bound: most, is_data: false };
        }
        let least = bound(least);
        Count { is_data: least.is_loose || least.most != most.most, bound: most }
    }

    /// The same by algebra.
    fn solve(&self, known: &Known, mut ranges: Vec<Range>, predicate: &Predicate) -> Bound {
        let predicate = known.inside_all(&ranges).simplify(predicate);
        if predicate == Predicate::False {
            return Bound::default();
        }
        let conjuncts = predicate.conjuncts();
        // An equality leaves one value of an index: of one that cannot be out of its
        // range if there is such, else of the innermost.
        let is_inside = |(place, value): &(usize, Affine)| {
            let others = [&ranges[..*place], &ranges[place + 1..]].concat();
            known.inside_all(&others).and(&predicate).implies(&ranges[*place].contains(value))
        };
        let mut fixed = fixed_ranges(&ranges, &predicate);
        let chosen = fixed.iter().position(is_inside).unwrap_or(fixed.len().saturating_sub(1));
        if chosen < fixed.len() {
            let (place, value) = fixed.swap_remove(chosen);
            let range = ranges.remove(place);
            let rest = [replaced(&predicate, &range, &value), range.contains(&value)];
            return self.solve(known, ranges, &Predicate::and(rest));
        }
        // What holds for one part or another.
        for (place, part) in conjuncts.iter().enumerate() {
            if let Predicate::Or(parts) = part
                && parts.len() <= MOST_PARTS
            {
                let around = [&conjuncts[..place], &conjuncts[place + 1..]].concat();
                let solve = |part: Predicate| {
                    let all = around.iter().cloned().chain([part]);
                    self.solve(known, ranges.clone(), &Predicate::and(all))
                };
                let (first, others) = (parts[0].clone(), Predicate::or(parts[1..].to_vec()));
                let both = solve(Predicate::and([first.clone(), others.clone()]));
                let either = solve(first).plus(&solve(others));
                if !either.is_loose && !both.is_loose {
                    return Bound { most: either.most.plus(&both.most, -1), is_loose: false };
                }
            }
        }
        // The number of a tuple leaves one value of each place, unless the number
        // itself has been left out.
        let mut left_out = Vec::new();
        for part in conjuncts {
            if let Predicate::Related(relation, values) = part
                && let Some((number, places)) = values.split_last()
                && (self.is_numbered)(*relation)
                && !left_out.iter().any(|index| number.uses(*index))
            {
                let is_place = |range: &mut Range| {
                    let index = range.index;
                    let mut places = places.iter();
                    !number.uses(index) && places.any(|place| place.as_index() == Some(index))
                };
                left_out.extend(ranges.extract_if(.., is_place).map(|range| range.index));
            }
        }
        let sizes = ranges.iter().map(|range| Polynomial::of(&range.size));
        let most = sizes.fold(Polynomial::constant(1), |product, size| product.times(&size));
        Bound { most, is_loose: predicate != Predicate::True }
    }

    /// An affine expression with the sizes that are known.
    fn affine(&self, value: &Affine) -> Affine {
        value.terms().fold(Affine::constant(value.offset()), |sum, (term, factor)| {
            let known = match term {
                Term::Size(size) => (self.size_of)(size),
                Term::Index(_) => None,
            };
            sum.plus(&known.map_or(Affine::term(term), Affine::constant).times(factor))
        })
    }

    /// A predicate with the sizes that are known, and `relation` in the place of
    /// relations but numbered ones, which stay if it is true.
    fn predicate(&self, predicate: &Predicate, relation: &Predicate) -> Predicate {
        let all = |parts: &[Predicate]| -> Vec<Predicate> {
            parts.iter().map(|part| self.predicate(part, relation)).collect()
        };
        match predicate {
            Predicate::True | Predicate::False => predicate.clone(),
            Predicate::Zero(value) => Predicate::zero(self.affine(value)),
            Predicate::NotNegative(value) => Predicate::not_negative(self.affine(value)),
            Predicate::Related(own, values)
                if (self.is_numbered)(*own) && *relation == Predicate::True =>
            {
                let values = values.iter().map(|value| self.affine(value));
                Predicate::Related(*own, values.collect())
            }
            Predicate::Related(..) => relation.clone(),
            Predicate::And(parts) => Predicate::and(all(parts)),
            Predicate::Or(parts) => Predicate::or(all(parts)),
            Predicate::Exists(range, inner) => {
                let range = Range::new(range.index, self.affine(&range.size));
                Predicate::exists(&[range], self.predicate(inner, relation))
            }
        }
    }
}

/// The positions of ranges whose index an equality fixes, and its values.
fn fixed_ranges(ranges: &[Range], predicate: &Predicate) -> Vec<(usize, Affine)> {
    let fixed = ranges.iter().enumerate().filter_map(|(place, range)| {
        let fixed = |part| fixed_by(part, range.index);
        Some((place, predicate.conjuncts().iter().find_map(fixed)?))
    });
    fixed.collect()
}

/// A predicate for one value of an index.
fn replaced(predicate: &Predicate, range: &Range, value: &Affine) -> Predicate {
    predicate.substitute(&|index| (index == range.index).then(|| value.clone()))
}

/// The sizes of all ranges of an expression.
fn note_sizes(expr: &Expr, sizes: &mut Vec<Affine>) {
    fn note_in_predicate(predicate: &Predicate, sizes: &mut Vec<Affine>) {
        match predicate {
            Predicate::And(parts) | Predicate::Or(parts) => {
                parts.iter().for_each(|part| note_in_predicate(part, sizes));
            }
            Predicate::Exists(range, inner) => {
                sizes.push(range.size.clone());
                note_in_predicate(inner, sizes);
            }
            _ => {}
        }
    }
    match &**expr {
        Node::Gen(range, _) | Node::Sum(range, _) => sizes.push(range.size.clone()),
        Node::Bracket(predicate, _) => note_in_predicate(predicate, sizes),
        _ => {}
    }
    operands(expr).into_iter().for_each(|operand| note_sizes(operand, sizes));
}

/// How many values of indices there are to try, if all sizes are numbers.
fn tries(ranges: &[Range], predicate: &Predicate) -> Option<i64> {
    fn of(predicate: &Predicate) -> Option<i64> {
        let is_size = |value: &Affine| value.terms().any(|(term, _)| matches!(term, Term::Size(_)));
        match predicate {
            Predicate::Zero(value) | Predicate::NotNegative(value) => {
                (!is_size(value)).then_some(1)
            }
            // A numbered tuple is counted from above.
            Predicate::Related(..) => None,
            Predicate::And(parts) | Predicate::Or(parts) => {
                parts.iter().try_fold(0i64, |sum, part| Some(sum.saturating_add(of(part)?)))
            }
            Predicate::Exists(range, inner) => {
                Some(range.size.as_constant()?.max(1).saturating_mul(of(inner)?))
            }
            Predicate::True | Predicate::False => Some(1),
        }
    }
    ranges.iter().try_fold(of(predicate)?, |product, range| {
        Some(product.saturating_mul(range.size.as_constant()?.max(0)))
    })
}

/// A world in which nothing is asked for.
struct Statically;

impl World for Statically {
    fn size(&self, _: Size) -> i64 {
        0
    }

    fn holds(&self, _: Relation, _: &[i64]) -> bool {
        false
    }

    fn call(&mut self, _: Function, _: &[f64]) -> Result<f64, Fault> {
        Ok(0.0)
    }
}
