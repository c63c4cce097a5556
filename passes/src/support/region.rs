//! Questions about regions, and copies of operations under a renaming.

use std::collections::{HashMap, HashSet};

use ad_dialect::{
    capi::is_trivially_dead,
    ir::{Blk, BlkExt, Op, OpExt, OpKey, OpParts, Val, ValExt, ValueKey, create_op},
};
use melior::{
    Context,
    ir::{BlockLike, RegionLike, Type, TypeLike, ValueLike, operation::OperationLike},
};

use super::builder::Builder;

/// A renaming of values.
pub type ValueMap<'c> = HashMap<ValueKey, Val<'c>>;

/// The blocks of an operation of structured control flow, which only decides what of them runs and how often; none of
/// any other operation.
pub fn control_blocks<'c>(op: Op<'c>) -> Vec<Blk<'c>> {
    match op.op_name() {
        "scf.for" | "scf.while" | "scf.if" | "scf.index_switch" | "scf.execute_region" => {
            op.blocks()
        }
        _ => vec![],
    }
}

/// The values that the operations of the blocks read but that are defined
/// outside of the blocks, in order of first use, without repetition.
pub fn free_values<'c>(blocks: &[Blk<'c>]) -> Vec<Val<'c>> {
    let mut defined = HashSet::new();
    let mut seen = HashSet::new();
    let mut free = vec![];
    for block in blocks {
        collect_free(*block, &mut defined, &mut seen, &mut free);
    }
    free
}

/// The same apart from constants, and what makes these.
pub fn captured<'c>(blocks: &[Blk<'c>]) -> (Vec<Op<'c>>, Vec<Val<'c>>) {
    let constant =
        |value: &Val<'c>| value.defining_op().filter(|op| op.op_name() == "arith.constant");
    let (constants, captured): (Vec<_>, Vec<_>) =
        free_values(blocks).into_iter().partition(|value| constant(value).is_some());
    (constants.iter().filter_map(constant).collect(), captured)
}

fn collect_free<'c>(
    block: Blk<'c>,
    defined: &mut HashSet<ValueKey>,
    seen: &mut HashSet<ValueKey>,
    free: &mut Vec<Val<'c>>,
) {
    defined.extend(block.arg_list().iter().map(ValExt::key));
    for op in block.ops() {
        for value in op.operand_list() {
            if !defined.contains(&value.key()) && seen.insert(value.key()) {
                free.push(value);
            }
        }
        for inner in op.blocks() {
            collect_free(inner, defined, seen, free);
        }
        defined.extend(op.result_list().iter().map(ValExt::key));
    }
}

/// Everything that an operation reads from outside of it: its operands, and what is read inside of it.
pub fn reads<'c>(op: Op<'c>) -> Vec<Val<'c>> {
    [op.operand_list(), free_values(&op.blocks())].concat()
}

/// What a value is called after renaming: itself if it is not renamed.
pub fn renamed<'c>(map: &ValueMap<'c>, value: Val<'c>) -> Val<'c> {
    map.get(&value.key()).copied().unwrap_or(value)
}

/// Lets values stand for the results of an operation, which goes.
pub fn replace<'c>(op: Op<'c>, values: &[Val<'c>]) {
    for (old, &new) in op.result_list().into_iter().zip(values) {
        old.replace_all_uses(new);
    }
    op.erase();
}

/// Moves an operation to the front of another one, which is in the given block.
pub fn move_before<'c>(context: &'c Context, block: Blk<'c>, op: Op<'c>, place: Op<'c>) {
    op.detach();
    Builder::before(context, place, block).insert(op);
}

/// What an operation does with its operands: its name, attributes and types of results.
pub fn what(op: Op<'_>) -> String {
    let attributes: Vec<_> =
        op.attributes().map(|(name, value)| format!("{name:?} {value}")).collect();
    let types: Vec<_> = op.result_list().iter().map(|x| x.r#type().to_string()).collect();
    format!("{} {} {}", op.op_name(), attributes.join(" "), types.join(" "))
}

/// The operations between two of a block.
pub fn between<'c>(first: Op<'c>, second: Op<'c>) -> Vec<Op<'c>> {
    let is_between = |op: &Op<'c>| op.key() != second.key();
    std::iter::successors(first.next(), |op| op.next()).take_while(is_between).collect()
}

/// The operations between two of a block that the second one needs, in order; none if it needs the first one.
pub fn needed_between<'c>(first: Op<'c>, second: Op<'c>) -> Option<Vec<Op<'c>>> {
    let (needed, needs_first) = needed_after(first, second);
    (!needs_first).then_some(needed)
}

/// The operations between two of a block that the second one needs, in order, and whether it needs the first one, too.
pub fn needed_after<'c>(first: Op<'c>, second: Op<'c>) -> (Vec<Op<'c>>, bool) {
    let between = between(first, second);
    let mut values = HashSet::<ValueKey>::new();
    let need = |op: Op<'c>, values: &mut HashSet<ValueKey>| {
        values.extend(reads(op).iter().map(ValExt::key));
    };
    let gives = |op: Op<'c>, values: &HashSet<ValueKey>| {
        op.result_list().iter().any(|result| values.contains(&result.key()))
    };
    need(second, &mut values);
    let mut needed = vec![];
    for &op in between.iter().rev() {
        if gives(op, &values) {
            needed.push(op);
            need(op, &mut values);
        }
    }
    needed.reverse();
    (needed, gives(first, &values))
}

/// Whether an operation does nothing but give results, and from values alone.
pub fn is_of_values(op: Op<'_>) -> bool {
    let mut reads_none = true;
    op.for_each(&mut |inner| {
        reads_none &= inner.operand_list().iter().all(|operand| !operand.r#type().is_mem_ref());
    });
    reads_none && is_trivially_dead(op)
}

/// The blocks of a module, or of the iterations of its parallel loops, those of an operation before those in it.
pub fn blocks_of<'c>(module: Op<'c>, in_kernels: bool) -> Vec<Blk<'c>> {
    let mut blocks = vec![];
    module.for_each(&mut |op| {
        let mut around = std::iter::successors(Some(op), |op| op.parent());
        if !in_kernels || around.any(|op| matches!(op.op_name(), "scf.forall" | "scf.parallel")) {
            blocks.extend(op.blocks());
        }
    });
    blocks
}

/// Copies an operation to the builder's position with operands renamed, also
/// inside its regions, and records the copy's results in the renaming.
pub fn clone_op<'c>(builder: &Builder<'c>, op: Op<'c>, map: &mut ValueMap<'c>) -> Op<'c> {
    let copy = op.clone_detached();
    rename_operands(copy, map);
    builder.insert(copy);
    for (old, new) in op.result_list().into_iter().zip(copy.result_list()) {
        map.insert(old.key(), new);
    }
    copy
}

/// Copies an operation, with its attributes and regions, to the builder's position with other
/// operands and types of results.
pub fn clone_with<'c>(
    builder: &Builder<'c>,
    op: Op<'c>,
    operands: &[Val<'c>],
    results: &[Type<'c>],
) -> Op<'c> {
    let copy = op.clone_detached();
    copy.set_operands(operands);
    builder.insert(copy);
    for (value, r#type) in copy.result_list().into_iter().zip(results) {
        value.set_type(*r#type);
    }
    copy
}

/// Applies a renaming to the operands of an operation and of all operations inside.
pub fn rename_operands<'c>(op: Op<'c>, map: &ValueMap<'c>) {
    op.for_each(&mut |inner| {
        for (index, value) in inner.operand_list().into_iter().enumerate() {
            if let Some(new) = map.get(&value.key()) {
                inner.set_operand(index, *new);
            }
        }
    });
}

/// Erases the operations of a block that are dead, users before definitions.
pub fn erase_dead_ops(block: Blk<'_>) {
    for op in block.body_ops().into_iter().rev() {
        if op.is_dead() {
            op.erase();
        }
    }
}

/// Replaces an operation by one with more operands and results at the end, to which its
/// regions, and so all handles inside of them, move. The old operation is erased.
pub fn with_more<'c>(
    context: &'c Context,
    op: Op<'c>,
    operands: &[Val<'c>],
    results: &[Type<'c>],
) -> Op<'c> {
    let old_results = op.result_list();
    let mut types: Vec<_> = old_results.iter().map(|result| result.r#type()).collect();
    types.extend_from_slice(results);
    let new = with_results(context, op, &types);
    new.set_operands(&[&op.operand_list()[..], operands].concat());
    for (old, new) in old_results.into_iter().zip(new.result_list()) {
        old.replace_all_uses(new);
    }
    op.erase();
    new
}

/// Puts an operation with other results in front of an operation, whose regions move to it; without them, the old one is
/// still there.
pub fn with_results<'c>(context: &'c Context, op: Op<'c>, types: &[Type<'c>]) -> Op<'c> {
    let attributes: Vec<_> = op.attributes().collect();
    let names: Vec<_> = attributes.iter().map(|(name, _)| name.as_string_ref()).collect();
    let attributes: Vec<_> = names
        .iter()
        .zip(&attributes)
        .filter_map(|(name, (_, attribute))| Some((name.as_str().ok()?, *attribute)))
        .collect();
    let new = create_op(
        context,
        OpParts {
            name: op.op_name(),
            location: op.location(),
            operands: &op.operand_list(),
            results: types,
            attributes: &attributes,
            regions: &vec![vec![]; op.region_count()],
            successors: &[],
        },
    );
    for i in 0..op.region_count() {
        if let (Ok(to), Ok(from)) = (new.region(i), op.region(i)) {
            // SAFETY: both regions are valid; the blocks change owners.
            unsafe { mlir_sys::mlirRegionTakeBody(to.to_raw(), from.to_raw()) }
        }
    }
    if let Some(block) = op.block() {
        BlkExt::insert_before(&block, op, new);
    }
    new
}

/// Appends operands to the terminator of a block.
pub fn yield_more<'c>(block: Blk<'c>, values: &[Val<'c>]) {
    if let Some(end) = block.term() {
        end.set_operands(&[&end.operand_list()[..], values].concat());
    }
}

/// Copies the operations of a block before its terminator, with values for its arguments;
/// returns the terminator's operands.
pub fn copy_block<'c>(b: &Builder<'c>, block: Blk<'c>, arguments: &[Val<'c>]) -> Vec<Val<'c>> {
    let mut map: ValueMap<'c> =
        block.arg_list().iter().map(ValExt::key).zip(arguments.iter().copied()).collect();
    copy_ops(b, block, &mut map)
}

/// The same with a renaming, to which the copies are added.
pub fn copy_ops<'c>(b: &Builder<'c>, block: Blk<'c>, map: &mut ValueMap<'c>) -> Vec<Val<'c>> {
    for op in block.body_ops() {
        clone_op(b, op, map);
    }
    renamed_ends(block, map)
}

/// What the terminator of a block hands on, renamed.
pub fn renamed_ends<'c>(block: Blk<'c>, map: &ValueMap<'c>) -> Vec<Val<'c>> {
    block.ends().into_iter().map(|value| renamed(map, value)).collect()
}

/// Moves the operations of a block here, with values for its arguments, and returns what
/// its terminator yielded.
pub fn move_body<'c>(b: &Builder<'c>, body: Blk<'c>, arguments: &[Val<'c>]) -> Vec<Val<'c>> {
    for (old, new) in body.arg_list().into_iter().zip(arguments) {
        old.replace_all_uses(*new);
    }
    let Some(end) = body.term() else { return vec![] };
    for inner in body.body_ops() {
        inner.detach();
        b.insert(inner);
    }
    let yielded = end.operand_list();
    end.erase();
    yielded
}

/// Whether an operation is another one or inside of it.
pub fn is_within(op: Op<'_>, around: Op<'_>) -> bool {
    std::iter::successors(Some(op), |op| op.parent()).any(|op| op.key() == around.key())
}

/// All operations inside of another, each after that around it.
pub fn all_inside(root: Op<'_>) -> Vec<Op<'_>> {
    let mut all = vec![];
    root.for_each(&mut |op| all.push(op));
    all.retain(|op| op.key() != root.key());
    all
}

/// The operations of a name inside of another, outermost first.
pub fn all_of<'c>(root: Op<'c>, name: &str) -> Vec<Op<'c>> {
    let mut found = vec![];
    root.for_each(&mut |op| {
        if op.op_name() == name {
            found.push(op);
        }
    });
    found
}

/// The operation in a block that makes a value for one user, and nothing else.
pub fn made_for_one<'c>(value: Val<'c>, block: Blk<'c>) -> Option<Op<'c>> {
    let made = value.defining_op().filter(|op| op.block() == Some(block))?;
    (value.users().len() == 1 && made.result_count() == 1).then_some(made)
}

/// All values defined inside of an operation.
pub fn values_inside(op: Op<'_>) -> HashSet<ValueKey> {
    let mut inside = HashSet::new();
    for block in op.blocks() {
        inside.extend(block.arg_list().iter().map(ValExt::key));
        for inner in block.ops() {
            inside.extend(inner.result_list().iter().map(ValExt::key));
            inside.extend(values_inside(inner));
        }
    }
    inside
}

/// Puts operations of a block in the order that they have there.
pub fn sort_by_place(ops: &mut [Op<'_>]) {
    ops.sort_by(|a, b| b.is_before(*a).cmp(&a.is_before(*b)));
}

/// The operation of a block that an operation is, or is inside of.
pub fn beside<'c>(op: Op<'c>, block: Option<Blk<'c>>) -> Option<Op<'c>> {
    std::iter::successors(Some(op), |op| op.parent()).find(|op| op.block() == block)
}

/// Whether a value, which is defined in front of an operation or around it, is there before another one in front of that
/// or around it.
pub fn is_there_before<'c>(value: Val<'c>, op: Op<'c>) -> bool {
    beside(op, value.parent_block()).is_some_and(|here| {
        here.key() != op.key() || value.defining_op().is_none_or(|made| made.is_before(op))
    })
}

/// Whether at most one of two operations runs: they are in different branches of one `scf.if`.
pub fn are_exclusive(one: Op<'_>, other: Op<'_>) -> bool {
    let others = branches_around(other);
    let is_other =
        |(branch, block)| others.iter().any(|(at, other)| *at == branch && *other != block);
    branches_around(one).into_iter().any(is_other)
}

/// Whether an operation runs once at most when a block does.
pub fn is_once(op: Op<'_>, block: Blk<'_>) -> bool {
    let mut at = Some(op);
    while let Some(here) = at.filter(|here| here.block() != Some(block)) {
        at = here.parent().filter(|around| around.op_name() == "scf.if");
    }
    at.is_some()
}

/// Every `scf.if` around an operation, with the block of it that the operation is in.
fn branches_around<'c>(op: Op<'c>) -> Vec<(OpKey, Blk<'c>)> {
    let around = std::iter::successors(Some(op), |op| op.parent());
    let branch = |inner: Op<'c>| {
        let around = inner.parent().filter(|around| around.op_name() == "scf.if")?;
        Some((around.key(), inner.block()?))
    };
    around.filter_map(branch).collect()
}

/// Whether the value is defined outside of the operation.
pub fn is_outside(root: Op<'_>, value: Val<'_>) -> bool {
    let mut block = value.parent_block();
    while let Some(here) = block {
        let Some(parent) = here.parent_operation() else { return true };
        if parent.key() == root.key() {
            return false;
        }
        block = parent.block();
    }
    true
}
