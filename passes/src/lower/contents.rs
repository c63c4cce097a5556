//! `lower-contents`: what buffers hold is read and written where it lies, as long as nobody else writes to it.
//!
//! ```text
//! t = to_tensor m;  c = copy t;  r = op ins(c) ...             nothing is written in between: op reads t
//! t = to_tensor m;  r = op outs(t);  materialize r in m        nothing in between: t is writable, so that op writes to m
//! r = op outs(empty) ...;  materialize r in m                  the same, which upstream finds
//! r = op ...;  materialize r in m                              otherwise: r is made elsewhere, and copied to m
//! ```
//!
//! Arrays in programs are values, whatever is written to memory. That is why reads of memory that changes are copies, and why
//! those that are not needed are left out last, when no array moves any more. Upstream takes it for granted that nobody else
//! uses the memory that an array is made in.

use ad_dialect::{
    capi::{MemoryEffects, memory_effects},
    ir::{Op, OpExt, Val, ValExt},
    linalg::Structured,
};
use melior::{
    Context,
    ir::{Attribute, ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::{Builder, same_value},
    combinator::start_of,
    diag::Result,
    elementwise::is_elementwise,
    memory::{is_array, with_any_layout},
    region::{self, beside, between},
    roots::are_apart,
    slice::is_view,
    structured::is_of_all_loops,
};

const READ: &str = "bufferization.to_tensor";
const COPY: &str = "bufferization.alloc_tensor";
const STORE: &str = "bufferization.materialize_in_destination";

/// Runs the pass; returns how often an operation reads or writes memory in place of a copy.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let (mut reads, mut stores) = (vec![], vec![]);
    module.for_each(&mut |op| match op.op_name() {
        READ => reads.push(op),
        STORE if op.result_count() == 0 => stores.push(op),
        _ => {}
    });
    let mut changed: u64 = reads.iter().map(|&read| read_in_place(read)).sum();
    for store in stores {
        let updates = Updates::of(store).filter(|updates| updates.are_alone(store));
        let Some(updates) = updates else {
            copy(context, store);
            continue;
        };
        if updates.root.op_name() == READ {
            updates.root.set_attr(context, "writable", Attribute::unit(context));
        }
        changed += 1;
    }
    for read in reads {
        if copy_contents(context, read) {
            read_in_place(read);
        }
    }
    Ok(changed)
}

/// Copies what is read, if memory may be written to later. Upstream wants `restrict` of every read, which says nothing of writes;
/// where an array may be made in the memory, it is the user's business what is there. Returns whether it is copied.
fn copy_contents<'c>(context: &'c Context, read: Op<'c>) -> bool {
    let (Some(array), Some(buffer), Some(block)) = (read.res(0), read.opnd(0), read.block()) else {
        return false;
    };
    let is_kept = |(user, _): &(Op<'c>, usize)| ![COPY, "tensor.dim"].contains(&user.op_name());
    let uses: Vec<_> = array.uses().into_iter().filter(is_kept).collect();
    if read.attr("writable").is_some() || uses.is_empty() || !may_change(read, buffer) {
        return false;
    }
    let b = Builder::after(context, read, block).with_location(read.location());
    let segments = [("operandSegmentSizes", b.i32s_attr(&[0, 1, 0]))];
    let value = b.val_with(COPY, &[array], array.r#type(), &segments);
    uses.into_iter().for_each(|(user, operand)| user.set_operand(operand, value));
    true
}

/// Whether the function may write to memory, or free it, after it was read: anywhere but in front of that, unless it comes
/// back there.
fn may_change<'c>(read: Op<'c>, buffer: Val<'c>) -> bool {
    let Some(around) = read.parent() else { return true };
    let is_once = |op: &Op<'c>| op.op_name() == "func.func" && op.blocks().len() == 1;
    let function = std::iter::successors(Some(around), |op| op.parent())
        .find(|op| op.op_name() == "func.func");
    let Some(function) = function else { return true };
    let mut changes = false;
    function.for_each(&mut |op| {
        let is_before =
            || is_once(&around) && beside(op, read.block()).is_some_and(|op| op.is_before(read));
        changes = changes || memory_effects(op).writes && !is_elsewhere(op, buffer) && !is_before();
    });
    changes
}

/// Has those read memory that read copies of it before anything is written.
fn read_in_place(read: Op<'_>) -> u64 {
    let Some(array) = read.res(0) else { return 0 };
    let is_copy = |op: &Op<'_>| op.op_name() == COPY && op.block() == read.block();
    let mut changed = 0;
    for copy in array.users().into_iter().filter(is_copy) {
        let Some(value) = copy.res(0) else { continue };
        for (user, position) in value.uses() {
            if reads_before_writes(user, read) {
                user.set_operand(position, array);
                changed += 1;
            }
        }
        if value.uses().is_empty() {
            copy.erase();
        }
    }
    changed
}

/// Whether a use of what was read is over before anything is written after the read.
fn reads_before_writes<'c>(user: Op<'c>, read: Op<'c>) -> bool {
    if is_view(user) {
        let users = user.result_list().into_iter().flat_map(|view| view.users());
        return users.into_iter().all(|user| reads_before_writes(user, read));
    }
    let is_reader =
        matches!(user.op_name(), "tensor.extract" | "tensor.dim" | "tensor.insert_slice")
            || is_elementwise(user)
            || Structured::of(user).is_some();
    let Some((here, buffer)) = beside(user, read.block()).zip(read.opnd(0)) else { return false };
    let mut ops = between(read, here);
    ops.push(here);
    is_reader && !ops.into_iter().any(|op| touches(op, buffer, &|effects| effects.writes))
}

/// Structured operations and loops that make an array, each in the place of what the one before has made.
struct Updates<'c> {
    /// What the first one is given to write to.
    root: Op<'c>,
    ops: Vec<Op<'c>>,
}

impl<'c> Updates<'c> {
    /// Those that make what is stored, if nobody else reads it, or what they begin with after them.
    fn of(store: Op<'c>) -> Option<Self> {
        let (mut value, mut user, mut ops) = (store.opnd(0)?, store, vec![]);
        loop {
            let made = value.defining_op().filter(|op| op.block() == store.block())?;
            let uses = value.uses();
            let Some(init) = init(made, value) else {
                let are_before = |(other, _): &(Op<'c>, usize)| {
                    let is_here = other.block() == store.block();
                    is_here && (other.key() == user.key() || other.is_before(user))
                };
                return (!ops.is_empty() && uses.iter().all(are_before))
                    .then_some(Self { root: made, ops });
            };
            if uses.len() != 1 {
                return None;
            }
            ops.push(made);
            (value, user) = (init, made);
        }
    }

    /// Whether they may write to where the array is stored: it is what they begin with, or they begin with nothing, and from the
    /// first of them on memory is used by them only.
    fn are_alone(&self, store: Op<'c>) -> bool {
        let (Some(buffer), Some(&first)) = (store.opnd(1), self.ops.last()) else { return false };
        let begins_there = self.root.op_name() == READ
            && self.root.opnd(0).is_some_and(|from| same_value(from, buffer));
        let is_new = self.root.op_name() == "tensor.empty";
        let writes = |op| touches(op, buffer, &|effects| effects.writes);
        let uses = |op| touches(op, buffer, &|effects| effects.reads || effects.writes);
        let rest = between(first, store);
        // Other buffers do not overlap with what an operation of the program writes to, but at the same place.
        let reads_buffer = |op: &Op<'c>| {
            let is_here = op.key() == first.key() && reads_where_it_writes(*op);
            let is_root =
                |value: &Val<'c>| self.root.res(0).is_some_and(|root| same_value(root, *value));
            let read = inputs(*op).into_iter().filter(|value| !is_root(value)).filter_map(read_of);
            !is_here && read.into_iter().any(|from| same_value(from, buffer))
        };
        (begins_there && !between(self.root, first).into_iter().any(writes) || is_new)
            && !rest.iter().copied().any(uses)
            && !reads_buffer(&first)
            && !rest.iter().any(reads_buffer)
    }
}

/// What a structured operation or a loop makes an array in the place of.
fn init<'c>(op: Op<'c>, result: Val<'c>) -> Option<Val<'c>> {
    let structured = || Structured::of(op)?.inits.get(result.position()).copied();
    start_of(op, result.position()).or_else(structured)
}

/// What an operation reads, beside what a structured one makes arrays in the place of.
fn inputs(op: Op<'_>) -> Vec<Val<'_>> {
    match Structured::of(op) {
        Some(s) => s.inputs,
        None => region::reads(op),
    }
}

/// Whether each element that an operation makes is made of elements at the same place.
fn reads_where_it_writes(op: Op<'_>) -> bool {
    Structured::of(op).is_some_and(|s| {
        let mut maps = s.maps.iter();
        let first = maps.next();
        is_of_all_loops(&s) && maps.all(|map| Some(map) == first)
    })
}

/// The buffer that holds an array.
fn read_of(array: Val<'_>) -> Option<Val<'_>> {
    let made = array.defining_op()?;
    match made.op_name() {
        READ => made.opnd(0),
        _ if is_view(made) => read_of(made.opnd(0)?),
        _ => None,
    }
}

/// Copies an array to a buffer.
fn copy<'c>(context: &'c Context, store: Op<'c>) {
    let (Some(array), Some(buffer), Some(block)) = (store.opnd(0), store.opnd(1), store.block())
    else {
        return;
    };
    let b = Builder::before(context, store, block).with_location(store.location());
    let Some(r#type) = with_any_layout(&b, array.r#type()) else { return };
    let made = b.val_with(
        "bufferization.to_buffer",
        &[array],
        r#type,
        &[("read_only", Attribute::unit(context))],
    );
    b.op("memref.copy", &[made, buffer], &[]);
    store.erase();
}

/// Whether an operation, or one inside of it, does something with memory that may be that of a buffer.
fn touches<'c>(op: Op<'c>, buffer: Val<'c>, does: &dyn Fn(MemoryEffects) -> bool) -> bool {
    let mut found = false;
    op.for_each(&mut |inner| {
        found = found || does(memory_effects(inner)) && !is_elsewhere(inner, buffer);
    });
    found
}

/// Whether an operation uses the memory of other buffers only.
fn is_elsewhere<'c>(op: Op<'c>, buffer: Val<'c>) -> bool {
    let is_known = ["memref.", "bufferization."].iter().any(|name| op.op_name().starts_with(name));
    let mut buffers = op.operand_list().into_iter().filter(|it| is_array(*it)).peekable();
    is_known && buffers.peek().is_some() && buffers.all(|other| are_apart(other, buffer))
}
