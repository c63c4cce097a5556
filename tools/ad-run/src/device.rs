//! Graphics processors, real and emulated: what compiled code calls, and what they say of the kernels that ran.

use std::ffi::c_void;

use anyhow::{Context, Result, anyhow};

use crate::{Target, guard};

/// An error if there is no NVIDIA graphics processor to run kernels on.
pub fn find_cuda() -> Result<()> {
    let found = ad_cuda::available().map_err(|reason| anyhow!(reason));
    found.map(|_| ()).context("--target=cuda needs an NVIDIA GPU and its driver")
}

/// What a call made a device do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Kernels launched.
    pub launches: u64,
    /// The most bytes in use at a time on the device.
    pub peak_bytes: u64,
    /// Bytes copied to the device.
    pub to_device_bytes: u64,
    /// Bytes copied to the host.
    pub to_host_bytes: u64,
}

impl Target {
    /// What compiled code links with.
    pub(crate) fn symbols(self) -> Vec<(&'static str, *mut c_void)> {
        match self {
            Self::Cpu => vec![],
            Self::Cuda => ad_cuda::symbols(),
            Self::Emulate { .. } => [ad_emulate::SYMBOLS, ad_emulate::memory::SYMBOLS]
                .concat()
                .into_iter()
                .map(|(name, address)| match name {
                    "mgpuMemAlloc" => (name, allocate as *mut c_void),
                    _ => (name, address as *mut c_void),
                })
                .collect(),
        }
    }

    /// The bytes that compiled code holds on the device.
    pub(crate) fn live_bytes(self) -> i64 {
        match self {
            Self::Cpu => 0,
            Self::Cuda => ad_cuda::live_bytes() as i64,
            Self::Emulate { .. } => ad_emulate::memory::live_bytes() as i64,
        }
    }

    /// What went wrong since the last call.
    pub(crate) fn take_errors(self) -> Vec<String> {
        match self {
            Self::Cpu => vec![],
            Self::Cuda => ad_cuda::take_error().into_iter().collect(),
            Self::Emulate { .. } => ad_emulate::take_errors(),
        }
    }

    /// What was done since the last call.
    pub(crate) fn take_counters(self) -> Option<Counters> {
        match self {
            Self::Cpu => None,
            Self::Cuda => {
                let counters = ad_cuda::take_counters();
                Some(Counters {
                    launches: counters.launches as u64,
                    peak_bytes: counters.peak_bytes as u64,
                    to_device_bytes: counters.to_device_bytes as u64,
                    to_host_bytes: counters.to_host_bytes as u64,
                })
            }
            Self::Emulate { .. } => {
                let traffic = ad_emulate::memory::take_traffic();
                Some(Counters {
                    launches: ad_emulate::take_counters().launches,
                    peak_bytes: traffic.peak_bytes as u64,
                    to_device_bytes: traffic.to_device_bytes as u64,
                    to_host_bytes: traffic.to_host_bytes as u64,
                })
            }
        }
    }
}

/// A buffer of the emulated device; a program that asks for more than there is ends.
extern "C" fn allocate(bytes: u64, stream: *mut c_void, is_shared: bool) -> *mut c_void {
    let buffer = ad_emulate::memory::allocate(bytes, stream, is_shared);
    if buffer.is_null() {
        guard::out_of_memory(bytes as usize);
    }
    buffer
}
