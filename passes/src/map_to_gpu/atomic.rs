//! Buffers that many threads update.
//!
//! An array that is updated becomes a buffer of its own, and an array again when all updates are made:
//!
//! ```text
//! c = alloc_tensor copy(a);  m = to_buffer c;  ... atomic_rmw of elements of m ...;  a' = to_tensor m
//! ```
//! Complex numbers lie in such a buffer as their parts, in one dimension more, and what is added is added part by part.
//! Memory updates numbers of 32 and 64 bits: shorter ones lie in such a buffer as these, so that a sum of f16 is rounded
//! once, and integers keep their order, signed and unsigned, when their sign is extended.

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt, part_type, tensor_type};
use melior::ir::{Attribute, Type, TypeLike, ValueLike, r#type::IntegerType};

use crate::{
    lower::forall_to_gpu::when,
    support::{
        atomic::{
            ADD_FLOAT, ADD_INTEGER, Kind, MAX_INTEGER, MIN_INTEGER, MULTIPLY_FLOAT,
            MULTIPLY_INTEGER, update_element,
        },
        builder::{Builder, CMP_NE, Is, same_value},
        diag::Result,
        elementwise::everywhere,
        extent::extent_of,
        zero::is_zero,
    },
};

/// What an operator on tuples does with each component, if all are independent and each is one of the updates.
pub fn kinds(op: Op<'_>) -> Option<Vec<Kind>> {
    let body = op.body(0)?;
    let (arguments, ends) = (body.arg_list(), body.ends());
    let (left, right) = arguments.split_at_checked(ends.len())?;
    let pairs = left.iter().zip(right).zip(ends);
    pairs.map(|((&l, &r), end)| kind(end, l, r)).collect()
}

/// What an operator does with a component that it makes of two others, if that is one of the updates.
pub fn kind<'c>(value: Val<'c>, l: Val<'c>, r: Val<'c>) -> Option<Kind> {
    let op = value.defining_op()?;
    let [a, b] = op.operand_list()[..] else { return None };
    let is_both = same_value(a, l) && same_value(b, r) || same_value(a, r) && same_value(b, l);
    if !is_both {
        return None;
    }
    if op.op_name() == "soac.map" {
        let body = op.body(0)?;
        let [l, r] = body.arg_list()[..] else { return None };
        return kind(*body.ends().get(value.position())?, l, r);
    }
    Some(match op.op_name() {
        "arith.addf" | "complex.add" => ADD_FLOAT,
        "arith.addi" => ADD_INTEGER,
        "arith.andi" => 2,
        "arith.maximumf" => 4,
        "arith.maxnumf" => 5,
        "arith.maxsi" => MAX_INTEGER,
        "arith.maxui" => 7,
        "arith.minimumf" => 8,
        "arith.minnumf" => 9,
        "arith.minsi" => MIN_INTEGER,
        "arith.minui" => 11,
        "arith.mulf" => MULTIPLY_FLOAT,
        "arith.muli" => MULTIPLY_INTEGER,
        "arith.ori" => 14,
        "arith.xori" => 15,
        _ => return None,
    })
}

/// Whether there are atomic updates of elements of a type, or of their parts.
pub fn is_atomic(element: Type<'_>) -> bool {
    stored(element).is_some()
}

/// The name of the type as which numbers, or the parts of complex ones, lie in a buffer that is updated.
fn stored(number: Type<'_>) -> Option<&'static str> {
    if number.is_complex_type() {
        return stored(part_type(number));
    }
    if let Ok(integer) = IntegerType::try_from(number) {
        return match integer.width() {
            _ if !integer.is_signless() => None,
            0..=32 => Some("i32"),
            33..=64 => Some("i64"),
            _ => None,
        };
    }
    match number.to_string().as_str() {
        "index" => Some("i64"),
        "f16" | "bf16" | "f32" => Some("f32"),
        "f64" => Some("f64"),
        _ => None,
    }
}

/// The type as which numbers, or the parts of complex ones, lie in a buffer that is updated.
pub fn stored_as<'c>(b: &Builder<'c>, number: Type<'c>) -> Option<Type<'c>> {
    Type::parse(b.context(), stored(number)?)
}

/// A number, or a part of a complex one, as it lies in a buffer that is updated.
pub fn as_stored<'c>(b: &Builder<'c>, number: Val<'c>) -> Option<Val<'c>> {
    let (is, stored) = (number.r#type(), stored_as(b, number.r#type())?);
    let name = match is {
        _ if is == stored => return Some(number),
        _ if is.is_float_type() => "arith.extf",
        _ if is.is_index() => "arith.index_cast",
        _ => "arith.extsi",
    };
    Some(b.val(name, &[number], stored))
}

/// The number of a type that lies in a buffer.
fn as_read<'c>(b: &Builder<'c>, stored: Val<'c>, r#type: Type<'c>) -> Val<'c> {
    let name = match r#type {
        _ if r#type == stored.r#type() => return stored,
        _ if r#type.is_float_type() => "arith.truncf",
        _ if r#type.is_index() => "arith.index_cast",
        _ => "arith.trunci",
    };
    b.val(name, &[stored], r#type)
}

/// The type of a buffer for arrays of a type.
pub fn buffer_type<'c>(b: &Builder<'c>, array: Type<'c>) -> Option<Type<'c>> {
    Type::parse(b.context(), &array.to_string().replacen("tensor", "memref", 1))
}

/// A buffer that starts as a copy of an array and can be updated.
pub fn buffer<'c>(b: &Builder<'c>, array: Val<'c>) -> Option<Val<'c>> {
    let (r#type, sizes) = (in_buffer(b, array.r#type())?, || b.dynamic_dims(array));
    if r#type == array.r#type() {
        return plain_buffer(b, array);
    }
    match everywhere(array) {
        Some(number) if is_zero(number) => plain_buffer(b, b.zeros(r#type, &sizes())),
        Some(number) if !number.r#type().is_complex_type() => {
            plain_buffer(b, b.fill(as_stored(b, number)?, b.empty(r#type, &sizes())))
        }
        _ => plain_buffer(b, laid_out(b, array)?),
    }
}

/// A buffer that starts as a copy of an array.
pub fn plain_buffer<'c>(b: &Builder<'c>, array: Val<'c>) -> Option<Val<'c>> {
    let r#type = buffer_type(b, array.r#type())?;
    let is_empty = array.defining_op().is_some_and(|op| op.op_name() == "tensor.empty");
    let own = match everywhere(array) {
        Some(number) => b.fill(number, uninitialised(b, array)),
        None if is_empty => uninitialised(b, array),
        None => b.copy_of(array),
    };
    Some(b.val("bufferization.to_buffer", &[own], r#type))
}

/// The type of the array that lies in a buffer for arrays of a type: of the parts of complex numbers, and of wider numbers
/// in place of short ones.
fn in_buffer<'c>(b: &Builder<'c>, array: Type<'c>) -> Option<Type<'c>> {
    let scalar = array.scalar();
    let both = if scalar.is_complex_type() { vec![2] } else { vec![] };
    Some(tensor_type(&[array.shape(), both].concat(), stored_as(b, scalar)?))
}

/// A number, or an array, as it lies in a buffer.
fn laid_out<'c>(b: &Builder<'c>, value: Val<'c>) -> Option<Val<'c>> {
    let r#type = value.r#type();
    if r#type.as_tensor().is_none() {
        if !r#type.is_complex_type() {
            return as_stored(b, value);
        }
        let [re, im] = b.both_parts(value).map(|part| as_stored(b, part));
        return Some(b.val("tensor.from_elements", &[re?, im?], in_buffer(b, r#type)?));
    }
    if r#type.shape().is_empty() {
        let number = laid_out(b, b.extract(value, &[]))?;
        let is_scalar = number.r#type().as_tensor().is_none();
        let array = || b.val("tensor.from_elements", &[number], tensor_type(&[], number.r#type()));
        return Some(if is_scalar { array() } else { number });
    }
    let types = [in_buffer(b, r#type)?];
    let rows =
        b.map(&[value], &[], &types, |b, row| Ok(laid_out(&b, row[0]).into_iter().collect()));
    rows.ok()?.first().copied()
}

/// The number, or the array, of a type that lies in a buffer as something else.
fn joined<'c>(b: &Builder<'c>, parts: Val<'c>, r#type: Type<'c>) -> Option<Val<'c>> {
    if r#type.as_tensor().is_none() {
        if !r#type.is_complex_type() {
            return Some(as_read(b, parts, r#type));
        }
        let part = |part| as_read(b, b.extract(parts, &[b.index(part)]), part_type(r#type));
        return Some(b.val("complex.create", &[part(0), part(1)], r#type));
    }
    if r#type.shape().is_empty() {
        let is_number = parts.r#type().shape().is_empty();
        let parts = if is_number { b.extract(parts, &[]) } else { parts };
        return Some(b.val("tensor.from_elements", &[joined(b, parts, r#type.scalar())?], r#type));
    }
    let rows = b.map(&[parts], &[], &[r#type], |b, row| {
        Ok(joined(&b, row[0], r#type.row()).into_iter().collect())
    });
    rows.ok()?.first().copied()
}

/// An array of the type and sizes of another one, which is a buffer of its own.
fn uninitialised<'c>(b: &Builder<'c>, like: Val<'c>) -> Val<'c> {
    b.own_array(like.r#type(), &b.dynamic_dims(like))
}

/// A buffer for an array of a type and dynamic sizes.
pub fn empty_buffer<'c>(b: &Builder<'c>, array: Type<'c>, sizes: &[Val<'c>]) -> Option<Val<'c>> {
    let r#type = buffer_type(b, array)?;
    Some(b.val("bufferization.to_buffer", &[b.own_array(array, sizes)], r#type))
}

/// What is in a buffer that was updated, which nothing writes to from here on.
pub fn contents<'c>(b: &Builder<'c>, buffer: Val<'c>, array: Type<'c>) -> Option<Val<'c>> {
    let stored = in_buffer(b, array)?;
    let all = plain_contents(b, buffer, stored);
    if stored == array { Some(all) } else { joined(b, all, array) }
}

/// What is in a buffer, which nothing writes to from here on.
pub fn plain_contents<'c>(b: &Builder<'c>, buffer: Val<'c>, array: Type<'c>) -> Val<'c> {
    let unit = Attribute::unit(b.context());
    let attributes = [("restrict", unit), ("writable", unit)];
    b.val_with("bufferization.to_tensor", &[buffer], array, &attributes)
}

/// Updates an element of a buffer by a number that is not neutral.
pub fn update_by<'c>(
    b: &Builder<'c>,
    kind: Kind,
    buffer: Val<'c>,
    [value, neutral]: [Val<'c>; 2],
    indices: impl FnOnce(&Builder<'c>) -> Vec<Val<'c>>,
) -> Result<()> {
    let changes = if neutral.r#type().is_float_type() {
        b.compare_floats(Is::NotEqual, value, neutral)
    } else {
        b.compare(CMP_NE, value, neutral)
    };
    when(b, changes, |b| update(b, kind, buffer, &indices(b), value))
}

/// Updates an element of a buffer, or each element of a part of it.
pub fn update<'c>(
    b: &Builder<'c>,
    kind: Kind,
    buffer: Val<'c>,
    indices: &[Val<'c>],
    value: Val<'c>,
) -> Result<()> {
    let number = |b: &Builder<'c>, indices: &[Val<'c>], number: Val<'c>| {
        let number = as_stored(b, number).unwrap_or(number);
        update_element(b, kind, buffer, indices, number);
    };
    each_element(b, indices, value, &|b, indices, value| {
        if !value.r#type().is_complex_type() {
            return number(b, indices, value);
        }
        for (place, part) in (0..).zip(b.both_parts(value)) {
            number(b, &[indices, &[b.index(place)]].concat(), part);
        }
    })
}

/// Writes an element of a buffer, or each element of a part of it.
pub fn store<'c>(
    b: &Builder<'c>,
    buffer: Val<'c>,
    indices: &[Val<'c>],
    value: Val<'c>,
) -> Result<()> {
    each_element(b, indices, value, &|b, indices, value| {
        b.op("memref.store", &[&[value, buffer], indices].concat(), &[]);
    })
}

/// Does something to each scalar of a value, which is at some indices or behind them.
fn each_element<'c>(
    b: &Builder<'c>,
    indices: &[Val<'c>],
    value: Val<'c>,
    body: &dyn Fn(&Builder<'c>, &[Val<'c>], Val<'c>),
) -> Result<()> {
    if value.r#type().as_tensor().is_none() {
        body(b, indices, value);
        return Ok(());
    }
    if value.r#type().shape().is_empty() {
        return each_element(b, indices, b.extract(value, &[]), body);
    }
    if let Some(made) = value.defining_op()
        && (made.op_name(), value.r#type().shape().len()) == ("tensor.from_elements", 1)
    {
        let numbers = made.operand_list().into_iter().enumerate();
        return numbers
            .map(|(k, number)| (b.index(k as i64), number))
            .try_for_each(|(k, number)| each_element(b, &[indices, &[k]].concat(), number, body));
    }
    // A map that makes the value can be computed by the map that reads it, if nothing asks for its size.
    let numbers = b.iota(extent_of(value, 0).value(b), value.r#type().shape()[0]);
    b.map(&[numbers, value], &[], &[], |b, arguments| {
        each_element(&b, &[indices, &arguments[..1]].concat(), arguments[1], body)?;
        Ok(vec![])
    })?;
    Ok(())
}
