//! What a loop saves and why, as remarks: `--remarks-filter-analyse=ad-differentiate`.

use ad_dialect::{
    capi,
    ir::{DYNAMIC, Op, OpExt, TyExt, Val, ValExt, float_width, int_of},
};
use melior::ir::{Type, operation::OperationLike};

/// What becomes of a loop-carried value.
pub enum Fate {
    /// The return sweep does not read it.
    Unread,
    /// All of its versions are in the last.
    Frozen,
    /// It never changes.
    Invariant,
    /// What is overwritten is saved, so many bytes (as text) in an iteration.
    Overwritten(String),
    /// A copy is saved in every iteration.
    Whole,
}

/// Reports what a loop does with the values that it carries.
pub fn report<'c>(op: Op<'c>, trips: Val<'c>, fates: &[(Type<'c>, Fate)]) {
    let mut entries = vec![];
    let mut bytes = vec![];
    for (i, (r#type, fate)) in fates.iter().enumerate() {
        let text = match fate {
            Fate::Unread => "not saved: the return sweep does not read it",
            Fate::Frozen => "not saved: without false dependencies, the result holds it",
            Fate::Invariant => "not saved: it does not change",
            Fate::Overwritten(size) => {
                bytes.push(size.clone());
                "what the loop overwrites is saved, because the return sweep reads it"
            }
            Fate::Whole => {
                bytes.push(bytes_of(*r#type));
                if r#type.as_tensor().is_some() {
                    "saved whole in every iteration, because the return sweep reads it and the \
                     loop does not only update it in place"
                } else {
                    "saved, because the return sweep reads it"
                }
            }
        };
        entries.push((format!("value {i}"), format!("{type}: {text}")));
    }
    entries.push(("bytes".to_owned(), product(trips, &bytes)));
    entries.push(("executions of the body".to_owned(), "2".to_owned()));
    let entries: Vec<_> = entries.iter().map(|(key, text)| (key.as_str(), text.clone())).collect();
    capi::emit_remark(op.location(), "ad-differentiate", "checkpoints", &entries);
}

/// Bytes per iteration times iterations, as a number if both are known.
fn product(trips: Val<'_>, bytes: &[String]) -> String {
    let known: Option<Vec<u64>> = bytes.iter().map(|text| text.parse().ok()).collect();
    match (constant_trips(trips), known) {
        (_, Some(parts)) if parts.is_empty() => "0".to_owned(),
        (Some(trips), Some(parts)) => (parts.iter().sum::<u64>() * trips).to_string(),
        (None, Some(parts)) => format!("{} * trips", parts.iter().sum::<u64>()),
        (Some(trips), None) => format!("({}) * {trips}", bytes.join(" + ")),
        (None, None) => format!("({}) * trips", bytes.join(" + ")),
    }
}

/// The trip count, if the bounds are constants.
pub fn constant_trips(trips: Val<'_>) -> Option<u64> {
    let op = trips.defining_op()?;
    let operand = |i| op.opnd(i).and_then(|value| constant_index(value));
    match op.op_name() {
        "arith.maxsi" => Some(operand(0)?.max(operand(1)?) as u64),
        _ => u64::try_from(constant_index(trips)?).ok(),
    }
}

/// A value of type `index` that folds to a constant.
fn constant_index(value: Val<'_>) -> Option<i64> {
    let op = value.defining_op()?;
    let operand = |i| op.opnd(i).and_then(|value| constant_index(value));
    match op.op_name() {
        "arith.constant" => int_of(op.attr("value")?),
        "arith.index_cast" => operand(0),
        "arith.subi" => operand(0)?.checked_sub(operand(1)?),
        "arith.ceildivsi" => {
            let (a, b) = (operand(0)?, operand(1)?);
            (b > 0).then(|| a.div_euclid(b) + i64::from(a.rem_euclid(b) != 0))
        }
        _ => None,
    }
}

/// The size of a value in bytes; unknown sizes appear as `?`.
pub fn bytes_of(r#type: Type<'_>) -> String {
    let scalar = r#type.scalar();
    let width = if scalar.is_float_type() {
        u64::from(float_width(scalar)).div_ceil(8)
    } else {
        integer_bytes(scalar)
    };
    let shape = r#type.shape();
    let fixed: u64 = shape.iter().filter(|&&n| n != DYNAMIC).map(|&n| n as u64).product();
    let unknown = shape.iter().filter(|&&n| n == DYNAMIC).count();
    format!("{}{}", width * fixed, " * ?".repeat(unknown))
}

/// Bytes of an integer, `index` or complex number.
fn integer_bytes(scalar: Type<'_>) -> u64 {
    let text = scalar.to_string();
    let bits: String = text.chars().filter(char::is_ascii_digit).collect();
    let bits = bits.parse::<u64>().unwrap_or(64);
    bits.div_ceil(8) * if scalar.is_complex_type() { 2 } else { 1 }
}
