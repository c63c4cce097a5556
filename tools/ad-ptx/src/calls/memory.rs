//! Memory: allocations, copies, fills.

use std::ffi::{c_int, c_uint, c_void};

use super::{Handle, current, give};
use crate::{
    device::{Answer, Device},
    fault::{INVALID_VALUE, MISALIGNED_ADDRESS},
};

/// New memory.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemAlloc_v2(address: *mut u64, bytes: usize) -> c_int {
    // SAFETY: the caller's.
    current(|device| unsafe { give(address, device.allocate(bytes, false)?) })
}

/// New memory that the host may use, too.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemAllocManaged(
    address: *mut u64,
    bytes: usize,
    flags: c_uint,
) -> c_int {
    if flags != 1 && flags != 2 {
        return INVALID_VALUE;
    }
    // SAFETY: the caller's.
    current(|device| unsafe { give(address, device.allocate(bytes, true)?) })
}

/// Gives memory back.
#[unsafe(no_mangle)]
pub extern "C" fn cuMemFree_v2(address: u64) -> c_int {
    current(|device| device.free(address))
}

/// How much memory is free.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) -> c_int {
    current(|device| {
        let limit = device.memory.limit();
        // SAFETY: the caller's.
        unsafe {
            give(free, limit - device.memory.used())?;
            give(total, limit)
        }
    })
}

/// Copies; what is no memory of the device is the host's.
///
/// # Safety
///
/// The host has the bytes that are not the device's.
unsafe fn copy(device: &mut Device, to: u64, from: u64, bytes: usize) -> Answer {
    device.healthy()?;
    if bytes == 0 {
        return Ok(());
    }
    let from = device.end("copied from", from, bytes)?;
    let to = device.end("copied to", to, bytes)?;
    // SAFETY: both have so many bytes; they may overlap.
    unsafe { to.copy_from(from, bytes) };
    Ok(())
}

/// Copies between any two places.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyAsync(to: u64, from: u64, bytes: usize, stream: Handle) -> c_int {
    current(|device| {
        device.check_stream(stream as u64)?;
        // SAFETY: the caller's.
        unsafe { copy(device, to, from, bytes) }
    })
}

/// Copies between any two places, and waits.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpy(to: u64, from: u64, bytes: usize) -> c_int {
    // SAFETY: the caller's.
    current(|device| unsafe { copy(device, to, from, bytes) })
}

/// Copies to the device.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyHtoD_v2(to: u64, from: *const c_void, bytes: usize) -> c_int {
    // SAFETY: the caller's.
    current(|device| unsafe { copy(device, to, from as u64, bytes) })
}

/// Copies from the device.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoH_v2(to: *mut c_void, from: u64, bytes: usize) -> c_int {
    // SAFETY: the caller's.
    current(|device| unsafe { copy(device, to as u64, from, bytes) })
}

/// Fills memory of the device.
fn fill(device: &mut Device, to: u64, word: &[u8], count: usize, stream: Handle) -> Answer {
    device.healthy()?;
    device.check_stream(stream as u64)?;
    if !to.is_multiple_of(word.len() as u64) {
        return Err(MISALIGNED_ADDRESS);
    }
    let bytes = count.checked_mul(word.len()).ok_or(INVALID_VALUE)?;
    if bytes == 0 {
        return Ok(());
    }
    let begin = device.end("filled", to, bytes)?;
    if !device.memory.is_device(to) {
        return Err(INVALID_VALUE);
    }
    for number in 0..count {
        // SAFETY: one allocation has so many bytes.
        unsafe { begin.add(number * word.len()).copy_from(word.as_ptr(), word.len()) };
    }
    Ok(())
}

/// Fills with bytes.
#[unsafe(no_mangle)]
pub extern "C" fn cuMemsetD8Async(to: u64, value: u8, count: usize, stream: Handle) -> c_int {
    current(|device| fill(device, to, &[value], count, stream))
}

/// Fills with words of 16 bits.
#[unsafe(no_mangle)]
pub extern "C" fn cuMemsetD16Async(to: u64, value: u16, count: usize, stream: Handle) -> c_int {
    current(|device| fill(device, to, &value.to_le_bytes(), count, stream))
}

/// Fills with words of 32 bits.
#[unsafe(no_mangle)]
pub extern "C" fn cuMemsetD32Async(to: u64, value: c_uint, count: usize, stream: Handle) -> c_int {
    current(|device| fill(device, to, &value.to_le_bytes(), count, stream))
}

/// What is known of an address: here, that it is the device's.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuPointerGetAttribute(
    data: *mut c_void,
    attribute: c_int,
    address: u64,
) -> c_int {
    const MEMORY_TYPE: c_int = 2;
    const DEVICE: c_uint = 2;
    current(|device| {
        if attribute != MEMORY_TYPE || device.memory.pointer(address, 1).is_none() {
            return Err(INVALID_VALUE);
        }
        // SAFETY: the caller's; the attribute is an unsigned int.
        unsafe { give(data.cast::<c_uint>(), DEVICE) }
    })
}
