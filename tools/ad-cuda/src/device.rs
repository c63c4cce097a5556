//! The device that is used: its context and its stream.

#![allow(unsafe_code)]

use std::ffi::{CStr, OsStr, c_int, c_uint, c_void};

use crate::driver::{Driver, Failure, Handle};

/// What is known of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// As the driver calls it.
    pub name: String,
    /// Major and minor number: 8, 0 is `sm_80`.
    pub compute_capability: (i32, i32),
    /// The version of CUDA that the driver has, major and minor.
    pub driver_version: (i32, i32),
    /// How much memory it has.
    pub memory_bytes: usize,
    /// How many blocks run at a time, at least.
    pub multiprocessors: i32,
}

/// A device that is ready for work.
pub struct Ready {
    /// The driver.
    pub driver: Driver,
    /// What is known of the device.
    pub device: Device,
    /// Its primary context.
    pub context: Handle,
    /// The stream that all work is on: one of our own, until users name theirs.
    pub stream: Handle,
}

/// What a launch takes beside a kernel.
pub struct Launch {
    /// Blocks along each dimension.
    pub grid: [isize; 3],
    /// Threads along each dimension.
    pub block: [isize; 3],
    /// Bytes of dynamic shared memory.
    pub shared: i32,
    /// Addresses of parameters.
    pub parameters: *mut *mut c_void,
    /// What the driver takes in place of parameters, or null.
    pub extra: *mut *mut c_void,
}

impl Ready {
    /// Loads the driver and opens its first device.
    pub fn open(path: &OsStr) -> Result<Self, String> {
        let driver = Driver::load(path)?;
        let (device, context, stream) = explain(open(&driver))?;
        Ok(Self { driver, device, context, stream })
    }

    /// Loads a module. Kernels that call `malloc` may have an eighth of the memory together, or half of what is free if
    /// that is less: the 8 MiB that there are otherwise do not do for the tape of a long loop. The memory is taken when
    /// such a module is loaded; where it is refused, a sixteenth of that has to do.
    ///
    /// # Safety
    ///
    /// The image is a binary, or PTX that ends with a zero.
    pub unsafe fn load(&self, image: *const c_void, level: u32) -> Result<Handle, String> {
        /// The first byte of an ELF file, which no text begins with.
        const BINARY: u8 = 0x7f;
        // SAFETY: see above; one byte is there in both cases.
        let calls_malloc = unsafe {
            *image.cast::<u8>() != BINARY
                && CStr::from_ptr(image.cast()).to_string_lossy().contains(") malloc\n")
        };
        // SAFETY: see above.
        let load = || unsafe { self.driver.load_module(image, level) };
        if !calls_malloc {
            return explain(load());
        }
        let free = explain(self.driver.free_memory())?;
        let heap = (self.device.memory_bytes / 8).min(free / 2);
        // As much as there is already is not made less, and what is in use cannot change: both are errors.
        let _ = self.driver.set_heap(heap);
        explain(load().or_else(|_| {
            let _ = self.driver.set_heap(heap / 16);
            load()
        }))
    }

    /// Launches a kernel.
    ///
    /// # Safety
    ///
    /// Parameters are those of the kernel.
    pub unsafe fn launch(&self, function: Handle, launch: &Launch) -> Result<(), String> {
        let size = |size: isize| -> Result<c_uint, String> {
            size.try_into().map_err(|_| format!("cannot be launched with the size {size}"))
        };
        let sizes =
            |[x, y, z]: [isize; 3]| -> Result<_, String> { Ok([size(x)?, size(y)?, size(z)?]) };
        let (grid, block) = (sizes(launch.grid)?, sizes(launch.block)?);
        let shared = size(launch.shared as isize)?;
        // Without asking it has 48 KiB, of which it may use a part anyway.
        if launch.shared > 0 {
            explain(self.driver.allow_shared(function, launch.shared))?;
        }
        let Launch { parameters, extra, .. } = *launch;
        // SAFETY: see above.
        explain(unsafe {
            self.driver.launch(function, grid, block, shared, self.stream, parameters, extra)
        })
    }
}

/// The first device, its primary context, and a stream.
fn open(driver: &Driver) -> Result<(Device, Handle, Handle), Failure> {
    const MULTIPROCESSOR_COUNT: c_int = 16;
    const CAPABILITY_MAJOR: c_int = 75;
    const CAPABILITY_MINOR: c_int = 76;
    let number = driver.device(0)?;
    let attribute = |which| driver.device_attribute(which, number);
    let version = driver.version()?;
    let device = Device {
        name: driver.device_name(number)?,
        compute_capability: (attribute(CAPABILITY_MAJOR)?, attribute(CAPABILITY_MINOR)?),
        driver_version: (version / 1000, version % 1000 / 10),
        memory_bytes: driver.device_memory(number)?,
        multiprocessors: attribute(MULTIPROCESSOR_COUNT)?,
    };
    let context = driver.context(number)?;
    driver.push(context)?;
    let stream = driver.stream();
    driver.pop()?;
    Ok((device, context, stream?))
}

/// A failure as text.
pub fn explain<T>(result: Result<T, Failure>) -> Result<T, String> {
    result.map_err(|failure| failure.to_string())
}
