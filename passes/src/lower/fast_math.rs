//! `lower-fast-math`: what the compiler may assume about float arithmetic.
//!
//! Flags of LLVM are set on every float operation, in the primal and in derivatives alike. By
//! definition the operator of a `soac.reduce` or `soac.scan` is associative; `reductions` says that floats are to
//! be taken as such, so that sums and products may be computed in several parts at once. So are the
//! sums of an accumulator, whose updates have no order, and those that structured operations make, whose
//! reductions have none either. Nothing else about a program changes its meaning by that.
//!
//! Minima and maxima of numbers that are never -0 get `nsz`, which changes nothing about them (see `zeros`).
//!
//! `limited-range` is C's `CX_LIMITED_RANGE`: complex numbers are divided by the formula of textbooks, which overflows
//! where a square does. Otherwise `lower-complex-division` scales, and upstream repairs quotients of infinities.

use ad_dialect::{
    ir::{BlkExt, Op, OpExt, Val, ValExt},
    linalg::Structured,
};
use melior::{
    Context,
    ir::{Attribute, ValueLike, operation::OperationLike},
};

use super::zeros::extrema_without_negative_zeros;
use crate::support::{
    builder::{Builder, same_value},
    diag::{Result, error},
};

/// LLVM's flags, in the order in which MLIR prints them.
const FLAGS: [&str; 7] = ["reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn"];
const REDUCTIONS: &str = "reductions";
const LIMITED_RANGE: &str = "limited-range";
/// What `lower-subnormals` does, later.
const FLUSH_SUBNORMALS: &str = "flush-subnormals";

/// The operation whose flags are optional.
const UPDATE: &str = "soac.update_acc";

/// Sets flags, given as a list with commas; returns on how many operations.
pub fn run<'c>(context: &'c Context, module: Op<'c>, list: &str) -> Result<u64> {
    let named: Vec<&str> = list.split(',').map(str::trim).filter(|flag| !flag.is_empty()).collect();
    let wanted: Vec<&str> = named.iter().copied().filter(|&flag| flag != "none").collect();
    if !wanted.is_empty() && wanted.len() < named.len() {
        return Err(error(module, "fast-math flag 'none' is beside others"));
    }
    let ours = [REDUCTIONS, LIMITED_RANGE, FLUSH_SUBNORMALS];
    let is_known = |flag: &&str| ours.contains(flag) || *flag == "fast" || FLAGS.contains(flag);
    if let Some(other) = wanted.iter().find(|flag| !is_known(flag)) {
        let known = FLAGS.join(", ");
        let ours = ours.join(", ");
        let message = format!("no fast-math flag '{other}'; there are none, {known}, fast, {ours}");
        return Err(error(module, &message));
    }
    if wanted.contains(&LIMITED_RANGE) || wanted.contains(&"fast") {
        let mut divisions = vec![];
        module.for_each(&mut |op| divisions.extend((op.op_name() == "complex.div").then_some(op)));
        divisions.into_iter().for_each(|division| divide(context, division));
    }
    let everywhere: Vec<&str> =
        wanted.iter().copied().filter(|flag| !ours.contains(flag)).collect();
    if wanted.contains(&REDUCTIONS) {
        let mut differences = vec![];
        module.for_each(&mut |op| differences.extend(is_taken_off(op).then_some(op)));
        differences.into_iter().for_each(|difference| add_opposite(context, difference));
    }
    let mut changed = 0;
    module.for_each(&mut |op| {
        for extremum in extrema_without_negative_zeros(op) {
            changed += u64::from(add(context, extremum, &["nsz"]).is_some());
        }
    });
    module.for_each(&mut |op| {
        let is_sum = wanted.contains(&REDUCTIONS) && combines(op);
        let more = if is_sum { &["reassoc"][..] } else { &[] };
        changed += u64::from(add(context, op, &[&everywhere, more].concat()).is_some());
    });
    Ok(changed)
}

/// `(a + bi) / (c + di) = ((ac + bd) + (bc - ad)i) / (c^2 + d^2)`.
fn divide<'c>(context: &'c Context, op: Op<'c>) {
    let (Some(x), Some(y), Some(block)) = (op.opnd(0), op.opnd(1), op.block()) else { return };
    let b = Builder::before(context, op, block).with_fastmath_of(op);
    let ([re, im], [c, d]) = (b.both_parts(x), b.both_parts(y));
    let norm = b.add(b.mul(c, c), b.mul(d, d));
    let quotient = [
        b.div(b.add(b.mul(re, c), b.mul(im, d)), norm),
        b.div(b.sub(b.mul(im, c), b.mul(re, d)), norm),
    ];
    if let Some(result) = op.res(0) {
        result.replace_all_uses(b.val("complex.create", &quotient, x.r#type()));
        op.erase();
    }
}

/// Whether an operation is a sum or a product in the operator of a reduction or a scan, is what a structured operation makes of
/// an element of its result and of others, or adds to an accumulator.
fn combines(op: Op<'_>) -> bool {
    let is_operator = || {
        let around = op.parent();
        around.is_some_and(|op| matches!(op.op_name(), "soac.reduce" | "soac.scan"))
    };
    match op.op_name() {
        "arith.addf" | "arith.mulf" => is_operator() || accumulated(op).is_some(),
        name => name == UPDATE,
    }
}

/// Whether an operation takes something off an element of the result of a structured operation, again and again.
fn is_taken_off(op: Op<'_>) -> bool {
    let of = op.opnd(0).filter(|_| op.op_name() == "arith.subf");
    of.zip(accumulated(op)).is_some_and(|(of, own)| same_value(of, own))
}

/// `a - b = a + (-b)`, whose terms have an order no more than those of other sums.
fn add_opposite<'c>(context: &'c Context, op: Op<'c>) {
    let (Some(a), Some(x), Some(block)) = (op.opnd(0), op.opnd(1), op.block()) else { return };
    let b = Builder::before(context, op, block).with_fastmath_of(op);
    if let Some(result) = op.res(0) {
        result.replace_all_uses(b.add(a, b.same("arith.negf", &[x])));
        op.erase();
    }
}

/// The element of the result of a structured operation that an operation takes to make the next one of it.
fn accumulated<'c>(op: Op<'c>) -> Option<Val<'c>> {
    let around = op.parent().filter(|around| around.op_name().starts_with("linalg."))?;
    let structured = Structured::of(around)?;
    let elements = structured.body.arg_list().into_iter().skip(structured.inputs.len());
    let sum = op.res(0)?;
    let is_next = |(own, next): &(Val<'c>, Val<'c>)| {
        same_value(*next, sum) && op.operand_list().iter().any(|term| same_value(*term, *own))
    };
    elements.zip(structured.body.ends()).find(is_next).map(|(own, _)| own)
}

fn add<'c>(context: &'c Context, op: Op<'c>, flags: &[&str]) -> Option<()> {
    let before = match op.attr("fastmath") {
        None if op.op_name() == UPDATE => String::new(),
        flags => flags?.to_string(),
    };
    let has = |flag: &str| {
        let mut words = before.split(['<', '>', ',']).map(str::trim);
        words.any(|word| word == flag || word == "fast") || flags.contains(&flag)
    };
    let all: Vec<&str> =
        FLAGS.into_iter().filter(|flag| has(flag) || flags.contains(&"fast")).collect();
    if all.is_empty() {
        return None;
    }
    let after = Attribute::parse(context, &format!("#arith.fastmath<{}>", all.join(",")));
    let after = after.filter(|after| after.to_string() != before)?;
    op.set_attr(context, "fastmath", after);
    Some(())
}
