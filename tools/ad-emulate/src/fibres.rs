//! Threads of a block that can wait for each other: fibres, each with a stack of its own.
//!
//! Stacks are kept from launch to launch; each has a guard page, so that a kernel that needs more ends the process
//! rather than overwrite another's.
//! A launch that is abandoned leaves fibres half-way. Compiled code has no tables for unwinding, and nothing on its
//! stack that would need it, so such a fibre is forgotten and its stack used again.

use std::{cell::Cell, ffi::c_void, io, ptr};

use corosensei::{Coroutine, CoroutineResult, Yielder, stack::DefaultStack};

use crate::launch::{Ctx, Thunk};

const STACK_BYTES: usize = 256 << 10;

/// Stacks that no fibre uses.
#[derive(Default)]
pub(crate) struct Stacks(Vec<DefaultStack>);

impl Stacks {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn take(&mut self) -> io::Result<DefaultStack> {
        self.0.pop().map_or_else(|| DefaultStack::new(STACK_BYTES), Ok)
    }

    pub(crate) fn put(&mut self, stack: DefaultStack) {
        self.0.push(stack);
    }
}

/// Where a thread stops: what [`Waker::pause`] needs to leave its fibre. Empty for a thread without one.
#[derive(Default)]
pub(crate) struct Waker(Cell<Option<ptr::NonNull<Yielder<(), ()>>>>);

impl Waker {
    /// Leaves the fibre of this thread until it is resumed; false at once if it has none.
    pub(crate) fn pause(&self) -> bool {
        let Some(yielder) = self.0.get() else { return false };
        // SAFETY: the fibre set it when it began and takes it back when it ends; only its own code calls this.
        unsafe { yielder.as_ref() }.suspend(());
        true
    }
}

/// A thread of a kernel on a stack of its own; empty once the stack was given back.
pub(crate) struct Fibre(Option<Coroutine<(), (), ()>>);

impl Fibre {
    /// Makes a fibre that calls the kernel for a thread when it is first resumed.
    ///
    /// # Safety
    ///
    /// The context outlives the fibre, and kernel and arguments are as `ad_emulate_launch` wants them.
    pub(crate) unsafe fn new(
        stack: DefaultStack,
        thunk: Thunk,
        ctx: &Ctx<'_>,
        args: *const c_void,
    ) -> Self {
        let body = move |yielder: &Yielder<(), ()>, ()| {
            ctx.waker.0.set(Some(ptr::NonNull::from_ref(yielder)));
            // SAFETY: see above.
            unsafe { thunk(ctx.as_pointer(), args) };
            ctx.waker.0.set(None);
        };
        // SAFETY: the closure borrows only the context.
        Self(Some(unsafe { Coroutine::with_stack_unchecked(stack, body) }))
    }

    /// Runs until the thread pauses or ends; returns whether it ended.
    pub(crate) fn resume(&mut self) -> bool {
        match &mut self.0 {
            Some(fibre) if !fibre.done() => matches!(fibre.resume(()), CoroutineResult::Return(())),
            _ => true,
        }
    }

    /// Ends the fibre, wherever it is, and returns its stack.
    pub(crate) fn end(&mut self) -> Option<DefaultStack> {
        let mut fibre = self.0.take()?;
        // SAFETY: compiled code has nothing on its stack that must be dropped, nor have the functions of `calls`
        // where they pause, nor the closure of `new`.
        unsafe { fibre.force_reset() };
        Some(fibre.into_stack())
    }
}

impl Drop for Fibre {
    fn drop(&mut self) {
        self.end();
    }
}
