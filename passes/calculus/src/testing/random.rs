//! Random programs of the tensor language, and a world to run them in.

use crate::affine::{Affine, Index, Size};
use crate::eval::{Environment, Fault, Value, World};
use crate::expr::{
    Expr, Function, Half, Names, Type, Var, access, add, bind, bracket, call, constant, generate,
    mul, pair, project, sum, var,
};
use crate::functions::{Functions, Origin};
use crate::predicate::{Predicate, Range, Relation};
use std::collections::BTreeMap;
use std::collections::HashMap;

/// A generator of numbers that look random (xorshift64*).
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    /// A number from 0 to below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn number(&mut self) -> f64 {
        self.below(7) as f64 - 3.0
    }
}

/// The sizes of the inputs of every random program: three sizes. One more is an
/// offset, which may be negative.
pub const SIZES: u32 = 3;

/// A program with its inputs.
pub struct Program {
    /// Its inputs.
    pub inputs: Vec<(Var, Type)>,
    /// What it computes.
    pub body: Expr,
    /// The names that are free.
    pub names: Names,
    /// Its functions: two, of one argument and of two.
    pub functions: Functions,
}

/// Makes one program.
pub struct Generator {
    /// What decides.
    pub random: Random,
    names: Names,
    functions: Vec<(Function, usize)>,
    vars: Vec<(Var, Type)>,
    ranges: Vec<Range>,
    fuel: usize,
}

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    let mut functions = Functions::default();
    let known = [1, 2].map(|arity| (functions.given(arity), arity));
    let mut names = Names::default();
    let size = |place: u32| Affine::size(Size(place));
    let vector = |place| Type::tensor(&[size(place)], Type::Number);
    let matrix = Type::tensor(&[size(0), size(1)], Type::Number);
    let two = Type::Pair(Box::new(Type::Number), Box::new(vector(0)));
    let records = Type::tensor(&[size(1)], Type::Pair(Box::new(Type::Number), Box::new(vector(2))));
    let inputs = [Type::Number, vector(0), vector(1), matrix, two, records];
    let inputs: Vec<(Var, Type)> = inputs.into_iter().map(|of| (names.var(), of)).collect();
    let mut generator = Generator {
        random: Random::new(seed + 1),
        names,
        functions: known.to_vec(),
        vars: inputs.clone(),
        ranges: vec![],
        fuel: 0,
    };
    generator.fuel = 4 + generator.random.below(14);
    let wanted = generator.result_type();
    let body = generator.expr(&wanted);
    Program { inputs, body, names: generator.names, functions }
}

impl Generator {
    fn size(&mut self) -> Affine {
        Affine::size(Size(self.random.below(SIZES as usize) as u32))
    }

    fn result_type(&mut self) -> Type {
        match self.random.below(5) {
            0 | 1 => Type::Number,
            2 => Type::Tensor(self.size(), Box::new(Type::Number)),
            3 => Type::tensor(&[self.size(), self.size()], Type::Number),
            _ => Type::Pair(
                Box::new(Type::Tensor(self.size(), Box::new(Type::Number))),
                Box::new(Type::Number),
            ),
        }
    }

    fn affine(&mut self) -> Affine {
        let mut value = Affine::constant(self.random.below(4) as i64 - 2);
        for _ in 0..self.random.below(3) {
            if let Some(range) = self.some_range() {
                let factor = [1, 1, -1, 2][self.random.below(4)];
                value = value.plus(&Affine::index(range.index).times(factor));
            }
        }
        if self.random.below(4) == 0 {
            value = value.plus(&Affine::size(Size(SIZES)));
        }
        value
    }

    fn some_range(&mut self) -> Option<Range> {
        match self.ranges.len() {
            0 => None,
            count => Some(self.ranges[self.random.below(count)].clone()),
        }
    }

    fn predicate(&mut self, depth: usize) -> Predicate {
        match self.random.below(if depth == 0 { 4 } else { 7 }) {
            0 => Predicate::not_negative(self.affine()),
            1 | 2 => Predicate::zero(self.affine()),
            3 => Predicate::Related(Relation(0), vec![self.affine(), self.affine()]),
            4 => Predicate::and([self.predicate(depth - 1), self.predicate(depth - 1)]),
            5 => Predicate::or([self.predicate(depth - 1), self.predicate(depth - 1)]),
            _ => {
                let size = self.size();
                let range = self.names.range(&size);
                self.ranges.push(range.clone());
                let inner = self.predicate(depth - 1);
                self.ranges.pop();
                Predicate::exists(&[range], inner)
            }
        }
    }

    /// The expression in the scope of one more index.
    fn under(&mut self, size: &Affine, wanted: &Type) -> (Range, Expr) {
        let range = self.names.range(size);
        self.ranges.push(range.clone());
        let inner = self.expr(wanted);
        self.ranges.pop();
        (range, inner)
    }

    /// An expression of a type.
    pub fn expr(&mut self, wanted: &Type) -> Expr {
        if self.fuel == 0 {
            return self.leaf(wanted);
        }
        self.fuel -= 1;
        match self.random.below(12) {
            0 => {
                let bound = match self.random.below(4) {
                    0 => Type::Pair(Box::new(self.result_type()), Box::new(Type::Number)),
                    1 => Type::tensor(
                        &[self.size()],
                        Type::Pair(Box::new(Type::Number), Box::new(Type::Number)),
                    ),
                    _ => self.result_type(),
                };
                let value = self.expr(&bound);
                let name = self.names.var();
                self.vars.push((name, bound));
                let body = self.expr(wanted);
                self.vars.pop();
                return bind(name, value, body);
            }
            1 => {
                let predicate = self.predicate(2);
                return bracket(predicate, self.expr(wanted));
            }
            2 => {
                let other = Type::Number;
                let [first, second] = match self.random.below(2) {
                    0 => [wanted.clone(), other],
                    _ => [other, wanted.clone()],
                };
                let half = if first == *wanted { Half::First } else { Half::Second };
                let of = Type::Pair(Box::new(first), Box::new(second));
                return project(half, self.expr(&of));
            }
            3 => {
                if let Some(range) = self.some_range() {
                    let (inner_range, inner) = self.under(&range.size, wanted);
                    let place = Affine::index(range.index);
                    return access(generate(inner_range, inner), place);
                }
            }
            _ => {}
        }
        match wanted {
            Type::Tensor(size, element) => {
                let (range, inner) = self.under(size, element);
                generate(range, inner)
            }
            Type::Pair(first, second) => {
                let first = self.expr(first);
                pair(first, self.expr(second))
            }
            Type::Number => match self.random.below(8) {
                0 | 1 => {
                    let left = self.expr(wanted);
                    add(left, self.expr(wanted))
                }
                2 | 3 => {
                    let left = self.expr(wanted);
                    mul(left, self.expr(wanted))
                }
                4 => {
                    let (function, arity) = self.functions[self.random.below(2)];
                    call(function, (0..arity).map(|_| self.expr(wanted)).collect())
                }
                5 | 6 => {
                    let size = self.size();
                    let (range, inner) = self.under(&size, wanted);
                    sum(range, inner)
                }
                _ => self.leaf(wanted),
            },
        }
    }

    /// A variable or a constant, with what makes the wanted type of it.
    fn leaf(&mut self, wanted: &Type) -> Expr {
        let place = self.random.below(self.vars.len());
        let (name, of) = self.vars[place].clone();
        if let Some(found) = self.reach(var(name), &of, wanted) {
            return found;
        }
        match wanted {
            Type::Number => constant(self.random.number()),
            Type::Pair(first, second) => {
                let first = self.leaf(first);
                pair(first, self.leaf(second))
            }
            Type::Tensor(size, element) => {
                let range = self.names.range(size);
                self.ranges.push(range.clone());
                let inner = self.leaf(element);
                self.ranges.pop();
                generate(range, inner)
            }
        }
    }

    /// A part of `value`, which has type `of`, of the wanted type.
    fn reach(&mut self, value: Expr, of: &Type, wanted: &Type) -> Option<Expr> {
        if of == wanted {
            return Some(value);
        }
        match of {
            Type::Number => None,
            Type::Pair(first, second) => {
                let halves = match self.random.below(2) {
                    0 => [(Half::First, first), (Half::Second, second)],
                    _ => [(Half::Second, second), (Half::First, first)],
                };
                halves.into_iter().find_map(|(half, inner)| {
                    self.reach(project(half, value.clone()), inner, wanted)
                })
            }
            Type::Tensor(size, element) => {
                let own = self.ranges.iter().find(|range| range.size == *size).cloned();
                if let Some(range) = own
                    && self.random.below(3) > 0
                {
                    return self.reach(access(value, Affine::index(range.index)), element, wanted);
                }
                let place = self.affine();
                let inside = Range::new(Index(0), size.clone()).contains(&place);
                let inner = self.reach(access(value, place), element, wanted)?;
                Some(bracket(inside, inner))
            }
        }
    }
}

/// A polynomial: factors by exponents.
type Polynomial = BTreeMap<Vec<u32>, f64>;

/// Sizes, a relation and functions, which are polynomials, so that results that
/// are equal are equal in every bit as long as they are small.
pub struct TestWorld {
    sizes: Vec<i64>,
    functions: Functions,
    polynomials: HashMap<Function, Polynomial>,
}

impl TestWorld {
    /// A world in which sizes have values.
    pub fn new(sizes: Vec<i64>, functions: Functions) -> TestWorld {
        TestWorld { sizes, functions, polynomials: HashMap::new() }
    }

    fn polynomial(&mut self, function: Function) -> Polynomial {
        if let Some(known) = self.polynomials.get(&function) {
            return known.clone();
        }
        let polynomial = match self.functions.origin(function) {
            Origin::Given if self.functions.arity(function) == 1 => {
                BTreeMap::from([(vec![2], 1.0), (vec![1], 1.0), (vec![0], 2.0)])
            }
            Origin::Given => BTreeMap::from([(vec![1, 1], 1.0), (vec![0, 1], -1.0)]),
            Origin::Derivative(of) => partial(&self.polynomial(of), 0, 0, None),
            Origin::Tangent(of) => {
                let arity = self.functions.arity(of);
                let of = self.polynomial(of);
                let parts = (0..arity).map(|place| partial(&of, place, arity, Some(place)));
                let mut all = Polynomial::new();
                for (exponents, factor) in parts.flatten() {
                    *all.entry(exponents).or_insert(0.0) += factor;
                }
                all
            }
            Origin::Cotangent(of, place) => partial(&self.polynomial(of), place, 1, Some(0)),
        };
        self.polynomials.insert(function, polynomial.clone());
        polynomial
    }
}

/// The derivative by one argument, with `more` arguments, times one of those.
fn partial(of: &Polynomial, place: usize, more: usize, times: Option<usize>) -> Polynomial {
    let parts = of.iter().filter(|(exponents, _)| exponents[place] > 0);
    let parts = parts.map(|(exponents, factor)| {
        let mut exponents = exponents.clone();
        let factor = factor * f64::from(exponents[place]);
        exponents[place] -= 1;
        let arity = exponents.len();
        exponents.resize(arity + more, 0);
        if let Some(times) = times {
            exponents[arity + times] = 1;
        }
        (exponents, factor)
    });
    parts.collect()
}

impl World for TestWorld {
    fn size(&self, size: Size) -> i64 {
        self.sizes[size.0 as usize]
    }

    fn holds(&self, _: Relation, values: &[i64]) -> bool {
        values.iter().sum::<i64>().rem_euclid(3) == 1
    }

    fn call(&mut self, function: Function, arguments: &[f64]) -> Result<f64, Fault> {
        let polynomial = self.polynomial(function);
        let terms = polynomial.iter().map(|(exponents, factor)| {
            let powers = arguments.iter().zip(exponents);
            factor * powers.map(|(base, power)| base.powi(*power as i32)).product::<f64>()
        });
        Ok(terms.sum())
    }
}

/// A value of a type, with small integers.
pub fn value(random: &mut Random, of: &Type, world: &TestWorld) -> Value {
    match of {
        Type::Number => Value::Number(random.number()),
        Type::Pair(first, second) => Value::Pair(
            Box::new(value(random, first, world)),
            Box::new(value(random, second, world)),
        ),
        Type::Tensor(size, element) => {
            let size = Environment::default().affine(size, world);
            Value::Tensor((0..size).map(|_| value(random, element, world)).collect())
        }
    }
}
