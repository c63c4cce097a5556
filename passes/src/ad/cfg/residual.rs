//! Where return blocks find values of the primal [ZYG 3.1, 4.1].
//!
//! A return block of a block C wants a value v that a block B defines, as it was when C ran.
//!
//! 1. B runs whenever the function returns, and never after C: v itself.
//! 2. Otherwise, v is kept at the end of a block D that runs after C, or is C, and not later than B runs again: of all D
//!    for which the return block of D dominates that of C, one in as few loops as possible. So a value that does not
//!    change in an inner loop is kept once per iteration of the outer one.
//!    a. D runs at most once: v is handed to the exit as an argument of blocks. There is no tape without a loop.
//!    b. Else D pushes v on a tape, which the return block of D pops. What D pushes is one record, and D is run and
//!    returned to equally often, so that pushes and pops match on every path.

use std::collections::HashMap;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey};
use melior::ir::{Type, TypeLike, ValueLike, operation::OperationLike};

use super::{Blocks, at_front, reverse::Reverse, thread::Threads};
use crate::support::{
    builder::Builder,
    diag::{Result, internal_error},
};

/// What stands for a value in a return block.
#[derive(Clone, Copy)]
pub struct StandIn<'c> {
    /// The block whose return block reads the value.
    pub reader: usize,
    /// The value in the forward blocks.
    pub value: Val<'c>,
    /// The block that defines it.
    pub home: usize,
    /// What stands for it.
    pub is: Val<'c>,
}

/// The name of the operation that makes a stand-in.
pub const STAND_IN: &str = "builtin.unrealized_conversion_cast";

/// Whether an operation is what a value is read as: a stand-in or a constant.
pub fn is_read(op: Op<'_>) -> bool {
    matches!(op.op_name(), STAND_IN | "arith.constant")
}

/// Moves what a value is read as to the front of the return block that it is in.
pub fn to_front<'c>(back: Blk<'c>, read: Val<'c>) {
    let op = read.defining_op().filter(|op| op.block() == Some(back) && is_read(*op));
    if let (Some(op), Some(&first)) = (op, back.ops().first())
        && op.key() != first.key()
    {
        op.detach();
        BlkExt::insert_before(&back, first, op);
    }
}

/// Where a value is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// It is handed to the exit, as it is at the end of a block.
    Slot(usize),
    /// A block pushes it.
    Tape(usize),
}

/// Whether a block may read a value of another one after the exit.
pub fn is_plain(blocks: &Blocks<'_>, home: usize, reader: usize) -> bool {
    blocks.dominators.dominates(home, blocks.exit) && !blocks.reached[reader][home]
}

/// Replaces the stand-ins that are still there by what they stand for.
pub fn resolve<'c>(engine: &mut Reverse<'_, 'c>) -> Result<()> {
    sizes_only(engine);
    let places = Places::of(&engine.blocks);
    let threads = Threads::of(engine.vjp.session.context(), engine.target);
    let mut slots: HashMap<(usize, ValueKey), Val<'c>> = HashMap::new();
    let mut tapes: Vec<(usize, Vec<StandIn<'c>>)> = vec![];
    for stand_in in alive(engine) {
        match places.place(&engine.blocks, stand_in.home, stand_in.reader) {
            Place::Slot(site) => {
                let key = (site, stand_in.value.key());
                let value = match slots.get(&key) {
                    Some(value) => *value,
                    None => {
                        let default = default(engine, stand_in.value);
                        let sets = [(engine.forward[site], stand_in.value)];
                        let exit = engine.forward[engine.blocks.exit];
                        threads.at_start(&sets, default, exit)
                    }
                };
                slots.insert(key, value);
                stand_in.is.replace_all_uses(value);
            }
            Place::Tape(site) => match tapes.iter_mut().find(|(block, _)| *block == site) {
                Some((_, values)) => values.push(stand_in),
                None => tapes.push((site, vec![stand_in])),
            },
        }
    }
    tapes.into_iter().try_for_each(|(site, values)| tape(engine, site, &values))
}

/// The stand-ins that the dead code has left, in the order in which they were made.
fn alive<'c>(engine: &Reverse<'_, 'c>) -> Vec<StandIn<'c>> {
    let blocks = engine.target.blocks();
    let ops = blocks.iter().flat_map(|block| block.ops());
    let there: HashMap<ValueKey, ()> = ops
        .filter(|op| op.op_name() == STAND_IN)
        .flat_map(|op| op.result_list())
        .filter(|value| !value.users().is_empty())
        .map(|value| (value.key(), ()))
        .collect();
    let is_there = |stand_in: &&StandIn<'c>| there.contains_key(&stand_in.is.key());
    engine.stand_ins.iter().filter(is_there).copied().collect()
}

/// Of an array of which only sizes are read, the sizes are kept.
fn sizes_only<'c>(engine: &mut Reverse<'_, 'c>) {
    let context = engine.vjp.session.context();
    for stand_in in alive(engine) {
        let users = stand_in.is.users();
        if !users.iter().all(|user| matches!(user.op_name(), "tensor.dim" | "memref.dim")) {
            continue;
        }
        for user in users {
            let which = user.opnd(1).and_then(|value| value.defining_op());
            let Some(which) = which.filter(|op| op.op_name() == "arith.constant") else { continue };
            let home = engine.forward[stand_in.home];
            let b = before_end(context, home, &engine.vjp.b);
            let copy = which.clone_detached();
            b.insert(copy);
            let Some(which) = copy.res(0) else { continue };
            let size = b.val(user.op_name(), &[stand_in.value, which], b.index_type());
            let read = engine.read(stand_in.reader, size, stand_in.home);
            user.res(0).into_iter().for_each(|old| old.replace_all_uses(read));
            user.erase();
        }
    }
}

/// A builder in front of a block's terminator.
fn before_end<'c>(context: &'c melior::Context, block: Blk<'c>, like: &Builder<'c>) -> Builder<'c> {
    match block.term() {
        Some(end) => Builder::before(context, end, block).with_location(like.location()),
        None => Builder::at_end(context, block, like.location()),
    }
}

/// What a slot holds where it was not set. Nobody reads it, but zeros may be made of its sizes.
pub fn default<'c>(engine: &Reverse<'_, 'c>, like: Val<'c>) -> Val<'c> {
    let context = engine.vjp.session.context();
    let b = at_front(context, engine.forward[0], &engine.vjp.b);
    let dynamic = like.r#type().shape().iter().filter(|&&size| size < 0).count();
    match dynamic {
        _ if like.r#type().is_mem_ref() => b.val("ub.poison", &[], like.r#type()),
        0 => b.val("ub.poison", &[], like.r#type()),
        count => b.val("tensor.empty", &vec![b.index(0); count], like.r#type()),
    }
}

/// Pushes values in a block and pops them in its return block.
fn tape<'c>(engine: &mut Reverse<'_, 'c>, site: usize, stand_ins: &[StandIn<'c>]) -> Result<()> {
    let context = engine.vjp.session.context();
    let mut values: Vec<Val<'c>> = vec![];
    for stand_in in stand_ins {
        if !values.iter().any(|value| value.key() == stand_in.value.key()) {
            values.push(stand_in.value);
        }
    }
    let types: Vec<Type<'c>> = values.iter().map(|value| value.r#type()).collect();
    let list: Vec<_> = types.iter().map(|r#type| r#type.to_string()).collect();
    let r#type = Type::parse(context, &format!("!ad.tape<{}>", list.join(", ")));
    let (Some(r#type), Some(back)) = (r#type, engine.back[site]) else {
        return Err(internal_error(engine.target, "values that no tape holds"));
    };
    // Where something is computed that is kept, for messages.
    let source = values.iter().find(|value| value.defining_op().is_some()).or(values.first());
    let here = engine.vjp.b;
    let like = source.map_or(here, |source| here.with_location(source.location()));
    let tape = at_front(context, engine.forward[0], &like).val("ad.tape_create", &[], r#type);
    let b = before_end(context, engine.forward[site], &like);
    b.op("ad.tape_push", &[&[tape], &values[..]].concat(), &[]);
    let b = at_front(context, back, &like);
    let popped = b.op("ad.tape_pop", &[tape], &types).result_list();
    for stand_in in stand_ins {
        let position = values.iter().position(|value| value.key() == stand_in.value.key());
        if let Some(value) = position.and_then(|position| popped.get(position)) {
            stand_in.is.replace_all_uses(*value);
        }
    }
    if let Some(end) = engine.back[0].and_then(|block| block.term()) {
        let block = engine.back[0].unwrap_or(back);
        Builder::before(context, end, block).op("ad.tape_free", &[tape], &[]);
    }
    Ok(())
}

/// What places are found with.
struct Places {
    /// For every block the one whose return block immediately dominates its return block.
    above: Vec<Option<usize>>,
    depths: Vec<usize>,
}

impl Places {
    fn of(blocks: &Blocks<'_>) -> Self {
        let (turned, names) = blocks.graph.reversed(blocks.exit);
        let dominators = turned.dominators();
        let mut above = vec![None; blocks.list.len()];
        for (number, &block) in names.iter().enumerate() {
            above[block] = dominators.above(number).map(|number| names[number]);
        }
        Self { above, depths: blocks.graph.depths() }
    }

    /// Where a value of `home` is kept for `reader`.
    fn place(&self, blocks: &Blocks<'_>, home: usize, reader: usize) -> Place {
        let runs_once = |block: usize| !blocks.reached[block][block];
        let mut best = reader;
        for block in std::iter::successors(self.above[reader], |block| self.above[*block]) {
            let is_it = block != home
                && blocks.dominators.dominates(home, block)
                && !blocks.graph.reached(reader, Some(block))[home];
            if is_it && self.depths[block] < self.depths[best] {
                best = block;
            }
        }
        match best {
            _ if runs_once(home) => Place::Slot(home),
            best if runs_once(best) => Place::Slot(best),
            best => Place::Tape(best),
        }
    }
}
