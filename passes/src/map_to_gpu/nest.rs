//! Nests of maps: one thread for each row of all of them.
//!
//! ```text
//! yss = map (\xs -> let a = f xs in map (\x -> g a x) xs) xss
//!         ==>
//! yss = forall i < n, j < m:  a = f xss[i];  yss[i, j] = g a xss[i, j]
//! ```
//! What the outer bodies compute besides the inner map is simple, and each thread does it again.

use ad_dialect::ir::{Blk, BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, tensor_type};
use melior::ir::{Attribute, Type, ValueLike, operation::OperationLike};

use super::{Mapped, rows::Elements, scan::is_scalar_scan};
use crate::{
    lower::soac_to_loops::{only_reader, readers_by_row},
    parallelize::{
        group::Group,
        rows::{empty_rows, width_of},
    },
    support::{
        builder::Builder,
        combinator::{constant_index, input_count, is_quick, strip_casts},
        diag::Result,
        extent::{Extent, extent_of, is_regular},
        memory::bytes_of,
        region::{ValueMap, clone_op, copy_ops, renamed},
        size::Size,
    },
};

/// Up to this many rows are one thread's.
pub const FEW: i64 = 8;

/// Maps inside of each other.
pub struct Nest<'c> {
    /// From the outermost to the innermost one.
    pub levels: Vec<Level<'c>>,
}

/// A map in a nest, with those that compute its inputs for it.
pub struct Level<'c> {
    pub group: Group<'c>,
    pub body: Blk<'c>,
}

impl<'c> Nest<'c> {
    /// That of an outermost map.
    pub fn of(group: Group<'c>) -> Option<Self> {
        let body = group.op.body(0)?;
        let root = group.op;
        let mut levels = vec![Level { group, body }];
        while let Some(inner) = levels.last().and_then(|level| only_map(root, level.body)) {
            let body = inner.op.body(0)?;
            levels.push(Level { group: inner, body });
        }
        Some(Self { levels })
    }

    /// The outermost map.
    pub fn root(&self) -> Op<'c> {
        self.levels[0].group.op
    }

    /// The body of the innermost map.
    pub fn body(&self) -> Option<Blk<'c>> {
        self.levels.last().map(|level| level.body)
    }

    /// How many rows the arrays of each map have.
    pub fn widths(&self, b: &Builder<'c>) -> Vec<Size<'c>> {
        let width = |level: &Level<'c>| match width_inside(level.group.op) {
            Some(width) => Size::of_extent(b, width),
            None => width_of(b, &level.group),
        };
        let outer = width_of(b, &self.levels[0].group);
        [outer].into_iter().chain(self.levels[1..].iter().map(width)).collect()
    }

    /// What the innermost body ends with for each result of the outermost map.
    pub fn ends(&self) -> Vec<Val<'c>> {
        let end = |result: Val<'c>| {
            let inner = |value: Val<'c>, level: &Level<'c>| {
                level.body.ends().get(value.position()).copied().unwrap_or(value)
            };
            self.levels.iter().fold(result, inner)
        };
        self.root().result_list().into_iter().map(end).collect()
    }

    /// What the bodies around the innermost one compute for an iteration of a kernel; the innermost body's arguments get
    /// names.
    pub fn enter(&self, b: &Builder<'c>, indices: &[Val<'c>], names: &mut ValueMap<'c>) {
        for (k, (level, &index)) in self.levels.iter().zip(indices).enumerate() {
            let elements = Elements::renamed(&level.group, index, names);
            let elements = { elements }.of(b, &level.group.op.operand_list());
            names.extend(level.body.arg_list().iter().map(ValExt::key).zip(elements));
            if k + 1 == self.levels.len() {
                return;
            }
            for op in level.body.body_ops() {
                if is_simple(op) {
                    clone_op(b, op, names);
                }
            }
        }
    }
}

/// A map and the maps that would only be run again by what reads them.
pub fn with_light_maps<'c>(op: Op<'c>) -> Group<'c> {
    with_maps_and(op, None)
}

/// The same with another map, whose results are stored, too.
pub fn with_maps_and<'c>(op: Op<'c>, stored: Option<Op<'c>>) -> Group<'c> {
    let mut group = Group::only(op);
    let is_stored = |op: Op<'c>| stored.is_some_and(|stored| stored.key() == op.key());
    collect(op, &mut group, &|op| is_light(op) || is_stored(op));
    group.maps.reverse();
    group
}

fn collect<'c>(reader: Op<'c>, group: &mut Group<'c>, fits: &dyn Fn(Op<'c>) -> bool) {
    for operand in reader.operand_list() {
        let Some(map) = operand.defining_op().filter(|&op| fits(op)) else { continue };
        if map.block() == reader.block() && group.maps.iter().all(|known| known.key() != map.key())
        {
            group.maps.push(map);
            collect(map, group, fits);
        }
    }
}

/// The operation with the maps in front of it that run in its kernel: only it reads them, and they have nothing to
/// distribute themselves. If it has, each of them would be run several times, and has to be simple.
pub fn with_own_maps<'c>(op: Op<'c>) -> Group<'c> {
    let mut group = Group::only(op);
    collect_own(op, has_parts(op), &mut group, &|_, _| false);
    group
}

/// The same, with maps that other kernels compute, too.
pub fn with_maps<'c>(op: Op<'c>) -> Group<'c> {
    let mut group = Group::only(op);
    collect_own(op, has_parts(op), &mut group, &is_worth_repeating);
    group
}

/// Whether kernels ask for less of memory if each that reads what a map makes computes it, and take no longer for that.
fn is_worth_repeating<'c>(map: Op<'c>, block: Blk<'c>) -> bool {
    let Some((body, readers)) = map.body(0).zip(readers_by_row(map, block)) else { return false };
    let arrays = [map.operand_list(), map.result_list()].concat();
    let ops = body.body_ops();
    let is_arithmetic = |op: &Op<'c>| {
        op.blocks().is_empty()
            && (op.op_name().starts_with("arith.") || op.op_name().starts_with("math."))
    };
    let kinds = ["soac.map", "soac.reduce", "soac.scan"];
    let suits = |reader: &Op<'c>| kinds.contains(&reader.op_name()) && !has_parts(*reader);
    if map.block() != Some(block)
        || !arrays.iter().all(|array| array.r#type().shape().len() == 1)
        || !ops.iter().all(is_arithmetic)
        || !readers.iter().all(suits)
    {
        return false;
    }
    let costly = ops.iter().filter(|op| !is_quick(op.op_name())).count();
    let bytes = |arrays: Vec<Val<'c>>| -> i64 {
        let is_stored = |array: &Val<'c>| {
            let maker = strip_casts(*array).defining_op().map(|op| op.op_name());
            !maker.is_some_and(|name| ["soac.iota", "soac.replicate"].contains(&name))
        };
        let stored = arrays.into_iter().filter(is_stored);
        stored.filter_map(|array| bytes_of(array.r#type().scalar())).sum()
    };
    let (read, made) = (bytes(map.operand_list()), bytes(map.result_list()));
    // A scan reads what it scans twice.
    let times = |reader: &Op<'c>| if reader.op_name() == "soac.scan" { 2 } else { 1 };
    let times: i64 = readers.iter().map(times).sum();
    times * read <= read + made + times * made && (costly == 0 || costly == 1 && times <= 2)
}

/// Whether the body of an operation has something that is worth threads of its own, also in maps of few rows.
fn has_parts(op: Op<'_>) -> bool {
    let is_or_has =
        |inner: Op<'_>| is_part(inner) || inner.op_name() == "soac.map" && has_parts(inner);
    op.body(0).is_some_and(|body| heavy_ops(body).into_iter().any(is_or_has))
}

fn collect_own<'c>(
    reader: Op<'c>,
    only_simple: bool,
    group: &mut Group<'c>,
    repeats: &dyn Fn(Op<'c>, Blk<'c>) -> bool,
) {
    let Some(block) = reader.block() else { return };
    for operand in reader.operand_list() {
        let Some(map) = operand.defining_op().filter(|op| op.op_name() == "soac.map") else {
            continue;
        };
        let is_new = group.maps.iter().all(|known| known.key() != map.key());
        let is_read_here = only_reader(map, block).is_some_and(|op| op.key() == reader.key());
        let is_simple =
            || map.body(0).is_some_and(|body| body.body_ops().into_iter().all(is_simple));
        let fits = if only_simple { is_simple() } else { !has_parts(map) };
        if is_new && (is_read_here || repeats(map, block)) && fits {
            collect_own(map, only_simple, group, repeats);
            group.maps.push(map);
        }
    }
}

/// Whether an operation in a body is worth threads of its own.
pub fn is_part(op: Op<'_>) -> bool {
    let is_kind = op.op_name() == "soac.map" || is_scalar_reduce(op) || is_scalar_scan(op);
    is_kind && !matches!(width_inside(op), Some(Extent::Known(n)) if n <= FEW)
}

/// Whether an operation is a reduction of scalars with an operator on any two.
pub fn is_scalar_reduce(op: Op<'_>) -> bool {
    op.op_name() == "soac.reduce"
        && op.result_list().iter().all(|result| result.r#type().as_tensor().is_none())
        && Group::only(op).has_operator()
}

/// The number of rows of the inputs of a map inside of another one.
pub fn width_inside<'c>(map: Op<'c>) -> Option<Extent<'c>> {
    let inputs = map.operand_list();
    let extents = inputs[..input_count(map)].iter().map(|&input| extent_of(input, 0));
    extents.min_by_key(|extent| match extent {
        Extent::Known(_) => 0,
        Extent::Value(_) => 1,
        Extent::Dim(..) => 2,
    })
}

/// Whether the rows and the sizes of what a map inside of another one makes are known before that one.
pub fn is_regular_map<'c>(root: Op<'c>, map: Op<'c>) -> bool {
    input_count(map) == map.operand_count()
        && width_inside(map).is_some_and(|width| width.is_outside(root))
        && map.result_list().iter().all(|&result| is_regular(root, result))
}

/// The map that a body is there for: everything else is simple, and its results are all that the body ends with.
fn only_map<'c>(root: Op<'c>, body: Blk<'c>) -> Option<Group<'c>> {
    let [map] = heavy_ops(body)[..] else { return None };
    let is_own = |end: Val<'c>| end.defining_op().is_some_and(|op| op.key() == map.key());
    let is_only = map.op_name() == "soac.map" && body.ends().into_iter().all(is_own);
    let group = with_light_maps(map);
    // Few rows that are worth threads themselves have many of them.
    let is_worth_it = is_part(map) || has_parts(map);
    let suits = is_only && is_worth_it && is_regular_map(root, map) && !group.has_empty();
    suits.then_some(group)
}

/// The operations of a body that are not simple, but for maps that are computed again where they are read.
pub fn heavy_ops<'c>(body: Blk<'c>) -> Vec<Op<'c>> {
    body.body_ops().into_iter().filter(|&op| !is_simple(op) && !is_light(op)).collect()
}

/// Whether any thread may do an operation again that another one has done: it has no loops, makes no arrays and changes
/// nothing.
pub fn is_simple(op: Op<'_>) -> bool {
    let name = op.op_name();
    let makes_arrays = || op.result_list().iter().any(|r| r.r#type().as_tensor().is_some());
    match name {
        "tensor.extract"
        | "tensor.extract_slice"
        | "tensor.dim"
        | "tensor.cast"
        | "tensor.splat"
        | "tensor.empty"
        | "linalg.fill"
        | "soac.iota"
        | "soac.replicate"
        | "scf.yield"
        | "soac.yield"
        | "linalg.yield"
        | "memref.subview"
        | "arith.constant" => true,
        "scf.if" => {
            !makes_arrays()
                && op.blocks().iter().all(|block| block.ops().into_iter().all(is_simple))
        }
        _ => (name.starts_with("arith.") || name.starts_with("math.")) && !makes_arrays(),
    }
}

/// Whether a map inside of another one is computed again where it is read: it is simple, gives scalars, and all who read
/// it read its elements one by one. That may have short loops which only one reduction reads.
pub fn is_light(op: Op<'_>) -> bool {
    let Some((body, block)) = op.body(0).zip(op.block()) else { return false };
    let gives_scalars = op.op_name() == "soac.map"
        && op.result_count() > 0
        && op.result_list().iter().all(|result| result.r#type().shape().len() == 1);
    let Some(readers) = gives_scalars.then(|| readers_by_row(op, block)).flatten() else {
        return false;
    };
    let is_for_one = matches!(&readers[..], [reader] if is_scalar_reduce(*reader));
    body.body_ops().into_iter().all(|op| is_simple(op) || is_for_one && is_short_loop(op, FEW))
}

/// Whether an operation is a loop of at most so many iterations that does simple things with scalars.
fn is_short_loop(op: Op<'_>, most: i64) -> bool {
    let has_scalars = op.result_list().iter().all(|it| it.r#type().as_tensor().is_none());
    let bounds: Option<Vec<_>> = (0..3).map(|i| constant_index(op.opnd(i)?)).collect();
    let Some(&[from, to, step]) = bounds.as_deref() else { return false };
    let count = ((to - from - 1) / step.max(1) + 1).max(1);
    op.op_name() == "scf.for"
        && has_scalars
        && count <= most
        && op.body(0).is_some_and(|body| {
            body.ops().into_iter().all(|op| is_simple(op) || is_short_loop(op, most / count))
        })
}

/// `soac.map`.
pub fn map<'c>(b: &Builder<'c>, group: Group<'c>) -> Mapped<'c> {
    let Some(nest) = Nest::of(group) else { return Ok(None) };
    let results = nest.root().result_list();
    let Some(shared) = empty_rows(b, &nest.levels[0].group, &results) else { return Ok(None) };
    let Some(body) = nest.body() else { return Ok(None) };
    let ends = nest.ends();
    let widths = nest.widths(b);
    let results = forall_nest(b, &widths, &shared, None, |b, indices, _| {
        let mut names = ValueMap::new();
        nest.enter(b, indices, &mut names);
        copy_ops(b, body, &mut names);
        Ok(ends.iter().map(|&end| renamed(&names, end)).collect())
    })?;
    Ok(Some(results))
}

/// `scf.forall` of several dimensions; the closure gets the numbers of the iteration and the shared results, and returns
/// what goes there into each of these.
pub fn forall_nest<'c>(
    b: &Builder<'c>,
    counts: &[Size<'c>],
    shared: &[Val<'c>],
    mapping: Option<Attribute<'c>>,
    body: impl FnOnce(&Builder<'c>, &[Val<'c>], &[Val<'c>]) -> Result<Vec<Val<'c>>>,
) -> Result<Vec<Val<'c>>> {
    forall_rows(b, counts, shared, mapping, |b, indices, outs| {
        let rows = body(b, indices, outs)?.into_iter().zip(outs);
        Ok(rows.map(|(row, &out)| Row::of(b, row, out, indices)).collect())
    })
}

/// The same, where the closure says what goes where.
pub fn forall_rows<'c>(
    b: &Builder<'c>,
    counts: &[Size<'c>],
    shared: &[Val<'c>],
    mapping: Option<Attribute<'c>>,
    body: impl FnOnce(&Builder<'c>, &[Val<'c>], &[Val<'c>]) -> Result<Vec<Row<'c>>>,
) -> Result<Vec<Val<'c>>> {
    let rank = counts.len();
    let types: Vec<_> = shared.iter().map(|value| value.r#type()).collect();
    let bounds = counts.iter().filter_map(|count| match count {
        Size::Known(_) => None,
        Size::Value(value) => Some(*value),
    });
    let bounds: Vec<_> = bounds.collect();
    let statics: Vec<_> = counts.iter().map(|count| count.in_type()).collect();
    let segments = [0, bounds.len() as i32, 0, shared.len() as i32];
    let mut attributes = vec![
        ("staticLowerBound", b.i64s_attr(&vec![0; rank])),
        ("staticUpperBound", b.i64s_attr(&statics)),
        ("staticStep", b.i64s_attr(&vec![1; rank])),
        ("operandSegmentSizes", b.i32s_attr(&segments)),
    ];
    attributes.extend(mapping.map(|mapping| ("mapping", mapping)));
    let arguments = [&vec![b.index_type(); rank][..], &types].concat();
    let op =
        b.op_with("scf.forall", &[&bounds[..], shared].concat(), &types, &attributes, &[arguments]);
    let Some(block) = op.body(0) else { return Ok(vec![]) };
    let inner = b.into_block(block);
    let arguments = block.arg_list();
    let (indices, outs) = arguments.split_at(rank);
    let rows = body(&inner, indices, outs)?;
    let end = inner.op_with("scf.forall.in_parallel", &[], &[], &[], &[vec![]]);
    if let Some(block) = end.body(0) {
        rows.iter().zip(outs).for_each(|(row, &out)| row.insert(&inner.into_block(block), out));
    }
    Ok(op.result_list())
}

/// The row of a shared result that an iteration makes, of which it makes parts.
pub fn slot<'c>(b: &Builder<'c>, out: Val<'c>, indices: &[Val<'c>]) -> Val<'c> {
    let shape = out.r#type().shape();
    let row = tensor_type(&shape[indices.len()..], out.r#type().scalar());
    Place::of(b, out, indices).slice(b, out, row)
}

/// Where an iteration puts something into a shared result.
struct Place<'c> {
    operands: Vec<Val<'c>>,
    statics: [Vec<i64>; 3],
    segments: [i32; 3],
}

impl<'c> Place<'c> {
    fn of(b: &Builder<'c>, out: Val<'c>, indices: &[Val<'c>]) -> Self {
        let shape = out.r#type().shape();
        let rank = indices.len();
        let offsets = (0..shape.len()).map(|d| if d < rank { DYNAMIC } else { 0 }).collect();
        let sizes: Vec<_> = (0..shape.len()).map(|d| if d < rank { 1 } else { shape[d] }).collect();
        let dynamic = (rank..shape.len()).filter(|&d| shape[d] == DYNAMIC);
        let dims: Vec<_> = dynamic.map(|d| b.dim(out, d)).collect();
        let segments = [rank as i32, dims.len() as i32, 0];
        let operands = [indices, &dims].concat();
        Self { operands, statics: [offsets, sizes, vec![1; shape.len()]], segments }
    }

    /// The same for a scalar that is there if a condition holds; otherwise it is a place for none.
    fn if_true(b: &Builder<'c>, condition: Val<'c>, out: Val<'c>, indices: &[Val<'c>]) -> Self {
        let size = b.select(condition, b.index(1), b.index(0));
        let Self { mut operands, mut statics, mut segments } = Self::of(b, out, indices);
        statics[1][0] = DYNAMIC;
        segments[1] += 1;
        operands.push(size);
        Self { operands, statics, segments }
    }

    /// What is there.
    fn slice(&self, b: &Builder<'c>, out: Val<'c>, r#type: Type<'c>) -> Val<'c> {
        let operands = [&[out], &self.operands[..]].concat();
        let segments = [&[1], &self.segments[..]].concat();
        b.slice_op("tensor.extract_slice", &operands, r#type, &self.statics, &segments)
    }
}

/// What an iteration inserts into a shared result.
pub struct Row<'c> {
    value: Val<'c>,
    place: Place<'c>,
}

impl<'c> Row<'c> {
    fn of(b: &Builder<'c>, value: Val<'c>, out: Val<'c>, indices: &[Val<'c>]) -> Self {
        let place = Place::of(b, out, indices);
        let (shape, rank) = (out.r#type().shape(), indices.len());
        let value = match value.r#type().as_tensor() {
            Some(_) => cast_row(b, value, &shape[rank..]),
            None => {
                let slot = place.slice(b, out, tensor_type(&vec![1; rank], value.r#type()));
                b.insert_element(value, slot, &vec![b.index(0); rank])
            }
        };
        Self { value, place }
    }

    /// A scalar that is inserted if a condition holds.
    pub fn if_true(
        b: &Builder<'c>,
        condition: Val<'c>,
        value: Val<'c>,
        out: Val<'c>,
        indices: &[Val<'c>],
    ) -> Result<Self> {
        let place = Place::if_true(b, condition, out, indices);
        let slot = place.slice(b, out, tensor_type(&place.statics[1], value.r#type()));
        let filled = b.if_else(condition, &[slot.r#type()], |b, is_there| {
            let first = vec![b.index(0); indices.len()];
            Ok(vec![if is_there { b.insert_element(value, slot, &first) } else { slot }])
        })?;
        Ok(Self { value: filled.res(0).unwrap_or(slot), place })
    }

    fn insert(&self, b: &Builder<'c>, out: Val<'c>) {
        let operands = [&[self.value, out], &self.place.operands[..]].concat();
        let [offsets, sizes, strides] = &self.place.statics;
        let attributes = [
            ("static_offsets", b.i64s_attr(offsets)),
            ("static_sizes", b.i64s_attr(sizes)),
            ("static_strides", b.i64s_attr(strides)),
            ("operandSegmentSizes", b.i32s_attr(&[&[1, 1], &self.place.segments[..]].concat())),
        ];
        b.op_with("tensor.parallel_insert_slice", &operands, &[], &attributes, &[]);
    }
}

/// A row whose type says what that of the array says of its sizes.
fn cast_row<'c>(b: &Builder<'c>, row: Val<'c>, shape: &[i64]) -> Val<'c> {
    let wanted: Type<'c> = tensor_type(shape, row.r#type().scalar());
    if wanted == row.r#type() { row } else { b.cast(row, wanted) }
}
