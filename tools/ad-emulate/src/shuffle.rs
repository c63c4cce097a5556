//! `gpu.shuffle`: values that threads of a subgroup exchange.
//!
//! A subgroup has 32 threads that follow each other, x fastest; the last one of a block may have fewer.
//! The first `width` of its lanes take part, and each reads the value of one of them, or keeps its own and is told
//! that the value is not valid: MLIR leaves it open then, and leaves open what comes from a thread that has ended,
//! which is here the own value too.
//!
//! An offset is not reduced modulo anything: with offset 32, `down` reads beyond the subgroup.

use crate::{launch::Ctx, state};

/// Threads of a subgroup.
pub const LANES: usize = 32;

/// Which lane is read: as far as `mode` goes, see the constants.
pub type Mode = i32;
/// Lane exclusive-or offset.
pub const XOR: Mode = 0;
/// Lane minus offset. (MLIR's enumeration has 2 for it.)
pub const UP: Mode = 1;
/// Lane plus offset. (MLIR's enumeration has 1 for it.)
pub const DOWN: Mode = 2;
/// The lane that offset names.
pub const IDX: Mode = 3;

/// What a thread brings to a shuffle.
#[derive(Clone, Copy)]
pub(crate) struct Request {
    /// The bits of the value, the lowest if it has fewer than 64.
    pub(crate) value: u64,
    pub(crate) offset: i32,
    /// Width and mode, and which of the functions was called: these are equal in a subgroup.
    pub(crate) kind: (i32, Mode, &'static str),
}

/// Returns the lane that a lane reads, if both take part.
pub(crate) fn source(lane: usize, offset: i32, width: i32, mode: Mode) -> Option<usize> {
    let lane = lane as i64;
    let offset = i64::from(offset);
    let other = match mode {
        XOR => lane ^ offset,
        UP => lane - offset,
        DOWN => lane + offset,
        IDX => offset,
        _ => return None,
    };
    let lanes = 0..i64::from(width).min(LANES as i64);
    (lanes.contains(&lane) && lanes.contains(&other)).then_some(other as usize)
}

/// Returns what is wrong with a width or a mode.
pub(crate) fn check(width: i32, mode: Mode) -> Result<(), String> {
    if !(1..=LANES as i32).contains(&width) {
        return Err(format!("shuffle has width {width}, which is not from 1 to {LANES},"));
    }
    if !(XOR..=IDX).contains(&mode) {
        return Err(format!("shuffle has mode {mode}, which is not from {XOR} to {IDX},"));
    }
    Ok(())
}

/// Exchanges values if all threads of a subgroup that have not ended wait at the same shuffle.
///
/// Returns whether there was something to exchange; `Err` after an error was recorded.
pub(crate) fn exchange(subgroup: &[Ctx<'_>]) -> Result<bool, ()> {
    let mut requests = [None; LANES];
    let mut absent = 0;
    for (request, ctx) in requests.iter_mut().zip(subgroup) {
        *request = ctx.shuffle();
        absent += usize::from(request.is_none() && !ctx.has_ended());
    }
    let mut kinds = requests.iter().flatten().map(|request| request.kind);
    let Some(kind) = kinds.next() else { return Ok(false) };
    let name = || subgroup.first().map_or("", |ctx| &ctx.launch.name);
    if absent > 0 {
        state::record(format!(
            "shuffle is not reached by all threads of a subgroup of @{}",
            name()
        ));
        return Err(());
    }
    if kinds.any(|other| other != kind) {
        state::record(format!(
            "shuffle differs in width, mode or type between threads of a subgroup of @{}",
            name()
        ));
        return Err(());
    }
    for (lane, ctx) in subgroup.iter().enumerate() {
        let Some(own) = requests.get(lane).copied().flatten() else { continue };
        let (width, mode, _) = kind;
        let other = source(lane, own.offset, width, mode)
            .and_then(|lane| requests.get(lane).copied().flatten())
            .unwrap_or(own);
        ctx.received.set(other.value);
    }
    Ok(true)
}
