//! Rules from outside: a program that embeds the passes registers how derivatives pass through operations of its own, or
//! through calls of functions that have no body here [MYIA 3: kernels in another language are exposed as primitives].
//!
//! In Rust it implements `Rule`; in C and C++ it gives callbacks (`callback`, `tools/ad-plugin/include/ad-opt.h`).
//! In a module, the attributes `custom_jvp` and `custom_vjp` of a function do without either (`ad/custom`).
//!
//! Invariant: what was registered stays for as long as the process; what was registered last is asked first, and
//! registered rules are asked before those of the table.
//! Tests: tools/ad-check/tests/registered_rules.rs.

use std::{
    collections::HashMap,
    sync::{
        LazyLock, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
};

use ad_dialect::ir::{Op, OpExt, text_of};

use super::Rule;

type Rules = HashMap<String, Vec<&'static dyn Rule>>;

/// Whether there is any, because every operation of a program is looked up.
static IS_ANY: AtomicBool = AtomicBool::new(false);
static RULES: LazyLock<RwLock<Rules>> = LazyLock::new(RwLock::default);

/// Registers a rule for the operations of a name, such as `kernels.attention`, to which it applies. For a function it is
/// one for `func.call` that applies where `is_call_of` says so.
pub fn register(operation: &str, rule: impl Rule + Send + 'static) {
    let mut rules = RULES.write().unwrap_or_else(PoisonError::into_inner);
    rules.entry(operation.to_owned()).or_default().push(Box::leak(Box::new(rule)));
    IS_ANY.store(true, Ordering::Release);
}

/// Whether an operation is a call of a function.
pub fn is_call_of(op: Op<'_>, function: &str) -> bool {
    op.op_name() == "func.call"
        && op.attr("callee").and_then(text_of).is_some_and(|callee| callee == function)
}

/// The registered rule that applies to an operation.
pub(super) fn rule_of(op: Op<'_>) -> Option<&'static dyn Rule> {
    if !IS_ANY.load(Ordering::Acquire) {
        return None;
    }
    let rules = RULES.read().unwrap_or_else(PoisonError::into_inner);
    rules.get(op.op_name())?.iter().rev().copied().find(|rule| rule.applies(op))
}
