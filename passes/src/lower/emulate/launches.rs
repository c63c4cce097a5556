//! What launches a kernel, in the LLVM dialect.

use ad_dialect::ir::{BlkExt, Op, OpExt, parse_ops, text_of, type_of};
use melior::Context;

use super::{BARRIERS, KERNEL};
use crate::support::{
    diag::{Result, internal_error},
    symbol::name_of,
};

/// Gives the functions that launch kernels their bodies; returns how many.
pub fn lower_launches<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let Some(top) = module.body(0) else { return Ok(0) };
    let mut count = 0;
    for op in top.ops() {
        let Some(kernel) = op.attr(KERNEL).and_then(text_of) else { continue };
        let failed = || internal_error(op, "launch cannot be lowered");
        let signature = op.attr("function_type").and_then(type_of).ok_or_else(failed)?;
        let text = launcher(&kernel, &signature.to_string(), op.attr(BARRIERS).is_some());
        let ops = text.and_then(|text| parse_ops(context, &text)).ok_or_else(failed)?;
        let known = |name: &str| {
            let mut others = top.ops().into_iter().filter(|other| other.key() != op.key());
            others.any(|other| name_of(other).as_deref() == Some(name))
        };
        for new in ops {
            let name = name_of(new).unwrap_or_default();
            // What is only declared for the text to be complete.
            if !known(&name) {
                top.push(new);
            }
        }
        op.erase();
        count += 1;
    }
    Ok(count)
}

/// The text of the functions: `signature` is `!llvm.func<void (i64, ..)>`.
fn launcher(kernel: &str, signature: &str, has_barriers: bool) -> Option<String> {
    let list = signature.strip_prefix("!llvm.func<void (")?.strip_suffix(")>")?;
    let types: Vec<_> = split(list).into_iter().map(in_full).collect();
    let own = types.get(6..)?;
    let structure = format!("!llvm.struct<({})>", own.join(", "));
    let parameters: Vec<_> =
        types.iter().enumerate().map(|(i, ty)| format!("%p{i}: {ty}")).collect();
    // Member by member: LLVM takes very long to see through structures that are built and taken apart as a whole.
    let (mut load, mut store) = (String::new(), String::new());
    for (i, r#type) in own.iter().enumerate() {
        let place = format!(
            "llvm.getelementptr %arguments[0, {i}] : (!llvm.ptr) -> !llvm.ptr, {structure}"
        );
        load += &format!("  %g{i} = {place}\n  %a{i} = llvm.load %g{i} : !llvm.ptr -> {type}\n", type = r#type);
        store += &format!(
            "  %g{i} = {place}\n  llvm.store %p{}, %g{i} : {type}, !llvm.ptr\n",
            i + 6,
            type = r#type
        );
    }
    let arguments: String = (0..own.len()).map(|i| format!(", %a{i}")).collect();
    let own_types: String = own.iter().map(|ty| format!(", {ty}")).collect();
    let sizes = (0..6).map(|i| format!("%p{i}")).collect::<Vec<_>>().join(", ");
    let text = format!("{kernel}\\00");
    let length = kernel.len() + 1;
    let flags = i64::from(has_barriers);
    Some(format!(
        r#"
llvm.func @"{kernel}"(i64{own_types})
llvm.func @ad_emulate_launch(!llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, i64, i64, !llvm.ptr)
llvm.mlir.global private constant @"{kernel}.name"("{text}") : !llvm.array<{length} x i8>
llvm.func internal @"{kernel}.thunk"(%thread: !llvm.ptr, %arguments: !llvm.ptr) {{
  %t = llvm.ptrtoint %thread : !llvm.ptr to i64
{load}  llvm.call @"{kernel}"(%t{arguments}) : (i64{own_types}) -> ()
  llvm.return
}}
llvm.func @"{kernel}.launch"({parameters}) {{
  %one = llvm.mlir.constant(1 : i64) : i64
  %arguments = llvm.alloca %one x {structure} : (i64) -> !llvm.ptr
{store}  %thunk = llvm.mlir.addressof @"{kernel}.thunk" : !llvm.ptr
  %name = llvm.mlir.addressof @"{kernel}.name" : !llvm.ptr
  %flags = llvm.mlir.constant({flags} : i64) : i64
  llvm.call @ad_emulate_launch(%thunk, %arguments, {sizes}, %flags, %name) : (!llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, i64, i64, !llvm.ptr) -> ()
  llvm.return
}}
"#,
        parameters = parameters.join(", "),
    ))
}

/// A type of the dialect as it is written outside of others.
fn in_full(r#type: String) -> String {
    let is_short = ["ptr", "struct", "array"].iter().any(|name| r#type.starts_with(name));
    if is_short { format!("!llvm.{type}", type = r#type) } else { r#type }
}

/// The types in a list, which may have commas inside of brackets.
fn split(list: &str) -> Vec<String> {
    let (mut types, mut depth, mut start) = (vec![], 0, 0);
    for (i, c) in list.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                types.push(list[start..i].trim().to_owned());
                start = i + 1;
            }
            _ => {}
        }
    }
    if !list[start..].trim().is_empty() {
        types.push(list[start..].trim().to_owned());
    }
    types
}
