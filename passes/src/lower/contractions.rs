//! `lower-contractions`: contractions of buffers become calls of a tuned matrix product.
//!
//! ```text
//! C[b.., m, n] += A[b.., m, k] * B[b.., k, n]     -- the indices of each in any order
//! ```
//!
//! A contraction is a structured operation on floats or complex numbers that multiplies two elements
//! and adds the product to a third. One loop that only A and C have, one that only B and C have and one that
//! only A and B have become the product, the longest one of each kind; loops around it run over the others. Loops whose
//! elements follow each other in both arrays count as one, such as those over samples and over the words of each. Strides are passed,
//! so that a transposed operand costs nothing, nor do the windows of a convolution (`window`). What lacks one of the three stays as it is: it reads
//! every element once, and a loop is as fast. So does what is small.
//!
//! The callee is `ad_gemm_f64`, `ad_gemm_f32`, `ad_gemm_complex_f64`, `ad_gemm_complex_f32`, or, of
//! short numbers whose products are added up in f32, `ad_gemm_f16`, `ad_gemm_bf16`, and
//! `ad_gemm_f16_f16_f32` and the like where a factor or the result is f32. It takes the three sizes, then for
//! each of A, B and C the address of its first element and its strides, in elements, all of type
//! `index`: `(m, n, k, a, a_m, a_k, b, b_k, b_n, c, c_m, c_n)`.

use ad_dialect::{
    ir::{BlkExt, Op, OpExt, Val, ValExt},
    linalg::Structured,
};
use melior::{
    Context,
    ir::{TypeLike, ValueLike, operation::OperationLike},
};

use super::{declare::declare, window};
use crate::support::{
    builder::Builder,
    diag::{Result, internal_error},
    memory::{Strided, are_one, bytes_of, element, static_size},
    structured::{Index, indices_of, loops_of},
};

/// Products of fewer multiplications than this stay loops, if their sizes are static.
const SMALL: i64 = 4096;

/// Runs the pass; returns how many operations became calls.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let Some(top) = module.body(0) else { return Ok(0) };
    let mut found = vec![];
    module.for_each(&mut |op| found.extend(Contraction::of(op)));
    let mut calls = 0;
    for contraction in found {
        let name = &contraction.callee;
        let words = ["index"; 12].join(", ");
        if declare(context, top, name, &format!("({words})")) {
            contraction.lower(context)?;
            calls += 1;
        }
    }
    Ok(calls)
}

/// A contraction that has all three kinds of loops.
struct Contraction<'c> {
    op: Op<'c>,
    callee: String,
    /// Where A, B and C are read along each dimension.
    indices: Vec<Vec<Index>>,
    /// The loop of every dimension that they have as arrays with one for each loop (`window`).
    loops: [Vec<usize>; 3],
    /// The loops of the product: m, n, k, each of one loop or of several that follow each other.
    product: [Vec<usize>; 3],
    /// The loops around it.
    around: Vec<usize>,
}

impl<'c> Contraction<'c> {
    fn of(op: Op<'c>) -> Option<Self> {
        let s = Structured::of(op).filter(|s| s.inputs.len() == 2 && s.inits.len() == 1)?;
        let arrays = op.operand_list();
        if op.result_count() != 0 || !arrays.iter().all(|array| array.r#type().is_mem_ref()) {
            return None;
        }
        let callee = callee(&s)?;
        let indices: Vec<_> = s.maps.iter().map(|map| indices_of(map)).collect::<Option<_>>()?;
        let loops: Vec<_> = indices.iter().map(|own| loops_of(own)).collect();
        let loops: [Vec<usize>; 3] = loops.try_into().ok()?;
        let is_sized = |l: usize| indices.iter().flatten().any(|index| index.plain() == Some(l));
        if !(0..s.loops).all(is_sized) {
            return None;
        }
        let length =
            |l: usize| static_length(op, &indices, l).unwrap_or_else(|| guess(&indices, l));
        let of = |wanted: [bool; 3]| {
            let fits = |l: &usize| (0..3).all(|i| loops[i].contains(l) == wanted[i]);
            let groups = in_groups((0..s.loops).filter(fits), &|one, next| {
                follows(&arrays, &indices, one, next)
            });
            let length =
                |group: &Vec<usize>| group.iter().fold(1_i64, |n, &l| n.saturating_mul(length(l)));
            groups.into_iter().max_by_key(length)
        };
        let (m, n) = (of([true, false, true])?, of([false, true, true])?);
        // In one product no element of the result is another one.
        let is_shared = |index: &Index| {
            let has = |wanted: &[usize]| index.terms.iter().any(|(l, _)| wanted.contains(l));
            has(&m) && has(&n)
        };
        if indices[2].iter().any(is_shared) {
            return None;
        }
        let product = [m, n, of([true, true, false])?];
        let around = (0..s.loops).filter(|l| !product.concat().contains(l)).collect();
        let sizes = product.iter().flatten().map(|&l| static_length(op, &indices, l));
        let count = sizes.into_iter().try_fold(1_i64, |count, size| count.checked_mul(size?));
        let contraction = Self { op, callee, indices, loops, product, around };
        (count.is_none_or(|count| count >= SMALL)).then_some(contraction)
    }

    fn lower(&self, context: &'c Context) -> Result<()> {
        let Some(block) = self.op.block() else { return Ok(()) };
        let b = Builder::before(context, self.op, block).deriving(self.op);
        let arrays = self.op.operand_list();
        let loops = self.product.concat().len() + self.around.len();
        let sizes = window::sizes(&b, &arrays, &self.indices, loops);
        let mut views = vec![];
        for (&array, own) in arrays.iter().zip(&self.indices) {
            let view = window::view(&b, array, own, &sizes);
            let view = view.and_then(|array| View::new(&b, array));
            views.push(view.ok_or_else(|| self.malformed())?);
        }
        let sizes: Option<Vec<_>> = sizes.into_iter().collect();
        let sizes = sizes.ok_or_else(|| self.malformed())?;
        self.nest(b, &sizes, &views, 0)?;
        self.op.erase();
        Ok(())
    }

    fn malformed(&self) -> crate::support::diag::Reported {
        internal_error(self.op, "a contraction is malformed")
    }

    /// The loops around the product from one of them on, then the call.
    fn nest(
        &self,
        b: Builder<'c>,
        sizes: &[Val<'c>],
        views: &[View<'c>],
        depth: usize,
    ) -> Result<()> {
        let Some(&l) = self.around.get(depth) else {
            let size = |group: &Vec<usize>| {
                let sizes = group.iter().map(|&l| sizes[l]);
                sizes.reduce(|all, size| b.mul(all, size)).ok_or_else(|| self.malformed())
            };
            let mut words = self.product.iter().map(size).collect::<Result<Vec<_>>>()?;
            let [m, n, k] = &self.product;
            for (i, groups) in [[m, k], [k, n], [m, n]].into_iter().enumerate() {
                words.push(views[i].address);
                for group in groups {
                    let stride = group.last().and_then(|&l| self.stride(views, i, l));
                    words.push(stride.ok_or_else(|| self.malformed())?);
                }
            }
            b.op_with("func.call", &words, &[], &[("callee", b.symbol_attr(&self.callee))], &[]);
            return Ok(());
        };
        b.for_loop([b.index(0), sizes[l], b.index(1)], &[], |b, number, _| {
            let mut inner = vec![];
            for (i, view) in views.iter().enumerate() {
                inner.push(match self.stride(views, i, l) {
                    Some(stride) => view.moved(&b, number, stride),
                    None => view.clone(),
                });
            }
            self.nest(b, sizes, &inner, depth + 1)?;
            Ok(vec![])
        })?;
        Ok(())
    }

    /// The stride of a loop in an operand that has it.
    fn stride(&self, views: &[View<'c>], i: usize, l: usize) -> Option<Val<'c>> {
        let d = self.loops[i].iter().position(|&other| other == l)?;
        views.get(i)?.strides.get(d).copied()
    }
}

/// Loops in groups, in each of which the elements of every loop follow those of the one before.
fn in_groups(
    loops: impl Iterator<Item = usize>,
    follows: &dyn Fn(usize, usize) -> bool,
) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = loops.map(|l| vec![l]).collect();
    let pair = |groups: &[Vec<usize>]| {
        let pairs = (0..groups.len()).flat_map(|i| (0..groups.len()).map(move |j| (i, j)));
        let mut pairs = pairs.filter(|(i, j)| i != j);
        pairs.find(|&(i, j)| follows(*groups[i].last().unwrap_or(&0), groups[j][0]))
    };
    while let Some((i, j)) = pair(&groups) {
        let next = std::mem::take(&mut groups[j]);
        groups[i].extend(next);
        groups.remove(j);
    }
    groups
}

/// Whether in all arrays that have them, two loops go through elements like one: after the last of the one, the other
/// has the next.
fn follows(arrays: &[Val<'_>], indices: &[Vec<Index>], one: usize, next: usize) -> bool {
    arrays.iter().zip(indices).all(|(&array, own)| {
        let has = |index: &Index| index.terms.iter().any(|(l, _)| [one, next].contains(l));
        let mut places = (0..own.len()).filter(|&d| has(&own[d]));
        match (places.next(), places.next(), places.next()) {
            (None, ..) => true,
            (Some(d), Some(after), None) => {
                let are = (own[d].plain(), own[after].plain()) == (Some(one), Some(next));
                are && after == d + 1 && are_one(array, d)
            }
            _ => false,
        }
    })
}

/// The number of iterations of a loop, if an operand says so.
fn static_length(op: Op<'_>, indices: &[Vec<Index>], l: usize) -> Option<i64> {
    let dimension = |i: usize| indices[i].iter().position(|it| it.plain() == Some(l));
    let (i, d) = (0..3).find_map(|i| Some((i, dimension(i)?)))?;
    static_size(op.opnd(i)?, d)
}

/// How long a loop of unknown length is taken to be: less if it goes through a window, which neither the result nor each factor
/// has a dimension for.
fn guess(indices: &[Vec<Index>], l: usize) -> i64 {
    let is_in = |own: &[Index]| own.iter().any(|it| it.terms.iter().any(|(other, _)| *other == l));
    let is_alone = |own: &Vec<Index>| !is_in(own) || own.iter().any(|it| it.plain() == Some(l));
    if is_in(&indices[2]) || indices.iter().all(is_alone) { 64 } else { 4 }
}

/// The types of both factors and of the result for which there is a callee, which is named after them, or after the one that
/// all have.
const TYPES: [[&str; 3]; 12] = [
    ["f32"; 3],
    ["f64"; 3],
    ["complex<f32>"; 3],
    ["complex<f64>"; 3],
    ["f16"; 3],
    ["bf16"; 3],
    ["f16", "f16", "f32"],
    ["f32", "f16", "f32"],
    ["f16", "f32", "f32"],
    ["bf16", "bf16", "f32"],
    ["f32", "bf16", "f32"],
    ["bf16", "f32", "f32"],
];

/// What makes the product, if the body is a product of its first two arguments added to the third.
fn callee(s: &Structured<'_>) -> Option<String> {
    let [a, b, c] = s.body.arg_list()[..] else { return None };
    let sum = operands_of(s.body.term()?.opnd(0)?, ["arith.addf", "complex.add"])?;
    let term = other_of(&sum, c)?;
    let factors = operands_of(narrow(term), ["arith.mulf", "complex.mul"])?;
    let factors: Vec<_> = factors.into_iter().map(narrow).collect();
    if other_of(&factors, a)?.key() != b.key() {
        return None;
    }
    let types = [a, b, c].map(|value| value.r#type().to_string());
    let known = TYPES.iter().find(|known| **known == types)?;
    let distinct =
        if known.iter().all(|name| name == &known[0]) { &known[..1] } else { &known[..] };
    let names = distinct.join("_").replace('<', "_").replace('>', "");
    Some(format!("ad_gemm_{names}"))
}

/// What an operation of one of two names takes that makes a value.
fn operands_of<'c>(value: Val<'c>, names: [&str; 2]) -> Option<Vec<Val<'c>>> {
    let made = value.defining_op().filter(|op| names.contains(&op.op_name()))?;
    Some(made.operand_list())
}

/// Of two values, the other one than a value.
fn other_of<'c>(values: &[Val<'c>], value: Val<'c>) -> Option<Val<'c>> {
    let at = values.iter().position(|other| other.key() == value.key())?;
    values.get(1 - at).copied()
}

/// A number before it was made wider.
fn narrow(value: Val<'_>) -> Val<'_> {
    let widened = value.defining_op().filter(|op| op.op_name() == "arith.extf");
    widened.and_then(|op| op.opnd(0)).map_or(value, narrow)
}

/// Where the elements of a buffer are.
#[derive(Clone)]
struct View<'c> {
    /// The address of the first element.
    address: Val<'c>,
    /// The size of an element.
    bytes: i64,
    /// In elements.
    strides: Vec<Val<'c>>,
}

impl<'c> View<'c> {
    fn new(b: &Builder<'c>, buffer: Val<'c>) -> Option<Self> {
        let Strided { offset, strides, .. } = Strided::of(b, buffer)?;
        let address = b.val("memref.extract_aligned_pointer_as_index", &[buffer], b.index_type());
        let bytes = bytes_of(element(buffer)?)?;
        Some(Self { address, bytes, strides }.moved(b, b.index(1), offset))
    }

    /// The view from `number` strides further on.
    fn moved(&self, b: &Builder<'c>, number: Val<'c>, stride: Val<'c>) -> Self {
        let distance = b.mul(b.mul(number, stride), b.index(self.bytes));
        Self { address: b.add(self.address, distance), ..self.clone() }
    }
}
