//! The functions that upstream's `gpu-to-llvm` and the translation of `gpu.binary` to LLVM IR call, with the types
//! that they have there (LLVM 22).
//!
//! There is one stream, so that streams and events that a program makes are all the same one and events order nothing
//! that is not in order already.

#![allow(unsafe_code)]

use std::{
    ffi::{CStr, c_char, c_void},
    ptr::dangling_mut,
};

use crate::{device::Launch, driver::Handle, global, runtime::Word};

/// Defines functions and the list of their names and addresses.
macro_rules! wrappers {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $body:block)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Safety
            ///
            /// Arguments are as in code that upstream makes.
            #[unsafe(no_mangle)]
            #[allow(non_snake_case, clippy::too_many_arguments)]
            pub unsafe extern "C" fn $name($($argument: $type),*) $(-> $result)? $body
        )*

        /// Name and address of each function here, for a JIT.
        pub fn symbols() -> Vec<(&'static str, *mut c_void)> {
            vec![$((stringify!($name), $name as *mut c_void)),*]
        }

        /// The names in `symbols()`.
        pub const SYMBOLS: &[&str] = &[$(stringify!($name)),*];
    };
}

wrappers! {
    /// A module from a binary, which stays where it is.
    fn mgpuModuleLoad(image: *const c_void, _size: usize) -> Handle {
        global().add_module(image, 4)
    }

    /// A module from PTX that ends with a zero and stays where it is.
    fn mgpuModuleLoadJIT(image: *const c_void, level: i32) -> Handle {
        global().add_module(image, level.try_into().unwrap_or(4))
    }

    /// Unloads a module.
    fn mgpuModuleUnload(module: Handle) {
        global().remove_module(module);
    }

    /// A kernel of a module.
    fn mgpuModuleGetFunction(module: Handle, name: *const c_char) -> Handle {
        // SAFETY: names are constants that end with a zero.
        let name = unsafe { CStr::from_ptr(name) };
        global().function(module, name)
    }

    /// Launches a kernel. The last argument, the number of parameters, is for other drivers.
    fn mgpuLaunchKernel(
        function: Handle,
        grid_x: isize,
        grid_y: isize,
        grid_z: isize,
        block_x: isize,
        block_y: isize,
        block_z: isize,
        shared: i32,
        _stream: Handle,
        parameters: *mut *mut c_void,
        extra: *mut *mut c_void,
        _count: usize
    ) {
        let grid = [grid_x, grid_y, grid_z];
        let block = [block_x, block_y, block_z];
        let launch = Launch { grid, block, shared, parameters, extra };
        // SAFETY: the caller was made for the kernel.
        unsafe { global().launch(function, &launch) }
    }

    /// The stream. It is no address.
    fn mgpuStreamCreate() -> Handle {
        dangling_mut::<usize>().cast()
    }

    /// Does nothing: the stream stays.
    fn mgpuStreamDestroy(_stream: Handle) {}

    /// Waits where the host could see whether it did.
    fn mgpuStreamSynchronize(_stream: Handle) {
        global().wait();
    }

    /// Does nothing: one stream is in order.
    fn mgpuStreamWaitEvent(_stream: Handle, _event: Handle) {}

    /// An event. It is no address.
    fn mgpuEventCreate() -> Handle {
        dangling_mut::<usize>().cast()
    }

    /// Does nothing.
    fn mgpuEventDestroy(_event: Handle) {}

    /// Waits as for the stream.
    fn mgpuEventSynchronize(_event: Handle) {
        global().wait();
    }

    /// Does nothing: one stream is in order.
    fn mgpuEventRecord(_event: Handle, _stream: Handle) {}

    /// A buffer on the device, or null after an error. The last argument is a Boolean of 8 bits: whether the host may
    /// read and write it, too. A size below zero is that of a buffer in front of a loop or branch that does not run:
    /// the buffer is empty.
    fn mgpuMemAlloc(bytes: u64, _stream: Handle, shared: u32) -> *mut c_void {
        let mut runtime = global();
        let bytes = usize::try_from(bytes.cast_signed()).unwrap_or(0);
        let address = match shared & 0xff {
            0 => runtime.allocate(bytes),
            _ => runtime.allocate_managed(bytes),
        };
        address as *mut c_void
    }

    /// Frees a buffer on the device.
    fn mgpuMemFree(address: *mut c_void, _stream: Handle) {
        global().free(address as u64);
    }

    /// Copies between any two places.
    fn mgpuMemcpy(to: *mut c_void, from: *const c_void, bytes: usize, _stream: Handle) {
        // SAFETY: the caller has so many bytes at both.
        unsafe { global().copy(to as u64, from as u64, bytes) }
    }

    /// Fills a buffer with 32-bit words.
    fn mgpuMemset32(to: *mut c_void, value: u32, count: usize, _stream: Handle) {
        global().set(to as u64, Word::Bits32(value), count);
    }

    /// Fills a buffer with 16-bit words, which come in the low half of a register.
    fn mgpuMemset16(to: *mut c_void, value: u32, count: usize, _stream: Handle) {
        global().set(to as u64, Word::Bits16(value as u16), count);
    }

    /// Frees an array that a function of a library gave; null is none.
    fn ad_cuda_free(address: *mut c_void) {
        global().free(address as u64);
    }

    /// Does what follows on a stream of the user's.
    fn ad_cuda_set_stream(stream: Handle) {
        global().set_stream(stream);
    }

    /// Waits for all work and takes the first error: returns how long its text is, which is 0 if there was none, and
    /// writes as much of it as there is room for, with a zero at the end.
    fn ad_cuda_take_error(text: *mut c_char, room: usize) -> usize {
        let Some(error) = global().take_error() else { return 0 };
        if room > 0 && !text.is_null() {
            let length = error.len().min(room - 1);
            // SAFETY: there is room for so many bytes and a zero.
            unsafe {
                text.copy_from_nonoverlapping(error.as_ptr().cast(), length);
                *text.add(length) = 0;
            }
        }
        error.len()
    }
}
