//! Predicates simplified under what is known where they stand.

use crate::affine::{Affine, Index};
use crate::intervals::merged;
use crate::oracle::{Oracle, contradict, excludes, implies, projected};
use crate::predicate::{Predicate, Range};

/// No disjunction of more parts is distributed over.
const MOST_PARTS: usize = 4;

/// What is known at a place of an expression.
#[derive(Clone)]
pub struct Known<'a> {
    oracle: &'a dyn Oracle,
    facts: Vec<Predicate>,
}

impl<'a> Known<'a> {
    /// Nothing is known.
    pub fn nothing(oracle: &'a dyn Oracle) -> Known<'a> {
        Known { oracle, facts: vec![] }
    }

    /// This, and that a predicate holds.
    pub fn and(&self, predicate: &Predicate) -> Known<'a> {
        let is_new = |part: &&Predicate| !self.facts.iter().any(|fact| fact.is_like(part));
        let new = predicate.conjuncts().iter().filter(is_new);
        let facts = self.facts.iter().chain(new).cloned().collect();
        Known { oracle: self.oracle, facts }
    }

    /// This, in the scope of an index.
    pub fn inside(&self, range: &Range) -> Known<'a> {
        self.and(&range.contains(&Affine::index(range.index)))
    }

    /// This, in the scope of several indices.
    pub fn inside_all(&self, ranges: &[Range]) -> Known<'a> {
        ranges.iter().fold(self.clone(), |known, range| known.inside(range))
    }

    /// Whether a predicate follows.
    pub fn implies(&self, predicate: &Predicate) -> bool {
        implies(self.oracle, &self.facts, predicate) || self.has_witness(predicate)
    }

    /// Whether a tuple that is known to be related is one that a quantifier asks for.
    fn has_witness(&self, predicate: &Predicate) -> bool {
        let (mut ranges, mut inner) = (Vec::new(), predicate);
        while let Predicate::Exists(range, body) = inner {
            ranges.push(range);
            inner = body;
        }
        let wanted = inner.conjuncts().iter().find_map(|part| match part {
            Predicate::Related(relation, places) => Some((relation, places)),
            _ => None,
        });
        let Some((relation, places)) = wanted else { return false };
        self.facts.iter().any(|fact| match fact {
            Predicate::Related(other, known) if other == relation => {
                // Where the quantifier's index stands alone, it is what stands there.
                let value_of = |index: Index| {
                    ranges.iter().find(|range| range.index == index)?;
                    let place = places.iter().position(|place| place.as_index() == Some(index))?;
                    known.get(place).cloned()
                };
                let is_in_range = |range: &&Range| {
                    value_of(range.index).is_some_and(|value| {
                        implies(self.oracle, &self.facts, &range.contains(&value))
                    })
                };
                ranges.iter().all(is_in_range)
                    && implies(self.oracle, &self.facts, &inner.substitute(&value_of))
            }
            _ => false,
        })
    }

    /// Whether one predicate follows from another.
    pub fn follows(&self, premise: &Predicate, predicate: &Predicate) -> bool {
        self.and(premise).implies(predicate)
    }

    /// Whether a predicate contradicts it.
    pub fn excludes(&self, predicate: &Predicate) -> bool {
        match predicate {
            Predicate::True => contradict(self.oracle, &self.facts),
            Predicate::False => true,
            _ => excludes(self.oracle, &self.facts, predicate),
        }
    }

    /// A predicate that is the same where this holds: without what follows, false
    /// if it contradicts.
    pub fn simplify(&self, predicate: &Predicate) -> Predicate {
        match predicate {
            Predicate::Or(parts) => self.disjunction(parts),
            Predicate::Exists(range, inner) => self.quantified(range, inner),
            _ => self.conjunction(predicate),
        }
    }

    fn conjunction(&self, predicate: &Predicate) -> Predicate {
        let is_atom = |part: &Predicate| !matches!(part, Predicate::Or(_) | Predicate::Exists(..));
        let (atoms, mut others): (Vec<Predicate>, Vec<Predicate>) =
            predicate.conjuncts().iter().cloned().partition(is_atom);
        let atoms = self.atoms(atoms);
        if others.is_empty() || atoms == Predicate::False {
            return atoms;
        }
        if self.excludes(predicate) {
            return Predicate::False;
        }
        // Each is simplified where the rest holds.
        for place in 0..others.len() {
            let other = std::mem::replace(&mut others[place], Predicate::True);
            let rest = Predicate::and([std::slice::from_ref(&atoms), &others[..]].concat());
            others[place] = self.and(&rest).simplify(&other);
        }
        let atoms = self.needed(atoms.conjuncts().to_vec(), &others);
        let simpler = Predicate::and([atoms, Predicate::and(others)]);
        // A quantifier or a disjunction may have become atoms.
        if simpler == *predicate { simpler } else { self.simplify(&simpler) }
    }

    /// Inequalities of a conjunction that do not follow from the disjunctions in it.
    fn needed(&self, mut atoms: Vec<Predicate>, others: &[Predicate]) -> Predicate {
        let either = others.iter().filter(|other| matches!(other, Predicate::Or(_)));
        let either: Vec<Predicate> = either.cloned().collect();
        let mut place = 0;
        while place < atoms.len() && !either.is_empty() {
            let atom = atoms.remove(place);
            let rest = Predicate::and(atoms.iter().chain(&either).cloned());
            if !matches!(atom, Predicate::NotNegative(_)) || !self.and(&rest).implies(&atom) {
                atoms.insert(place, atom);
                place += 1;
            }
        }
        Predicate::and(atoms)
    }

    /// A conjunction of atoms.
    fn atoms(&self, mut atoms: Vec<Predicate>) -> Predicate {
        if self.excludes(&Predicate::and(atoms.clone())) {
            return Predicate::False;
        }
        // An inequality that leaves one value is an equality.
        for place in 0..atoms.len() {
            if let Predicate::NotNegative(value) = &atoms[place]
                && let all = self.and(&Predicate::and(atoms.clone()))
                && all.implies(&Predicate::not_negative(value.times(-1)))
            {
                atoms[place] = Predicate::zero(value.clone());
            }
        }
        // Equalities are worth most: they stay where an inequality could go.
        atoms.sort_by_key(|atom| matches!(atom, Predicate::Zero(_)));
        let mut place = 0;
        while place < atoms.len() {
            let atom = atoms.remove(place);
            let others = Predicate::and(atoms.iter().cloned());
            if !self.and(&others).implies(&atom) {
                atoms.insert(place, atom);
                place += 1;
            }
        }
        Predicate::and(atoms)
    }

    fn disjunction(&self, parts: &[Predicate]) -> Predicate {
        let parts = parts.iter().map(|part| self.simplify(part));
        let parts: Vec<Predicate> = match Predicate::or(parts) {
            Predicate::Or(parts) => parts,
            other => return other,
        };
        if self.implies(&Predicate::Or(parts.clone())) {
            return Predicate::True;
        }
        let count = parts.len();
        let mut parts = merged(parts);
        if parts.len() < count {
            return self.simplify(&Predicate::or(parts));
        }
        // What makes one of the others true is not needed.
        let mut place = 0;
        while place < parts.len() && parts.len() > 1 {
            let part = parts.remove(place);
            if !self.follows(&part, &Predicate::or(parts.iter().cloned())) {
                parts.insert(place, part);
                place += 1;
            }
        }
        let (common, rest) = common_conjuncts(&parts);
        Predicate::and([common, Predicate::or(rest)])
    }

    fn quantified(&self, range: &Range, inner: &Predicate) -> Predicate {
        let inner = self.inside(range).simplify(inner);
        if let Predicate::Or(parts) = &inner {
            return self.either(range, &[], parts);
        }
        let (using, free): (Vec<Predicate>, Vec<Predicate>) =
            inner.conjuncts().iter().cloned().partition(|part| part.uses(range.index));
        let fixed = using.iter().find_map(|part| fixed_by(part, range.index));
        let eliminated = match (fixed, &using[..]) {
            _ if inner == Predicate::False => return Predicate::False,
            (Some(value), _) => Some(replaced(range, &value, &using)),
            (None, parts) => {
                if let Some(place) = parts.iter().position(|part| matches!(part, Predicate::Or(_)))
                    && let Predicate::Or(either) = &parts[place]
                    && either.len() <= MOST_PARTS
                {
                    let mut rest = inner.conjuncts().to_vec();
                    rest.retain(|part| *part != parts[place]);
                    return self.either(range, &rest, either);
                }
                fixed_within(range, parts).or_else(|| self.projected(range, parts))
            }
        };
        let rest = Predicate::and(free);
        match eliminated {
            Some(eliminated) => self.simplify(&Predicate::and([rest, eliminated])),
            None => {
                let within = Predicate::exists(std::slice::from_ref(range), Predicate::and(using));
                match within {
                    Predicate::Exists(..) => Predicate::and([rest, within]),
                    has_value => self.simplify(&Predicate::and([rest, has_value])),
                }
            }
        }
    }

    /// That some value of the index makes `rest` and some of `parts` true.
    fn either(&self, range: &Range, rest: &[Predicate], parts: &[Predicate]) -> Predicate {
        let parts = parts.iter().map(|part| {
            let all = Predicate::and([rest, std::slice::from_ref(part)].concat());
            Predicate::exists(std::slice::from_ref(range), all)
        });
        self.simplify(&Predicate::or(parts))
    }

    /// A quantifier without its index, where its bounds leave room for an integer.
    fn projected(&self, range: &Range, parts: &[Predicate]) -> Option<Predicate> {
        let exists =
            Predicate::exists(std::slice::from_ref(range), Predicate::and(parts.iter().cloned()));
        projected(self.oracle, &self.facts, &exists)
    }
}

/// What an equality says that an index is.
pub fn fixed_by(part: &Predicate, index: Index) -> Option<Affine> {
    match part {
        Predicate::Zero(value) => value.solve(&|other| other == index).map(|(_, value)| value),
        _ => None,
    }
}

/// `parts` for the one value of an index that makes them true.
fn replaced(range: &Range, value: &Affine, parts: &[Predicate]) -> Predicate {
    let value_of = |index| (index == range.index).then(|| value.clone());
    let parts = parts.iter().map(|part| part.substitute(&value_of));
    Predicate::and(parts.chain([range.contains(value)]))
}

/// `parts` without the index, where a quantifier among them fixes it: that one
/// comes to the outside.
fn fixed_within(range: &Range, parts: &[Predicate]) -> Option<Predicate> {
    let found = parts.iter().enumerate().find_map(|(place, part)| match part {
        Predicate::Exists(other, inner) => {
            let fixed = inner.conjuncts().iter().find_map(|part| fixed_by(part, range.index));
            fixed.map(|value| (place, other, inner, value))
        }
        _ => None,
    });
    let (place, other, inner, value) = found?;
    let mut all = parts.to_vec();
    all[place] = (**inner).clone();
    let all = Predicate::and(all);
    let body = replaced(range, &value, all.conjuncts());
    Some(Predicate::exists(std::slice::from_ref(other), body))
}

/// What all of some predicates say, and what is left of each.
pub fn common_conjuncts(parts: &[Predicate]) -> (Predicate, Vec<Predicate>) {
    let Some((first, others)) = parts.split_first() else {
        return (Predicate::True, vec![]);
    };
    let is_common =
        |conjunct: &&Predicate| others.iter().all(|other| other.conjuncts().contains(conjunct));
    let common: Vec<Predicate> = first.conjuncts().iter().filter(is_common).cloned().collect();
    let rest = parts.iter().map(|part| {
        let rest = part.conjuncts().iter().filter(|conjunct| !common.contains(conjunct));
        match part {
            Predicate::False => Predicate::False,
            _ => Predicate::and(rest.cloned()),
        }
    });
    let rest = rest.collect();
    (Predicate::and(common), rest)
}
