//! `lower-math-to-vector-calls`: functions that LLVM may evaluate for several elements at once.
//!
//! A function of `math` becomes a call of the C library's, with the names of its variants for
//! vectors. LLVM's loop vectoriser calls those in loops that it vectorises. They are in glibc's
//! libmvec, where results are off by at most 4 units in the last place.

use std::collections::BTreeMap;

use ad_dialect::ir::{Blk, Op, OpExt, ValExt};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use super::declare::{declare, push};
use crate::support::{
    builder::Builder,
    diag::{Result, error, internal_error},
};

/// An instruction set: its name, its letter in the names of vector functions, and how many bytes a
/// vector has.
const INSTRUCTION_SETS: [(&str, char, usize); 3] =
    [("sse4", 'b', 16), ("avx2", 'd', 32), ("avx512", 'e', 64)];

/// Operations, with the function for f64; with an f at its end it is that for f32.
const FUNCTIONS: [(&str, &str); 24] = [
    ("math.acos", "acos"),
    ("math.acosh", "acosh"),
    ("math.asin", "asin"),
    ("math.asinh", "asinh"),
    ("math.atan", "atan"),
    ("math.atan2", "atan2"),
    ("math.atanh", "atanh"),
    ("math.cbrt", "cbrt"),
    ("math.cos", "cos"),
    ("math.cosh", "cosh"),
    ("math.erf", "erf"),
    ("math.erfc", "erfc"),
    ("math.exp", "exp"),
    ("math.exp2", "exp2"),
    ("math.expm1", "expm1"),
    ("math.log", "log"),
    ("math.log10", "log10"),
    ("math.log1p", "log1p"),
    ("math.log2", "log2"),
    ("math.powf", "pow"),
    ("math.sin", "sin"),
    ("math.sinh", "sinh"),
    ("math.tan", "tan"),
    ("math.tanh", "tanh"),
];

/// Runs the pass for an instruction set; returns how many operations became calls.
pub fn run<'c>(context: &'c Context, module: Op<'c>, set: &str) -> Result<u64> {
    let Some(last) = INSTRUCTION_SETS.iter().position(|(name, ..)| *name == set) else {
        let known: Vec<_> = INSTRUCTION_SETS.iter().map(|(name, ..)| *name).collect();
        let message = format!("no instruction set '{set}'; there are {}", known.join(", "));
        return Err(error(module, &message));
    };
    let Some(top) = module.body(0) else { return Ok(0) };
    let mut found = vec![];
    module.for_each(&mut |op| {
        if let Some((_, function)) = FUNCTIONS.iter().find(|(name, _)| *name == op.op_name()) {
            found.push((op, *function));
        }
    });
    let mut calls = 0;
    let mut variants = BTreeMap::new();
    for (op, function) in found {
        calls += u64::from(call(context, top, op, function, last, &mut variants).is_some());
    }
    if !variants.is_empty() && !push(context, top, &declarations(&variants)) {
        return Err(internal_error(module, "the vector functions cannot be declared"));
    }
    Ok(calls)
}

/// Variants for vectors by name, with their types.
type Variants = BTreeMap<String, String>;

/// Replaces an operation on f64 or f32 scalars by a call, which has variants for the first
/// instruction sets up to one.
fn call<'c>(
    context: &'c Context,
    top: Blk<'c>,
    op: Op<'c>,
    function: &str,
    last: usize,
    variants: &mut Variants,
) -> Option<()> {
    let (result, block) = (op.res(0)?, op.block()?);
    let float = result.r#type();
    let (name, width) = match float.to_string().as_str() {
        "f64" => (function.to_owned(), 8),
        "f32" => (format!("{function}f"), 4),
        _ => return None,
    };
    let arity = op.operand_count();
    let own: Vec<(String, String)> = INSTRUCTION_SETS[..=last]
        .iter()
        .map(|(_, letter, bytes)| {
            let lanes = bytes / width;
            let vector = format!("vector<{lanes}x{float}>");
            let arguments = vec![vector.as_str(); arity].join(", ");
            let variant = format!("_ZGV{letter}N{lanes}{}_{name}", "v".repeat(arity));
            (variant, format!("({arguments}) -> {vector}"))
        })
        .collect();
    let list = own.iter().map(|(variant, _)| variant.as_str()).collect::<Vec<_>>().join(",");
    let attributes = format!(
        "attributes {{llvm.readnone, passthrough = [\"nounwind\", \"willreturn\", \
         [\"vector-function-abi-variant\", \"{list}\"]]}}"
    );
    let floats = vec![float.to_string(); arity].join(", ");
    if !declare(context, top, &name, &format!("({floats}) -> {float} {attributes}")) {
        return None;
    }
    variants.extend(own);
    let b = Builder::before(context, op, block);
    let callee = [("callee", b.symbol_attr(&name))];
    result.replace_all_uses(b.val_with("func.call", &op.operand_list(), float, &callee));
    op.erase();
    Some(())
}

/// Declares variants, and keeps LLVM from forgetting them before its vectoriser comes, because
/// nothing calls them yet.
fn declarations(variants: &Variants) -> String {
    let list = format!("!llvm.array<{} x ptr>", variants.len());
    let mut text = String::new();
    let mut kept = format!("%0 = llvm.mlir.undef : {list}\n");
    for (i, (name, kind)) in variants.iter().enumerate() {
        let next = i + 1;
        text.push_str(&format!("llvm.func @{name}{kind}\n"));
        kept.push_str(&format!(
            "%a{i} = llvm.mlir.addressof @{name} : !llvm.ptr\n\
             %{next} = llvm.insertvalue %a{i}, %{i}[{i}] : {list}\n"
        ));
    }
    let last = variants.len();
    text.push_str(&format!(
        "llvm.mlir.global appending @llvm.compiler.used() \
         {{addr_space = 0 : i32, section = \"llvm.metadata\"}} : {list} \
         {{\n{kept}llvm.return %{last} : {list}\n}}"
    ));
    text
}
