//! Operators on rows that work element by element.
//!
//! Such an operator is a sequence of maps over its operands and of operations on whole
//! tensors; what it reads besides may be the same for all elements, or be an array from
//! outside that has an element for each. Components of a tuple that are not arrays go
//! their own way, without reading the rows: the flag of a segmented operator, a factor
//! that all elements share.

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey, i32_array};
use melior::ir::{
    Attribute, ValueLike, attribute::DenseElementsAttribute, operation::OperationLike,
};

use crate::support::{
    builder::{Builder, same_value},
    region::{ValueMap, clone_op, copy_ops, free_values, renamed},
};

/// An operator that combines rows element by element.
pub struct Elementwise<'c> {
    body: Blk<'c>,
    /// Of each component, whether it is a row.
    pub is_row: Vec<bool>,
    /// Arrays from outside that are read along the rows.
    pub outside: Vec<Val<'c>>,
    /// The values in the body that are rows.
    rows: HashSet<ValueKey>,
}

impl<'c> Elementwise<'c> {
    /// The operator of a body, if it is such a one.
    pub fn of(body: Blk<'c>) -> Option<Self> {
        let arguments = body.arg_list();
        let yielded = body.term()?.operand_list();
        let is_array = |value: &Val<'c>| !value.r#type().shape().is_empty();
        let is_row: Vec<_> = arguments.iter().take(yielded.len()).map(is_array).collect();
        let rows = arguments.iter().filter(|value| is_array(value)).map(ValExt::key).collect();
        let mut this = Self { body, is_row, outside: vec![], rows };
        let mut lengths = vec![];
        for op in body.body_ops() {
            if this.reads_rows(op) {
                lengths.push(this.accept(op)?);
            }
        }
        let fits = |(value, &is_row): (&Val<'c>, &bool)| this.rows.contains(&value.key()) == is_row;
        let apart = yielded.iter().zip(&this.is_row).all(fits);
        (apart && this.is_row.contains(&true) && this.is_connected(&lengths)).then_some(this)
    }

    fn reads_rows(&self, op: Op<'c>) -> bool {
        let free = free_values(&op.blocks());
        op.operand_list().iter().chain(&free).any(|value| self.rows.contains(&value.key()))
    }

    /// Takes an operation that reads rows for one that makes rows of them; returns what
    /// has the same length.
    fn accept(&mut self, op: Op<'c>) -> Option<Vec<ValueKey>> {
        let operands: Vec<_> = match op.op_name() {
            "soac.map" => {
                let accs = op.attr("operandSegmentSizes").and_then(i32_array)?;
                let mixes = free_values(&op.blocks());
                if accs.get(1) != Some(&0) || mixes.iter().any(|v| self.rows.contains(&v.key())) {
                    return None;
                }
                op.operand_list()
            }
            name => {
                let shape = op.res(0)?.r#type().shape();
                let (dialect, _) = name.split_once('.')?;
                let tensors: Vec<_> = op
                    .operand_list()
                    .into_iter()
                    .filter(|value| value.r#type().as_tensor().is_some())
                    .collect();
                let alike = tensors.iter().all(|value| value.r#type().shape() == shape);
                let known = ["arith", "complex", "math"].contains(&dialect);
                if !known || !alike || op.result_count() != 1 || op.region_count() > 0 {
                    return None;
                }
                tensors
            }
        };
        for &value in operands.iter().filter(|value| !self.rows.contains(&value.key())) {
            match value.defining_op().filter(|_| self.is_inside(value)) {
                Some(op) if uniform(op).is_none() => return None,
                Some(_) => {}
                None if self.body.arg_list().iter().any(|&a| same_value(a, value)) => return None,
                None if self.outside.iter().any(|&known| same_value(known, value)) => {}
                None => self.outside.push(value),
            }
        }
        self.rows.extend(op.result_list().iter().map(ValExt::key));
        let results = op.result_list();
        Some(operands.iter().chain(&results).map(ValExt::key).collect())
    }

    fn is_inside(&self, value: Val<'c>) -> bool {
        self.body.ops().iter().any(|op| op.result_list().iter().any(|&r| same_value(r, value)))
    }

    /// Whether all rows have one length, because operations take them together or
    /// because their types say so.
    fn is_connected(&self, lengths: &[Vec<ValueKey>]) -> bool {
        let arguments = self.body.arg_list();
        let rows: Vec<_> =
            arguments.iter().filter(|value| self.rows.contains(&value.key())).collect();
        let size = |value: &Val<'c>| value.r#type().shape().first().copied();
        let same_static = rows.iter().all(|value| {
            size(value) == size(rows[0]) && size(value) != Some(ad_dialect::ir::DYNAMIC)
        });
        if same_static {
            return true;
        }
        let mut reached: HashSet<_> = rows.first().map(|value| value.key()).into_iter().collect();
        // Left and right operand of a component have one length.
        let pairs = arguments.iter().zip(arguments.iter().skip(self.is_row.len()));
        let pairs: Vec<_> = pairs.map(|(l, r)| vec![l.key(), r.key()]).collect();
        for _ in 0..=lengths.len() + pairs.len() {
            for group in lengths.iter().chain(&pairs) {
                if group.iter().any(|key| reached.contains(key)) {
                    reached.extend(group);
                }
            }
        }
        rows.iter().all(|value| reached.contains(&value.key()))
    }

    /// Emits the operator on one element of each row: `operands` are all left, then all
    /// right ones, `outside` the elements of the arrays from outside.
    pub fn apply(
        &self,
        b: &Builder<'c>,
        operands: &[Val<'c>],
        outside: &[Val<'c>],
    ) -> Vec<Val<'c>> {
        let mut names = ValueMap::new();
        let mut elements = ValueMap::new();
        for (argument, &operand) in self.body.arg_list().iter().zip(operands) {
            let is_row = self.rows.contains(&argument.key());
            if is_row { &mut elements } else { &mut names }.insert(argument.key(), operand);
        }
        elements.extend(self.outside.iter().map(ValExt::key).zip(outside.iter().copied()));
        for op in self.body.body_ops() {
            if !op.result_list().iter().any(|result| self.rows.contains(&result.key())) {
                clone_op(b, op, &mut names);
                continue;
            }
            let results = emit_element(b, op, &mut names, &elements);
            elements.extend(op.result_list().iter().map(ValExt::key).zip(results));
        }
        let yielded = self.body.ends();
        let known =
            |value: &Val<'c>| elements.get(&value.key()).or(names.get(&value.key())).copied();
        yielded.into_iter().map(|value| known(&value).unwrap_or(value)).collect()
    }

    /// Emits the components that are not rows.
    pub fn apply_uniform(&self, b: &Builder<'c>, operands: &[Val<'c>]) -> Vec<Val<'c>> {
        let arguments = self.body.arg_list();
        let uniform = arguments.iter().filter(|value| !self.rows.contains(&value.key()));
        let mut names: ValueMap<'c> =
            uniform.map(ValExt::key).zip(operands.iter().copied()).collect();
        for op in self.body.body_ops() {
            if !op.result_list().iter().any(|result| self.rows.contains(&result.key())) {
                clone_op(b, op, &mut names);
            }
        }
        let yielded = self.body.ends();
        let uniform = yielded.into_iter().filter(|value| !self.rows.contains(&value.key()));
        uniform.map(|value| renamed(&names, value)).collect()
    }
}

/// What an operation on rows makes of one element of each.
fn emit_element<'c>(
    b: &Builder<'c>,
    op: Op<'c>,
    names: &mut ValueMap<'c>,
    elements: &ValueMap<'c>,
) -> Vec<Val<'c>> {
    let b = b.with_location(op.location());
    let element = |value: Val<'c>, names: &ValueMap<'c>| match elements.get(&value.key()) {
        Some(&element) => element,
        None if value.r#type().as_tensor().is_some() => value
            .defining_op()
            .and_then(uniform)
            .map_or(value, |same| same.element(&b, names, value)),
        None => renamed(names, value),
    };
    let operands: Vec<_> = op.operand_list().into_iter().map(|v| element(v, names)).collect();
    let Some(body) = op.body(0) else {
        let attributes: Vec<_> = op
            .attributes()
            .filter_map(|(name, value)| {
                Some((name.as_string_ref().as_str().ok()?.to_owned(), value))
            })
            .collect();
        let attributes: Vec<_> =
            attributes.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let types: Vec<_> = op.result_list().iter().map(|result| result.r#type().row()).collect();
        return b.op_with(op.op_name(), &operands, &types, &attributes, &[]).result_list();
    };
    names.extend(body.arg_list().iter().map(ValExt::key).zip(operands));
    copy_ops(&b, body, names)
}

/// An array whose elements are all the same.
enum Uniform<'c> {
    Copies(Val<'c>),
    Scalar(Val<'c>),
    Constant(Attribute<'c>),
}

fn uniform<'c>(op: Op<'c>) -> Option<Uniform<'c>> {
    match op.op_name() {
        "soac.replicate" => op.opnd(0).map(Uniform::Copies),
        "linalg.fill" | "tensor.splat" => op.opnd(0).map(Uniform::Scalar),
        "arith.constant" => {
            let dense = DenseElementsAttribute::try_from(op.attr("value")?).ok()?;
            dense.is_splat().then(|| Uniform::Constant(dense.splat_value()))
        }
        _ => None,
    }
}

impl<'c> Uniform<'c> {
    /// An element of the array, which may be an array itself.
    fn element(&self, b: &Builder<'c>, names: &ValueMap<'c>, array: Val<'c>) -> Val<'c> {
        let renamed = |value: Val<'c>| renamed(names, value);
        let scalar = match *self {
            Self::Copies(value) => return renamed(value),
            Self::Scalar(value) => renamed(value),
            Self::Constant(value) => {
                let scalar = array.r#type().scalar();
                b.val_with("arith.constant", &[], scalar, &[("value", value)])
            }
        };
        let row = array.r#type().row();
        if row.as_tensor().is_none() {
            return scalar;
        }
        let array = renamed(array);
        let sizes = b.dynamic_dims(array);
        let outer = usize::from(array.r#type().shape()[0] == ad_dialect::ir::DYNAMIC);
        b.val("tensor.splat", &[&[scalar], &sizes[outer..]].concat(), row)
    }
}
