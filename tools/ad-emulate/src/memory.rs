//! The memory of the device: the functions that upstream's `gpu-to-llvm` calls for it.
//!
//! All buffers lie in one range of addresses, which nobody can access between launches and copies: a host that reads
//! what is on the device crashes, as it would with a GPU. In turn, a kernel that is given memory of the host is found by
//! what looks for races.

use std::{
    collections::BTreeMap,
    ffi::c_void,
    ptr,
    sync::{
        LazyLock, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use crate::state;

/// The functions and their names.
pub const SYMBOLS: &[(&str, *const ())] = &[
    ("mgpuMemAlloc", allocate as *const ()),
    ("mgpuMemFree", free as *const ()),
    ("mgpuMemcpy", copy as *const ()),
    ("mgpuStreamCreate", stream as *const ()),
    ("mgpuStreamDestroy", nothing as *const ()),
    ("mgpuStreamSynchronize", nothing as *const ()),
    ("mgpuStreamWaitEvent", nothing_more as *const ()),
    ("mgpuEventCreate", stream as *const ()),
    ("mgpuEventDestroy", nothing as *const ()),
    ("mgpuEventSynchronize", nothing as *const ()),
    ("mgpuEventRecord", nothing_more as *const ()),
];

/// The bytes of addresses that are reserved, of which few are ever in use: the most, and the fewest, if a process may not have so
/// many.
const RESERVED: [usize; 2] = [1 << 40, 1 << 30];
/// Buffers begin and end at multiples of this number of bytes, as those of CUDA do.
const ALIGNMENT: usize = 256;
/// The system protects no less.
const PAGE: usize = 1 << 16;

static DEVICE: LazyLock<Mutex<Device>> = LazyLock::new(Mutex::default);
/// Where the range starts, 0 before the first buffer is made, and how much of it was ever in use: each access asks.
static RANGE: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

/// What was copied and made since it was last asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Buffers that were made.
    pub allocations: usize,
    /// The most bytes in use at a time, those before included.
    pub peak_bytes: usize,
    /// Bytes copied from the host.
    pub to_device_bytes: usize,
    /// Bytes copied to the host.
    pub to_host_bytes: usize,
    /// Bytes copied between buffers on the device.
    pub on_device_bytes: usize,
}

#[derive(Default)]
struct Device {
    /// How large the range is.
    reserved: usize,
    /// The sizes of buffers by address.
    live: BTreeMap<usize, usize>,
    live_bytes: usize,
    /// Addresses of free buffers by size.
    free: BTreeMap<usize, Vec<usize>>,
    traffic: Traffic,
}

/// Takes what was counted since the last call.
pub fn take_traffic() -> Traffic {
    let mut device = lock();
    let peak_bytes = device.live_bytes;
    std::mem::replace(&mut device.traffic, Traffic { peak_bytes, ..Traffic::default() })
}

/// The bytes in use on the device.
pub fn live_bytes() -> usize {
    lock().live_bytes
}

/// Whether an address is the device's; also before the first buffer is made, when there is none to tell it from others.
pub(crate) fn is_on_device(address: u64) -> bool {
    RANGE[0].load(Relaxed) == 0 || is_in_range(address as usize)
}

/// Lets kernels access the memory of the device.
pub(crate) fn open() {
    protect(libc::PROT_READ | libc::PROT_WRITE);
}

/// Lets nobody access it, if mistakes are looked for.
pub(crate) fn close() {
    if state::settings().detect_races {
        protect(libc::PROT_NONE);
    }
}

fn lock() -> MutexGuard<'static, Device> {
    DEVICE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_in_range(address: usize) -> bool {
    let [start, used] = RANGE.each_ref().map(|part| part.load(Relaxed));
    (start..start + used).contains(&address)
}

impl Device {
    fn allocate(&mut self, bytes: usize) -> Option<usize> {
        let size = bytes.max(1).checked_next_multiple_of(ALIGNMENT)?;
        if RANGE[0].load(Relaxed) == 0 {
            let (start, size) = reserve()?;
            RANGE[0].store(start, Relaxed);
            self.reserved = size;
        }
        let [start, used] = RANGE.each_ref().map(|part| part.load(Relaxed));
        let address = match self.free.get_mut(&size).and_then(Vec::pop) {
            Some(address) => address,
            None => {
                let all = used.checked_add(size).filter(|&all| all <= self.reserved)?;
                RANGE[1].store(all, Relaxed);
                start + used
            }
        };
        self.live.insert(address, size);
        self.live_bytes += size;
        self.traffic.allocations += 1;
        self.traffic.peak_bytes = self.traffic.peak_bytes.max(self.live_bytes);
        Some(address)
    }

    fn free(&mut self, address: usize) -> bool {
        let Some(size) = self.live.remove(&address) else { return false };
        self.live_bytes -= size;
        self.free.entry(size).or_default().push(address);
        true
    }
}

/// Sets what the range may be used for.
fn protect(protection: i32) {
    let [start, used] = RANGE.each_ref().map(|part| part.load(Relaxed));
    if used > 0 {
        // SAFETY: so much is reserved, and nothing else is there.
        unsafe {
            libc::mprotect(start as *mut c_void, used.next_multiple_of(PAGE), protection);
        }
    }
}

/// Reserves addresses that no memory is behind yet; returns where they start, and how many bytes.
fn reserve() -> Option<(usize, usize)> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let [most, fewest] = RESERVED;
    let sizes = std::iter::successors(Some(most), |size| Some(size / 2));
    sizes.take_while(|&size| size >= fewest).find_map(|size| {
        // SAFETY: a new mapping at any place.
        let place = unsafe { libc::mmap(ptr::null_mut(), size, libc::PROT_NONE, flags, -1, 0) };
        (place != libc::MAP_FAILED).then_some((place as usize, size))
    })
}

/// A buffer, or null if there is no room for it. A size below zero is that of one in front of a loop or branch that does not run:
/// the buffer is empty.
pub extern "C" fn allocate(bytes: u64, _stream: *mut c_void, _shared: bool) -> *mut c_void {
    let bytes = usize::try_from(bytes.cast_signed()).unwrap_or(0);
    let address = lock().allocate(bytes);
    if address.is_none() {
        state::record(format!("the emulated device has no {bytes} bytes left"));
    }
    address.unwrap_or(0) as *mut c_void
}

extern "C" fn free(address: *mut c_void, _stream: *mut c_void) {
    if !address.is_null() && !lock().free(address as usize) {
        state::record(
            "a buffer is freed that is not on the device, or was freed before".to_owned(),
        );
    }
}

/// Copies between any two places, which have so many bytes.
extern "C" fn copy(to: *mut c_void, from: *const c_void, bytes: usize, _stream: *mut c_void) {
    if bytes == 0 {
        return;
    }
    {
        let mut device = lock();
        let ends = (is_in_range(from as usize), is_in_range(to as usize));
        let traffic = &mut device.traffic;
        match ends {
            (false, true) => traffic.to_device_bytes += bytes,
            (true, false) => traffic.to_host_bytes += bytes,
            (true, true) => traffic.on_device_bytes += bytes,
            (false, false) => state::record("a copy has both its ends on the host".to_owned()),
        }
    }
    open();
    // SAFETY: compiled code says that both places have so many bytes; they may overlap.
    unsafe { ptr::copy(from.cast::<u8>(), to.cast::<u8>(), bytes) };
    close();
}

/// The one stream, or an event in it: everything happens at once. It is no address.
extern "C" fn stream() -> *mut c_void {
    ptr::dangling_mut::<usize>().cast()
}

extern "C" fn nothing(_handle: *mut c_void) {}

extern "C" fn nothing_more(_handle: *mut c_void, _other: *mut c_void) {}
