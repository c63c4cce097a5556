//! Where the rows of an array come from: memory, or nowhere.
//!
//! A virtual array is never stored for a combinator to read: `soac.iota` is the
//! iteration number, `soac.replicate` and `linalg.fill` are a value, and a deferred
//! map is the run of its body.

use std::collections::HashMap;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpKey, TyExt, Val, ValExt, ValueKey};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use super::{Lowering, collect, input_count};
use crate::support::{
    builder::{Builder, same_value},
    combinator::{constant_index, strip_casts},
    diag::Result,
    region::{move_body, replace},
    slice::Slice,
    update::Update,
    weight::{CALL, weight},
};

/// What an array is.
pub enum Source<'c> {
    /// A tensor in memory.
    Array(Val<'c>),
    /// 0, 1, 2, ...
    Iota,
    /// The same row everywhere.
    Constant(Val<'c>),
    /// A result of a map that runs where it is read.
    Map(Op<'c>, usize),
    /// What a scan that runs in the loop at hand has reached.
    Scan(ValueKey),
}

impl<'c> Lowering<'c> {
    /// What an array is.
    pub fn source(&self, array: Val<'c>) -> Source<'c> {
        let inner = strip_casts(array);
        let Some(op) = inner.defining_op() else { return Source::Array(array) };
        match (op.op_name(), op.opnd(0)) {
            ("soac.iota", _) => Source::Iota,
            ("soac.replicate", Some(value)) => Source::Constant(value),
            ("linalg.fill", Some(value)) if inner.r#type().shape().len() == 1 => {
                Source::Constant(value)
            }
            ("soac.map", _) if self.runs_where_read(op) => Source::Map(op, inner.position()),
            ("soac.scan", _) if self.deferred.contains(&op.key()) => Source::Scan(inner.key()),
            _ => Source::Array(array),
        }
    }

    /// Whether the map was deferred, or nothing but the reader at hand is left.
    fn runs_where_read(&self, map: Op<'c>) -> bool {
        self.deferred.contains(&map.key())
            || input_count(map) == map.operand_list().len()
                && map.result_list().iter().all(|result| result.users().is_empty())
    }

    /// The rows of several arrays at an index. The rows of a map that runs here come
    /// from one copy of its body.
    pub fn rows(
        &mut self,
        b: &Builder<'c>,
        arrays: &[Val<'c>],
        index: Val<'c>,
    ) -> Result<Vec<Val<'c>>> {
        let mut ran = HashMap::new();
        arrays.iter().map(|&array| self.row(b, array, index, &mut ran)).collect()
    }

    fn row(
        &mut self,
        b: &Builder<'c>,
        array: Val<'c>,
        index: Val<'c>,
        ran: &mut HashMap<OpKey, Vec<Val<'c>>>,
    ) -> Result<Val<'c>> {
        let wanted = array.r#type().row();
        let row = match self.source(array) {
            Source::Array(array) => b.row(array, index),
            Source::Constant(value) => value,
            Source::Iota => b.index_as(index, wanted),
            Source::Scan(result) => match self.running.get(&result) {
                Some(value) => *value,
                None => b.row(array, index),
            },
            Source::Map(map, result) => {
                // The keys of erased maps do not come back: nothing is created in
                // between that `ran` is asked about.
                if !ran.contains_key(&map.key()) {
                    let rows = self.run_map(b, map, index, ran)?;
                    ran.insert(map.key(), rows);
                }
                match ran.get(&map.key()).and_then(|rows| rows.get(result)) {
                    Some(row) => *row,
                    None => b.row(array, index),
                }
            }
        };
        Ok(if wanted.as_tensor().is_some() { b.cast(row, wanted) } else { row })
    }

    /// Moves the body of a map here, for one index, and returns what it yields. The
    /// emptied map stays until its reader is gone.
    fn run_map(
        &mut self,
        b: &Builder<'c>,
        map: Op<'c>,
        index: Val<'c>,
        ran: &mut HashMap<OpKey, Vec<Val<'c>>>,
    ) -> Result<Vec<Val<'c>>> {
        let Some(body) = map.body(0) else { return Ok(vec![]) };
        for (argument, array) in body.arg_list().into_iter().zip(map.operand_list()) {
            let row = self.row(b, array, index, ran)?;
            argument.replace_all_uses(row);
        }
        Ok(move_body(b, body, &[]))
    }
}

/// Replaces reads of single elements, sizes and slices of virtual arrays.
pub fn read_virtual<'c>(context: &'c Context, module: Op<'c>) {
    for op in collect(module, &["tensor.dim", "tensor.extract", "tensor.extract_slice"]) {
        let (Some(array), Some(block)) = (op.opnd(0), op.block()) else { continue };
        let b = Builder::before(context, op, block);
        let read = match op.op_name() {
            "tensor.dim" => size_of_virtual(&b, op, array),
            "tensor.extract" => element_of_virtual(&b, array, &op.operand_list()[1..]),
            _ => Slice::of(op, 1, |value| value)
                .zip(op.res(0))
                .and_then(|(place, part)| slice_of_virtual(&b, array, &place, part.r#type())),
        };
        if let Some(value) = read {
            replace(op, &[value]);
        }
    }
}

fn size_of_virtual<'c>(b: &Builder<'c>, dim: Op<'c>, array: Val<'c>) -> Option<Val<'c>> {
    let array = strip_casts(array).defining_op()?;
    let dimension = usize::try_from(constant_index(dim.opnd(1)?)?).ok()?;
    let outer = |size: Option<Val<'c>>| size.or_else(|| Some(b.dim(array.res(0)?, 0)));
    match (array.op_name(), dimension) {
        ("soac.iota", 0) => outer(array.opnd(0)),
        ("soac.replicate", 0) => outer(array.opnd(1)),
        ("soac.replicate", _) => Some(b.dim(array.opnd(0)?, dimension - 1)),
        _ => None,
    }
}

fn element_of_virtual<'c>(b: &Builder<'c>, array: Val<'c>, indices: &[Val<'c>]) -> Option<Val<'c>> {
    let (&outer, inner) = indices.split_first()?;
    let source = strip_casts(array).defining_op()?;
    match source.op_name() {
        "soac.iota" => Some(b.index_as(outer, array.r#type().scalar())),
        "soac.replicate" => {
            let row = source.opnd(0)?;
            let is_number = row.r#type().as_tensor().is_none();
            let element =
                || element_of_virtual(b, row, inner).unwrap_or_else(|| b.extract(row, inner));
            Some(if is_number { row } else { element() })
        }
        _ => None,
    }
}

/// A slice of copies has fewer copies of what is sliced along the other dimensions; one row of them is that itself.
fn slice_of_virtual<'c>(
    b: &Builder<'c>,
    array: Val<'c>,
    place: &Slice<'c>,
    part: Type<'c>,
) -> Option<Val<'c>> {
    let source = strip_casts(array).defining_op()?;
    let row = source.opnd(0).filter(|_| source.op_name() == "soac.replicate")?;
    let is_row = place.part_dimensions(&part.shape())[0].is_none();
    let part_of_row = if is_row { part } else { part.row() };
    let rest = place.behind_first();
    let own = match (row.r#type().as_tensor(), part_of_row.as_tensor()) {
        (None, None) => row,
        (None, Some(_)) => return None,
        (Some(_), None) => {
            let at = rest.offsets(b);
            element_of_virtual(b, row, &at).unwrap_or_else(|| b.extract(row, &at))
        }
        (Some(_), Some(_)) => slice_of_virtual(b, row, &rest, part_of_row)
            .unwrap_or_else(|| rest.extract(b, row, part_of_row)),
    };
    let [_, count, _] = place.entries(0);
    Some(if is_row { own } else { b.replicate(own, count.value(b), part.shape()[0]) })
}

/// The only reader of a map, if it is in this block and of a kind that reads each row once, and if
/// the map does not run faster in a loop of its own.
pub fn only_reader<'c>(map: Op<'c>, block: Blk<'c>) -> Option<Op<'c>> {
    match readers_by_row(map, block)?[..] {
        [reader] if !runs_alone(map, reader) => Some(reader),
        _ => None,
    }
}

/// Whether a map runs faster in a loop of its own: it calls functions, which take vectors, and reads rows
/// side by side, while the loop of its reader accesses places that depend on data, one by one.
pub fn runs_alone<'c>(map: Op<'c>, reader: Op<'c>) -> bool {
    let ops = |op: Op<'c>| op.body(0).map(|body| body.body_ops()).unwrap_or_default();
    let reads = |branch: &Op<'_>| {
        let mut reads = false;
        branch.for_each(&mut |op| reads |= op.op_name() == "tensor.extract");
        reads
    };
    let is_irregular = match reader.op_name() {
        "soac.hist" | "soac.scatter" => true,
        "soac.map" => ops(reader).iter().any(|op| op.op_name() == "scf.if" && reads(op)),
        _ => false,
    };
    let calls = ops(map).iter().any(|op| weight(*op) == CALL);
    let is_simple = ops(map).iter().all(|op| op.blocks().is_empty())
        && !reads(&map)
        && map.result_list().iter().all(|result| result.r#type().shape().len() == 1);
    map.op_name() == "soac.map" && is_irregular && calls && is_simple
}

/// The readers of a map, if all are in this block and of a kind that reads each row once.
pub fn readers_by_row<'c>(map: Op<'c>, block: Blk<'c>) -> Option<Vec<Op<'c>>> {
    readers_by_row_where(map, |reader| reader.block() == Some(block))
}

/// The same, where readers in branches of this block count, too.
pub fn readers_in_branches<'c>(map: Op<'c>, block: Blk<'c>) -> Option<Vec<Op<'c>>> {
    readers_by_row_where(map, |reader| {
        let mut at = Some(reader);
        while let Some(op) = at {
            if op.block() == Some(block) {
                return true;
            }
            at = op.parent().filter(|around| around.op_name() == "scf.if");
        }
        false
    })
}

fn readers_by_row_where<'c>(map: Op<'c>, is_there: impl Fn(Op<'c>) -> bool) -> Option<Vec<Op<'c>>> {
    if map.op_name() == "soac.map" && input_count(map) != map.operand_count() {
        return None;
    }
    // What is updated in place must be when the map is.
    let mut updates = false;
    map.for_each(&mut |op| updates |= op.op_name().starts_with("memref."));
    if updates {
        return None;
    }
    let mut readers: Vec<Op<'c>> = vec![];
    for user in map.result_list().iter().flat_map(|result| result.users()) {
        if readers.iter().all(|known| known.key() != user.key()) {
            readers.push(user);
        }
    }
    let results = map.result_list();
    let fits = |reader: &Op<'c>| is_there(*reader) && reads_by_row(*reader, &results);
    readers.iter().all(fits).then_some(readers)
}

/// Whether an operation reads arrays, as far as it reads them, row by row.
pub fn reads_by_row<'c>(reader: Op<'c>, arrays: &[Val<'c>]) -> bool {
    let operands = reader.operand_list();
    let rows = match reader.op_name() {
        "soac.map" | "soac.reduce" | "soac.scan" => 0..input_count(reader),
        "soac.hist" | "soac.scatter" => 0..Update::of(reader).read().len(),
        "soac.update_acc" => operands.len().saturating_sub(1)..operands.len(),
        _ => return false,
    };
    let is_array = |operand: Val<'c>| arrays.iter().any(|array| same_value(*array, operand));
    operands.iter().enumerate().all(|(i, operand)| rows.contains(&i) || !is_array(*operand))
}
