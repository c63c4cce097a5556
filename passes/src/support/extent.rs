//! Which sizes are equal whatever the program runs on.

use std::collections::HashMap;

use ad_dialect::ir::{
    BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, ValueKey, i32_array, i64_array, int_of,
};
use melior::ir::{BlockLike, ValueLike, operation::OperationLike};

use super::{
    builder::{Builder, CMP_EQ, same_value},
    combinator::{BOUNDS, array_result_count, constant_index, input_count, start_of},
    memory,
    region::{beside, is_outside},
    update::Update,
};

/// A size, as far as the operations that make it tell.
#[derive(Clone, Copy, PartialEq)]
pub enum Extent<'c> {
    /// A number.
    Known(i64),
    /// A value.
    Value(Val<'c>),
    /// The size of a dimension of an array.
    Dim(Val<'c>, usize),
}

impl<'c> Extent<'c> {
    /// Its value, where what it is made of is.
    pub fn value(self, b: &Builder<'c>) -> Val<'c> {
        self.value_of(b, |value| value)
    }

    /// Its value, where a value that it is made of may be another one.
    pub fn value_of(self, b: &Builder<'c>, mut here: impl FnMut(Val<'c>) -> Val<'c>) -> Val<'c> {
        match self {
            Extent::Known(number) => b.index(number),
            Extent::Value(value) => here(value),
            Extent::Dim(array, d) if memory::is_array(array) => memory::dim(b, here(array), d),
            Extent::Dim(array, d) => b.dim(here(array), d),
        }
    }

    /// Whether it is known in front of an operation.
    pub fn is_outside(self, root: Op<'c>) -> bool {
        match self {
            Extent::Known(_) => true,
            Extent::Value(value) | Extent::Dim(value, _) => is_outside(root, value),
        }
    }
}

/// The size of a dimension of an array.
pub fn extent_of(array: Val<'_>, d: usize) -> Extent<'_> {
    Extents::default().of(array, d)
}

/// An array and a dimension.
type Place = (ValueKey, usize);

/// The sizes of arrays of a program that does not change. Each array is looked at once, however many ways lead to it.
#[derive(Default)]
pub struct Extents<'c> {
    known: HashMap<Place, Extent<'c>>,
    /// What is taken for true of arrays that loops carry, while it is found out whether iterations keep it.
    assumed: Vec<(Place, Extent<'c>)>,
}

/// How many arrays that loops carry something is assumed of at a time.
const ASSUMED: usize = 3;

impl<'c> Extents<'c> {
    /// The size of a dimension of an array.
    pub fn of(&mut self, array: Val<'c>, d: usize) -> Extent<'c> {
        if let Some(&size) = array.r#type().shape().get(d).filter(|&&size| size != DYNAMIC) {
            return Extent::Known(size);
        }
        if let Some(&known) = self.known.get(&(array.key(), d)) {
            return known;
        }
        // Where a loop leads back here, that is all that is known.
        self.known.insert((array.key(), d), Extent::Dim(array, d));
        let found = from_definition(array, d, self).unwrap_or(Extent::Dim(array, d));
        self.known.insert((array.key(), d), found);
        found
    }

    /// The size that an array has in all iterations of a loop: that of the array that it starts with, if the next one has it,
    /// too, where this one has it.
    fn of_carried(
        &mut self,
        around: Op<'c>,
        [start, own, next]: [Val<'c>; 3],
        d: usize,
    ) -> Option<Extent<'c>> {
        let first = self.of(start, d);
        if self.assumed.len() == ASSUMED || !first.is_outside(around) {
            return None;
        }
        let assumed = [&self.assumed[..], &[((own.key(), d), first)]].concat();
        let mut further = Self { known: assumed.iter().copied().collect(), assumed };
        (further.of(next, d) == first).then_some(first)
    }

    /// The size that a value is.
    pub fn of_value(&mut self, value: Val<'c>) -> Extent<'c> {
        if let Some(number) = constant_index(value) {
            return Extent::Known(number);
        }
        let dim = value.defining_op().filter(|op| op.op_name() == "tensor.dim");
        let parts = dim.and_then(|op| Some((op.opnd(0)?, constant_index(op.opnd(1)?)?)));
        match parts {
            Some((array, d)) => self.of(array, d as usize),
            None => Extent::Value(value),
        }
    }
}

fn from_definition<'c>(array: Val<'c>, d: usize, extents: &mut Extents<'c>) -> Option<Extent<'c>> {
    let shape = array.r#type().shape();
    let before = shape.iter().take(d).filter(|&&size| size == DYNAMIC).count();
    let Some(op) = array.defining_op() else {
        let (around, position) = (array.owner_block()?.parent_operation()?, array.position());
        return match around.op_name() {
            // A row of an input.
            "soac.map" if position < input_count(around) => {
                around.opnd(position).map(|input| extents.of(input, d + 1))
            }
            "scf.for" => carried_extent(around, position.checked_sub(1)?, d, extents),
            "scf.while" => while_extent(around, array, d, extents),
            "func.func" => asserted_extent(around, array, d),
            _ => None,
        };
    };
    match op.op_name() {
        "tensor.empty" => Some(extents.of_value(op.opnd(before)?)),
        "bufferization.alloc_tensor" => {
            match op.attr("operandSegmentSizes").and_then(i32_array)?[..] {
                [_, 1, _] => Some(extents.of(op.operand_list().pop()?, d)),
                _ => Some(extents.of_value(op.opnd(before)?)),
            }
        }
        "tensor.splat" => Some(extents.of_value(op.opnd(1 + before)?)),
        "soac.iota" => Some(extents.of_value(op.opnd(0)?)),
        "soac.replicate" if d == 0 => Some(extents.of_value(op.opnd(1)?)),
        "soac.replicate" => Some(extents.of(op.opnd(0)?, d - 1)),
        "linalg.fill" | "tensor.insert" | "tensor.insert_slice" => Some(extents.of(op.opnd(1)?, d)),
        "tensor.cast" => Some(extents.of(op.opnd(0)?, d)),
        "scf.for" => carried_extent(op, array.position(), d, extents),
        "scf.if" | "scf.index_switch" => {
            let ends = op.blocks().into_iter().map(|block| block.term()?.opnd(array.position()));
            common_extent(op, ends.collect::<Option<Vec<_>>>()?, d, extents)
                .filter(|extent| extent.is_outside(op))
        }
        "scf.while" => {
            let handed_on = op.blocks().first()?.term()?.opnd(1 + array.position())?;
            Some(extents.of(handed_on, d)).filter(|extent| extent.is_outside(op))
        }
        name if name.starts_with("linalg.") => {
            // Results are as large as what they start from, which the last operands are.
            let init = (op.operand_count() + array.position()).checked_sub(op.result_count())?;
            let init = op.opnd(init).filter(|init| init.r#type() == array.r#type())?;
            Some(extents.of(init, d))
        }
        "scf.forall" => start_of(op, array.position()).map(|start| extents.of(start, d)),
        "soac.with_acc" if array.position() < op.operand_count() => {
            op.opnd(array.position()).map(|start| extents.of(start, d))
        }
        "soac.with_acc" => {
            let end = op.body(0)?.term()?.opnd(array.position())?;
            let extent = extents.of(end, d);
            extent.is_outside(op).then_some(extent)
        }
        "soac.scan" => op.opnd(array.position()).map(|input| extents.of(input, d)),
        // An accumulator that has become an array.
        "soac.map" if array.position() >= array_result_count(op) => {
            let operand = op.operand_count() + array.position() - op.result_count();
            op.opnd(operand).map(|start| extents.of(start, d))
        }
        "soac.map" if d == 0 => {
            let mut found = None;
            for input in (0..input_count(op)).filter_map(|i| op.opnd(i)) {
                let width = extents.of(input, 0);
                found = match width {
                    Extent::Dim(..) => found.or(Some(width)),
                    known => {
                        found = Some(known);
                        break;
                    }
                };
            }
            found
        }
        "soac.map" => {
            let row = op.body(0)?.term()?.opnd(array.position())?;
            match extents.of(row, d - 1) {
                // Only what holds outside of the map, too.
                Extent::Dim(inner, _) | Extent::Value(inner) if !is_outside(op, inner) => None,
                outside => Some(outside),
            }
        }
        "tensor.extract_slice" => {
            let sizes = op.attr("static_sizes").and_then(i64_array)?;
            let offsets = op.attr("static_offsets").and_then(i64_array)?;
            let segment = |list: &[i64]| list.iter().filter(|&&size| size == DYNAMIC).count();
            // Where dimensions are left out, they are those of size one, if there are no more of these.
            let is_left_out = |size: i64| sizes.len() != shape.len() && size == 1;
            let kept = (0..sizes.len()).filter(|&i| !is_left_out(sizes[i]));
            let kept: Vec<_> = kept.collect();
            if kept.len() != shape.len() {
                return None;
            }
            match sizes[kept[d]] {
                DYNAMIC => {
                    let before = segment(&offsets) + segment(&sizes[..kept[d]]);
                    Some(extents.of_value(op.opnd(1 + before)?))
                }
                size => Some(Extent::Known(size)),
            }
        }
        // Upstream makes this of a branch; the arrays may be of different sizes.
        "arith.select" if op.opnd(0)?.r#type().as_tensor().is_none() => {
            common_extent(op, vec![op.opnd(1)?, op.opnd(2)?], d, extents)
        }
        name if name.starts_with("arith.") || name.starts_with("math.") => {
            let operand = op.opnd(op.operand_count().checked_sub(1)?)?;
            (operand.r#type().shape().len() == shape.len()).then(|| extents.of(operand, d))
        }
        _ => None,
    }
}

/// The size of the first dimension of a function's arguments that has to be equal to one of an argument: what the function
/// asserts before it reads any array (`ad-check-sizes`).
fn asserted_extent<'c>(function: Op<'c>, argument: Val<'c>, d: usize) -> Option<Extent<'c>> {
    let entry = function.body(0).filter(|entry| Some(*entry) == argument.owner_block())?;
    let dim = |value: Val<'c>| {
        let op = value.defining_op().filter(|op| op.op_name() == "tensor.dim")?;
        let array = op.opnd(0).filter(|array| array.owner_block() == Some(entry))?;
        Some((array.position(), constant_index(op.opnd(1)?)? as usize))
    };
    let reads_none = |op: &Op<'c>| {
        op.op_name() == "tensor.dim"
            || op.op_name().starts_with("arith.")
                && op.operand_list().iter().all(|operand| operand.r#type().as_tensor().is_none())
            || op.op_name() == "cf.assert"
    };
    let pairs = entry.ops().into_iter().take_while(reads_none).filter_map(|op| {
        let holds = op.opnd(0).filter(|_| op.op_name() == "cf.assert")?.defining_op()?;
        let is_equality = holds.op_name() == "arith.cmpi"
            && holds.attr("predicate").and_then(int_of) == Some(CMP_EQ);
        is_equality.then_some([dim(holds.opnd(0)?)?, dim(holds.opnd(1)?)?])
    });
    let pairs: Vec<_> = pairs.collect();
    let mut equal = vec![(argument.position(), d)];
    let mut looked_at = 0;
    while let Some(&own) = equal.get(looked_at) {
        looked_at += 1;
        for [one, other] in &pairs {
            let further = if *one == own { other } else { one };
            if (*one == own || *other == own) && !equal.contains(further) {
                equal.push(*further);
            }
        }
    }
    let &(first, d) = equal.iter().min().filter(|_| equal.len() > 1)?;
    entry.arg_list().get(first).map(|&array| Extent::Dim(array, d))
}

/// The size of a dimension of an array that an `scf.for` carries, if no iteration changes it.
fn carried_extent<'c>(
    op: Op<'c>,
    position: usize,
    d: usize,
    extents: &mut Extents<'c>,
) -> Option<Extent<'c>> {
    let body = op.body(0)?;
    let (own, next) = (*body.arg_list().get(position + 1)?, body.ends().get(position).copied()?);
    let start = op.opnd(BOUNDS + position)?;
    if keeps_shape(next, own) {
        return Some(extents.of(start, d));
    }
    extents.of_carried(op, [start, own, next], d)
}

/// The size of a dimension of arrays that an operation gives one of, if all have the same there.
pub fn common_extent<'c>(
    op: Op<'c>,
    arrays: Vec<Val<'c>>,
    d: usize,
    extents: &mut Extents<'c>,
) -> Option<Extent<'c>> {
    let sizes: Vec<_> = arrays.into_iter().map(|array| extents.of(array, d)).collect();
    let first = *sizes.first()?;
    let mut is_first = |&size: &Extent<'c>| {
        size == first
            || is_width_with(op, size, first, extents)
            || is_width_with(op, first, size, extents)
    };
    sizes.iter().all(&mut is_first).then_some(first)
}

/// Whether a map that has run when an operation does has inputs of both sizes, which are equal then.
fn is_width_with<'c>(
    op: Op<'c>,
    one: Extent<'c>,
    other: Extent<'c>,
    extents: &mut Extents<'c>,
) -> bool {
    let Extent::Dim(array, 0) = one else { return false };
    let has_run = |map: &Op<'c>| beside(op, map.block()).is_some_and(|here| map.is_before(here));
    let is_map = |user: &Op<'c>| user.op_name() == "soac.map" && has_run(user);
    array.users().into_iter().filter(is_map).any(|map| {
        let inputs: Vec<_> = (0..input_count(map)).filter_map(|i| map.opnd(i)).collect();
        inputs.iter().any(|&input| same_value(input, array))
            && inputs.into_iter().any(|input| extents.of(input, 0) == other)
    })
}

/// The size of a dimension of an array that a region of an `scf.while` gets, if no iteration changes it.
fn while_extent<'c>(
    op: Op<'c>,
    array: Val<'c>,
    d: usize,
    extents: &mut Extents<'c>,
) -> Option<Extent<'c>> {
    let [before, after] = op.blocks()[..] else { return None };
    let handed_on = before.term()?.operand_list();
    if array.owner_block() == Some(after) {
        // What the other region gets is not there in this one.
        let extent = extents.of(*handed_on.get(1 + array.position())?, d);
        return Some(extent).filter(|extent| extent.is_outside(op));
    }
    let (start, next) = (op.opnd(array.position())?, after.term()?.opnd(array.position())?);
    let again = handed_on.iter().skip(1).position(|value| same_value(*value, array));
    let own = again.and_then(|again| after.arg_list().get(again).copied());
    if own.is_some_and(|own| keeps_shape(next, own)) {
        return Some(extents.of(start, d));
    }
    extents.of_carried(op, [start, array, next], d)
}

/// Whether a value plainly has the shape of another one.
pub fn keeps_shape<'c>(value: Val<'c>, like: Val<'c>) -> bool {
    keeps(value, like, &mut HashMap::new())
}

/// The same, with what is known of other values. Each is looked at once, however many ways lead to it.
fn keeps<'c>(value: Val<'c>, like: Val<'c>, known: &mut HashMap<ValueKey, bool>) -> bool {
    if let Some(&known) = known.get(&value.key()) {
        return known;
    }
    let keeps = same_value(value, like) || has_static_shape_of(value, like) || {
        let op = value.defining_op();
        op.is_some_and(|op| definition_keeps(op, value, like, known))
    };
    known.insert(value.key(), keeps);
    keeps
}

fn has_static_shape_of(value: Val<'_>, like: Val<'_>) -> bool {
    let shape = value.r#type().shape();
    !shape.contains(&DYNAMIC) && shape == like.r#type().shape()
}

fn definition_keeps<'c>(
    op: Op<'c>,
    value: Val<'c>,
    like: Val<'c>,
    known: &mut HashMap<ValueKey, bool>,
) -> bool {
    let operands = op.operand_list();
    let mut operand_keeps =
        |i: usize| operands.get(i).is_some_and(|&operand| keeps(operand, like, known));
    match op.op_name() {
        "tensor.insert" | "tensor.insert_slice" | "linalg.fill" => operand_keeps(1),
        "soac.hist" | "soac.scatter" => {
            let dest = Update::of(op).dests.get(value.position()).copied();
            dest.is_some_and(|dest| keeps(dest, like, known))
        }
        "soac.with_acc" if value.position() < operands.len() => operand_keeps(value.position()),
        "soac.map" | "soac.scan" if value.r#type().shape().len() == 1 => {
            (0..operands.len()).any(operand_keeps)
        }
        "arith.select" => operand_keeps(1) && operand_keeps(2),
        "scf.if" => op.blocks().iter().all(|block| {
            let yielded = block.term().and_then(|end| end.opnd(value.position()));
            yielded.is_some_and(|yielded| keeps(yielded, like, known))
        }),
        "scf.for" => {
            operand_keeps(BOUNDS + value.position()) && {
                let body = op.body(0);
                let next = body.and_then(|b| b.term()).and_then(|end| end.opnd(value.position()));
                let own = body.and_then(|b| b.arg_list().get(value.position() + 1).copied());
                next.zip(own).is_some_and(|(next, own)| keeps_shape(next, own))
            }
        }
        name => name.starts_with("arith.") && (0..operands.len()).any(operand_keeps),
    }
}

/// The size that a value is.
pub fn extent_of_value(value: Val<'_>) -> Extent<'_> {
    Extents::default().of_value(value)
}

/// Whether every size of an array is one and the same whenever an operation around it runs its regions.
pub fn is_regular<'c>(root: Op<'c>, array: Val<'c>) -> bool {
    (0..array.r#type().shape().len()).all(|d| extent_of(array, d).is_outside(root))
}

/// Whether all inputs of a map are as long as an extent says, because one of them is.
pub fn is_width<'c>(inputs: &[Val<'c>], extent: Extent<'c>) -> bool {
    inputs.iter().any(|&input| extent_of(input, 0) == extent)
}
