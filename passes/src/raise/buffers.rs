//! Structured operations on buffers as such on tensors, and buffers that only these use as values:
//!
//! ```text
//! op ins(a) outs(b)     x = copy (to_tensor a);  y = copy (to_tensor b);  z = op ins(x) outs(y);  materialize z in b
//! ```
//!
//! A copy is what memory held when it was read, whatever is written to it later; `lower-contents` leaves out those whose readers
//! come before anything is written. What was written to a buffer is known behind that, until something may write there again, and
//! is not read of it, nor are its elements, also in loops that do not write there. A buffer that nobody reads any more is gone.

use ad_dialect::{
    capi::memory_effects,
    ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt},
    linalg::{Expr, Structured},
};
use melior::{
    Context,
    ir::{Type, TypeLike, ValueLike, operation::OperationLike},
};

use crate::{
    ad::rules::has_rule,
    support::{
        builder::{Builder, same_value},
        combinator::constant_index,
        memory::{contents, dynamic_dims, is_array, materialize, rank, static_size, tensor_of},
        place::Sum,
        region::{all_inside, with_results},
        roots::are_apart,
        slice::Slice,
        structured::covers_once,
    },
};

const READ: &str = "bufferization.to_tensor";
const WRITE: &str = "bufferization.materialize_in_destination";

/// Rewrites a function that has structured operations on buffers, or reads or writes buffers as a whole; returns how many operations
/// are on tensors now. `goes_inside` says of which operations the regions are rewritten, too, and `is_copied` of reads, and whether
/// they were made here, which are copied.
pub fn raise<'c>(
    context: &'c Context,
    function: Op<'c>,
    goes_inside: &dyn Fn(Op<'c>) -> bool,
    is_copied: &dyn Fn(Op<'c>, bool) -> bool,
) -> u64 {
    let is_wanted = |op: &Op<'c>| [READ, WRITE].contains(&op.op_name()) || outputs(*op).is_some();
    if !all_inside(function).iter().any(is_wanted) {
        return 0;
    }
    let mut pass = Pass { context, goes_inside, reads: vec![], made: vec![], raised: 0 };
    for block in function.blocks() {
        pass.block(block, vec![]);
    }
    pass.made.iter().rev().filter(|op| op.is_dead()).for_each(OpExt::erase);
    let named = |names: &[&str]| {
        let mut all = all_inside(function);
        all.retain(|op| names.contains(&op.op_name()));
        all
    };
    for alloc in named(&["memref.alloc", "memref.alloca"]) {
        drop_unread(context, alloc);
    }
    for read in named(&[READ]) {
        let is_new = pass.reads.iter().any(|made| made.key() == read.key());
        if is_copied(read, is_new) {
            keep(context, read);
        }
    }
    pass.raised
}

/// The same of all functions of a module, where the host runs operations one after the other. What the program reads of buffers
/// itself is not copied.
pub fn raise_on_host<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let in_order = |op: Op<'c>| {
        let names = ["scf.for", "scf.if", "scf.while", "scf.index_switch", "scf.execute_region"];
        names.contains(&op.op_name())
    };
    let mut functions = all_inside(module);
    functions.retain(|op| op.op_name() == "func.func");
    functions
        .into_iter()
        .map(|function| raise(context, function, &in_order, &|_, is_new| is_new))
        .sum()
}

/// Copies what is read of memory, unless it is copied already.
fn keep<'c>(context: &'c Context, read: Op<'c>) {
    let (Some(array), Some(block)) = (read.res(0), read.block()) else { return };
    if array.users().iter().all(|user| user.op_name() == "bufferization.alloc_tensor") {
        return;
    }
    let copy = Builder::after(context, read, block).copy_of(array);
    array.replace_all_uses(copy);
    if let Some(copy) = copy.defining_op() {
        copy.set_operands(&[array]);
    }
}

/// Erases what is done with a buffer that nobody reads.
fn drop_unread<'c>(context: &'c Context, alloc: Op<'c>) {
    let Some(buffer) = alloc.res(0) else { return };
    let uses = buffer.uses();
    let is_size = |op: &Op<'_>| op.op_name() == "memref.dim";
    let is_unread = |(user, position): &(Op<'c>, usize)| match user.op_name() {
        "memref.dealloc" => true,
        "memref.dim" => *position == 0,
        "memref.store" | "memref.copy" | "linalg.fill" => *position == 1,
        WRITE => *position == 1 && user.result_count() == 0,
        _ => false,
    };
    let sizes: Vec<_> = uses.iter().map(|(user, _)| *user).filter(is_size).collect();
    let known = |op: &Op<'c>| Some((op.res(0)?, size_of(context, alloc, *op)?));
    let Some(known) = sizes.iter().map(known).collect::<Option<Vec<_>>>() else { return };
    if uses.iter().all(is_unread) {
        known.into_iter().for_each(|(dim, size)| dim.replace_all_uses(size));
        uses.into_iter().for_each(|(user, _)| user.erase());
        alloc.erase();
    }
}

/// The size that a `memref.dim` of an allocation gives.
fn size_of<'c>(context: &'c Context, alloc: Op<'c>, dim: Op<'c>) -> Option<Val<'c>> {
    let (buffer, d) = (alloc.res(0)?, constant_index(dim.opnd(1)?)?);
    let d = usize::try_from(d).ok().filter(|d| *d < rank(buffer))?;
    let b = Builder::before(context, dim, dim.block()?);
    match static_size(buffer, d) {
        Some(size) => Some(b.index(size)),
        None => {
            let before = (0..d).filter(|&d| static_size(buffer, d).is_none());
            alloc.opnd(before.count())
        }
    }
}

/// The state of a rewriting.
struct Pass<'p, 'c> {
    context: &'c Context,
    goes_inside: &'p dyn Fn(Op<'c>) -> bool,
    /// The reads of buffers that were made.
    reads: Vec<Op<'c>>,
    /// Operations that may be for nothing.
    made: Vec<Op<'c>>,
    raised: u64,
}

/// What buffers hold.
type Held<'c> = Vec<(Val<'c>, Val<'c>)>;

impl<'c> Pass<'_, 'c> {
    /// Rewrites a block, of which it is known what buffers hold where it begins, and wherever it leads back to.
    fn block(&mut self, block: Blk<'c>, mut held: Held<'c>) {
        for op in block.ops() {
            match outputs(op) {
                Some(outputs) => self.structured(block, op, &outputs, &mut held),
                None => self.other(block, op, &mut held),
            }
        }
    }

    /// Has a structured operation work on tensors.
    fn structured(&mut self, block: Blk<'c>, op: Op<'c>, outputs: &[Val<'c>], held: &mut Held<'c>) {
        let b = Builder::before(self.context, op, block).with_location(op.location());
        let unread = overwritten(op);
        let first_output = op.operand_count() - outputs.len();
        let operands = op.operand_list().into_iter().enumerate();
        let values = operands.map(|(i, operand)| match tensor_of(operand.r#type()) {
            None => operand,
            Some(array) if i >= first_output && unread[i - first_output] => {
                b.empty(array, &dynamic_dims(&b, operand))
            }
            Some(array) => known(held, operand, array).unwrap_or_else(|| {
                let read = contents(&b, operand, array);
                self.reads.extend(read.defining_op());
                read
            }),
        });
        let values: Vec<_> = values.collect();
        let types: Vec<_> = outputs.iter().filter_map(|it| tensor_of(it.r#type())).collect();
        let new = with_results(self.context, op, &types);
        new.set_operands(&values);
        for (result, output) in new.result_list().into_iter().zip(outputs) {
            materialize(&b, result, *output);
            write(held, *output, Some(result));
        }
        op.erase();
        self.raised += 1;
    }

    /// Looks what another operation writes to, and gives what is known of what it reads.
    fn other(&mut self, block: Blk<'c>, op: Op<'c>, held: &mut Held<'c>) {
        match (op.op_name(), op.opnd(0), op.opnd(1)) {
            ("memref.load", Some(buffer), _) => {
                let array = tensor_of(buffer.r#type()).and_then(|array| known(held, buffer, array));
                if let (Some(array), Some(number)) = (array, op.res(0)) {
                    let b = Builder::before(self.context, op, block).with_location(op.location());
                    number.replace_all_uses(b.extract(array, &op.operand_list()[1..]));
                    op.erase();
                }
            }
            (READ, Some(buffer), _) => {
                let array = op.res(0).and_then(|read| known(held, buffer, read.r#type()));
                if let Some((array, read)) = array.zip(op.res(0)) {
                    read.replace_all_uses(array);
                    op.erase();
                }
            }
            ("memref.store", Some(number), Some(buffer)) if rank(buffer) == 0 => {
                let array = tensor_of(buffer.r#type()).map(|array| {
                    let b = Builder::after(self.context, op, block).with_location(op.location());
                    self.noted(b.val("tensor.from_elements", &[number], array))
                });
                write(held, buffer, array);
            }
            ("linalg.fill", Some(number), Some(buffer)) if is_array(buffer) => {
                let array = tensor_of(buffer.r#type()).map(|array| {
                    let b = Builder::before(self.context, op, block).with_location(op.location());
                    let sizes = dynamic_dims(&b, buffer);
                    let sizes: Vec<_> = sizes.into_iter().map(|size| self.noted(size)).collect();
                    let empty = self.noted(b.empty(array, &sizes));
                    self.noted(b.fill(number, empty))
                });
                write(held, buffer, array);
            }
            (WRITE, Some(array), Some(buffer)) if is_array(buffer) => {
                write(held, buffer, Some(array));
            }
            ("memref.copy", Some(from), Some(to)) => {
                let array = tensor_of(from.r#type()).and_then(|array| known(held, from, array));
                write(held, to, array);
            }
            _ => self.unknown(op, held),
        }
    }

    /// Forgets what another operation may write to; in it the rest is known wherever it is.
    fn unknown(&mut self, op: Op<'c>, held: &mut Held<'c>) {
        op.for_each(&mut |inner| {
            if !memory_effects(inner).writes {
                return;
            }
            let buffers: Vec<_> =
                inner.operand_list().into_iter().filter(|it| is_array(*it)).collect();
            let is_known = inner.op_name().starts_with("memref.") && !buffers.is_empty();
            let is_own = matches!(inner.op_name(), "memref.alloc" | "memref.alloca");
            match is_known || inner.op_name() == WRITE {
                true => buffers.into_iter().for_each(|buffer| write(held, buffer, None)),
                false if is_own => {}
                false => held.clear(),
            }
        });
        if (self.goes_inside)(op) {
            op.blocks().into_iter().for_each(|block| self.block(block, held.clone()));
        }
    }

    fn noted(&mut self, value: Val<'c>) -> Val<'c> {
        self.made.extend(value.defining_op());
        value
    }
}

/// What a buffer holds, if it is known as an array of a type.
fn known<'c>(held: &Held<'c>, buffer: Val<'c>, r#type: Type<'c>) -> Option<Val<'c>> {
    let buffer = whole(buffer);
    let found = held.iter().find(|(known, _)| same_value(*known, buffer)).map(|(_, array)| *array);
    found.filter(|array| array.r#type() == r#type)
}

/// Notes what is written to a buffer, as far as it has its sizes.
fn write<'c>(held: &mut Held<'c>, buffer: Val<'c>, array: Option<Val<'c>>) {
    held.retain(|(other, _)| are_apart(*other, buffer));
    let has_type = |array: &Val<'c>| tensor_of(buffer.r#type()) == Some(array.r#type());
    held.extend(array.filter(has_type).map(|array| (whole(buffer), array)));
}

/// The buffer that a view shows all of, with the same indices.
fn whole(buffer: Val<'_>) -> Val<'_> {
    let source = buffer.defining_op().and_then(|view| {
        let source = view.opnd(0)?;
        let shows_all = match view.op_name() {
            "memref.cast" => is_array(source),
            "memref.subview" if rank(source) == rank(buffer) => {
                let slice = Slice::of(view, 1, |value| value)?;
                (0..rank(source)).all(|d| {
                    let [offset, size, stride] = slice.entries(d).map(Sum::of_extent);
                    offset.as_constant() == Some(0)
                        && stride.as_constant() == Some(1)
                        && size == Sum::of_size(source, d)
                })
            }
            _ => false,
        };
        shows_all.then(|| whole(source))
    });
    source.unwrap_or(buffer)
}

/// What a structured operation writes to, if it has buffers only and a rule as one on tensors; its body does nothing else.
fn outputs(op: Op<'_>) -> Option<Vec<Val<'_>>> {
    let s = Structured::of(op)?;
    let has_rule = has_rule(op.op_name()) && op.op_name() != "linalg.fill";
    let has_parts = |value: &Val<'_>| value.r#type().is_tensor() || is_array(*value);
    let is_buffer = |value: Val<'_>| tensor_of(value.r#type()).is_some();
    let are_buffers = op.operand_list().into_iter().filter(has_parts).all(is_buffer);
    let is_pure = |op: &Op<'_>| {
        let effects = memory_effects(*op);
        !effects.reads && !effects.writes
    };
    let computes = s.body.body_ops().iter().all(is_pure);
    (op.result_count() == 0 && has_rule && are_buffers && computes).then_some(s.inits)
}

/// Of each output, whether the operation overwrites all of it without reading it.
fn overwritten(op: Op<'_>) -> Vec<bool> {
    let Some(s) = Structured::of(op) else { return vec![] };
    let arguments = s.body.arg_list();
    let outs = arguments.iter().skip(s.inputs.len()).zip(s.output_maps()).zip(&s.inits);
    let is_overwritten = |((argument, map), init): ((&Val<'_>, &Vec<Expr>), &Val<'_>)| {
        let shape = tensor_of(init.r#type()).map(|array| array.shape()).unwrap_or_default();
        argument.users().is_empty() && covers_once(map, &shape, s.loops)
    };
    outs.map(is_overwritten).collect()
}
