//! What a block computes, element by element: every number in it gets a name, and
//! equal names mean equal numbers.
//!
//! Small static tensors are followed element by element through maps, reductions and
//! indexing by constants, so that the product of two matrices is known to treat its
//! rows apart. What is not understood becomes a number that depends on all operands.
//! Sums and products with the constants 0 and 1 are simplified as for real numbers.

use std::collections::HashMap;

use ad_dialect::{
    capi,
    ir::{
        Blk, BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, ValueKey, float_width, i32_array,
        i64_array, int_of,
    },
};
use melior::ir::{
    Attribute, Type, ValueLike,
    attribute::{AttributeLike, DenseElementsAttribute, FloatAttribute},
    operation::OperationLike,
};

use crate::{ad::rules::without, support::region::free_values};

/// The largest tensor that is followed element by element.
const LARGEST: i64 = 64;

/// The name of a number.
pub type Name = usize;

/// What a number is made from.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Term {
    /// An element of a value from outside.
    Given(ValueKey, usize),
    Integer(i64),
    /// The bits of a float as f64, and its own width.
    Float(u64, u32),
    /// An operation, with its attributes, of other numbers.
    Apply(String, Vec<Name>),
}

/// The numbers named so far.
#[derive(Default)]
pub struct Symbols {
    names: HashMap<Term, Name>,
    terms: Vec<Term>,
    /// For each number, the set of sources that its derivative depends on.
    sources: Vec<u64>,
    values: HashMap<ValueKey, Vec<Name>>,
}

/// The number of elements of a type, if they are followed one by one.
pub fn element_count(r#type: Type<'_>) -> Option<usize> {
    if r#type.as_tensor().is_none() {
        return Some(1);
    }
    let shape = r#type.shape();
    let count = shape.iter().try_fold(1, |product: i64, &size| product.checked_mul(size))?;
    (!shape.contains(&DYNAMIC) && count <= LARGEST).then_some(count as usize)
}

impl Symbols {
    /// Says that the elements of a value are the sources `first`, `first + 1`, ...
    pub fn set_sources(&mut self, value: Val<'_>, first: usize) {
        for (i, name) in self.of(value).into_iter().enumerate() {
            self.sources[name] = 1 << (first + i);
        }
    }

    /// The sources on which the derivative of a number depends, as a set of bits.
    pub fn sources_of(&self, name: Name) -> u64 {
        self.sources[name]
    }

    /// Whether a number is the constant 1.
    pub fn is_one(&self, name: Name) -> bool {
        matches!(self.terms[name], Term::Float(bits, _) if f64::from_bits(bits) == 1.0)
    }

    /// Whether a number is the constant 0.
    pub fn is_zero(&self, name: Name) -> bool {
        matches!(self.terms[name], Term::Float(bits, _) if f64::from_bits(bits) == 0.0)
    }

    /// The names of the elements of a value; one for all of them if they are too many.
    pub fn of(&mut self, value: Val<'_>) -> Vec<Name> {
        if let Some(names) = self.values.get(&value.key()) {
            return names.clone();
        }
        let count = element_count(value.r#type()).unwrap_or(1);
        let names: Vec<_> = (0..count).map(|i| self.name(Term::Given(value.key(), i), 0)).collect();
        self.values.insert(value.key(), names.clone());
        names
    }

    /// Names what the operations of a block compute.
    pub fn block(&mut self, block: Blk<'_>) {
        for op in block.body_ops() {
            let results = self.results(op).unwrap_or_else(|| self.opaque(op));
            for (result, names) in op.result_list().into_iter().zip(results) {
                self.values.insert(result.key(), names);
            }
        }
    }

    fn name(&mut self, term: Term, sources: u64) -> Name {
        if let Some(&name) = self.names.get(&term) {
            return name;
        }
        self.names.insert(term.clone(), self.terms.len());
        self.terms.push(term);
        self.sources.push(sources);
        self.terms.len() - 1
    }

    /// A number that an operation makes of others.
    fn apply(&mut self, what: String, of: Vec<Name>, flows: bool) -> Name {
        let sources = of.iter().fold(0, |set, &name| set | self.sources[name]);
        self.name(Term::Apply(what, of), if flows { sources } else { 0 })
    }

    fn integer(&self, name: Name) -> Option<i64> {
        match self.terms[name] {
            Term::Integer(value) => Some(value),
            _ => None,
        }
    }

    /// The results of an operation, if it is understood.
    fn results(&mut self, op: Op<'_>) -> Option<Vec<Vec<Name>>> {
        let result = op.res(0)?.r#type();
        let count = element_count(result)?;
        let names = match op.op_name() {
            "arith.constant" => self.constant(op, count)?,
            "tensor.extract" => {
                let operands = op.operand_list();
                let (array, indices) = operands.split_first()?;
                vec![self.of(*array).get(self.flat_index(*array, indices)?).copied()?]
            }
            "tensor.from_elements" => self.all(op),
            "tensor.insert" => {
                let operands = op.operand_list();
                let (value, array) = (op.opnd(0)?, op.opnd(1)?);
                let at = self.flat_index(array, operands.get(2..)?)?;
                let mut names = self.of(array);
                *names.get_mut(at)? = *self.of(value).first()?;
                names
            }
            "linalg.fill" | "soac.replicate" | "tensor.splat" => {
                element_count(op.opnd(0)?.r#type())?;
                self.of(op.opnd(0)?).into_iter().cycle().take(count).collect()
            }
            "soac.iota" => (0..count as i64).map(|i| self.name(Term::Integer(i), 0)).collect(),
            "tensor.cast" | "tensor.collapse_shape" | "tensor.expand_shape" => {
                element_count(op.opnd(0)?.r#type())?;
                self.of(op.opnd(0)?)
            }
            "tensor.extract_slice" => self.slice(op)?,
            "soac.map" => return self.map(op),
            "soac.reduce" => return self.reduce(op),
            "soac.with_acc" => {
                let arrays = op.operand_list();
                if arrays.iter().any(|array| element_count(array.r#type()).is_none()) {
                    return None;
                }
                let accs = arrays.into_iter().map(|array| self.of(array)).collect();
                return self.body(op.body(0)?, accs);
            }
            "soac.update_acc" => self.update(op)?,
            _ => self.elementwise(op, result, count)?,
        };
        Some(vec![names])
    }

    fn all(&mut self, op: Op<'_>) -> Vec<Name> {
        op.operand_list().into_iter().flat_map(|value| self.of(value)).collect()
    }

    fn constant(&mut self, op: Op<'_>, count: usize) -> Option<Vec<Name>> {
        let value = op.attr("value")?;
        if let Ok(dense) = DenseElementsAttribute::try_from(value) {
            if dense.is_splat() {
                return Some(vec![self.scalar_constant(dense.splat_value())?; count]);
            }
            return Some((0..count).map(|i| self.indexed(value, i)).collect());
        }
        Some(vec![self.scalar_constant(value)?])
    }

    fn scalar_constant(&mut self, value: Attribute<'_>) -> Option<Name> {
        if let Ok(float) = FloatAttribute::try_from(value) {
            let width = float_width(float.r#type());
            return Some(self.name(Term::Float(float.value().to_bits(), width), 0));
        }
        Some(match int_of(value) {
            Some(number) => self.name(Term::Integer(number), 0),
            None => self.name(Term::Apply(value.to_string(), vec![]), 0),
        })
    }

    fn indexed(&mut self, value: Attribute<'_>, i: usize) -> Name {
        self.name(Term::Apply(format!("{value}[{i}]"), vec![]), 0)
    }

    /// The row-major position of an element, if the indices are constants.
    fn flat_index(&mut self, array: Val<'_>, indices: &[Val<'_>]) -> Option<usize> {
        element_count(array.r#type())?;
        self.position(&array.r#type().shape(), indices)
    }

    /// The row-major position that constant indices give in the outer dimensions.
    fn position(&mut self, shape: &[i64], indices: &[Val<'_>]) -> Option<usize> {
        let mut at = 0;
        for (&index, &size) in indices.iter().zip(shape) {
            let name = *self.of(index).first()?;
            at = at * size + self.integer(name).filter(|i| (0..size).contains(i))?;
        }
        usize::try_from(at).ok()
    }

    /// A slice whose position is constant.
    fn slice(&mut self, op: Op<'_>) -> Option<Vec<Name>> {
        let array = op.opnd(0)?;
        element_count(array.r#type())?;
        let mut operands = op.operand_list().into_iter().skip(1);
        let mut resolve = |this: &mut Self, name: &str| -> Option<Vec<i64>> {
            let mut list = i64_array(op.attr(name)?)?;
            for entry in list.iter_mut().filter(|entry| **entry == DYNAMIC) {
                let name = *this.of(operands.next()?).first()?;
                *entry = this.integer(name)?;
            }
            Some(list)
        };
        let offsets = resolve(self, "static_offsets")?;
        let sizes = resolve(self, "static_sizes")?;
        let strides = resolve(self, "static_strides")?;
        let names = self.of(array);
        let mut positions = vec![0];
        for (k, size) in array.r#type().shape().into_iter().enumerate() {
            let along: Vec<_> = (0..*sizes.get(k)?).map(|i| offsets[k] + i * strides[k]).collect();
            positions = positions
                .into_iter()
                .flat_map(|at| along.iter().map(move |i| at * size + i))
                .collect();
        }
        positions.into_iter().map(|at| names.get(usize::try_from(at).ok()?).copied()).collect()
    }

    /// An accumulator with a value added at a constant index.
    fn update(&mut self, op: Op<'_>) -> Option<Vec<Name>> {
        let operands = op.operand_list();
        let [acc, indices @ .., value] = &operands[..] else { return None };
        let array = capi::acc_array(acc.r#type());
        let (mut names, value) = (self.of(*acc), self.of(*value));
        if element_count(array) != Some(names.len()) {
            return None;
        }
        let first = self.position(&array.shape(), indices)? * value.len();
        for (i, term) in value.into_iter().enumerate() {
            let sum = names.get_mut(first + i)?;
            *sum = self.simplified("arith.addf", "update_acc", vec![*sum, term], true);
        }
        Some(names)
    }

    /// A map of static width, iteration by iteration.
    fn map(&mut self, op: Op<'_>) -> Option<Vec<Vec<Name>>> {
        let (body, mut inputs) = (op.body(0)?, op.operand_list());
        let segments = i32_array(op.attr("operandSegmentSizes")?)?;
        let accs = inputs.split_off(*segments.first()? as usize);
        let width = self.width(&inputs)?;
        let arrays = op.result_count() - accs.len();
        let mut results = vec![vec![]; arrays];
        let mut accs: Vec<_> = accs.into_iter().map(|acc| self.of(acc)).collect();
        for i in 0..width {
            let mut arguments = self.rows(&inputs, i, width);
            arguments.extend(accs);
            let mut yielded = self.body(body, arguments)?;
            accs = yielded.split_off(arrays.min(yielded.len()));
            for (result, row) in results.iter_mut().zip(yielded) {
                result.extend(row);
            }
        }
        results.extend(accs);
        Some(results)
    }

    /// A reduction of static width, from left to right.
    fn reduce(&mut self, op: Op<'_>) -> Option<Vec<Vec<Name>>> {
        let (body, mut inputs) = (op.body(0)?, op.operand_list());
        let neutrals = inputs.split_off(op.result_count());
        let width = self.width(&inputs)?;
        let mut sum: Vec<_> = neutrals.into_iter().map(|value| self.of(value)).collect();
        for i in 0..width {
            sum.extend(self.rows(&inputs, i, width));
            sum = self.body(body, sum)?;
        }
        Some(sum)
    }

    /// The width of inputs that are all followed element by element.
    fn width(&self, inputs: &[Val<'_>]) -> Option<usize> {
        let width = *inputs.first()?.r#type().shape().first()?;
        let known = inputs.iter().all(|input| element_count(input.r#type()).is_some());
        (known && (0..=LARGEST).contains(&width)).then_some(width as usize)
    }

    fn rows(&mut self, inputs: &[Val<'_>], i: usize, width: usize) -> Vec<Vec<Name>> {
        let row = |names: Vec<Name>| {
            let length = names.len() / width;
            names[i * length..(i + 1) * length].to_vec()
        };
        inputs.iter().map(|&input| row(self.of(input))).collect()
    }

    /// What a body yields for the given arguments.
    fn body(&mut self, body: Blk<'_>, arguments: Vec<Vec<Name>>) -> Option<Vec<Vec<Name>>> {
        for (argument, names) in body.arg_list().into_iter().zip(arguments) {
            self.values.insert(argument.key(), names);
        }
        self.block(body);
        let yielded = body.term()?.operand_list();
        Some(yielded.into_iter().map(|value| self.of(value)).collect())
    }

    /// An operation on scalars or on tensors of one shape.
    fn elementwise(&mut self, op: Op<'_>, result: Type<'_>, count: usize) -> Option<Vec<Name>> {
        let (dialect, _) = op.op_name().split_once('.')?;
        let alike = |value: &Val<'_>| value.r#type().shape() == result.shape();
        let known = ["arith", "complex", "math"].contains(&dialect);
        if !known || op.result_count() != 1 || !op.operand_list().iter().all(alike) {
            return None;
        }
        let operands: Vec<_> = op.operand_list().into_iter().map(|v| self.of(v)).collect();
        let flows = result.is_differentiable() && !without::is_non_differentiable(op.op_name());
        let what = signature(op);
        Some(
            (0..count)
                .map(|i| {
                    let of = operands.iter().map(|names| names[i]).collect();
                    self.simplified(op.op_name(), &what, of, flows)
                })
                .collect(),
        )
    }

    /// An operation on scalars, without needless zeros and ones.
    fn simplified(&mut self, op: &str, what: &str, mut of: Vec<Name>, flows: bool) -> Name {
        if matches!(op, "arith.addf" | "arith.mulf" | "arith.addi" | "arith.muli") {
            of.sort_unstable();
        }
        let integers: Option<Vec<_>> = of.iter().map(|&name| self.integer(name)).collect();
        match (op, &of[..], integers.as_deref()) {
            ("arith.addi", _, Some(&[x, y])) => self.name(Term::Integer(x.wrapping_add(y)), 0),
            ("arith.muli", _, Some(&[x, y])) => self.name(Term::Integer(x.wrapping_mul(y)), 0),
            ("arith.subi", _, Some(&[x, y])) => self.name(Term::Integer(x.wrapping_sub(y)), 0),
            ("arith.addf", &[x, y], _) if self.is_zero(x) => y,
            ("arith.addf" | "arith.subf", &[x, y], _) if self.is_zero(y) => x,
            ("arith.mulf", &[x, y], _) if self.is_one(x) || self.is_zero(y) => y,
            ("arith.mulf", &[x, y], _) if self.is_one(y) || self.is_zero(x) => x,
            _ => self.apply(what.to_owned(), of, flows),
        }
    }

    /// Numbers of which only the operands are known.
    fn opaque(&mut self, op: Op<'_>) -> Vec<Vec<Name>> {
        let mut of = self.all(op);
        for value in free_values(&op.blocks()) {
            of.extend(self.of(value));
        }
        // Two operations with bodies are never taken for equal.
        let what = match op.region_count() {
            0 => signature(op),
            _ => format!("{}@{}", op.op_name(), op.key()),
        };
        let differentiable = !without::is_non_differentiable(op.op_name());
        let mut results = vec![];
        for (k, result) in op.result_list().into_iter().enumerate() {
            let count = element_count(result.r#type()).unwrap_or(1);
            let flows = differentiable && result.r#type().is_differentiable();
            let names = (0..count)
                .map(|i| self.apply(format!("{what}#{k}[{i}]"), of.clone(), flows))
                .collect();
            results.push(names);
        }
        results
    }
}

/// The name and the attributes of an operation.
fn signature(op: Op<'_>) -> String {
    let types = op.result_list().into_iter().map(|result| result.r#type().to_string());
    let attributes = op.attributes().map(|(name, value)| format!("{name:?}={value}"));
    types.chain(attributes).fold(op.op_name().to_owned(), |text, part| text + " " + &part)
}
