//! Sums of products that have a factor in common.
//!
//! ```text
//! map (\i -> map (\j -> let s = f i j in map (\l -> upd [l] (s * g j l) acc)))
//!   =>  let t = map (\i -> map (\j -> upd [j] (f i j) zeros))
//!       in map (\j -> map (\l -> upd [l] (t[j] * g j l) acc))
//! ```
//! Multiplication distributes over sums: what all iterations of a map multiply by is multiplied by
//! once, after the sum over the map. Reverse mode makes such sums for what a linear function reads
//! alike in all iterations: of `y = Q (x[i] - m)`, the cotangent of `m` is the sum over i of the
//! cotangents of y, times Q.

use std::collections::HashSet;

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, ValueKey, tensor_type};
use melior::{
    Context,
    ir::{BlockLike, ValueLike, operation::OperationLike},
};

use super::{
    analysis::{Level, Scope, path},
    thread::forget,
};
use crate::support::{
    accumulator::origin,
    builder::{Builder, CMP_SGT, same_value},
    combinator::{array_result_count, input_count, is_iota},
    diag::{Result, internal_error},
    extent::{Extent, extent_of, extent_of_value},
    hand_in::add_input,
    region::{ValueMap, clone_op, free_values, renamed, with_more, yield_more},
};

/// Takes the factors of an update that do not change in a map around it out of the sum over that map.
/// Says whether there were any.
pub fn factor<'c>(context: &'c Context, update: Op<'c>) -> Result<bool> {
    let levels = levels_of(update).unwrap_or_default();
    for outer in 0..levels.len().saturating_sub(1) {
        hoist_sizes(context, levels[outer].map);
        if let Some(sum) = Sum::of(&levels[outer..], update) {
            sum.build(context)?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// The maps around an update, outermost first, if there is nothing else.
fn levels_of(update: Op<'_>) -> Option<Vec<Level<'_>>> {
    let root = origin(update.opnd(0)?)?.owner_block()?.parent_operation()?;
    let as_level = |scope| match scope {
        Scope::Map(level) => Some(level),
        Scope::Branch(..) | Scope::Known(..) | Scope::Once(_) => None,
    };
    path(root, update).ok()?.into_iter().map(as_level).collect()
}

/// Sizes of rows become sizes of the arrays outside of a map, which do not change in it.
pub fn hoist_sizes<'c>(context: &'c Context, map: Op<'c>) {
    let Some(block) = map.block() else { return };
    let mut sizes = vec![];
    map.for_each(&mut |op| {
        if op.op_name() == "tensor.dim" {
            sizes.extend(op.res(0));
        }
    });
    for size in sizes {
        let extent = extent_of_value(size);
        if extent.is_outside(map) {
            size.replace_all_uses(extent.value(&Builder::before(context, map, block)));
        }
    }
}

/// A sum over the iterations of a map of products with factors that do not change in it.
struct Sum<'c> {
    update: Op<'c>,
    /// The map that is summed over, and the ones inside of it around the update.
    levels: Vec<Level<'c>>,
    /// The factors that change, and the level in whose body the last one of them is known.
    changing: Vec<Val<'c>>,
    depth: usize,
    /// The factors that do not.
    fixed: Vec<Val<'c>>,
    /// Whether the product is negated.
    is_negative: bool,
    /// The levels that there is a sum for each iteration of, and their widths.
    kept: Vec<(usize, Extent<'c>)>,
    /// An input of each map inside of them, which says how wide it is.
    widths: Vec<Val<'c>>,
    /// What the fixed factors, the indices and these inputs are made of.
    needed: HashSet<ValueKey>,
}

impl<'c> Sum<'c> {
    fn of(levels: &[Level<'c>], update: Op<'c>) -> Option<Self> {
        let (top, innermost) = (levels.first()?.map, levels.last()?.body);
        let operands = update.operand_list();
        let (&value, indices) = operands.get(1..)?.split_last()?;
        if !value.r#type().is_float_type() || extent_of(top.opnd(0)?, 0) == Extent::Known(1) {
            return None;
        }
        let varying = varying(levels);
        let (mut changing, mut fixed, mut is_negative) = (vec![], vec![], false);
        let mut open = vec![value];
        while let Some(factor) = open.pop() {
            let is_varying = varying.contains(&factor.key());
            let own = factor.defining_op().filter(|op| is_varying && op.block() == Some(innermost));
            match own.map(|op| (op.op_name(), op.operand_list())) {
                Some(("arith.mulf", factors)) => open.extend(factors.into_iter().rev()),
                Some(("arith.negf", negated)) => {
                    is_negative = !is_negative;
                    open.extend(negated);
                }
                _ if is_varying => changing.push(factor),
                _ => fixed.push(factor),
            }
        }
        let level_of = |value: &Val<'c>| {
            let block = value.parent_block();
            levels.iter().position(|level| Some(level.body) == block)
        };
        let depth = changing.iter().map(level_of).collect::<Option<Vec<_>>>()?.into_iter().max()?;
        if depth + 1 >= levels.len() || indices.iter().any(|i| varying.contains(&i.key())) {
            return None;
        }
        let width = |level: &Level<'c>| {
            let mut inputs = inputs(level).into_iter();
            inputs.find(|(_, input)| !varying.contains(&input.key())).map(|(_, input)| input)
        };
        let widths = levels[depth + 1..].iter().map(width).collect::<Option<Vec<_>>>()?;
        let needed = made_of(levels, [&fixed, indices, &widths].concat());
        let is_kept = |n: &usize| {
            levels[*n].body.arg_list().iter().any(|argument| needed.contains(&argument.key()))
        };
        let width = |n: usize| {
            let inputs = inputs(&levels[n]).into_iter();
            let mut extents = inputs.map(|(_, input)| extent_of(input, 0));
            Some((n, extents.find(|extent| extent.is_outside(top))?))
        };
        let kept = (1..=depth).filter(is_kept).map(width).collect::<Option<_>>()?;
        let levels = levels.to_vec();
        Some(Self { update, levels, changing, depth, fixed, is_negative, kept, widths, needed })
    }

    fn build(&self, context: &'c Context) -> Result<()> {
        let malformed = || internal_error(self.update, "a sum cannot be factored");
        let top = self.levels[0].map;
        let block = top.block().ok_or_else(malformed)?;
        let acc = self.update.opnd(0).and_then(origin).ok_or_else(malformed)?;
        let is_ours = |result: &Val<'c>| origin(*result).is_some_and(|o| same_value(o, acc));
        let mut accs = top.result_list().into_iter().skip(array_result_count(top));
        let position = accs.position(|result| is_ours(&result)).ok_or_else(malformed)?;
        let position = array_result_count(top) + position;
        let width = extent_of(top.opnd(0).ok_or_else(malformed)?, 0);

        let b = Builder::before(context, top, block).deriving(top);
        let (root, sums) = self.sums(context, &b)?;
        let sum_of_rest = root.res(1 + position).ok_or_else(malformed)?;
        let users = sum_of_rest.users();
        let reader = users.first().copied().ok_or_else(malformed)?;
        let b = Builder::after(context, root, block);
        let total = match width {
            Extent::Known(1..) => self.products(b, sum_of_rest, sums)?,
            _ => {
                // Without iterations there are no products, not even by zero.
                let is_any = b.compare(CMP_SGT, width.value(&b), b.index(0));
                let branch = b.if_else(is_any, &[sum_of_rest.r#type()], |b, yes| {
                    Ok(vec![if yes { self.products(b, sum_of_rest, sums)? } else { sum_of_rest }])
                })?;
                branch.res(0).ok_or_else(malformed)?
            }
        };
        for (i, operand) in reader.operand_list().into_iter().enumerate() {
            if same_value(operand, sum_of_rest) {
                reader.set_operand(i, total);
            }
        }
        forget(self.update);
        Ok(())
    }

    /// Lets the maps add up the changing factors as well; returns the `soac.with_acc` that is now
    /// around them, and the sums.
    fn sums(&self, context: &'c Context, b: &Builder<'c>) -> Result<(Op<'c>, Val<'c>)> {
        let malformed = || internal_error(self.update, "a sum cannot be factored");
        let mut top = self.levels[0].map;
        let element = self.changing[0].r#type();
        let sizes = self.kept.iter().map(|(_, extent)| match extent {
            Extent::Known(size) => *size,
            _ => DYNAMIC,
        });
        let sizes: Vec<_> = sizes.collect();
        let dynamic = self.kept.iter().filter(|(_, extent)| !matches!(extent, Extent::Known(_)));
        let dynamic: Vec<_> = dynamic.map(|(_, extent)| extent.value(b)).collect();
        let zeros =
            b.zeros(tensor_type(if sizes.is_empty() { &[1] } else { &sizes }, element), &dynamic);
        let results = top.result_list();
        let types: Vec<_> = results.iter().map(|result| result.r#type()).collect();
        let made = b.with_acc(&[zeros], &types, |b, accs| {
            top.detach();
            b.insert(top);
            let sum = self.hand_in(context, 0, accs[0], &mut vec![]).ok_or_else(malformed)?;
            top = sum.defining_op().ok_or_else(malformed)?;
            let own = top.result_list().into_iter().take(types.len());
            Ok([sum].into_iter().chain(own).collect())
        })?;
        let root = made.first().and_then(|sums| sums.defining_op()).ok_or_else(malformed)?;
        let end = root.body(0).and_then(|body| body.term()).ok_or_else(malformed)?;
        let yielded = end.operand_list();
        for (old, new) in top.result_list().into_iter().zip(&made[1..]) {
            old.replace_all_uses(*new);
        }
        end.set_operands(&yielded);
        Ok((root, made[0]))
    }

    /// Hands an accumulator into the maps down to where the changing factors are known, and back out;
    /// returns what comes out of level `n`.
    fn hand_in(
        &self,
        context: &'c Context,
        n: usize,
        acc: Val<'c>,
        numbers: &mut Vec<Val<'c>>,
    ) -> Option<Val<'c>> {
        let Level { map, body } = self.levels[n];
        if let Some((_, width)) = self.kept.iter().find(|(level, _)| *level == n) {
            let b = Builder::before(context, map, map.block()?);
            let is_number = |(argument, input): &(Val<'c>, Val<'c>)| {
                is_iota(*input) && argument.r#type() == b.index_type()
            };
            numbers.push(match inputs(&self.levels[n]).into_iter().find(is_number) {
                Some((number, _)) => number,
                None => {
                    let size = if let Extent::Known(size) = width { *size } else { DYNAMIC };
                    add_input(context, map, b.iota(width.value(&b), size))?
                }
            });
        }
        let map = with_more(context, map, &[acc], &[acc.r#type()]);
        let inputs = input_count(map) as i32;
        let b = Builder::before(context, map, map.block()?);
        let segments = b.i32s_attr(&[inputs, map.operand_count() as i32 - inputs]);
        map.set_attr(context, "operandSegmentSizes", segments);
        let inner = body.insert_arg(body.arg_list().len(), acc.r#type(), map.location());
        let inner = if n < self.depth {
            self.hand_in(context, n + 1, inner, numbers)?
        } else {
            let b = Builder::before(context, self.levels[n + 1].map, body);
            let product = self.changing.iter().copied().reduce(|x, y| b.mul(x, y))?;
            if numbers.is_empty() {
                numbers.push(b.index(0));
            }
            b.update_acc(inner, numbers, product)
        };
        yield_more(body, &[inner]);
        map.result_list().last().copied()
    }

    /// Adds the sums times the fixed factors to an accumulator.
    fn products(&self, b: Builder<'c>, acc: Val<'c>, sums: Val<'c>) -> Result<Val<'c>> {
        let mut renamed = ValueMap::new();
        let sums = if self.kept.is_empty() { b.extract(sums, &[b.index(0)]) } else { sums };
        self.products_at(b, 0, acc, sums, &mut renamed)
    }

    /// The same from the body of a level on, with the sums for its iteration.
    fn products_at(
        &self,
        b: Builder<'c>,
        n: usize,
        acc: Val<'c>,
        mut sums: Val<'c>,
        map: &mut ValueMap<'c>,
    ) -> Result<Val<'c>> {
        let is_needed = |value: &Val<'c>| self.needed.contains(&value.key());
        for op in self.levels[n].body.body_ops() {
            if op.result_list().iter().any(is_needed) {
                clone_op(&b, op, map);
            }
        }
        if n == self.depth && self.is_negative {
            sums = b.neg(sums);
        }
        let Some(next) = self.levels.get(n + 1) else {
            let operands = self.update.operand_list();
            let indices = &operands[1..operands.len() - 1];
            let indices: Vec<_> = indices.iter().map(|&i| renamed(map, i)).collect();
            let fixed = self.fixed.iter().map(|&factor| renamed(map, factor));
            return Ok(b.update_acc(acc, &indices, fixed.fold(sums, |x, y| b.mul(x, y))));
        };
        let has_sums = self.kept.iter().any(|(level, _)| *level == n + 1);
        if n < self.depth && !has_sums {
            return self.products_at(b, n + 1, acc, sums, map);
        }
        let says_width = |value: &Val<'c>| self.widths.iter().any(|w| same_value(*w, *value));
        let (mut arguments, mut inputs): (Vec<_>, Vec<_>) = inputs(next)
            .into_iter()
            .filter(|(argument, input)| is_needed(argument) || says_width(input))
            .map(|(argument, input)| (argument, renamed(map, input)))
            .unzip();
        if has_sums {
            arguments.push(sums);
            inputs.push(sums);
        }
        let made = b.map(&inputs, &[acc], &[acc.r#type()], |b, elements| {
            let (rows, acc) = elements.split_at(inputs.len());
            map.extend(arguments.iter().map(ValExt::key).zip(rows.iter().copied()));
            let sums = renamed(map, sums);
            Ok(vec![self.products_at(b, n + 1, acc[0], sums, map)?])
        })?;
        Ok(made[0])
    }
}

/// The arguments of a map's body that are elements of its inputs, with these.
fn inputs<'c>(level: &Level<'c>) -> Vec<(Val<'c>, Val<'c>)> {
    // A map that was rebuilt has the body that it had.
    let map = level.body.parent_operation().unwrap_or(level.map);
    let inputs = map.operand_list().into_iter().take(input_count(map));
    level.body.arg_list().into_iter().zip(inputs).collect()
}

/// The values in the bodies of a nest that change from one iteration of its outermost map to another.
pub(super) fn varying<'c>(levels: &[Level<'c>]) -> HashSet<ValueKey> {
    let mut varying: HashSet<ValueKey> = HashSet::new();
    for (n, level) in levels.iter().enumerate() {
        for (argument, operand) in level.body.arg_list().into_iter().zip(level.map.operand_list()) {
            if n == 0 || argument.r#type().is_acc() || varying.contains(&operand.key()) {
                varying.insert(argument.key());
            }
        }
        for op in level.body.body_ops() {
            let read = op.operand_list().into_iter().chain(free_values(&op.blocks()));
            if read.into_iter().any(|value| varying.contains(&value.key())) {
                varying.extend(op.result_list().iter().map(ValExt::key));
            }
        }
    }
    varying
}

/// The values in the bodies of a nest that some values are made of.
pub(super) fn made_of<'c>(levels: &[Level<'c>], mut open: Vec<Val<'c>>) -> HashSet<ValueKey> {
    let mut found = HashSet::new();
    while let Some(value) = open.pop() {
        let block = value.parent_block();
        let Some(level) = levels.iter().find(|level| Some(level.body) == block) else { continue };
        if !found.insert(value.key()) {
            continue;
        }
        match value.defining_op() {
            Some(op) => {
                open.extend(op.operand_list());
                open.extend(free_values(&op.blocks()));
            }
            None => open.extend(level.map.opnd(value.position())),
        }
    }
    found
}
