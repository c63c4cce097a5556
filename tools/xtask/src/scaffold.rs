//! Scaffolds: the files that a new rule, operation or pass needs, to be filled in.
//!
//! Everything made here fails until somebody has filled it in: a scaffold that
//! passes would be forgotten.

use std::{fs, path::Path};

use anyhow::{Context, Result, bail};

/// Makes the rule file and its four tests for an operation such as `soac.scan`.
pub fn new_rule(root: &Path, operation: &str) -> Result<()> {
    let (_, name) = operation
        .split_once('.')
        .with_context(|| format!("'{operation}' is not of the form dialect.op"))?;
    check_name(name)?;
    let (file, kebab, rule) = (name.to_owned(), name.replace('_', "-"), camel(name));
    create(root, &format!("passes/src/ad/rules/{file}.rs"), &rule_text(operation, &kebab, &rule))?;
    for mode in ["jvp", "vjp"] {
        let text = format!(
            "// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse | FileCheck %s\n\n\
             // CHECK-LABEL: func.func @{mode}_of_{file}\n// CHECK: replace me\n"
        );
        create(root, &format!("test/ad/{mode}/{kebab}.mlir"), &text)?;
    }
    let numeric = format!(
        "// RUN: ad-opt check %s --entry={file} --input=1.5\n\n\
         // Replace me: @{file}, its edge cases with values computed by hand, second order.\n"
    );
    create(root, &format!("test/ad/numeric/{kebab}.mlir"), &numeric)?;
    println!(
        "now add to passes/src/ad/rules/mod.rs:\n  mod {file};\n  (\"{operation}\", &[&{file}::{rule}]),\n\
         and, for every refusal, an expected-error to test/ad/invalid.mlir"
    );
    Ok(())
}

/// Makes the files of a new pass such as `ad-strip-mine`.
pub fn new_pass(root: &Path, pass: &str) -> Result<()> {
    let file = pass.trim_start_matches("ad-").replace('-', "_");
    check_name(&file)?;
    let text = format!(
        "//! `{pass}`: what it does in one line.\n\nuse ad_dialect::ir::Op;\nuse melior::Context;\n\n\
         use crate::support::diag::{{Result, error}};\n\n/// Runs the pass on a module.\n\
         pub fn run<'c>(_context: &'c Context, module: Op<'c>) -> Result<()> {{\n    \
         Err(error(module, \"{pass} is not written yet\"))\n}}\n"
    );
    create(root, &format!("passes/src/{file}/mod.rs"), &text)?;
    let test = format!("// RUN: ad-opt %s --{pass} | FileCheck %s\n\n// CHECK: replace me\n");
    create(root, &format!("test/{}/basic.mlir", file.replace('_', "-")), &test)?;
    println!(
        "now add '{pass}' to passes/td/Passes.td, AD_PASS(...) to passes/cpp/PassShims.cpp, \
         and its entry point to passes/src/lib.rs"
    );
    Ok(())
}

/// Makes the tests of a new operation such as `soac.scan` and says what else to do.
pub fn new_op(root: &Path, operation: &str) -> Result<()> {
    let (dialect, name) = operation
        .split_once('.')
        .with_context(|| format!("'{operation}' is not of the form dialect.op"))?;
    check_name(name)?;
    let test = format!(
        "// RUN: ad-opt %s --split-input-file --verify-diagnostics\n\n\
         // One function per numbered constraint: @{name}_c1, @{name}_c2, ...\n\
         func.func @{name}_c1() {{\n  // expected-error @+1 {{{{replace me}}}}\n  return\n}}\n"
    );
    create(
        root,
        &format!("test/dialect/{dialect}/{}-invalid.mlir", name.replace('_', "-")),
        &test,
    )?;
    println!(
        "now describe '{operation}' in dialect/td, with numbered constraints; write its verifier \
         in dialect/cpp, a round trip in test/dialect/{dialect}/ops.mlir, its meaning in \
         tools/ad-check, its lowering in passes/src/lower and its rule (cargo xtask new-rule)"
    );
    Ok(())
}

fn check_name(name: &str) -> Result<()> {
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_lowercase() || c == '_') {
        bail!("'{name}' is not a name in lower case");
    }
    Ok(())
}

fn camel(name: &str) -> String {
    name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

fn create(root: &Path, path: &str, text: &str) -> Result<()> {
    let file = root.join(path);
    if file.exists() {
        bail!("{path} exists already");
    }
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&file, text).with_context(|| format!("cannot write {path}"))?;
    println!("made {path}");
    Ok(())
}

fn rule_text(operation: &str, kebab: &str, rule: &str) -> String {
    format!(
        "//! Differentiates: `{operation}` (say when this rule is chosen).
//!
//! Primal: one line of maths
//! Forward sweep: array pseudo-code, residuals named
//! Return sweep: array pseudo-code
//! Source: [KEY section]
//! Requires: what the caller guarantees.
//! Ensures: types, shapes, work and depth.
//! Edge cases: empty, one element, zeros, ties, out of bounds, with the answer.
//! Tests: test/ad/jvp/{kebab}.mlir, test/ad/vjp/{kebab}.mlir,
//! test/ad/numeric/{kebab}.mlir.

use ad_dialect::ir::Op;

use super::Rule;
use crate::{{
    ad::{{jvp::Jvp, vjp::Vjp}},
    support::diag::{{Result, internal_error}},
}};

/// The rule for `{operation}`.
pub struct {rule};

impl Rule for {rule} {{
    fn jvp<'c>(&self, op: Op<'c>, _jvp: &mut Jvp<'_, 'c>) -> Result<()> {{
        Err(internal_error(op, \"jvp not written yet\"))
    }}

    fn vjp<'c>(&self, op: Op<'c>, _vjp: &mut Vjp<'_, 'c>) -> Result<()> {{
        Err(internal_error(op, \"vjp not written yet\"))
    }}
}}
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_named_after_its_operation() {
        assert_eq!(camel("with_acc"), "WithAcc");
        assert!(check_name("with_acc").is_ok());
        assert!(check_name("../x").is_err());
    }
}
