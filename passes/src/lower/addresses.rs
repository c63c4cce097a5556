//! `lower-addresses`: an address that was rounded up points into what was allocated.
//!
//! ```text
//! p = malloc (n + 64)                          p = malloc (n + 64)
//! r = (ptrtoint p) + 63                 ==>    q = ptrmask p[63] -64
//! q = inttoptr (r - r % 64)
//! ```
//! LLVM knows of two places that `malloc` returned that they are apart, but not of pointers that were
//! made of numbers. In front of each loop it then compares the ends of its arrays, and where indices
//! are read from an array, which leaves no end to be compared, it does not run the loop on vectors.

use ad_dialect::ir::{Op, OpExt, Val, ValExt, int_of};
use melior::{
    Context,
    ir::{Attribute, Type, ValueLike, attribute::TypeAttribute, operation::OperationLike},
};

use crate::support::builder::{Builder, same_value};

/// Runs the pass; returns how many addresses were changed.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let mut found = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "llvm.inttoptr" {
            found.push(op);
        }
    });
    let changed = found.into_iter().filter(|&op| replace(context, op).is_some());
    changed.count() as u64
}

/// Rounds up what an address was computed from.
fn replace<'c>(context: &'c Context, op: Op<'c>) -> Option<()> {
    let (number, result) = (op.opnd(0)?, op.res(0)?);
    let (base, alignment) = rounded_up(number)?;
    if base.r#type() != result.r#type() {
        return None;
    }
    let b = Builder::before(context, op, op.block()?);
    let byte = TypeAttribute::new(Type::parse(context, "i8")?).into();
    let offset = Attribute::parse(context, &format!("array<i32: {}>", alignment - 1))?;
    let attributes = [("elem_type", byte), ("rawConstantIndices", offset)];
    let last = b.val_with("llvm.getelementptr", &[base], base.r#type(), &attributes);
    let mask = Attribute::parse(context, &format!("{} : i64", -alignment))?;
    let mask = b.val_with("llvm.mlir.constant", &[], number.r#type(), &[("value", mask)]);
    result.replace_all_uses(b.val("llvm.intr.ptrmask", &[last, mask], result.r#type()));
    op.erase();
    Some(())
}

/// The address that a number is the next multiple of a power of two from, and that power.
fn rounded_up(number: Val<'_>) -> Option<(Val<'_>, i64)> {
    let [raised, rest] = operands(number, "llvm.sub")?;
    let [again, divisor] = operands(rest, "llvm.urem")?;
    let [address, added] = operands(raised, "llvm.add")?;
    let alignment = constant(divisor)?;
    let is_rounded = same_value(raised, again)
        && alignment.count_ones() == 1
        && alignment <= i64::from(i32::MAX)
        && constant(added) == Some(alignment - 1)
        && number.r#type().to_string() == "i64";
    let conversion = address.defining_op().filter(|op| op.op_name() == "llvm.ptrtoint")?;
    Some((conversion.opnd(0)?, alignment)).filter(|_| is_rounded)
}

/// The operands of the operation of that name that makes a value.
fn operands<'c>(value: Val<'c>, name: &str) -> Option<[Val<'c>; 2]> {
    let op = value.defining_op().filter(|op| op.op_name() == name)?;
    <[_; 2]>::try_from(op.operand_list()).ok()
}

/// What a number is, if that is written down, or a difference of such.
fn constant(value: Val<'_>) -> Option<i64> {
    if let Some([x, y]) = operands(value, "llvm.sub") {
        return constant(x)?.checked_sub(constant(y)?);
    }
    let op = value.defining_op().filter(|op| op.op_name() == "llvm.mlir.constant")?;
    op.attr("value").and_then(int_of)
}
