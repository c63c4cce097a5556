//! Sums whose iterations add to the same elements, by the elements.
//!
//! ```text
//! for i < I, a < A:  x[s i + t a + c] += f(y[i], w[a])                  f(0, w) = 0
//!
//! for j < J, a < A:  x[j]             += f(z[j + t a], v[a])            J is the size of x
//!     v[a] = w[A - 1 - a]
//!     z[u] = y[(u - low) / s] if s divides that and it is an index, else 0;  low = c + t (A - 1)
//! ```
//! The number `j` of an element takes the place of one loop of its index, the moving one, and the others run backwards, so that
//! all indices stay sums. Of two loops that could move it is the longer one, which one of an unknown length is taken for; of two
//! of these, that of the last input, as the derivative of a convolution has the kernel first.
//!
//! With a stride `s` there are zeros between the elements of `z`, and zeros are added: an infinite `w` makes an element NaN that
//! only such a product reaches.

use ad_dialect::{
    ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, tensor_type},
    linalg::{Expr, Structured, map_attribute},
};
use melior::ir::ValueLike;

use crate::support::{
    builder::{Builder, CMP_EQ, CMP_ULT, same_value},
    diag::Result,
    extent::{Extent, extent_of},
    fold::folded,
    region::{ValueMap, copy_ops},
    structured::{Index, adds_up, asks_for_numbers, indices_of},
};

/// The sum by elements; nothing if each iteration has an element of its own, or if it is not known how.
pub fn gather<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Op<'c>>> {
    let Some(s) = Structured::of(op) else { return Ok(None) };
    let Some(sum) = Sum::of(&s, op) else { return Ok(None) };
    sum.gather(b).map(Some)
}

/// An index of the result that several iterations share.
struct Moving {
    dimension: usize,
    /// The loop whose place the number of the element takes, and what the index says of it.
    number: usize,
    stride: i64,
    /// The other loops, each with what it is multiplied by.
    others: Vec<(usize, i64)>,
    first: i64,
}

/// An operand that is read.
struct Input<'c> {
    array: Val<'c>,
    indices: Vec<Index>,
    /// An element of it in the body.
    element: Val<'c>,
}

impl<'c> Input<'c> {
    /// Whether the body asks what is in it, or only how large it is.
    fn is_read(&self) -> bool {
        !self.element.users().is_empty()
    }

    fn has(&self, l: usize) -> bool {
        self.indices.iter().any(|index| index.terms.iter().any(|(own, _)| *own == l))
    }
}

/// A sum whose iterations share elements.
struct Sum<'a, 'c> {
    s: &'a Structured<'c>,
    inputs: Vec<Input<'c>>,
    /// Where the result is written.
    result: Vec<Index>,
    /// How many iterations each loop has.
    sizes: Vec<Extent<'c>>,
    moving: Vec<Moving>,
}

impl<'a, 'c> Sum<'a, 'c> {
    fn of(s: &'a Structured<'c>, op: Op<'c>) -> Option<Self> {
        let all = |map: &Vec<Expr>| map.iter().map(Index::of).collect::<Option<Vec<_>>>();
        let result = indices_of(s.output_maps().first()?)?;
        let is_shared = |index: &Index| index.plain().is_none() && !index.terms.is_empty();
        let is_float = s.inits.first()?.r#type().scalar().is_float_type();
        if !result.iter().any(is_shared) || asks_for_numbers(op) || !is_float || !adds_up(s) {
            return None;
        }
        let inputs = s.inputs.iter().zip(&s.maps).zip(s.body.arg_list());
        let inputs = inputs
            .map(|((&array, map), element)| Some(Input { array, indices: all(map)?, element }));
        let inputs = inputs.collect::<Option<Vec<_>>>()?;
        let mut sum = Self { s, inputs, result, sizes: vec![], moving: vec![] };
        sum.sizes = (0..s.loops).map(|l| sum.size(l)).collect::<Option<_>>()?;
        let shared = sum.result.iter().enumerate().filter(|(_, index)| is_shared(index));
        let moving = shared.map(|(dimension, index)| sum.best(dimension, index));
        sum.moving = moving.collect::<Option<_>>()?;
        // What is only asked how large it is is not asked for a loop that is another one now.
        let Self { inputs, moving, .. } = &mut sum;
        inputs.retain(|it| it.is_read() || !moving.iter().any(|moving| it.has(moving.number)));
        sum.is_possible().then_some(sum)
    }

    /// How many iterations a loop has, if it is an index of an operand.
    fn size(&self, l: usize) -> Option<Extent<'c>> {
        let inputs = self.inputs.iter().map(|input| (input.array, &input.indices));
        let mut all = inputs.chain([(self.s.inits[0], &self.result)]);
        all.find_map(|(array, indices)| {
            let d = indices.iter().position(|index| index.plain() == Some(l))?;
            Some(extent_of(array, d))
        })
    }

    /// The loop of an index that moves.
    fn best(&self, dimension: usize, index: &Index) -> Option<Moving> {
        let candidates = index.terms.iter().filter_map(|&(number, stride)| {
            let mut having =
                self.inputs.iter().enumerate().filter(|(_, it)| it.is_read() && it.has(number));
            let (place, input) = having.next().filter(|_| having.next().is_none())?;
            let is_alone = input.indices.iter().any(|index| index.plain() == Some(number));
            let length = match self.sizes[number] {
                Extent::Known(length) => length,
                _ => i64::MAX,
            };
            let is_one = is_alone && self.is_zero_with(input);
            is_one.then_some(((length, place), (number, stride)))
        });
        let (_, (number, stride)) = candidates.max()?;
        let others = index.terms.iter().copied().filter(|(l, _)| *l != number).collect();
        Some(Moving { dimension, number, stride, others, first: index.first })
    }

    /// Whether what is added is zero where an input is.
    fn is_zero_with(&self, input: &Input<'c>) -> bool {
        let end = self.s.body.ends().first().and_then(ValExt::defining_op);
        let terms = end.map(|op| op.operand_list()).unwrap_or_default();
        terms.into_iter().any(|term| is_zero_with(term, input.element))
    }

    /// Whether all inputs can be read backwards where they have to be, and say how large all loops are.
    fn is_possible(&self) -> bool {
        let changed = |l: usize| self.moving_loop(l).is_some() || self.is_reversed(l);
        let can = |index: &Index| {
            index.plain().is_some() || !index.terms.iter().any(|(l, _)| changed(*l))
        };
        let is_sized = |l: usize| self.moving_loop(l).is_some() || self.size(l).is_some();
        self.inputs.iter().all(|input| input.indices.iter().all(can))
            && (0..self.s.loops).all(is_sized)
    }

    fn moving_loop(&self, l: usize) -> Option<&Moving> {
        self.moving.iter().find(|moving| moving.number == l)
    }

    /// Whether a loop runs backwards.
    fn is_reversed(&self, l: usize) -> bool {
        self.moving.iter().any(|moving| moving.others.iter().any(|(other, _)| *other == l))
    }

    fn gather(&self, b: &Builder<'c>) -> Result<Op<'c>> {
        let (mut arrays, mut maps) = (vec![], vec![]);
        let map = |indices: &[Expr]| map_attribute(b.context(), self.s.loops, indices);
        for input in &self.inputs {
            arrays.push(self.adapted(b, input)?);
            let indices: Vec<_> = input.indices.iter().map(|index| self.moved(index)).collect();
            maps.extend(map(&indices));
        }
        let mut result = self.s.output_maps()[0].clone();
        for moving in &self.moving {
            result[moving.dimension] = Expr::Loop(moving.number);
        }
        maps.extend(map(&result));
        let of_result = Structured::plain_loops(&result);
        let parallel: Vec<_> = (0..self.s.loops).map(|l| of_result.contains(&l)).collect();
        b.generic(&maps, &parallel, &arrays, &self.s.inits, |b, elements| {
            let sum = self.s.body.arg_list()[self.s.inputs.len()];
            let old = self.inputs.iter().map(|input| input.element).chain([sum]);
            let mut map: ValueMap<'c> =
                old.map(|value| value.key()).zip(elements.iter().copied()).collect();
            Ok(copy_ops(&b, self.s.body, &mut map))
        })
    }

    /// An index of an input in the new loops.
    fn moved(&self, index: &Index) -> Expr {
        let own = index.plain().and_then(|l| self.moving_loop(l));
        let others = own.map(|moving| &moving.others).into_iter().flatten();
        let terms = index.terms.iter().chain(others);
        let terms = terms.map(|&(l, by)| match by {
            1 => Expr::Loop(l),
            _ => Expr::Mul(Box::new([Expr::Loop(l), Expr::Constant(by)])),
        });
        let sum = terms.reduce(|sum, term| Expr::Add(Box::new([sum, term])));
        match (sum, index.first) {
            (None, first) => Expr::Constant(first),
            (Some(sum), 0) => sum,
            (Some(sum), first) => Expr::Add(Box::new([sum, Expr::Constant(first)])),
        }
    }

    /// An input as the new loops read it.
    fn adapted(&self, b: &Builder<'c>, input: &Input<'c>) -> Result<Val<'c>> {
        let array = input.array;
        if !input.is_read() {
            return Ok(array);
        }
        let indices = input.indices.iter().enumerate();
        let ways: Vec<_> = indices.map(|(d, index)| self.way(b, array, d, index)).collect();
        if ways.iter().all(|way| matches!(way, Way::Same)) {
            return Ok(array);
        }
        let (old, scalar) = (array.r#type().shape(), array.r#type().scalar());
        let (mut shape, mut sizes) = (old, vec![]);
        for (d, way) in ways.iter().enumerate() {
            let size = match way {
                Way::Moved { size, .. } => *size,
                _ => extent_of(array, d),
            };
            shape[d] = match size {
                Extent::Known(known) => known,
                _ => DYNAMIC,
            };
            if shape[d] == DYNAMIC {
                sizes.push(size.value(b));
            }
        }
        let start = b.empty(tensor_type(&shape, scalar), &sizes);
        let identity: Vec<_> = (0..ways.len()).map(Expr::Loop).collect();
        let maps: Vec<_> = map_attribute(b.context(), ways.len(), &identity).into_iter().collect();
        let made = b.generic(&maps, &vec![true; ways.len()], &[], &[start], |b, _| {
            let (mut indices, mut conditions) = (vec![], vec![]);
            for (d, way) in ways.iter().enumerate() {
                let dim = [("dim", b.i64_attr(d as i64))];
                let number = b.val_with("linalg.index", &[], b.index_type(), &dim);
                indices.push(way.index(&b, number, &mut conditions));
            }
            let Some(is_there) = b.all_hold(&conditions) else {
                return Ok(vec![b.extract(array, &indices)]);
            };
            let zero = b.zero_scalar(scalar);
            let read = b.if_else(is_there, &[scalar], |b, is_there| {
                Ok(vec![if is_there { b.extract(array, &indices) } else { zero }])
            })?;
            Ok(read.result_list())
        })?;
        Ok(made.result_list()[0])
    }

    /// How an input is read along a dimension.
    fn way(&self, b: &Builder<'c>, array: Val<'c>, d: usize, index: &Index) -> Way<'c> {
        let Some(l) = index.plain() else { return Way::Same };
        let one = b.index(1);
        if self.is_reversed(l) {
            return Way::Backwards { last: b.sub(b.dim(array, d), one) };
        }
        let Some(moving) = self.moving_loop(l) else { return Way::Same };
        let some = |size| b.same("arith.maxsi", &[size, one]);
        let last = |l: usize| b.sub(some(self.sizes[l].value(b)), one);
        let reach = moving.others.iter().map(|&(l, by)| b.mul(last(l), b.index(by)));
        let reach = reach.fold(b.index(0), |sum, x| b.add(sum, x));
        let size = b.add(b.dim(self.s.inits[0], moving.dimension), reach);
        let size = folded(size).map_or(Extent::Value(size), Extent::Known);
        let stride = b.index(moving.stride);
        let end = b.mul(b.dim(array, d), stride);
        let low = b.add(reach, b.index(moving.first));
        Way::Moved { size, low, end, stride: (moving.stride != 1).then_some(stride) }
    }
}

/// Whether a value is zero where another one is.
fn is_zero_with<'c>(value: Val<'c>, zero: Val<'c>) -> bool {
    if same_value(value, zero) {
        return true;
    }
    let Some(op) = value.defining_op() else { return false };
    let mut operands = op.operand_list().into_iter();
    match op.op_name() {
        "arith.mulf" => operands.any(|operand| is_zero_with(operand, zero)),
        "arith.negf" | "arith.extf" | "arith.truncf" => {
            operands.all(|operand| is_zero_with(operand, zero))
        }
        _ => false,
    }
}

/// How an array is read along a dimension.
enum Way<'c> {
    /// As it is.
    Same,
    /// From its last element on.
    Backwards { last: Val<'c> },
    /// Between zeros, of which so many come first, and perhaps with zeros in between; the last element is before an end.
    Moved { size: Extent<'c>, low: Val<'c>, end: Val<'c>, stride: Option<Val<'c>> },
}

impl<'c> Way<'c> {
    /// The index of an element, if conditions hold.
    fn index(
        &self,
        b: &Builder<'c>,
        number: Val<'c>,
        conditions: &mut Vec<(Val<'c>, bool)>,
    ) -> Val<'c> {
        match *self {
            Self::Same => number,
            Self::Backwards { last } => b.sub(last, number),
            Self::Moved { low, end, stride, .. } => {
                let behind = b.sub(number, low);
                conditions.push((b.compare(CMP_ULT, behind, end), true));
                let Some(stride) = stride else { return behind };
                let [place, rest] = b.divide(behind, stride);
                conditions.push((b.compare(CMP_EQ, rest, b.index(0)), true));
                place
            }
        }
    }
}
