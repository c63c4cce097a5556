//! The allocator of compiled code: the one of the C library, with a count of what is live.
//!
//! Compiled code asks for `malloc` and `free`; the JIT gives it these functions instead. What counts is the size that
//! the C library says each block has.

use std::{
    ffi::c_void,
    sync::atomic::{AtomicI64, Ordering::Relaxed},
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

fn counted(block: *mut c_void, size: usize) -> *mut c_void {
    if block.is_null() {
        guard::out_of_memory(size);
    }
    // SAFETY: the block comes from the C library.
    let bytes = unsafe { libc::malloc_usable_size(block) } as i64;
    PEAK.fetch_max(LIVE.fetch_add(bytes, Relaxed) + bytes, Relaxed);
    block
}

fn forget(block: *mut c_void) {
    // SAFETY: the block comes from the C library and is live; a null block has size zero.
    let bytes = unsafe { libc::malloc_usable_size(block) } as i64;
    LIVE.fetch_sub(bytes, Relaxed);
}

extern "C" fn malloc(size: usize) -> *mut c_void {
    // SAFETY: any size is allowed.
    counted(unsafe { libc::malloc(size.max(1)) }, size)
}

extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    // SAFETY: any sizes are allowed.
    counted(unsafe { libc::calloc(count.max(1), size.max(1)) }, count.saturating_mul(size))
}

extern "C" fn aligned_alloc(alignment: usize, size: usize) -> *mut c_void {
    let alignment = alignment.next_power_of_two().max(size_of::<*mut c_void>());
    let Some(size) = size.max(1).checked_next_multiple_of(alignment) else {
        guard::out_of_memory(size)
    };
    // SAFETY: the alignment is a power of two and divides the size.
    counted(unsafe { libc::aligned_alloc(alignment, size) }, size)
}

extern "C" fn realloc(block: *mut c_void, size: usize) -> *mut c_void {
    forget(block);
    // SAFETY: compiled code passes a block of its own or null.
    counted(unsafe { libc::realloc(block, size.max(1)) }, size)
}

/// Gives back a block.
pub extern "C" fn free(block: *mut c_void) {
    forget(block);
    // SAFETY: compiled code passes a block of its own or null.
    unsafe { libc::free(block) }
}
