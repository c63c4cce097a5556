//! Kernels written in Rust, called as compiled ones are.
#![allow(unsafe_code)]
#![allow(dead_code, reason = "no test uses all of it")]
#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "they are all calls with the address from the launch"
)]

use std::{
    cell::Cell,
    ffi::{CString, c_void},
    sync::{Mutex, MutexGuard, PoisonError},
};

use ad_emulate::{Ctx, Settings, calls::*};

/// A thread of a kernel.
#[derive(Clone, Copy)]
pub struct Thread<'a>(*mut Ctx<'a>);

/// Sets seed and detector, and keeps other tests of the process away while it lives.
pub fn alone(seed: u64, detect_races: bool) -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    let guard = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    ad_emulate::configure(Settings { seed, detect_races, count_requests: false });
    ad_emulate::take_errors();
    ad_emulate::take_counters();
    guard
}

/// Launches a kernel named `k` that has barriers, shuffles or products of matrices.
pub fn launch(grid: [i64; 3], block: [i64; 3], kernel: impl Fn(Thread<'_>)) {
    launch_with(grid, block, WAITS, &kernel);
}

/// Launches a kernel named `k` that has neither.
pub fn launch_calls(grid: [i64; 3], block: [i64; 3], kernel: impl Fn(Thread<'_>)) {
    launch_with(grid, block, 0, &kernel);
}

type Kernel<'a> = &'a dyn Fn(Thread<'_>);

fn launch_with([gx, gy, gz]: [i64; 3], [bx, by, bz]: [i64; 3], flags: i64, kernel: Kernel<'_>) {
    extern "C" fn thunk(ctx: *mut Ctx<'_>, args: *const c_void) {
        // SAFETY: see the launch below.
        unsafe { (*args.cast::<Kernel<'_>>())(Thread(ctx)) }
    }
    let name = CString::new("k").unwrap();
    let args = (&raw const kernel).cast();
    // SAFETY: the arguments are a kernel, which lives until the launch returns.
    unsafe { ad_emulate_launch(thunk, args, gx, gy, gz, bx, by, bz, flags, name.as_ptr()) }
}

impl Thread<'_> {
    pub fn id(self, kind: i32) -> i64 {
        unsafe { ad_emulate_id(self.0, kind) }
    }

    /// The index in a one-dimensional block.
    pub fn x(self) -> usize {
        self.id(0) as usize
    }

    /// The index of a one-dimensional block.
    pub fn block(self) -> usize {
        self.id(3) as usize
    }

    pub fn barrier(self) {
        unsafe { ad_emulate_barrier(self.0) }
    }

    pub fn shuffle(self, value: i32, offset: i32, width: i32, mode: i32) -> i32 {
        unsafe { ad_emulate_shuffle_i32(self.0, value, offset, width, mode) }
    }

    pub fn shuffle_i64(self, value: i64, offset: i32, width: i32, mode: i32) -> i64 {
        unsafe { ad_emulate_shuffle_i64(self.0, value, offset, width, mode) }
    }

    pub fn shuffle_f32(self, value: f32, offset: i32, width: i32, mode: i32) -> f32 {
        unsafe { ad_emulate_shuffle_f32(self.0, value, offset, width, mode) }
    }

    pub fn shuffle_f64(self, value: f64, offset: i32, width: i32, mode: i32) -> f64 {
        unsafe { ad_emulate_shuffle_f64(self.0, value, offset, width, mode) }
    }

    pub fn valid(self, offset: i32, width: i32, mode: i32) -> bool {
        unsafe { ad_emulate_shuffle_valid(self.0, offset, width, mode) != 0 }
    }

    pub fn lane(self) -> i64 {
        unsafe { ad_emulate_lane(self.0) }
    }

    /// Multiplies matrices, of which the thread has elements at these addresses.
    pub fn multiply(self, [x, y, sums]: [i64; 3], kind: i32, site: i64) {
        unsafe { ad_emulate_multiply(self.0, x, y, sums, kind, site) }
    }

    pub fn access(self, address: i64, bytes: i64, kind: i32, line: i64) {
        unsafe { ad_emulate_access(self.0, address, bytes, kind, line) }
    }

    pub fn read<T: Copy>(self, place: &Cell<T>, line: i64) -> T {
        self.access(place.as_ptr() as i64, size_of::<T>() as i64, READ, line);
        place.get()
    }

    pub fn write<T: Copy>(self, place: &Cell<T>, value: T, line: i64) {
        self.access(place.as_ptr() as i64, size_of::<T>() as i64, WRITE, line);
        place.set(value);
    }

    pub fn add(self, place: &Cell<f64>, value: f64, line: i64) {
        self.access(place.as_ptr() as i64, 8, ATOMIC, line);
        place.set(place.get() + value);
    }
}

pub fn cells<T: Clone>(count: usize, value: T) -> Vec<Cell<T>> {
    (0..count).map(|_| Cell::new(value.clone())).collect()
}

/// Returns the errors since the last call, and that there is one.
pub fn only_error() -> String {
    let mut errors = ad_emulate::take_errors();
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors.remove(0)
}

pub fn no_errors() {
    assert_eq!(ad_emulate::take_errors(), [""; 0]);
}
