//! Brackets of whole tensors as tensors of brackets.

use crate::affine::Affine;
use crate::expr::{
    Expr, Names, Node, Type, Var, access_all, bind, bracket, generate_all, map_operands, type_of,
};
use crate::predicate::Range;
use std::collections::HashMap;

/// An expression with generations pushed out in which what a bracket guards is a number:
/// `[p] . x[a]`, of which (5.23) finds no generation, is the tensor of `[p] . x[a][i]`.
pub fn expand_brackets(expr: &Expr, inputs: &[(Var, Type)], names: &mut Names) -> Expr {
    expanded(expr, &mut inputs.iter().cloned().collect(), names)
}

fn expanded(expr: &Expr, kinds: &mut HashMap<Var, Type>, names: &mut Names) -> Expr {
    if let Node::Let(name, value, body) = &**expr {
        let value = expanded(value, kinds, names);
        kinds.insert(*name, kind(&value, kinds));
        return bind(*name, value, expanded(body, kinds, names));
    }
    let expr = map_operands(expr, &mut |operand| expanded(operand, kinds, names));
    let Node::Bracket(predicate, inner) = &*expr else { return expr };
    let mut of = kind(inner, kinds);
    let mut ranges: Vec<Range> = Vec::new();
    while let Type::Tensor(size, element) = of {
        ranges.push(names.range(&size));
        of = *element;
    }
    if ranges.is_empty() {
        return expr;
    }
    let places: Vec<Affine> = ranges.iter().map(|range| Affine::index(range.index)).collect();
    generate_all(&ranges, bracket(predicate.clone(), access_all(inner.clone(), &places)))
}

fn kind(expr: &Expr, kinds: &HashMap<Var, Type>) -> Type {
    type_of(expr, &|name| kinds[&name].clone())
}
