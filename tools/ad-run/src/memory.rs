//! The allocator of compiled code: the one of the C library, with a count of what is live.
//!
//! Compiled code asks for `malloc` and `free`; the JIT gives it these functions instead. What counts is the size that
//! the C library says each block has.
//!
//! Large blocks that were freed are kept for the next request: the C library would give them back to the system, and
//! every page of a new block costs a page fault, which takes longer than most programs take to fill it.

use std::{
    ffi::c_void,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicI64, Ordering::Relaxed},
    },
};

use crate::guard;

static LIVE: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);

/// What compiled code links with.
pub fn symbols() -> Vec<(&'static str, *mut c_void)> {
    vec![
        ("malloc", malloc as *mut c_void),
        ("calloc", calloc as *mut c_void),
        ("realloc", realloc as *mut c_void),
        ("aligned_alloc", aligned_alloc as *mut c_void),
        ("free", free as *mut c_void),
        ("_mlir_memref_to_llvm_alloc", malloc as *mut c_void),
        ("_mlir_memref_to_llvm_aligned_alloc", aligned_alloc as *mut c_void),
        ("_mlir_memref_to_llvm_free", free as *mut c_void),
    ]
}

/// Forgets the peak so far.
pub fn reset_peak() {
    PEAK.store(LIVE.load(Relaxed), Relaxed);
}

/// The bytes that are live, and the most that were since the last reset.
pub fn live_and_peak() -> (i64, i64) {
    (LIVE.load(Relaxed), PEAK.load(Relaxed))
}

/// Blocks of this size and more are asked for in pages of 2 MiB, as in libraries (`library/memory.ll`).
const HUGE: usize = 1 << 22;
/// Blocks of this size and more are kept.
const LARGE: usize = 1 << 17;
/// So many bytes are kept at most.
const MOST_KEPT: usize = 1 << 30;

/// Free blocks with their sizes. They are not live.
static KEPT: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

fn kept() -> MutexGuard<'static, Vec<(usize, usize)>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A kept block that is large enough and not much larger.
fn take(size: usize) -> Option<*mut c_void> {
    if size < LARGE {
        return None;
    }
    let mut kept = kept();
    let fits = |&(_, &(_, found)): &(usize, &(usize, usize))| {
        found >= size && found <= size.saturating_add(size / 8)
    };
    let (position, _) = kept.iter().enumerate().filter(fits).min_by_key(|(_, block)| block.1)?;
    Some(kept.swap_remove(position).0 as *mut c_void)
}

/// Keeps a block unless it is small or there are enough.
fn keep(block: *mut c_void, size: usize) -> bool {
    if size < LARGE {
        return false;
    }
    let mut kept = kept();
    let room = kept.iter().map(|(_, size)| size).sum::<usize>() + size <= MOST_KEPT;
    if room {
        kept.push((block as usize, size));
    }
    room
}

/// Gives all kept blocks back to the C library.
fn drop_kept() {
    for (block, _) in kept().drain(..) {
        // SAFETY: kept blocks come from the C library and are used by nobody.
        unsafe { libc::free(block as *mut c_void) }
    }
}

fn counted(block: *mut c_void, size: usize) -> *mut c_void {
    if block.is_null() {
        guard::out_of_memory(size);
    }
    // SAFETY: the block comes from the C library.
    let bytes = unsafe { libc::malloc_usable_size(block) } as i64;
    PEAK.fetch_max(LIVE.fetch_add(bytes, Relaxed) + bytes, Relaxed);
    block
}

/// Counts a block that is new, not one that was kept. Each of its pages of 4 KiB would be a page fault, so that the system
/// is asked for larger ones, which it may ignore.
fn counted_new(block: *mut c_void, size: usize) -> *mut c_void {
    const PAGE: usize = 4096;
    if !block.is_null() && size >= HUGE {
        let start = (block as usize).next_multiple_of(PAGE);
        let bytes = (block as usize + size - start) & !(PAGE - 1);
        // SAFETY: the pages are those of a block that nobody else uses yet; the advice changes nothing in them.
        unsafe { libc::madvise(start as *mut c_void, bytes, libc::MADV_HUGEPAGE) };
    }
    counted(block, size)
}

/// Counts a block as free; returns its size.
fn forget(block: *mut c_void) -> usize {
    // SAFETY: the block comes from the C library and is live; a null block has size zero.
    let bytes = unsafe { libc::malloc_usable_size(block) };
    LIVE.fetch_sub(bytes as i64, Relaxed);
    bytes
}

extern "C" fn malloc(size: usize) -> *mut c_void {
    if let Some(block) = take(size) {
        return counted(block, size);
    }
    // SAFETY: any size is allowed.
    let mut block = unsafe { libc::malloc(size.max(1)) };
    if block.is_null() {
        drop_kept();
        // SAFETY: as above.
        block = unsafe { libc::malloc(size.max(1)) };
    }
    counted_new(block, size)
}

extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    // SAFETY: any sizes are allowed.
    counted_new(unsafe { libc::calloc(count.max(1), size.max(1)) }, count.saturating_mul(size))
}

extern "C" fn aligned_alloc(alignment: usize, size: usize) -> *mut c_void {
    let alignment = alignment.next_power_of_two().max(size_of::<*mut c_void>());
    let Some(size) = size.max(1).checked_next_multiple_of(alignment) else {
        guard::out_of_memory(size)
    };
    // SAFETY: the alignment is a power of two and divides the size.
    counted_new(unsafe { libc::aligned_alloc(alignment, size) }, size)
}

extern "C" fn realloc(block: *mut c_void, size: usize) -> *mut c_void {
    forget(block);
    // SAFETY: compiled code passes a block of its own or null.
    counted_new(unsafe { libc::realloc(block, size.max(1)) }, size)
}

/// Gives back a block.
pub extern "C" fn free(block: *mut c_void) {
    let size = forget(block);
    if !keep(block, size) {
        // SAFETY: compiled code passes a block of its own or null.
        unsafe { libc::free(block) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_blocks_are_used_again_and_not_counted_meanwhile() {
        let (before, _) = live_and_peak();
        let block = malloc(LARGE);
        assert!(live_and_peak().0 >= before + LARGE as i64);
        free(block);
        assert_eq!(live_and_peak().0, before);
        let again = malloc(LARGE);
        assert_eq!(again, block);
        free(again);
        drop_kept();
    }
}
