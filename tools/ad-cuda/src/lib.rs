//! What compiled programs call to run kernels on an NVIDIA GPU: the `mgpu…` functions that upstream's GPU lowering
//! calls, over the CUDA driver, which is loaded at run time.
//!
//! - `device`: the device, and how kernels are launched on it.
//! - `driver`: the driver's entry points and errors.
//! - `pool`: buffers that are used again.
//! - `runtime`: the context, the stream, modules, counters and the first error.
//! - `wrappers`: the functions by name.
//!
//! Nothing here ends the process. The first error is kept, and whatever is called after it does nothing, until
//! `take_error`. An error may be found later than the launch it belongs to; with `CUDA_LAUNCH_BLOCKING=1` in the
//! environment the driver waits for each.

use std::{
    ffi::OsString,
    path::Path,
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
};

mod device;
mod driver;
mod pool;
mod runtime;
mod wrappers;

pub use device::Device;
use runtime::Runtime;
pub use wrappers::*;

/// The environment variable that names another driver library.
pub const DRIVER_VARIABLE: &str = "AD_CUDA_DRIVER";

/// What was done since counters were last taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Kernels launched.
    pub launches: usize,
    /// Buffers that the driver made; others were used again.
    pub allocations: usize,
    /// Bytes in those.
    pub allocated_bytes: usize,
    /// The most bytes in use at a time on the device, those before included.
    pub peak_bytes: usize,
    /// Bytes copied from the host.
    pub to_device_bytes: usize,
    /// Bytes copied to the host.
    pub to_host_bytes: usize,
    /// Bytes copied between buffers on the device.
    pub on_device_bytes: usize,
}

/// The device that kernels will run on, or why there is none.
pub fn available() -> Result<Device, String> {
    global().device()
}

/// Waits for all work; errors are kept.
pub fn synchronize() {
    global().synchronize();
}

/// Waits for all work, and takes the first error since the last call.
pub fn take_error() -> Option<String> {
    global().take_error()
}

/// The bytes in use on the device.
pub fn live_bytes() -> usize {
    global().live_bytes()
}

/// Takes what was counted since the last call.
pub fn take_counters() -> Counters {
    global().take_counters()
}

/// Starts again with a driver library of this path. Modules, buffers and errors are forgotten.
pub fn load_from(path: &Path) {
    *global() = Runtime::new(path.into());
}

static RUNTIME: LazyLock<Mutex<Runtime>> = LazyLock::new(|| {
    let path = std::env::var_os(DRIVER_VARIABLE).unwrap_or(OsString::from("libcuda.so.1"));
    Mutex::new(Runtime::new(path))
});

fn global() -> MutexGuard<'static, Runtime> {
    RUNTIME.lock().unwrap_or_else(PoisonError::into_inner)
}
