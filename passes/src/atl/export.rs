//! From expressions of the calculus to operations of the `atl` dialect.

use std::collections::HashMap;

use ad_calculus::{
    affine::{Affine, Index, Term},
    expr::{Expr, Half, Node, Path, Type as Kind, Var, operands, type_of},
    pairs::restore,
    predicate::{Predicate, Range},
};
use ad_dialect::{
    atl,
    ir::{BlkExt, Op, OpExt, Val},
};
use melior::{
    Context,
    ir::{Attribute, Type, ValueLike, operation::OperationLike},
};

use super::fragment::{Fragment, RelationOf, SizeOf, type_of_kind};
use crate::support::{
    builder::Builder,
    diag::{Result, internal_error},
    region::erase_dead_ops,
};

/// Puts `body` in the place of what the fragment's function computes. Its
/// results have the types that the function returns, but for pairs of tensors
/// in place of tensors of pairs.
pub fn export<'c>(context: &'c Context, fragment: &mut Fragment<'c>, body: &Expr) -> Result<()> {
    let block = fragment.function.body(0);
    let block = block.ok_or_else(|| internal_error(fragment.function, "it has no body"))?;
    let end = block.term();
    let end = end.ok_or_else(|| internal_error(fragment.function, "it has no end"))?;
    let b = Builder::before(context, end, block).with_location(end.location());
    let wanted = type_of(&fragment.body, &|name| fragment.kind_of_input(name));
    let body = fragment.restored(body, &wanted);
    let values = emit_all(&b, fragment, &body, fragment.results.len())?;
    for (position, value) in values.iter().enumerate() {
        let wanted = fragment.results[position];
        let value = match value.r#type() == wanted {
            true => *value,
            false => b.val("tensor.cast", &[*value], wanted),
        };
        end.set_operand(position, value);
    }
    erase_dead_ops(block);
    Ok(())
}

/// Emits an expression that has `count` results, nested pairs of them.
pub fn emit_all<'c>(
    b: &Builder<'c>,
    fragment: &Fragment<'c>,
    body: &Expr,
    count: usize,
) -> Result<Vec<Val<'c>>> {
    let mut export = Export::new(b, fragment, body)?;
    let mut inner = body;
    while let Node::Let(name, value, next) = &**inner {
        let kind = export.kind(value);
        let value = export.emit(b, value)?;
        export.vars.insert(*name, (value, kind));
        inner = next;
    }
    let mut values = Vec::new();
    while let Node::Pair(first, rest) = &**inner
        && values.len() + 1 < count
    {
        values.push(export.emit(b, first)?);
        inner = rest;
    }
    values.push(export.emit(b, inner)?);
    Ok(values)
}

impl<'c> Fragment<'c> {
    /// The type of an input.
    pub fn kind_of_input(&self, name: Var) -> Kind {
        let input = self.inputs.iter().find(|(input, _)| *input == name);
        input.map_or(Kind::Number, |(_, kind)| kind.clone())
    }

    /// `body` with results of type `wanted`, where they are pairs of tensors.
    pub fn restored(&mut self, body: &Expr, wanted: &Kind) -> Expr {
        let kinds: HashMap<Var, Kind> = self.inputs.iter().cloned().collect();
        let kind_of = |name: Var| kinds.get(&name).cloned().unwrap_or(Kind::Number);
        match type_of(body, &kind_of) == *wanted {
            true => body.clone(),
            false => restore(body, wanted, &mut self.names),
        }
    }
}

struct Export<'a, 'c> {
    fragment: &'a Fragment<'c>,
    vars: HashMap<Var, (Val<'c>, Kind)>,
    indices: HashMap<Index, Val<'c>>,
    /// The values of sizes.
    sizes: Vec<Val<'c>>,
    /// The values of the sizes of ranges.
    extents: HashMap<Affine, Val<'c>>,
}

impl<'a, 'c> Export<'a, 'c> {
    fn new(b: &Builder<'c>, fragment: &'a Fragment<'c>, body: &Expr) -> Result<Self> {
        let inputs = fragment.inputs.iter().zip(&fragment.values);
        let vars = inputs.map(|((name, kind), value)| (*name, (*value, kind.clone())));
        let sizes = fragment.sizes.iter().map(|size| match size {
            SizeOf::Value(value) => *value,
            SizeOf::Dimension(value, path, dimension) => b.dim(part(b, *value, path), *dimension),
        });
        let sizes = sizes.collect();
        let mut export = Export {
            fragment,
            vars: vars.collect(),
            indices: HashMap::new(),
            sizes,
            extents: HashMap::new(),
        };
        export.note_extents(b, body)?;
        Ok(export)
    }

    /// Computes the sizes of all ranges, which must not be in bodies.
    fn note_extents(&mut self, b: &Builder<'c>, expr: &Expr) -> Result<()> {
        match &**expr {
            Node::Gen(range, _) | Node::Sum(range, _) => self.note_extent(b, range)?,
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
                self.note_extent(b, range)?;
                self.note_in_predicate(b, inner)
            }
            _ => Ok(()),
        }
    }

    fn note_extent(&mut self, b: &Builder<'c>, range: &Range) -> Result<()> {
        if self.extents.contains_key(&range.size) {
            return Ok(());
        }
        let mut sum: Option<Val<'c>> = None;
        for (term, factor) in range.size.terms() {
            let value = self.term(term)?;
            let value = match factor {
                1 => value,
                factor => b.same("arith.muli", &[value, b.index(factor)]),
            };
            sum = Some(sum.map_or(value, |sum| b.same("arith.addi", &[sum, value])));
        }
        let extent = match (sum, range.size.offset()) {
            (None, offset) => b.index(offset),
            (Some(sum), 0) => sum,
            (Some(sum), offset) => b.same("arith.addi", &[sum, b.index(offset)]),
        };
        self.extents.insert(range.size.clone(), extent);
        Ok(())
    }

    fn term(&self, term: Term) -> Result<Val<'c>> {
        let value = match term {
            Term::Index(index) => self.indices.get(&index),
            Term::Size(size) => self.sizes.get(size.0 as usize),
        };
        value.copied().ok_or_else(|| self.lost("an index"))
    }

    fn lost(&self, what: &str) -> crate::support::diag::Reported {
        internal_error(self.fragment.function, &format!("{what} has no value"))
    }

    fn kind(&self, expr: &Expr) -> Kind {
        type_of(expr, &|name| self.vars.get(&name).map_or(Kind::Number, |(_, kind)| kind.clone()))
    }

    fn mlir_type(&self, expr: &Expr) -> Type<'c> {
        type_of_kind(&self.kind(expr), self.fragment.number)
    }

    fn emit(&mut self, b: &Builder<'c>, expr: &Expr) -> Result<Val<'c>> {
        let number = self.fragment.number;
        Ok(match &**expr {
            Node::Var(name) => self.vars.get(name).ok_or_else(|| self.lost("a variable"))?.0,
            Node::Constant(value) => b.number(number, value.value()),
            Node::Add(left, right) => {
                let left = self.emit(b, left)?;
                match negated(right) {
                    Some(right) => b.same("arith.subf", &[left, self.emit(b, right)?]),
                    None => b.same("arith.addf", &[left, self.emit(b, right)?]),
                }
            }
            Node::Mul(left, right) => match negated(expr) {
                Some(inner) => b.same("arith.negf", &[self.emit(b, inner)?]),
                None => {
                    let left = self.emit(b, left)?;
                    b.same("arith.mulf", &[left, self.emit(b, right)?])
                }
            },
            Node::Call(function, arguments) => {
                let arguments = arguments.iter().map(|argument| self.emit(b, argument));
                let arguments = arguments.collect::<Result<Vec<_>>>()?;
                let known = self.fragment.known_functions.get(function.0 as usize);
                known.ok_or_else(|| self.lost("a function"))?.emit(b, &arguments, number)
            }
            Node::Pair(first, second) => {
                let both = [self.emit(b, first)?, self.emit(b, second)?];
                b.val("atl.pair", &both, self.mlir_type(expr))
            }
            Node::Project(half, inner) => {
                let inner = self.emit(b, inner)?;
                half_of(b, inner, *half)
            }
            Node::Gen(..) | Node::Sum(..) => self.emit_indexed(b, expr)?,
            Node::Access(..) => {
                let (tensor, places) = accesses(expr);
                let tensor = self.emit(b, tensor)?;
                let (terms, map) = self.map(b, &places)?;
                let operands = [vec![tensor], terms].concat();
                b.val_with("atl.access", &operands, self.mlir_type(expr), &[("map", map)])
            }
            Node::Bracket(predicate, inner) => {
                let condition = self.emit_predicate(b, predicate)?;
                let of = self.mlir_type(expr);
                let op = b.op_with("atl.bracket", &[condition], &[of], &[], &[vec![]]);
                b.fill_body(op, 0, "atl.yield", |b, _| Ok(vec![self.emit(&b, inner)?]))?;
                self.result(op)?
            }
            Node::Let(..) => return Err(self.lost("a let in an expression")),
        })
    }

    fn result(&self, op: Op<'c>) -> Result<Val<'c>> {
        op.res(0).ok_or_else(|| self.lost("an operation"))
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
        let of = self.mlir_type(expr);
        let op = self.indexed(b, name, &ranges, of)?;
        b.fill_body(op, 0, "atl.yield", |b, indices| {
            self.enter(&ranges, indices);
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
        let extents = extents.collect::<Option<Vec<_>>>().ok_or_else(|| self.lost("a size"))?;
        let arguments = vec![b.index_type(); ranges.len()];
        Ok(b.op_with(name, &extents, &[of], &[], &[arguments]))
    }

    fn enter(&mut self, ranges: &[Range], indices: &[Val<'c>]) {
        let entered = ranges.iter().zip(indices);
        self.indices.extend(entered.map(|(range, index)| (range.index, *index)));
    }

    /// The operands and the map of affine expressions.
    fn map(&self, b: &Builder<'c>, results: &[Affine]) -> Result<(Vec<Val<'c>>, Attribute<'c>)> {
        let mut expressions = Vec::new();
        for result in results {
            let terms = result.terms().map(|(term, factor)| Ok((self.term(term)?, factor)));
            let terms = terms.collect::<Result<Vec<_>>>()?;
            expressions.push(atl::Affine { terms, constant: result.offset() });
        }
        atl::operands_and_map(b.context(), &expressions).ok_or_else(|| self.lost("a map"))
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
                let known = self.fragment.relations.get(relation.0 as usize);
                match known.ok_or_else(|| self.lost("a relation"))? {
                    RelationOf::Truth(value) => *value,
                    RelationOf::Member { tensors, at } => {
                        let (indices, map) = self.map(b, places)?;
                        let segments = [tensors.len() as i32, indices.len() as i32];
                        let mut attributes =
                            vec![("map", map), ("operandSegmentSizes", b.i32s_attr(&segments))];
                        if *at {
                            attributes.push(("at", Attribute::unit(b.context())));
                        }
                        let operands = [&tensors[..], &indices].concat();
                        b.val_with("atl.member", &operands, b.bool_type(), &attributes)
                    }
                }
            }
            Predicate::And(parts) => self.emit_joined(b, "arith.andi", parts)?,
            Predicate::Or(parts) => self.emit_joined(b, "arith.ori", parts)?,
            Predicate::Exists(range, inner) => {
                let ranges = std::slice::from_ref(range);
                let op = self.indexed(b, "atl.exists", ranges, b.bool_type())?;
                b.fill_body(op, 0, "atl.yield", |b, indices| {
                    self.enter(ranges, indices);
                    Ok(vec![self.emit_predicate(&b, inner)?])
                })?;
                self.result(op)?
            }
        })
    }

    fn emit_joined(&mut self, b: &Builder<'c>, name: &str, parts: &[Predicate]) -> Result<Val<'c>> {
        let mut joined: Option<Val<'c>> = None;
        for part in parts {
            let part = self.emit_predicate(b, part)?;
            joined = Some(joined.map_or(part, |joined| b.same(name, &[joined, part])));
        }
        joined.ok_or_else(|| self.lost("an empty predicate"))
    }

    fn compare(
        &self,
        b: &Builder<'c>,
        comparison: atl::Comparison,
        left: &Affine,
        right: &Affine,
    ) -> Result<Val<'c>> {
        let (operands, map) = self.map(b, &[left.clone(), right.clone()])?;
        let comparison = super::i32_attr(b, comparison.number());
        let attributes = [("comparison", comparison), ("map", map)];
        Ok(b.val_with("atl.compare", &operands, b.bool_type(), &attributes))
    }
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

/// What is multiplied by minus one.
pub fn negated(expr: &Expr) -> Option<&Expr> {
    match &**expr {
        Node::Mul(left, right) => match &**left {
            Node::Constant(value) if value.value() == -1.0 => Some(right),
            _ => None,
        },
        _ => None,
    }
}

/// A tensor and the places at which it is accessed.
pub fn accesses(expr: &Expr) -> (&Expr, Vec<Affine>) {
    let mut places = Vec::new();
    let mut inner = expr;
    while let Node::Access(tensor, place) = &**inner {
        places.push(place.clone());
        inner = tensor;
    }
    places.reverse();
    (inner, places)
}

/// The part of a value at the end of a path.
pub fn part<'c>(b: &Builder<'c>, value: Val<'c>, path: &Path) -> Val<'c> {
    path.iter().fold(value, |value, half| half_of(b, value, *half))
}

/// `atl.project`.
fn half_of<'c>(b: &Builder<'c>, pair: Val<'c>, half: Half) -> Val<'c> {
    let (first, second) = ad_dialect::capi::pair_types(pair.r#type());
    let (number, of) = match half {
        Half::First => (0, first),
        Half::Second => (1, second),
    };
    b.val_with("atl.project", &[pair], of, &[("number", b.i64_attr(number))])
}
