//! From expressions of the calculus to operations of the `atl` dialect.

use std::collections::HashMap;

use ad_calculus::{
    affine::Affine,
    expr::{
        Expr, Names, Node, Type as Kind, access_all, accesses, generate_all, operands, project,
        type_of, type_of_input, untuple,
    },
    let_lift::split_lets,
    pairs::restore,
    predicate::{Predicate, Range},
};
use ad_dialect::{
    atl,
    ir::{Op, OpExt, Val},
};
use melior::{
    Context,
    ir::{Attribute, Type},
};

use super::{
    fragment::{Fragment, RelationOf},
    scope::{Scope, arithmetic, half_of, joined, replace_results},
};
use crate::support::{builder::Builder, diag::Result};

/// Puts `body` in the place of what the fragment's function computes. Its
/// results have the types that the function returns, but for pairs of tensors
/// in place of tensors of pairs.
pub fn export<'c>(context: &'c Context, fragment: &mut Fragment<'c>, body: &Expr) -> Result<()> {
    let wanted = type_of(&fragment.body, &|name| type_of_input(&fragment.inputs, name));
    let body = fragment.restored(body, &wanted);
    let fragment = &*fragment;
    let count = fragment.results.len();
    replace_results(context, fragment.function, |b| emit_all(b, fragment, &body, count))
}

/// Emits an expression that has `count` results, nested pairs of them.
pub fn emit_all<'c>(
    b: &Builder<'c>,
    fragment: &Fragment<'c>,
    body: &Expr,
    count: usize,
) -> Result<Vec<Val<'c>>> {
    let mut export = Export::new(b, fragment, body)?;
    let (lets, body) = split_lets(body);
    for (name, value) in &lets {
        let kind = export.scope.kind(value);
        let value = export.emit(b, value)?;
        export.scope.bind(*name, kind, value);
    }
    untuple(&body, count).into_iter().map(|result| export.emit(b, result)).collect()
}

impl<'c> Fragment<'c> {
    /// `body` with results of type `wanted`, where they are pairs of tensors.
    pub fn restored(&mut self, body: &Expr, wanted: &Kind) -> Expr {
        let of = type_of(body, &|name| type_of_input(&self.inputs, name));
        match of == *wanted {
            true => body.clone(),
            false => restore(body, wanted, &mut self.names),
        }
    }
}

struct Export<'a, 'c> {
    scope: Scope<'a, 'c>,
    names: Names,
    /// The values of the sizes of ranges.
    extents: HashMap<Affine, Val<'c>>,
}

impl<'a, 'c> Export<'a, 'c> {
    fn new(b: &Builder<'c>, fragment: &'a Fragment<'c>, body: &Expr) -> Result<Self> {
        let scope = Scope::new(b, fragment);
        let mut export = Export { scope, names: fragment.names.clone(), extents: HashMap::new() };
        for (_, kind) in &fragment.inputs {
            let leaves = kind.leaves().into_iter().filter(|path| !path.is_empty());
            for size in leaves.flat_map(|path| kind.leaf(&path).sizes()) {
                export.note_extent(b, &size)?;
            }
        }
        export.note_extents(b, body)?;
        Ok(export)
    }

    /// Computes the sizes of all ranges, which must not be in bodies.
    fn note_extents(&mut self, b: &Builder<'c>, expr: &Expr) -> Result<()> {
        match &**expr {
            Node::Gen(range, _) | Node::Sum(range, _) => self.note_extent(b, &range.size)?,
            Node::Bracket(predicate, _) => self.note_in_predicate(b, predicate)?,
            _ => {}
        }
        operands(expr).into_iter().try_for_each(|operand| self.note_extents(b, operand))
    }

    fn note_in_predicate(&mut self, b: &Builder<'c>, predicate: &Predicate) -> Result<()> {
        match predicate {
            Predicate::And(parts) | Predicate::Or(parts) => {
                parts.iter().try_for_each(|part| self.note_in_predicate(b, part))
            }
            Predicate::Exists(range, inner) => {
                self.note_extent(b, &range.size)?;
                self.note_in_predicate(b, inner)
            }
            _ => Ok(()),
        }
    }

    fn note_extent(&mut self, b: &Builder<'c>, size: &Affine) -> Result<()> {
        if self.extents.contains_key(size) {
            return Ok(());
        }
        let extent = self.scope.affine(b, size)?;
        self.extents.insert(size.clone(), extent);
        Ok(())
    }

    fn emit(&mut self, b: &Builder<'c>, expr: &Expr) -> Result<Val<'c>> {
        let fragment = self.scope.fragment;
        if let Some(value) = arithmetic(b, fragment, expr, &mut |inner| self.emit(b, inner))? {
            return Ok(value);
        }
        Ok(match &**expr {
            Node::Var(name) => self.scope.var(*name)?,
            Node::Pair(first, second) => {
                let both = [self.emit(b, first)?, self.emit(b, second)?];
                b.val("atl.pair", &both, self.scope.mlir_type(expr))
            }
            Node::Project(half, inner) => match self.scope.kind(inner) {
                of @ Kind::Tensor(..) => {
                    let whole = self.gathered(expr, &of);
                    self.emit(b, &whole)?
                }
                _ => {
                    let inner = self.emit(b, inner)?;
                    half_of(b, inner, *half)
                }
            },
            Node::Gen(..) | Node::Sum(..) => self.emit_indexed(b, expr)?,
            Node::Access(..) => {
                let (tensor, places) = accesses(expr);
                if let Some(half) = self.half_of_element(tensor, &places) {
                    return self.emit(b, &half);
                }
                let tensor = self.emit(b, tensor)?;
                let (terms, map) = self.map(b, &places)?;
                let operands = [vec![tensor], terms].concat();
                b.val_with("atl.access", &operands, self.scope.mlir_type(expr), &[("map", map)])
            }
            Node::Bracket(predicate, inner) => {
                let condition = self.emit_predicate(b, predicate)?;
                let of = self.scope.mlir_type(expr);
                let op = b.op_with("atl.bracket", &[condition], &[of], &[], &[vec![]]);
                b.fill_body(op, 0, "atl.yield", |b, _| Ok(vec![self.emit(&b, inner)?]))?;
                self.result(op)?
            }
            _ => return Err(self.scope.lost("an expression")),
        })
    }

    fn result(&self, op: Op<'c>) -> Result<Val<'c>> {
        op.res(0).ok_or_else(|| self.scope.lost("an operation"))
    }

    /// An element of a half of a tensor of pairs as what is in a half of its element.
    fn half_of_element(&self, tensor: &Expr, places: &[Affine]) -> Option<Expr> {
        let Node::Project(half, inner) = &**tensor else { return None };
        let rank = sizes_around_pairs(&self.scope.kind(inner)).len();
        let (outer, rest) = places.split_at_checked(rank).filter(|_| rank > 0)?;
        Some(access_all(project(*half, access_all(inner.clone(), outer)), rest))
    }

    /// A half of a tensor of pairs, element by element.
    fn gathered(&mut self, half: &Expr, of: &Kind) -> Expr {
        let sizes = sizes_around_pairs(of);
        let ranges: Vec<Range> = sizes.iter().map(|size| self.names.range(size)).collect();
        let places: Vec<Affine> = ranges.iter().map(|range| Affine::index(range.index)).collect();
        generate_all(&ranges, access_all(half.clone(), &places))
    }

    /// Generations that are one in the other, or sums, as one operation.
    fn emit_indexed(&mut self, b: &Builder<'c>, expr: &Expr) -> Result<Val<'c>> {
        let is_gen = matches!(**expr, Node::Gen(..));
        let mut ranges = Vec::new();
        let mut inner = expr;
        while let (Node::Gen(range, body), true) | (Node::Sum(range, body), false) =
            (&**inner, is_gen)
        {
            ranges.push(range.clone());
            inner = body;
        }
        let name = if is_gen { "atl.gen" } else { "atl.sum" };
        let of = self.scope.mlir_type(expr);
        let op = self.indexed(b, name, &ranges, of)?;
        b.fill_body(op, 0, "atl.yield", |b, indices| {
            self.scope.enter(&ranges, indices);
            Ok(vec![self.emit(&b, inner)?])
        })?;
        self.result(op)
    }

    fn indexed(
        &self,
        b: &Builder<'c>,
        name: &str,
        ranges: &[Range],
        of: Type<'c>,
    ) -> Result<Op<'c>> {
        let extents = ranges.iter().map(|range| self.extents.get(&range.size).copied());
        let extents =
            extents.collect::<Option<Vec<_>>>().ok_or_else(|| self.scope.lost("a size"))?;
        let arguments = vec![b.index_type(); ranges.len()];
        Ok(b.op_with(name, &extents, &[of], &[], &[arguments]))
    }

    /// The operands and the map of affine expressions.
    fn map(&self, b: &Builder<'c>, results: &[Affine]) -> Result<(Vec<Val<'c>>, Attribute<'c>)> {
        let mut expressions = Vec::new();
        for result in results {
            let terms = result.terms().map(|(term, factor)| Ok((self.scope.term(term)?, factor)));
            let terms = terms.collect::<Result<Vec<_>>>()?;
            expressions.push(atl::Affine { terms, constant: result.offset() });
        }
        atl::operands_and_map(b.context(), &expressions).ok_or_else(|| self.scope.lost("a map"))
    }

    fn emit_predicate(&mut self, b: &Builder<'c>, predicate: &Predicate) -> Result<Val<'c>> {
        Ok(match predicate {
            Predicate::True => b.truth(true),
            Predicate::False => b.truth(false),
            Predicate::Zero(value) => {
                let (left, right) = sides(value);
                self.compare(b, atl::Comparison::Equal, &left, &right)?
            }
            Predicate::NotNegative(value) => {
                let (right, left) = sides(value);
                match left.offset() {
                    1 => self.compare(b, atl::Comparison::Less, &left.plus_constant(-1), &right)?,
                    _ => self.compare(b, atl::Comparison::LessOrEqual, &left, &right)?,
                }
            }
            Predicate::Related(relation, places) => {
                let known = self.scope.fragment.relations.get(relation.0 as usize);
                match known.ok_or_else(|| self.scope.lost("a relation"))? {
                    RelationOf::Truth(value) => *value,
                    RelationOf::Member { tensors, at, compressed } => {
                        let (indices, map) = self.map(b, places)?;
                        let segments = [tensors.len() as i32, indices.len() as i32];
                        let mut attributes =
                            vec![("map", map), ("operandSegmentSizes", b.i32s_attr(&segments))];
                        for (name, is_so) in [("at", at), ("compressed", compressed)] {
                            if *is_so {
                                attributes.push((name, Attribute::unit(b.context())));
                            }
                        }
                        let operands = [&tensors[..], &indices].concat();
                        b.val_with("atl.member", &operands, b.bool_type(), &attributes)
                    }
                }
            }
            Predicate::And(_) | Predicate::Or(_) => {
                joined(b, predicate, &mut |part| self.emit_predicate(b, part))?
            }
            Predicate::Exists(range, inner) => {
                let ranges = std::slice::from_ref(range);
                let op = self.indexed(b, "atl.exists", ranges, b.bool_type())?;
                b.fill_body(op, 0, "atl.yield", |b, indices| {
                    self.scope.enter(ranges, indices);
                    Ok(vec![self.emit_predicate(&b, inner)?])
                })?;
                self.result(op)?
            }
        })
    }

    fn compare(
        &self,
        b: &Builder<'c>,
        comparison: atl::Comparison,
        left: &Affine,
        right: &Affine,
    ) -> Result<Val<'c>> {
        let (operands, map) = self.map(b, &[left.clone(), right.clone()])?;
        let comparison = b.i32_attr(comparison.number());
        let attributes = [("comparison", comparison), ("map", map)];
        Ok(b.val_with("atl.compare", &operands, b.bool_type(), &attributes))
    }
}

/// The sizes of a tensor whose elements are pairs, none for other types.
fn sizes_around_pairs(of: &Kind) -> Vec<Affine> {
    let mut sizes = Vec::new();
    let mut kind = of;
    while let Kind::Tensor(size, element) = kind {
        sizes.push(size.clone());
        kind = element;
    }
    if let Kind::Pair(..) = kind { sizes } else { vec![] }
}

/// What is added in an expression, and what is subtracted.
fn sides(value: &Affine) -> (Affine, Affine) {
    let offset = Affine::constant(value.offset());
    let parts = value.terms().map(|(term, factor)| Affine::term(term).times(factor));
    let (mut plus, mut minus) = (Affine::default(), Affine::default());
    for part in parts.chain([offset]) {
        let is_minus = part.offset() < 0 || part.terms().any(|(_, factor)| factor < 0);
        match is_minus {
            true => minus = minus.minus(&part),
            false => plus = plus.plus(&part),
        }
    }
    (plus, minus)
}
