//! Every operation that programs may contain has a rule or a reason for having none.

use std::collections::HashSet;

use ad_dialect::capi::operation_names;
use ad_passes::{
    ad::rules::{
        RULES, has_rule, linalg,
        scalar::table,
        without::{NON_DIFFERENTIABLE, REFUSED},
    },
    raise::RAISES,
};

const DIALECTS: [&str; 11] = [
    "ad", "arith", "complex", "func", "linalg", "math", "memref", "scf", "soac", "tensor", "vector",
];

#[test]
fn every_operation_has_a_rule_or_a_reason() {
    let context = ad_dialect::context();
    let listed: HashSet<&str> =
        NON_DIFFERENTIABLE.iter().chain(REFUSED).map(|(name, _)| *name).collect();
    for dialect in DIALECTS {
        let names = operation_names(&context, dialect);
        assert!(names.len() >= 3, "{dialect} has only {} operations", names.len());
        for name in names {
            let is_raised = RAISES.iter().any(|(raised, ..)| *raised == name);
            assert!(
                is_raised || has_rule(&name) != listed.contains(name.as_str()),
                "'{name}' must have either a rule in passes/src/ad/rules, or a raised form in \
                 passes/src/raise, or a reason in without.rs"
            );
        }
    }
}

#[test]
fn nothing_is_listed_that_does_not_exist() {
    let context = ad_dialect::context();
    let mut existing: HashSet<String> = HashSet::new();
    for dialect in DIALECTS.into_iter().chain(["bufferization", "ub"]) {
        existing.extend(operation_names(&context, dialect));
    }
    let rules = RULES.iter().map(|(name, _)| *name).chain(table().map(|row| row.name));
    let rules = rules.chain(linalg::NAMES.iter().copied());
    let raised = RAISES.iter().map(|(name, ..)| *name);
    for name in raised {
        assert!(existing.contains(name), "'{name}' is no operation");
    }
    let reasons = NON_DIFFERENTIABLE.iter().chain(REFUSED).map(|(name, _)| *name);
    let mut seen = HashSet::new();
    for name in rules.chain(reasons) {
        assert!(existing.contains(name), "'{name}' is no operation");
        assert!(seen.insert(name), "'{name}' is listed twice");
    }
}
