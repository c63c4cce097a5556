//! Bodies of `tensor.generate`, `tensor.pad` and `linalg` operations: what they yield at a place.
//!
//! A body is read from its end. What only one arm of a choice reads is computed in the bracket of
//! that arm, so that an element that is out of range elsewhere is not read there.

use std::collections::HashMap;

use ad_dialect::{
    atl::{Affine, affine},
    capi,
    ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey, int_of},
    linalg::index_map,
};
use melior::ir::{Type, TypeLike, ValueLike};

use super::{
    site::{Raised, Site, from_outside, is_zero, plus},
    truth::Truth,
};
use crate::support::{
    builder::Builder,
    region::{clone_with, is_outside},
};

/// Copies for several arms of choices end here.
const MOST_OPERATIONS: usize = 1000;

/// An element that an argument of a body stands for.
pub type Element<'c> = (Val<'c>, Vec<Affine<'c>>);

/// A body at a place.
pub struct Body<'s, 'c> {
    site: &'s Site<'c>,
    number: Type<'c>,
    /// Arguments that are indices.
    pub indices: HashMap<ValueKey, Affine<'c>>,
    /// Arguments that are elements.
    pub elements: HashMap<ValueKey, Element<'c>>,
    /// What `linalg.index` asks for.
    pub points: Vec<Affine<'c>>,
    /// Numbers that were computed, in this bracket and those around it.
    scopes: Vec<HashMap<ValueKey, Val<'c>>>,
    emitted: usize,
}

impl<'s, 'c> Body<'s, 'c> {
    /// A body of the site's operation that computes numbers of a type.
    pub fn new(site: &'s Site<'c>, number: Type<'c>) -> Self {
        Self {
            site,
            number,
            indices: HashMap::new(),
            elements: HashMap::new(),
            points: vec![],
            scopes: vec![HashMap::new()],
            emitted: 0,
        }
    }

    /// Refuses operations in the body that do more than compute values.
    pub fn refuse_effects(root: Op<'c>) -> Raised<()> {
        let mut refused = None;
        root.for_each(&mut |op| {
            let is_known = op.key() == root.key()
                || !op.blocks().is_empty()
                || matches!(op.op_name(), "func.call")
                || op.op_name().ends_with(".yield")
                || capi::is_trivially_dead(op);
            if !is_known {
                refused.get_or_insert(op.op_name());
            }
        });
        refused.map_or(Ok(()), |name| Err(format!("has '{name}' inside, which has effects")))
    }

    /// A number of the body.
    pub fn number(&mut self, b: &Builder<'c>, value: Val<'c>) -> Raised<Val<'c>> {
        if let Some(known) = self.scopes.iter().find_map(|scope| scope.get(&value.key())) {
            return Ok(*known);
        }
        if value.r#type() != self.number {
            return Err(format!(
                "computes numbers of type {} for elements of type {}",
                value.r#type(),
                self.number
            ));
        }
        if is_outside(self.site.root, value) {
            return Ok(value);
        }
        let made = match (self.elements.get(&value.key()), value.defining_op()) {
            (Some((tensor, at)), _) => self.site.access(b, *tensor, at)?,
            (None, Some(op)) => self.operation(b, op, value)?,
            (None, None) => return Err("reads an argument that has no element".to_owned()),
        };
        self.emitted += 1;
        if self.emitted > MOST_OPERATIONS {
            return Err("chooses between too many values".to_owned());
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(value.key(), made);
        }
        Ok(made)
    }

    fn operation(&mut self, b: &Builder<'c>, op: Op<'c>, value: Val<'c>) -> Raised<Val<'c>> {
        let operands = op.operand_list();
        match op.op_name() {
            "arith.select" => self.choose(b, operands[0], operands[1], operands[2]),
            "scf.if" => {
                let position = value.position();
                let arm = |region| op.body(region).map(|body| body.ends());
                let (Some(then), Some(other)) = (arm(0), arm(1)) else {
                    return Err("has a choice with one arm only".to_owned());
                };
                self.choose(b, operands[0], then[position], other[position])
            }
            "arith.uitofp" => {
                let truth = self.truth(operands[0])?;
                let number = self.number;
                self.site.bracket(b, &truth, number, |b| Ok(b.one(number)))
            }
            "tensor.extract" => {
                let at = operands[1..].iter().map(|index| self.index(*index));
                let at = at.collect::<Raised<Vec<_>>>()?;
                self.refuse_inside(operands[0])?;
                self.site.access(b, operands[0], &at)
            }
            name if is_scalar_function(name) => {
                let is_alone = op.result_list().len() == 1 && op.blocks().is_empty();
                if !is_alone || name == "func.call" && operands.is_empty() {
                    return Err(format!("has '{name}' inside, which is no function of numbers"));
                }
                let operands = operands.iter().map(|operand| self.number(b, *operand));
                let operands = operands.collect::<Raised<Vec<_>>>()?;
                let copy = clone_with(b, op, &operands, &[value.r#type()]);
                copy.res(0).ok_or_else(|| "has an operation without a result".to_owned())
            }
            name => Err(format!("has '{name}' inside, which the tensor language has not")),
        }
    }

    fn choose(
        &mut self,
        b: &Builder<'c>,
        condition: Val<'c>,
        then: Val<'c>,
        other: Val<'c>,
    ) -> Raised<Val<'c>> {
        let truth = self.truth(condition)?;
        let (site, number) = (self.site, self.number);
        let parts = [(then, true), (other, false)].map(|(value, holds)| {
            let element = self.elements.get(&value.key()).map_or(value, |(tensor, _)| *tensor);
            if is_zero(element) {
                return Ok(None);
            }
            match if holds { truth.clone() } else { truth.negated(&site.outer) } {
                Truth::Known(false) => Ok(None),
                of => site.bracket(b, &of, number, |b| self.within(b, value)).map(Some),
            }
        });
        let parts = parts.into_iter().collect::<Raised<Vec<_>>>()?;
        Ok(super::site::total(b, number, parts.into_iter().flatten().collect()))
    }

    /// A number that is computed in a bracket.
    pub fn within(&mut self, b: &Builder<'c>, value: Val<'c>) -> Raised<Val<'c>> {
        self.scopes.push(HashMap::new());
        let value = self.number(b, value);
        self.scopes.pop();
        value
    }

    fn refuse_inside(&self, tensor: Val<'c>) -> Raised<()> {
        match is_outside(self.site.root, tensor) {
            true => Ok(()),
            false => Err("reads a tensor that is made inside".to_owned()),
        }
    }

    /// An index of the body.
    pub fn index(&self, value: Val<'c>) -> Raised<Affine<'c>> {
        if let Some(known) = self.indices.get(&value.key()) {
            return Ok(known.clone());
        }
        let is_index = |of: Type<'c>| of.is_index() || of.to_string() == "i64";
        let op = value.defining_op();
        let constant = op.filter(|op| op.op_name() == "arith.constant" && is_index(value.r#type()));
        if let Some(number) = constant.and_then(|op| op.attr("value")).and_then(int_of) {
            return Ok(Affine::constant(number));
        }
        if is_outside(self.site.root, value) && is_index(value.r#type()) {
            return Ok(from_outside(self.site.outer.as_index(value)));
        }
        let op = op.filter(|_| is_index(value.r#type()));
        let op = op.ok_or_else(|| "has an index that depends on data".to_owned())?;
        let operands = op.operand_list();
        let both = || -> Raised<_> { Ok((self.index(operands[0])?, self.index(operands[1])?)) };
        match op.op_name() {
            "arith.addi" => both().and_then(|(left, right)| plus(&left, &right, 1)),
            "arith.subi" => both().and_then(|(left, right)| plus(&left, &right, -1)),
            "arith.muli" => {
                let (left, right) = both()?;
                let (sum, times) =
                    if right.terms.is_empty() { (left, right) } else { (right, left) };
                if !times.terms.is_empty() {
                    return Err("has a product of indices".to_owned());
                }
                plus(&Affine::default(), &sum, times.constant)
            }
            "arith.index_cast" => self.index(operands[0]),
            "affine.apply" => {
                let map = op.attr("map").and_then(index_map);
                let at = operands.iter().map(|operand| self.index(*operand));
                let at = at.collect::<Raised<Vec<_>>>()?;
                let result = map.and_then(|(_, results)| affine(results.first()?, &at));
                result.ok_or_else(|| "has an index that is not affine".to_owned())
            }
            "tensor.dim" => {
                self.refuse_inside(operands[0])?;
                let dimension = self.index(operands[1])?;
                let rank = operands[0].r#type().shape().len();
                match usize::try_from(dimension.constant) {
                    Ok(d) if dimension.terms.is_empty() && d < rank => {
                        Ok(from_outside(self.site.size(operands[0], d)))
                    }
                    _ => Err("asks for a size along a dimension that varies".to_owned()),
                }
            }
            "linalg.index" => {
                let point = op.attr("dim").and_then(int_of);
                let point = point.and_then(|point| self.points.get(usize::try_from(point).ok()?));
                point.cloned().ok_or_else(|| "asks for a loop that is not there".to_owned())
            }
            "tensor.extract" => Err("has an index that depends on data".to_owned()),
            name => Err(format!("has an index by '{name}', which is not affine")),
        }
    }

    /// A predicate of the body.
    pub fn truth(&self, value: Val<'c>) -> Raised<Truth<'c>> {
        if let Some((mask, at)) = self.elements.get(&value.key()) {
            return Ok(self.member(*mask, at.clone()));
        }
        let op = value.defining_op();
        if let Some(op) = op.filter(|op| op.op_name() == "arith.constant") {
            let text = op.attr("value").map(|value| value.to_string());
            return Ok(Truth::Known(text.is_some_and(|text| text.starts_with("true"))));
        }
        if is_outside(self.site.root, value) {
            return Ok(Truth::Value(value));
        }
        let op = op.ok_or_else(|| "has a condition that is an argument".to_owned())?;
        let operands = op.operand_list();
        let both = || -> Raised<[Truth<'c>; 2]> {
            Ok([self.truth(operands[0])?, self.truth(operands[1])?])
        };
        let outer = &self.site.outer;
        match op.op_name() {
            "arith.cmpi" if operands[0].r#type() == outer.bool_type() => {
                Err("compares truth values".to_owned())
            }
            "arith.cmpi" => {
                let (left, right) = (self.index(operands[0])?, self.index(operands[1])?);
                let predicate = op.attr("predicate").and_then(int_of);
                let truth = predicate.and_then(|p| Truth::comparison(p, left, right));
                truth.ok_or_else(|| "compares indices as unsigned numbers".to_owned())
            }
            "arith.andi" => Ok(Truth::and(both()?.into())),
            "arith.ori" => Ok(Truth::or(both()?.into())),
            "arith.xori" => {
                let [left, right] = both()?;
                let (not_left, not_right) = (left.negated(outer), right.negated(outer));
                Ok(match (&left, &right) {
                    (Truth::Known(true), _) => not_right,
                    (_, Truth::Known(true)) => not_left,
                    _ => Truth::or(vec![
                        Truth::and(vec![left, not_right]),
                        Truth::and(vec![not_left, right]),
                    ]),
                })
            }
            "tensor.extract" => {
                self.refuse_inside(operands[0])?;
                let at = operands[1..].iter().map(|index| self.index(*index));
                Ok(self.member(operands[0], at.collect::<Raised<Vec<_>>>()?))
            }
            "arith.cmpf" => Err("chooses by a comparison of numbers, which are data; put the \
                                 choice in a function of numbers and call that"
                .to_owned()),
            name => Err(format!("has a condition by '{name}', which is no predicate of indices")),
        }
    }

    fn member(&self, mask: Val<'c>, at: Vec<Affine<'c>>) -> Truth<'c> {
        match mask.r#type().as_tensor() {
            Some(_) if at.is_empty() => Truth::Value(self.site.outer.extract(mask, &[])),
            Some(_) => Truth::Member(mask, at),
            None => Truth::Value(mask),
        }
    }
}

/// Whether an operation may be a function of numbers, as its operands then say.
pub fn is_scalar_function(name: &str) -> bool {
    let is_choice = matches!(name, "arith.select" | "arith.cmpf" | "arith.cmpi");
    name == "func.call" || (name.starts_with("arith.") || name.starts_with("math.")) && !is_choice
}
