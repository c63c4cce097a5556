//! Runs the threads of one block.
//!
//! Without barriers and shuffles, a thread is a call.
//! With them it is a fibre, which runs until it waits for others or ends. Once all have, the subgroups that are
//! complete at a shuffle or a product of matrices exchange their values and go on; if there are none, the block goes on
//! if it is complete at a barrier, and else is abandoned: nothing could ever wake the threads that wait.

use std::{cell::Cell, ffi::c_void};

use crate::{
    fibres::{Fibre, Stacks},
    launch::{Ctx, Launch, Thunk},
    matrix::{self, Product},
    order::Random,
    shuffle::{self, LANES, Request},
    state,
};

/// What a thread of a block waits for.
#[derive(Clone, Copy)]
pub(crate) enum Wait {
    Nothing,
    Barrier,
    Shuffle(Request),
    Product(Product),
    End,
}

/// The block was abandoned, and an error recorded.
pub(crate) struct Abandoned;

/// Runs threads as plain calls, in a shuffled order.
///
/// # Safety
///
/// Kernel and arguments are as `ad_emulate_launch` wants them.
#[allow(unsafe_code)]
pub(crate) unsafe fn call(
    threads: &[Ctx<'_>],
    order: &[u16],
    thunk: Thunk,
    args: *const c_void,
    failed: &Cell<bool>,
) -> Result<(), Abandoned> {
    for ctx in order.iter().filter_map(|&thread| threads.get(usize::from(thread))) {
        // SAFETY: see above.
        unsafe { thunk(ctx.as_pointer(), args) };
        if failed.get() {
            return Err(Abandoned);
        }
    }
    Ok(())
}

/// Runs threads as fibres, in an order that is shuffled anew whenever they have waited.
///
/// # Safety
///
/// Kernel and arguments are as `ad_emulate_launch` wants them.
#[allow(unsafe_code)]
pub(crate) unsafe fn run(
    launch: &Launch,
    threads: &[Ctx<'_>],
    thunk: Thunk,
    args: *const c_void,
    stacks: &mut Stacks,
    random: &mut Random,
) -> Result<(), Abandoned> {
    let mut fibres = Vec::with_capacity(threads.len());
    let mut result = Ok(());
    for ctx in threads {
        ctx.wait.set(Wait::Nothing);
        match stacks.take() {
            // SAFETY: see above; `threads` outlives `fibres`.
            Ok(stack) => fibres.push(unsafe { Fibre::new(stack, thunk, ctx, args) }),
            Err(error) => {
                state::record(format!("no stack for a thread of @{}: {error}", launch.name));
                result = Err(Abandoned);
                break;
            }
        }
    }
    if result.is_ok() {
        result = rounds(launch, threads, &mut fibres, random);
    }
    for fibre in &mut fibres {
        if let Some(stack) = fibre.end() {
            stacks.put(stack);
        }
    }
    result
}

/// Resumes all threads that can go on, until all have ended.
fn rounds(
    launch: &Launch,
    threads: &[Ctx<'_>],
    fibres: &mut [Fibre],
    random: &mut Random,
) -> Result<(), Abandoned> {
    let mut ready: Vec<u16> = launch.all_threads().collect();
    while !ready.is_empty() {
        random.shuffle(&mut ready);
        for thread in ready.drain(..) {
            let thread = usize::from(thread);
            let (Some(ctx), Some(fibre)) = (threads.get(thread), fibres.get_mut(thread)) else {
                continue;
            };
            ctx.wait.set(Wait::Nothing);
            if fibre.resume() {
                ctx.wait.set(Wait::End);
            }
            if launch.failed.get() {
                return Err(Abandoned);
            }
        }
        wake(launch, threads, &mut ready)?;
    }
    Ok(())
}

/// Lists the threads that can go on, now that all have ended or wait.
fn wake(launch: &Launch, threads: &[Ctx<'_>], ready: &mut Vec<u16>) -> Result<(), Abandoned> {
    let mut result = Ok(());
    for subgroup in threads.chunks(LANES) {
        let exchanged = match shuffle::exchange(subgroup) {
            Ok(false) => matrix::multiply(subgroup),
            other => other,
        };
        match exchanged {
            Ok(false) => {}
            Ok(true) => ready
                .extend(subgroup.iter().filter(|ctx| ctx.is_exchanging()).map(|ctx| ctx.number)),
            Err(()) => result = Err(Abandoned),
        }
    }
    let waiting = threads.iter().filter(|ctx| matches!(ctx.wait.get(), Wait::Barrier)).count();
    let stuck = ready.is_empty() || result.is_err();
    if waiting > 0 && stuck {
        if waiting < threads.len() {
            state::record(format!(
                "barrier is not reached by all threads of a block of @{}",
                launch.name
            ));
            return Err(Abandoned);
        }
        launch.pass_barrier();
        ready.extend(launch.all_threads());
    }
    result
}
