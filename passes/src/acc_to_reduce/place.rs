//! What a nest of its own for one update would execute, and how often.
//!
//! The maps around the update are put in another order: first those whose iteration
//! numbers are indices, in the order of the indices, then those that are summed over.
//! Everything that the value depends on gets a place: the number of maps that are open
//! where it runs. Something is repeated when it runs under a map that it was not under
//! before, or when it still has to run in the old nest.

use std::collections::{HashMap, HashSet};

use ad_dialect::{
    capi,
    ir::{Blk, BlkExt, Op, OpExt, OpKey, TyExt, Val, ValExt, ValueKey},
};
use melior::ir::{ValueLike, operation::OperationLike};

use super::{
    analysis::{Level, MALFORMED, Reason, Scope, Site, needed_besides},
    store::MatrixProduct,
};
use crate::support::{
    accumulator,
    combinator::{array_result_count, cannot_fail, input_count, is_iota},
    extent::{Extent, extent_of},
    region::{free_values, is_outside},
};

/// The most that a kernel repeats for a sum in place of updates, in operations on numbers.
const MOST: usize = 64;

/// What a nest of its own may repeat.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Repeats {
    /// Next to nothing.
    Little,
    /// What a thread of a kernel does again sooner than that many of them add to the same places: what one iteration makes
    /// of numbers.
    Numbers,
}

/// One thing that the nest has to execute.
pub struct Item<'c> {
    /// What it is.
    pub what: What<'c>,
    /// How many of the maps it ran under, in their old order.
    level: usize,
    /// How many branches around the update it is in.
    pub guard: usize,
    /// How many of the maps it runs under, in their new order.
    pub place: usize,
}

/// See `Item`.
#[derive(Clone, Copy)]
pub enum What<'c> {
    /// An argument of the body of a level: the row of an input.
    Row {
        /// The level.
        level: usize,
        /// The input.
        input: Val<'c>,
        /// The argument.
        argument: Val<'c>,
    },
    /// An operation.
    Op(Op<'c>),
}

/// A nest for one update, planned.
pub struct Nest<'c> {
    /// The maps around the value, in their old order.
    pub levels: Vec<Level<'c>>,
    /// The new order of the levels.
    pub order: Vec<usize>,
    /// How many levels, first in the order, the result has dimensions for.
    pub kept: usize,
    /// What one iteration contributes.
    pub value: Val<'c>,
    /// The branches around the update, outermost first.
    pub guards: Vec<(Op<'c>, usize)>,
    /// What is executed, in the old order.
    pub items: Vec<Item<'c>>,
    /// How often each level iterates.
    pub widths: Vec<Extent<'c>>,
    /// For every level, whether its map reads its old inputs.
    pub direct: Vec<bool>,
}

/// A stretch of the old nest: the operations of a block up to one of them.
struct Stretch<'c> {
    block: Blk<'c>,
    stop: Option<Op<'c>>,
    level: usize,
    guard: usize,
}

impl<'c> Nest<'c> {
    /// Plans the nest of an update. With `expand`, a value that is itself the result
    /// of a map adds that map to the nest.
    pub fn plan(
        root: Op<'c>,
        site: &Site<'c>,
        expand: bool,
        repeats: Repeats,
    ) -> Result<Self, Reason> {
        let block = root.body(0).ok_or(MALFORMED)?;
        let (mut stretches, mut levels, guards) = walk(block, &site.path, Some(site.update))?;
        let mut value = site.value;
        let mut inner = vec![];
        if expand {
            inner = expand_value(&mut value, &mut levels, &mut stretches, guards.len());
            if inner.is_empty() {
                return Err("its value is not the result of a map");
            }
        }
        if !guards.is_empty() && value.r#type().shape().contains(&ad_dialect::ir::DYNAMIC) {
            return Err("a branch decides about whole rows");
        }
        let mut order = site.index_levels();
        order.extend(inner);
        let kept = order.len();
        order.extend((0..levels.len()).filter(|level| !order.contains(level)).collect::<Vec<_>>());
        let widths = levels.iter().map(|level| width(root, *level)).collect();
        let direct = vec![false; levels.len()];
        let mut nest = Nest { levels, order, kept, value, guards, items: vec![], widths, direct };
        nest.select(root, &stretches)?;
        nest.place()?;
        nest.judge(root, site, repeats)?;
        Ok(nest)
    }

    /// Plans the nest of a value inside of an operation in the old order.
    pub fn natural(outer: Op<'c>, path: &[Scope<'c>], value: Val<'c>) -> Result<Self, Reason> {
        let (stretches, levels, guards) = walk(outer.block().ok_or(MALFORMED)?, path, None)?;
        if !guards.is_empty() {
            return Err("a branch decides whether it is computed");
        }
        let order: Vec<_> = (0..levels.len()).collect();
        let widths = levels.iter().map(|level| width(outer, *level)).collect();
        let (kept, direct) = (levels.len(), vec![false; levels.len()]);
        let mut nest = Nest { levels, order, kept, value, guards, items: vec![], widths, direct };
        nest.select(outer, &stretches)?;
        nest.place()?;
        Ok(nest)
    }

    fn position(&self, level: usize) -> usize {
        self.order.iter().position(|&other| other == level).unwrap_or(0)
    }

    /// Finds out what the nest needs of the old one.
    fn select(&mut self, root: Op<'c>, stretches: &[Stretch<'c>]) -> Result<(), Reason> {
        let (mut ops, mut arguments) = (HashSet::new(), HashSet::new());
        let mut open = vec![self.value];
        open.extend(self.guards.iter().filter_map(|(branch, _)| branch.opnd(0)));
        open.extend(self.widths.iter().filter_map(|width| match width {
            Extent::Known(_) => None,
            Extent::Value(value) | Extent::Dim(value, _) => Some(*value),
        }));
        while let Some(value) = open.pop() {
            if is_outside(root, value) {
                continue;
            }
            if value.r#type().is_acc() {
                return Err("what it adds comes out of other accumulators");
            }
            let Some(op) = value.defining_op() else {
                if arguments.insert(value.key())
                    && let Some(input) = self.input_of(value)
                {
                    open.push(input);
                }
                continue;
            };
            if ops.insert(op.key()) {
                open.extend(op.operand_list());
                open.extend(free_values(&op.blocks()));
            }
        }
        self.collect(stretches, &ops, &arguments);
        let found = self.items.iter().filter(|item| matches!(item.what, What::Op(_))).count();
        if found < ops.len() {
            return Err("what it adds is made outside of its nest of maps");
        }
        Ok(())
    }

    /// The array, other than an iota, that an argument of a level is a row of.
    fn input_of(&self, argument: Val<'c>) -> Option<Val<'c>> {
        let owner = argument.owner_block()?;
        let level = self.levels.iter().find(|level| level.body == owner)?;
        level.map.opnd(argument.position()).filter(|input| !is_iota(*input))
    }

    fn collect(
        &mut self,
        stretches: &[Stretch<'c>],
        ops: &HashSet<OpKey>,
        arguments: &HashSet<ValueKey>,
    ) {
        for stretch in stretches {
            let (level, guard) = (stretch.level, stretch.guard);
            let mut add = |what| self.items.push(Item { what, level, guard, place: 0 });
            let entered = self.levels.iter().position(|level| level.body == stretch.block);
            if let Some(entered) = entered
                && let Some(map) = self.levels.get(entered).map(|level| level.map)
            {
                let rows = stretch.block.arg_list().into_iter().zip(map.operand_list());
                for (argument, input) in rows.take(input_count(map)) {
                    if arguments.contains(&argument.key()) {
                        add(What::Row { level: entered, input, argument });
                    }
                }
            }
            let before = |op: &Op<'c>| stretch.stop.is_none_or(|stop| stop.key() != op.key());
            for op in stretch.block.ops().into_iter().take_while(before) {
                if ops.contains(&op.key()) {
                    add(What::Op(op));
                }
            }
        }
    }

    /// Gives everything its place.
    fn place(&mut self) -> Result<(), Reason> {
        let mut places: HashMap<ValueKey, usize> = HashMap::new();
        let mut items = std::mem::take(&mut self.items);
        let place_of = |places: &HashMap<ValueKey, usize>, value: Val<'c>| {
            places.get(&value.key()).copied().unwrap_or(0)
        };
        let all_open = |levels: usize| (0..levels).map(|k| self.position(k) + 1).max().unwrap_or(0);
        let mut direct = vec![];
        for k in 0..self.levels.len() {
            direct.push((0..k).all(|j| self.position(j) < self.position(k)));
        }
        for item in &mut items {
            item.place = match item.what {
                What::Row { level, input, argument } => {
                    let here = self.position(level);
                    let place = if is_iota(input) {
                        here + 1
                    } else {
                        if place_of(&places, input) > here
                            && let Some(direct) = direct.get_mut(level)
                        {
                            *direct = false;
                        }
                        place_of(&places, input).max(here + 1).max(all_open(level + 1))
                    };
                    places.insert(argument.key(), place);
                    place
                }
                What::Op(op) => {
                    let mut place = 0;
                    for value in op.operand_list().into_iter().chain(free_values(&op.blocks())) {
                        place = place.max(place_of(&places, value));
                    }
                    let may_move = may_run_anywhere(op) && (item.guard == 0 || is_free(op));
                    if !may_move {
                        place = place.max(all_open(item.level));
                    }
                    for result in op.result_list() {
                        places.insert(result.key(), place);
                    }
                    place
                }
            };
        }
        self.items = items;
        self.direct = direct;
        for (k, width) in self.widths.iter().enumerate() {
            let place = match width {
                Extent::Known(_) => 0,
                Extent::Value(value) | Extent::Dim(value, _) => place_of(&places, *value),
            };
            let limit = if self.position(k) < self.kept { 0 } else { self.position(k) };
            if place > limit {
                return Err("the width of a map changes from iteration to iteration");
            }
        }
        Ok(())
    }

    /// Whether it pays: fewer than two accesses to arrays are repeated [FUT 6.1], and
    /// nothing that costs more. A product of matrices reads its elements in tiles.
    fn judge(&self, root: Op<'c>, site: &Site<'c>, repeats: Repeats) -> Result<(), Reason> {
        let needed = needed_besides(root, &HashSet::from([site.update.key()]));
        let (mut accesses, mut arithmetic, mut functions) = (0, 0, 0);
        for item in &self.items {
            let mut under = self.order.iter().take(item.place);
            let grows = under.any(|&level| level >= item.level);
            let values = match item.what {
                What::Row { argument, .. } => vec![argument],
                What::Op(op) => op.result_list(),
            };
            let stays = values.iter().any(|value| needed.contains(&value.key()));
            if !grows && !stays {
                continue;
            }
            let innermost = item.place == self.order.len();
            match cost(&item.what) {
                Cost::Nothing => {}
                Cost::Access => accesses += usize::from(innermost),
                Cost::Arithmetic => arithmetic += usize::from(innermost),
                Cost::Function if repeats == Repeats::Numbers && !grows => functions += 1,
                Cost::Function | Cost::Dear => {
                    return Err("a nest of its own would repeat an expensive operation");
                }
            }
        }
        if repeats == Repeats::Numbers && accesses + arithmetic + functions <= MOST {
            return Ok(());
        }
        if (accesses >= 2 || arithmetic > 2) && MatrixProduct::of(site.update).is_some() {
            return Ok(());
        }
        if accesses >= 2 {
            return Err("a nest of its own would repeat two or more accesses to arrays");
        }
        if arithmetic > 2 {
            return Err("a nest of its own would repeat much arithmetic");
        }
        Ok(())
    }
}

/// The stretches, levels and branches around an update.
type Walk<'c> = (Vec<Stretch<'c>>, Vec<Level<'c>>, Vec<(Op<'c>, usize)>);

/// Follows a path from a block to an operation, or to the end of the innermost block.
fn walk<'c>(
    mut block: Blk<'c>,
    path: &[Scope<'c>],
    stop: Option<Op<'c>>,
) -> Result<Walk<'c>, Reason> {
    let (mut stretches, mut levels, mut guards) = (vec![], vec![], vec![]);
    for scope in path {
        let (level, guard) = (levels.len(), guards.len());
        stretches.push(Stretch { block, stop: Some(scope.op()), level, guard });
        match scope {
            Scope::Map(_) if !guards.is_empty() => {
                return Err("a branch decides whether a map around the update runs");
            }
            Scope::Map(level) => levels.push(*level),
            Scope::Branch(op, branch) => guards.push((*op, *branch)),
            Scope::Known(..) | Scope::Once(_) => {}
        }
        block = scope.block().ok_or(MALFORMED)?;
    }
    stretches.push(Stretch { block, stop, level: levels.len(), guard: guards.len() });
    Ok((stretches, levels, guards))
}

/// Follows a value into the maps that make it; returns the levels that were added.
fn expand_value<'c>(
    value: &mut Val<'c>,
    levels: &mut Vec<Level<'c>>,
    stretches: &mut Vec<Stretch<'c>>,
    guards: usize,
) -> Vec<usize> {
    let mut added = vec![];
    while guards == 0
        && let Some(last) = stretches.last()
        && let Some((op, body, yielded)) = maker(*value, last.block)
    {
        if op.op_name() == "soac.map" {
            added.push(levels.len());
            levels.push(Level { map: op, body });
        }
        stretches.push(Stretch { block: body, stop: body.term(), level: levels.len(), guard: 0 });
        *value = yielded;
    }
    added
}

/// The operation of a block that a value comes out of, its body, and the value in there. What is
/// made further out runs less often.
pub fn maker<'c>(value: Val<'c>, block: Blk<'c>) -> Option<(Op<'c>, Blk<'c>, Val<'c>)> {
    let op = value.defining_op().filter(|op| op.block() == Some(block))?;
    let hands_out = match op.op_name() {
        "soac.map" => value.position() < array_result_count(op),
        "soac.with_acc" => value.position() >= op.operand_count(),
        _ => false,
    };
    let body = op.body(0).filter(|_| hands_out)?;
    Some((op, body, body.term()?.opnd(value.position())?))
}

/// How often a map iterates, preferably in terms of what is known outside.
fn width<'c>(root: Op<'c>, level: Level<'c>) -> Extent<'c> {
    let inputs = level.map.operand_list().into_iter().take(input_count(level.map));
    let extents: Vec<_> = inputs.map(|input| extent_of(input, 0)).collect();
    let rank = |extent: &Extent<'c>| match extent {
        Extent::Known(_) => 0,
        Extent::Value(value) if is_outside(root, *value) => 1,
        Extent::Dim(array, _) if is_outside(root, *array) => 2,
        Extent::Value(_) => 3,
        Extent::Dim(..) => 4,
    };
    extents.into_iter().min_by_key(rank).unwrap_or(Extent::Known(0))
}

/// How much it costs to execute something once more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cost {
    Nothing,
    Access,
    Arithmetic,
    Function,
    Dear,
}

fn cost(what: &What<'_>) -> Cost {
    match what {
        What::Row { input, argument, .. } => {
            let is_view = argument.r#type().as_tensor().is_some() || is_iota(*input);
            if is_view { Cost::Nothing } else { Cost::Access }
        }
        What::Op(op) => cost_of_op(*op),
    }
}

fn cost_of_op(op: Op<'_>) -> Cost {
    const VIEWS: [&str; 7] = [
        "soac.iota",
        "soac.replicate",
        "tensor.cast",
        "tensor.dim",
        "tensor.empty",
        "tensor.extract_slice",
        "scf.yield",
    ];
    let name = op.op_name();
    let is_number = |value: &Val<'_>| {
        let scalar = value.r#type().scalar();
        scalar.is_float_type() || scalar.is_complex_type()
    };
    let is_array = op.result_list().iter().any(|result| result.r#type().as_tensor().is_some());
    match name {
        "tensor.extract" => Cost::Access,
        "arith.constant" | "complex.constant" => Cost::Nothing,
        "scf.if" => {
            let inner = op.blocks().into_iter().flat_map(|block| block.ops());
            inner.map(cost_of_op).max().unwrap_or(Cost::Nothing)
        }
        _ if VIEWS.contains(&name) => Cost::Nothing,
        // What a row of numbers costs is what they do.
        "tensor.from_elements" => Cost::Nothing,
        _ if is_array => Cost::Dear,
        _ if name.starts_with("complex.") => Cost::Arithmetic,
        "arith.divf" => Cost::Function,
        _ if name.starts_with("math.") => Cost::Function,
        _ if name.starts_with("arith.") => {
            let numbers = op.operand_list().iter().chain(&op.result_list()).any(is_number);
            if numbers { Cost::Arithmetic } else { Cost::Nothing }
        }
        _ if name.starts_with("index.") => Cost::Nothing,
        _ => Cost::Dear,
    }
}

fn is_free(op: Op<'_>) -> bool {
    cost_of_op(op) == Cost::Nothing
}

/// Whether executing the operation where it was not executed before does no harm.
fn may_run_anywhere(op: Op<'_>) -> bool {
    let name = op.op_name();
    let pure = cannot_fail(name) || ["tensor.dim", "tensor.cast"].contains(&name);
    pure && op.blocks().is_empty() && capi::is_trivially_dead(op)
}

/// Whether the nest is the old one with the levels in their old order.
pub fn is_natural(site: &Site<'_>) -> bool {
    let indexed = site.index_levels();
    indexed.iter().copied().eq(0..indexed.len())
}

/// Whether the map also makes something else than the updates of one accumulator.
pub fn makes_more(map: Op<'_>, own: &[Op<'_>]) -> bool {
    let arrays = map.result_list().into_iter().take(array_result_count(map));
    let mut more = arrays.into_iter().any(|array| !array.users().is_empty());
    map.for_each(&mut |op| {
        more |= op.op_name() == "soac.update_acc"
            && own.iter().all(|update| update.key() != op.key())
            && !updates_inner(map, op);
    });
    more
}

/// Whether the update belongs to a `soac.with_acc` inside of the map.
fn updates_inner(map: Op<'_>, update: Op<'_>) -> bool {
    let origin = update.opnd(0).and_then(accumulator::origin);
    origin.is_none_or(|origin| !is_outside(map, origin))
}
