//! What operations make of the sizes of their operands.

use ad_dialect::{
    ir::{Blk, BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, i32_array, i64_array},
    linalg::{Expr, Structured},
};
use melior::ir::{ValueLike, operation::OperationLike};

use super::{
    constants::known,
    property::{Conflict, Facts},
    shapes::{Shape, shape},
};
use crate::support::{
    combinator::{array_result_count, input_count},
    extent::Extent,
    reshape,
};

type Shapes = Result<Option<Vec<Shape>>, Conflict>;

/// The shapes of the results of an operation.
pub fn shapes<'c>(op: Op<'c>, facts: &Facts<'c>) -> Shapes {
    let of = |i: usize| op.opnd(i).and_then(|value| shape(value, facts));
    let one = |shape: Option<Shape>| Ok(shape.map(|shape| vec![shape]));
    match op.op_name() {
        "tensor.cast" => one(of(0)),
        "tensor.insert" => one(of(1)),
        "tensor.insert_slice" => one(of(1)),
        "tensor.empty" | "tensor.generate" => one(from_operands(op, 0, facts)),
        "tensor.splat" => one(from_operands(op, 1, facts)),
        "tensor.extract_slice" => one(slice(op, facts)),
        "tensor.expand_shape" => one(expanded(op, facts)),
        "tensor.collapse_shape" => one(of(0).and_then(|source| collapsed(op, source))),
        "tensor.concat" => concatenated(op, facts),
        "soac.iota" => one(from_operands(op, 0, facts)),
        "soac.map" => map(op, facts),
        "soac.reduce" => width(op, facts).map(|_| None),
        "soac.scan" => scan(op, facts),
        "soac.replicate" => one(replicated(op, facts)),
        name if is_elementwise(name) => elementwise(op, facts),
        _ if op.op_name().starts_with("linalg.") => structured(op, facts),
        _ => Ok(None),
    }
}

/// What holds of the arguments of the body of a map: rows of its arrays.
pub fn enter<'c>(op: Op<'c>, body: Blk<'c>, facts: &Facts<'c>) -> Option<Vec<Shape>> {
    if op.op_name() != "soac.map" {
        return None;
    }
    let row = |value: Val<'c>| match shape(value, facts)? {
        Shape::Ranked(sizes) if sizes.len() > 1 => Some(Shape::Ranked(sizes[1..].to_vec())),
        Shape::Ranked(_) => Some(Shape::Scalar),
        other => Some(other),
    };
    let inputs = input_count(op);
    let operands = op.operand_list();
    let rows = body.arg_list().into_iter().enumerate().map(|(i, argument)| match operands.get(i) {
        Some(&input) if i < inputs => row(input),
        _ => Some(Shape::of(argument.r#type())),
    });
    rows.collect()
}

/// Operations on all elements of tensors of one shape.
pub fn is_elementwise(name: &str) -> bool {
    let dialect = name.split('.').next().unwrap_or_default();
    matches!(dialect, "arith" | "math" | "complex") && name != "arith.constant"
}

fn elementwise<'c>(op: Op<'c>, facts: &Facts<'c>) -> Shapes {
    let mut all = Shape::Unranked;
    for operand in op.operand_list() {
        match shape(operand, facts) {
            // What a selection of whole tensors goes by.
            None | Some(Shape::Scalar) => {}
            Some(shape) => all = all.meet(&shape)?,
        }
    }
    Ok(Some(vec![all; op.result_count()]))
}

/// Static sizes of the result's type, and the values of dynamic ones from an operand on.
fn from_operands<'c>(op: Op<'c>, first: usize, facts: &Facts<'c>) -> Option<Shape> {
    let mut operands = op.operand_list().into_iter().skip(first);
    let sizes = op.res(0)?.r#type().shape().into_iter().map(|size| match size {
        DYNAMIC => operands.next().and_then(|value| known(value, facts)).filter(|n| *n >= 0),
        size => Some(size),
    });
    Some(Shape::Ranked(sizes.collect()))
}

fn slice<'c>(op: Op<'c>, facts: &Facts<'c>) -> Option<Shape> {
    let sizes = i64_array(op.attr("static_sizes")?)?;
    let segments = op.attr("operandSegmentSizes").and_then(i32_array)?;
    let first: i32 = segments.iter().take(2).sum();
    let mut dynamic = op.operand_list().into_iter().skip(first as usize);
    let sizes: Vec<_> = sizes
        .into_iter()
        .map(|size| match size {
            DYNAMIC => dynamic.next().and_then(|value| known(value, facts)).filter(|n| *n >= 0),
            size => Some(size),
        })
        .collect();
    // Dimensions may be dropped; which ones is not said.
    let result = op.res(0)?.r#type().shape();
    (result.len() == sizes.len()).then_some(Shape::Ranked(sizes))
}

fn expanded<'c>(op: Op<'c>, facts: &Facts<'c>) -> Option<Shape> {
    let sizes = reshape::expanded(op)?.into_iter().map(|size| match size {
        Extent::Value(value) => known(value, facts).filter(|n| *n >= 0),
        Extent::Known(size) => Some(size),
        Extent::Dim(..) => None,
    });
    Some(Shape::Ranked(sizes.collect()))
}

fn collapsed<'c>(op: Op<'c>, source: Shape) -> Option<Shape> {
    let sizes = source.sizes()?;
    let size = |&d: &usize| sizes.get(d).copied().flatten();
    let product = |group: &Vec<usize>| {
        group.iter().map(size).try_fold(1i64, |product, n| product.checked_mul(n?))
    };
    Some(Shape::Ranked(reshape::groups(op)?.iter().map(product).collect()))
}

fn concatenated<'c>(op: Op<'c>, facts: &Facts<'c>) -> Shapes {
    let dimension = op.attr("dim").and_then(ad_dialect::ir::int_of).unwrap_or(0) as usize;
    let mut others = Shape::Unranked;
    let mut sum = Some(0);
    for operand in op.operand_list() {
        let Some(mut sizes) = shape(operand, facts).and_then(Shape::sizes) else {
            return Ok(None);
        };
        let Some(own) = sizes.get_mut(dimension) else { return Ok(None) };
        sum = sum.and_then(|sum: i64| sum.checked_add((*own)?));
        *own = None;
        others = others.meet(&Shape::Ranked(sizes))?;
    }
    let Some(mut sizes) = others.sizes() else { return Ok(None) };
    if let Some(own) = sizes.get_mut(dimension) {
        *own = sum;
    }
    Ok(Some(vec![Shape::Ranked(sizes)]))
}

/// The outer size that all inputs of a combinator have.
fn width<'c>(op: Op<'c>, facts: &Facts<'c>) -> Result<Option<i64>, Conflict> {
    let mut width = Shape::Unranked;
    for input in op.operand_list().into_iter().take(input_count(op)) {
        if let Some(sizes) = shape(input, facts).and_then(Shape::sizes) {
            width = width.meet(&Shape::Ranked(sizes.into_iter().take(1).collect()))?;
        }
    }
    Ok(width.sizes().and_then(|sizes| sizes.first().copied().flatten()))
}

fn rows(width: Option<i64>, row: Shape) -> Option<Shape> {
    match row {
        Shape::Scalar => Some(Shape::Ranked(vec![width])),
        Shape::Ranked(sizes) => Some(Shape::Ranked([vec![width], sizes].concat())),
        Shape::Unranked => None,
    }
}

fn map<'c>(op: Op<'c>, facts: &Facts<'c>) -> Shapes {
    let width = width(op, facts)?;
    let yielded = op.body(0).map(|body| body.ends()).unwrap_or_default();
    let arrays = array_result_count(op);
    let result = |(i, result): (usize, Val<'c>)| {
        let row = yielded.get(i).and_then(|value| shape(*value, facts)).filter(|_| i < arrays);
        row.and_then(|row| rows(width, row)).unwrap_or_else(|| Shape::of(result.r#type()))
    };
    Ok(Some(op.result_list().into_iter().enumerate().map(result).collect()))
}

fn scan<'c>(op: Op<'c>, facts: &Facts<'c>) -> Shapes {
    let width = width(op, facts)?;
    let result = |result: Val<'c>| {
        let mut shape = Shape::of(result.r#type());
        if let Shape::Ranked(sizes) = &mut shape
            && let Some(outer) = sizes.first_mut()
        {
            *outer = outer.or(width);
        }
        shape
    };
    Ok(Some(op.result_list().into_iter().map(result).collect()))
}

fn replicated<'c>(op: Op<'c>, facts: &Facts<'c>) -> Option<Shape> {
    let size = match op.res(0)?.r#type().shape().first().copied()? {
        DYNAMIC => op.opnd(1).and_then(|value| known(value, facts)).filter(|n| *n >= 0),
        size => Some(size),
    };
    rows(size, shape(op.opnd(0)?, facts)?)
}

/// Every loop of a structured operation has one number of iterations, which all operands that it indexes tell.
fn structured<'c>(op: Op<'c>, facts: &Facts<'c>) -> Shapes {
    let Some(s) = Structured::of(op) else { return Ok(None) };
    let mut trips: Vec<Option<i64>> = vec![None; s.loops];
    for (operand, map) in s.inputs.iter().chain(&s.inits).zip(&s.maps) {
        let Some(sizes) = shape(*operand, facts).and_then(Shape::sizes) else { continue };
        for (index, size) in map.iter().zip(sizes) {
            if let (Expr::Loop(l), Some(size)) = (index, size) {
                match trips[*l] {
                    Some(trip) if trip != size => {
                        return Err(format!("one operand has {trip} where another has {size}"));
                    }
                    _ => trips[*l] = Some(size),
                }
            }
        }
    }
    let inits = s.inits.iter().zip(s.output_maps());
    let result = |(init, map): (&Val<'c>, &Vec<Expr>)| {
        let sizes = map.iter().map(|index| match index {
            Expr::Loop(l) => trips[*l],
            _ => None,
        });
        let found = Shape::Ranked(sizes.collect());
        match shape(*init, facts) {
            Some(init) => found.meet(&init),
            None => Ok(found),
        }
    };
    let all: Result<Vec<_>, _> = inits.map(result).collect();
    Ok(Some(all?).filter(|all| all.len() == op.result_count()))
}
