//! `lower-row-updates-to-nvvm`: short rows that threads add to at places of their own are added by neighbouring lanes.
//!
//! The memory of a device adds to the elements of a sector of 32 bytes together if lanes of one instruction ask for it, and
//! its caches do as many sectors a second whatever is in them (triton-lang/triton#10059: twice as many additions of f64 on a
//! GH200 if lanes ask for 8 sectors in place of 16). A thread that adds to a row itself asks for a sector with each element:
//!
//! ```text
//! for k < 5:                             for k < 5:
//!   atomic rows[i, k] += v(k)              own[k] = v(k)                          shared by the block
//!                                 ==>    start = &rows[i, 0]
//!                                        those that are here:                     lanes that came here together
//!                                          for e = rank by count, 5 times:        lane number e / 5 of them
//!                                            atomic start of it[e % 5] += own of it[e % 5]
//! ```
//! Which lanes come together is up to the hardware (`activemask`), so that loops and branches around may have different
//! lengths in each lane; whoever comes alone adds its own row.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val, ValExt, i32_array, int_of, type_of};
use melior::{
    Context,
    ir::{
        Attribute, Type, ValueLike,
        attribute::StringAttribute,
        operation::OperationLike,
        r#type::{FunctionType, IntegerType},
    },
};

use super::{
    forall_to_gpu::{BLOCK, LANES, when},
    private_buffers::{SHARED, shared_bytes},
};
use crate::support::{
    atomic::{ADD_FLOAT, update_element},
    builder::{Builder, same_value},
    combinator::constant_index,
    diag::Result,
    memory::{
        Strided, array_type, bytes_of, element, flat, load, of_block, store, with_plain_layout,
    },
    region::{all_inside, is_outside},
};

/// How many elements a row has, so that it is worth it, and that a thread may have of all rows together.
const ELEMENTS: [i64; 2] = [3, 16];

/// Changes the kernels of a module; returns how many updates were replaced.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut kernels = vec![];
    module.for_each(&mut |op| {
        let threads = op.attr("known_block_size").and_then(i32_array).unwrap_or_default();
        let are_lines = matches!(threads[..], [n, 1, 1] if i64::from(n) <= BLOCK);
        if op.op_name() == "gpu.func" && are_lines {
            kernels.push(op);
        }
    });
    let mut updates = 0;
    for kernel in kernels {
        for group in groups(kernel) {
            updates += group.lower(context, kernel)?;
        }
    }
    Ok(updates)
}

/// An update of an element for each iteration of a loop.
struct Update<'c> {
    op: Op<'c>,
    /// The index along the last dimension in the first iteration.
    start: Option<Val<'c>>,
    is_backwards: bool,
}

/// Updates of rows of one buffer, under the same branches in one loop.
struct Group<'c> {
    looped: Op<'c>,
    length: i64,
    buffer: Val<'c>,
    block: Blk<'c>,
    updates: Vec<Update<'c>>,
}

/// What can be done together in a kernel.
fn groups(kernel: Op<'_>) -> Vec<Group<'_>> {
    let mut found: Vec<Group<'_>> = vec![];
    for op in all_inside(kernel) {
        let Some((looped, length, update)) = row_of(kernel, op) else { continue };
        let (Some(buffer), Some(block)) = (op.opnd(1), op.block()) else { continue };
        let own = found.iter_mut().find(|group| {
            group.looped.key() == looped.key()
                && group.block.key() == block.key()
                && same_value(group.buffer, buffer)
                && (group.updates.len() as i64 + 1) * length <= ELEMENTS[1]
        });
        match own {
            Some(group) => group.updates.push(update),
            None => found.push(Group { looped, length, buffer, block, updates: vec![update] }),
        }
    }
    found.retain(Group::is_alone);
    found
}

/// The loop over the elements of a row that an operation updates, and how many there are.
fn row_of<'c>(kernel: Op<'c>, op: Op<'c>) -> Option<(Op<'c>, i64, Update<'c>)> {
    let kind = op.attr("kind").and_then(int_of).filter(|_| op.op_name() == "memref.atomic_rmw")?;
    let (is_dropped, buffer) = (op.res(0)?.users().is_empty(), op.opnd(1)?);
    if kind != ADD_FLOAT || !is_dropped || !is_parameter(kernel, buffer) {
        return None;
    }
    let mut looped = op.parent()?;
    let mut conditions = vec![];
    while looped.op_name() == "scf.if" {
        conditions.push(looped.opnd(0)?);
        looped = looped.parent()?;
    }
    if looped.op_name() != "scf.for" {
        return None;
    }
    let bounds = looped.operand_list();
    let [Some(0), Some(length), Some(1)] = [0, 1, 2].map(|i| constant_index(bounds[i])) else {
        return None;
    };
    let number = *looped.body(0)?.arg_list().first()?;
    let indices = &op.operand_list()[2..];
    let (last, others) = indices.split_last()?;
    let mut fixed = others.iter().chain(&conditions);
    let is_row = fixed.all(|value| is_outside(looped, *value))
        && (ELEMENTS[0]..=ELEMENTS[1]).contains(&length);
    let (start, is_backwards) = along(looped, number, *last).filter(|_| is_row)?;
    Some((looped, length, Update { op, start, is_backwards }))
}

/// Whether a value is a dense array in the memory of the device that a kernel is given.
fn is_parameter(kernel: Op<'_>, buffer: Val<'_>) -> bool {
    let entry = kernel.body(0).map(|entry| entry.key());
    let is_own = buffer.owner_block().map(|block| block.key()) == entry;
    let is_global = array_type(buffer).is_some_and(|array| array.memory_space().is_none());
    is_own && is_global && with_plain_layout(buffer.r#type()) == buffer.r#type()
}

/// Where an index begins that moves by one with the number of an iteration, and whether it does so backwards.
fn along<'c>(looped: Op<'c>, number: Val<'c>, index: Val<'c>) -> Option<(Option<Val<'c>>, bool)> {
    if same_value(index, number) {
        return Some((None, false));
    }
    let op = index.defining_op()?;
    let [x, y] = op.operand_list()[..] else { return None };
    let is_fixed = |value| is_outside(looped, value);
    match op.op_name() {
        "arith.addi" if same_value(x, number) && is_fixed(y) => Some((Some(y), false)),
        "arith.addi" if same_value(y, number) && is_fixed(x) => Some((Some(x), false)),
        "arith.subi" if same_value(y, number) && is_fixed(x) => Some((Some(x), true)),
        _ => None,
    }
}

impl<'c> Group<'c> {
    /// Whether nothing else in the loop uses the buffer, or waits for other threads.
    fn is_alone(&self) -> bool {
        let is_own = |op: Op<'c>| self.updates.iter().any(|update| update.op.key() == op.key());
        all_inside(self.looped).into_iter().all(|op| {
            let uses = op.operand_list().iter().any(|value| same_value(*value, self.buffer));
            let waits = op.op_name().starts_with("gpu.") || op.op_name() == "func.call";
            is_own(op) || !uses && !waits
        })
    }

    /// How many elements a thread has.
    fn width(&self) -> i64 {
        self.length * self.updates.len() as i64
    }

    /// Replaces the updates, if there is room in shared memory; returns how many.
    fn lower(&self, context: &'c Context, kernel: Op<'c>) -> Result<u64> {
        let (Some(entry), Some(body), Some(outer)) =
            (kernel.body(0), self.looped.body(0), self.looped.block())
        else {
            return Ok(0);
        };
        let Some(first) = entry.ops().into_iter().next() else { return Ok(0) };
        let start = Builder::before(context, first, entry);
        let Some(rows) = Rows::of(&start, kernel, self) else { return Ok(0) };
        for (place, update) in (0..).zip(&self.updates) {
            let b = Builder::before(context, update.op, self.block);
            let (Some(value), Some(&number)) = (update.op.opnd(0), body.arg_list().first()) else {
                continue;
            };
            let element = match update.is_backwards {
                true => b.sub(b.index(self.length - 1), number),
                false => number,
            };
            let element = b.add(element, b.index(place * self.length));
            store(&b, value, rows.elements, &[rows.thread, element]);
        }
        let b = Builder::after(context, self.looped, outer);
        match b.all_hold(&self.branches()) {
            Some(are_made) => when(&b, are_made, |b| rows.add(b, self))?,
            None => rows.add(&b, self)?,
        }
        for update in &self.updates {
            update.op.erase();
        }
        Ok(self.updates.len() as u64)
    }

    /// The conditions of the branches that the updates are in, and what they have to be.
    fn branches(&self) -> Vec<(Val<'c>, bool)> {
        let mut found = vec![];
        let mut block = Some(self.block);
        while let Some(here) = block {
            let Some(around) = here.ops().first().and_then(OpExt::parent) else { break };
            if around.key() == self.looped.key() {
                break;
            }
            let is_first = around.body(0).is_some_and(|first| first.key() == here.key());
            found.extend(around.opnd(0).map(|condition| (condition, is_first)));
            block = around.block();
        }
        found
    }
}

/// What the lanes of a subgroup know of each other's rows, in shared memory.
struct Rows<'c> {
    /// The number of a thread in its block, of which its arrays are rows.
    thread: Val<'c>,
    /// What it adds.
    elements: Val<'c>,
    /// Where its rows begin in the buffer.
    starts: Val<'c>,
    /// The lanes that came together with it, if it is the first of them.
    lanes: Val<'c>,
}

impl<'c> Rows<'c> {
    /// Gives a kernel arrays for a group, if there is room for them.
    fn of(b: &Builder<'c>, kernel: Op<'c>, group: &Group<'c>) -> Option<Self> {
        let entry = kernel.body(0)?;
        let signature = kernel.attr("function_type").and_then(type_of)?;
        let inputs = FunctionType::try_from(signature).ok()?.input_count();
        let count = kernel.attr("workgroup_attributions").and_then(int_of).unwrap_or(0);
        let shared = &entry.arg_list()[inputs..][..count as usize];
        let (updates, byte) = (group.updates.len() as i64, IntegerType::new(b.context(), 8).into());
        let arrays =
            [(group.width(), element(group.buffer)?), (updates, b.index_type()), (LANES, byte)];
        let own = arrays.map(|(columns, element)| Some(BLOCK * columns * bytes_of(element)?));
        let used = shared.iter().map(|&array| shared_bytes(array)).chain(own);
        if used.sum::<Option<i64>>()? > SHARED {
            return None;
        }
        let arrays =
            arrays.map(|(columns, element)| of_block(b.context(), &[BLOCK, columns], element));
        let [Some(elements), Some(starts), Some(lanes)] = arrays else { return None };
        let arrays = [elements, starts, lanes];
        let mut place = inputs + count as usize;
        let [elements, starts, lanes] = arrays.map(|array| {
            place += 1;
            entry.insert_arg(place - 1, array, b.location())
        });
        kernel.set_attr(b.context(), "workgroup_attributions", b.i64_attr(count + 3));
        let axis = [("dimension", Attribute::parse(b.context(), "#gpu<dim x>")?)];
        let thread = b.val_with("gpu.thread_id", &[], b.index_type(), &axis);
        Some(Self { thread, elements, starts, lanes })
    }

    /// Adds the rows of all lanes that are here.
    fn add(&self, b: &Builder<'c>, group: &Group<'c>) -> Result<()> {
        let (Some(buffer), Some(strided)) = (flat(b, group.buffer), Strided::of(b, group.buffer))
        else {
            return Ok(());
        };
        for (place, update) in (0..).zip(&group.updates) {
            let mut indices = update.op.operand_list()[2..].to_vec();
            let first = b.index(if update.is_backwards { 1 - group.length } else { 0 });
            if let Some(last) = indices.last_mut() {
                *last = update.start.map_or(first, |start| b.add(start, first));
            }
            store(b, strided.place(b, &indices), self.starts, &[self.thread, b.index(place)]);
        }

        let here = Here::of(b, self.thread);
        let byte = |lane| b.val("arith.trunci", &[lane], IntegerType::new(b.context(), 8).into());
        let first = here.thread(b, self.thread, here.first);
        store(b, byte(here.lane), self.lanes, &[first, b.as_index(here.rank)]);
        here.wait(b);

        // All of them go round equally often, which LLVM unrolls.
        let bounds = [0, group.width(), 1].map(|bound| b.i32(bound));
        b.for_loop(bounds, &[], |b, round, _| {
            let element = b.add(here.rank, b.mul(round, here.count));
            let [number, element] = b.divide(element, b.i32(group.width()));
            let [row, place] = b.divide(element, b.i32(group.length));
            let lane = load(&b, self.lanes, &[first, b.as_index(number)]);
            let lane = b.val("arith.extui", &[lane], here.lane.r#type());
            let other = here.thread(&b, self.thread, lane);
            let value = load(&b, self.elements, &[other, b.as_index(element)]);
            let start = load(&b, self.starts, &[other, b.as_index(row)]);
            let place = b.add(start, b.as_index(place));
            update_element(&b, ADD_FLOAT, buffer, &[place], value);
            Ok(vec![])
        })?;
        here.wait(b);
        Ok(())
    }
}

/// The lanes that came to a place together, as numbers of 32 bits.
struct Here<'c> {
    /// A bit for each of them.
    mask: Val<'c>,
    /// How many there are.
    count: Val<'c>,
    /// The number of this lane.
    lane: Val<'c>,
    /// How many of them come before it.
    rank: Val<'c>,
    /// The first of them.
    first: Val<'c>,
}

impl<'c> Here<'c> {
    fn of(b: &Builder<'c>, thread: Val<'c>) -> Self {
        let i32: Type<'c> = IntegerType::new(b.context(), 32).into();
        let name = StringAttribute::new(b.context(), "llvm.nvvm.activemask").into();
        let none = [
            ("intrin", name),
            ("operandSegmentSizes", b.i32s_attr(&[0, 0])),
            ("op_bundle_sizes", b.i32s_attr(&[])),
        ];
        let mask = b.val_with("llvm.call_intrinsic", &[], i32, &none);
        let lane = b.val("arith.index_cast", &[thread], i32);
        let lane = b.same("arith.andi", &[lane, b.i32(LANES - 1)]);
        let below = b.sub(b.same("arith.shli", &[b.i32(1), lane]), b.i32(1));
        let rank = b.same("math.ctpop", &[b.same("arith.andi", &[mask, below])]);
        let (count, first) = (b.same("math.ctpop", &[mask]), b.same("math.cttz", &[mask]));
        Self { mask, count, lane, rank, first }
    }

    /// The thread that is a lane of a thread's subgroup.
    fn thread(&self, b: &Builder<'c>, thread: Val<'c>, lane: Val<'c>) -> Val<'c> {
        let start = b.sub(thread, b.as_index(self.lane));
        b.add(start, b.as_index(lane))
    }

    /// Lets all of them see what others have written.
    fn wait(&self, b: &Builder<'c>) {
        b.op("nvvm.bar.warp.sync", &[self.mask], &[]);
    }
}
