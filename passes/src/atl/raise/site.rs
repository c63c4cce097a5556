//! What raised operations are built of: generations, sums, brackets and accesses in the place of
//! one operation.

use ad_dialect::{
    atl::{Affine, operands_and_map},
    ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, float_width},
};
use melior::ir::{Type, ValueLike};

use super::truth::Truth;
use crate::support::{builder::Builder, combinator::constant_index, zero};

/// A value, or why an operation is not raised.
pub type Raised<T> = std::result::Result<T, String>;

/// What a choice computes in one of its arms; none for a zero.
pub type Arm<'a, 'c> = Option<&'a mut dyn FnMut(&Builder<'c>) -> Raised<Val<'c>>>;

/// The place of an operation that is raised.
pub struct Site<'c> {
    /// The operation.
    pub root: Op<'c>,
    /// Where sizes and what else does not depend on places is computed.
    pub outer: Builder<'c>,
    /// In front of the operation and behind what is computed there.
    pub here: Builder<'c>,
}

/// An index that is no longer in the range of `i64`.
fn too_large() -> String {
    "computes indices with constants that are too large".to_owned()
}

/// The sum of two affine expressions, the second times a constant.
pub fn plus<'c>(left: &Affine<'c>, right: &Affine<'c>, times: i64) -> Raised<Affine<'c>> {
    left.plus(right, times).ok_or_else(too_large)
}

/// An index or a size from outside, which may be a constant.
pub fn from_outside(value: Val<'_>) -> Affine<'_> {
    constant_index(value).map_or_else(|| Affine::value(value), Affine::constant)
}

/// The float type of a number or of the elements of a tensor.
pub fn number_of<'c>(of: Type<'c>) -> Raised<Type<'c>> {
    let number = of.scalar();
    let is_number = number.is_float_type() && matches!(float_width(number), 32 | 64);
    match is_number {
        true => Ok(number),
        false => Err(format!("has elements of type {number}; the tensor language has f32 and f64")),
    }
}

/// Whether a value is zero everywhere.
pub fn is_zero(value: Val<'_>) -> bool {
    let elements = value.defining_op().and_then(|op| match op.op_name() {
        "atl.gen" => op.body(0).map(|body| body.ends()),
        "tensor.from_elements" => Some(op.operand_list()),
        _ => None,
    });
    let elements = elements.unwrap_or_else(|| vec![value]);
    elements.iter().all(|element| zero::is_zero(*element))
}

/// Whether nothing but zeros, or nothing at all, is lost with the elements of a tensor.
pub fn is_blank(value: Val<'_>) -> bool {
    is_zero(value) || value.defining_op().is_some_and(|op| op.op_name() == "tensor.empty")
}

impl<'c> Site<'c> {
    /// The size of a tensor along a dimension.
    pub fn size(&self, tensor: Val<'c>, dimension: usize) -> Val<'c> {
        let shape = tensor.r#type().shape();
        let empty = tensor.defining_op().filter(|op| op.op_name() == "tensor.empty");
        let given = empty.filter(|_| shape[dimension] == DYNAMIC).and_then(|op| {
            let position = shape[..dimension].iter().filter(|size| **size == DYNAMIC).count();
            op.opnd(position)
        });
        given.unwrap_or_else(|| self.outer.dim(tensor, dimension))
    }

    /// The sizes of a type, of which the dynamic ones are given.
    pub fn sizes(
        &self,
        of: Type<'c>,
        mut dynamic: impl FnMut(usize) -> Raised<Val<'c>>,
    ) -> Raised<Vec<Val<'c>>> {
        let size = |(d, size)| match size {
            DYNAMIC => dynamic(d),
            size => Ok(self.outer.index(size)),
        };
        of.shape().into_iter().enumerate().map(size).collect()
    }

    /// The tensor with a given element at each place. Its body may be asked for the element
    /// where nobody surrounds it with a generation: a tensor without dimensions has one.
    pub fn generate(
        &self,
        of: Type<'c>,
        sizes: &[Val<'c>],
        element: impl FnOnce(&Builder<'c>, &[Affine<'c>]) -> Raised<Val<'c>>,
    ) -> Raised<Val<'c>> {
        if sizes.is_empty() {
            let element = element(&self.here, &[])?;
            return Ok(self.here.val("tensor.from_elements", &[element], of));
        }
        indexed(&self.here, "atl.gen", of, sizes, element)
    }

    /// A tensor's element. That of a tensor without dimensions is read in front of the
    /// operation.
    pub fn access(&self, b: &Builder<'c>, tensor: Val<'c>, at: &[Affine<'c>]) -> Raised<Val<'c>> {
        if tensor.r#type().as_tensor().is_none() {
            return Ok(tensor);
        }
        if at.is_empty() {
            let made = tensor.defining_op().filter(|op| op.op_name() == "tensor.from_elements");
            let known = made.and_then(|op| op.opnd(0));
            return Ok(known.unwrap_or_else(|| self.outer.extract(tensor, &[])));
        }
        let (indices, map) = operands_and_map(b.context(), at).ok_or_else(too_large)?;
        let operands = [vec![tensor], indices].concat();
        Ok(b.val_with("atl.access", &operands, tensor.r#type().scalar(), &[("map", map)]))
    }

    /// A number where a predicate holds, and zero elsewhere.
    pub fn bracket(
        &self,
        b: &Builder<'c>,
        truth: &Truth<'c>,
        number: Type<'c>,
        value: impl FnOnce(&Builder<'c>) -> Raised<Val<'c>>,
    ) -> Raised<Val<'c>> {
        match truth {
            Truth::Known(true) => value(b),
            Truth::Known(false) => Ok(b.zero_scalar(number)),
            _ => {
                let condition = truth.emit(b)?;
                body(b, "atl.bracket", number, &[condition], 0, |b, _| value(b))
            }
        }
    }

    /// One number where a predicate holds, another elsewhere; a number that is zero is left out.
    pub fn choose(
        &self,
        b: &Builder<'c>,
        truth: &Truth<'c>,
        number: Type<'c>,
        then: Arm<'_, 'c>,
        other: Arm<'_, 'c>,
    ) -> Raised<Val<'c>> {
        let mut parts = Vec::new();
        if let Some(then) = then.filter(|_| !matches!(truth, Truth::Known(false))) {
            parts.push(self.bracket(b, truth, number, then)?);
        }
        if let Some(other) = other.filter(|_| !matches!(truth, Truth::Known(true))) {
            parts.push(self.bracket(b, &truth.negated(&self.outer), number, other)?);
        }
        Ok(total(b, number, parts))
    }
}

/// The sum of some numbers, zero if there are none.
pub fn total<'c>(b: &Builder<'c>, number: Type<'c>, parts: Vec<Val<'c>>) -> Val<'c> {
    let sum = parts.into_iter().reduce(|sum, part| b.add(sum, part));
    sum.unwrap_or_else(|| b.zero_scalar(number))
}

/// The sum of a number over all places, which is the number if there are no indices.
pub fn sum<'c>(
    b: &Builder<'c>,
    number: Type<'c>,
    sizes: &[Val<'c>],
    term: impl FnOnce(&Builder<'c>, &[Affine<'c>]) -> Raised<Val<'c>>,
) -> Raised<Val<'c>> {
    if sizes.is_empty() {
        return term(b, &[]);
    }
    indexed(b, "atl.sum", number, sizes, term)
}

fn indexed<'c>(
    b: &Builder<'c>,
    name: &str,
    of: Type<'c>,
    sizes: &[Val<'c>],
    value: impl FnOnce(&Builder<'c>, &[Affine<'c>]) -> Raised<Val<'c>>,
) -> Raised<Val<'c>> {
    body(b, name, of, sizes, sizes.len(), |b, indices| {
        let indices: Vec<_> = indices.iter().map(|index| Affine::value(*index)).collect();
        value(b, &indices)
    })
}

/// An operation with a body that takes indices. One whose body is refused stays without an end;
/// whoever asked for it erases it.
fn body<'c>(
    b: &Builder<'c>,
    name: &str,
    of: Type<'c>,
    operands: &[Val<'c>],
    indices: usize,
    value: impl FnOnce(&Builder<'c>, &[Val<'c>]) -> Raised<Val<'c>>,
) -> Raised<Val<'c>> {
    let arguments = vec![b.index_type(); indices];
    let op = b.op_with(name, operands, &[of], &[], &[arguments]);
    let (Some(result), Some(block)) = (op.res(0), op.body(0)) else {
        return Err("cannot be built".to_owned());
    };
    let inner = b.into_block(block);
    let value = value(&inner, &block.arg_list())?;
    inner.op("atl.yield", &[value], &[]);
    Ok(result)
}
