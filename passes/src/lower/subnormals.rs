//! `lower-subnormals`: results that are too small for a normal number are zero while a function that C calls runs.
//!
//! ```text
//! f(...):  old = MXCSR and FLUSH;  MXCSR = MXCSR or FLUSH;  ...;  MXCSR = MXCSR and not FLUSH, or old
//! ```
//! Intel's processors leave a product that takes or makes a subnormal number to microcode, for some 150 cycles. The weights
//! of far components of a mixture, exponentials of -708 and less, are such numbers: with them, the derivative of GMM for 1000
//! points with 64 dimensions and 200 components takes 17 times as long as with zeros. Numbers that come from elsewhere are
//! what they are (the register has another bit for these), so that a square root or logarithm of them is, too.
//!
//! Threads of OpenMP get the register of the one that starts them. What instructions have noted of exceptions stays noted.

use ad_dialect::ir::{BlkExt, Op, OpExt, parse_ops};
use melior::{
    Context,
    ir::{Attribute, Type, operation::OperationLike},
};

use crate::support::{
    builder::Builder,
    diag::{Result, internal_error},
    symbol::{C_INTERFACE, name_of},
};

/// The bit of x86's register of float arithmetic that makes results zero.
const FLUSH: i64 = 1 << 15;

/// The name of `FUNCTION`.
const SET: &str = "subnormals.set";

/// Sets that bit as it is in a number, and gives what it was, with all others zero.
const FUNCTION: &str = r#"
llvm.func internal @"SET"(%new: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %flush = llvm.mlir.constant(32768 : i32) : i32
  %others = llvm.mlir.constant(-32769 : i32) : i32
  %place = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.call_intrinsic "llvm.x86.sse.stmxcsr"(%place) : (!llvm.ptr) -> ()
  %register = llvm.load %place : !llvm.ptr -> i32
  %old = llvm.and %register, %flush : i32
  %kept = llvm.and %register, %others : i32
  %changed = llvm.or %kept, %new : i32
  llvm.store %changed, %place : i32, !llvm.ptr
  llvm.call_intrinsic "llvm.x86.sse.ldmxcsr"(%place) : (!llvm.ptr) -> ()
  llvm.return %old : i32
}
"#;

/// Changes the functions that C calls; returns how many.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let Some(top) = module.body(0) else { return Ok(0) };
    let is_called = |op: &Op<'c>| name_of(*op).is_some_and(|name| name.starts_with(C_INTERFACE));
    let functions: Vec<_> = top.ops().into_iter().filter(is_called).collect();
    let failed = || internal_error(module, "subnormal numbers cannot be flushed");
    let register = Type::parse(context, "i32").ok_or_else(failed)?;
    let mut count = 0;
    for function in functions {
        let Some(body) = function.body(0) else { continue };
        let mut inside = vec![];
        function.for_each(&mut |op| inside.push(op));
        let Some(&first) = body.ops().first() else { continue };
        let b = Builder::before(context, first, body);
        let flush = [("value", b.i32_attr(FLUSH))];
        let flush = b.val_with("llvm.mlir.constant", &[], register, &flush);
        let old = b.llvm_call(SET, &[flush], &[register]).result_list();
        for op in inside {
            match op.op_name() {
                // Nothing is computed in front of the one or behind the other.
                "llvm.call" => op.set_attr(context, "no_inline", Attribute::unit(context)),
                "llvm.return" => {
                    let block = op.block().ok_or_else(failed)?;
                    Builder::before(context, op, block).llvm_call(SET, &old, &[register]);
                }
                _ => {}
            }
        }
        count += 1;
    }
    if count > 0 {
        let text = FUNCTION.replace("SET", SET);
        parse_ops(context, &text).ok_or_else(failed)?.into_iter().for_each(|op| top.push(op));
    }
    Ok(count)
}
