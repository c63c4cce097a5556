//! Pair elimination [ATL 5.2]: pairs are left at inputs and outputs only.

use crate::affine::Affine;
use crate::expr::{
    Expr, Half, Names, Node, Path, Type, Var, access, bind_all, bracket, generate, map_operands,
    pair, project, type_of, var,
};
use crate::let_lift::split_lets;
use std::collections::HashMap;

/// An expression with lets outermost without pairs but around its results, and
/// projections of inputs only. Where the result is a tensor of pairs, it becomes
/// a pair of tensors.
pub fn eliminate_pairs(
    expr: &Expr,
    type_of_input: &dyn Fn(Var) -> Type,
    names: &mut Names,
) -> Expr {
    let (lets, body) = split_lets(expr);
    let mut split = Split::default();
    let mut flat = Vec::new();
    for (name, value) in lets {
        let bound = split.type_of(&value, type_of_input);
        // (5.18)-(5.20)
        let mut parts = HashMap::new();
        for path in bound.leaves() {
            let part = match path.is_empty() {
                true => name,
                false => names.var(),
            };
            flat.push((part, split.component(&value, &path)));
            parts.insert(path, part);
        }
        split.types.insert(name, bound);
        split.parts.insert(name, parts);
    }
    let results = split.type_of(&body, type_of_input);
    bind_all(flat, split.results(&body, &results, &mut Path::new()))
}

/// The variables that lets of pairs became.
#[derive(Default)]
struct Split {
    types: HashMap<Var, Type>,
    parts: HashMap<Var, HashMap<Path, Var>>,
}

impl Split {
    fn type_of(&self, expr: &Expr, type_of_input: &dyn Fn(Var) -> Type) -> Type {
        type_of(expr, &|name| match self.types.get(&name) {
            Some(bound) => bound.clone(),
            None => type_of_input(name),
        })
    }

    /// What is at the end of a path in the value of an expression.
    fn component(&self, expr: &Expr, path: &[Half]) -> Expr {
        match &**expr {
            Node::Var(name) => match self.parts.get(name) {
                Some(parts) => var(parts[path]),
                None => path.iter().fold(expr.clone(), |inner, half| project(*half, inner)),
            },
            // (5.11)
            Node::Pair(first, second) => match path.split_first() {
                Some((Half::First, rest)) => self.component(first, rest),
                Some((Half::Second, rest)) => self.component(second, rest),
                None => panic!("a pair is no component"),
            },
            Node::Project(half, inner) => self.component(inner, &[&[*half], path].concat()),
            // (5.12), (5.13)
            Node::Gen(range, inner) => generate(range.clone(), self.component(inner, path)),
            // (5.14), (5.15)
            Node::Access(inner, place) => access(self.component(inner, path), place.clone()),
            // (5.16), (5.17)
            Node::Bracket(predicate, inner) => {
                bracket(predicate.clone(), self.component(inner, path))
            }
            _ => map_operands(expr, &mut |operand| self.component(operand, &[])),
        }
    }

    /// The results, as pairs of tensors.
    fn results(&self, body: &Expr, of: &Type, path: &mut Path) -> Expr {
        match structure(of) {
            None => self.component(body, path),
            Some([first, second]) => {
                path.push(Half::First);
                let first = self.results(body, &first, path);
                path.pop();
                path.push(Half::Second);
                let second = self.results(body, &second, path);
                path.pop();
                pair(first, second)
            }
        }
    }
}

/// The halves of a type that has pairs.
fn structure(of: &Type) -> Option<[Type; 2]> {
    match of {
        Type::Number => None,
        Type::Pair(..) => Some([of.half(Half::First), of.half(Half::Second)]),
        Type::Tensor(_, element) => {
            structure(element)?;
            Some([of.half(Half::First), of.half(Half::Second)])
        }
    }
}

/// Results that pair elimination has made pairs of tensors, as values of the type
/// `wanted`, in which they may be tensors of pairs.
pub fn restore(expr: &Expr, wanted: &Type, names: &mut Names) -> Expr {
    let (mut lets, body) = split_lets(expr);
    let body = named_leaves(&body, &mut lets, names);
    bind_all(lets, rebuilt(&body, wanted, names))
}

fn named_leaves(expr: &Expr, lets: &mut Vec<(Var, Expr)>, names: &mut Names) -> Expr {
    match &**expr {
        Node::Pair(first, second) => {
            let first = named_leaves(first, lets, names);
            pair(first, named_leaves(second, lets, names))
        }
        Node::Var(_) => expr.clone(),
        _ => {
            let name = names.var();
            lets.push((name, expr.clone()));
            var(name)
        }
    }
}

fn rebuilt(expr: &Expr, wanted: &Type, names: &mut Names) -> Expr {
    match (wanted, &**expr) {
        (Type::Pair(first_type, second_type), Node::Pair(first, second)) => {
            let first = rebuilt(first, first_type, names);
            pair(first, rebuilt(second, second_type, names))
        }
        (Type::Tensor(size, element), Node::Pair(..)) => {
            let range = names.range(size);
            let place = Affine::index(range.index);
            let parts = accessed_leaves(expr, &place);
            generate(range, rebuilt(&parts, element, names))
        }
        _ => expr.clone(),
    }
}

fn accessed_leaves(expr: &Expr, place: &Affine) -> Expr {
    match &**expr {
        Node::Pair(first, second) => {
            pair(accessed_leaves(first, place), accessed_leaves(second, place))
        }
        _ => access(expr.clone(), place.clone()),
    }
}
