//! Expressions as text, for tests to compare.

use crate::affine::{Affine, Index};
use crate::expr::{Expr, Half, Node, Var};
use std::collections::HashMap;

/// An expression as text in which indices and variables of lets are called by
/// the order in which they are bound.
pub fn show(expr: &Expr) -> String {
    Printer::default().show(expr)
}

#[derive(Default)]
struct Printer {
    lets: HashMap<Var, usize>,
    indices: HashMap<Index, u32>,
}

impl Printer {
    fn show(&mut self, expr: &Expr) -> String {
        let named = |indices: &HashMap<Index, u32>, index| {
            indices.get(&index).map(|name| Affine::index(Index(*name)))
        };
        match &**expr {
            Node::Var(name) => match self.lets.get(name) {
                Some(place) => format!("t{place}"),
                None => format!("x{}", name.0),
            },
            Node::Constant(value) => value.value().to_string(),
            Node::Add(left, right) => format!("({} + {})", self.show(left), self.show(right)),
            Node::Mul(left, right) => format!("({} * {})", self.show(left), self.show(right)),
            Node::Call(function, arguments) => {
                let arguments = arguments.iter().map(|argument| self.show(argument));
                format!("f{}({})", function.0, arguments.collect::<Vec<_>>().join(", "))
            }
            Node::Pair(first, second) => {
                let first = self.show(first);
                format!("<{first}; {}>", self.show(second))
            }
            Node::Project(Half::First, inner) => format!("{}.0", self.show(inner)),
            Node::Project(Half::Second, inner) => format!("{}.1", self.show(inner)),
            Node::Gen(range, inner) | Node::Sum(range, inner) => {
                let name = self.indices.len() as u32;
                self.indices.insert(range.index, name);
                let inner = self.show(inner);
                let word = if matches!(&**expr, Node::Gen(..)) { "gen" } else { "sum" };
                format!("{word} i{name}<{}. {inner}", range.size)
            }
            Node::Access(inner, place) => {
                let place = place.substitute(&|index| named(&self.indices, index));
                format!("{}[{place}]", self.show(inner))
            }
            Node::Bracket(predicate, inner) => {
                let predicate = predicate.substitute(&|index| named(&self.indices, index));
                format!("[{predicate}] {}", self.show(inner))
            }
            Node::Let(name, value, body) => {
                let value = self.show(value);
                self.indices.clear();
                self.lets.insert(*name, self.lets.len());
                let place = self.lets[name];
                format!("let t{place} = {value} in {}", self.show(body))
            }
        }
    }
}
