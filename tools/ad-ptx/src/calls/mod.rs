//! The entry points of the driver.
//!
//! There is one device. A thread of the host has a stack of contexts, as with the driver, and most calls want one there.

mod context;
mod event;
mod memory;
mod module;

use std::{
    cell::Cell,
    ffi::{c_int, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
};

use crate::{
    device::{Answer, Device, Settings},
    fault::{INVALID_CONTEXT, INVALID_VALUE, LAUNCH_FAILED, SUCCESS},
};

/// A handle of the driver.
type Handle = *mut c_void;

static DEVICE: LazyLock<Mutex<Device>> =
    LazyLock::new(|| Mutex::new(Device::new(Settings::from_environment())));

thread_local! {
    /// How many contexts the thread has on its stack; there is only one context.
    static CONTEXTS: Cell<u32> = const { Cell::new(0) };
}

/// The one context.
const CONTEXT: usize = 0xad;

fn device() -> MutexGuard<'static, Device> {
    DEVICE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The code of an answer. No panic goes on to the caller.
fn code(call: impl FnOnce() -> Answer) -> c_int {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => SUCCESS,
        Ok(Err(code)) => code,
        Err(_) => LAUNCH_FAILED,
    }
}

/// The code of an answer of the device, for a thread that has a context.
fn current(call: impl FnOnce(&mut Device) -> Answer) -> c_int {
    code(|| {
        if CONTEXTS.get() == 0 {
            return Err(INVALID_CONTEXT);
        }
        call(&mut device())
    })
}

/// Writes a result of a call.
///
/// # Safety
///
/// A value may be written there, or it is null.
unsafe fn give<T>(to: *mut T, value: T) -> Answer {
    if to.is_null() {
        return Err(INVALID_VALUE);
    }
    // SAFETY: see above.
    unsafe { to.write(value) };
    Ok(())
}
