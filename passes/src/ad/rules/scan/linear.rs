//! Linear recurrences by a scan with linear-function composition [FUT 5.2]:
//! `t_i = d_i + M_i t_(i+1)`, with matrices M_i of which some entries are known to be
//! zero, one, or equal to others.

use std::collections::HashMap;

use ad_dialect::ir::{DYNAMIC, TyExt, Val};
use melior::ir::ValueLike;

use super::{
    structure::Structure,
    symbolic::{Name, Symbols},
};
use crate::support::{builder::Builder, diag::Result};

/// An entry of the matrices and of all their products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    Zero,
    One,
    /// A number that is stored, by position; equal entries share one.
    Stored(usize),
}

/// What is known about the matrices.
pub struct Linear {
    entries: Vec<Vec<Entry>>,
    /// For each number that is stored, an entry that it stands for.
    stored: Vec<(usize, usize)>,
}

impl Linear {
    /// Finds out which entries have to be stored, from the names of the matrices'
    /// entries.
    ///
    /// Blocks of the same shape and with the same entries share what is stored: their
    /// products are the same, too. A one on the diagonal stays one unless its number
    /// takes part in a cycle.
    pub fn new(
        structure: &Structure,
        names: &HashMap<(usize, usize), Name>,
        symbols: &Symbols,
    ) -> Self {
        let d = structure.coordinates.len();
        let mut linear = Self { entries: vec![vec![Entry::Zero; d]; d], stored: vec![] };
        let mut known: HashMap<Vec<Option<Option<Name>>>, Vec<usize>> = HashMap::new();
        for block in structure.blocks() {
            let pairs = || block.iter().flat_map(|&p| block.iter().map(move |&q| (p, q)));
            let shape = pairs()
                .map(|(p, q)| structure.has(p, q).then(|| names.get(&(p, q)).copied()))
                .collect();
            if let Some(twin) = known.get(&shape) {
                for (&p, &twin_p) in block.iter().zip(twin) {
                    for (&q, &twin_q) in block.iter().zip(twin) {
                        linear.entries[p][q] = linear.entries[twin_p][twin_q];
                    }
                }
                continue;
            }
            for (p, q) in pairs().filter(|&(p, q)| structure.has(p, q)) {
                let on_cycle = (0..d).any(|r| r != p && structure.has(p, r) && structure.has(r, p));
                let is_one = names.get(&(p, q)).is_some_and(|&name| symbols.is_one(name));
                linear.entries[p][q] = if p == q && is_one && !on_cycle {
                    Entry::One
                } else {
                    linear.stored.push((p, q));
                    Entry::Stored(linear.stored.len() - 1)
                };
            }
            known.insert(shape, block);
        }
        linear
    }

    /// The arrays t, from arrays d and the arrays of the matrices' entries; an entry
    /// that is not there is zero. `t_i` leaves `d_i` out; `backward` says that the
    /// recurrence runs from the last element to the first.
    pub fn solve<'c>(
        &self,
        b: &Builder<'c>,
        d: &[Val<'c>],
        matrices: &HashMap<(usize, usize), Val<'c>>,
        backward: bool,
    ) -> Result<Vec<Val<'c>>> {
        let mut inputs = d.to_vec();
        let mut neutrals: Vec<_> =
            d.iter().map(|array| b.zero_scalar(array.r#type().scalar())).collect();
        for &(p, q) in &self.stored {
            inputs.push(match matrices.get(&(p, q)) {
                Some(&array) => array,
                None => replicated_zero(b, d[p]),
            });
            let scalar = d[p].r#type().scalar();
            neutrals.push(if p == q { b.one(scalar) } else { b.zero_scalar(scalar) });
        }
        let flags: &[_] = if backward { &["exclusive", "reverse"] } else { &["exclusive"] };
        let mut results = b.scan(&inputs, &neutrals, flags, |b, arguments| {
            let (left, right) = arguments.split_at(inputs.len());
            let (outer, inner) = if backward { (left, right) } else { (right, left) };
            Ok(self.compose(&b, outer, inner))
        })?;
        results.truncate(d.len());
        Ok(results)
    }

    /// `(d, M) o (d', M') = (d + M d', M M')`.
    fn compose<'c>(&self, b: &Builder<'c>, outer: &[Val<'c>], inner: &[Val<'c>]) -> Vec<Val<'c>> {
        let d = self.entries.len();
        let ((d_outer, m_outer), (d_inner, m_inner)) = (outer.split_at(d), inner.split_at(d));
        let numbers = (0..d).map(|p| {
            let terms = (0..d).filter_map(|q| match self.entries[p][q] {
                Entry::Zero => None,
                Entry::One => Some(d_inner[q]),
                Entry::Stored(k) => Some(b.mul(m_outer[k], d_inner[q])),
            });
            terms.fold(d_outer[p], |sum, term| b.add(sum, term))
        });
        let numbers: Vec<_> = numbers.collect();
        let entries = self.stored.iter().map(|&(p, q)| {
            let terms = (0..d).filter_map(|r| match (self.entries[p][r], self.entries[r][q]) {
                (Entry::Zero, _) | (_, Entry::Zero) => None,
                (Entry::One, Entry::One) => None,
                (Entry::Stored(k), Entry::One) => Some(m_outer[k]),
                (Entry::One, Entry::Stored(k)) => Some(m_inner[k]),
                (Entry::Stored(k), Entry::Stored(l)) => Some(b.mul(m_outer[k], m_inner[l])),
            });
            terms.reduce(|sum, term| b.add(sum, term))
        });
        // An entry that is stored is the sum of one term at least.
        let entries: Vec<_> = entries.flatten().collect();
        [numbers, entries].concat()
    }
}

/// An array of zeros with the size and the type of another, which nothing stores.
fn replicated_zero<'c>(b: &Builder<'c>, like: Val<'c>) -> Val<'c> {
    let size = like.r#type().shape().first().copied().unwrap_or(DYNAMIC);
    b.replicate(b.zero_scalar(like.r#type().scalar()), b.dim(like, 0), size)
}
