//! Loops between blocks that are undone by inverses (`ad::inverse`): what a loop carries through a call is found again from
//! what the loop left, and no iteration keeps it [ZYG 3.1].
//!
//! ```text
//! H(x): .. B: y = f(x, ws) .. go to H(y)
//! return block of B, with the x of the iteration after (at first, that of the exit):   x = g(x, ws)
//! ```
//! This holds if B is in no other loop, and runs in every iteration. Other results are kept like any value.

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt};
use melior::ir::operation::OperationLike;

use super::{
    path::Record,
    residual::{StandIn, default, is_read, to_front},
    reverse::Reverse,
    thread::Threads,
};

/// Replaces the stand-ins of what calls with inverses return, and of what is found from it.
pub fn undo<'c>(engine: &mut Reverse<'_, 'c>) {
    for (site, call, inverse) in std::mem::take(&mut engine.undone) {
        go_back(engine, site, call, inverse);
        find_early(engine, site, call, inverse);
    }
}

/// Lets the return blocks hand on what a loop carries through a call.
fn go_back<'c>(engine: &Reverse<'_, 'c>, site: usize, call: Op<'c>, inverse: Op<'c>) {
    let Some((header, carried)) = carried(engine, site, call, inverse) else { return };
    let (Some(back), context) = (engine.back[site], engine.vjp.session.context()) else { return };
    let exit = engine.forward[engine.blocks.exit];
    for (y, position, found) in carried {
        let Some(stand_in) = stand_in(engine, site, y) else { continue };
        let Some(&last) = engine.forward[header].arg_list().get(position) else { continue };
        let Some(before) = inverse.res(found) else { continue };
        let default = default(engine, last);
        let sets = [(exit, last), (back, before)];
        let now = Threads::of(context, engine.target).at_start(&sets, default, back);
        stand_in.is.replace_all_uses(now);
    }
}

/// A result of a call, the position at which a loop carries it, and the number of the argument that is carried there.
type Carried<'c> = (Val<'c>, usize, usize);

/// The header of the loop around a call, and for each result of the call the position at which the loop carries it, and
/// the argument that the loop carries there, which the inverse finds.
fn carried<'c>(
    engine: &Reverse<'_, 'c>,
    site: usize,
    call: Op<'c>,
    inverse: Op<'c>,
) -> Option<(usize, Vec<Carried<'c>>)> {
    let blocks = &engine.blocks;
    let depths = blocks.graph.depths();
    let header = (0..blocks.list.len()).find(|&header| match &engine.records[header] {
        Record::Count { inside, .. } => inside[site] && depths[header] == 1 && depths[site] == 1,
        _ => false,
    })?;
    let Record::Count { back, .. } = &engine.records[header] else { return None };
    let (latch, edge) = *blocks.incoming(header).get(*back)?;
    if !blocks.dominators.dominates(site, latch)
        || !blocks.dominators.dominates(header, blocks.exit)
    {
        return None;
    }
    let (handed, arguments) = (blocks.handed(latch, edge), blocks.list[header].arg_list());
    let operands = call.operand_list();
    let of_result = |y: Val<'c>| {
        let position = handed.iter().position(|value| value.key() == y.key())?;
        let x = arguments.get(position)?.key();
        let found = operands.iter().position(|value| value.key() == x)?;
        (found < inverse.result_list().len()).then_some((y, position, found))
    };
    let carried: Option<Vec<_>> = call.result_list().into_iter().map(of_result).collect();
    carried.map(|carried| (header, carried))
}

/// What stands for a value of the source in the return block of a block.
fn stand_in<'c>(engine: &Reverse<'_, 'c>, reader: usize, value: Val<'c>) -> Option<StandIn<'c>> {
    let new = engine.forward_value(value);
    let is_it = |s: &&StandIn<'c>| s.reader == reader && s.value.key() == new.key();
    engine.stand_ins.iter().find(is_it).copied()
}

/// Finds the arguments at the start of the return block, if it can, for everything else in it that reads them.
fn find_early<'c>(engine: &Reverse<'_, 'c>, site: usize, call: Op<'c>, inverse: Op<'c>) {
    let Some(back) = engine.back[site] else { return };
    let is_early = |value: &Val<'c>| {
        value.defining_op().is_none_or(|op| op.block() != Some(back) || is_read(op))
    };
    if !inverse.operand_list().iter().all(is_early) {
        return;
    }
    inverse.operand_list().into_iter().for_each(|value| to_front(back, value));
    let Some(first) = back.ops().into_iter().find(|op| !is_read(*op)) else { return };
    if first.key() != inverse.key() {
        inverse.detach();
        BlkExt::insert_before(&back, first, inverse);
    }
    for (x, found) in call.operand_list().into_iter().zip(inverse.result_list()) {
        if let Some(stand_in) = stand_in(engine, site, x) {
            stand_in.is.replace_all_uses(found);
        }
    }
}
