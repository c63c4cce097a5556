//! What is done with a tape, as code on its record.

use ad_dialect::ir::{Blk, BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, i64_array};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use super::{
    FREE_ON_DEVICE, OWNED,
    record::{COUNT, Component, Layout, Place, ROOM, Record, buffer_type},
};
use crate::support::{
    builder::{Builder, CMP_EQ, CMP_SLT, same_value},
    memory::{allocate, is_tape_access},
};

/// An operation on a tape.
pub struct Access<'c> {
    pub op: Op<'c>,
    pub layout: Layout<'c>,
    pub kind: Kind<'c>,
    place: Place,
}

/// What it does.
pub enum Kind<'c> {
    Create {
        /// The block at whose beginning there is a record on the stack; without one it is on the heap.
        stack: Option<Blk<'c>>,
    },
    Push,
    Pop {
        /// For each buffer that nobody needs when the tape may be written to again, what frees it.
        freed: Vec<Option<Op<'c>>>,
    },
    Free {
        on_stack: bool,
        /// The components that are buffers which go with the tape.
        owned: Vec<i64>,
    },
}

impl<'c> Access<'c> {
    /// None if there are tensors.
    pub fn of(op: Op<'c>, layout: Layout<'c>, place: Place) -> Option<Self> {
        let values: Vec<_> = op.operand_list().into_iter().chain(op.result_list()).collect();
        if values.iter().any(|value| value.r#type().as_tensor().is_some()) {
            return None;
        }
        let kind = match op.op_name() {
            "ad.tape_create" => Kind::Create { stack: stack_of(op) },
            "ad.tape_push" => Kind::Push,
            "ad.tape_pop" => {
                let results = layout.components.iter().zip(op.result_list());
                let freed = |(part, value): (&Component<'_>, _)| {
                    if part.is_array() { freed(op, value) } else { None }
                };
                Kind::Pop { freed: results.map(freed).collect() }
            }
            _ => {
                let create = op.opnd(0)?.defining_op();
                let create = create.filter(|create| create.op_name() == "ad.tape_create");
                let owned = op.attr(OWNED).and_then(i64_array).unwrap_or_default();
                Kind::Free { on_stack: create.and_then(stack_of).is_some(), owned }
            }
        };
        Some(Self { op, layout, kind, place })
    }

    /// Replaces the operation.
    pub fn lower(self, context: &'c Context) -> Option<()> {
        let op = self.op;
        let b = Builder::before(context, op, op.block()?);
        if let Kind::Create { stack } = self.kind {
            // The record is where it is not known yet.
            let mut record = Record::new(b, &self.layout, op.res(0)?, self.place)?;
            create(&mut record, stack)?;
            op.res(0)?.replace_all_uses(record.handle());
        } else {
            let mut record = Record::new(b, &self.layout, op.opnd(0)?, self.place)?;
            record.find();
            match self.kind {
                Kind::Push => push(&record, &op.operand_list()[1..])?,
                Kind::Pop { freed } => pop(&record, &op.result_list(), &freed)?,
                Kind::Free { on_stack, owned } => {
                    owned.iter().try_for_each(|&i| free_left(&record, i as usize))?;
                    free(&record, on_stack);
                }
                Kind::Create { .. } => {}
            }
        }
        op.erase();
        Some(())
    }
}

/// The first block of the function around, if there is never more than one tape of this operation, and if only what is
/// in the function and known uses it: then its record is on the stack, and LLVM takes it apart.
fn stack_of(create: Op<'_>) -> Option<Blk<'_>> {
    let users = create.res(0)?.users();
    if !users.iter().all(|&user| is_tape_access(user)) {
        return None;
    }
    let block = create.block()?;
    let mut around = create.parent()?;
    while !["func.func", "gpu.launch"].contains(&around.op_name()) {
        // Elsewhere there may be threads.
        if !["scf.for", "scf.while", "scf.if", "scf.index_switch"].contains(&around.op_name()) {
            return None;
        }
        around = around.parent()?;
    }
    let entry = around.body(0)?;
    let in_block = |op: &Op<'_>| op.block().is_some_and(|own| own == block);
    let is_freed = users.iter().any(|user| user.op_name() == "ad.tape_free" && in_block(user));
    (is_freed || block == entry).then_some(entry)
}

/// What frees a popped buffer in the block of the pop, if nothing in between may push to or free the tape: until then the
/// elements can stay where they are.
fn freed<'c>(pop: Op<'c>, value: Val<'c>) -> Option<Op<'c>> {
    let tape = pop.opnd(0)?;
    let mut next = pop.next();
    while let Some(op) = next {
        if op.op_name() == "memref.dealloc" && op.opnd(0).is_some_and(|v| same_value(v, value)) {
            return Some(op);
        }
        let mut overwrites = false;
        op.for_each(&mut |inner| overwrites |= may_overwrite(inner, tape));
        if overwrites {
            return None;
        }
        next = op.next();
    }
    None
}

fn may_overwrite(op: Op<'_>, tape: Val<'_>) -> bool {
    let created = |tape: Val<'_>| {
        tape.defining_op().is_some_and(|create| create.op_name() == "ad.tape_create")
    };
    match op.op_name() {
        "ad.tape_push" | "ad.tape_free" => op
            .opnd(0)
            .is_some_and(|other| same_value(tape, other) || !created(tape) || !created(other)),
        name => {
            let is_call = name.contains("call");
            let knows = |user: Op<'_>| !is_tape_access(user);
            is_call && (!created(tape) || tape.users().into_iter().any(knows))
        }
    }
}

fn create<'c>(record: &mut Record<'_, 'c>, stack: Option<Blk<'c>>) -> Option<()> {
    record.at = match stack.and_then(|entry| entry.ops().first().copied().zip(Some(entry))) {
        Some((first, entry)) => {
            record.with(Builder::before(record.b.context(), first, entry)).on_stack()
        }
        None => record.call("malloc", &[record.bytes_of_record()])?,
    };
    let (zero, null) = (record.constant(0), record.null());
    for field in [COUNT, ROOM] {
        record.set(field, zero);
    }
    for component in &record.layout.components {
        record.set(component.field, null);
        if component.grows() {
            record.set(component.field + 1, null);
            record.set(component.field + 2, zero);
            record.set(component.field + 3, zero);
        }
    }
    Some(())
}

/// Marks an access to a vector as one of any address: what `malloc` gives need not be aligned as vectors are.
fn anywhere<'c>(b: &Builder<'c>, access: Op<'c>, of: Type<'c>) {
    if of.is_vector_type() {
        access.set_attr(b.context(), "alignment", b.i64_attr(1));
    }
}

fn push<'c>(record: &Record<'_, 'c>, values: &[Val<'c>]) -> Option<()> {
    let b = &record.b;
    let count = record.get(COUNT);
    if !record.layout.components.is_empty() {
        let is_full = b.compare(CMP_EQ, count, record.get(ROOM));
        when(b, is_full, |b| grow(&record.with(b)))?;
    }
    for (component, &value) in record.layout.components.iter().zip(values) {
        if !component.is_array() {
            let all = all(record, component)?;
            let to = [value, all, record.as_index(count)];
            anywhere(b, b.op("memref.store", &to, &[]), value.r#type());
        } else {
            let to = push_array(record, component, count, value)?;
            b.op("memref.copy", &[value, to], &[]);
        }
    }
    record.set(COUNT, b.add(count, record.constant(1)));
    Some(())
}

/// Twice the room for entries.
fn grow(record: &Record<'_, '_>) -> Option<()> {
    let b = &record.b;
    let before = record.get(ROOM);
    let twice = b.mul(before, record.constant(2));
    let room = b.same("arith.maxsi", &[twice, record.constant(record.layout.first_room())]);
    for component in &record.layout.components {
        let (element, number) = component.per_entry();
        let bytes = |room| record.bytes(element, b.mul(room, record.constant(number)));
        let array = [record.get(component.field), bytes(before)?, bytes(room)?];
        record.set(component.field, record.grow(&array)?);
    }
    record.set(ROOM, room);
    Some(())
}

/// Code that runs if a condition holds.
fn when<'c>(
    b: &Builder<'c>,
    condition: Val<'c>,
    body: impl FnOnce(Builder<'c>) -> Option<()>,
) -> Option<()> {
    let branch = b.op_with("scf.if", &[condition], &[], &[], &[vec![], vec![]]);
    let [yes, no] = [0, 1].map(|i| branch.body(i).map(|block| b.into_block(block)));
    body(yes?)?;
    for block in [yes?, no?] {
        block.op("scf.yield", &[], &[]);
    }
    Some(())
}

/// All that a tape has of a component, as a buffer; of its size nobody asks.
fn all<'c>(record: &Record<'_, 'c>, component: &Component<'c>) -> Option<Val<'c>> {
    let r#type = buffer_type(record.b.context(), &[DYNAMIC], component.element())?;
    record.buffer(record.get(component.field), r#type, &[record.get(ROOM)])
}

/// The place for the elements of an entry, whose sizes are written down.
fn push_array<'c>(
    record: &Record<'_, 'c>,
    component: &Component<'c>,
    count: Val<'c>,
    value: Val<'c>,
) -> Option<Val<'c>> {
    let b = &record.b;
    let (element, field) = (component.element(), component.field);
    let (per_entry, number) = component.per_entry();
    let first = b.mul(count, record.constant(number));
    let r#type = component.buffer(b.context())?;
    let sizes = record.sizes(value);
    if !component.grows() {
        let begin = record.element(record.get(field), element, first)?;
        return record.buffer(begin, r#type, &sizes);
    }
    for (i, &size) in component.unknown(&sizes).iter().enumerate() {
        let at = b.add(first, record.constant(i as i64));
        let place = record.element(record.get(field), per_entry, at)?;
        b.op("llvm.store", &[size, place], &[]);
    }
    let begin = record.get(field + 2);
    let end = b.add(begin, product(record, &sizes));
    let is_full = b.compare(CMP_SLT, record.get(field + 3), end);
    when(b, is_full, |b| {
        let record = record.with(b);
        let twice = b.mul(end, record.constant(2));
        let bytes = |count| record.bytes(element, count);
        let array = [record.get(field + 1), bytes(begin)?, bytes(twice)?];
        record.set(field + 1, record.grow(&array)?);
        record.set(field + 3, twice);
        Some(())
    })?;
    record.set(field + 2, end);
    record.buffer(record.element(record.get(field + 1), element, begin)?, r#type, &sizes)
}

fn product<'c>(record: &Record<'_, 'c>, sizes: &[Val<'c>]) -> Val<'c> {
    sizes.iter().fold(record.constant(1), |all, &size| record.b.mul(all, size))
}

fn pop<'c>(record: &Record<'_, 'c>, results: &[Val<'c>], freed: &[Option<Op<'c>>]) -> Option<()> {
    let b = &record.b;
    let count = b.sub(record.get(COUNT), record.constant(1));
    record.set(COUNT, count);
    for ((component, &result), freed) in record.layout.components.iter().zip(results).zip(freed) {
        if !component.is_array() {
            let all = all(record, component)?;
            let from = [all, record.as_index(count)];
            let load = b.op("memref.load", &from, &[result.r#type()]);
            anywhere(b, load, result.r#type());
            load.res(0).into_iter().for_each(|value| result.replace_all_uses(value));
            continue;
        }
        let (there, sizes) = pop_array(record, component, count)?;
        if let Some(dealloc) = freed {
            dealloc.erase();
            result.replace_all_uses(there);
            continue;
        }
        let unknown: Vec<_> =
            component.unknown(&sizes).into_iter().map(|size| record.as_index(size)).collect();
        let new = allocate(b, "memref.alloc", result.r#type(), &unknown);
        b.op("memref.copy", &[there, new], &[]);
        result.replace_all_uses(new);
    }
    Some(())
}

/// Where the elements of the last entry are, and the sizes.
fn pop_array<'c>(
    record: &Record<'_, 'c>,
    component: &Component<'c>,
    count: Val<'c>,
) -> Option<(Val<'c>, Vec<Val<'c>>)> {
    let b = &record.b;
    let (element, field) = (component.element(), component.field);
    let (per_entry, number) = component.per_entry();
    let first = b.mul(count, record.constant(number));
    let mut sizes = vec![];
    let mut unknown = 0;
    for size in component.shape() {
        if size != DYNAMIC {
            sizes.push(record.constant(size));
            continue;
        }
        let at = b.add(first, record.constant(unknown));
        let place = record.element(record.get(field), per_entry, at)?;
        sizes.push(b.val("llvm.load", &[place], count.r#type()));
        unknown += 1;
    }
    let mut begin = first;
    let mut array = field;
    if component.grows() {
        begin = b.sub(record.get(field + 2), product(record, &sizes));
        record.set(field + 2, begin);
        array = field + 1;
    }
    let begin = record.element(record.get(array), element, begin)?;
    Some((record.buffer(begin, component.buffer(b.context())?, &sizes)?, sizes))
}

/// Frees the buffers of a component that are left. The host's are on the device, whose runtime frees them.
fn free_left<'c>(record: &Record<'_, 'c>, position: usize) -> Option<()> {
    let b = &record.b;
    let component = record.layout.components.get(position)?;
    let all = all(record, component)?;
    let (start, end, one) = (b.index(0), record.as_index(record.get(COUNT)), b.index(1));
    let each = b.op_with("scf.for", &[start, end, one], &[], &[], &[vec![b.index_type()]]);
    let body = each.body(0)?;
    let b = b.into_block(body);
    let left = b.val("memref.load", &[all, body.arg_list()[0]], component.element());
    match record.place {
        Place::Kernel => drop(b.op("memref.dealloc", &[left], &[])),
        Place::Host => {
            let inner = record.with(b);
            let address = b.val("memref.extract_aligned_pointer_as_index", &[left], b.index_type());
            let address = b.val("llvm.inttoptr", &[inner.as_number(address)], record.at.r#type());
            b.llvm_call(FREE_ON_DEVICE, &[address, inner.null()], &[]);
        }
    }
    b.op("scf.yield", &[], &[]);
    Some(())
}

fn free(record: &Record<'_, '_>, on_stack: bool) {
    for &array in &record.layout.arrays {
        record.call("free", &[record.get(array)]);
    }
    if !on_stack {
        record.call("free", &[record.at]);
    }
}
