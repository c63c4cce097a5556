//! Predicates as unions of systems of equalities and inequalities over integers.

use crate::affine::{Affine, Index, Term};
use crate::predicate::{Predicate, Relation};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// No predicate is made more systems of.
const MOST_SYSTEMS: usize = 16;

/// No row has larger numbers, so that what is computed with a few of them does not
/// overflow.
pub const MOST: i64 = 1 << 30;

/// Rows of factors, one for each variable, then for each local, and a constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct System {
    /// The number of locals: there are values for them.
    pub locals: usize,
    /// What is zero.
    pub equalities: Vec<Vec<i64>>,
    /// What is zero or more.
    pub inequalities: Vec<Vec<i64>>,
}

/// What satisfies one of some systems over the same variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Union {
    /// The number of variables.
    pub variables: usize,
    /// The systems.
    pub systems: Vec<System>,
}

/// What a predicate that cannot be said by systems becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// One that follows from it.
    Weaker,
    /// Nothing: the systems must say the same.
    Same,
}

/// What has a factor. Whether a relation holds is a number, 1 or 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Column {
    Term(Term),
    Holds(Relation, Vec<Affine>),
    Local(usize),
}

/// A row, before columns have places.
#[derive(Clone, Debug)]
struct Row {
    is_equality: bool,
    factors: BTreeMap<Column, i64>,
    constant: i64,
}

/// Rows that all must hold. Many systems share them.
type Rows = Vec<Rc<Row>>;

/// Makes systems of predicates.
#[derive(Default)]
struct Translator {
    locals: usize,
    /// The indices of quantifiers, the innermost one last.
    bound: Vec<(Index, usize)>,
}

impl Translator {
    /// A union of systems for a predicate, if there is one.
    fn systems(&mut self, predicate: &Predicate, bound: Bound) -> Option<Vec<Rows>> {
        let found = match predicate {
            Predicate::True => Some(vec![vec![]]),
            Predicate::False => Some(vec![]),
            Predicate::Zero(value) => self.row(true, value).map(alone),
            Predicate::NotNegative(value) => self.row(false, value).map(alone),
            Predicate::Related(relation, values) => self.holds(*relation, values),
            Predicate::And(parts) => self.all(parts, bound),
            Predicate::Or(parts) => {
                let parts: Option<Vec<_>> =
                    parts.iter().map(|part| self.systems(part, bound)).collect();
                parts.map(|parts| parts.concat()).filter(|all| all.len() <= MOST_SYSTEMS)
            }
            Predicate::Exists(range, inner) => {
                self.bound.push((range.index, self.locals));
                self.locals += 1;
                let inside = range.contains(&Affine::index(range.index));
                let found = self.all([&inside, &**inner], bound);
                self.bound.pop();
                found
            }
        };
        match bound {
            Bound::Weaker => found.or_else(|| Some(vec![vec![]])),
            Bound::Same => found,
        }
    }

    /// A union of systems for what some predicates say together, if there is one.
    fn all<'a>(
        &mut self,
        parts: impl IntoIterator<Item = &'a Predicate>,
        bound: Bound,
    ) -> Option<Vec<Rows>> {
        parts.into_iter().try_fold(vec![vec![]], |all, part| {
            let part = self.systems(part, bound)?;
            match all.len() * part.len() <= MOST_SYSTEMS {
                true => Some(both(&all, &part)),
                false => (bound == Bound::Weaker).then_some(all),
            }
        })
    }

    /// A row, unless it has large numbers.
    fn row(&self, is_equality: bool, value: &Affine) -> Option<Row> {
        let factors = value.terms().map(|(term, factor)| {
            let local = self.bound.iter().rev().find(|(index, _)| Term::Index(*index) == term);
            let column = local.map_or(Column::Term(term), |(_, local)| Column::Local(*local));
            (column, factor)
        });
        let factors: BTreeMap<Column, i64> = factors.collect();
        let constant = value.offset();
        let is_small = factors.values().chain([&constant]).all(|number| number.abs() < MOST);
        is_small.then_some(Row { is_equality, factors, constant })
    }

    /// That a relation holds, which is known of values without bound indices only.
    fn holds(&self, relation: Relation, values: &[Affine]) -> Option<Vec<Rows>> {
        let is_bound = |index: Index| self.bound.iter().any(|(bound, _)| *bound == index);
        if values.iter().any(|value| value.indices().any(is_bound)) {
            return None;
        }
        let column = Column::Holds(relation, values.to_vec());
        let factors = BTreeMap::from([(column, 1)]);
        Some(alone(Row { is_equality: true, factors, constant: -1 }))
    }
}

/// The systems that say what one row says.
fn alone(row: Row) -> Vec<Rows> {
    vec![vec![Rc::new(row)]]
}

/// What satisfies a system of one and a system of the other union.
fn both(left: &[Rows], right: &[Rows]) -> Vec<Rows> {
    let pairs = left.iter().flat_map(|left| right.iter().map(move |right| (left, right)));
    pairs.map(|(left, right)| [&left[..], right].concat()).collect()
}

/// The rows that have to do with some columns, by others or not.
fn connected(rows: &Rows, columns: &BTreeSet<Column>) -> Rows {
    let mut columns = columns.clone();
    let mut rest: Vec<&Rc<Row>> = rows.iter().collect();
    let mut found: Rows = Vec::new();
    loop {
        let is_near = |row: &&Rc<Row>| {
            row.factors.is_empty() || row.factors.keys().any(|column| columns.contains(column))
        };
        let (near, far): (Vec<_>, Vec<_>) = rest.into_iter().partition(is_near);
        if near.is_empty() {
            return found;
        }
        columns.extend(near.iter().flat_map(|row| row.factors.keys().cloned()));
        found.extend(near.into_iter().cloned());
        rest = far;
    }
}

fn columns(systems: &[Rows]) -> BTreeSet<Column> {
    let rows = systems.iter().flatten();
    rows.flat_map(|row| row.factors.keys().cloned()).collect()
}

/// Systems with a place for each column. `of` are all columns that are not local.
fn placed(systems: &[Rows], of: &[Column]) -> Union {
    let systems = systems.iter().map(|rows| {
        let locals: BTreeSet<&Column> = rows
            .iter()
            .flat_map(|row| row.factors.keys())
            .filter(|column| matches!(column, Column::Local(_)))
            .collect();
        let all: Vec<&Column> = of.iter().chain(locals.iter().copied()).collect();
        let mut system = System { locals: locals.len(), ..System::default() };
        for row in rows {
            let factors = all.iter().map(|column| row.factors.get(column).copied().unwrap_or(0));
            let factors = factors.chain([row.constant]).collect();
            match row.is_equality {
                true => system.equalities.push(factors),
                false => system.inequalities.push(factors),
            }
        }
        system
    });
    Union { variables: of.len(), systems: systems.collect() }
}

/// That the number for a relation is 1 or 0.
fn is_truth(column: &Column) -> Option<Rows> {
    let at_least = |factor, constant| {
        let factors = BTreeMap::from([(column.clone(), factor)]);
        Rc::new(Row { is_equality: false, factors, constant })
    };
    matches!(column, Column::Holds(..)).then(|| vec![at_least(1, 0), at_least(-1, 1)])
}

fn outside(columns: BTreeSet<Column>) -> Vec<Column> {
    columns.into_iter().filter(|column| !matches!(column, Column::Local(_))).collect()
}

/// What some predicates say, or less.
pub fn union_of(predicates: &[Predicate]) -> Union {
    let systems = Translator::default().all(predicates, Bound::Weaker).unwrap_or_default();
    placed(&systems, &outside(columns(&systems)))
}

/// What some predicates say, or less, as far as it has to do with one other, and
/// what that one says, over the same variables. There is not always a union that
/// says the same as a predicate.
pub fn unions_of(known: &[Predicate], predicate: &Predicate, bound: Bound) -> Option<[Union; 2]> {
    let mut translator = Translator::default();
    let right = translator.systems(predicate, bound)?;
    let wanted = columns(&right);
    let left = translator.all(known, Bound::Weaker)?;
    let mut left: Vec<Rows> = left.iter().map(|rows| connected(rows, &wanted)).collect();
    let mut all = columns(&left);
    all.extend(wanted);
    for rows in &mut left {
        rows.extend(all.iter().filter_map(is_truth).flatten());
    }
    let all = outside(all);
    Some([placed(&left, &all), placed(&right, &all)])
}

/// The system that says that there is a value of some index, and what its
/// variables are, if there is just one and its variables are numbers.
pub fn system_of(exists: &Predicate) -> Option<(Union, Vec<Term>)> {
    let systems = Translator::default().systems(exists, Bound::Same)?;
    let all = outside(columns(&systems));
    let terms = all.iter().map(|column| match column {
        Column::Term(term) => Some(*term),
        _ => None,
    });
    let terms: Vec<Term> = terms.collect::<Option<_>>()?;
    (systems.len() == 1).then(|| (placed(&systems, &all), terms))
}

/// A system without locals as a predicate of terms.
pub fn predicate_of(system: &System, terms: &[Term]) -> Predicate {
    let value = |row: &Vec<i64>| {
        let sum = terms.iter().zip(row).fold(Affine::default(), |sum, (term, factor)| {
            sum.plus(&Affine::term(*term).times(*factor))
        });
        sum.plus_constant(row.last().copied().unwrap_or(0))
    };
    let equalities = system.equalities.iter().map(|row| Predicate::zero(value(row)));
    let inequalities = system.inequalities.iter().map(|row| Predicate::not_negative(value(row)));
    Predicate::and(equalities.chain(inequalities))
}

impl Union {
    /// What satisfies both unions, which have the same variables.
    pub fn and(&self, other: &Union) -> Union {
        let systems = self.systems.iter().flat_map(|left| {
            let both = |right| left.and(right, self.variables);
            other.systems.iter().map(both)
        });
        Union { variables: self.variables, systems: systems.collect() }
    }
}

impl System {
    /// What satisfies both systems over the same variables.
    pub fn and(&self, other: &System, variables: usize) -> System {
        let apart = |row: &Vec<i64>, before: usize, after: usize| {
            let (factors, rest) = row.split_at(variables);
            let (locals, constant) = rest.split_at(rest.len() - 1);
            [factors, &vec![0; before], locals, &vec![0; after], constant].concat()
        };
        let join = |left: &[Vec<i64>], right: &[Vec<i64>]| {
            let left = left.iter().map(|row| apart(row, 0, other.locals));
            let right = right.iter().map(|row| apart(row, self.locals, 0));
            left.chain(right).collect()
        };
        System {
            locals: self.locals + other.locals,
            equalities: join(&self.equalities, &other.equalities),
            inequalities: join(&self.inequalities, &other.inequalities),
        }
    }
}
