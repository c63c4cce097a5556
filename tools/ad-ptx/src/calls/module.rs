//! Modules, kernels and launches.

use std::{
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    ptr::null_mut,
};

use super::{Handle, current, give};
use crate::{
    device::Answer,
    fault::{INVALID_IMAGE, INVALID_VALUE},
    launch::Launch,
};

/// Where the caller wants to read what is wrong with a module.
struct Log {
    buffer: *mut c_char,
    bytes: usize,
    size: *mut *mut c_void,
}

impl Log {
    /// What the options say.
    ///
    /// # Safety
    ///
    /// As `cuModuleLoadDataEx` has it.
    unsafe fn among(count: c_uint, options: *const c_int, values: *mut *mut c_void) -> Self {
        const BUFFER: c_int = 5;
        const SIZE: c_int = 6;
        let mut log = Self { buffer: null_mut(), bytes: 0, size: null_mut() };
        if options.is_null() || values.is_null() {
            return log;
        }
        for number in 0..count as usize {
            // SAFETY: there are so many options and values.
            let (option, value) = unsafe { (*options.add(number), values.add(number)) };
            match option {
                // SAFETY: as above.
                BUFFER => log.buffer = unsafe { *value }.cast(),
                SIZE => {
                    // SAFETY: as above.
                    log.bytes = unsafe { *value } as usize;
                    log.size = value;
                }
                _ => {}
            }
        }
        log
    }

    /// Writes a text, as far as there is room, and how long it is.
    ///
    /// # Safety
    ///
    /// The buffer has as many bytes as the caller said.
    unsafe fn write(&self, text: &str) {
        if self.buffer.is_null() || self.bytes == 0 || self.size.is_null() {
            return;
        }
        let count = text.len().min(self.bytes - 1);
        // SAFETY: see above.
        unsafe {
            self.buffer.cast::<u8>().copy_from(text.as_ptr(), count);
            self.buffer.add(count).write(0);
            self.size.write(count as *mut c_void);
        }
    }
}

/// Loads a module from PTX.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleLoadDataEx(
    module: *mut Handle,
    image: *const c_void,
    count: c_uint,
    options: *const c_int,
    values: *mut *mut c_void,
) -> c_int {
    current(|device| {
        if image.is_null() {
            return Err(INVALID_VALUE);
        }
        // SAFETY: the caller's; PTX ends with a zero, and binaries have one early on.
        let (log, text) =
            unsafe { (Log::among(count, options, values), CStr::from_ptr(image.cast())) };
        let text = text.to_str().map_err(|_| INVALID_IMAGE)?;
        match device.load(text) {
            // SAFETY: the caller's.
            Ok(handle) => unsafe { give(module, handle as Handle) },
            Err((code, text)) => {
                // SAFETY: the caller's.
                unsafe { log.write(&text) };
                Err(code)
            }
        }
    })
}

/// Loads a module from PTX.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleLoadData(module: *mut Handle, image: *const c_void) -> c_int {
    // SAFETY: the caller's; there are no options.
    unsafe { cuModuleLoadDataEx(module, image, 0, null_mut(), null_mut()) }
}

/// Unloads a module.
#[unsafe(no_mangle)]
pub extern "C" fn cuModuleUnload(module: Handle) -> c_int {
    current(|device| device.unload(module as u64))
}

/// A kernel of a module.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleGetFunction(
    function: *mut Handle,
    module: Handle,
    name: *const c_char,
) -> c_int {
    current(|device| {
        if name.is_null() {
            return Err(INVALID_VALUE);
        }
        // SAFETY: the caller's.
        let name = unsafe { CStr::from_ptr(name) }.to_str().map_err(|_| INVALID_VALUE)?;
        let handle = device.function(module as u64, name)?;
        // SAFETY: the caller's.
        unsafe { give(function, handle as Handle) }
    })
}

/// Allows a kernel more dynamic shared memory; no other attribute is known.
#[unsafe(no_mangle)]
pub extern "C" fn cuFuncSetAttribute(function: Handle, which: c_int, value: c_int) -> c_int {
    const MAX_DYNAMIC_SHARED_SIZE_BYTES: c_int = 8;
    current(|device| match which {
        MAX_DYNAMIC_SHARED_SIZE_BYTES => device.allow_shared(function as u64, value),
        _ => Err(INVALID_VALUE),
    })
}

/// The bytes of parameters, from their addresses.
///
/// # Safety
///
/// There is an address for each parameter.
unsafe fn parameters(places: &[(u32, u32)], addresses: *mut *mut c_void) -> Answer<Vec<u8>> {
    let bytes = places.last().map_or(0, |(first, size)| first + size);
    let mut parameters = vec![0; bytes as usize];
    if addresses.is_null() {
        return if places.is_empty() { Ok(parameters) } else { Err(INVALID_VALUE) };
    }
    for (number, (first, size)) in places.iter().enumerate() {
        // SAFETY: see above.
        let from = unsafe { *addresses.add(number) }.cast::<u8>();
        if from.is_null() {
            return Err(INVALID_VALUE);
        }
        let to = &mut parameters[*first as usize..(first + size) as usize];
        // SAFETY: the parameter has so many bytes.
        unsafe { from.copy_to(to.as_mut_ptr(), to.len()) };
    }
    Ok(parameters)
}

/// Launches a kernel, and runs it.
///
/// # Safety
///
/// As cuda.h has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuLaunchKernel(
    function: Handle,
    grid_x: c_uint,
    grid_y: c_uint,
    grid_z: c_uint,
    block_x: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    shared: c_uint,
    stream: Handle,
    addresses: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> c_int {
    current(|device| {
        if !extra.is_null() {
            return Err(INVALID_VALUE);
        }
        let places = device.parameters(function as u64)?;
        let launch = Launch {
            grid: [grid_x, grid_y, grid_z],
            block: [block_x, block_y, block_z],
            shared,
            allowed_shared: 0,
            // SAFETY: the caller's.
            parameters: unsafe { parameters(&places, addresses) }?,
        };
        device.launch(function as u64, launch, stream as u64)
    })
}
