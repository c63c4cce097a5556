//! What function values become: a number that says which function it is, if there are several, and captured values.
//!
//! Functions of a class share places for captured values of the same type, so that those which all of them capture are
//! carried once.

use std::collections::HashMap;

use ad_dialect::ir::{DYNAMIC, OpExt, TyExt, Val};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use super::flow::{Flow, Target};
use crate::support::{
    builder::Builder,
    diag::{Reported, Result, error},
};

/// The values that a function value of a class becomes.
#[derive(Clone, Default)]
pub struct Layout<'c> {
    /// The functions that it may be.
    pub targets: Vec<Target<'c>>,
    /// The types of the values.
    pub types: Vec<Type<'c>>,
    /// For each function where what it captures is among the values.
    pub places: Vec<Vec<usize>>,
}

impl Layout<'_> {
    /// The number of a function.
    pub fn number(&self, callee: &str, captured: usize) -> Option<usize> {
        self.targets.iter().position(|t| t.callee == callee && t.captured == captured)
    }

    /// Whether the first value is the number of the function.
    pub fn has_number(&self) -> bool {
        self.targets.len() > 1
    }
}

/// The layouts of all classes.
pub struct Layouts<'c> {
    context: &'c Context,
    known: HashMap<usize, Option<Layout<'c>>>,
    /// The locations of closures that have been refused: copies of a function have the same.
    refused: HashMap<String, Reported>,
}

impl<'c> Layouts<'c> {
    /// None yet.
    pub fn new(context: &'c Context) -> Self {
        Self { context, known: HashMap::new(), refused: HashMap::new() }
    }

    /// The layout of a value, if it is a function of a class that is not open.
    pub fn of(&mut self, flow: &mut Flow<'c>, value: Val<'c>) -> Result<Option<Layout<'c>>> {
        match flow.class_of(value) {
            Some(class) if !flow.class(class).is_open => self.of_class(flow, class).map(Some),
            _ => Ok(None),
        }
    }

    /// The layout of a class.
    pub fn of_class(&mut self, flow: &mut Flow<'c>, class: usize) -> Result<Layout<'c>> {
        match self.known.get(&class) {
            Some(Some(layout)) => return Ok(layout.clone()),
            Some(None) => {
                let made = flow.class(class).targets.iter().map(|target| target.made);
                let mut made =
                    made.filter(|op| op.operand_list().iter().any(|&v| super::is_function(v)));
                let message = "captures a function that may be of its own kind, so that nothing bounds what it takes";
                return match made.next_back() {
                    Some(op) => {
                        let refused = self.refused.entry(op.location().to_string());
                        Err(*refused.or_insert_with(|| error(op, message)))
                    }
                    None => Ok(Layout::default()),
                };
            }
            None => self.known.insert(class, None),
        };
        let targets = flow.class(class).targets.clone();
        let mut types: Vec<Type<'c>> = vec![];
        if targets.len() > 1 {
            types.push(Type::index(self.context));
        }
        let first = types.len();
        let mut places = vec![];
        for target in &targets {
            let mut own: Vec<usize> = vec![];
            for r#type in self.captured(flow, target)? {
                let is_free = |k: &usize| types[*k] == r#type && !own.contains(k);
                let place = (first..types.len()).find(is_free).unwrap_or(types.len());
                if place == types.len() {
                    types.push(r#type);
                }
                own.push(place);
            }
            places.push(own);
        }
        let layout = Layout { targets, types, places };
        self.known.insert(class, Some(layout.clone()));
        Ok(layout)
    }

    /// The types of what a function captures.
    fn captured(&mut self, flow: &mut Flow<'c>, target: &Target<'c>) -> Result<Vec<Type<'c>>> {
        let mut types = vec![];
        for argument in target.made.operand_list() {
            match self.of(flow, argument)? {
                Some(layout) => types.extend(layout.types),
                None => types.push(argument.r#type()),
            }
        }
        Ok(types)
    }
}

/// What stands where a function captures nothing; nobody reads it.
pub fn placeholder<'c>(b: &Builder<'c>, r#type: Type<'c>) -> Val<'c> {
    let scalar = r#type.scalar();
    let is_number =
        scalar.is_float_type() || scalar.is_int_or_index_type() || scalar.is_complex_type();
    if r#type.as_tensor().is_some() && is_number {
        let unknown = r#type.shape().iter().filter(|&&size| size == DYNAMIC).count();
        let sizes: Vec<_> = (0..unknown).map(|_| b.index(0)).collect();
        return b.zeros(r#type, &sizes);
    }
    if r#type == scalar && is_number {
        return b.zero_scalar(r#type);
    }
    b.val("ub.poison", &[], r#type)
}
