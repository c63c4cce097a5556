//! `lower-kernel-vectors`: in kernels, functions of vectors of several dimensions are computed by row, and vectors in shared
//! memory are read and written element by element.
//!
//! `convert-gpu-to-nvvm` of LLVM 22 calls the functions of libdevice for each element of a vector, but takes all for
//! vectors of one dimension. `convert-vector-to-llvm`, which comes before, knows nothing of shared memory.
//!
//! ```text
//! %y = math.sin %x : vector<2x4xf64>   =>   %y0 = math.sin %x[0];  %y1 = math.sin %x[1];  %y = %y0, %y1
//! vector.store %v, %shared[%i]         =>   memref.store %v[0], %shared[%i];  memref.store %v[1], %shared[%i + 1]
//! ```
//! `arith.remf` is a function of libdevice, too. LLVM puts accesses together again where it knows the first one to be aligned, which
//! that keeps saying.

use ad_dialect::ir::{Op, OpExt, TyExt, Val, ValExt};
use melior::{
    Context,
    ir::{Attribute, Type, ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::Builder,
    memory::{behind, is_of_block},
};

/// Lowers what kernels of a module have; returns how many operations were replaced.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let mut found = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "gpu.module" {
            op.for_each(&mut |op| found.extend((is_of_rows(op) || is_in_shared(op)).then_some(op)));
        }
    });
    for &op in &found {
        let Some(block) = op.block() else { continue };
        let b = Builder::before(context, op, block).with_location(op.location());
        match (op.op_name(), op.res(0), &op.operand_list()[..]) {
            ("vector.store", _, [vector, array, indices @ ..]) => {
                for (i, &element) in (0..).zip(&b.to_elements(*vector)) {
                    let operands = [&[element, *array], &behind(&b, indices, i)[..]].concat();
                    b.op_with("memref.store", &operands, &[], &alignment(op, i), &[]);
                }
            }
            ("vector.load", Some(vector), [array, indices @ ..]) => {
                let scalar = vector.r#type().scalar();
                let element = |i| {
                    let operands = [&[*array], &behind(&b, indices, i)[..]].concat();
                    b.val_with("memref.load", &operands, scalar, &alignment(op, i))
                };
                let count = vector.r#type().lanes().iter().product();
                let elements: Vec<_> = (0..count).map(element).collect();
                let made = b.val("vector.from_elements", &elements, vector.r#type());
                vector.replace_all_uses(made);
            }
            (_, Some(result), operands) => {
                result.replace_all_uses(by_row(&b, op, result.r#type(), operands));
            }
            _ => continue,
        }
        op.erase();
    }
    found.len() as u64
}

/// Whether an operation reads or writes a vector of one dimension in shared memory.
fn is_in_shared(op: Op<'_>) -> bool {
    let (array, vector) = match op.op_name() {
        "vector.load" => (op.opnd(0), op.res(0)),
        "vector.store" => (op.opnd(1), op.opnd(0)),
        _ => return false,
    };
    let is_line = vector.is_some_and(|vector| vector.r#type().lanes().len() == 1);
    is_line && array.is_some_and(is_of_block)
}

/// What an access says of its alignment, as far as it is so of an element.
fn alignment<'c>(op: Op<'c>, element: i64) -> Vec<(&'static str, Attribute<'c>)> {
    let first = op.attr("alignment").filter(|_| element == 0);
    first.map(|it| ("alignment", it)).into_iter().collect()
}

/// Whether an operation is a function of the elements of vectors with several dimensions.
fn is_of_rows(op: Op<'_>) -> bool {
    let is_function = op.op_name().starts_with("math.") || op.op_name() == "arith.remf";
    is_function && op.res(0).is_some_and(|vector| vector.r#type().lanes().len() > 1)
}

/// The type of a vector's rows.
fn row_of(vector: Type<'_>) -> Type<'_> {
    let lanes: Vec<u64> = vector.lanes().into_iter().skip(1).map(|size| size as u64).collect();
    Type::vector(&lanes, vector.scalar())
}

/// The rows of a vector.
fn rows<'c>(b: &Builder<'c>, vector: Val<'c>) -> Vec<Val<'c>> {
    let row = row_of(vector.r#type());
    let place = |i| [("static_position", b.i64s_attr(&[i]))];
    let count = vector.r#type().lanes()[0];
    (0..count).map(|i| b.val_with("vector.extract", &[vector], row, &place(i))).collect()
}

/// The vector that has some rows.
fn of_rows<'c>(b: &Builder<'c>, r#type: Type<'c>, rows: Vec<Val<'c>>) -> Val<'c> {
    let start = b.val("vector.broadcast", &rows[..1], r#type);
    rows.into_iter().enumerate().skip(1).fold(start, |all, (i, row)| {
        let place = [("static_position", b.i64s_attr(&[i as i64]))];
        b.val_with("vector.insert", &[row, all], r#type, &place)
    })
}

/// The function that an operation is, of vectors.
fn by_row<'c>(b: &Builder<'c>, op: Op<'c>, r#type: Type<'c>, operands: &[Val<'c>]) -> Val<'c> {
    let [count, _, ..] = r#type.lanes()[..] else {
        let flags: Vec<_> =
            op.attr("fastmath").map(|flags| ("fastmath", flags)).into_iter().collect();
        return b.val_with(op.op_name(), operands, r#type, &flags);
    };
    let operands: Vec<Vec<_>> = operands.iter().map(|&vector| rows(b, vector)).collect();
    let row = |i| {
        let own: Vec<_> = operands.iter().map(|rows| rows[i]).collect();
        by_row(b, op, row_of(r#type), &own)
    };
    of_rows(b, r#type, (0..count as usize).map(row).collect())
}
