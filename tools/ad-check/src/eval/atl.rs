//! The tensor language: the `atl` dialect as ATL Figures 4 and 5 say what its expressions mean.
//!
//! A pair is two values, and a tensor of pairs the pair of the tensors of their halves, which is the same [ATL 5.2].
//! The zeros of a bracket and the rows of a generation over nothing have the sizes that the value of the body would
//! have (see `sizes`).

use super::control::set_arguments;
use super::scalar::float;
use super::scalar::ops::FloatBinary;
use super::sizes::Sizes;
use super::soac::{Span, levels};
use super::tensor::advance;
use super::{Frame, Machine, check_type};
use crate::fault::{Fault, fault};
use crate::program::{FloatKind, Op, Opcode, Operand, Region, Type};
use crate::value::{Builder, Tensor, Value};
use ad_dialect::atl::Comparison;
use std::ops::Range;

/// What an op of the dialect does.
#[derive(Clone, Debug)]
pub enum Atl {
    Gen,
    Sum(FloatKind),
    Exists,
    Bracket,
    Access(Vec<Affine>),
    Compare(Comparison, Vec<Affine>),
    Member(Member),
    Pair,
    Project(usize),
}

/// A sum of operands, by their number, times constants, and a constant.
#[derive(Clone, Debug)]
pub struct Affine {
    pub terms: Vec<(usize, i64)>,
    pub constant: i64,
}

/// What `atl.member` asks for. Its first operands are the relation.
#[derive(Clone, Debug)]
pub struct Member {
    pub tensors: usize,
    /// Whether the relation is a tensor of truth values, and not a list.
    pub is_dense: bool,
    /// Whether the last place is the number of the tuple.
    pub at: bool,
    /// Whether the first array says where the tuples of each first place begin.
    pub is_compressed: bool,
    pub places: Vec<Affine>,
}

impl Machine<'_> {
    pub(super) fn atl_op(&mut self, frame: &mut Frame, op: &Op, code: &Atl) -> Result<(), Fault> {
        let value = match code {
            Atl::Gen => self.gen_op(frame, op)?,
            Atl::Sum(kind) => self.sum(frame, op, *kind)?,
            Atl::Exists => self.exists(frame, op)?,
            Atl::Bracket => self.bracket(frame, op)?,
            Atl::Access(places) => self.access(frame, op, places)?,
            Atl::Compare(comparison, sides) => self.compare(frame, op, *comparison, sides)?,
            Atl::Member(member) => truth(self.member(frame, op, member)?),
            Atl::Pair => {
                let (first, second) = (frame.take(op.operands[0]), frame.take(op.operands[1]));
                Value::Pair(Box::new([first, second]))
            }
            Atl::Project(half) => frame.get(op.operands[0]).halves()?[*half].clone(),
        };
        check_type(&op.result_types[0], &value)?;
        frame.set(op.results[0], value);
        Ok(())
    }

    /// A tensor of the values of the body [ATL 4.7].
    fn gen_op(&mut self, frame: &mut Frame, op: &Op) -> Result<Value, Fault> {
        let (sizes, body) = (frame.sizes(&op.operands)?, &op.regions[0]);
        let count = self.element_count(&sizes)?;
        let mut rows = Rows::new(&op.result_types[0], count);
        self.for_each(frame, body, &sizes, |_, value| rows.push(&value).map(|()| true))?;
        let row = match count {
            0 => self.sizes_of(frame, &[body], body.yields[0])?,
            _ => Sizes::of(frame.get(body.yields[0]))?,
        };
        rows.finish(self, &sizes, &row)
    }

    /// The sum of the values of the body, from the first to the last [ATL 4.8].
    fn sum(&mut self, frame: &mut Frame, op: &Op, kind: FloatKind) -> Result<Value, Fault> {
        let mut sum: Option<f64> = None;
        let sizes = self.extents_of_indices(frame, op)?;
        self.for_each(frame, &op.regions[0], &sizes, |machine, value| {
            let value = value.float()?;
            sum = Some(match sum {
                None => value,
                Some(sum) => {
                    machine.counts.float_ops += 1;
                    let next = float::binary(FloatBinary::Add, kind, sum, value);
                    machine.rounded(&Opcode::FloatBinary(FloatBinary::Add, kind), next).float()?
                }
            });
            Ok(true)
        })?;
        self.counts.span += levels(sizes.iter().product());
        Ok(Value::Float(sum.unwrap_or(0.0)))
    }

    /// Whether the body holds for some index [ATL 4.21]; those after the first are not tried.
    fn exists(&mut self, frame: &mut Frame, op: &Op) -> Result<Value, Fault> {
        let mut found = false;
        let sizes = self.extents_of_indices(frame, op)?;
        self.for_each(frame, &op.regions[0], &sizes, |_, value| {
            found |= value.int()? != 0;
            Ok(!found)
        })?;
        Ok(truth(found))
    }

    /// How many values each index takes: none below a size that is negative.
    fn extents_of_indices(&self, frame: &Frame, op: &Op) -> Result<Vec<usize>, Fault> {
        let extent = |&size: &Operand| Ok(usize::try_from(frame.get(size).int()?).unwrap_or(0));
        let sizes = op.operands.iter().map(extent).collect::<Result<Vec<_>, Fault>>()?;
        self.element_count(&sizes)?;
        Ok(sizes)
    }

    /// Hands the value of the body over for each index, the last one fastest, as long as more are wanted.
    fn for_each(
        &mut self,
        frame: &mut Frame,
        body: &Region,
        sizes: &[usize],
        mut take: impl FnMut(&mut Self, Value) -> Result<bool, Fault>,
    ) -> Result<(), Fault> {
        let mut index = vec![0; sizes.len()];
        let mut span = Span::start(self);
        for _ in 0..sizes.iter().product() {
            span.next(self);
            set_arguments(frame, body, index.iter().map(|&i| Value::Int(i as i64)));
            self.run(frame, body)?;
            let value = frame.get(body.yields[0]).clone();
            if !take(self, value)? {
                break;
            }
            advance(&mut index, sizes);
        }
        span.finish(self, 1);
        Ok(())
    }

    /// The value of the body if the condition holds, and zero otherwise [ATL 4.12].
    fn bracket(&mut self, frame: &mut Frame, op: &Op) -> Result<Value, Fault> {
        let body = &op.regions[0];
        if frame.get(op.operands[0]).int()? != 0 {
            self.run(frame, body)?;
            return Ok(frame.get(body.yields[0]).clone());
        }
        self.zeros_of_result(frame, op)
    }

    /// An element, or the part that it is in the tensor of the inner dimensions [ATL 4.11].
    fn access(&mut self, frame: &Frame, op: &Op, places: &[Affine]) -> Result<Value, Fault> {
        let mut index = vec![];
        for (d, place) in places.iter().enumerate() {
            let place = place.value(frame, op)?;
            let Ok(place) = usize::try_from(place) else {
                return fault(format!("index {place} is out of bounds for dimension {d}"));
            };
            index.push(place);
        }
        self.part(frame.get(op.operands[0]), &index)
    }

    fn part(&mut self, of: &Value, index: &[usize]) -> Result<Value, Fault> {
        if let Value::Pair(halves) = of {
            let first = self.part(&halves[0], index)?;
            return Ok(Value::Pair(Box::new([first, self.part(&halves[1], index)?])));
        }
        let tensor = of.tensor()?;
        let position = tensor.prefix_position(index)?;
        Ok(match tensor.shape().get(index.len()..) {
            None => return fault(format!("{} indices for {}", index.len(), of.describe())),
            Some([]) => {
                self.counts.reads += 1;
                tensor.element(position)
            }
            Some(inner) => Value::Tensor(tensor.window(position, inner.into())),
        })
    }

    /// How two whole numbers compare [ATL 4.18].
    fn compare(
        &mut self,
        frame: &Frame,
        op: &Op,
        comparison: Comparison,
        sides: &[Affine],
    ) -> Result<Value, Fault> {
        let [left, right] = sides else { return fault("internal error: not two sides") };
        let (left, right) = (left.value(frame, op)?, right.value(frame, op)?);
        self.counts.int_ops += 1;
        Ok(truth(match comparison {
            Comparison::Less => left < right,
            Comparison::LessOrEqual => left <= right,
            Comparison::Equal => left == right,
        }))
    }

    /// Whether numbers are related [ATL 4.20]; nothing is that is out of range.
    fn member(&mut self, frame: &Frame, op: &Op, member: &Member) -> Result<bool, Fault> {
        let values = member.places.iter().map(|place| place.value(frame, op));
        let mut values = values.collect::<Result<Vec<i128>, Fault>>()?;
        let relation = op.operands[..member.tensors].iter().map(|&r| frame.get(r).tensor());
        let relation = relation.collect::<Result<Vec<&Tensor>, Fault>>()?;
        if member.is_dense {
            let place = values.into_iter().map(usize::try_from).collect::<Result<Vec<_>, _>>();
            let position = place.ok().and_then(|place| relation[0].position(&place).ok());
            self.counts.reads += u64::from(position.is_some());
            return Ok(position.is_some_and(|p| relation[0].element(p) == Value::Int(1)));
        }
        let mut columns = &relation[..];
        let mut of_row = 0..usize::MAX;
        if let ([starts, rest @ ..], true) = (&relation[..], member.is_compressed) {
            columns = rest;
            of_row = self.tuples_of(starts, values.remove(0))?;
        }
        let count = columns.first().map_or(of_row.end, |column| column.len());
        if let Some(other) = columns.iter().find(|column| column.len() != count) {
            let other = other.len();
            return fault(format!("the arrays of a list have different sizes {count} and {other}"));
        }
        let numbers = match values.pop_if(|_| member.at).map(usize::try_from) {
            None => of_row.start..of_row.end.min(count),
            Some(Ok(number)) if of_row.contains(&number) && number < count => number..number + 1,
            Some(_) => 0..0,
        };
        for number in numbers {
            self.counts.reads += columns.len() as u64;
            let mut columns = columns.iter().zip(&values);
            let is_place = |(column, &value): (&&Tensor, &i128)| {
                column.element(number).int().is_ok_and(|known| i128::from(known) == value)
            };
            if columns.all(is_place) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The numbers of the tuples of a compressed list that have a value in their first place.
    fn tuples_of(&mut self, starts: &Tensor, value: i128) -> Result<Range<usize>, Fault> {
        let Ok(row) = usize::try_from(value) else { return Ok(0..0) };
        if row >= starts.len().saturating_sub(1) {
            return Ok(0..0);
        }
        self.counts.reads += 2;
        let (start, end) = (starts.element(row).int()?, starts.element(row + 1).int()?);
        if end < start {
            return fault(format!("the tuples of {row} end at {end}, but begin at {start}"));
        }
        let number = |number: i64| usize::try_from(number).unwrap_or(0);
        Ok(number(start)..number(end))
    }
}

impl Affine {
    /// The whole number that this is [ATL 4.13-4.17].
    fn value(&self, frame: &Frame, op: &Op) -> Result<i128, Fault> {
        let mut sum = i128::from(self.constant);
        for &(operand, factor) in &self.terms {
            let product = i128::from(factor) * i128::from(frame.get(op.operands[operand]).int()?);
            let Some(next) = sum.checked_add(product) else {
                return fault("has an index that is too large");
            };
            sum = next;
        }
        Ok(sum)
    }
}

fn truth(holds: bool) -> Value {
    Value::Int(i64::from(holds))
}

/// The values of a body, collected.
enum Rows {
    Leaf(Builder),
    Pair(Box<[Rows; 2]>),
}

impl Rows {
    fn new(ty: &Type, count: usize) -> Rows {
        match ty {
            Type::Pair(types) => {
                Rows::Pair(Box::new([Rows::new(&types[0], count), Rows::new(&types[1], count)]))
            }
            ty => Rows::Leaf(Builder::new(ty.elem().is_float(), count)),
        }
    }

    fn push(&mut self, value: &Value) -> Result<(), Fault> {
        match self {
            Rows::Leaf(builder) => builder.push(value),
            Rows::Pair(rows) => {
                let halves = value.halves()?;
                rows[0].push(&halves[0])?;
                rows[1].push(&halves[1])
            }
        }
    }

    fn finish(self, machine: &mut Machine, sizes: &[usize], row: &Sizes) -> Result<Value, Fault> {
        match (self, row) {
            (Rows::Leaf(builder), Sizes::Leaf(row)) => {
                let shape = [sizes, row].concat();
                machine.element_count(&shape)?;
                Ok(Value::Tensor(builder.finish(row, &mut machine.counts).reshaped(shape.into())))
            }
            (Rows::Pair(rows), Sizes::Pair(row)) => {
                let [first, second] = *rows;
                let first = first.finish(machine, sizes, &row[0])?;
                Ok(Value::Pair(Box::new([first, second.finish(machine, sizes, &row[1])?])))
            }
            _ => fault("internal error: rows of another type than the result"),
        }
    }
}
