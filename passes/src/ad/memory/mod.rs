//! Derivatives of programs that write to memory [ZYG 3.2].
//!
//! A buffer of floats that needs a derivative has a *shadow*: a buffer of the same shape, made where the buffer is made
//! and by the same operations, views of it included. In forward mode it holds the tangents of what the buffer holds, at
//! any time. In reverse mode it holds the adjoints: the return sweep of a load adds to an element of the shadow, that of a
//! store takes the element and leaves zero. Buffers that share memory have shadows that share memory in the same places,
//! so no rule has to know which do.
//!
//! The return sweep needs what was loaded, not what memory held: the result of a load is kept like any other value
//! (`cfg`), and nothing is saved where memory is overwritten.
//!
//! A shadow of what is allocated in a loop is made before the loop, for all iterations: only one at a time has adjoints
//! in it, because the return sweep of the allocation leaves it zero. Where buffers of several iterations live at the same
//! time, or where sizes are not known before the loop, each has a shadow of its own, and a tape keeps which it is.

mod apart;
mod bodies;
mod lower;

pub use apart::mark;
pub use lower::{lower, uses_memory};

use ad_dialect::{
    capi::{is_trivially_dead, memory_effects},
    ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt, text_of},
};
use melior::ir::{
    ShapedTypeLike, Type, TypeLike, ValueLike, operation::OperationLike, r#type::MemRefType,
};

use crate::{
    ad::{jvp::Jvp, vjp::Vjp},
    support::{
        builder::Builder,
        diag::{Result, internal_error},
        memory::{
            allocate, dim, dynamic_dims, element, is_tape_access, load, rank, store,
            with_plain_layout,
        },
        region::{ValueMap, clone_op, with_more},
    },
};

/// Whether a type is that of a buffer of values that have a derivative.
pub fn is_buffer_type(r#type: Type<'_>) -> bool {
    let element = MemRefType::try_from(r#type).map(|buffer| buffer.element());
    element.is_ok_and(|element| !element.is_mem_ref() && element.is_differentiable())
}

/// Whether a value is a buffer of values that have a derivative.
pub fn is_buffer(value: Val<'_>) -> bool {
    is_buffer_type(value.r#type())
}

/// A dense buffer of the sizes of another one.
pub fn dense<'c>(b: &Builder<'c>, like: Val<'c>) -> Val<'c> {
    let sizes = dynamic_dims(b, like);
    allocate(b, "memref.alloc", with_plain_layout(like.r#type()), &sizes)
}

/// A buffer of zeros of the type and the sizes of another one.
pub fn zeros<'c>(b: &Builder<'c>, like: Val<'c>) -> Val<'c> {
    let made = dense(b, like);
    clear(b, made);
    let wanted = like.r#type();
    if made.r#type() == wanted { made } else { b.val("memref.cast", &[made], wanted) }
}

/// Fills a buffer with zeros.
pub fn clear<'c>(b: &Builder<'c>, buffer: Val<'c>) {
    if let Some(element) = element(buffer) {
        fill(b, b.zero_scalar(element), buffer);
    }
}

/// Fills a buffer.
pub fn fill<'c>(b: &Builder<'c>, value: Val<'c>, buffer: Val<'c>) {
    if rank(buffer) == 0 {
        return store(b, value, buffer, &[]);
    }
    let scalar = value.r#type();
    let segments = ("operandSegmentSizes", b.i32s_attr(&[1, 1]));
    let regions = [vec![scalar, scalar]];
    let op = b.op_with("linalg.fill", &[value, buffer], &[], &[segments], &regions);
    if let Some(body) = op.body(0) {
        b.into_block(body).op("linalg.yield", &body.arg_list()[..1], &[]);
    }
}

/// Adds the elements of one buffer to those of another one.
pub fn add<'c>(b: &Builder<'c>, to: Val<'c>, from: Val<'c>) -> Result<()> {
    let sizes: Vec<_> = (0..rank(to)).map(|d| dim(b, to, d)).collect();
    add_from(b, to, from, &sizes, &mut vec![])
}

fn add_from<'c>(
    b: &Builder<'c>,
    to: Val<'c>,
    from: Val<'c>,
    sizes: &[Val<'c>],
    at: &mut Vec<Val<'c>>,
) -> Result<()> {
    let Some(&size) = sizes.get(at.len()) else {
        let sum = b.add(load(b, to, at), load(b, from, at));
        store(b, sum, to, at);
        return Ok(());
    };
    b.for_loop([b.index(0), size, b.index(1)], &[], |inner, i, _| {
        at.push(i);
        let done = add_from(&inner, to, from, sizes, at);
        at.pop();
        done.map(|()| vec![])
    })?;
    Ok(())
}

/// Whether memory that functions are given holds all the time what it holds in the beginning: what a function writes to
/// is allocated in it.
pub fn keeps_what_is_given(function: Op<'_>) -> bool {
    let mut keeps = true;
    function.for_each(&mut |op| {
        let writes = memory_effects(op).writes && !is_tape_access(op);
        let buffers = op.operand_list().into_iter().filter(|value| value.r#type().is_mem_ref());
        let mut buffers = buffers.peekable();
        let is_inside = buffers.peek().is_some() && buffers.all(is_allocated);
        keeps = keeps && (!writes || is_inside || is_allocation(op));
    });
    keeps
}

fn is_allocation(op: Op<'_>) -> bool {
    matches!(op.op_name(), "memref.alloc" | "memref.alloca")
}

fn is_allocated(buffer: Val<'_>) -> bool {
    origin(buffer).defining_op().is_some_and(is_allocation)
}

fn is_load(op: Op<'_>) -> bool {
    matches!(op.op_name(), "memref.load" | "vector.load" | "bufferization.to_tensor")
}

/// Whether an operation reads memory that the function is given.
pub fn reads_what_is_given(op: Op<'_>, function: Op<'_>) -> bool {
    let given = op.opnd(0).map(origin).filter(|_| is_load(op));
    given.is_some_and(|buffer| {
        buffer.defining_op().is_none() && buffer.owner_block() == function.body(0)
    })
}

/// What a buffer is a view of, as far as it is known.
fn origin(buffer: Val<'_>) -> Val<'_> {
    let view = buffer.defining_op().filter(|op| handed_through(*op) == Some(0..1));
    view.and_then(|op| op.opnd(0)).map_or(buffer, origin)
}

/// What an operation gives that is the same memory as an operand: the positions of the operands that it may be.
pub fn handed_through(op: Op<'_>) -> Option<std::ops::Range<usize>> {
    Some(match op.op_name() {
        "memref.cast"
        | "memref.collapse_shape"
        | "memref.expand_shape"
        | "memref.extract_strided_metadata"
        | "memref.memory_space_cast"
        | "memref.assume_alignment"
        | "memref.reinterpret_cast"
        | "memref.subview"
        | "memref.transpose" => 0..1,
        "arith.select" => 1..3,
        _ => return None,
    })
}

impl<'c> Vjp<'_, 'c> {
    /// Makes shadows for the arguments of a function that are buffers and are given none; they are zero.
    pub fn make_shadows(&mut self, arguments: &[Val<'c>]) {
        for &argument in arguments {
            let is_without = is_buffer(argument)
                && self.is_active(argument)
                && !self.shadows.contains_key(&argument.key());
            if is_without {
                let shadow = zeros(&self.b, self.primal(argument));
                self.set_shadow(argument, shadow);
                self.early_shadows.push(shadow);
            }
        }
    }

    /// Adds what is asked about the buffers that a function returns to their shadows.
    pub fn seed_shadow(&mut self, op: Op<'c>, result: Val<'c>, seed: Val<'c>) -> Result<()> {
        if !self.is_active(result) {
            return Ok(());
        }
        let shadow = self.shadow(op, result)?;
        add(&self.b, shadow, seed)
    }

    /// A call of the first half of a derivative takes the shadows of buffers with them, and gives those of its results.
    fn share_with_call(&mut self, op: Op<'c>) -> Result<()> {
        let is_shared = |value: &Val<'c>| is_buffer(*value) && self.is_active(*value);
        let mut taken = vec![];
        for buffer in op.operand_list().into_iter().filter(is_shared) {
            taken.push(self.shadow(op, buffer)?);
        }
        let given: Vec<_> = op.result_list().into_iter().filter(is_shared).collect();
        if taken.is_empty() && given.is_empty() {
            return Ok(());
        }
        let Some(copy) = self.copy_of(op) else {
            return Err(internal_error(op, "call without forward sweep"));
        };
        let types: Vec<_> = given.iter().map(|buffer| buffer.r#type()).collect();
        let copy = with_more(self.session.context(), copy, &taken, &types);
        self.replace_copy(op, copy);
        let shadows = copy.result_list().into_iter().skip(op.result_list().len());
        for (buffer, shadow) in given.into_iter().zip(shadows) {
            self.set_shadow(buffer, shadow);
        }
        Ok(())
    }

    /// Makes the shadow of a buffer that the copy of an operation gives.
    pub fn make_shadow(&mut self, op: Op<'c>) -> Result<()> {
        if op.attr("callee").and_then(text_of).is_some_and(|name| self.session.is_in_group(&name)) {
            return self.share_with_call(op);
        }
        let results = op.result_list().into_iter();
        let active: Vec<_> =
            results.filter(|result| is_buffer(*result) && self.is_active(*result)).collect();
        let Some(&result) = active.first() else { return Ok(()) };
        let Some(copy) = self.copy_of(op) else {
            return Err(internal_error(op, "operation without forward sweep"));
        };
        if let Some(range) = handed_through(op) {
            let mut operands = copy.operand_list();
            for i in range {
                operands[i] = self.shadow(op, op.operand_list()[i])?;
            }
            let shadow = op.clone_detached();
            shadow.set_operands(&operands);
            self.b.insert(shadow);
            if let Some(shadow) = shadow.res(result.position()) {
                self.set_shadow(result, shadow);
            }
            return Ok(());
        }
        if !matches!(op.op_name(), "memref.alloc" | "memref.alloca") {
            let message = "has no vjp rule: it is not known which buffer this is";
            return Err(self.session.refuse(op, message));
        }
        let shadow = match self.early_shadow(copy) {
            Some(shadow) => shadow,
            None => zeros(&self.b, self.primal(result)),
        };
        self.set_shadow(result, shadow);
        Ok(())
    }

    /// The shadow of what is allocated in a loop, of which there is one for all iterations if its sizes are known in front
    /// of it.
    fn early_shadow(&mut self, copy: Op<'c>) -> Option<Val<'c>> {
        let front = self.front?;
        let sizes = copy.operand_list().into_iter().map(|size| again_in_front(&front, size));
        let sizes: Vec<_> = sizes.collect::<Option<_>>()?;
        let shadow = allocate(&front, "memref.alloc", copy.res(0)?.r#type(), &sizes);
        clear(&front, shadow);
        self.early_shadows.push(shadow);
        Some(shadow)
    }

    /// Frees shadows at the end of a function.
    pub fn free_early(&mut self) {
        for shadow in std::mem::take(&mut self.early_shadows) {
            self.b.op("memref.dealloc", &[shadow], &[]);
        }
    }
}

impl<'c> Jvp<'_, 'c> {
    /// Makes tangents for the arguments of a function that are buffers and have none; they are zero.
    pub fn make_tangents(&mut self, arguments: &[Val<'c>]) -> Vec<Val<'c>> {
        let is_without = |value: &&Val<'c>| {
            is_buffer(**value) && self.is_active(**value) && self.tangent(**value).is_none()
        };
        let wanted: Vec<_> = arguments.iter().filter(is_without).copied().collect();
        let mut made = vec![];
        for argument in wanted {
            let tangent = zeros(&self.b, self.primal(argument));
            self.set_tangent(argument, tangent);
            made.push(tangent);
        }
        made
    }

    /// Frees buffers.
    pub fn free(&mut self, buffers: &[Val<'c>]) {
        for &buffer in buffers {
            self.b.op("memref.dealloc", &[buffer], &[]);
        }
    }

    /// The tangent of a buffer.
    pub fn shadow(&self, op: Op<'c>, buffer: Val<'c>) -> Result<Val<'c>> {
        self.tangent(buffer).ok_or_else(|| {
            self.session.refuse(op, "has no jvp rule: it is not known which buffer this is")
        })
    }
}

/// A number again in front of everything, if it follows from arguments of the function.
fn again_in_front<'c>(front: &Builder<'c>, value: Val<'c>) -> Option<Val<'c>> {
    let Some(op) = value.defining_op() else {
        return (value.owner_block()? == front.block()).then_some(value);
    };
    let is_pure = is_trivially_dead(op) && !memory_effects(op).reads && op.region_count() == 0;
    if !is_pure {
        return None;
    }
    let mut renamed = ValueMap::new();
    for operand in op.operand_list() {
        let again = again_in_front(front, operand)?;
        renamed.insert(operand.key(), again);
    }
    clone_op(front, op, &mut renamed).res(value.position())
}
