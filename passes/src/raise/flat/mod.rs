//! Elements of flat arrays, which loops number as programs of C and Fortran do, as elements of views with a dimension for each loop:
//!
//! ```text
//! for i < m { for j < n { a[i * n + j + k] } }
//!   ==>   v = reinterpret_cast a to offset: [k], sizes: [m, n], strides: [n, 1];  for i < m { for j < n { v[i, j] } }
//! ```
//! The element is read or written in every iteration of the loops, whose bounds are known in front of them, so that all of the
//! view is in the array; it has no elements if one of the loops does not run. A row ends before the next one begins. What is a
//! constant number of elements beside something else in a row is in one view with it.

mod product;

use std::collections::HashSet;

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, Val, ValExt, ValueKey, tensor_type};
use melior::{
    Context,
    ir::{TypeLike, ValueLike, operation::OperationLike},
};

use self::product::Product;
use crate::support::{
    bounds::Bounds,
    builder::{Builder, CMP_SLT},
    combinator::constant_index,
    extent::Extent,
    memory::{array_type, element, load, rank, store, with_any_layout, with_plain_layout},
    place::Sum,
    region::{all_inside, all_of, is_outside, replace},
    slice::Slice,
};

/// The most products that an index is the sum of.
const PRODUCTS: usize = 16;

/// Rewrites the elements of flat arrays in a function.
pub fn split<'c>(context: &'c Context, function: Op<'c>) {
    let mut groups: Vec<Vec<Access<'c>>> = vec![];
    for access in all_inside(function).into_iter().filter_map(Access::of) {
        match groups.iter_mut().find(|group| group[0].is_beside(&access)) {
            Some(group) => group.push(access),
            None => groups.push(vec![access]),
        }
    }
    for group in groups {
        // What an assertion keeps from being read must not be read in front of it.
        if !all_of(group[0].around[0].op, "cf.assert").is_empty() {
            continue;
        }
        let ends = ends(&group);
        if group[0].is_apart_by_rows(ends[1] - ends[0]) {
            rewrite(context, &group, ends);
            continue;
        }
        for access in group {
            if access.is_apart_by_rows(0) {
                let ends = [access.constant; 2];
                rewrite(context, &[access], ends);
            }
        }
    }
}

/// The least and the largest of the constants in the indices of a group.
fn ends(group: &[Access<'_>]) -> [i64; 2] {
    let constants = || group.iter().map(|access| access.constant);
    [constants().min().unwrap_or(0), constants().max().unwrap_or(0)]
}

/// A loop that counts by ones.
#[derive(Clone)]
struct Loop<'c> {
    op: Op<'c>,
    number: Val<'c>,
    bounds: Bounds<'c>,
}

impl Loop<'_> {
    fn has_bounds_of(&self, other: &Self) -> bool {
        let [one, other] = [self, other].map(|l| [l.bounds[0], l.bounds[1]].map(Sum::of));
        one == other
    }
}

/// The loops that an operation is, the outermost one first.
fn loops_of(op: Op<'_>) -> Option<Vec<Loop<'_>>> {
    let (operands, numbers) = (op.operand_list(), op.body(0)?.arg_list());
    let count = match op.op_name() {
        "scf.for" if op.attr("unsignedCmp").is_none() => 1,
        "scf.parallel" => numbers.len(),
        _ => return None,
    };
    let one = |l: usize| {
        let bounds = [operands[l], operands[count + l], operands[2 * count + l]];
        let fits = numbers[l].r#type().is_index() && constant_index(bounds[2]) == Some(1);
        fits.then(|| Loop { op, number: numbers[l], bounds })
    };
    (0..count).map(one).collect()
}

/// A part of an index: a product, times the number of one of some loops.
struct Part<'c> {
    of_loop: Option<usize>,
    product: Product<'c>,
}

/// An element of a flat array that is read or written in each iteration of some loops.
struct Access<'c> {
    op: Op<'c>,
    base: Val<'c>,
    /// The loops, as many as possible: what they are told apart by is known in front of them.
    around: Vec<Loop<'c>>,
    /// For each dimension of the view the loop and the stride, the largest stride first.
    dimensions: Vec<(Loop<'c>, Product<'c>)>,
    /// What else the index is the sum of, and a constant.
    rest: Vec<Product<'c>>,
    constant: i64,
}

impl<'c> Access<'c> {
    fn of(op: Op<'c>) -> Option<Self> {
        let before = match op.op_name() {
            "memref.load" => 0,
            "memref.store" => 1,
            _ => return None,
        };
        let &[buffer, index] = &op.operand_list()[before..] else { return None };
        let around = std::iter::successors(op.parent(), |op| op.parent());
        let mut loops: Vec<_> = around.map_while(loops_of).collect();
        loops.reverse();
        let within = |from: usize| Self::in_loops(op, buffer, index, &loops[from..].concat());
        (0..loops.len()).find_map(within)
    }

    /// The element, if it is known in front of some loops where it is in each iteration of them.
    fn in_loops(op: Op<'c>, buffer: Val<'c>, index: Val<'c>, loops: &[Loop<'c>]) -> Option<Self> {
        let root = loops[0].op;
        let (base, mut parts) = flat(buffer, root, loops)?;
        parts.extend(self::parts(index, root, loops)?);
        let mut dimensions: Vec<(usize, Product<'c>)> = vec![];
        let (mut rest, mut constant): (Vec<Product<'c>>, i64) = (vec![], 0);
        for Part { of_loop, product } in parts {
            let Some(l) = of_loop else {
                if product.factors.is_empty() {
                    constant += product.times;
                } else {
                    rest.push(product);
                }
                continue;
            };
            match dimensions.iter_mut().find(|(own, _)| *own == l) {
                None => dimensions.push((l, product)),
                Some((_, own)) if own.is_like(&product) => own.times += product.times,
                Some(_) => return None,
            }
        }
        dimensions
            .sort_by_key(|(_, stride)| std::cmp::Reverse((stride.factors.len(), stride.times)));
        let bounds = loops.iter().flat_map(|l| [l.bounds[0], l.bounds[1]]);
        let fits = dimensions.len() > 1
            && dimensions.iter().all(|(_, stride)| stride.times > 0)
            && bounds.into_iter().all(|bound| is_outside(root, bound));
        let dimensions =
            dimensions.into_iter().map(|(l, stride)| (loops[l].clone(), stride)).collect();
        fits.then(|| Self { op, base, around: loops.to_vec(), dimensions, rest, constant })
    }

    /// Whether an element is a constant number of elements beside another one, in loops over the same numbers.
    fn is_beside(&self, other: &Self) -> bool {
        let are_in = |one: &[Loop<'c>], other: &[Loop<'c>]| {
            one.iter().all(|l| other.iter().any(|other| l.has_bounds_of(other)))
        };
        let dimensions = self.dimensions.iter().zip(&other.dimensions);
        let mut rest = other.rest.clone();
        let has_all = self.rest.iter().all(|own| {
            let at = rest.iter().position(|other| own.is(other));
            at.map(|at| rest.remove(at)).is_some()
        });
        has_all
            && rest.is_empty()
            && self.base.key() == other.base.key()
            && self.around[0].op.key() == other.around[0].op.key()
            && are_in(&self.around, &other.around)
            && are_in(&other.around, &self.around)
            && self.dimensions.len() == other.dimensions.len()
            && dimensions.into_iter().all(|((one, stride), (other, of_other))| {
                one.has_bounds_of(other) && stride.is(of_other)
            })
    }

    /// Whether each row of the view, with so many elements more in the last dimension, ends before the next one begins.
    fn is_apart_by_rows(&self, more: i64) -> bool {
        let counted = counted_from_zero(self.around[0].op);
        let is_one = |stride: &Product<'c>| stride.is(&Product::constant(1));
        let last = self.dimensions.len() - 1;
        let fits = |(d, pair): (usize, &[(Loop<'c>, Product<'c>)])| {
            let [(_, outer), (inner, stride)] = pair else { return false };
            let [lower, upper, _] = inner.bounds.map(Sum::of);
            let more = if d + 1 == last { more } else { 0 };
            let size = upper.plus(&lower, -1).plus(&Sum::constant(more), 1);
            outer.quotient(stride).is_some_and(|row| {
                row.bounds()
                    .into_iter()
                    .any(|row| row.plus(&size, -1).is_at_least(0, |value| counted.contains(&value)))
            })
        };
        (more == 0 || is_one(&self.dimensions[last].1))
            && self.dimensions.windows(2).enumerate().all(fits)
    }
}

/// The numbers of loops around an operation that start at zero or above.
fn counted_from_zero(op: Op<'_>) -> HashSet<ValueKey> {
    let around = std::iter::successors(op.parent(), |op| op.parent());
    let loops = around.filter_map(loops_of).flatten();
    let is_known = |l: &Loop<'_>| constant_index(l.bounds[0]).is_some_and(|lower| lower >= 0);
    loops.filter(is_known).map(|l| l.number.key()).collect()
}

/// The array that a buffer of one dimension is a part of, and where it begins there.
fn flat<'c>(buffer: Val<'c>, root: Op<'c>, loops: &[Loop<'c>]) -> Option<(Val<'c>, Vec<Part<'c>>)> {
    let is_plain = |buffer: Val<'c>| {
        let is_anywhere = array_type(buffer).is_some_and(|array| array.memory_space().is_none());
        is_anywhere && with_plain_layout(buffer.r#type()) == buffer.r#type()
    };
    if rank(buffer) != 1 {
        return None;
    }
    if is_outside(root, buffer) && is_plain(buffer) {
        return Some((buffer, vec![]));
    }
    let view = buffer
        .defining_op()
        .filter(|op| ["memref.reinterpret_cast", "memref.subview"].contains(&op.op_name()))?;
    let source = view.opnd(0)?;
    let [offset, _, stride] = Slice::of(view, 1, |value| value)?.entries(0);
    let fits = stride == Extent::Known(1) && rank(source) == 1 && is_plain(source);
    let offset = match offset {
        Extent::Known(offset) => {
            vec![Part { of_loop: None, product: Product::constant(offset) }]
        }
        Extent::Value(offset) => parts(offset, root, loops)?,
        Extent::Dim(..) => return None,
    };
    (fits && is_outside(root, source)).then_some((source, offset))
}

/// What an index is the sum of.
fn parts<'c>(value: Val<'c>, root: Op<'c>, loops: &[Loop<'c>]) -> Option<Vec<Part<'c>>> {
    if let Some(l) = loops.iter().position(|l| l.number.key() == value.key()) {
        return Some(vec![Part { of_loop: Some(l), product: Product::constant(1) }]);
    }
    if is_outside(root, value) || constant_index(value).is_some() {
        return Some(vec![Part { of_loop: None, product: Product::of(value) }]);
    }
    let op = value.defining_op()?;
    let operands = match op.op_name() {
        "arith.addi" | "arith.subi" | "arith.muli" => [op.opnd(0)?, op.opnd(1)?],
        _ => return None,
    };
    let [mut one, other] = operands.map(|operand| parts(operand, root, loops));
    let other = other?;
    let sum = match op.op_name() {
        "arith.muli" => {
            let mut products = vec![];
            for (a, b) in one?.iter().flat_map(|a| other.iter().map(move |b| (a, b))) {
                if a.of_loop.is_some() && b.of_loop.is_some() {
                    return None;
                }
                let product = a.product.clone().with(&b.product);
                products.push(Part { of_loop: a.of_loop.or(b.of_loop), product });
            }
            products
        }
        name => {
            let sign = if name == "arith.subi" { -1 } else { 1 };
            let signed = other
                .into_iter()
                .map(|part| Part { product: part.product.with(&Product::constant(sign)), ..part });
            one.as_mut()?.extend(signed);
            one?
        }
    };
    (sum.len() <= PRODUCTS).then_some(sum)
}

/// Lets what is read or written at some places be read or written in a view.
fn rewrite<'c>(context: &'c Context, group: &[Access<'c>], [least, most]: [i64; 2]) {
    let first = &group[0];
    let root = first.around[0].op;
    let Some(block) = root.block() else { return };
    let b = Builder::before(context, root, block).with_location(root.location());
    let Some(view) = view(&b, first, [least, most]) else { return };
    for access in group {
        let op = access.op;
        let Some(block) = op.block() else { continue };
        let b = Builder::before(context, op, block).with_location(op.location());
        let mut at: Vec<_> =
            access.dimensions.iter().map(|(l, _)| less(&b, l.number, l.bounds[0])).collect();
        if let Some(last) = at.last_mut().filter(|_| access.constant > least) {
            *last = b.add(*last, b.index(access.constant - least));
        }
        let old = op.operand_list();
        match op.op_name() {
            "memref.load" => {
                replace(op, &[load(&b, view, &at)]);
            }
            _ => {
                store(&b, old[0], view, &at);
                op.erase();
            }
        }
        // The part of the array, if nobody reads or writes it any more.
        let part = old[old.len() - 2];
        let is_dead = part.key() != access.base.key() && part.users().is_empty();
        part.defining_op().into_iter().filter(|_| is_dead).for_each(|op| op.erase());
    }
}

/// The difference of two numbers.
fn less<'c>(b: &Builder<'c>, number: Val<'c>, from: Val<'c>) -> Val<'c> {
    if constant_index(from) == Some(0) { number } else { b.sub(number, from) }
}

/// The view of what an element is in all iterations, from some elements before or behind it to others.
fn view<'c>(b: &Builder<'c>, access: &Access<'c>, [least, most]: [i64; 2]) -> Option<Val<'c>> {
    let mut loops: Vec<&Loop<'c>> = vec![];
    for l in &access.around {
        if loops.iter().all(|other| !l.has_bounds_of(other)) {
            loops.push(l);
        }
    }
    let runs = loops.into_iter().map(|l| b.compare(CMP_SLT, l.bounds[0], l.bounds[1]));
    let runs = runs.reduce(|x, y| b.same("arith.andi", &[x, y]))?;
    let (mut sizes, mut strides) = (vec![], vec![]);
    let mut offset = access.rest.iter().fold(b.index(least), |sum, part| b.add(sum, part.value(b)));
    let last = access.dimensions.len() - 1;
    for (d, (l, stride)) in access.dimensions.iter().enumerate() {
        let [lower, upper, _] = l.bounds;
        let count = less(b, upper, lower);
        let size =
            if d == last && most > least { b.add(count, b.index(most - least)) } else { count };
        let stride = stride.value(b);
        if constant_index(lower) != Some(0) {
            offset = b.add(offset, b.mul(lower, stride));
        }
        sizes.push(b.select(runs, size, b.index(0)));
        strides.push(stride);
    }
    let rank = sizes.len();
    let array = tensor_type(&vec![DYNAMIC; rank], element(access.base)?);
    let statics = [vec![DYNAMIC], vec![DYNAMIC; rank], vec![DYNAMIC; rank]];
    let operands = [vec![access.base, offset], sizes, strides].concat();
    let segments = [1, 1, rank as i32, rank as i32];
    let r#type = with_any_layout(b, array)?;
    Some(b.slice_op("memref.reinterpret_cast", &operands, r#type, &statics, &segments))
}
