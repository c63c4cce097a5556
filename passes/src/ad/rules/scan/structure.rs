//! Which results of an operator depend on which numbers of its state.
//!
//! The elements of a scan are linearised to d numbers, the coordinates [FUT 5.2]. The
//! Jacobian of the operator with respect to its state has an entry (p, q) where result
//! q may depend on number p of the state; elsewhere it is zero, and no code exists for
//! it. A product of such Jacobians has entries in the reflexive transitive closure of
//! that relation, because the identity is one of them.

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, Val};
use melior::ir::ValueLike;

use super::{
    operands,
    symbolic::{Symbols, element_count},
};

/// The most numbers that an element may have.
const NUMBERS: usize = 16;
/// The most multiplications that one composition of linear functions may take: those of
/// the product of two dense 8 x 8 matrices, or of four products of 4 x 4 matrices.
const PRODUCTS: usize = 512;

/// One number of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinate {
    /// The position in the tuple.
    pub component: usize,
    /// The row-major position in the component, if that is a tensor.
    pub element: usize,
}

/// The numbers of an element and how they depend on each other.
#[derive(Clone, Debug)]
pub struct Structure {
    /// The numbers, in order.
    pub coordinates: Vec<Coordinate>,
    /// For each p the set of q whose result depends on p.
    direct: Vec<u64>,
    closure: Vec<u64>,
}

impl Structure {
    /// The structure of a scan's operator, if its elements are few numbers.
    pub fn of(op: Op<'_>) -> Option<Self> {
        let body = op.body(0)?;
        let (state, _) = operands(body, op.attr("reverse").is_some());
        let coordinates = coordinates(&state)?;
        let mut symbols = Symbols::default();
        let mut first = 0;
        for value in state.iter().filter(|value| value.r#type().is_differentiable()) {
            symbols.set_sources(*value, first);
            first += element_count(value.r#type())?;
        }
        symbols.block(body);
        let yielded = body.term()?.operand_list();
        let mut direct = vec![0; coordinates.len()];
        for (q, at) in coordinates.iter().enumerate() {
            let name = *symbols.of(*yielded.get(at.component)?).get(at.element)?;
            let sources = symbols.sources_of(name);
            for (p, set) in direct.iter_mut().enumerate() {
                *set |= (sources >> p & 1) << q;
            }
        }
        let structure = Self::new(coordinates, direct);
        let scalar = |p: usize| {
            state.get(structure.coordinates[p].component).map(|value| value.r#type().scalar())
        };
        let alike = structure.entries().all(|(p, q)| scalar(p) == scalar(q));
        (alike && structure.products() <= PRODUCTS).then_some(structure)
    }

    /// The structure of numbers of which `direct[p]` has bit q where the result q depends on p.
    pub fn new(coordinates: Vec<Coordinate>, direct: Vec<u64>) -> Self {
        let closure = closure(&direct);
        Self { coordinates, direct, closure }
    }

    /// Without the numbers that `keep` does not want.
    pub fn restrict(&self, keep: impl Fn(usize) -> bool) -> Self {
        let kept: Vec<_> = (0..self.coordinates.len()).filter(|&p| keep(p)).collect();
        let row = |&p: &usize| -> u64 {
            kept.iter().enumerate().map(|(j, &q)| (self.direct[p] >> q & 1) << j).sum()
        };
        Self::new(
            kept.iter().map(|&p| self.coordinates[p]).collect(),
            kept.iter().map(row).collect(),
        )
    }

    /// Whether the Jacobian itself may have an entry.
    pub fn is_direct(&self, p: usize, q: usize) -> bool {
        self.direct[p] >> q & 1 == 1
    }

    /// Whether products of Jacobians may have an entry.
    pub fn has(&self, p: usize, q: usize) -> bool {
        self.closure[p] >> q & 1 == 1
    }

    /// The entries of products of Jacobians.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let d = self.coordinates.len();
        (0..d).flat_map(move |p| (0..d).map(move |q| (p, q))).filter(|&(p, q)| self.has(p, q))
    }

    /// The multiplications of one matrix product.
    pub fn products(&self) -> usize {
        let d = self.coordinates.len();
        let through = |(p, q)| (0..d).filter(|&r| self.has(p, r) && self.has(r, q)).count();
        self.entries().map(through).sum()
    }

    /// Sets of results that no number of the state reaches two of: the derivatives of
    /// the results in a set can be had from one vjp.
    pub fn colors(&self) -> Vec<Vec<usize>> {
        let mut colors: Vec<Vec<usize>> = vec![];
        for q in 0..self.coordinates.len() {
            let clashes = |&other: &usize| {
                (0..self.coordinates.len())
                    .any(|p| self.is_direct(p, q) && self.is_direct(p, other))
            };
            match colors.iter_mut().find(|color| !color.iter().any(clashes)) {
                Some(color) => color.push(q),
                None => colors.push(vec![q]),
            }
        }
        colors
    }

    /// Sets of numbers that have nothing to do with each other.
    pub fn blocks(&self) -> Vec<Vec<usize>> {
        let d = self.coordinates.len();
        let both: Vec<u64> = (0..d)
            .map(|p| (0..d).map(|q| u64::from(self.has(p, q) || self.has(q, p)) << q).sum())
            .collect();
        let connected = closure(&both);
        let mut blocks: Vec<Vec<usize>> = vec![];
        for p in 0..d {
            match blocks.iter_mut().find(|block| connected[block[0]] >> p & 1 == 1) {
                Some(block) => block.push(p),
                None => blocks.push(vec![p]),
            }
        }
        blocks
    }
}

/// The numbers of a tuple, without those that have no derivative.
fn coordinates(tuple: &[Val<'_>]) -> Option<Vec<Coordinate>> {
    let mut coordinates = vec![];
    for (component, value) in tuple.iter().enumerate() {
        let full = value.r#type();
        if !full.is_differentiable() {
            continue;
        }
        let is_vector = full.as_tensor().is_none() && full != full.scalar();
        if is_vector || full.scalar().is_complex_type() {
            return None;
        }
        let count = element_count(full)?;
        coordinates.extend((0..count).map(|element| Coordinate { component, element }));
    }
    (coordinates.len() <= NUMBERS).then_some(coordinates)
}

/// The reflexive transitive closure of a relation.
fn closure(direct: &[u64]) -> Vec<u64> {
    let mut reached: Vec<u64> = direct.iter().enumerate().map(|(p, &set)| set | 1 << p).collect();
    for r in 0..reached.len() {
        let through = reached[r];
        for set in reached.iter_mut().filter(|set| **set >> r & 1 == 1) {
            *set |= through;
        }
    }
    reached
}
