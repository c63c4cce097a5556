//! `lower-math-to-vector-calls`: functions that LLVM may evaluate for several elements at once.
//!
//! A function of `math` becomes a call of the C library's, with the names of its variants for
//! vectors. LLVM's loop vectoriser calls those in loops that it vectorises. They are in glibc's
//! libmvec, where results are off by at most 4 units in the last place.

use std::collections::BTreeMap;

use ad_dialect::ir::{Blk, Op, OpExt, TyExt, ValExt, float_width};
use melior::{
    Context,
    ir::{Type, ValueLike, attribute::ArrayAttribute, operation::OperationLike},
};

use super::declare::{declare, push};
use crate::support::{
    builder::Builder,
    diag::{Result, error, internal_error},
};

/// An instruction set for vectors.
#[derive(Clone, Copy, Debug)]
pub struct InstructionSet {
    /// What users call it.
    pub name: &'static str,
    /// How many bytes a vector has.
    pub bytes: usize,
    /// Its letter in the names of vector functions.
    letter: char,
}

/// All instruction sets; each has those before it.
const INSTRUCTION_SETS: [InstructionSet; 3] = [
    InstructionSet { name: "sse4", bytes: 16, letter: 'b' },
    InstructionSet { name: "avx2", bytes: 32, letter: 'd' },
    InstructionSet { name: "avx512", bytes: 64, letter: 'e' },
];

impl InstructionSet {
    /// The instruction set of a name; an error at the module if there is none.
    pub fn by_name(module: Op<'_>, name: &str) -> Result<Self> {
        INSTRUCTION_SETS.into_iter().find(|set| set.name == name).ok_or_else(|| {
            let known = INSTRUCTION_SETS.map(|set| set.name).join(", ");
            error(module, &format!("no instruction set '{name}'; there are {known}"))
        })
    }

    /// How many vectors a processor has room for.
    pub fn registers(self) -> usize {
        if self.bytes >= 64 { 32 } else { 16 }
    }

    /// Whether vectors go through an operation of `arith` or `math` on floats as a whole.
    pub fn has(operation: &str, float: Type<'_>) -> bool {
        const SIMPLE: [&str; 7] = [
            "math.absf",
            "math.ceil",
            "math.copysign",
            "math.floor",
            "math.fma",
            "math.sqrt",
            "math.trunc",
        ];
        let is_double = float.is_float_type() && matches!(float_width(float), 32 | 64);
        operation.starts_with("arith.")
            || SIMPLE.contains(&operation)
            || (is_double && FUNCTIONS.iter().any(|(name, _)| *name == operation))
    }

    /// The name of the variant of a function for vectors of so many lanes.
    fn variant(self, lanes: usize, arity: usize, function: &str) -> String {
        format!("_ZGV{}N{lanes}{}_{function}", self.letter, "v".repeat(arity))
    }
}

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
    let set = InstructionSet::by_name(module, set)?;
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
        let is_vector = op.res(0).is_some_and(|result| result.r#type().is_vector_type());
        let done = match is_vector {
            true => call_variant(context, op, function, set, &mut variants),
            false => call(context, top, op, function, set, &mut variants),
        };
        calls += u64::from(done.is_some());
    }
    if !variants.is_empty() && !push(context, top, &declarations(&variants)) {
        return Err(internal_error(module, "the vector functions cannot be declared"));
    }
    Ok(calls)
}

/// Variants for vectors by name, with their types.
type Variants = BTreeMap<String, String>;

/// The name of a function for a float type, and how many bytes the type has.
fn named(function: &str, float: Type<'_>) -> Option<(String, usize)> {
    match float.to_string().as_str() {
        "f64" => Some((function.to_owned(), 8)),
        "f32" => Some((format!("{function}f"), 4)),
        _ => None,
    }
}

/// The instruction sets up to one.
fn up_to(set: InstructionSet) -> impl Iterator<Item = InstructionSet> {
    INSTRUCTION_SETS.into_iter().filter(move |other| other.bytes <= set.bytes)
}

/// The type of a function of vectors.
fn signature(vector: &str, arity: usize) -> String {
    format!("({}) -> {vector}", vec![vector; arity].join(", "))
}

/// Replaces an operation on vectors by calls of a variant, one for each register that they fill.
fn call_variant<'c>(
    context: &'c Context,
    op: Op<'c>,
    function: &str,
    set: InstructionSet,
    variants: &mut Variants,
) -> Option<()> {
    let (result, block) = (op.res(0)?, op.block()?);
    let (arity, vector) = (op.operand_count(), result.r#type());
    let (name, width) = named(function, vector.scalar())?;
    let [lanes] = *vector.lanes() else { return None };
    let lanes = lanes as usize;
    let fills = |set: &InstructionSet| (lanes * width).is_multiple_of(set.bytes);
    let own = up_to(set).filter(fills).last()?;
    let part = own.bytes / width;
    let variant = own.variant(part, arity, &name);
    let register = Type::vector(&[part as u64], vector.scalar());
    variants.insert(variant.clone(), signature(&register.to_string(), arity));
    let b = Builder::before(context, op, block);
    let number = |n: usize| ArrayAttribute::new(context, &[b.i64_attr(n as i64)]).into();
    let mut all = b.number(vector, 0.0);
    for first in (0..lanes).step_by(part) {
        let slice = [("offsets", number(first)), ("sizes", number(part)), ("strides", number(1))];
        let cut = |&x| b.val_with("vector.extract_strided_slice", &[x], register, &slice);
        let inputs: Vec<_> = op.operand_list().iter().map(cut).collect();
        let values = b.llvm_call(&variant, &inputs, &[register]).res(0)?;
        let place = [("offsets", number(first)), ("strides", number(1))];
        all = b.val_with("vector.insert_strided_slice", &[values, all], vector, &place);
    }
    result.replace_all_uses(all);
    op.erase();
    Some(())
}

/// Replaces an operation on f64 or f32 scalars by a call, which has variants for the
/// instruction sets up to one.
fn call<'c>(
    context: &'c Context,
    top: Blk<'c>,
    op: Op<'c>,
    function: &str,
    set: InstructionSet,
    variants: &mut Variants,
) -> Option<()> {
    let (result, block) = (op.res(0)?, op.block()?);
    let float = result.r#type();
    let (name, width) = named(function, float)?;
    let arity = op.operand_count();
    let own: Vec<(String, String)> = up_to(set)
        .map(|set| {
            let lanes = set.bytes / width;
            let vector = format!("vector<{lanes}x{float}>");
            (set.variant(lanes, arity, &name), signature(&vector, arity))
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

/// What LLVM may know of a function of vectors.
const PURE: &str = "memory_effects = #llvm.memory_effects<other = none, argMem = none, \
    inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, \
    no_unwind, will_return";

/// Declares variants, and keeps LLVM from forgetting them before its vectoriser comes, because
/// nothing calls them yet.
fn declarations(variants: &Variants) -> String {
    let list = format!("!llvm.array<{} x ptr>", variants.len());
    let mut text = String::new();
    let mut kept = format!("%0 = llvm.mlir.undef : {list}\n");
    for (i, (name, kind)) in variants.iter().enumerate() {
        let next = i + 1;
        text.push_str(&format!("llvm.func @{name}{kind} attributes {{{PURE}}}\n"));
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
