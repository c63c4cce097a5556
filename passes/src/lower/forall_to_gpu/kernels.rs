//! Outermost parallel loops become launches of kernels.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val, ValExt};
use melior::{
    Context,
    ir::{Attribute, Type, ValueLike, operation::OperationLike},
};

use super::{Space, host_blocks, is_parallel};
use crate::support::{
    builder::{Builder, CMP_EQ, CMP_SLT},
    combinator::constant_index,
    diag::{Result, internal_error},
    memory::{element, never_freed, of_block, rank, static_size},
    region::move_body,
    symbol::{called_inside, name_of},
};

/// The number of threads of a block.
pub const BLOCK: i64 = 256;
/// The threads of a subgroup.
pub const LANES: i64 = 32;

/// Makes launches of the outermost parallel loops in a block that runs on the host; returns how many.
pub fn launch_all<'c>(context: &'c Context, block: Blk<'c>) -> Result<u64> {
    let mut launches = 0;
    for op in block.ops() {
        if is_parallel(op) {
            launches += 1;
            if has_threads(op) {
                blocks(context, block, op)?;
            } else {
                threads(context, block, op)?;
            }
            continue;
        }
        for inner in host_blocks(op) {
            launches += launch_all(context, inner)?;
        }
    }
    Ok(launches)
}

/// Calls a function for whatever the host decides to run: it is in no parallel loop, and in no function that one calls.
pub fn for_each_on_host<'c>(module: Op<'c>, act: &mut dyn FnMut(Op<'c>)) {
    let inside = called_inside(module);
    for function in module.blocks().into_iter().flat_map(|block| block.ops()) {
        let name = name_of(function).unwrap_or_default();
        if function.op_name() == "func.func" && !inside.contains(&name) {
            function.for_each(&mut |op| {
                if is_on_host(op) {
                    act(op);
                }
            });
        }
    }
}

/// The operations on the host that are in none that runs in parallel, each after those inside of it.
pub fn outermost_on_host(module: Op<'_>) -> Vec<Op<'_>> {
    let mut found = vec![];
    for_each_on_host(module, &mut |op| found.extend(is_outermost(op).then_some(op)));
    found.reverse();
    found
}

/// Whether an operation is in none that runs in parallel.
pub fn is_outermost(op: Op<'_>) -> bool {
    let mut around = std::iter::successors(op.parent(), |op| op.parent());
    !around.any(|op| {
        let name = op.op_name();
        name.starts_with("soac.") || name.starts_with("linalg.") || name == "tensor.generate"
    })
}

fn is_on_host(op: Op<'_>) -> bool {
    let mut around = std::iter::successors(op.parent(), |op| op.parent());
    !around.any(|op| matches!(op.op_name(), "scf.forall" | "scf.parallel" | "gpu.launch"))
}

/// What loops are mapped to that are kernels, however few iterations they have: canonicalisation leaves them as they are.
pub fn one_kernel<'c>(b: &Builder<'c>) -> Option<Attribute<'c>> {
    kernels(b, 1)
}

/// The same for loops of several dimensions.
pub fn kernels<'c>(b: &Builder<'c>, dimensions: usize) -> Option<Attribute<'c>> {
    let each = (0..dimensions).map(|d| format!("#gpu.block<linear_dim_{d}>"));
    Attribute::parse(b.context(), &format!("[{}]", each.collect::<Vec<_>>().join(", ")))
}

/// What a loop is mapped to whose iterations are threads of a block.
pub fn of_threads<'c>(b: &Builder<'c>) -> Option<Attribute<'c>> {
    Attribute::parse(b.context(), "[#gpu.thread<linear_dim_0>]")
}

/// Whether a parallel loop is mapped to the threads of a block.
pub fn is_of_threads(op: Op<'_>) -> bool {
    let mapping = op.attr("mapping").map(|mapping| mapping.to_string());
    op.op_name() == "scf.forall" && mapping.is_some_and(|text| text.contains("#gpu.thread"))
}

/// Whether the iterations of a parallel loop are blocks: there are loops of threads inside of it.
pub fn has_threads(op: Op<'_>) -> bool {
    let mut found = false;
    op.for_each(&mut |inner| found |= inner.key() != op.key() && is_of_threads(inner));
    found
}

/// A launch whose body gets the numbers of the block and of the thread in it, and shared buffers.
pub fn launch<'c>(
    b: &Builder<'c>,
    [grid, block]: [Val<'c>; 2],
    shared: &[Type<'c>],
    body: impl FnOnce(&Builder<'c>, Val<'c>, Val<'c>, &[Val<'c>]) -> Result<()>,
) -> Result<()> {
    let one = b.index(1);
    let operands = [grid, one, one, block, one, one];
    let arguments = [&vec![b.index_type(); 12][..], shared].concat();
    let attributes = [
        ("operandSegmentSizes", b.i32s_attr(&[0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0])),
        ("workgroup_attributions", b.i64_attr(shared.len() as i64)),
    ];
    let op = b.op_with("gpu.launch", &operands, &[], &attributes, &[arguments]);
    let Some(entry) = op.body(0) else { return Ok(()) };
    let arguments = entry.arg_list();
    let inner = b.into_block(entry);
    body(&inner, arguments[0], arguments[3], &arguments[12..])?;
    inner.op("gpu.terminator", &[], &[]);
    entry.ops().into_iter().for_each(|op| op.for_each(&mut forget_symbols));
    Ok(())
}

/// Takes off attributes that nobody relies on and that name a symbol: outlining would take what they name into the kernel,
/// and crashes where there is no such thing.
fn forget_symbols(op: Op<'_>) {
    for (name, attribute) in op.discardable_attrs() {
        let text = attribute.to_string();
        if text.contains('@') && !text.starts_with('"') {
            op.remove_attr(&name);
        }
    }
}

/// The number of blocks that have so many threads.
fn grid_of<'c>(b: &Builder<'c>, threads: Val<'c>) -> Val<'c> {
    b.same("arith.ceildivsi", &[threads, b.index(BLOCK)])
}

/// One thread for each iteration.
fn threads<'c>(context: &'c Context, block: Blk<'c>, op: Op<'c>) -> Result<()> {
    let b = Builder::before(context, op, block);
    let space = Space::of(&b, op)?;
    let Space { total, body, .. } = space;
    launch(&b, [grid_of(&b, total), b.index(BLOCK)], &[], |b, block, thread, _| {
        let id = b.add(b.mul(block, b.index(BLOCK)), thread);
        hoist_local(b, body);
        when(b, b.compare(CMP_SLT, id, total), |b| {
            move_body(b, body, &space.indices(b, id));
            Ok(())
        })
    })?;
    op.erase();
    Ok(())
}

/// `scf.if` without results and without an else.
pub fn when<'c>(
    b: &Builder<'c>,
    condition: Val<'c>,
    then: impl FnOnce(&Builder<'c>) -> Result<()>,
) -> Result<()> {
    let op = b.op_with("scf.if", &[condition], &[], &[], &[vec![], vec![]]);
    b.fill_body(op, 0, "scf.yield", |b, _| then(&b).map(|()| vec![]))?;
    b.fill_body(op, 1, "scf.yield", |_, _| Ok(vec![]))
}

/// One block for each iteration.
fn blocks<'c>(context: &'c Context, block: Blk<'c>, op: Op<'c>) -> Result<()> {
    let b = Builder::before(context, op, block);
    let space = Space::of(&b, op)?;
    let Space { total, body, .. } = space;
    let shared: Vec<_> =
        body.body_ops().into_iter().filter(|op| op.op_name() == "memref.alloc").collect();
    let types: Vec<_> = shared.iter().filter_map(|op| in_workgroup(&b, op.res(0)?)).collect();
    if types.len() != shared.len() {
        return Err(internal_error(op, "blocks share an array of unknown size"));
    }
    launch(&b, [total, b.index(BLOCK)], &types, |b, number, thread, arrays| {
        for (alloc, &array) in shared.iter().zip(arrays) {
            let Some(result) = alloc.res(0) else { continue };
            let generic = b.val("memref.memory_space_cast", &[array], result.r#type());
            never_freed(b, result);
            result.replace_all_uses(generic);
            alloc.erase();
        }
        let indices = space.indices(b, number);
        for (old, new) in body.arg_list().into_iter().zip(indices) {
            old.replace_all_uses(new);
        }
        in_block(b, body.body_ops(), thread)
    })?;
    op.erase();
    Ok(())
}

/// What a block does: its threads take part in each parallel loop, after which they wait for each other; all of them
/// compute what is between the loops, and the first one writes it.
fn in_block<'c>(b: &Builder<'c>, ops: Vec<Op<'c>>, thread: Val<'c>) -> Result<()> {
    for op in ops {
        if is_of_threads(op) {
            let space = Space::of(b, op)?;
            hoist_local(b, space.body);
            let run = |b: &Builder<'c>, number| {
                move_body(b, space.body, &space.indices(b, number));
            };
            match constant_index(space.total) {
                Some(BLOCK) => run(b, thread),
                Some(extent) if extent < BLOCK => {
                    when(b, b.compare(CMP_SLT, thread, b.index(extent)), |b| {
                        run(b, thread);
                        Ok(())
                    })?;
                }
                // There are no more threads: each of them does several iterations.
                _ => {
                    b.for_loop([thread, space.total, b.index(BLOCK)], &[], |b, number, _| {
                        run(&b, number);
                        Ok(vec![])
                    })?;
                }
            }
            b.op("gpu.barrier", &[], &[]);
            op.erase();
        } else if op.op_name() == "memref.store" {
            when(b, b.compare(CMP_EQ, thread, b.index(0)), |b| {
                op.detach();
                b.insert(op);
                Ok(())
            })?;
        } else {
            op.detach();
            b.insert(op);
        }
    }
    Ok(())
}

/// Moves the local memory of a thread to where the builder is: in front of branches and loops.
pub fn hoist_local<'c>(b: &Builder<'c>, body: Blk<'c>) {
    for op in body.body_ops() {
        if op.op_name() == "memref.alloca" && op.operand_count() == 0 {
            op.detach();
            b.insert(op);
        }
    }
}

/// The type of a buffer of static size in the memory that a block shares.
fn in_workgroup<'c>(b: &Builder<'c>, buffer: Val<'c>) -> Option<Type<'c>> {
    let sizes = (0..rank(buffer)).map(|d| static_size(buffer, d)).collect::<Option<Vec<_>>>()?;
    of_block(b.context(), &sizes, element(buffer)?)
}
