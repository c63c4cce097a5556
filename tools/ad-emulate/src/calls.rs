//! What compiled code calls.
//!
//! Every function but `ad_emulate_launch` gets the address of the thread that calls it, which its kernel got.
//! A panic would be a mistake of this crate; it is recorded as an internal error, and the function returns.

use std::{
    borrow::Cow,
    ffi::{CStr, c_char, c_void},
    panic::{self, AssertUnwindSafe},
};

use crate::{
    block::Wait,
    launch::{self, Ctx},
    matrix::{self, Product, Shape},
    memory,
    shadow::{Access, Kind},
    shuffle::{self, Request},
    state,
};

pub use crate::launch::Thunk;

/// A flag of a launch: the kernel has barriers, shuffles or products of matrices.
pub const WAITS: i64 = 1;

/// Kinds of accesses.
pub const READ: i32 = 0;
/// See [`READ`].
pub const WRITE: i32 = 1;
/// An atomic update: both a read and a write that race with all but atomic updates.
pub const ATOMIC: i32 = 2;
/// Is added to a kind if the memory belongs to the block, as workgroup memory does: blocks that use the same addresses
/// one after another do not race there.
pub const OF_BLOCK: i32 = 4;

/// Is added to a kind if the memory was given to the kernel, and so has to be the device's.
pub const OF_DEVICE: i32 = 8;

/// The functions and their names.
pub const SYMBOLS: &[(&str, *const ())] = &[
    ("ad_emulate_launch", ad_emulate_launch as *const ()),
    ("ad_emulate_id", ad_emulate_id as *const ()),
    ("ad_emulate_barrier", ad_emulate_barrier as *const ()),
    ("ad_emulate_shuffle_i32", ad_emulate_shuffle_i32 as *const ()),
    ("ad_emulate_shuffle_i64", ad_emulate_shuffle_i64 as *const ()),
    ("ad_emulate_shuffle_f32", ad_emulate_shuffle_f32 as *const ()),
    ("ad_emulate_shuffle_f64", ad_emulate_shuffle_f64 as *const ()),
    ("ad_emulate_shuffle_valid", ad_emulate_shuffle_valid as *const ()),
    ("ad_emulate_lane", ad_emulate_lane as *const ()),
    ("ad_emulate_multiply", ad_emulate_multiply as *const ()),
    ("ad_emulate_access", ad_emulate_access as *const ()),
];

/// Runs a kernel for each thread of a grid of gx x gy x gz blocks of bx x by x bz threads.
///
/// Without the flag [`WAITS`], the kernel may call neither barriers nor shuffles nor products of matrices.
///
/// # Safety
///
/// `thunk` is a kernel that may be called with `args` for each thread, in any order; it does not unwind, keeps within
/// 240 KiB of stack, and does not use the address of a thread after its end. `name` is null or ends with a zero.
#[allow(clippy::too_many_arguments)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ad_emulate_launch(
    thunk: Thunk,
    args: *const c_void,
    gx: i64,
    gy: i64,
    gz: i64,
    bx: i64,
    by: i64,
    bz: i64,
    flags: i64,
    name: *const c_char,
) {
    guarded((), || {
        let name = if name.is_null() {
            Cow::Borrowed("kernel")
        } else {
            // SAFETY: see above.
            unsafe { CStr::from_ptr(name) }.to_string_lossy()
        };
        let waits = flags & WAITS != 0;
        // SAFETY: see above.
        unsafe {
            launch::launch(thunk, args, [gx, gy, gz], [bx, by, bz], waits, name.into_owned());
        }
    });
}

/// Returns the index of the thread (kinds 0 to 2, for x, y and z) or of the block (3 to 5), or the size of the block
/// (6 to 8) or of the grid (9 to 11).
///
/// # Safety
///
/// `ctx` is the address that the kernel got.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ad_emulate_id(ctx: *mut Ctx<'_>, kind: i32) -> i64 {
    // SAFETY: see above.
    let ctx = unsafe { &*ctx };
    ctx.id(kind).unwrap_or_else(|| {
        guarded((), || ctx.fail(format!("an index of unknown kind {kind}")));
        0
    })
}

/// Waits until all threads of the block are here.
///
/// # Safety
///
/// `ctx` is the address that the kernel got.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ad_emulate_barrier(ctx: *mut Ctx<'_>) {
    // SAFETY: see above.
    let ctx = unsafe { &*ctx };
    guarded((), || ctx.wait_for(Wait::Barrier, "a barrier"));
}

/// Defines a shuffle for an element type, with its bits.
macro_rules! shuffle {
    ($name:ident, $element:ty, $to_bits:expr, $from_bits:expr) => {
        /// Exchanges values within a subgroup, see [`shuffle`](crate::shuffle).
        ///
        /// # Safety
        ///
        /// `ctx` is the address that the kernel got.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            ctx: *mut Ctx<'_>,
            value: $element,
            offset: i32,
            width: i32,
            mode: i32,
        ) -> $element {
            // SAFETY: see above.
            let ctx = unsafe { &*ctx };
            let kind = (width, mode, stringify!($element));
            let request = Request { value: $to_bits(value), offset, kind };
            $from_bits(guarded(request.value, || exchange(ctx, request)))
        }
    };
}

shuffle!(ad_emulate_shuffle_i32, i32, |value| value as u32 as u64, |bits| bits as i32);
shuffle!(ad_emulate_shuffle_i64, i64, |value| value as u64, |bits| bits as i64);
shuffle!(ad_emulate_shuffle_f32, f32, |value| u64::from(f32::to_bits(value)), |bits| {
    f32::from_bits(bits as u32)
});
shuffle!(ad_emulate_shuffle_f64, f64, f64::to_bits, f64::from_bits);

fn exchange(ctx: &Ctx<'_>, request: Request) -> u64 {
    let (width, mode, _) = request.kind;
    ctx.received.set(request.value);
    match shuffle::check(width, mode) {
        Ok(()) => ctx.wait_for(Wait::Shuffle(request), "a shuffle"),
        Err(error) => ctx.fail(error),
    }
    ctx.received.get()
}

/// Returns 1 if a shuffle returns the value of the lane that it names, 0 if that lane or this one does not take part.
/// This does not wait, and does not ask whether the lane has ended.
///
/// # Safety
///
/// `ctx` is the address that the kernel got.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ad_emulate_shuffle_valid(
    ctx: *mut Ctx<'_>,
    offset: i32,
    width: i32,
    mode: i32,
) -> i32 {
    // SAFETY: see above.
    let ctx = unsafe { &*ctx };
    shuffle::source(ctx.lane(), offset, width, mode).is_some().into()
}

/// Returns the number of the thread in its subgroup.
///
/// # Safety
///
/// `ctx` is the address that the kernel got.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ad_emulate_lane(ctx: *mut Ctx<'_>) -> i64 {
    // SAFETY: see above.
    let ctx = unsafe { &*ctx };
    ctx.lane() as i64
}

/// Adds a product of two matrices to a third one, within a subgroup, see [`matrix`], which has the kinds. The addresses are
/// those of the thread's elements of the three, f64 or f32; `site` is the number of the operation in its kernel.
///
/// # Safety
///
/// `ctx` is the address that the kernel got, and the addresses are those of arrays of the thread's own that have as many
/// elements as the kind says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ad_emulate_multiply(
    ctx: *mut Ctx<'_>,
    x: i64,
    y: i64,
    sums: i64,
    kind: i32,
    site: i64,
) {
    // SAFETY: see above.
    let ctx = unsafe { &*ctx };
    guarded((), || {
        let Some(shape) = Shape::of(kind) else {
            return ctx.fail(format!("a product of matrices of unknown kind {kind}"));
        };
        let arrays = [x, y, sums].map(|address| address as usize);
        let is_wide = kind == matrix::F64;
        let mut elements = ctx.elements.get();
        for ((own, array), count) in elements.iter_mut().zip(arrays).zip(shape.counts()) {
            for (i, element) in own.iter_mut().enumerate().take(count) {
                // SAFETY: the array has so many elements of this type.
                *element = unsafe {
                    if is_wide {
                        (array as *const f64).add(i).read()
                    } else {
                        (array as *const f32).add(i).read().into()
                    }
                };
            }
        }
        ctx.elements.set(elements);
        ctx.wait_for(Wait::Product(Product { kind, site }), "a product of matrices");
        let ([_, _, own], [_, _, array], [_, _, count]) =
            (ctx.elements.get(), arrays, shape.counts());
        for (i, element) in own.into_iter().enumerate().take(count) {
            // SAFETY: see above.
            unsafe {
                if is_wide {
                    (array as *mut f64).add(i).write(element);
                } else {
                    (array as *mut f32).add(i).write(element as f32);
                }
            }
        }
    });
}

/// Looks whether an access of the thread races with an earlier one, and counts it, as far as the host wants that; the lower
/// half of `site` is the line of the source, or 0, the upper half the number of the access in its kernel.
///
/// Memory of a single thread is not for this function: other threads use the same addresses later.
///
/// # Safety
///
/// `ctx` is the address that the kernel got.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ad_emulate_access(
    ctx: *mut Ctx<'_>,
    address: i64,
    bytes: i64,
    kind: i32,
    site: i64,
) {
    // SAFETY: see above.
    let ctx = unsafe { &*ctx };
    if ctx.launch.is_looking() {
        guarded((), || {
            let access = match kind & !(OF_BLOCK | OF_DEVICE) {
                READ => Kind::Read,
                WRITE => Kind::Write,
                ATOMIC => Kind::Atomic,
                _ => return ctx.fail(format!("an access of unknown kind {kind}")),
            };
            let of_block = kind & OF_BLOCK != 0;
            let [line, number] = [site as u32, (site >> 32) as u32];
            let bytes = u64::try_from(bytes).unwrap_or(0);
            if kind & OF_DEVICE != 0 && !memory::is_on_device(address as u64) {
                ctx.launch.watching.set(false);
                return ctx.fail(format!("memory of the host is accessed in line {line}"));
            }
            ctx.access(address as u64, bytes, Access { kind: access, of_block, line }, number);
        });
    }
}

fn guarded<T>(fallback: T, body: impl FnOnce() -> T) -> T {
    panic::catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| {
        state::record("internal error in ad-emulate".to_owned());
        fallback
    })
}
