//! Random programs for testing derivatives, with inputs, printing and shrinking.
//!
//! Programs use the whole source vocabulary, nest it freely, and may ask for derivatives themselves.
//! Reading order: `tree` and `ops` (what a program is), `vocabulary`, `generate`, `print`, `shrink`.

mod atl;
mod blocks;
mod choices;
mod generate;
mod generate_arrays;
mod generate_control;
mod generate_folds;
mod generate_lanes;
mod generate_linalg;
mod generate_shapes;
mod generate_whole;
mod ops;
mod print;
mod print_arrays;
mod print_control;
mod print_folds;
mod print_lanes;
mod print_linalg;
mod print_shapes;
mod print_whole;
mod shrink;
mod tree;
mod vocabulary;

pub use atl::atl;
pub use blocks::blocks;
pub use choices::{Choices, shrink_choices};
pub use generate::{Settings, generate};
pub use print::print;
pub use shrink::shrink;
pub use tree::Tree;

use crate::numbers::Rng;
use crate::value::{Tensor, Value};
use tree::Ty;

/// Inputs for the entry: random numbers between -1 and 1, then the dynamic sizes.
pub fn inputs(tree: &Tree, seed: u64) -> Vec<Value> {
    let mut rng = Rng::new(seed ^ 0xabcd);
    let mut number = || {
        let x = rng.uniform(-1.0, 1.0);
        if tree.narrow { f64::from(x as f32) } else { x }
    };
    let mut list = Vec::new();
    for (_, ty) in &tree.functions[tree.entry()].params {
        list.push(match ty {
            Ty::Array(dims) => {
                let shape: Vec<usize> = dims.iter().map(|&s| tree.symbols[s].size).collect();
                let elements = (0..shape.iter().product()).map(|_| number()).collect();
                Value::Tensor(Tensor::from_floats(&shape, elements))
            }
            _ => Value::Float(number()),
        });
    }
    let size = |&s: &usize| Value::Int(tree.symbols[s].size as i64);
    list.extend(tree.dynamic_symbols().iter().map(size));
    list
}

/// The program as a lit file that runs `ad-opt check` on it.
pub fn lit_file(tree: &Tree, seed: u64, reason: &str) -> String {
    let mut text = String::new();
    let literals: Vec<String> =
        inputs(tree, seed).iter().enumerate().map(|(i, v)| literal(i, v)).collect();
    for (i, value) in inputs(tree, seed).iter().enumerate() {
        if let Value::Tensor(t) = value {
            let floats = t.floats().unwrap_or_default();
            let dtype = if tree.narrow { "f4" } else { "f8" };
            text.push_str(&format!(
                "// RUN: python3 -c \"import numpy; numpy.save('%t.{i}.npy', numpy.array({floats:?}, '{dtype}').reshape({:?}))\"\n",
                t.shape()
            ));
        }
    }
    text.push_str(&format!("// RUN: ad-opt check %s --entry=main {}\n", literals.join(" ")));
    for line in reason.lines() {
        text.push_str(&format!("// {line}\n"));
    }
    text.push('\n');
    text.push_str(&print(tree));
    text
}

fn literal(i: usize, value: &Value) -> String {
    match value {
        Value::Float(x) => format!("--input={x:?}"),
        Value::Int(n) => format!("--input={n}"),
        _ => format!("--input=%t.{i}.npy"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_programs() {
        for seed in 0..20 {
            let (a, b) = (generate(seed, Settings::default()), generate(seed, Settings::default()));
            assert_eq!(print(&a), print(&b));
        }
    }
}
