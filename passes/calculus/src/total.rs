//! The total derivative of expressions, as the paper has it \[ATL Figure 13\].
//!
//! [`forward`](mod@crate::forward) does the same with programs in Tensor SSA and
//! shares what is equal; this is what the theorems about cost speak of.

use crate::expr::{
    Expr, Names, Node, Type, Var, access, add, bind_all, bracket, call, constant, generate, mul,
    pair, project, sum, type_of, var,
};
use crate::functions::Functions;
use std::collections::HashMap;

/// Derives expressions.
pub struct Total<'a> {
    /// The types of variables, to which those of lets are added.
    pub types: HashMap<Var, Type>,
    /// Black boxes and their derivatives.
    pub functions: &'a mut Functions,
    /// The names that are free.
    pub names: Names,
}

impl Total<'_> {
    /// The differential of `expr` where `differentials` has those of variables, and
    /// none other depends on what is differentiated. None is zero.
    pub fn derive(&mut self, expr: &Expr, differentials: &HashMap<Var, Var>) -> Option<Expr> {
        match &**expr {
            // (6.1), (6.2)
            Node::Var(name) => differentials.get(name).map(|name| var(*name)),
            // (6.3)
            Node::Constant(_) => None,
            // (6.4)
            Node::Add(left, right) => {
                let parts = [left, right].map(|part| self.derive(part, differentials));
                parts.into_iter().flatten().reduce(add)
            }
            // (6.5)
            Node::Mul(left, right) => {
                let first = self.derive(left, differentials);
                let first = first.map(|first| mul(first, right.clone()));
                let second = self.derive(right, differentials);
                let second = second.map(|second| mul(left.clone(), second));
                first.into_iter().chain(second).reduce(add)
            }
            // (6.6): with one argument, the derivative times the differential.
            Node::Call(function, arguments) => {
                let parts = arguments.iter().map(|part| self.derive(part, differentials));
                let parts: Vec<Option<Expr>> = parts.collect();
                parts.iter().find(|part| part.is_some())?;
                if let [Some(part)] = &parts[..] {
                    let derivative = self.functions.derivative(*function);
                    return Some(mul(call(derivative, arguments.clone()), part.clone()));
                }
                let parts = parts.into_iter().map(|part| part.unwrap_or_else(|| constant(0.0)));
                let all = arguments.iter().cloned().chain(parts).collect();
                Some(call(self.functions.tangent(*function), all))
            }
            // (6.7)
            Node::Pair(first, second) => {
                let parts = [first, second].map(|part| (self.derive(part, differentials), part));
                if parts.iter().all(|(part, _)| part.is_none()) {
                    return None;
                }
                let [first, second] = parts.map(|(part, of)| {
                    part.unwrap_or_else(|| {
                        let of = self.type_of(of);
                        self.zero(&of)
                    })
                });
                Some(pair(first, second))
            }
            // (6.8)
            Node::Project(half, inner) => {
                self.derive(inner, differentials).map(|inner| project(*half, inner))
            }
            // (6.9)
            Node::Gen(range, inner) => {
                self.derive(inner, differentials).map(|inner| generate(range.clone(), inner))
            }
            // (6.10)
            Node::Sum(range, inner) => {
                self.derive(inner, differentials).map(|inner| sum(range.clone(), inner))
            }
            // (6.11)
            Node::Access(inner, place) => {
                self.derive(inner, differentials).map(|inner| access(inner, place.clone()))
            }
            // (6.12)
            Node::Bracket(predicate, inner) => {
                self.derive(inner, differentials).map(|inner| bracket(predicate.clone(), inner))
            }
            // (6.13)
            Node::Let(name, value, body) => {
                let differential = self.derive(value, differentials);
                let of = self.type_of(value);
                self.types.insert(*name, of);
                let mut inside = differentials.clone();
                let mut lets = vec![(*name, value.clone())];
                if let Some(differential) = differential {
                    let own = self.names.var();
                    inside.insert(*name, own);
                    lets.push((own, differential));
                }
                Some(bind_all(lets, self.derive(body, &inside)?))
            }
        }
    }

    fn type_of(&self, expr: &Expr) -> Type {
        type_of(expr, &|name| self.types[&name].clone())
    }

    /// The zero of a type as an expression, which costs nothing.
    pub fn zero(&mut self, of: &Type) -> Expr {
        match of {
            Type::Number => constant(0.0),
            Type::Pair(first, second) => {
                let first = self.zero(first);
                pair(first, self.zero(second))
            }
            Type::Tensor(size, element) => {
                let range = self.names.range(size);
                let element = self.zero(element);
                generate(range, element)
            }
        }
    }
}
