//! The driver, its device, contexts, and texts of errors.

use std::ffi::{c_char, c_int, c_uint};

use super::{CONTEXT, CONTEXTS, Handle, code, current, device, give};
use crate::{
    fault::{INVALID_CONTEXT, INVALID_DEVICE, INVALID_VALUE, TEXTS},
    launch::{DEFAULT_SHARED, MOST_BLOCKS, MOST_SHARED, MOST_THREADS, MOST_THREADS_ALONG},
};

/// Attributes by number, as cuda.h has them, with what an A100 says.
const ATTRIBUTES: [(c_int, c_int); 22] = [
    (1, MOST_THREADS as c_int),
    (2, MOST_THREADS_ALONG[0] as c_int),
    (3, MOST_THREADS_ALONG[1] as c_int),
    (4, MOST_THREADS_ALONG[2] as c_int),
    (5, MOST_BLOCKS[0] as c_int),
    (6, MOST_BLOCKS[1] as c_int),
    (7, MOST_BLOCKS[2] as c_int),
    (8, DEFAULT_SHARED as c_int), // Shared memory of a block.
    (10, 32),                     // Threads of a warp.
    (12, 65536),                  // Registers of a block.
    (13, 1_410_000),              // Clock, in kHz.
    (16, 108),                    // Multiprocessors.
    (36, 1_215_000),              // Clock of memory, in kHz.
    (37, 5120),                   // Bits of the bus.
    (38, 40 << 20),               // Bytes of the second cache.
    (39, 2048),                   // Threads of a multiprocessor.
    (41, 1),                      // The host's addresses are the device's.
    (75, 8),                      // Compute capability.
    (76, 0),
    (81, 164 * 1024), // Shared memory of a multiprocessor.
    (83, 1),          // Managed memory.
    (97, MOST_SHARED as c_int),
];

/// Initialises the driver.
#[unsafe(no_mangle)]
pub extern "C" fn cuInit(flags: c_uint) -> c_int {
    if flags == 0 { 0 } else { INVALID_VALUE }
}

/// The version of CUDA.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDriverGetVersion(version: *mut c_int) -> c_int {
    // SAFETY: the caller's.
    code(|| unsafe { give(version, 12000) })
}

/// How many devices there are.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetCount(count: *mut c_int) -> c_int {
    // SAFETY: the caller's.
    code(|| unsafe { give(count, 1) })
}

/// The device with a number.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGet(device: *mut c_int, number: c_int) -> c_int {
    if number != 0 {
        return INVALID_DEVICE;
    }
    // SAFETY: the caller's.
    code(|| unsafe { give(device, 0) })
}

/// The name of the device.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetName(name: *mut c_char, size: c_int, _device: c_int) -> c_int {
    const NAME: &[u8] = b"PTX interpreter\0";
    if name.is_null() || size <= 0 {
        return INVALID_VALUE;
    }
    let count = NAME.len().min(size as usize);
    // SAFETY: the caller says how many bytes are there.
    unsafe {
        name.cast::<u8>().copy_from(NAME.as_ptr(), count);
        name.add(count - 1).write(0);
    }
    0
}

/// An attribute of the device.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetAttribute(
    value: *mut c_int,
    which: c_int,
    _device: c_int,
) -> c_int {
    let found = ATTRIBUTES.iter().find(|(number, _)| *number == which);
    // SAFETY: the caller's.
    code(|| unsafe { give(value, found.ok_or(INVALID_VALUE)?.1) })
}

/// How many bytes the device has.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceTotalMem_v2(bytes: *mut usize, _device: c_int) -> c_int {
    // SAFETY: the caller's.
    code(|| unsafe { give(bytes, device().memory.limit()) })
}

/// The context of the device.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxRetain(context: *mut Handle, device: c_int) -> c_int {
    if device != 0 {
        return INVALID_DEVICE;
    }
    // SAFETY: the caller's.
    code(|| unsafe { give(context, CONTEXT as Handle) })
}

/// Gives the context back; what it has stays.
#[unsafe(no_mangle)]
pub extern "C" fn cuDevicePrimaryCtxRelease_v2(_device: c_int) -> c_int {
    0
}

/// Makes a context that of this thread.
#[unsafe(no_mangle)]
pub extern "C" fn cuCtxPushCurrent_v2(context: Handle) -> c_int {
    if context as usize != CONTEXT {
        return INVALID_CONTEXT;
    }
    CONTEXTS.set(CONTEXTS.get() + 1);
    0
}

/// Undoes it.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxPopCurrent_v2(context: *mut Handle) -> c_int {
    let Some(left) = CONTEXTS.get().checked_sub(1) else { return INVALID_CONTEXT };
    CONTEXTS.set(left);
    if !context.is_null() {
        // SAFETY: the caller's.
        unsafe { context.write(CONTEXT as Handle) };
    }
    0
}

/// Makes a context the only one of this thread, or none if it is null.
#[unsafe(no_mangle)]
pub extern "C" fn cuCtxSetCurrent(context: Handle) -> c_int {
    if !context.is_null() && context as usize != CONTEXT {
        return INVALID_CONTEXT;
    }
    CONTEXTS.set(u32::from(!context.is_null()));
    0
}

/// Sets how much of something there is; only how many bytes kernels may have by `malloc` matters here.
#[unsafe(no_mangle)]
pub extern "C" fn cuCtxSetLimit(limit: c_int, value: usize) -> c_int {
    const MALLOC_HEAP_SIZE: c_int = 2;
    current(|device| {
        if limit == MALLOC_HEAP_SIZE {
            device.memory.most_heap = value;
        }
        Ok(())
    })
}

/// Waits for all work.
#[unsafe(no_mangle)]
pub extern "C" fn cuCtxSynchronize() -> c_int {
    current(|device| device.synchronize(0))
}

/// Finds one of the texts of an error.
fn text(
    code: c_int,
    choose: impl Fn(&(i32, &'static str, &'static str)) -> &'static str,
) -> Option<*const c_char> {
    TEXTS.iter().find(|entry| entry.0 == code).map(|entry| choose(entry).as_ptr().cast())
}

/// The name of a code.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorName(error: c_int, name: *mut *const c_char) -> c_int {
    // SAFETY: the caller's.
    code(|| unsafe { give(name, text(error, |entry| entry.1).ok_or(INVALID_VALUE)?) })
}

/// What a code means.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorString(error: c_int, string: *mut *const c_char) -> c_int {
    // SAFETY: the caller's.
    code(|| unsafe { give(string, text(error, |entry| entry.2).ok_or(INVALID_VALUE)?) })
}
