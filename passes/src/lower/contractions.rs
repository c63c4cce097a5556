//! `lower-contractions`: contractions of buffers become calls of a tuned matrix product.
//!
//! ```text
//! C[b.., m, n] += A[b.., m, k] * B[b.., k, n]     -- the indices of each in any order
//! ```
//!
//! A contraction is a structured operation on floats that multiplies two elements and adds the
//! product to a third. One loop that only A and C have, one that only B and C have and one that
//! only A and B have become the product; loops around it run over the others. Strides are passed,
//! so that a transposed operand costs nothing, nor do the windows of a convolution (`window`). What lacks one of the three stays as it is: it reads
//! every element once, and a loop is as fast. So does what is small.
//!
//! The callee is `ad_gemm_f64` or `ad_gemm_f32`, with the three sizes, then for each of A, B and C
//! the address of its first element and its strides, in elements, all of type `index`:
//! `(m, n, k, a, a_m, a_k, b, b_k, b_n, c, c_m, c_n)`.

use ad_dialect::{
    ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt, float_width},
    linalg::Structured,
};
use melior::{
    Context,
    ir::{Type, TypeLike, ValueLike, operation::OperationLike},
};

use super::{declare::declare, window};
use crate::support::{
    builder::Builder,
    diag::{Result, internal_error},
    memory::{Strided, static_size},
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
        let name = format!("ad_gemm_{}", contraction.element);
        let words = ["index"; 12].join(", ");
        if declare(context, top, &name, &format!("({words})")) {
            contraction.lower(context, &name)?;
            calls += 1;
        }
    }
    Ok(calls)
}

/// A contraction that has all three kinds of loops.
struct Contraction<'c> {
    op: Op<'c>,
    element: Type<'c>,
    /// Where A, B and C are read along each dimension.
    indices: Vec<Vec<Index>>,
    /// The loop of every dimension that they have as arrays with one for each loop (`window`).
    loops: [Vec<usize>; 3],
    /// The loops of the product: m, n, k.
    product: [usize; 3],
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
        let element = s.body.arg_list().first()?.r#type();
        let has_product = element.is_float_type() && [32, 64].contains(&float_width(element));
        if !has_product || !adds_product(&s) {
            return None;
        }
        let indices: Vec<_> = s.maps.iter().map(|map| indices_of(map)).collect::<Option<_>>()?;
        let loops: Vec<_> = indices.iter().map(|own| loops_of(own)).collect();
        let loops: [Vec<usize>; 3] = loops.try_into().ok()?;
        let is_sized = |l: usize| indices.iter().flatten().any(|index| index.plain() == Some(l));
        if !(0..s.loops).all(is_sized) {
            return None;
        }
        let of = |wanted: [bool; 3]| {
            let fits = |l: &usize| (0..3).all(|i| loops[i].contains(l) == wanted[i]);
            (0..s.loops).rev().find(fits)
        };
        let (m, n) = (of([true, false, true])?, of([false, true, true])?);
        let product = [m, n, of([true, true, false])?];
        // In one product no element of the result is another one.
        let is_shared = |index: &Index| {
            let has = |wanted| index.terms.iter().any(|(l, _)| *l == wanted);
            has(m) && has(n)
        };
        if indices[2].iter().any(is_shared) {
            return None;
        }
        let around = (0..s.loops).filter(|l| !product.contains(l)).collect();
        let contraction = Self { op, element, indices, loops, product, around };
        let sizes = product.map(|l| contraction.static_size(l));
        let count = sizes.iter().try_fold(1_i64, |count, size| count.checked_mul((*size)?));
        (count.is_none_or(|count| count >= SMALL)).then_some(contraction)
    }

    /// The number of iterations of a loop, if an operand says so.
    fn static_size(&self, l: usize) -> Option<i64> {
        let dimension = |i: usize| self.indices[i].iter().position(|it| it.plain() == Some(l));
        let (i, d) = (0..3).find_map(|i| Some((i, dimension(i)?)))?;
        static_size(self.op.opnd(i)?, d)
    }

    fn lower(&self, context: &'c Context, callee: &str) -> Result<()> {
        let Some(block) = self.op.block() else { return Ok(()) };
        let b = Builder::before(context, self.op, block).deriving(self.op);
        let arrays = self.op.operand_list();
        let loops = self.product.len() + self.around.len();
        let sizes = window::sizes(&b, &arrays, &self.indices, loops);
        let mut views = vec![];
        for (&array, own) in arrays.iter().zip(&self.indices) {
            let view = window::view(&b, array, own, &sizes);
            let view = view.and_then(|array| View::new(&b, array, self.element));
            views.push(view.ok_or_else(|| self.malformed())?);
        }
        let sizes: Option<Vec<_>> = sizes.into_iter().collect();
        let sizes = sizes.ok_or_else(|| self.malformed())?;
        self.nest(b, &sizes, &views, 0, callee)?;
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
        callee: &str,
    ) -> Result<()> {
        let Some(&l) = self.around.get(depth) else {
            let [m, n, k] = self.product;
            let mut words = vec![sizes[m], sizes[n], sizes[k]];
            for (i, loops) in [[m, k], [k, n], [m, n]].into_iter().enumerate() {
                words.push(views[i].address);
                for l in loops {
                    words.push(self.stride(views, i, l).ok_or_else(|| self.malformed())?);
                }
            }
            b.op_with("func.call", &words, &[], &[("callee", b.symbol_attr(callee))], &[]);
            return Ok(());
        };
        b.for_loop([b.index(0), sizes[l], b.index(1)], &[], |b, number, _| {
            let mut inner = vec![];
            for (i, view) in views.iter().enumerate() {
                inner.push(match self.stride(views, i, l) {
                    Some(stride) => view.moved(&b, number, stride, self.element),
                    None => view.clone(),
                });
            }
            self.nest(b, sizes, &inner, depth + 1, callee)?;
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

/// Whether the body is a product of its first two arguments added to the third.
fn adds_product(s: &Structured<'_>) -> bool {
    let (arguments, ops) = (s.body.arg_list(), s.body.body_ops());
    let [product, sum] = ops.as_slice() else { return false };
    let same = |op: &Op<'_>, x: Val<'_>, y: Val<'_>| {
        let keys: Vec<_> = op.operand_list().iter().map(ValExt::key).collect();
        keys == [x.key(), y.key()] || keys == [y.key(), x.key()]
    };
    let yields = s.body.term().and_then(|end| end.opnd(0));
    let (Some(made), Some(total), Some(yielded)) = (product.res(0), sum.res(0), yields) else {
        return false;
    };
    product.op_name() == "arith.mulf"
        && sum.op_name() == "arith.addf"
        && arguments.len() == 3
        && same(product, arguments[0], arguments[1])
        && same(sum, made, arguments[2])
        && yielded.key() == total.key()
}

/// Where the elements of a buffer are.
#[derive(Clone)]
struct View<'c> {
    /// The address of the first element.
    address: Val<'c>,
    /// In elements.
    strides: Vec<Val<'c>>,
}

impl<'c> View<'c> {
    fn new(b: &Builder<'c>, buffer: Val<'c>, element: Type<'c>) -> Option<Self> {
        let Strided { offset, strides, .. } = Strided::of(b, buffer)?;
        let aligned = b.val("memref.extract_aligned_pointer_as_index", &[buffer], b.index_type());
        Some(Self { address: aligned, strides }.moved(b, b.index(1), offset, element))
    }

    /// The view from `number` strides further on.
    fn moved(&self, b: &Builder<'c>, number: Val<'c>, stride: Val<'c>, element: Type<'c>) -> Self {
        let bytes = b.index(i64::from(float_width(element) / 8));
        let distance = b.mul(b.mul(number, stride), bytes);
        Self { address: b.add(self.address, distance), ..self.clone() }
    }
}
