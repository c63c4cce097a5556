//! `lower-assertions`: an assertion that fails says what it is and where.
//!
//! ```text
//! cf.assert %c, "m"   =>   scf.if (not %c) { func.call @ad.assert.N() }
//!                          @ad.assert.N: __assert_fail("m", "file", line, "function")
//! ```
//!
//! Upstream's lowering prints the message where results are printed, and aborts. `__assert_fail` is the C library's, which
//! writes to where errors go; who runs a program in its own process has another one.

use ad_dialect::ir::{BlkExt, Op, OpExt, file_and_line, parse_ops, text_of};
use melior::{Context, ir::operation::OperationLike};

use crate::support::{
    builder::Builder,
    diag::{Result, internal_error},
    symbol::{find, name_of},
};

/// The C library's function that an assertion calls which does not hold.
const FAIL: &str = "__assert_fail";

/// Runs the pass; returns how many assertions were lowered. Those of kernels are left to the device's lowering.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let Some(top) = module.body(0) else { return Ok(0) };
    let mut assertions = vec![];
    for function in top.ops().into_iter().filter(|op| op.op_name() == "func.func") {
        function.for_each(&mut |op| {
            assertions.extend((op.op_name() == "cf.assert").then_some((function, op)));
        });
    }
    if assertions.is_empty() {
        return Ok(0);
    }
    let mut free = (0..).map(|n| format!("ad.assert.{n}")).filter(|name| find(top, name).is_none());
    let mut failures: Vec<(Failure, String)> = vec![];
    let count = assertions.len() as u64;
    for (function, op) in assertions {
        let Some((holds, block)) = op.opnd(0).zip(op.block()) else { continue };
        let failure = Failure::of(function, op);
        let name = match failures.iter().find(|(other, _)| *other == failure) {
            Some((_, name)) => name.clone(),
            None => {
                let name = free.next().unwrap_or_default();
                failures.push((failure, name.clone()));
                name
            }
        };
        let b = Builder::before(context, op, block).with_location(op.location());
        b.if_else(b.not(holds), &[], |b, is_broken| {
            if is_broken {
                b.op_with("func.call", &[], &[], &[("callee", b.symbol_attr(&name))], &[]);
            }
            Ok(vec![])
        })?;
        op.erase();
    }
    let functions: String = failures.iter().map(|(failure, name)| failure.function(name)).collect();
    let text =
        format!("func.func private @{FAIL}(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr)\n{functions}");
    let made = parse_ops(context, &text);
    for op in made.ok_or_else(|| internal_error(module, "assertions cannot be lowered"))? {
        match name_of(op) {
            Some(name) if name == FAIL && find(top, FAIL).is_some() => op.erase(),
            _ => top.push(op),
        }
    }
    Ok(count)
}

/// What there is to say of an assertion that fails.
#[derive(PartialEq)]
struct Failure {
    message: String,
    file: String,
    line: i64,
    function: String,
}

impl Failure {
    fn of(function: Op<'_>, op: Op<'_>) -> Self {
        let (file, line) = file_and_line(op.location()).unwrap_or(("<unknown>".into(), 0));
        let message = op.attr("msg").and_then(text_of).unwrap_or_default();
        Self { message, file, line, function: name_of(function).unwrap_or_default() }
    }

    /// The function that says it, with what it says, as text.
    fn function(&self, name: &str) -> String {
        let texts = [("m", &self.message), ("f", &self.file), ("n", &self.function)];
        let globals = texts.map(|(short, text)| {
            let length = text.len() + 1;
            let bytes: String = text.bytes().chain([0]).map(|b| format!("\\{b:02X}")).collect();
            format!(
                "llvm.mlir.global internal constant @\"{name}.{short}\"(\"{bytes}\") : !llvm.array<{length} x i8>\n"
            )
        });
        let addresses = texts.map(|(short, _)| {
            format!("  %{short} = llvm.mlir.addressof @\"{name}.{short}\" : !llvm.ptr\n")
        });
        format!(
            "{}func.func private @\"{name}\"() attributes \
             {{llvm.linkage = #llvm.linkage<internal>, passthrough = [\"cold\", \"noinline\", \"noreturn\"]}} {{\n{}  \
             %l = arith.constant {} : i32\n  \
             func.call @{FAIL}(%m, %f, %l, %n) : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> ()\n  \
             func.return\n}}\n",
            globals.concat(),
            addresses.concat(),
            self.line,
        )
    }
}
