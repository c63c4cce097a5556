//! A case as text: what a worker process needs to judge one program.

use crate::random::{Choices, Tree, atl, blocks, inputs, print};
use crate::value::{Tensor, Value};
use std::fmt::Write;

/// A program and its inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The module.
    pub text: String,
    /// One value per argument of `@main`.
    pub inputs: Vec<Value>,
    /// Determines directions and seeds.
    pub seed: u64,
    /// Computes in `f32`.
    pub narrow: bool,
    /// Asks for derivatives itself, so it cannot run before differentiation.
    pub requests: bool,
}

impl Case {
    /// The case of a program.
    pub fn new(tree: &Tree, seed: u64) -> Case {
        Case {
            text: print(tree),
            inputs: inputs(tree, seed),
            seed,
            narrow: tree.narrow,
            requests: tree.has_requests(),
        }
    }

    /// The case of a program of the tensor language.
    pub fn of_language(seed: u64) -> Case {
        let (text, inputs) = atl(seed);
        Case { text, inputs, seed, narrow: false, requests: false }
    }

    /// The case of a control-flow graph.
    pub fn of_blocks(choices: &mut Choices, seed: u64) -> Case {
        let (text, inputs) = blocks(choices);
        let requests = text.contains("ad.vjp");
        Case { text, inputs, seed, narrow: false, requests }
    }

    /// The case as a file: comment lines with the inputs, then the module.
    pub fn write(&self) -> String {
        let (narrow, requests) = (u8::from(self.narrow), u8::from(self.requests));
        let mut out = format!("// case {} {narrow} {requests}\n", self.seed);
        for value in &self.inputs {
            match value {
                Value::Int(n) => _ = writeln!(out, "// int {n}"),
                Value::Tensor(t) => {
                    let words = |list: Vec<String>| list.join(" ");
                    let shape = words(t.shape().iter().map(ToString::to_string).collect());
                    let elements = t.floats().unwrap_or_default().iter();
                    let elements = words(elements.map(|x| format!("{x:?}")).collect());
                    _ = writeln!(out, "// floats {shape} : {elements}");
                }
                other => _ = writeln!(out, "// float {:?}", other.float().unwrap_or_default()),
            }
        }
        out.push_str(&self.text);
        out
    }

    /// Reads what `write` wrote.
    pub fn read(file: &str) -> Option<Case> {
        let mut lines = file.lines();
        let header: Vec<u64> = (lines.next()?.strip_prefix("// case ")?.split(' '))
            .map(|w| w.parse().ok())
            .collect::<Option<_>>()?;
        let [seed, narrow, requests] = header[..] else { return None };
        let mut case = Case {
            text: String::new(),
            inputs: Vec::new(),
            seed,
            narrow: narrow == 1,
            requests: requests == 1,
        };
        for line in lines {
            match line.strip_prefix("// ") {
                Some(input) => case.inputs.push(read_input(input)?),
                None => _ = writeln!(case.text, "{line}"),
            }
        }
        Some(case)
    }
}

fn read_input(line: &str) -> Option<Value> {
    let (kind, rest) = line.split_once(' ')?;
    match kind {
        "int" => rest.parse().ok().map(Value::Int),
        "float" => rest.parse().ok().map(Value::Float),
        _ => {
            let (shape, elements) = rest.split_once(':')?;
            let shape: Option<Vec<usize>> =
                shape.split_whitespace().map(|w| w.parse().ok()).collect();
            let elements: Option<Vec<f64>> =
                elements.split_whitespace().map(|w| w.parse().ok()).collect();
            let (shape, elements) = (shape?, elements?);
            let fits = shape.iter().product::<usize>() == elements.len();
            fits.then(|| Value::Tensor(Tensor::from_floats(&shape, elements)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Settings, generate};

    #[test]
    fn cases_survive_the_trip_through_text() {
        for seed in 0..50 {
            let case = Case::new(&generate(seed, Settings::default()), seed);
            assert_eq!(Case::read(&case.write()), Some(case));
        }
    }
}
