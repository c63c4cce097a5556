//! Random control-flow graphs: loops with one or several entries and exits, returns, switches, calls, recursion and memory.
//!
//! Blocks other than the entry take fuel beside their arguments and return when it is used up, so that all programs end.

use super::choices::Choices;
use crate::numbers::Rng;
use crate::value::{Tensor, Value};
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ty {
    Number,
    Array,
}

impl Ty {
    fn name(self) -> &'static str {
        match self {
            Ty::Number => "f64",
            Ty::Array => "tensor<?xf64>",
        }
    }
}

struct Signature {
    name: String,
    params: Vec<Ty>,
    results: Vec<Ty>,
    /// Whether the last argument is the buffer of whoever calls it.
    takes_buffer: bool,
}

/// A module with a function `main` of two numbers, an array and fuel, and inputs for it.
pub fn blocks(choices: &mut Choices) -> (String, Vec<Value>) {
    let is_second_order = choices.below(4) == 3;
    let params = vec![Ty::Number, Ty::Number, Ty::Array];
    let results = match is_second_order {
        true => vec![Ty::Number],
        false => types(choices, 2),
    };
    let name = if is_second_order { "f" } else { "main" };
    let mut signatures =
        vec![Signature { name: name.into(), params, results, takes_buffer: false }];
    let takes_buffer = !is_second_order && choices.below(4) == 3;
    for number in 0..choices.below(3) {
        let params = [vec![Ty::Number], types(choices, 1)].concat();
        signatures.push(Signature {
            name: format!("g{number}"),
            params,
            results: types(choices, 1),
            takes_buffer,
        });
    }
    let mut text = String::new();
    for signature in &signatures {
        text.push_str(&Function::new(signature, &signatures, choices).text(choices));
    }
    if is_second_order {
        text.push_str(GRADIENT);
    }
    let mut rng = Rng::new(choices.below(1 << 20) as u64);
    let mut number = || rng.uniform(-1.0, 1.0);
    let (x, y) = (number(), number());
    let elements: Vec<f64> = (0..choices.below(4)).map(|_| number()).collect();
    let array = Value::Tensor(Tensor::from_floats(&[elements.len()], elements));
    let fuel = Value::Int(choices.below(9) as i64);
    (text, vec![Value::Float(x), Value::Float(y), array, fuel])
}

const GRADIENT: &str = "func.func @main(%x0: f64, %x1: f64, %x2: tensor<?xf64>, %n: index) -> (f64, f64, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %r, %x, %y, %z = ad.vjp @f(%x0, %x1, %x2, %n) seed(%one)
    : (f64, f64, tensor<?xf64>, index), (f64) -> (f64, f64, f64, tensor<?xf64>)
  return %x, %y, %z : f64, f64, tensor<?xf64>
}
";

/// One to `most + 1` types.
fn types(choices: &mut Choices, most: usize) -> Vec<Ty> {
    let count = 1 + choices.below(most + 1);
    (0..count).map(|_| *choices.pick(&[Ty::Number, Ty::Number, Ty::Array])).collect()
}

/// A value by its name.
type Named = (String, Ty);

struct Block {
    /// What may run next; nothing where the function returns.
    successors: Vec<usize>,
    params: Vec<Named>,
    /// The blocks on all paths to this one, as bits.
    dominators: u32,
    /// What the block and its parameters define.
    values: Vec<Named>,
    text: String,
}

struct Function<'s> {
    signature: &'s Signature,
    signatures: &'s [Signature],
    /// The entry first; unreachable ones have no dominators.
    blocks: Vec<Block>,
    names: usize,
    /// Whether there is a buffer that operations write and read.
    has_memory: bool,
}

impl<'s> Function<'s> {
    fn new(
        signature: &'s Signature,
        signatures: &'s [Signature],
        choices: &mut Choices,
    ) -> Function<'s> {
        let last = 1 + choices.below(7);
        let has_memory =
            choices.below(3) == 2 || signatures.iter().any(|signature| signature.takes_buffer);
        let mut function = Function { signature, signatures, blocks: vec![], names: 0, has_memory };
        for number in 0..=last {
            let count = match number {
                0 => 1 + choices.below(2),
                _ => *choices.pick(&[0, 1, 2, 2, 2, 3]),
            };
            let mut successors: Vec<usize> = (0..count).map(|_| 1 + choices.below(last)).collect();
            if count > 0 && number < last && choices.below(10) < 7 {
                successors[0] = number + 1;
            }
            let params = match number {
                0 => signature.params.clone(),
                _ => types(choices, 2),
            };
            let prefix = if number == 0 { "x".into() } else { format!("b{number}_") };
            let params = (params.into_iter().enumerate())
                .map(|(i, ty)| (format!("%{prefix}{i}"), ty))
                .collect();
            let (values, text) = (vec![], String::new());
            function.blocks.push(Block { successors, params, dominators: 0, values, text });
        }
        function.dominate();
        function
    }

    /// Finds the dominators of the reachable blocks.
    fn dominate(&mut self) {
        let mut dominators = vec![None; self.blocks.len()];
        dominators[0] = Some(1);
        loop {
            let before = dominators.clone();
            for (number, block) in self.blocks.iter().enumerate() {
                let Some(above) = dominators[number] else { continue };
                for &next in &block.successors {
                    let met = dominators[next].map_or(above, |known| known & above);
                    dominators[next] = Some(met | 1 << next);
                }
            }
            if dominators == before {
                break;
            }
        }
        for (block, dominators) in self.blocks.iter_mut().zip(dominators) {
            block.dominators = dominators.unwrap_or(0);
        }
    }

    /// What is defined wherever a block runs.
    fn known(&self, number: usize) -> Vec<Named> {
        let dominates = |other: &usize| self.blocks[number].dominators >> other & 1 == 1;
        let above = (0..self.blocks.len()).filter(dominates);
        above.flat_map(|other| self.blocks[other].values.clone()).collect()
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("%v{}", self.names)
    }

    fn text(mut self, choices: &mut Choices) -> String {
        let reachable = (0..self.blocks.len()).filter(|&b| self.blocks[b].dominators != 0);
        let mut order: Vec<usize> = reachable.collect();
        order.sort_by_key(|&b| self.blocks[b].dominators.count_ones());
        for number in order {
            self.blocks[number].values = self.blocks[number].params.clone();
            for _ in 0..choices.below(4) {
                let known = self.known(number);
                let name = self.name();
                let (line, ty) = match self.has_memory && choices.below(3) == 2 {
                    true => (access(choices, &name, &known), Ty::Number),
                    false => operation(choices, &name, &known),
                };
                let block = &mut self.blocks[number];
                _ = writeln!(block.text, "  {line}");
                block.values.push((name, ty));
            }
        }
        let params = self.blocks[0].params.iter();
        let mut params: Vec<String> =
            params.map(|(name, ty)| format!("{name}: {}", ty.name())).collect();
        let takes_buffer = self.signature.takes_buffer;
        params.extend(takes_buffer.then(|| format!("%mem: {BUFFER}")));
        let mut text = format!(
            "func.func @{}({}, %n: index) -> ({}) {{\n{CONSTANTS}{}{}",
            self.signature.name,
            params.join(", "),
            type_names(&self.signature.results),
            if self.has_memory && !takes_buffer { MEMORY } else { "" },
            self.blocks[0].text
        );
        let entry = self.known(0);
        let edges: Vec<String> = (self.blocks[0].successors.clone().iter())
            .map(|&next| self.edge(choices, &entry, next, "%n"))
            .collect();
        match &edges[..] {
            [one, two] => {
                _ = writeln!(
                    text,
                    "  %c = arith.cmpf ogt, {}, %half : f64\n  cf.cond_br %c, {one}, {two}",
                    pick(choices, &entry, Ty::Number)
                )
            }
            _ => _ = writeln!(text, "  cf.br {}", edges[0]),
        }
        for number in 1..self.blocks.len() {
            if self.blocks[number].dominators != 0 {
                text.push_str(&self.block(choices, number));
            }
        }
        text + "}\n"
    }

    /// A block but the entry, and the ones that it ends in with and without fuel.
    fn block(&mut self, choices: &mut Choices, number: usize) -> String {
        let block = &self.blocks[number];
        let mut text = format!("^b{number}(");
        for (name, ty) in &block.params {
            _ = write!(text, "{name}: {}, ", ty.name());
        }
        _ = writeln!(text, "%k{number}: index):\n{}", block.text.trim_end());
        let mut known = self.known(number);
        if block.successors.is_empty() {
            _ = writeln!(text, "  {}", self.end(choices, &known));
            return text;
        }
        let successors = block.successors.clone();
        let fuel = format!("%f{number}");
        _ = writeln!(text, "  {fuel} = arith.subi %k{number}, %i1 : index");
        _ = writeln!(text, "  %g{number} = arith.cmpi sgt, {fuel}, %i0 : index");
        _ = writeln!(text, "  cf.cond_br %g{number}, ^m{number}, ^r{number}");
        _ = writeln!(text, "^r{number}:\n  {}\n^m{number}:", self.end(choices, &known));
        if choices.below(4) == 3 {
            self.call(choices, &mut text, &mut known, &fuel);
        }
        let edges: Vec<String> =
            (successors.iter()).map(|&next| self.edge(choices, &known, next, &fuel)).collect();
        let rest = format!("%q{number} = arith.remsi {fuel}, %i{} : index", 2 + choices.below(2));
        match &edges[..] {
            [one] => _ = writeln!(text, "  cf.br {one}"),
            [one, two] => {
                match choices.below(2) {
                    0 => {
                        _ = writeln!(text, "  {rest}");
                        _ = writeln!(text, "  %c{number} = arith.cmpi eq, %q{number}, %i0 : index");
                    }
                    _ => {
                        let left = pick(choices, &known, Ty::Number);
                        let right = pick(choices, &known, Ty::Number);
                        let compare = format!("arith.cmpf ogt, {left}, {right} : f64");
                        _ = writeln!(text, "  %c{number} = {compare}");
                    }
                }
                _ = writeln!(text, "  cf.cond_br %c{number}, {one}, {two}");
            }
            [one, two, three, ..] => {
                _ = writeln!(text, "  {rest}");
                _ = writeln!(text, "  %s{number} = arith.index_cast %q{number} : index to i32");
                let cases = format!("default: {one}, 0: {two}, 1: {three}");
                _ = writeln!(text, "  cf.switch %s{number} : i32, [{cases}]");
            }
            [] => {}
        }
        text
    }

    /// A call with half of the fuel, maybe of the function itself.
    fn call(
        &mut self,
        choices: &mut Choices,
        text: &mut String,
        known: &mut Vec<Named>,
        fuel: &str,
    ) {
        let half = self.name();
        let callee = choices.pick(self.signatures);
        _ = writeln!(text, "  {half} = arith.divsi {fuel}, %i2 : index");
        let mut arguments: Vec<String> =
            callee.params.iter().map(|&ty| pick(choices, known, ty)).collect();
        let mut types = type_names(&callee.params);
        if callee.takes_buffer {
            arguments.push("%mem".into());
            _ = write!(types, ", {BUFFER}");
        }
        let results: Vec<Named> = callee.results.iter().map(|&ty| (self.name(), ty)).collect();
        let names: Vec<&str> = results.iter().map(|(name, _)| &name[..]).collect();
        _ = writeln!(
            text,
            "  {} = func.call @{}({}, {half}) : ({types}, index) -> ({})",
            names.join(", "),
            callee.name,
            arguments.join(", "),
            type_names(&callee.results)
        );
        known.extend(results);
    }

    fn edge(&self, choices: &mut Choices, known: &[Named], next: usize, fuel: &str) -> String {
        let params: Vec<Ty> = self.blocks[next].params.iter().map(|(_, ty)| *ty).collect();
        let values: Vec<String> = params.iter().map(|&ty| pick(choices, known, ty)).collect();
        format!("^b{next}({}, {fuel} : {}, index)", values.join(", "), type_names(&params))
    }

    fn end(&self, choices: &mut Choices, known: &[Named]) -> String {
        let results = &self.signature.results;
        let values: Vec<String> = results.iter().map(|&ty| pick(choices, known, ty)).collect();
        format!("return {} : {}", values.join(", "), type_names(results))
    }
}

const CONSTANTS: &str = "  %half = arith.constant 0.7 : f64
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %none = tensor.empty(%i0) : tensor<?xf64>
";

const BUFFER: &str = "memref<4xf64>";

const MEMORY: &str = "  %mem = memref.alloca() : memref<4xf64>
  linalg.fill ins(%x0 : f64) outs(%mem : memref<4xf64>)
";

/// A number that is read from memory, maybe after something is written.
fn access(choices: &mut Choices, name: &str, known: &[Named]) -> String {
    let from = choices.below(4);
    let read = format!("{name} = memref.load %mem[%i{from}] : memref<4xf64>");
    match choices.below(3) {
        0 => read,
        1 => {
            let (value, to) = (pick(choices, known, Ty::Number), choices.below(4));
            format!("memref.store {value}, %mem[%i{to}] : memref<4xf64>\n  {read}")
        }
        _ => {
            let value = pick(choices, known, Ty::Number);
            format!(
                "scf.for %i = %i0 to %i3 step %i1 {{
    {name}e = memref.load %mem[%i] : memref<4xf64>
    {name}p = arith.mulf {name}e, {value} : f64
    {name}s = math.sin {name}p : f64
    memref.store {name}s, %mem[%i] : memref<4xf64>
  }}
  {read}"
            )
        }
    }
}

fn type_names(types: &[Ty]) -> String {
    let names: Vec<&str> = types.iter().map(|ty| ty.name()).collect();
    names.join(", ")
}

/// A known value of a type; functions without arrays have the one without elements.
fn pick(choices: &mut Choices, known: &[Named], of: Ty) -> String {
    let names: Vec<&String> =
        known.iter().rev().filter(|(_, ty)| *ty == of).map(|(name, _)| name).collect();
    match names.is_empty() {
        true => "%none".into(),
        false => (*choices.pick(&names)).clone(),
    }
}

/// An operation that defines a name, with values that stay between about -1 and 1.
fn operation(choices: &mut Choices, name: &str, known: &[Named]) -> (String, Ty) {
    let x = pick(choices, known, Ty::Number);
    let y = pick(choices, known, Ty::Number);
    let a = pick(choices, known, Ty::Array);
    let number = |text: String| (text, Ty::Number);
    let array = |text: String| (text, Ty::Array);
    let of = Ty::Array.name();
    match choices.below(13) {
        0 => number(format!("{name} = arith.mulf {x}, %half : f64")),
        1 => number(format!(
            "{name}s = arith.addf {x}, {y} : f64\n  {name} = arith.mulf {name}s, %half : f64"
        )),
        2 => number(format!(
            "{name}p = arith.mulf {x}, {y} : f64\n  {name} = math.sin {name}p : f64"
        )),
        3 => number(format!(
            "{name}d = arith.subf {x}, {y} : f64\n  {name} = math.tanh {name}d : f64"
        )),
        4 => number(format!(
            "{name}p = arith.mulf {x}, {x} : f64\n  {name}n = arith.negf {name}p : f64
  {name} = math.exp {name}n : f64"
        )),
        5 => number(format!("{name} = math.cos {x} : f64")),
        6 => number(format!(
            "{name}c = arith.cmpf ogt, {x}, {y} : f64
  {name} = scf.if {name}c -> f64 {{
    {name}s = math.sin {x} : f64
    scf.yield {name}s : f64
  }} else {{
    {name}t = arith.mulf {y}, {x} : f64
    scf.yield {name}t : f64
  }}"
        )),
        7 => number(format!(
            "{name} = scf.for %i = %i0 to %i3 step %i1 iter_args(%r = {x}) -> f64 {{
    {name}p = arith.mulf %r, {y} : f64
    {name}s = math.sin {name}p : f64
    scf.yield {name}s : f64
  }}"
        )),
        8 => number(format!(
            "{name}n = tensor.dim {a}, %i0 : {of}
  {name}r = scf.for %i = %i0 to {name}n step %i1 iter_args(%r = {x}) -> f64 {{
    {name}e = tensor.extract {a}[%i] : {of}
    {name}p = arith.mulf {name}e, {y} : f64
    {name}s = arith.addf %r, {name}p : f64
    scf.yield {name}s : f64
  }}
  {name} = math.sin {name}r : f64"
        )),
        9 => number(format!(
            "{name}z = arith.constant 0.0 : f64
  {name}r = soac.reduce ins({a} : {of}) neutral({name}z : f64) (%l: f64, %r: f64) {{
    {name}t = arith.addf %l, %r : f64
    soac.yield {name}t : f64
  }}
  {name} = math.tanh {name}r : f64"
        )),
        10 => array(format!("{name} = math.sin {a} : {of}")),
        11 => array(format!(
            "{name} = soac.map ins({a} : {of}) (%e: f64) -> {of} {{
    {name}p = arith.mulf %e, {x} : f64
    {name}t = math.tanh {name}p : f64
    soac.yield {name}t : f64
  }}"
        )),
        _ => array(format!(
            "{name}n = tensor.dim {a}, %i0 : {of}
  {name} = scf.for %i = %i0 to {name}n step %i2 iter_args(%r = {a}) -> {of} {{
    {name}e = tensor.extract {a}[%i] : {of}
    {name}p = arith.mulf {name}e, {x} : f64
    {name}s = tensor.insert {name}p into %r[%i] : {of}
    scf.yield {name}s : {of}
  }}"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use melior::ir::Module;

    #[test]
    fn programs_are_accepted_and_draws_determine_them() {
        let context = ad_dialect::context();
        for seed in 0..300 {
            let mut choices = Choices::random(seed);
            let (text, inputs) = blocks(&mut choices);
            assert!(Module::parse(&context, &text).is_some(), "{text}");
            let again = blocks(&mut Choices::again(choices.into_drawn()));
            assert_eq!((text, inputs), again);
        }
    }
}
