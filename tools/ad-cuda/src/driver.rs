//! The part of the CUDA driver API that is used, loaded at run time: types, entry points, errors.
//!
//! All calls of the driver are here. Methods that take nothing but numbers and handles are safe: the driver checks
//! handles of its own and answers with an error.

#![allow(unsafe_code)]

use std::{
    ffi::{CStr, OsStr, c_char, c_int, c_uint, c_void},
    fmt,
    ptr::{null, null_mut},
};

use libloading::Library;

/// An object of the driver: context, stream, module or function.
pub type Handle = *mut c_void;

/// `CUDA_ERROR_OUT_OF_MEMORY`.
pub const OUT_OF_MEMORY: c_int = 2;

/// A call that failed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The entry point.
    pub call: &'static str,
    /// What it returned.
    pub code: c_int,
    /// Name and text of the code, and what else is known.
    pub text: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.call, self.text)
    }
}

/// Declares the table of entry points; each is called `check(driver.field(...))` in a method below.
macro_rules! entry_points {
    ($($field:ident: $symbol:literal($($argument:ty),*);)*) => {
        /// Addresses of entry points.
        struct Table {
            $($field: unsafe extern "C" fn($($argument),*) -> c_int,)*
        }

        impl Table {
            /// Finds all entry points.
            fn find(library: &Library) -> Result<Self, libloading::Error> {
                // SAFETY: the types are those of cuda.h.
                unsafe { Ok(Self { $($field: *library.get($symbol.as_bytes())?,)* }) }
            }
        }
    };
}

entry_points! {
    init: "cuInit"(c_uint);
    driver_version: "cuDriverGetVersion"(*mut c_int);
    device_get: "cuDeviceGet"(*mut c_int, c_int);
    device_name: "cuDeviceGetName"(*mut c_char, c_int, c_int);
    device_attribute: "cuDeviceGetAttribute"(*mut c_int, c_int, c_int);
    device_memory: "cuDeviceTotalMem_v2"(*mut usize, c_int);
    memory_info: "cuMemGetInfo_v2"(*mut usize, *mut usize);
    context_retain: "cuDevicePrimaryCtxRetain"(*mut Handle, c_int);
    context_push: "cuCtxPushCurrent_v2"(Handle);
    context_pop: "cuCtxPopCurrent_v2"(*mut Handle);
    context_limit: "cuCtxSetLimit"(c_int, usize);
    stream_create: "cuStreamCreate"(*mut Handle, c_uint);
    stream_synchronize: "cuStreamSynchronize"(Handle);
    module_load: "cuModuleLoadDataEx"(*mut Handle, *const c_void, c_uint, *const c_int, *mut *mut c_void);
    module_unload: "cuModuleUnload"(Handle);
    module_function: "cuModuleGetFunction"(*mut Handle, Handle, *const c_char);
    function_attribute: "cuFuncSetAttribute"(Handle, c_int, c_int);
    launch: "cuLaunchKernel"(Handle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Handle,
        *mut *mut c_void, *mut *mut c_void);
    allocate: "cuMemAlloc_v2"(*mut u64, usize);
    allocate_managed: "cuMemAllocManaged"(*mut u64, usize, c_uint);
    free: "cuMemFree_v2"(u64);
    pointer_attribute: "cuPointerGetAttribute"(*mut c_void, c_int, u64);
    copy: "cuMemcpyAsync"(u64, u64, usize, Handle);
    set_32: "cuMemsetD32Async"(u64, c_uint, usize, Handle);
    set_16: "cuMemsetD16Async"(u64, u16, usize, Handle);
    error_name: "cuGetErrorName"(c_int, *mut *const c_char);
    error_string: "cuGetErrorString"(c_int, *mut *const c_char);
}

/// The driver's library.
pub struct Driver {
    table: Table,
    _library: Library,
}

/// Calls an entry point that writes one value, and returns that value.
macro_rules! get {
    ($driver:expr, $field:ident, $call:literal, $empty:expr $(, $argument:expr)*) => {{
        let mut value = $empty;
        // SAFETY: the driver writes one value of this type; handles are checked by the driver.
        let code = unsafe { ($driver.table.$field)(&mut value $(, $argument)*) };
        $driver.check($call, code).map(|()| value)
    }};
}

/// Calls an entry point that writes nothing.
macro_rules! call {
    ($driver:expr, $field:ident, $call:literal $(, $argument:expr)*) => {{
        // SAFETY: handles and addresses on the device are checked by the driver; for others see the method.
        let code = unsafe { ($driver.table.$field)($($argument),*) };
        $driver.check($call, code)
    }};
}

impl Driver {
    /// Loads the library and initialises the driver.
    pub fn load(path: &OsStr) -> Result<Self, String> {
        let fail = |error: &dyn fmt::Display| {
            format!("the CUDA driver {} cannot be loaded: {error}", path.display())
        };
        // SAFETY: what the driver's library does when it is loaded is the driver's business.
        let library = unsafe { Library::new(path) }.map_err(|error| fail(&error))?;
        let table = Table::find(&library).map_err(|error| fail(&error))?;
        let driver = Self { table, _library: library };
        call!(driver, init, "cuInit", 0).map_err(|error| error.to_string())?;
        Ok(driver)
    }

    /// The version, as 1000 times the major one plus 10 times the minor one.
    pub fn version(&self) -> Result<c_int, Failure> {
        get!(self, driver_version, "cuDriverGetVersion", 0)
    }

    /// The device with this number.
    pub fn device(&self, number: c_int) -> Result<c_int, Failure> {
        get!(self, device_get, "cuDeviceGet", 0, number)
    }

    /// The name of a device.
    pub fn device_name(&self, device: c_int) -> Result<String, Failure> {
        let mut name = [0u8; 256];
        let code =
            // SAFETY: the driver writes at most as many bytes as it is told, a zero among them.
            unsafe { (self.table.device_name)(name.as_mut_ptr().cast(), 255, device) };
        self.check("cuDeviceGetName", code).map(|()| text(&name))
    }

    /// An attribute of a device, by its number in `CUdevice_attribute`.
    pub fn device_attribute(&self, attribute: c_int, device: c_int) -> Result<c_int, Failure> {
        get!(self, device_attribute, "cuDeviceGetAttribute", 0, attribute, device)
    }

    /// How many bytes a device has.
    pub fn device_memory(&self, device: c_int) -> Result<usize, Failure> {
        get!(self, device_memory, "cuDeviceTotalMem", 0, device)
    }

    /// How many bytes of the current device nobody has.
    pub fn free_memory(&self) -> Result<usize, Failure> {
        let mut total = 0;
        get!(self, memory_info, "cuMemGetInfo", 0, &mut total)
    }

    /// The primary context of a device.
    pub fn context(&self, device: c_int) -> Result<Handle, Failure> {
        get!(self, context_retain, "cuDevicePrimaryCtxRetain", null_mut(), device)
    }

    /// Makes a context that of this thread, until `pop`.
    pub fn push(&self, context: Handle) -> Result<(), Failure> {
        call!(self, context_push, "cuCtxPushCurrent", context)
    }

    /// Undoes `push`.
    pub fn pop(&self) -> Result<(), Failure> {
        get!(self, context_pop, "cuCtxPopCurrent", null_mut()).map(|_| ())
    }

    /// A stream that does not wait for the default one.
    pub fn stream(&self) -> Result<Handle, Failure> {
        const NON_BLOCKING: c_uint = 1;
        get!(self, stream_create, "cuStreamCreate", null_mut(), NON_BLOCKING)
    }

    /// Waits for all work of a stream.
    pub fn synchronize(&self, stream: Handle) -> Result<(), Failure> {
        call!(self, stream_synchronize, "cuStreamSynchronize", stream)
    }

    /// Loads PTX or a binary; the failure has what the driver's compiler said.
    ///
    /// # Safety
    ///
    /// The image is PTX that ends with a zero, or a cubin or fatbin.
    pub unsafe fn load_module(&self, image: *const c_void, level: u32) -> Result<Handle, Failure> {
        const ERROR_LOG: c_int = 5;
        const ERROR_LOG_SIZE: c_int = 6;
        const OPTIMIZATION_LEVEL: c_int = 7;
        let mut log = [0u8; 4096];
        let options = [ERROR_LOG, ERROR_LOG_SIZE, OPTIMIZATION_LEVEL];
        let mut values: [*mut c_void; 3] = [
            log.as_mut_ptr().cast(),
            (log.len() - 1) as *mut c_void,
            level.min(4) as usize as *mut c_void,
        ];
        let mut module = null_mut();
        // SAFETY: three options with their values, which the driver reads and writes during the call only.
        let code = unsafe {
            (self.table.module_load)(&mut module, image, 3, options.as_ptr(), values.as_mut_ptr())
        };
        self.check("cuModuleLoadDataEx", code).map(|()| module).map_err(|mut failure| {
            let log = text(&log);
            if !log.trim().is_empty() {
                failure.text = format!("{}: {}", failure.text, log.trim());
            }
            failure
        })
    }

    /// Lets kernels have so many bytes by `malloc`, of those that are loaded from then on.
    pub fn set_heap(&self, bytes: usize) -> Result<(), Failure> {
        const MALLOC_HEAP_SIZE: c_int = 2;
        call!(self, context_limit, "cuCtxSetLimit", MALLOC_HEAP_SIZE, bytes)
    }

    /// Unloads a module.
    pub fn unload_module(&self, module: Handle) -> Result<(), Failure> {
        call!(self, module_unload, "cuModuleUnload", module)
    }

    /// A kernel of a module.
    pub fn function(&self, module: Handle, name: &CStr) -> Result<Handle, Failure> {
        get!(self, module_function, "cuModuleGetFunction", null_mut(), module, name.as_ptr())
    }

    /// Allows a kernel that many bytes of dynamic shared memory.
    pub fn allow_shared(&self, function: Handle, bytes: c_int) -> Result<(), Failure> {
        const MAX_DYNAMIC_SHARED_SIZE_BYTES: c_int = 8;
        call!(
            self,
            function_attribute,
            "cuFuncSetAttribute",
            function,
            MAX_DYNAMIC_SHARED_SIZE_BYTES,
            bytes
        )
    }

    /// Launches a kernel.
    ///
    /// # Safety
    ///
    /// There are as many parameters, of the same types, as the kernel has; `extra` is null or as the driver wants it.
    #[allow(clippy::too_many_arguments)]
    pub unsafe fn launch(
        &self,
        function: Handle,
        [gx, gy, gz]: [c_uint; 3],
        [bx, by, bz]: [c_uint; 3],
        shared: c_uint,
        stream: Handle,
        parameters: *mut *mut c_void,
        extra: *mut *mut c_void,
    ) -> Result<(), Failure> {
        call!(
            self,
            launch,
            "cuLaunchKernel",
            function,
            gx,
            gy,
            gz,
            bx,
            by,
            bz,
            shared,
            stream,
            parameters,
            extra
        )
    }

    /// New memory on the device.
    pub fn allocate(&self, bytes: usize) -> Result<u64, Failure> {
        get!(self, allocate, "cuMemAlloc", 0, bytes)
    }

    /// New memory that the host may read and write, too.
    pub fn allocate_managed(&self, bytes: usize) -> Result<u64, Failure> {
        const ATTACH_GLOBAL: c_uint = 1;
        get!(self, allocate_managed, "cuMemAllocManaged", 0, bytes, ATTACH_GLOBAL)
    }

    /// Gives memory back.
    pub fn free(&self, address: u64) -> Result<(), Failure> {
        call!(self, free, "cuMemFree", address)
    }

    /// Whether memory is the device's, whoever made it.
    pub fn is_on_device(&self, address: u64) -> bool {
        const MEMORY_TYPE: c_int = 2;
        const DEVICE: c_uint = 2;
        let mut kind: c_uint = 0;
        // SAFETY: the driver writes one number of this type. Memory of the host that it does not know is an error.
        let code =
            unsafe { (self.table.pointer_attribute)((&raw mut kind).cast(), MEMORY_TYPE, address) };
        code == 0 && kind == DEVICE
    }

    /// Copies between any two places.
    ///
    /// # Safety
    ///
    /// So many bytes are there at both addresses until the copy is done.
    pub unsafe fn copy(
        &self,
        to: u64,
        from: u64,
        bytes: usize,
        stream: Handle,
    ) -> Result<(), Failure> {
        call!(self, copy, "cuMemcpyAsync", to, from, bytes, stream)
    }

    /// Fills memory on the device with 32-bit words.
    pub fn set_32(&self, to: u64, value: u32, n: usize, stream: Handle) -> Result<(), Failure> {
        call!(self, set_32, "cuMemsetD32Async", to, value, n, stream)
    }

    /// Fills memory on the device with 16-bit words.
    pub fn set_16(&self, to: u64, value: u16, n: usize, stream: Handle) -> Result<(), Failure> {
        call!(self, set_16, "cuMemsetD16Async", to, value, n, stream)
    }

    /// Nothing if the code is `CUDA_SUCCESS`.
    fn check(&self, call: &'static str, code: c_int) -> Result<(), Failure> {
        if code == 0 {
            return Ok(());
        }
        let describe = |get: unsafe extern "C" fn(c_int, *mut *const c_char) -> c_int| {
            let mut text = null();
            // SAFETY: the driver writes null or the address of a string that stays.
            unsafe {
                (get(code, &mut text) == 0 && !text.is_null())
                    .then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
            }
        };
        let name = describe(self.table.error_name).unwrap_or_else(|| format!("error {code}"));
        let text = match describe(self.table.error_string) {
            Some(text) => format!("{name}: {text}"),
            None => name,
        };
        Err(Failure { call, code, text })
    }
}

/// What stands before the first zero.
fn text(bytes: &[u8]) -> String {
    let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(text).into_owned()
}
