//! What is added, as arithmetic of elements of arrays from outside of the nest.
//!
//! An element of what an inner map makes is what the body of that map makes of elements of its inputs. What is no quick
//! arithmetic is not computed again: it has to be stored first.

use std::collections::HashMap;

use ad_dialect::ir::{BlkExt, Op, OpExt, OpKey, TyExt, Val, ValExt};
use melior::ir::{BlockLike, ValueLike};

use super::nest::Nest;
use crate::support::{
    builder::{Builder, same_value},
    combinator::{array_result_count, is_iota, is_quick},
    region::{ValueMap, clone_op, is_outside},
};

/// The most operations in a term.
const MOST: usize = 32;

/// A value, by how it is made.
#[derive(Clone)]
pub enum Expr<'c> {
    /// An element of an array, by its number in `Term::elements`.
    Element(usize),
    /// A number from outside of the nest.
    Outside(Val<'c>),
    /// The result of an operation.
    Op(Op<'c>, Vec<Expr<'c>>),
}

/// An array, and the maps of the nest whose iterations its dimensions are indexed by.
#[derive(Clone)]
pub struct Element<'c> {
    pub array: Val<'c>,
    pub levels: Vec<usize>,
}

/// What is added.
pub struct Term<'c> {
    pub value: Expr<'c>,
    pub elements: Vec<Element<'c>>,
}

/// Why a value is no such arithmetic.
pub enum Obstacle<'c> {
    /// It is not if this is not stored in front of the nest.
    Computed(Val<'c>),
    /// It cannot be.
    Other,
}

impl<'c> Term<'c> {
    /// That of a number in a nest.
    pub fn of(nest: &Nest<'c>, value: Val<'c>) -> Result<Self, Obstacle<'c>> {
        let mut reader = Reader { nest, elements: vec![], operations: 0, inner: HashMap::new() };
        let value = reader.read(value, &[])?;
        Ok(Self { value, elements: reader.elements })
    }

    /// The number, made of elements.
    pub fn make(&self, b: &Builder<'c>, elements: &[Val<'c>]) -> Val<'c> {
        make(b, &self.value, elements)
    }
}

fn make<'c>(b: &Builder<'c>, expr: &Expr<'c>, elements: &[Val<'c>]) -> Val<'c> {
    match expr {
        Expr::Element(number) => elements[*number],
        Expr::Outside(value) => *value,
        Expr::Op(op, operands) => {
            let new = operands.iter().map(|operand| make(b, operand, elements));
            let mut names: ValueMap<'c> =
                op.operand_list().iter().map(ValExt::key).zip(new).collect();
            let copy = clone_op(b, *op, &mut names);
            copy.result_list()[0]
        }
    }
}

/// Follows values to where they come from.
struct Reader<'a, 'c> {
    nest: &'a Nest<'c>,
    elements: Vec<Element<'c>>,
    operations: usize,
    /// The maps of the nest whose iterations are those of inner maps that are followed.
    inner: HashMap<OpKey, usize>,
}

impl<'c> Reader<'_, 'c> {
    /// What the element of a value at the iterations of some maps is made of; a number has no indices.
    fn read(&mut self, value: Val<'c>, at: &[usize]) -> Result<Expr<'c>, Obstacle<'c>> {
        let maker = value.defining_op();
        if let (Some(op), Some(rest)) = (maker, at.get(1..))
            && op.op_name() == "soac.replicate"
        {
            return self.operand(op, 0, rest);
        }
        if is_outside(self.nest.front, value) {
            return self.outside(value, at);
        }
        let Some(op) = maker else { return self.argument(value, at) };
        match op.op_name() {
            "arith.constant" if at.is_empty() => Ok(Expr::Op(op, vec![])),
            "tensor.extract" => self.extract(op, at),
            "tensor.cast" => self.operand(op, 0, at),
            "soac.map" if !at.is_empty() && value.position() < array_result_count(op) => {
                self.map(op, value, at)
            }
            name if at.is_empty() && is_quick(name) && op.blocks().is_empty() => {
                self.operations += 1;
                if self.operations > MOST {
                    return Err(Obstacle::Other);
                }
                let operands = op.operand_list().into_iter().map(|operand| self.read(operand, &[]));
                Ok(Expr::Op(op, operands.collect::<Result<_, _>>()?))
            }
            _ => Err(Obstacle::Computed(value)),
        }
    }

    fn operand(&mut self, op: Op<'c>, i: usize, at: &[usize]) -> Result<Expr<'c>, Obstacle<'c>> {
        self.read(op.opnd(i).ok_or(Obstacle::Other)?, at)
    }

    fn outside(&mut self, value: Val<'c>, at: &[usize]) -> Result<Expr<'c>, Obstacle<'c>> {
        if at.is_empty() {
            return match value.r#type().as_tensor() {
                None => Ok(Expr::Outside(value)),
                Some(_) => Err(Obstacle::Other),
            };
        }
        let is_number = value.r#type().scalar().is_float_type();
        if is_iota(value) || !is_number || value.r#type().shape().len() != at.len() {
            return Err(Obstacle::Other);
        }
        let is_same = |known: &Element<'c>| same_value(known.array, value) && known.levels == at;
        let known = self.elements.iter().position(is_same);
        let number = known.unwrap_or(self.elements.len());
        if known.is_none() {
            self.elements.push(Element { array: value, levels: at.to_vec() });
        }
        Ok(Expr::Element(number))
    }

    /// An argument of a map is a row of its input.
    fn argument(&mut self, value: Val<'c>, at: &[usize]) -> Result<Expr<'c>, Obstacle<'c>> {
        let (level, input) = self.input_of(value).ok_or(Obstacle::Other)?;
        self.read(input, &[&[level], at].concat())
    }

    fn extract(&mut self, op: Op<'c>, at: &[usize]) -> Result<Expr<'c>, Obstacle<'c>> {
        let operands = op.operand_list();
        let Some((&array, indices)) = operands.split_first() else { return Err(Obstacle::Other) };
        // A tensor without dimensions is stored as its only number.
        if indices.is_empty() && !is_outside(self.nest.front, array) {
            return Err(Obstacle::Computed(op.res(0).ok_or(Obstacle::Other)?));
        }
        let level_of = |&index: &Val<'c>| {
            self.input_of(index).filter(|(_, input)| is_iota(*input)).map(|(level, _)| level)
        };
        let levels = indices.iter().map(level_of).collect::<Option<Vec<_>>>();
        self.read(array, &[&levels.ok_or(Obstacle::Other)?, at].concat())
    }

    /// The input of a map that an argument is a row of, and the map of the nest whose iterations that has.
    fn input_of(&self, argument: Val<'c>) -> Option<(usize, Val<'c>)> {
        let map = argument.owner_block()?.parent_operation()?;
        let own = self.nest.maps.iter().position(|own| own.key() == map.key());
        let level = own.or_else(|| self.inner.get(&map.key()).copied())?;
        Some((level, map.opnd(argument.position())?))
    }

    /// An element of what an inner map makes.
    fn map(&mut self, op: Op<'c>, value: Val<'c>, at: &[usize]) -> Result<Expr<'c>, Obstacle<'c>> {
        let end = op.body(0).and_then(|body| body.term());
        let end = end.and_then(|end| end.opnd(value.position())).ok_or(Obstacle::Other)?;
        let Some((&level, rest)) = at.split_first() else { return Err(Obstacle::Other) };
        let before = self.inner.insert(op.key(), level);
        let made = self.read(end, rest);
        match before {
            Some(before) => self.inner.insert(op.key(), before),
            None => self.inner.remove(&op.key()),
        };
        // What its body cannot be computed again for is stored as a whole.
        made.map_err(|_| Obstacle::Computed(value))
    }
}
