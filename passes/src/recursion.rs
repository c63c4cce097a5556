//! `ad-keep-recursion`: functions that call themselves, directly or through others, are marked `no_inline`.
//!
//! Upstream's `inline` puts a recursive function into itself a few times over, which gains nothing and, where it calls
//! itself more than once, makes it hundreds of times longer.

use std::collections::HashMap;

use ad_dialect::ir::{BlkExt, Op, OpExt, text_of};
use melior::{Context, ir::Attribute};

use crate::support::{graph::Graph, symbol::callees};

/// Runs the pass; returns how many functions were marked.
pub fn keep<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let ops = module.body(0).map(|body| body.ops()).unwrap_or_default();
    let functions: Vec<_> = ops.into_iter().filter(|op| op.op_name() == "func.func").collect();
    let name = |function: &Op<'c>| function.attr("sym_name").and_then(text_of);
    let numbers: HashMap<String, usize> = functions
        .iter()
        .enumerate()
        .filter_map(|(i, function)| Some((name(function)?, i)))
        .collect();
    let mut next = vec![vec![]; functions.len()];
    for (function, next) in functions.iter().zip(&mut next) {
        next.extend(callees(*function).iter().filter_map(|name| numbers.get(name)));
    }
    let calls = Graph::new(next);
    let mut kept = 0;
    for (number, function) in functions.iter().enumerate() {
        if function.attr("no_inline").is_none() && calls.reached(number, None)[number] {
            function.set_attr(context, "no_inline", Attribute::unit(context));
            kept += 1;
        }
    }
    kept
}
