//! Streams and events. Work is done when it is asked for, so that there is nothing to wait for.

use std::ffi::{c_int, c_uint};

use super::{CONTEXT, Handle, current, give};
use crate::fault::{INVALID_HANDLE, INVALID_VALUE};

/// A stream.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamCreate(stream: *mut Handle, flags: c_uint) -> c_int {
    if flags > 1 {
        return INVALID_VALUE;
    }
    // SAFETY: the caller's.
    current(|device| unsafe { give(stream, device.stream()? as Handle) })
}

/// Forgets a stream.
#[unsafe(no_mangle)]
pub extern "C" fn cuStreamDestroy_v2(stream: Handle) -> c_int {
    current(|device| device.forget(stream as u64))
}

/// Waits for a stream.
#[unsafe(no_mangle)]
pub extern "C" fn cuStreamSynchronize(stream: Handle) -> c_int {
    current(|device| device.synchronize(stream as u64))
}

/// The context of a stream.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamGetCtx(stream: Handle, context: *mut Handle) -> c_int {
    current(|device| {
        device.check_stream(stream as u64)?;
        // SAFETY: the caller's.
        unsafe { give(context, CONTEXT as Handle) }
    })
}

/// A stream waits for an event: it is over already.
#[unsafe(no_mangle)]
pub extern "C" fn cuStreamWaitEvent(stream: Handle, event: Handle, _flags: c_uint) -> c_int {
    current(|device| {
        device.check_stream(stream as u64)?;
        device.time(event as u64).map(|_| ())
    })
}

/// An event.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventCreate(event: *mut Handle, _flags: c_uint) -> c_int {
    // SAFETY: the caller's.
    current(|device| unsafe { give(event, device.event()? as Handle) })
}

/// Notes the time.
#[unsafe(no_mangle)]
pub extern "C" fn cuEventRecord(event: Handle, stream: Handle) -> c_int {
    current(|device| device.record(event as u64, stream as u64))
}

/// Waits for an event.
#[unsafe(no_mangle)]
pub extern "C" fn cuEventSynchronize(event: Handle) -> c_int {
    current(|device| {
        device.time(event as u64)?;
        device.synchronize(0)
    })
}

/// Whether an event is over: it is.
#[unsafe(no_mangle)]
pub extern "C" fn cuEventQuery(event: Handle) -> c_int {
    cuEventSynchronize(event)
}

/// The milliseconds between two events.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventElapsedTime(
    milliseconds: *mut f32,
    start: Handle,
    end: Handle,
) -> c_int {
    current(|device| {
        device.healthy()?;
        let (Some(start), Some(end)) = (device.time(start as u64)?, device.time(end as u64)?)
        else {
            return Err(INVALID_HANDLE);
        };
        let seconds = match end.checked_duration_since(start) {
            Some(after) => after.as_secs_f64(),
            None => -start.duration_since(end).as_secs_f64(),
        };
        // SAFETY: the caller's.
        unsafe { give(milliseconds, (seconds * 1e3) as f32) }
    })
}

/// Forgets an event.
#[unsafe(no_mangle)]
pub extern "C" fn cuEventDestroy_v2(event: Handle) -> c_int {
    current(|device| device.forget(event as u64))
}
