//! What expressions mean [ATL Figures 4 and 5].

use crate::affine::{Affine, Index, Size, Term};
use crate::expr::{Expr, Function, Half, Node, Type, Var};
use crate::predicate::{Predicate, Range, Relation};
use std::collections::HashMap;

#[derive(Clone, PartialEq, Debug)]
/// The value of an expression.
pub enum Value {
    /// A number.
    Number(f64),
    /// A pair.
    Pair(Box<Value>, Box<Value>),
    /// A tensor: its elements along the outermost dimension.
    Tensor(Vec<Value>),
}

/// Why an expression has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// An access of a place that a tensor of this size does not have.
    OutOfRange {
        /// The place.
        place: i64,
        /// The size.
        size: usize,
    },
    /// What a function says.
    Function(String),
}

/// What is outside of the language: the sizes, the relations, the functions.
pub trait World {
    /// The value of a size, 0 or more.
    fn size(&self, size: Size) -> i64;

    /// Whether a relation holds between values.
    fn holds(&self, relation: Relation, values: &[i64]) -> bool;

    /// The value of a function.
    fn call(&mut self, function: Function, arguments: &[f64]) -> Result<f64, Fault>;

    /// The number that a result of an addition or multiplication becomes in the
    /// precision of the program.
    fn round(&self, number: f64) -> f64 {
        number
    }
}

/// The values of variables and indices, with their types.
#[derive(Clone, Default)]
pub struct Environment {
    /// The variables' types and values.
    pub vars: HashMap<Var, (Type, Value)>,
    /// The indices' values.
    pub indices: HashMap<Index, i64>,
}

impl Value {
    /// The number that this is.
    pub fn number(&self) -> f64 {
        match self {
            Value::Number(number) => *number,
            other => panic!("not a number: {other:?}"),
        }
    }

    /// A half, or the tensor of the halves.
    fn half(&self, half: Half) -> Value {
        match (self, half) {
            (Value::Pair(first, _), Half::First) => (**first).clone(),
            (Value::Pair(_, second), Half::Second) => (**second).clone(),
            (Value::Tensor(elements), half) => {
                Value::Tensor(elements.iter().map(|element| element.half(half)).collect())
            }
            (Value::Number(_), _) => panic!("a number has no halves"),
        }
    }

    /// The numbers, from first to last.
    pub fn numbers(&self) -> Vec<f64> {
        match self {
            Value::Number(number) => vec![*number],
            Value::Pair(first, second) => [first.numbers(), second.numbers()].concat(),
            Value::Tensor(elements) => elements.iter().flat_map(Value::numbers).collect(),
        }
    }
}

impl Environment {
    /// The value of an affine expression.
    pub fn affine(&self, value: &Affine, world: &dyn World) -> i64 {
        value.evaluate(&|term| match term {
            Term::Index(index) => self.indices[&index],
            Term::Size(size) => world.size(size),
        })
    }

    /// [ATL 4.18-4.21]
    pub fn holds(&mut self, predicate: &Predicate, world: &dyn World) -> bool {
        match predicate {
            Predicate::True => true,
            Predicate::False => false,
            Predicate::Zero(value) => self.affine(value, world) == 0,
            Predicate::NotNegative(value) => self.affine(value, world) >= 0,
            Predicate::Related(relation, values) => {
                let values = values.iter().map(|value| self.affine(value, world));
                world.holds(*relation, &values.collect::<Vec<_>>())
            }
            Predicate::And(parts) => parts.iter().all(|part| self.holds(part, world)),
            Predicate::Or(parts) => parts.iter().any(|part| self.holds(part, world)),
            Predicate::Exists(range, inner) => (0..self.affine(&range.size, world)).any(|value| {
                self.indices.insert(range.index, value);
                self.holds(inner, world)
            }),
        }
    }

    /// The value for each value of the index.
    pub fn for_each<T>(
        &mut self,
        range: &Range,
        world: &mut dyn World,
        mut body: impl FnMut(&mut Environment, &mut dyn World) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let size = self.affine(&range.size, world);
        let values = (0..size).map(|value| {
            self.indices.insert(range.index, value);
            body(self, world)
        });
        values.collect()
    }

    /// The type of an expression.
    pub fn type_of(&self, expr: &Expr) -> Type {
        crate::expr::type_of(expr, &|name| self.vars[&name].0.clone())
    }
}

/// The zero of a type.
pub fn zero(of: &Type, environment: &Environment, world: &dyn World) -> Value {
    match of {
        Type::Number => Value::Number(0.0),
        Type::Pair(first, second) => Value::Pair(
            Box::new(zero(first, environment, world)),
            Box::new(zero(second, environment, world)),
        ),
        Type::Tensor(size, element) => {
            let size = environment.affine(size, world).max(0);
            let element = zero(element, environment, world);
            Value::Tensor(vec![element; size as usize])
        }
    }
}

/// The value of an expression [ATL 4.1-4.12].
pub fn evaluate(
    expr: &Expr,
    environment: &mut Environment,
    world: &mut dyn World,
) -> Result<Value, Fault> {
    Ok(match &**expr {
        Node::Var(name) => environment.vars[name].1.clone(),
        Node::Constant(constant) => Value::Number(constant.value()),
        Node::Add(left, right) => {
            let left = evaluate(left, environment, world)?.number();
            let right = evaluate(right, environment, world)?.number();
            Value::Number(world.round(left + right))
        }
        Node::Mul(left, right) => {
            let left = evaluate(left, environment, world)?.number();
            let right = evaluate(right, environment, world)?.number();
            Value::Number(world.round(left * right))
        }
        Node::Call(function, arguments) => {
            let mut numbers = Vec::new();
            for argument in arguments {
                numbers.push(evaluate(argument, environment, world)?.number());
            }
            Value::Number(world.call(*function, &numbers)?)
        }
        Node::Pair(first, second) => {
            let first = evaluate(first, environment, world)?;
            let second = evaluate(second, environment, world)?;
            Value::Pair(Box::new(first), Box::new(second))
        }
        Node::Project(half, inner) => evaluate(inner, environment, world)?.half(*half),
        Node::Gen(range, inner) => Value::Tensor(environment.for_each(
            range,
            world,
            |environment, world| evaluate(inner, environment, world),
        )?),
        Node::Sum(range, inner) => {
            let values = environment
                .for_each(range, world, |environment, world| evaluate(inner, environment, world))?;
            let sum = values.iter().fold(0.0, |sum, value| world.round(sum + value.number()));
            Value::Number(sum)
        }
        Node::Access(inner, place) => {
            let place = environment.affine(place, world);
            let Value::Tensor(elements) = evaluate(inner, environment, world)? else {
                panic!("access of what is no tensor")
            };
            let element = usize::try_from(place).ok().and_then(|place| elements.get(place));
            let size = elements.len();
            element.cloned().ok_or(Fault::OutOfRange { place, size })?
        }
        Node::Bracket(predicate, inner) => match environment.holds(predicate, world) {
            true => evaluate(inner, environment, world)?,
            false => zero(&environment.type_of(inner), environment, world),
        },
        Node::Let(name, value, body) => {
            let bound = evaluate(value, environment, world)?;
            let bound_type = environment.type_of(value);
            environment.vars.insert(*name, (bound_type, bound));
            evaluate(body, environment, world)?
        }
    })
}
