//! A memory budget for loops: which are split, and into what.
//!
//! The derivative is made once without splitting, so it is known what every loop saves.
//! Loops that may save more than the budget are then split [FUT 4.3], and the derivative
//! is made again. With n iterations that save s bytes each, k factors m = n^(1/(k+1)) need
//! about (k+1) m s bytes and k extra executions of the body; the least k that fits is
//! taken, or where none does the least of those that need the fewest bytes. Where n or s is known only when the program runs, there is one factor sqrt(n),
//! or n itself if everything fits.

use std::collections::HashSet;

use ad_dialect::{
    capi::{self, RemarkKind},
    ir::{Op, OpExt, TyExt, Val, ValExt},
};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use super::strip_mine::split;
use crate::{
    ad::rules::LoopReport,
    support::{bounds::trip_count, builder::Builder, diag::Result, memory::scalar_bytes},
};

/// More levels than this save nothing: then every level has two iterations.
const DEEPEST: u32 = 20;

/// Splits the loops that save more than the budget; returns whether there were any.
pub fn apply<'c>(context: &'c Context, reports: &[LoopReport<'c>], budget: u64) -> Result<bool> {
    // A loop whose body is differentiated several times is reported as often.
    let mut seen = HashSet::new();
    let mut found = false;
    for report in reports.iter().filter(|report| seen.insert(report.op.key())) {
        let op = report.op;
        let Some(block) = op.block() else { continue };
        if report.saved().is_empty() || report.bytes().is_some_and(|bytes| bytes <= budget) {
            continue;
        }
        let b = Builder::before(context, op, block);
        let chunks = match (report.trips, version_bytes(report)) {
            (Some(trips), Some(bytes)) => fixed_chunks(&b, op, trips, bytes, budget),
            _ => vec![dynamic_chunk(&b, report, budget)],
        };
        let results = split(&b, op, &chunks)?;
        for (old, new) in op.result_list().into_iter().zip(results) {
            old.replace_all_uses(new);
        }
        op.erase();
        found = true;
    }
    Ok(found)
}

/// The bytes of one version of the values that are saved, if known.
fn version_bytes(report: &LoopReport<'_>) -> Option<u64> {
    report.saved().into_iter().try_fold(0u64, |sum, i| {
        let r#type: Type<'_> = report.fates[i].0;
        let elements = r#type
            .shape()
            .iter()
            .try_fold(1u64, |product, &n| product.checked_mul(u64::try_from(n).ok()?))?;
        sum.checked_add(elements.checked_mul(scalar_bytes(r#type.scalar()))?)
    })
}

/// As many equal factors as are needed.
fn fixed_chunks<'c>(
    b: &Builder<'c>,
    op: Op<'c>,
    trips: u64,
    bytes: u64,
    budget: u64,
) -> Vec<Val<'c>> {
    let factor = |levels: u32| (trips as f64).powf(1.0 / f64::from(levels)).ceil().max(2.0) as u64;
    let needed = |levels: u32| u64::from(levels) * factor(levels) * bytes;
    let fitting = (2..DEEPEST).find(|&levels| needed(levels) <= budget);
    let levels = fitting.or_else(|| (2..DEEPEST).min_by_key(|&levels| needed(levels)));
    let levels = levels.unwrap_or(DEEPEST);
    let m = factor(levels);
    let fits = if needed(levels) <= budget { "" } else { ", which is the least possible" };
    capi::emit_remark(
        op.location(),
        RemarkKind::Analysis,
        "ad-differentiate",
        "strip-mined",
        &[
            (
                "why",
                format!("{trips} iterations of {bytes} bytes exceed the budget of {budget} bytes"),
            ),
            ("levels", levels.to_string()),
            ("factor", m.to_string()),
            ("bytes", format!("{}{fits}", needed(levels))),
            ("executions of the body", (levels + 1).to_string()),
        ],
    );
    let mut chunks = vec![];
    let mut chunk = 1i64;
    for _ in 1..levels {
        chunk = chunk.saturating_mul(m as i64);
        chunks.push(b.index(chunk));
    }
    chunks.reverse();
    chunks
}

/// `n s > budget ? ceil(sqrt(n)) : n`, at least one.
fn dynamic_chunk<'c>(b: &Builder<'c>, report: &LoopReport<'c>, budget: u64) -> Val<'c> {
    let operands = report.op.operand_list();
    let trips = trip_count(b, &operands[..3]);
    let mut bytes = b.index(0);
    for i in report.saved() {
        let value = operands[3 + i];
        let scalar = scalar_bytes(value.r#type().scalar()) as i64;
        let mut size = b.index(scalar);
        for d in 0..value.r#type().shape().len() {
            size = b.mul(size, b.dim(value, d));
        }
        bytes = b.add(bytes, size);
    }
    capi::emit_remark(
        report.op.location(),
        RemarkKind::Analysis,
        "ad-differentiate",
        "strip-mined",
        &[
            (
                "why",
                format!("it is not known before it runs whether it saves more than {budget} bytes"),
            ),
            ("levels", "2".to_owned()),
            ("factor", "sqrt(trips) if more than the budget would be saved, else trips".to_owned()),
            (
                "bytes",
                "2 * sqrt(trips) * bytes of the saved values, or within the budget".to_owned(),
            ),
            ("executions of the body", "3".to_owned()),
        ],
    );
    let (Some(wide), Some(float)) =
        (Type::parse(b.context(), "i64"), Type::parse(b.context(), "f64"))
    else {
        return trips;
    };
    let number = b.val("arith.index_cast", &[trips], wide);
    let number = b.val("arith.sitofp", &[number], float);
    let root = b.same("math.ceil", &[b.same("math.sqrt", &[number])]);
    let root = b.val("arith.fptosi", &[root], wide);
    let root = b.val("arith.index_cast", &[root], b.index_type());
    let total = b.mul(trips, bytes);
    let limit = b.index(i64::try_from(budget).unwrap_or(i64::MAX));
    // 4 is the predicate "sgt".
    let exceeds =
        b.val_with("arith.cmpi", &[total, limit], b.bool_type(), &[("predicate", b.i64_attr(4))]);
    b.same("arith.maxsi", &[b.select(exceeds, root, trips), b.index(1)])
}
