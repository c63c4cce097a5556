//! Functions with C's conventions around those of MLIR, as LLVM IR.
//!
//! MLIR's function takes arrays by address, scalars as they are, complex numbers as structures, and gives one scalar
//! as it is and everything else in a structure. How structures and narrow floats are passed by value depends on the
//! compiler and the processor, so C gets
//!
//!   * arrays and complex numbers by address, other scalars by value, f16 and bf16 as integers with their bits,
//!   * one scalar result as the value of the function, all other results through one address each,
//!   * each array among the results row-major in memory of its own, to be freed once, where MLIR may give the same memory
//!     twice, and parts of larger arrays.

use std::fmt::Write;

use ad_passes::support::symbol::C_INTERFACE;

use super::Entry;
use crate::{Element, Kind, Type};

/// What functions call: it is in `support.ll`.
pub const DECLARATIONS: &str =
    "declare void @ad_part(ptr, ptr, i64, i64)\ndeclare void @ad_pack(ptr, i64, i64)\n";

/// The function that C calls. `implementation` is what MLIR calls the entry; `on_device` is where arrays are.
pub fn function(entry: &Entry, implementation: &str, on_device: bool) -> String {
    let inner = format!("@{C_INTERFACE}{implementation}");
    let inputs = &entry.signature.inputs;
    let results = &entry.signature.results;
    let mut parameters: Vec<String> =
        inputs.iter().enumerate().map(|(i, ty)| format!("{} %x{i}", outer_type(ty))).collect();
    let mut body = String::new();
    let mut arguments = vec![];
    let mut types = vec![];
    let returned = entry.returned();

    if returned.is_none() && !results.is_empty() {
        parameters.extend((0..results.len()).map(|r| format!("ptr %y{r}")));
        types.push("ptr".to_string());
        arguments.push(format!("ptr {}", if results.len() == 1 { "%y0" } else { "%all" }));
    }
    for (i, ty) in inputs.iter().enumerate() {
        let (inner, value) = argument(i, ty, &mut body);
        arguments.push(format!("{inner} {value}"));
        types.push(inner);
    }
    let (types, arguments) = (types.join(", "), arguments.join(", "));

    let (given, taken) = match returned {
        Some(ty) => (returned_type(ty), scalar_type(ty.element)),
        None => ("void".into(), "void"),
    };
    let mut text = format!("declare {taken} {inner}({types})\n");
    let _ = writeln!(text, "define {given} @{}({}) {{", entry.name, parameters.join(", "));
    if let [_, _, ..] = &results[..] {
        let members: Vec<String> = results.iter().map(member_type).collect();
        let all = format!("{{ {} }}", members.join(", "));
        let _ = writeln!(text, "  %all = alloca {all}");
        let _ = writeln!(body, "  call void {inner}({arguments})");
        for r in 0..results.len() {
            let _ = writeln!(body, "  %p{r} = getelementptr {all}, ptr %all, i32 0, i32 {r}");
        }
        if !on_device {
            // What shares its memory with later ones has it for itself when they have been seen to.
            (0..results.len()).rev().for_each(|r| part(r, results, &mut body));
        }
        for (r, ty) in results.iter().enumerate() {
            copy_result(r, ty, &mut body);
        }
        body.push_str("  ret void\n");
    } else if let Some(ty) = returned {
        let _ = writeln!(body, "  %y = call {taken} {inner}({arguments})");
        match bits(ty.element) {
            Some(bits) => {
                let _ =
                    writeln!(body, "  %bits = bitcast {taken} %y to {bits}\n  ret {bits} %bits");
            }
            None => {
                let _ = writeln!(body, "  ret {taken} %y");
            }
        }
    } else {
        let _ = writeln!(body, "  call void {inner}({arguments})");
        if let Some(array) = results.iter().find(|ty| ty.kind == Kind::Array && !on_device) {
            pack("%y0", array, &mut body);
        }
        body.push_str("  ret void\n");
    }
    text + &body + "}\n"
}

/// A function of the runtime under the name that it has in C. `types` are what it gives and takes, as `i64 (ptr, i64)`.
pub fn of_runtime(name: &str, inner: &str, types: &str) -> String {
    let (result, taken) = types.split_once(' ').unwrap_or((types, "()"));
    let taken: Vec<&str> = taken.trim_matches(['(', ')']).split(", ").collect();
    let given: Vec<_> = taken.iter().enumerate().map(|(i, ty)| format!("{ty} %x{i}")).collect();
    let (taken, given) = (taken.join(", "), given.join(", "));
    let call = format!("call {result} @{inner}({given})");
    let body = match result {
        "void" => format!("{call}\n  ret void"),
        _ => format!("%y = {call}\n  ret {result} %y"),
    };
    format!(
        "declare {result} @{inner}({taken})\ndefine {result} @{name}({given}) {{\n  {body}\n}}\n"
    )
}

/// How the implementation takes an argument; the instructions that make it so are added to the body.
fn argument(position: usize, ty: &Type, body: &mut String) -> (String, String) {
    let outer = format!("%x{position}");
    if ty.kind == Kind::Array {
        return ("ptr".into(), outer);
    }
    let inner = scalar_type(ty.element);
    let value = format!("%v{position}");
    let instruction = match bits(ty.element) {
        Some(bits) => format!("bitcast {bits} {outer} to {inner}"),
        None if ty.element.is_complex() => format!("load {inner}, ptr {outer}"),
        None => return (inner.into(), outer),
    };
    let _ = writeln!(body, "  {value} = {instruction}");
    (inner.into(), value)
}

/// Gives an array among the results memory of its own, if it has that of an earlier one, and makes it row-major.
fn part(position: usize, results: &[Type], body: &mut String) {
    let is_array = |r: &usize| results[*r].kind == Kind::Array;
    if !is_array(&position) {
        return;
    }
    let (rank, size) = (results[position].shape.len(), results[position].element.size());
    for earlier in (0..position).filter(is_array) {
        let (kept, array) = (format!("ptr %p{earlier}"), format!("ptr %p{position}"));
        let _ = writeln!(body, "  call void @ad_part({kept}, {array}, i64 {rank}, i64 {size})");
    }
    pack(&format!("%p{position}"), &results[position], body);
}

/// Makes an array row-major.
fn pack(array: &str, ty: &Type, body: &mut String) {
    let (rank, size) = (ty.shape.len(), ty.element.size());
    let _ = writeln!(body, "  call void @ad_pack(ptr {array}, i64 {rank}, i64 {size})");
}

/// Hands a member of the structure of results on.
fn copy_result(position: usize, ty: &Type, body: &mut String) {
    let r = position;
    let member = member_type(ty);
    let _ = writeln!(body, "  %m{r} = load {member}, ptr %p{r}");
    let _ = match (ty.kind, ty.element) {
        // A byte in memory.
        (Kind::Scalar, Element::I1) => {
            writeln!(body, "  %b{r} = zext i1 %m{r} to i8\n  store i8 %b{r}, ptr %y{r}")
        }
        _ => writeln!(body, "  store {member} %m{r}, ptr %y{r}"),
    };
}

/// The type of a parameter in C.
fn outer_type(ty: &Type) -> &'static str {
    match ty.kind {
        Kind::Array => "ptr",
        Kind::Scalar if ty.element.is_complex() => "ptr",
        Kind::Scalar => bits(ty.element).unwrap_or(scalar_type(ty.element)),
    }
}

/// The type that a function returns: callers may rely on all bits of a narrow integer.
fn returned_type(ty: &Type) -> String {
    match ty.element {
        Element::I1 => "zeroext i1".into(),
        Element::F16 | Element::BF16 => "zeroext i16".into(),
        Element::I8 | Element::I16 => format!("signext {}", scalar_type(ty.element)),
        _ => scalar_type(ty.element).into(),
    }
}

/// The integer that stands for a float that C does not have.
fn bits(element: Element) -> Option<&'static str> {
    matches!(element, Element::F16 | Element::BF16).then_some("i16")
}

/// The type of a scalar.
fn scalar_type(element: Element) -> &'static str {
    match element {
        Element::F16 => "half",
        Element::BF16 => "bfloat",
        Element::F32 => "float",
        Element::F64 => "double",
        Element::I1 => "i1",
        Element::I8 => "i8",
        Element::I16 => "i16",
        Element::I32 => "i32",
        Element::I64 | Element::Index => "i64",
        Element::C64 => "{ float, float }",
        Element::C128 => "{ double, double }",
    }
}

/// The type of a result in the structure.
fn member_type(ty: &Type) -> String {
    match (ty.kind, ty.shape.len()) {
        (Kind::Scalar, _) => scalar_type(ty.element).into(),
        (Kind::Array, 0) => "{ ptr, ptr, i64 }".into(),
        (Kind::Array, rank) => format!("{{ ptr, ptr, i64, [{rank} x i64], [{rank} x i64] }}"),
    }
}
