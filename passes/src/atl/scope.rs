//! What the names of the calculus stand for where operations are made of its
//! expressions.

use std::collections::HashMap;

use ad_calculus::{
    affine::{Affine, Index, Term},
    expr::{Expr, Half, Node, Path, Type as Kind, Var, negated, type_of},
    predicate::{Predicate, Range},
};
use ad_dialect::{
    capi,
    ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt},
};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use super::fragment::{Fragment, SizeOf, type_of_kind};
use crate::support::{
    builder::Builder,
    diag::{Reported, Result, internal_error},
};

/// The values of variables, indices and sizes.
pub struct Scope<'a, 'c> {
    /// What the program is.
    pub fragment: &'a Fragment<'c>,
    vars: HashMap<Var, (Val<'c>, Kind)>,
    indices: HashMap<Index, Val<'c>>,
    sizes: Vec<Val<'c>>,
}

impl<'a, 'c> Scope<'a, 'c> {
    /// The inputs and sizes of a program.
    pub fn new(b: &Builder<'c>, fragment: &'a Fragment<'c>) -> Self {
        let inputs = fragment.inputs.iter().zip(&fragment.values);
        let vars = inputs.map(|((name, kind), value)| {
            // A tensor without dimensions is a number.
            let is_one = *kind == Kind::Number && value.r#type().as_tensor().is_some();
            let value = if is_one { b.extract(*value, &[]) } else { *value };
            (*name, (value, kind.clone()))
        });
        let sizes = fragment.sizes.iter().map(|size| match size {
            SizeOf::Value(value) => *value,
            SizeOf::Dimension(value, path, dimension) => b.dim(part(b, *value, path), *dimension),
        });
        let sizes = sizes.collect();
        Scope { fragment, vars: vars.collect(), indices: HashMap::new(), sizes }
    }

    /// A value for a variable.
    pub fn bind(&mut self, name: Var, kind: Kind, value: Val<'c>) {
        self.vars.insert(name, (value, kind));
    }

    /// A value for an index.
    pub fn set_index(&mut self, index: Index, value: Val<'c>) {
        self.indices.insert(index, value);
    }

    /// Values for the indices of ranges.
    pub fn enter(&mut self, ranges: &[Range], indices: &[Val<'c>]) {
        ranges.iter().zip(indices).for_each(|(range, index)| self.set_index(range.index, *index));
    }

    /// The value of a variable.
    pub fn var(&self, name: Var) -> Result<Val<'c>> {
        Ok(self.vars.get(&name).ok_or_else(|| self.lost("a variable"))?.0)
    }

    /// The value of an index or of a size.
    pub fn term(&self, term: Term) -> Result<Val<'c>> {
        let value = match term {
            Term::Index(index) => self.indices.get(&index),
            Term::Size(size) => self.sizes.get(size.0 as usize),
        };
        value.copied().ok_or_else(|| self.lost("an index"))
    }

    /// The value of an affine expression.
    pub fn affine(&self, b: &Builder<'c>, value: &Affine) -> Result<Val<'c>> {
        let mut sum: Option<Val<'c>> = None;
        for (term, factor) in value.terms() {
            let known = self.term(term)?;
            sum = Some(match (sum, factor) {
                (Some(sum), -1) => b.sub(sum, known),
                (None, 1) => known,
                (sum, factor) => {
                    let part = match factor {
                        1 => known,
                        factor => b.mul(known, b.index(factor)),
                    };
                    sum.map_or(part, |sum| b.add(sum, part))
                }
            });
        }
        Ok(match (sum, value.offset()) {
            (None, offset) => b.index(offset),
            (Some(sum), 0) => sum,
            (Some(sum), offset) => b.add(sum, b.index(offset)),
        })
    }

    /// Pairs of parts that say together that a value is in front of the end of an array, as the value and the size of that,
    /// and the other parts: one unsigned comparison does for both.
    pub fn ranges(&self, parts: &[Predicate]) -> (Vec<(Affine, Affine)>, Vec<Predicate>) {
        let (mut ranges, mut rest): (Vec<_>, Vec<Predicate>) = (vec![], vec![]);
        for part in parts {
            let size = |other: &Predicate| {
                let (Predicate::NotNegative(x), Predicate::NotNegative(y)) = (part, other) else {
                    return None;
                };
                let size = x.plus(y).plus_constant(1);
                let value = if x.terms().count() < y.terms().count() { x } else { y };
                self.is_extent(&size).then(|| (value.clone(), size))
            };
            match rest.iter().enumerate().find_map(|(i, other)| Some((i, size(other)?))) {
                Some((other, range)) => {
                    rest.remove(other);
                    ranges.push(range);
                }
                None => rest.push(part.clone()),
            }
        }
        (ranges, rest)
    }

    /// Whether an expression is a size that an array has, which is not negative.
    fn is_extent(&self, size: &Affine) -> bool {
        let terms: Vec<_> = size.terms().collect();
        let [(term, 1)] = terms[..] else { return false };
        let value = self.term(term).ok().and_then(|value| value.defining_op());
        size.offset() == 0 && value.is_some_and(|op| op.op_name() == "tensor.dim")
    }

    /// The type of an expression.
    pub fn kind(&self, expr: &Expr) -> Kind {
        type_of(expr, &|name| self.vars.get(&name).map_or(Kind::Number, |(_, kind)| kind.clone()))
    }

    /// The MLIR type of an expression.
    pub fn mlir_type(&self, expr: &Expr) -> Type<'c> {
        type_of_kind(&self.kind(expr), self.fragment.number)
    }

    /// An error for what was to have a value.
    pub fn lost(&self, what: &str) -> Reported {
        internal_error(self.fragment.function, &format!("{what} has no value"))
    }
}

/// An operation on numbers, with operands as `emit` makes them; none if the
/// expression is something else.
pub fn arithmetic<'c>(
    b: &Builder<'c>,
    fragment: &Fragment<'c>,
    expr: &Expr,
    emit: &mut dyn FnMut(&Expr) -> Result<Val<'c>>,
) -> Result<Option<Val<'c>>> {
    Ok(Some(match &**expr {
        Node::Constant(value) => b.number(fragment.number, value.value()),
        Node::Add(left, right) => {
            let left = emit(left)?;
            match negated(right) {
                Some(right) => b.sub(left, emit(right)?),
                None => b.add(left, emit(right)?),
            }
        }
        Node::Mul(left, right) => match negated(expr) {
            Some(inner) => b.neg(emit(inner)?),
            None => {
                let left = emit(left)?;
                b.mul(left, emit(right)?)
            }
        },
        Node::Call(function, arguments) => {
            let arguments = arguments.iter().map(emit).collect::<Result<Vec<_>>>()?;
            let known = fragment.known_functions.get(function.0 as usize);
            let known =
                known.ok_or_else(|| internal_error(fragment.function, "a function has no name"))?;
            known.emit(b, &arguments, fragment.number)
        }
        _ => return Ok(None),
    }))
}

/// The parts of a conjunction or disjunction, joined by an operation.
pub fn joined<'c>(
    b: &Builder<'c>,
    predicate: &Predicate,
    emit: &mut dyn FnMut(&Predicate) -> Result<Val<'c>>,
) -> Result<Val<'c>> {
    let (name, parts, none) = match predicate {
        Predicate::And(parts) => ("arith.andi", parts, true),
        Predicate::Or(parts) => ("arith.ori", parts, false),
        other => return emit(other),
    };
    let parts = parts.iter().map(emit).collect::<Result<Vec<_>>>()?;
    Ok(join(b, name, parts, none))
}

/// Truth values, joined by an operation; what there is without any.
pub fn join<'c>(b: &Builder<'c>, name: &str, parts: Vec<Val<'c>>, none: bool) -> Val<'c> {
    let both = |left, right| b.same(name, &[left, right]);
    parts.into_iter().reduce(both).unwrap_or_else(|| b.truth(none))
}

/// Lets a function return what `emit` makes instead, and drops what is not needed
/// any more.
pub fn replace_results<'c>(
    context: &'c Context,
    function: Op<'c>,
    emit: impl FnOnce(&Builder<'c>) -> Result<Vec<Val<'c>>>,
) -> Result<()> {
    let block = function.body(0);
    let ends = block.and_then(|block| Some((block, block.term()?)));
    let (block, end) = ends.ok_or_else(|| internal_error(function, "it has no end"))?;
    let b = Builder::before(context, end, block).with_location(function.location());
    let wanted = end.operand_list();
    for (position, value) in emit(&b)?.into_iter().enumerate() {
        end.set_operand(position, b.cast(value, wanted[position].r#type()));
    }
    erase_unused(block);
    Ok(())
}

/// Erases what nobody uses in a function of the language, which has no effects: what
/// it calls is taken to have none.
pub fn erase_unused(block: Blk<'_>) {
    for op in block.body_ops().into_iter().rev() {
        if op.result_list().iter().all(|result| result.users().is_empty()) {
            op.erase();
        }
    }
}

/// The part of a value at the end of a path.
pub fn part<'c>(b: &Builder<'c>, value: Val<'c>, path: &Path) -> Val<'c> {
    path.iter().fold(value, |value, half| half_of(b, value, *half))
}

/// `atl.project`.
pub fn half_of<'c>(b: &Builder<'c>, pair: Val<'c>, half: Half) -> Val<'c> {
    let (first, second) = capi::pair_types(pair.r#type());
    let (number, of) = match half {
        Half::First => (0, first),
        Half::Second => (1, second),
    };
    b.val_with("atl.project", &[pair], of, &[("number", b.i64_attr(number))])
}
