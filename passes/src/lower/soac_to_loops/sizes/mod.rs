//! How large the rows of a loop's result are, before the loop runs.
//!
//! The size of a value inside of a body is found by recursion over the operations
//! that make it, down to values that are defined before the loop. Scalars that
//! sizes depend on are computed again in front of the loop; what must not run
//! unless the body does (a division, a read of an element) is guarded by the
//! condition that it does. So an empty loop runs nothing, and its rows may then have
//! any size.
//!
//! Where an iteration chooses between two rows, either size is that of all rows if the
//! two are equal, which is checked in front of the loop.

mod control;

use std::collections::{HashMap, HashSet};

use ad_dialect::{
    capi,
    ir::{BlkExt, BlockKey, Op, OpExt, TyExt, Val, ValExt, ValueKey, i32_array, i64_array},
};
use melior::ir::{BlockLike, ValueLike, operation::OperationLike};

use super::{Lowering, input_count, is_dynamic, source::Source};
use crate::support::{
    builder::{Builder, same_value},
    combinator::{constant_index, strip_casts},
    diag::{Reported, error_with_notes, internal_error},
    extent::{Extent, extent_of},
    region::{clone_op, free_values},
    reshape,
    update::Update,
};

/// Why a size cannot be known before the loop.
pub struct Obstacle<'c> {
    op: Option<Op<'c>>,
    why: &'static str,
}

type Found<'c> = std::result::Result<Val<'c>, Obstacle<'c>>;

const DEPENDS: &str = "it depends on the iteration";
const UNKNOWN: &str = "nothing is known about sizes here";
const DIFFER: &str = "the cases yield different sizes";
const CHANGES: &str = "the size changes from iteration to iteration of this loop";

/// Finds sizes of values for use at one position.
pub struct Sizes<'a, 'c> {
    lowering: &'a Lowering<'c>,
    b: Builder<'c>,
    /// The blocks around the position.
    around: HashSet<BlockKey>,
    dims: HashMap<(ValueKey, usize), Val<'c>>,
    scalars: HashMap<ValueKey, Val<'c>>,
    /// Whether the value that is asked for must have one size in all iterations, so
    /// that equal sizes may be required at run time.
    is_required: bool,
}

impl<'a, 'c> Sizes<'a, 'c> {
    /// Sizes for use at the position of a builder.
    pub fn new(lowering: &'a Lowering<'c>, b: Builder<'c>) -> Self {
        let mut around = HashSet::new();
        let mut next = Some(b.block());
        while let Some(block) = next {
            around.insert(block.key());
            next = block.parent_operation().and_then(|op| op.block());
        }
        let (dims, scalars) = (HashMap::new(), HashMap::new());
        Self { lowering, b, around, dims, scalars, is_required: true }
    }

    /// Reports that a dimension of a result has no size that holds for all iterations.
    pub fn irregular(
        &self,
        op: Op<'c>,
        result: usize,
        dimension: usize,
        obstacle: Obstacle<'c>,
    ) -> Reported {
        let message = format!(
            "makes irregular rows: the size of dimension {dimension} of result {result} is not \
             known before the first iteration; give all rows one size, for instance by padding"
        );
        let notes: Vec<_> =
            obstacle.op.map(|op| (op, obstacle.why.to_owned())).into_iter().collect();
        error_with_notes(op, &message, &notes)
    }

    /// Reports that the size of an array that a loop runs over is not known.
    pub fn unknown(&self, array: Val<'c>, obstacle: Obstacle<'c>) -> Reported {
        let op = obstacle.op.or(array.defining_op()).or(self.b.block().parent_operation());
        match op {
            Some(op) => internal_error(op, "the size of an array is not known"),
            None => unreachable!("a block without operation"),
        }
    }

    fn is_visible(&self, value: Val<'c>) -> bool {
        value.parent_block().is_some_and(|block| self.around.contains(&block.key()))
    }

    /// The size of a dimension of a tensor.
    pub fn dim(&mut self, tensor: Val<'c>, d: usize) -> Found<'c> {
        if let Some(&size) = tensor.r#type().shape().get(d).filter(|&&size| !is_dynamic(size)) {
            return Ok(self.b.index(size));
        }
        if let Some(&known) = self.dims.get(&(tensor.key(), d)) {
            return Ok(known);
        }
        let is_real = |array| matches!(self.lowering.source(array), Source::Array(_));
        let inner = strip_casts(tensor);
        let size = if let Some(size) = self.evident(tensor, d, &is_real) {
            size
        } else if inner.key() != tensor.key() {
            self.dim(inner, d)?
        } else if self.is_visible(tensor) && is_real(tensor) {
            self.b.dim(tensor, d)
        } else if let Some(op) = tensor.defining_op() {
            self.dim_of_result(op, tensor.position(), d)?
        } else {
            self.dim_of_argument(tensor, d)?
        };
        self.dims.insert((tensor.key(), d), size);
        Ok(size)
    }

    /// A size that definitions lead to without computing anything, so that equal sizes are
    /// the same value.
    fn evident(
        &self,
        tensor: Val<'c>,
        d: usize,
        is_real: &impl Fn(Val<'c>) -> bool,
    ) -> Option<Val<'c>> {
        match extent_of(tensor, d) {
            Extent::Known(number) => Some(self.b.index(number)),
            Extent::Value(value) => self.is_visible(value).then_some(value),
            Extent::Dim(array, i) => {
                (self.is_visible(array) && is_real(array)).then(|| self.b.dim(array, i))
            }
        }
    }

    fn operand_dim(&mut self, op: Op<'c>, operand: usize, d: usize) -> Found<'c> {
        match op.opnd(operand) {
            Some(tensor) => self.dim(tensor, d),
            None => Err(Obstacle { op: Some(op), why: UNKNOWN }),
        }
    }

    fn operand_scalar(&mut self, op: Op<'c>, operand: usize) -> Found<'c> {
        match op.opnd(operand) {
            Some(scalar) => self.scalar(scalar),
            None => Err(Obstacle { op: Some(op), why: UNKNOWN }),
        }
    }

    /// The size of what a block ends with.
    fn yielded_dim(&mut self, op: Op<'c>, region: usize, k: usize, d: usize) -> Found<'c> {
        match op.body(region).and_then(|body| body.term()).and_then(|end| end.opnd(k)) {
            Some(value) => self.dim(value, d),
            None => Err(Obstacle { op: Some(op), why: UNKNOWN }),
        }
    }

    fn dim_of_result(&mut self, op: Op<'c>, k: usize, d: usize) -> Found<'c> {
        match op.op_name() {
            "tensor.empty" | "tensor.generate" => {
                self.operand_scalar(op, dynamic_before(&result_shape(op, k), d))
            }
            "tensor.splat" => self.operand_scalar(op, 1 + dynamic_before(&result_shape(op, k), d)),
            "tensor.insert" | "tensor.insert_slice" | "arith.select" => self.operand_dim(op, 1, d),
            "tensor.extract_slice" => self.dim_of_slice(op, d),
            "tensor.expand_shape" => self.dim_of_expanded(op, d),
            "tensor.collapse_shape" => self.dim_of_collapsed(op, d),
            "soac.map" if k < op.result_count() + input_count(op) - op.operand_count() => {
                if d == 0 { self.operand_dim(op, 0, 0) } else { self.yielded_dim(op, 0, k, d - 1) }
            }
            // Accumulators and outputs are the last operands and the last results.
            "soac.map" | "scf.forall" | "scf.parallel" => {
                self.operand_dim(op, op.operand_count() + k - op.result_count(), d)
            }
            "soac.reduce" => self.operand_dim(op, input_count(op) + k, d),
            "soac.scan" => self.operand_dim(op, k, d),
            "soac.hist" | "soac.scatter" => match Update::of(op).dests.get(k) {
                Some(&dest) => self.dim(dest, d),
                None => Err(Obstacle { op: Some(op), why: UNKNOWN }),
            },
            "soac.update_acc" => self.operand_dim(op, 0, d),
            "soac.iota" => self.operand_scalar(op, 0),
            "soac.replicate" if d == 0 => self.operand_scalar(op, 1),
            "soac.replicate" => self.operand_dim(op, 0, d - 1),
            "scf.for" => self.dim_of_carried(op, k, d),
            "scf.if" => self.dim_of_branches(op, k, d),
            "scf.execute_region" => self.yielded_dim(op, 0, k, d),
            "tensor.reshape" => self.dim_of_reshaped(op, d),
            "scf.index_switch" => self.dim_of_switch(op, k, d),
            "scf.while" => self.dim_of_while_result(op, k, d),
            "func.call" => self.dim_of_call(op, k, d),
            name if name.starts_with("linalg.") => self.operand_dim(op, input_count(op) + k, d),
            name if is_elementwise(name) => self.operand_dim(op, 0, d),
            _ => Err(Obstacle { op: Some(op), why: UNKNOWN }),
        }
    }

    fn dim_of_argument(&mut self, argument: Val<'c>, d: usize) -> Found<'c> {
        let owner = argument.owner_block().and_then(|block| block.parent_operation());
        let position = argument.position();
        let Some(op) = owner else { return Err(Obstacle { op: None, why: UNKNOWN }) };
        match op.op_name() {
            "soac.map" if position < input_count(op) => self.operand_dim(op, position, d + 1),
            "soac.map" => self.operand_dim(op, position, d),
            "soac.reduce" | "soac.scan" => {
                let inputs = input_count(op);
                self.operand_dim(op, inputs + position % inputs.max(1), d)
            }
            "soac.hist" => {
                let neutrals = Update::of(op).neutrals;
                match neutrals.get(position % neutrals.len().max(1)) {
                    Some(&neutral) => self.dim(neutral, d),
                    None => Err(Obstacle { op: Some(op), why: UNKNOWN }),
                }
            }
            "scf.for" if position > 0 => self.dim_of_carried(op, position - 1, d),
            "scf.while" => self.dim_of_while_argument(op, argument, d),
            "scf.forall" => {
                let arguments = op.body(0).map(|body| body.arg_list().len()).unwrap_or_default();
                self.operand_dim(op, op.operand_count() + position - arguments, d)
            }
            _ => Err(Obstacle { op: Some(op), why: UNKNOWN }),
        }
    }

    fn dim_of_slice(&mut self, op: Op<'c>, d: usize) -> Found<'c> {
        let statics = |name| op.attr(name).and_then(i64_array).unwrap_or_default();
        let (sizes, result) = (statics("static_sizes"), result_shape(op, 0));
        let segments = op.attr("operandSegmentSizes").and_then(i32_array).unwrap_or_default();
        let first = segments.iter().take(2).sum::<i32>() as usize;
        // Unit sizes may be dropped from the type; the others stay in order.
        let mut kept = vec![];
        for (i, size) in sizes.iter().enumerate() {
            let may_drop = *size == 1 && sizes.len() - i > result.len() - kept.len();
            if !may_drop || result.get(kept.len()) == Some(size) && kept.len() < result.len() {
                kept.push(i);
            }
        }
        match kept.get(d) {
            Some(&i) if sizes.get(i).is_some_and(|&n| !is_dynamic(n)) => {
                Ok(self.b.index(sizes.get(i).copied().unwrap_or(1)))
            }
            Some(&i) => self.operand_scalar(op, first + dynamic_before(&sizes, i)),
            None => Err(Obstacle { op: Some(op), why: UNKNOWN }),
        }
    }

    fn dim_of_expanded(&mut self, op: Op<'c>, d: usize) -> Found<'c> {
        let sizes = op.attr("static_output_shape").and_then(i64_array).unwrap_or_default();
        self.operand_scalar(op, 1 + dynamic_before(&sizes, d))
    }

    /// The size is an element of an array, which is made of scalars or there before the loop.
    fn dim_of_reshaped(&mut self, op: Op<'c>, d: usize) -> Found<'c> {
        let unknown = Obstacle { op: Some(op), why: UNKNOWN };
        let Some(shape) = op.opnd(1).map(strip_casts) else { return Err(unknown) };
        match shape.defining_op().filter(|op| op.op_name() == "tensor.from_elements") {
            Some(elements) => self.operand_scalar(elements, d),
            None if self.is_visible(shape) => {
                let size = self.b.extract(shape, &[self.b.index(d as i64)]);
                Ok(self.b.as_index(size))
            }
            None => Err(unknown),
        }
    }

    fn dim_of_collapsed(&mut self, op: Op<'c>, d: usize) -> Found<'c> {
        let unknown = || Obstacle { op: Some(op), why: UNKNOWN };
        let group = reshape::groups(op).and_then(|groups| groups.into_iter().nth(d));
        let mut product = self.b.index(1);
        for dimension in group.ok_or_else(unknown)? {
            let size = self.operand_dim(op, 0, dimension)?;
            product = self.b.mul(product, size);
        }
        Ok(product)
    }

    /// A scalar that sizes depend on.
    fn scalar(&mut self, scalar: Val<'c>) -> Found<'c> {
        if self.is_visible(scalar) {
            return Ok(scalar);
        }
        if let Some(&known) = self.scalars.get(&scalar.key()) {
            return Ok(known);
        }
        let here = match scalar.defining_op() {
            Some(op) => self.scalar_result(op, scalar)?,
            None => self.scalar_argument(scalar)?,
        };
        self.scalars.insert(scalar.key(), here);
        Ok(here)
    }

    /// An element of a replicated value does not depend on the iteration.
    fn scalar_argument(&mut self, argument: Val<'c>) -> Found<'c> {
        let owner = argument.owner_block().and_then(|block| block.parent_operation());
        let input = owner
            .filter(|op| op.op_name() == "soac.map" && argument.position() < input_count(*op))
            .and_then(|op| op.opnd(argument.position()));
        match input.map(|input| self.lowering.source(input)) {
            Some(Source::Constant(value)) => self.scalar(value),
            _ => Err(Obstacle { op: owner, why: DEPENDS }),
        }
    }

    fn scalar_result(&mut self, op: Op<'c>, scalar: Val<'c>) -> Found<'c> {
        if op.op_name() == "tensor.dim" {
            let dimension = op.opnd(1).and_then(constant_index);
            let dimension = dimension.and_then(|d| usize::try_from(d).ok());
            let dimension = dimension.ok_or(Obstacle { op: Some(op), why: UNKNOWN })?;
            return self.operand_dim(op, 0, dimension);
        }
        if !capi::is_trivially_dead(op) {
            return Err(Obstacle { op: Some(op), why: UNKNOWN });
        }
        let mut names = HashMap::new();
        for value in op.operand_list().into_iter().chain(free_values(&op.blocks())) {
            let here = match value.r#type().as_tensor() {
                Some(_) if self.is_visible(value) => value,
                Some(_) => return Err(Obstacle { op: Some(op), why: DEPENDS }),
                None => self.scalar(value)?,
            };
            names.insert(value.key(), here);
        }
        if may_run_early(op) {
            clone_op(&self.b, op, &mut names);
            return names
                .get(&scalar.key())
                .copied()
                .ok_or(Obstacle { op: Some(op), why: UNKNOWN });
        }
        let reached = self.reached(op)?;
        let mut copy = None;
        let guarded = self.b.if_else(reached, &[scalar.r#type()], |b, yes| {
            if yes {
                clone_op(&b, op, &mut names);
                copy = names.get(&scalar.key()).copied();
            }
            Ok(vec![copy.filter(|_| yes).unwrap_or_else(|| b.zero_scalar(scalar.r#type()))])
        });
        guarded
            .ok()
            .and_then(|guarded| guarded.res(0))
            .ok_or(Obstacle { op: Some(op), why: UNKNOWN })
    }
}

fn result_shape(op: Op<'_>, k: usize) -> Vec<i64> {
    op.res(k).map(|result| result.r#type().shape()).unwrap_or_default()
}

fn dynamic_before(sizes: &[i64], d: usize) -> usize {
    sizes.iter().take(d).filter(|&&size| is_dynamic(size)).count()
}

fn is_elementwise(name: &str) -> bool {
    ["arith.", "math.", "complex."].iter().any(|dialect| name.starts_with(dialect))
}

/// Whether running the operation can neither trap nor read out of bounds.
fn may_run_early(op: Op<'_>) -> bool {
    let name = op.op_name();
    let divides = name.contains("div") || name.contains("rem");
    let by_constant =
        op.opnd(1).and_then(constant_index).is_some_and(|divisor| divisor != 0 && divisor != -1);
    (name.starts_with("arith.") || name.starts_with("index.")) && (!divides || by_constant)
        || name.starts_with("math.")
}

/// Whether two sizes at one position are equal by construction.
pub fn same_size(a: Val<'_>, b: Val<'_>) -> bool {
    if same_value(a, b) {
        return true;
    }
    let (Some(x), Some(y)) = (a.defining_op(), b.defining_op()) else { return false };
    let same_attribute = |name| match (x.attr(name), y.attr(name)) {
        (Some(x), Some(y)) => x == y,
        (None, None) => true,
        _ => false,
    };
    let computed = ["arith.", "index."].iter().any(|dialect| x.op_name().starts_with(dialect));
    x.op_name() == y.op_name()
        && a.position() == b.position()
        && (computed || x.op_name() == "tensor.dim")
        && ["value", "predicate"].into_iter().all(same_attribute)
        && x.operand_count() == y.operand_count()
        && x.operand_list().into_iter().zip(y.operand_list()).all(|(x, y)| same_size(x, y))
}
