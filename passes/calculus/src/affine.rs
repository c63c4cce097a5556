//! Affine expressions of indices and sizes [ATL Figure 3].

use std::collections::BTreeMap;
use std::fmt;

/// The name of an index, which a generation, a sum or a quantifier binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Index(pub u32);

/// The name of a size, which is the same in a whole program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Size(pub u32);

/// What an affine expression adds multiples of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Term {
    /// An index.
    Index(Index),
    /// A size.
    Size(Size),
}

/// A sum of multiples of terms, and a constant. No multiple is zero, so that
/// equal expressions are equal values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Affine {
    terms: BTreeMap<Term, i64>,
    constant: i64,
}

impl Affine {
    /// The expression that is a number.
    pub fn constant(value: i64) -> Affine {
        Affine { terms: BTreeMap::new(), constant: value }
    }

    /// The expression that is a term.
    pub fn term(term: Term) -> Affine {
        Affine { terms: BTreeMap::from([(term, 1)]), constant: 0 }
    }

    /// The expression that is an index.
    pub fn index(index: Index) -> Affine {
        Affine::term(Term::Index(index))
    }

    /// The expression that is a size.
    pub fn size(size: Size) -> Affine {
        Affine::term(Term::Size(size))
    }

    /// The terms with what each is multiplied with.
    pub fn terms(&self) -> impl Iterator<Item = (Term, i64)> + '_ {
        self.terms.iter().map(|(&term, &factor)| (term, factor))
    }

    /// What is added to the terms.
    pub fn offset(&self) -> i64 {
        self.constant
    }

    /// What `term` is multiplied with: 0 if it does not occur.
    pub fn coefficient(&self, term: Term) -> i64 {
        self.terms.get(&term).copied().unwrap_or(0)
    }

    /// The value, where no term is left.
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The index that this is, if it is nothing but an index.
    pub fn as_index(&self) -> Option<Index> {
        match self.terms.first_key_value() {
            Some((&Term::Index(index), 1)) if self.terms.len() == 1 && self.constant == 0 => {
                Some(index)
            }
            _ => None,
        }
    }

    /// Whether an index occurs.
    pub fn uses(&self, index: Index) -> bool {
        self.terms.contains_key(&Term::Index(index))
    }

    /// The indices that occur.
    pub fn indices(&self) -> impl Iterator<Item = Index> + '_ {
        self.terms.keys().filter_map(|term| match term {
            Term::Index(index) => Some(*index),
            Term::Size(_) => None,
        })
    }

    /// The sum of two expressions.
    pub fn plus(&self, other: &Affine) -> Affine {
        self.plus_multiple(other, 1)
    }

    /// The difference of two expressions.
    pub fn minus(&self, other: &Affine) -> Affine {
        self.plus_multiple(other, -1)
    }

    /// The sum of this and a number.
    pub fn plus_constant(&self, value: i64) -> Affine {
        self.plus(&Affine::constant(value))
    }

    /// A multiple of this.
    pub fn times(&self, factor: i64) -> Affine {
        Affine::default().plus_multiple(self, factor)
    }

    fn plus_multiple(&self, other: &Affine, factor: i64) -> Affine {
        let mut sum = self.clone();
        for (term, multiple) in other.terms() {
            *sum.terms.entry(term).or_insert(0) += factor * multiple;
        }
        sum.terms.retain(|_, multiple| *multiple != 0);
        sum.constant += factor * other.constant;
        sum
    }

    /// This with each index as `value_of` says, where it says something.
    pub fn substitute(&self, value_of: &dyn Fn(Index) -> Option<Affine>) -> Affine {
        let mut sum = Affine::constant(self.constant);
        for (term, factor) in self.terms() {
            let value = match term {
                Term::Index(index) => value_of(index),
                Term::Size(_) => None,
            };
            sum = sum.plus_multiple(&value.unwrap_or_else(|| Affine::term(term)), factor);
        }
        sum
    }

    /// The value where terms are what `value_of` says [ATL 4.13-4.17].
    pub fn evaluate(&self, value_of: &dyn Fn(Term) -> i64) -> i64 {
        let terms = self.terms();
        let values = terms.map(|(term, factor)| factor * value_of(term));
        self.constant + values.sum::<i64>()
    }

    /// The index of multiple 1 or -1 that satisfies `is_wanted`, and what makes
    /// this expression zero in its place.
    pub fn solve(&self, is_wanted: &dyn Fn(Index) -> bool) -> Option<(Index, Affine)> {
        self.terms().find_map(|(term, factor)| match term {
            Term::Index(index) if factor.abs() == 1 && is_wanted(index) => {
                let rest = self.minus(&Affine::term(term).times(factor));
                Some((index, rest.times(-factor)))
            }
            _ => None,
        })
    }
}

impl fmt::Display for Affine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_first = true;
        for (term, factor) in self.terms() {
            let sign = match (factor < 0, is_first) {
                (true, true) => "-",
                (true, false) => " - ",
                (false, true) => "",
                (false, false) => " + ",
            };
            write!(f, "{sign}")?;
            if factor.abs() != 1 {
                write!(f, "{}*", factor.abs())?;
            }
            match term {
                Term::Index(index) => write!(f, "i{}", index.0)?,
                Term::Size(size) => write!(f, "n{}", size.0)?,
            }
            is_first = false;
        }
        match self.constant {
            constant if is_first => write!(f, "{constant}"),
            0 => Ok(()),
            constant if constant < 0 => write!(f, " - {}", -constant),
            constant => write!(f, " + {constant}"),
        }
    }
}
