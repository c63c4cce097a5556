//! Random programs of the tensor language, as the unit tests of the calculus have them, in the `atl` dialect.
//!
//! They are written down by what ATL Figure 3 says, and not by what makes operations of expressions in the passes.

use crate::value::{Tensor, Value};
use ad_calculus::affine::{Affine, Index, Size, Term};
use ad_calculus::expr::{Expr, Function, Half, Node, Type, Var, accesses, type_of};
use ad_calculus::predicate::{Predicate, Range};
use ad_calculus::testing::random::{Program, Random, SIZES, program};
use std::collections::HashMap;
use std::fmt::Write;

/// The module of a program, and values for the arguments of its `@main`: the numbers and tensors that the inputs
/// consist of, and an offset.
pub fn atl(seed: u64) -> (String, Vec<Value>) {
    let program = program(seed);
    let mut random = Random::new(seed ^ 0x5EED);
    let sizes: Vec<usize> = (0..SIZES).map(|_| random.below(4)).collect();
    let mut values = vec![];
    for (_, of) in &program.inputs {
        inputs(of, &mut vec![], &sizes, &mut random, &mut values);
    }
    values.push(Value::Int(random.below(5) as i64 - 2));
    (Printer::new(&program, seed).program(&program), values)
}

/// Values for the numbers and tensors of an input below dimensions.
fn inputs(
    of: &Type,
    dims: &mut Vec<usize>,
    sizes: &[usize],
    random: &mut Random,
    values: &mut Vec<Value>,
) {
    match of {
        Type::Pair(first, second) => {
            inputs(first, dims, sizes, random, values);
            inputs(second, dims, sizes, random, values);
        }
        Type::Tensor(size, element) => {
            dims.push(size.evaluate(&|term| term_of(term, sizes)) as usize);
            inputs(element, dims, sizes, random, values);
            dims.pop();
        }
        Type::Number => {
            let mut number = || (random.below(13) as f64 - 6.0) / 4.0;
            values.push(match dims.as_slice() {
                [] => Value::Float(number()),
                shape => {
                    let elements = (0..shape.iter().product()).map(|_| number()).collect();
                    Value::Tensor(Tensor::from_floats(shape, elements))
                }
            });
        }
    }
}

fn term_of(term: Term, sizes: &[usize]) -> i64 {
    match term {
        Term::Size(Size(size)) => sizes[size as usize] as i64,
        Term::Index(_) => 0,
    }
}

/// A relation, as a mask, as a list, as numbered tuples, and as a compressed list: (0, 1), (1, 0), (2, 3) and
/// (3, 2). Another one as numbers in segments: (0, 0), (2, 1), (2, 2) and (2, 3).
struct Relation {
    /// The data, by name, type and elements.
    data: &'static [(&'static str, &'static str, &'static str)],
    /// What asks whether A and B are related.
    member: &'static str,
}

const RELATIONS: [Relation; 5] = [
    Relation {
        data: &[(
            "%mask",
            "tensor<4x4xi1>",
            "[[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]]",
        )],
        member: "atl.member %mask[A, B] : tensor<4x4xi1>",
    },
    Relation {
        data: &[
            ("%as", "tensor<4xindex>", "[2, 0, 1, 3]"),
            ("%bs", "tensor<4xi32>", "[3, 1, 0, 2]"),
        ],
        member: "atl.member (%as, %bs)[A, B] : tensor<4xindex>, tensor<4xi32>",
    },
    Relation {
        data: &[("%as", "tensor<4xi64>", "[1, 0, 3, 2]")],
        member: "atl.member (%as)[A] at B : tensor<4xi64>",
    },
    Relation {
        data: &[
            ("%as", "tensor<5xi32>", "[0, 1, 2, 3, 4]"),
            ("%bs", "tensor<4xindex>", "[1, 0, 3, 2]"),
        ],
        member: "atl.member (compressed %as, %bs)[A, B] : tensor<5xi32>, tensor<4xindex>",
    },
    Relation {
        data: &[("%as", "tensor<4xindex>", "[0, 1, 1, 4]")],
        member: "atl.member (compressed %as)[A] at B : tensor<4xindex>",
    },
];

struct Printer {
    text: String,
    /// The next name of a value.
    next: usize,
    relation: &'static Relation,
    /// Whether nests of generations, sums and accesses are one operation each.
    merges: bool,
    /// Whether the program is a function of nothing else, and not one with constants that are none of the language.
    is_pure: bool,
    kinds: HashMap<Var, Type>,
    vars: HashMap<Var, String>,
}

impl Printer {
    fn new(program: &Program, seed: u64) -> Printer {
        Printer {
            text: String::new(),
            next: 0,
            relation: &RELATIONS[seed as usize % RELATIONS.len()],
            merges: (seed / 3).is_multiple_of(2),
            is_pure: (seed / 6).is_multiple_of(2),
            kinds: program.inputs.iter().cloned().collect(),
            vars: HashMap::new(),
        }
    }

    fn program(mut self, program: &Program) -> String {
        let mut parameters = vec![];
        for (Var(name), of) in &program.inputs {
            for path in of.leaves() {
                let name = format!("%x{name}{}", suffix(&path));
                parameters.push((name, mlir_type(&of.leaf(&path))));
            }
        }
        parameters.push((format!("%s{SIZES}"), "index".into()));
        let kinds = self.kinds.clone();
        let result = type_of(&program.body, &|name| kinds[&name].clone());
        let results = result.leaves();
        let types: Vec<String> = results.iter().map(|path| mlir_type(&result.leaf(path))).collect();
        let types = types.join(", ");
        self.head("@main", &parameters, &types);
        for (name, of, elements) in self.relation.data {
            self.line(&format!("{name} = arith.constant dense<{elements}> : {of}"));
        }
        if self.is_pure {
            let data = self.relation.data.iter();
            parameters.extend(data.map(|(name, of, _)| (name.to_string(), of.to_string())));
            let (names, of): (Vec<_>, Vec<_>) = parameters.iter().cloned().unzip();
            let (names, of) = (names.join(", "), of.join(", "));
            let count = results.len();
            self.line(&format!("%r:{count} = call @language({names}) : ({of}) -> ({types})"));
            let values: Vec<String> = (0..count).map(|i| format!("%r#{i}")).collect();
            self.line(&format!("return {} : {types}\n}}", values.join(", ")));
            self.head("private @language", &parameters, &types);
        }
        self.line("%zero = arith.constant 0 : index");
        self.line("%one = arith.constant 1 : index");
        for (size, (tensor, dimension)) in
            [("%x1", "zero"), ("%x2", "zero"), ("%x5_1", "one")].into_iter().enumerate()
        {
            let of = if dimension == "one" { "tensor<?x?xf64>" } else { "tensor<?xf64>" };
            self.line(&format!("%s{size} = tensor.dim {tensor}, %{dimension} : {of}"));
        }
        for (name, of) in &program.inputs {
            let input = self.input(&format!("%x{}", name.0), of, &[]);
            self.vars.insert(*name, input);
        }
        let body = self.emit(&program.body);
        let values: Vec<String> =
            results.iter().map(|path| self.part(&body, &result, path)).collect();
        self.line(&format!("return {} : {types}\n}}", values.join(", ")));
        self.line(
            "func.func private @f0(%x: f64) -> f64 {
  %two = arith.constant 2.0 : f64
  %square = arith.mulf %x, %x : f64
  %more = arith.addf %square, %x : f64
  %y = arith.addf %more, %two : f64
  return %y : f64
}
func.func private @f1(%x: f64, %y: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %less = arith.subf %x, %one : f64
  %z = arith.mulf %less, %y : f64
  return %z : f64
}",
        );
        self.text
    }

    /// An input of what the arguments have of it: pairs, and generations of pairs.
    fn input(&mut self, name: &str, of: &Type, places: &[String]) -> String {
        match of {
            Type::Pair(first, second) => {
                let first = self.input(&format!("{name}_0"), first, places);
                let second = self.input(&format!("{name}_1"), second, places);
                self.pair(&first, &second, of)
            }
            Type::Tensor(size, element) if of.leaves() != [vec![]] => {
                let index = self.name();
                let outer =
                    format!("atl.gen ({index} in {}) -> {} {{", affine(size), mlir_type(of));
                let result = self.value(&outer);
                let inner = self.input(name, element, &[places, &[index]].concat());
                self.end(&inner, element);
                result
            }
            _ if places.is_empty() => name.into(),
            _ => {
                let whole = "?x".repeat(places.len() + mlir_type(of).matches('?').count());
                let places = places.join(", ");
                self.value(&format!("atl.access {name}[{places}] : tensor<{whole}f64>"))
            }
        }
    }

    fn head(&mut self, name: &str, parameters: &[(String, String)], types: &str) {
        let parameters = parameters.iter().map(|(name, of)| format!("{name}: {of}"));
        let parameters = parameters.collect::<Vec<String>>().join(", ");
        self.line(&format!("func.func {name}({parameters}) -> ({types}) {{"));
    }

    fn line(&mut self, line: &str) {
        _ = writeln!(self.text, "{line}");
    }

    fn name(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    /// A line that defines a value.
    fn value(&mut self, of: &str) -> String {
        let name = self.name();
        self.line(&format!("{name} = {of}"));
        name
    }

    fn pair(&mut self, first: &str, second: &str, of: &Type) -> String {
        let types = [Half::First, Half::Second].map(|half| mlir_type(&of.half(half))).join(", ");
        self.value(&format!("atl.pair {first}, {second} : {types}"))
    }

    fn part(&mut self, value: &str, of: &Type, path: &[Half]) -> String {
        let Some((half, rest)) = path.split_first() else { return value.into() };
        let part = self.project(value, of, *half);
        self.part(&part, &of.half(*half), rest)
    }

    fn project(&mut self, value: &str, of: &Type, half: Half) -> String {
        let number = usize::from(half == Half::Second);
        self.value(&format!("atl.project {value}[{number}] : {}", mlir_type(of)))
    }

    fn end(&mut self, value: &str, of: &Type) {
        self.line(&format!("atl.yield {value} : {}\n}}", mlir_type(of)));
    }

    fn kind(&self, expr: &Expr) -> Type {
        type_of(expr, &|name| self.kinds[&name].clone())
    }

    fn emit(&mut self, expr: &Expr) -> String {
        match &**expr {
            Node::Var(name) => self.vars[name].clone(),
            Node::Constant(number) => {
                self.value(&format!("arith.constant {:?} : f64", number.value()))
            }
            Node::Add(left, right) => self.binary("arith.addf", left, right),
            Node::Mul(left, right) => self.binary("arith.mulf", left, right),
            Node::Call(Function(function), arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|a| self.emit(a)).collect();
                let types = vec!["f64"; arguments.len()].join(", ");
                let arguments = arguments.join(", ");
                self.value(&format!("func.call @f{function}({arguments}) : ({types}) -> f64"))
            }
            Node::Pair(first, second) => {
                let of = self.kind(expr);
                let first = self.emit(first);
                let second = self.emit(second);
                self.pair(&first, &second, &of)
            }
            Node::Project(half, inner) => {
                let of = self.kind(inner);
                let inner = self.emit(inner);
                self.project(&inner, &of, *half)
            }
            Node::Gen(..) | Node::Sum(..) => self.indexed(expr),
            Node::Access(inner, place) => {
                let (inner, places) = match self.merges {
                    true => accesses(expr),
                    false => (inner, vec![place.clone()]),
                };
                let of = mlir_type(&self.kind(inner));
                let inner = self.emit(inner);
                let places: Vec<String> = places.iter().map(affine).collect();
                self.value(&format!("atl.access {inner}[{}] : {of}", places.join(", ")))
            }
            Node::Bracket(predicate, inner) => {
                let condition = self.predicate(predicate);
                let of = self.kind(inner);
                let result =
                    self.value(&format!("atl.bracket {condition} -> {} {{", mlir_type(&of)));
                let inner = self.emit(inner);
                self.end(&inner, &of);
                result
            }
            Node::Let(name, value, body) => {
                let of = self.kind(value);
                let value = self.emit(value);
                self.kinds.insert(*name, of);
                self.vars.insert(*name, value);
                self.emit(body)
            }
        }
    }

    fn binary(&mut self, op: &str, left: &Expr, right: &Expr) -> String {
        let (left, right) = (self.emit(left), self.emit(right));
        self.value(&format!("{op} {left}, {right} : f64"))
    }

    fn indexed(&mut self, expr: &Expr) -> String {
        let is_gen = matches!(**expr, Node::Gen(..));
        let mut ranges = vec![];
        let mut inner = expr;
        while let (Node::Gen(range, body), true) | (Node::Sum(range, body), false) =
            (&**inner, is_gen)
        {
            ranges.push(indices(range));
            inner = body;
            if !self.merges {
                break;
            }
        }
        let name = if is_gen { "gen" } else { "sum" };
        let (ranges, of) = (ranges.join(", "), mlir_type(&self.kind(expr)));
        let result = self.value(&format!("atl.{name} ({ranges}) -> {of} {{"));
        let of = self.kind(inner);
        let inner = self.emit(inner);
        self.end(&inner, &of);
        result
    }

    fn predicate(&mut self, predicate: &Predicate) -> String {
        match predicate {
            Predicate::True => self.value("arith.constant true"),
            Predicate::False => self.value("arith.constant false"),
            Predicate::Zero(value) => self.value(&format!("atl.compare {} = 0", affine(value))),
            Predicate::NotNegative(value) => {
                self.value(&format!("atl.compare 0 <= {}", affine(value)))
            }
            Predicate::Related(_, places) => {
                let member = self.relation.member.replace('A', &affine(&places[0]));
                self.value(&member.replace('B', &affine(&places[1])))
            }
            Predicate::And(parts) => self.joined("arith.andi", parts),
            Predicate::Or(parts) => self.joined("arith.ori", parts),
            Predicate::Exists(range, inner) => {
                let result = self.value(&format!("atl.exists ({}) {{", indices(range)));
                let inner = self.predicate(inner);
                self.line(&format!("atl.yield {inner} : i1\n}}"));
                result
            }
        }
    }

    fn joined(&mut self, op: &str, parts: &[Predicate]) -> String {
        let parts: Vec<String> = parts.iter().map(|part| self.predicate(part)).collect();
        let both = |left: String, right| self.value(&format!("{op} {left}, {right} : i1"));
        parts.into_iter().reduce(both).unwrap_or_default()
    }
}

fn suffix(path: &[Half]) -> String {
    path.iter().map(|half| if *half == Half::First { "_0" } else { "_1" }).collect()
}

fn indices(range: &Range) -> String {
    format!("%i{} in {}", range.index.0, affine(&range.size))
}

fn affine(value: &Affine) -> String {
    let terms = value.terms().map(|(term, factor)| {
        let name = match term {
            Term::Index(Index(index)) => format!("%i{index}"),
            Term::Size(Size(size)) => format!("%s{size}"),
        };
        if factor == 1 { name } else { format!("{factor} * {name}") }
    });
    let offset = (value.offset() != 0).then(|| value.offset().to_string());
    let terms: Vec<String> = terms.chain(offset).collect();
    if terms.is_empty() { "0".into() } else { terms.join(" + ") }
}

fn mlir_type(of: &Type) -> String {
    let mut rank = 0;
    let mut element = of;
    while let Type::Tensor(_, inner) = element {
        rank += 1;
        element = inner;
    }
    let element = match element {
        Type::Pair(first, second) => {
            format!("!atl.pair<{}, {}>", mlir_type(first), mlir_type(second))
        }
        _ => "f64".into(),
    };
    if rank == 0 { element } else { format!("tensor<{}{element}>", "?x".repeat(rank)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::{Options, decode};
    use crate::numbers::flatten;
    use crate::run;
    use ad_calculus::eval::{self, Environment, Fault, World, evaluate};
    use ad_calculus::predicate;
    use melior::ir::Module;

    /// What is outside of the language: sizes, the relation and the two functions.
    struct Outside {
        sizes: Vec<i64>,
        related: [[i64; 2]; 4],
    }

    impl World for Outside {
        fn size(&self, size: Size) -> i64 {
            self.sizes[size.0 as usize]
        }

        fn holds(&self, _: predicate::Relation, values: &[i64]) -> bool {
            self.related.iter().any(|tuple| tuple == values)
        }

        fn call(&mut self, _: Function, arguments: &[f64]) -> Result<f64, Fault> {
            Ok(match arguments {
                [x] => x * x + x + 2.0,
                _ => (arguments[0] - 1.0) * arguments[1],
            })
        }
    }

    /// The part of an input at places of its leaves, which are values of the interpreter.
    fn part(of: &Type, leaves: &[&Value], places: &[usize], world: &Outside) -> eval::Value {
        match of {
            Type::Number => eval::Value::Number(match leaves[0] {
                Value::Tensor(tensor) => {
                    tensor.element(tensor.position(places).unwrap()).float().unwrap()
                }
                number => number.float().unwrap(),
            }),
            Type::Pair(first, second) => {
                let (left, right) = leaves.split_at(first.leaves().len());
                eval::Value::Pair(
                    Box::new(part(first, left, places, world)),
                    Box::new(part(second, right, places, world)),
                )
            }
            Type::Tensor(size, element) => {
                let size = Environment::default().affine(size, world) as usize;
                let row = |i| part(element, leaves, &[places, &[i]].concat(), world);
                eval::Value::Tensor((0..size).map(row).collect())
            }
        }
    }

    #[test]
    fn the_interpreter_agrees_with_the_meaning_of_expressions() {
        let context = ad_dialect::context();
        for seed in 0..1000 {
            let (text, inputs) = atl(seed);
            let module = Module::parse(&context, &text).unwrap_or_else(|| panic!("{text}"));
            let decoded = decode(&module, "main", Options::default()).expect("it decodes");
            let got = run(&decoded, "main", &inputs).unwrap_or_else(|f| panic!("{f}\n{text}"));

            let program = program(seed);
            let size = |input: usize, d: usize| inputs[input].tensor().unwrap().shape()[d] as i64;
            let offset = inputs.last().unwrap().int().unwrap();
            let sizes = vec![size(1, 0), size(2, 0), size(7, 1), offset];
            let related = match seed % 5 {
                4 => [[0, 0], [2, 1], [2, 2], [2, 3]],
                _ => [[2, 3], [0, 1], [1, 0], [3, 2]],
            };
            let mut world = Outside { sizes, related };
            let mut environment = Environment::default();
            let mut rest = inputs.iter();
            for (name, of) in &program.inputs {
                let leaves: Vec<&Value> = rest.by_ref().take(of.leaves().len()).collect();
                let value = part(of, &leaves, &[], &world);
                environment.vars.insert(*name, (of.clone(), value));
            }
            let expected = evaluate(&program.body, &mut environment, &mut world).unwrap();
            let (got, expected) = (flatten(&got.results), expected.numbers());
            let is_equal = |(a, b): (&f64, &f64)| a == b || a.is_nan() && b.is_nan();
            let agree = got.len() == expected.len() && got.iter().zip(&expected).all(is_equal);
            assert!(agree, "seed {seed}: {got:?}, not {expected:?}\n{text}");
        }
    }
}
