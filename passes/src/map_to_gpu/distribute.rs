//! Maps with parallel operations in their bodies are distributed over these, where the maps alone are not wide enough
//! (incremental flattening):
//!
//! ```text
//! ys = map (\x -> let as = map f x; s = reduce op e as in map (g s) x) xs
//!         ==>
//! ys = if the map is wide:  as it is, with one thread for each x
//!      else:                ss  = map (\x -> reduce op e (map f x)) xs      -- one block for each x
//!                           ys  = map (\x s -> map (g s) x) xs ss           -- a nest
//! ```
//! What is simple is computed again where it is needed; what is not goes through arrays with a row for each iteration.
//! Where that is no more than a few numbers, there is only the second version: neighbouring threads of a nest access
//! neighbouring elements, those of the first one rows.

use std::collections::{HashMap, HashSet};

use ad_dialect::ir::{
    Blk, BlkExt, DYNAMIC, Op, OpExt, OpKey, TyExt, Val, ValExt, ValueKey, array_of,
};
use melior::{
    Context,
    ir::{Attribute, Type, ValueLike, operation::OperationLike},
};

use super::{
    branches, columns, inner, lanes,
    long_rows::{self, PARTS},
    nest::{
        FEW, Nest, heavy_ops, is_part, is_regular_map, is_scalar_reduce, width_inside,
        with_own_maps,
    },
    part::Part,
    rows_and_sums, slices,
};
use crate::support::{
    builder::Builder,
    combinator::input_count,
    diag::{Result, internal_error},
    elementwise::everywhere,
    extent::is_regular,
    region::{ValueMap, clone_op, control_blocks, reads, renamed, replace},
    size::Size,
};

/// From so many threads on, what they do need not be distributed any further: a large GPU has about ten times as many at
/// once.
const MANY: i64 = 32768;
/// From so many elements on, a block reduces a row.
const LONG: i64 = 128;
/// The same where there are fewer rows than `SOME`, which would be few threads.
const SHORT: i64 = 64;
const SOME: i64 = 4096;
/// From so many elements on, a block scans a row.
const LONG_SCAN: i64 = 1024;

/// What is decided to be done by one thread for each iteration.
pub const THREADS: &str = "threads";
/// What is decided to be done by one block for each iteration.
pub const BLOCKS: &str = "blocks";
/// What is decided to be done by a few threads for each iteration.
pub const LANES: &str = "lanes";

/// Whose reductions are not so long that several blocks would share a row.
pub const WHOLE: &str = "whole";

/// Notes of the map that makes some arrays what is decided about it.
pub fn decide<'c>(context: &'c Context, made: &[Val<'c>], decision: &str) {
    if let Some(map) = made.first().and_then(ValExt::defining_op) {
        map.set_attr(context, decision, Attribute::unit(context));
    }
}

/// Distributes the maps in a block that runs on the host; those that reductions of arrays are, too.
pub fn run<'c>(context: &'c Context, block: Blk<'c>) -> Result<()> {
    columns::rewrite(context, block)?;
    let mut changes = true;
    while std::mem::take(&mut changes) {
        for op in block.body_ops() {
            if op.op_name() == "soac.map" {
                changes |= map(context, block, op)?;
            }
        }
    }
    for op in block.body_ops() {
        control_blocks(op).into_iter().try_for_each(|inner| run(context, inner))?;
    }
    Ok(())
}

/// What runs in one kernel.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    /// A map.
    Rows,
    /// Reductions of scalars.
    Sums,
    /// A scan of scalars.
    Scan,
    /// An operation whose body takes its place (`inner`).
    Body,
    /// Anything else.
    Rest,
}

impl Kind {
    /// Whether a block does it for an iteration.
    fn is_by_block(self) -> bool {
        matches!(self, Self::Sums | Self::Scan)
    }
}

/// Operations of a body that run in one kernel.
pub struct Segment<'c> {
    pub kind: Kind,
    pub ops: Vec<Op<'c>>,
    /// What of it the body ends with, or other segments need.
    pub outs: Vec<Val<'c>>,
    /// What it needs of other segments.
    pub stored: Vec<Val<'c>>,
    /// The operations of the body that are copied to it.
    pub copied: HashSet<OpKey>,
}

fn map<'c>(context: &'c Context, block: Blk<'c>, op: Op<'c>) -> Result<bool> {
    let is_decided = [THREADS, BLOCKS, LANES].iter().any(|name| op.attr(name).is_some());
    if is_decided || input_count(op) != op.operand_count() {
        return Ok(false);
    }
    let group = with_own_maps(op);
    if group.has_empty() {
        return Ok(false);
    }
    if let Some(body) = Nest::of(group).as_ref().and_then(Nest::body) {
        slices::become_maps(context, body)?;
        columns::rewrite_inside(context, body)?;
        branches::become_maps(context, op, body)?;
    }
    let Some((nest, segments)) = Nest::of(with_own_maps(op)).and_then(|nest| {
        let segments = segments_of(&nest)?;
        Some((nest, segments))
    }) else {
        return Ok(false);
    };
    let b = Builder::before(context, op, block);
    let by_block = matches!(&segments[..], [only] if only.kind.is_by_block());
    let types: Vec<_> = op.result_list().iter().map(|r| r.r#type()).collect();
    let build = |b: &Builder<'c>, decision: &str| {
        let mut names = ValueMap::new();
        for producer in &nest.levels[0].group.maps {
            clone_op(b, *producer, &mut names);
        }
        if decision == BLOCKS && !by_block {
            return distribute(b, &nest, &segments, &names);
        }
        let copy = clone_op(b, op, &mut names);
        // It may make nothing, but update what is outside.
        copy.set_attr(context, decision, Attribute::unit(context));
        Ok(copy.result_list())
    };
    // One of two decisions, the first if a condition holds.
    let either = |b: &Builder<'c>,
                  condition: Option<Size<'c>>,
                  then: &dyn Fn(&Builder<'c>) -> Result<Vec<Val<'c>>>,
                  other: &dyn Fn(&Builder<'c>) -> Result<Vec<Val<'c>>>| {
        match condition {
            None => other(b),
            Some(Size::Known(_)) => then(b),
            Some(Size::Value(holds)) => {
                let made = b.if_else(holds, &types, |b, holds| match holds {
                    true => then(&b),
                    false => other(&b),
                })?;
                Ok(made.result_list())
            }
        }
    };
    let many = |b: &Builder<'c>| {
        let reductions = match &segments[..] {
            [Segment { kind: Kind::Sums, ops, .. }] => &ops[..],
            _ => &[],
        };
        let long = lanes::are_worth_it(b, &nest, reductions);
        either(b, long, &|b| build(b, LANES), &|b| build(b, THREADS))
    };
    let blocks = |b: &Builder<'c>| {
        let sums = match &segments[..] {
            [Segment { kind: Kind::Sums, ops, .. }] => ops.first(),
            _ => None,
        };
        let sums = sums.filter(|_| op.attr(WHOLE).is_none());
        let Some([count, several]) = sums.and_then(|&sum| long_rows::parts(b, &nest, sum)) else {
            return build(b, BLOCKS);
        };
        either(b, Some(several), &|b| in_parts(b, op, &nest, count), &|b| build(b, BLOCKS))
    };
    let few = if !by_block && stores_little(&segments) {
        Some(Size::Known(1))
    } else {
        few(&b, &nest, &segments)
    };
    let values = either(&b, few, &blocks, &many)?;
    replace(op, &values);
    nest.levels[0].group.maps.iter().rev().for_each(OpExt::erase);
    Ok(true)
}

/// Whether nothing is stored between segments, or less than neighbouring threads gain that access neighbouring elements
/// of rows, which are longer than `FEW`: numbers, each of which is written and read.
fn stores_little(segments: &[Segment<'_>]) -> bool {
    let stored = || segments.iter().flat_map(|segment| &segment.stored);
    let accumulates =
        |segment: &Segment<'_>| segment.ops.iter().any(|&op| inner::is_accumulation(op));
    let has_rows = segments.iter().any(|segment| segment.kind == Kind::Rows);
    let is_little = has_rows
        && segments
            .iter()
            .all(|segment| matches!(segment.kind, Kind::Rows | Kind::Sums | Kind::Rest))
        && stored().all(|value| value.r#type().as_tensor().is_none())
        && stored().count() as i64 <= FEW / 2;
    (stored().next().is_none() || is_little) && !segments.iter().any(accumulates)
}

/// Whether a nest has so few iterations that it is distributed: none if not.
fn few<'c>(b: &Builder<'c>, nest: &Nest<'c>, segments: &[Segment<'c>]) -> Option<Size<'c>> {
    let widths = nest.widths(b);
    let total = widths.into_iter().fold(Size::Known(1), |product, width| product.times(b, width));
    let few = match total.at_least(b, Size::Known(MANY)) {
        None => Size::Known(1),
        Some(Size::Known(_)) => return None,
        Some(Size::Value(many)) => Size::Value(b.not(many)),
    };
    let [Segment { kind, ops, .. }] = segments else { return Some(few) };
    if !kind.is_by_block() {
        return Some(few);
    }
    // The rows may be of sizes that are not known here.
    let width = ops.first().and_then(|&op| width_inside(op));
    let Some(width) = width.filter(|width| width.is_outside(nest.root())) else { return Some(few) };
    let width = Size::of_extent(b, width);
    let least =
        if *kind == Kind::Scan { Size::Known(LONG_SCAN) } else { least_for_block(b, total, width) };
    let is_long = width.at_least(b, least)?;
    Some(few.and(b, is_long))
}

/// From how many elements on a block reduces a row.
pub fn least_for_block<'c>(b: &Builder<'c>, rows: Size<'c>, width: Size<'c>) -> Size<'c> {
    if matches!(width, Size::Known(n) if !(SHORT..LONG).contains(&n)) {
        return Size::Known(LONG);
    }
    match rows.at_least(b, Size::Known(SOME)) {
        None => Size::Known(SHORT),
        Some(Size::Known(_)) => Size::Known(LONG),
        Some(Size::Value(some)) => Size::Value(b.select(some, b.index(LONG), b.index(SHORT))),
    }
}

/// Whether the size of the rows that a scan makes is known in front of a map.
fn is_regular_scan<'c>(root: Op<'c>, scan: Op<'c>) -> bool {
    width_inside(scan).is_some_and(|width| width.is_outside(root))
        && scan.result_list().iter().all(|&result| is_regular(root, result))
}

/// The parts of the innermost body of a nest; none if it is not to be distributed.
fn segments_of<'c>(nest: &Nest<'c>) -> Option<Vec<Segment<'c>>> {
    let (root, body) = (nest.root(), nest.body()?);
    // What is in a buffer of an iteration cannot be handed from one kernel to the next.
    if body.body_ops().iter().any(|op| matches!(op.op_name(), "memref.alloc" | "memref.alloca")) {
        return None;
    }
    let heavy = heavy_ops(body);
    let kind = |op: Op<'c>| match op.op_name() {
        "soac.map" if op.attr(PARTS).is_some() => Kind::Rows,
        "soac.reduce" if op.attr(PARTS).is_some() => Kind::Sums,
        "soac.map" if is_part(op) && is_regular_map(root, op) => Kind::Rows,
        "soac.reduce" if is_part(op) && is_scalar_reduce(op) => Kind::Sums,
        "soac.scan" if is_part(op) && is_regular_scan(root, op) => Kind::Scan,
        _ if inner::is_distributed(root, op) => Kind::Body,
        _ => Kind::Rest,
    };
    let new =
        |kind, ops| Segment { kind, ops, outs: vec![], stored: vec![], copied: HashSet::new() };
    let mut segments: Vec<Segment<'c>> = vec![];
    for &op in &heavy {
        let kind = kind(op);
        match segments.last_mut() {
            Some(last) if last.kind == kind && matches!(kind, Kind::Sums | Kind::Rest) => {
                last.ops.push(op);
            }
            _ => segments.push(new(kind, vec![op])),
        }
    }
    if segments.iter().all(|segment| segment.kind == Kind::Rest) {
        return None;
    }
    // What the body ends with and is simple belongs to the last segment if that can make it, or is one of its own.
    let is_heavy = |value: &Val<'c>| {
        let op = value.defining_op();
        op.is_some_and(|op| heavy.iter().any(|heavy| heavy.key() == op.key()))
    };
    let ends = nest.ends();
    let simple: Vec<_> = unique(ends.iter().copied().filter(|end| !is_heavy(end)));
    if !simple.is_empty() {
        let has_arrays = simple.iter().any(|end| end.r#type().as_tensor().is_some());
        let last = segments.last()?.kind;
        if matches!(last, Kind::Rows | Kind::Body | Kind::Scan) || last == Kind::Sums && has_arrays
        {
            segments.push(new(Kind::Rest, vec![]));
        }
        segments.last_mut()?.outs.extend(&simple);
    }
    for segment in &mut segments {
        segment.slice(body, is_heavy);
        if segment.kind == Kind::Body {
            segment.ops.iter().for_each(|op| {
                segment.copied.remove(&op.key());
            });
        }
    }
    match &segments[..] {
        [only] if only.kind.is_by_block() && nest.makes_arrays() => return None,
        [only] if matches!(only.kind, Kind::Rows | Kind::Rest) => return None,
        _ => {}
    }
    let mut needed = ends;
    needed.extend(segments.iter().flat_map(|segment| &segment.stored));
    for segment in &mut segments {
        let own: HashSet<_> = segment.ops.iter().map(OpExt::key).collect();
        let outs = needed.iter().copied().filter(|value| {
            is_heavy(value) && value.defining_op().is_some_and(|op| own.contains(&op.key()))
        });
        segment.outs = unique(segment.outs.iter().copied().chain(outs));
    }
    let outs = segments.iter().flat_map(|segment| &segment.outs);
    // The rows of an array of arrays without dimensions would be numbers.
    let has_rows =
        |out: Val<'c>| out.r#type().as_tensor().is_none() || !out.r#type().shape().is_empty();
    let can_store = |&out: &Val<'c>| is_regular(root, out) && has_rows(out);
    outs.into_iter().all(can_store).then_some(segments)
}

pub fn unique<'c>(values: impl Iterator<Item = Val<'c>>) -> Vec<Val<'c>> {
    let mut seen = HashSet::new();
    values.filter(|value| seen.insert(value.key())).collect()
}

impl<'c> Segment<'c> {
    /// Finds what is copied, and what is needed of other segments.
    fn slice(&mut self, body: Blk<'c>, is_heavy: impl Fn(&Val<'c>) -> bool) {
        self.copied = self.ops.iter().map(OpExt::key).collect();
        let mut wanted = self.outs.clone();
        wanted.extend(self.ops.iter().flat_map(|&op| reads(op)));
        while let Some(value) = wanted.pop() {
            let Some(op) = value.defining_op().filter(|op| op.block() == Some(body)) else {
                continue;
            };
            if self.copied.contains(&op.key()) {
                continue;
            }
            if is_heavy(&value) {
                self.stored.push(value);
            } else {
                self.copied.insert(op.key());
                wanted.extend(reads(op));
            }
        }
        self.stored = unique(self.stored.iter().copied());
    }
}

/// What the segments of a nest have become so far.
#[derive(Clone)]
pub struct Distribution<'a, 'c> {
    pub nest: &'a Nest<'c>,
    /// What is called otherwise where the nests are made.
    names: &'a ValueMap<'c>,
    /// Arrays with a row for each iteration.
    pub made: HashMap<ValueKey, Val<'c>>,
}

impl<'c> Distribution<'_, 'c> {
    /// Makes a nest of a segment.
    pub fn add(&mut self, b: &Builder<'c>, segment: &Segment<'c>) -> Result<()> {
        let stored = segment.stored.iter().filter_map(|value| self.made.get(&value.key()));
        let stored: Vec<_> = stored.copied().collect();
        let is_numbered = segment.ops.iter().any(|&op| inner::is_accumulation(op));
        let is_numbered = is_numbered && segment.kind == Kind::Body;
        let widths = if is_numbered { self.nest.widths(b) } else { vec![] };
        let part = Part { nest: self.nest, segment, names: self.names, stored: &stored, widths };
        let arrays = match segment.kind {
            Kind::Body => inner::distribute(b, &part)?,
            _ => part.nest(b, &segment.outs, &mut |_, names, _| {
                Ok(segment.outs.iter().map(|&out| renamed(names, out)).collect())
            })?,
        };
        self.made.extend(segment.outs.iter().map(ValExt::key).zip(arrays));
        Ok(())
    }

    /// The results of the original nest.
    fn results(&self, b: &Builder<'c>) -> Vec<Val<'c>> {
        let results = self.nest.root().result_list().into_iter().zip(self.nest.ends());
        let cast = |(result, end): (Val<'c>, Val<'c>)| {
            let array = self.made.get(&end.key()).copied().unwrap_or(result);
            let is_other = array.r#type() != result.r#type();
            if is_other { b.cast(array, result.r#type()) } else { array }
        };
        results.map(cast).collect()
    }
}

/// Makes a nest of each segment; returns the results of the original one.
fn distribute<'c>(
    b: &Builder<'c>,
    nest: &Nest<'c>,
    segments: &[Segment<'c>],
    names: &ValueMap<'c>,
) -> Result<Vec<Val<'c>>> {
    Ok(distributed(b, nest, segments, names)?.results(b))
}

fn distributed<'a, 'c>(
    b: &Builder<'c>,
    nest: &'a Nest<'c>,
    segments: &[Segment<'c>],
    names: &'a ValueMap<'c>,
) -> Result<Distribution<'a, 'c>> {
    let mut all = Distribution { nest, names, made: HashMap::new() };
    let mut rest = segments;
    while let [segment, behind @ ..] = rest {
        rest = behind;
        if let [sums, others @ ..] = behind
            && rows_and_sums::make(b, &mut all, [segment, sums], segments)?
        {
            rest = others;
        } else {
            all.add(b, segment)?;
        }
    }
    Ok(all)
}

/// Makes what a nest of reductions makes, with a block for each part of a row.
fn in_parts<'c>(
    b: &Builder<'c>,
    op: Op<'c>,
    nest: &Nest<'c>,
    count: Size<'c>,
) -> Result<Vec<Val<'c>>> {
    let (context, mut names): (&'c Context, _) = (b.context(), ValueMap::new());
    let op = nest.levels[0]
        .group
        .maps
        .iter()
        .chain([&op])
        .fold(op, |_, op| clone_op(b, *op, &mut names));
    let unmapped = || internal_error(op, "rows in parts are not distributed");
    let nest = Nest::of(with_own_maps(op)).ok_or_else(unmapped)?;
    long_rows::share_out(context, nest.body().ok_or_else(unmapped)?, count)?;
    let (segments, names) = (segments_of(&nest).ok_or_else(unmapped)?, ValueMap::new());
    let all = distributed(b, &nest, &segments, &names)?;
    all.made.values().for_each(|&array| decide(context, &[array], BLOCKS));
    let results = all.results(b);
    op.erase();
    Ok(results)
}

impl<'c> Nest<'c> {
    /// Whether an iteration makes arrays, also as rows of arrays that are filled with one number: the threads of a block
    /// cannot do that together.
    pub fn makes_arrays(&self) -> bool {
        let names = ["tensor.splat", "tensor.empty", "linalg.fill"];
        let makes = |body: Blk<'c>| {
            body.body_ops().into_iter().any(|op| {
                !is_part(op) && {
                    let mut found = false;
                    op.for_each(&mut |op| found |= names.contains(&op.op_name()));
                    found
                }
            })
        };
        let is_filled_row =
            |array: &Val<'c>| array.r#type().shape().len() > 1 && everywhere(*array).is_some();
        self.levels.iter().any(|level| {
            let maps = level.group.maps.iter();
            makes(level.body)
                || level.group.op.operand_list().iter().any(is_filled_row)
                || maps.into_iter().filter_map(|map| map.body(0)).any(makes)
        })
    }

    /// The type of the arrays of what the innermost body makes, at one of the levels.
    pub fn rows_of(&self, number: usize, value: Val<'c>) -> Type<'c> {
        let width = |op: Op<'c>| {
            let sizes = op.operand_list().into_iter().filter_map(|input| {
                input.r#type().shape().first().copied().filter(|&size| size != DYNAMIC)
            });
            sizes.into_iter().next().unwrap_or(DYNAMIC)
        };
        let levels = self.levels[number..].iter().rev();
        levels.fold(value.r#type(), |row, level| array_of(width(level.group.op), row))
    }
}
