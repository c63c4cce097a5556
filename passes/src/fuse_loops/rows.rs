//! Copies, fills and structured operations as loops over rows: which loop that is, and what an iteration accesses.

use ad_dialect::{
    ir::{BlkExt, Op, OpExt, Val, ValExt},
    linalg::{Expr, Structured},
};

use super::access::Access;
use crate::support::{
    memory::{self, is_arithmetic},
    place::{Place, Sum, Symbol},
};

/// How many elements an array of several dimensions has at least, for its rows to be worth loops of their own: a smaller one
/// stays in the cache as a whole, and its copies are few instructions.
const LEAST: i64 = 256;

/// An operation as a loop over rows.
pub struct Rows<'c> {
    /// The number of the loop.
    pub outer: usize,
    /// Whether it adds up what is stored behind it.
    pub has_totals: bool,
    /// How many iterations it has, in several ways.
    pub sizes: Vec<Sum>,
    /// What an iteration accesses.
    pub accesses: Vec<Access<'c>>,
}

impl<'c> Rows<'c> {
    /// A copy, or a structured operation that computes, reads some array element by element, and has the rows of arrays for
    /// iterations of one of its loops.
    pub fn of(op: Op<'c>) -> Option<Self> {
        let operands = op.operand_list();
        if op.op_name() == "memref.copy" {
            let own = |&array: &Val<'c>| (0..memory::rank(array)).map(Expr::Loop).collect();
            let maps: Vec<_> = operands.iter().map(own).collect();
            return Self::new(0, 1, &operands, &maps, |_| true);
        }
        let s = Structured::of(op)?;
        let computes = |op: Op<'c>| is_arithmetic(op) || op.op_name() == "linalg.index";
        let outer = outer_loop(&operands, &s)?;
        if !s.body.body_ops().into_iter().all(computes) || is_product(&operands, &s) {
            return None;
        }
        let elements = s.body.arg_list();
        Self::new(outer, s.inputs.len(), &operands, &s.maps, |k| !elements[k].users().is_empty())
    }

    fn new(
        outer: usize,
        inputs: usize,
        operands: &[Val<'c>],
        maps: &[Vec<Expr>],
        is_used: impl Fn(usize) -> bool,
    ) -> Option<Self> {
        if operands.iter().all(|&operand| is_small(operand)) {
            return None;
        }
        let (mut sizes, mut accesses) = (vec![], vec![]);
        for (k, (&array, map)) in operands.iter().zip(maps).enumerate() {
            if !memory::is_array(array) {
                continue;
            }
            let index = |e: &Expr| match e {
                Expr::Loop(l) if *l == outer => Some(Sum::symbol(Symbol::Number)),
                Expr::Constant(c) => Some(Sum::constant(*c)),
                _ => None,
            };
            let place = Place::along(array, map.iter().map(index).collect());
            if map.first() == Some(&Expr::Loop(outer)) {
                sizes.push(Sum::of_size(array, 0));
            }
            let access = |is_write| Access { place: place.clone(), is_write };
            accesses.extend((k < inputs || is_used(k)).then(|| access(false)));
            accesses.extend((k >= inputs).then(|| access(true)));
        }
        let has_totals = !maps[inputs..].iter().flatten().any(|e| *e == Expr::Loop(outer));
        (!sizes.is_empty()).then_some(Self { outer, has_totals, sizes, accesses })
    }
}

/// Whether an operand is a number or an array of several dimensions that is small.
fn is_small(operand: Val<'_>) -> bool {
    let sizes = (0..memory::rank(operand)).map(|d| memory::static_size(operand, d));
    let count = sizes.clone().try_fold(1_i64, |count, size| count.checked_mul(size?));
    let is_line = sizes.filter(|size| *size != Some(1)).count() == 1;
    !memory::is_array(operand) || !is_line && count.is_some_and(|count| count < LEAST)
}

/// The loop over the rows of the arrays that have an element for each iteration of all loops, if it may be the outermost one
/// and no array is read along it otherwise than by rows.
fn outer_loop(operands: &[Val<'_>], s: &Structured<'_>) -> Option<usize> {
    let arrays = || operands.iter().zip(&s.maps).filter(|(operand, _)| memory::is_array(**operand));
    let is_whole = |map: &Vec<Expr>| (0..s.loops).all(|l| map.contains(&Expr::Loop(l)));
    let (_, first) = arrays().find(|(_, map)| is_whole(map))?;
    let Expr::Loop(outer) = *first.first()? else { return None };
    let is_plain = |e: &Expr| matches!(e, Expr::Loop(_) | Expr::Constant(_));
    let is_row = |(_, map): (&Val<'_>, &Vec<Expr>)| {
        map.iter().all(is_plain) && map.iter().skip(1).all(|e| *e != Expr::Loop(outer))
    };
    // The terms of a sum keep their order.
    let written = s.written();
    let may_be_first = written[outer] || written[..outer].iter().all(|is_written| *is_written);
    (may_be_first && arrays().all(is_row)).then_some(outer)
}

/// Whether an operation adds up products with elements that are read again and again, which has ways of its own to run.
fn is_product(operands: &[Val<'_>], s: &Structured<'_>) -> bool {
    let written = s.written();
    let is_summed = |l: usize| !written[l];
    let is_again = |map: &Vec<Expr>| {
        let loops = Structured::plain_loops(map);
        loops.len() < s.loops && loops.into_iter().any(is_summed)
    };
    let inputs = operands.iter().zip(&s.maps).take(s.inputs.len());
    inputs.filter(|(operand, _)| memory::is_array(**operand)).any(|(_, map)| is_again(map))
}
