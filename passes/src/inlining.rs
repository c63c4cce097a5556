//! `ad-bound-inlining`: functions that are not to be put in the place of their calls are marked `no_inline`.
//!
//! Upstream's `inline` puts a recursive function into itself a few times over, which gains nothing and, where it calls
//! itself more than once, makes it hundreds of times longer. It puts any other one wherever it is called: where each of thirty
//! functions calls the next one twice, a billion copies of the last. So functions that call themselves, directly or through
//! others, stay; and so do those that would be long, with all that is put into them, if they are called in several places, or
//! whose copies would be long together.

use std::collections::HashMap;

use ad_dialect::ir::{BlkExt, Op, OpExt, text_of};
use melior::{Context, ir::Attribute};

use crate::support::{graph::Graph, symbol::callees};

/// The most operations of a function of which there are to be copies: far more than functions have that are called for what
/// they compute, such as layers of a network, and few enough for everything to be quick that comes after.
const MOST: usize = 4096;

/// The most operations of all copies of a function together: a chain whose functions call each other often is not short
/// because its last link is.
const MOST_TOGETHER: usize = 8 * MOST;

/// Runs the pass; returns how many functions were marked.
pub fn bound<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let ops = module.body(0).map(|body| body.ops()).unwrap_or_default();
    let functions: Vec<_> = ops.into_iter().filter(|op| op.op_name() == "func.func").collect();
    let name = |function: &Op<'c>| function.attr("sym_name").and_then(text_of);
    // The entry of the graph calls them all.
    let numbers: HashMap<String, usize> = functions
        .iter()
        .enumerate()
        .filter_map(|(i, function)| Some((name(function)?, 1 + i)))
        .collect();
    let mut next = vec![(1..=functions.len()).collect()];
    next.extend(functions.iter().map(|function| {
        callees(*function).iter().filter_map(|name| numbers.get(name).copied()).collect()
    }));
    let calls = Graph::new(next);
    let mut is_kept: Vec<bool> = vec![false];
    is_kept.extend(functions.iter().enumerate().map(|(i, function)| {
        function.attr("no_inline").is_some() || calls.reached(1 + i, None)[1 + i]
    }));
    let mut sizes = vec![0_usize; calls.len()];
    // What is called comes before what calls it, but for recursion.
    for number in calls.order().into_iter().rev().filter(|&number| number > 0) {
        let mut size = 0_usize;
        functions[number - 1].for_each(&mut |_| size += 1);
        let called = calls.next(number).iter().filter(|&&callee| !is_kept[callee]);
        sizes[number] = called.fold(size, |size, &callee| size.saturating_add(sizes[callee]));
        let places = calls.previous(number).len() - 1;
        let together = sizes[number].saturating_mul(places);
        is_kept[number] |= places > 1 && (sizes[number] > MOST || together > MOST_TOGETHER);
    }
    let mut kept = 0;
    for (function, _) in functions.iter().zip(&is_kept[1..]).filter(|(_, is_kept)| **is_kept) {
        if function.attr("no_inline").is_none() {
            function.set_attr(context, "no_inline", Attribute::unit(context));
            kept += 1;
        }
    }
    kept
}
