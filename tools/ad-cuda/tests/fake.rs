//! The functions that compiled programs call, over a driver whose device is the host (`fake/cuda.c`).

#![allow(unsafe_code)]

use std::{
    ffi::{CString, c_char, c_int, c_void},
    path::PathBuf,
    process::Command,
    ptr::{null, null_mut},
    sync::{Mutex, MutexGuard, PoisonError},
};

use ad_cuda::*;
use libloading::Library;

const PTX: &[u8] = b".version 7.0\n.visible .entry scale(\n.visible .entry broken(\n\0";

/// A fresh fake driver, the only one at a time.
struct Fake {
    library: Library,
    path: PathBuf,
    _alone: MutexGuard<'static, ()>,
}

impl Fake {
    fn new(name: &str) -> Self {
        static ALONE: Mutex<()> = Mutex::new(());
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("libcuda.so.1");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fake/cuda.c");
        let status = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"])
            .args([path.as_os_str(), source.as_ref()])
            .status();
        assert!(status.unwrap().success());
        // SAFETY: the library does nothing when it is loaded.
        let library = unsafe { Library::new(&path).unwrap() };
        load_from(&path);
        Self { library, path, _alone: alone }
    }

    /// How often an entry point was called.
    fn calls(&self, name: &str) -> usize {
        // SAFETY: the function has this type and returns a string that ends with a zero.
        let calls = unsafe {
            let function =
                self.library.get::<unsafe extern "C" fn() -> *const c_char>(b"fake_calls");
            std::ffi::CStr::from_ptr(function.unwrap()())
        };
        calls.to_str().unwrap().split(' ').filter(|call| *call == name).count()
    }

    /// Lets an entry point fail from now on.
    fn fail(&self, name: &'static str, code: c_int) {
        let name = CString::new(name).unwrap().into_raw();
        // SAFETY: the function has this type, and the name stays.
        unsafe {
            let function =
                self.library.get::<unsafe extern "C" fn(*const c_char, c_int)>(b"fake_fail");
            function.unwrap()(name, code);
        }
    }

    /// Lets the next wait fail.
    fn fail_later(&self, code: c_int) {
        // SAFETY: the function has this type.
        unsafe {
            self.library.get::<unsafe extern "C" fn(c_int)>(b"fake_fail_later").unwrap()(code);
        }
    }

    /// Lets all work that is not on this stream fail from now on.
    fn expect_stream(&self, stream: *mut c_void) {
        // SAFETY: the function has this type.
        unsafe {
            self.library.get::<unsafe extern "C" fn(*mut c_void)>(b"fake_expect_stream").unwrap()(
                stream,
            );
        }
    }
}

fn allocate(bytes: u64) -> *mut c_void {
    // SAFETY: any size may be asked for.
    unsafe { mgpuMemAlloc(bytes, mgpuStreamCreate(), 0) }
}

fn free(address: *mut c_void) {
    // SAFETY: what is no buffer is an error.
    unsafe { mgpuMemFree(address, mgpuStreamCreate()) }
}

fn kernel(name: &str) -> *mut c_void {
    let name = CString::new(name).unwrap();
    // SAFETY: the text is constant and ends with a zero.
    unsafe { mgpuModuleGetFunction(mgpuModuleLoadJIT(PTX.as_ptr().cast(), 3), name.as_ptr()) }
}

fn launch(kernel: *mut c_void, blocks: isize, parameters: &mut [*mut c_void]) {
    let count = parameters.len();
    let parameters = parameters.as_mut_ptr();
    // SAFETY: the fake kernel reads what tests pass.
    unsafe {
        let stream = mgpuStreamCreate();
        mgpuLaunchKernel(kernel, blocks, 1, 1, 4, 1, 1, 0, stream, parameters, null_mut(), count);
    }
}

/// Copies to the device, scales there, copies back.
fn scale(n: usize, blocks: isize) -> Vec<f64> {
    let mut values: Vec<f64> = (0..n).map(|i| i as f64).collect();
    let bytes = 8 * n as u64;
    let (mut x, mut y) = (allocate(bytes), allocate(bytes));
    let (mut size, mut factor) = (n as i64, 2.0);
    let mut parameters = [null_mut(); 12];
    parameters[0] = (&raw mut size).cast();
    parameters[1] = (&raw mut factor).cast();
    parameters[3] = (&raw mut x).cast();
    parameters[8] = (&raw mut y).cast();
    // SAFETY: buffers have the size of the vector.
    unsafe {
        mgpuMemcpy(x, values.as_ptr().cast(), bytes as usize, mgpuStreamCreate());
        launch(kernel("scale"), blocks, &mut parameters);
        mgpuMemcpy(values.as_mut_ptr().cast(), y, bytes as usize, mgpuStreamCreate());
    }
    free(x);
    free(y);
    values
}

#[test]
fn tells_what_the_device_is() {
    let _fake = Fake::new("device");
    let device = available().unwrap();
    assert_eq!(device.name, "Fake 7");
    assert_eq!((device.compute_capability, device.driver_version), ((8, 6), (12, 9)));
    assert_eq!((device.memory_bytes, device.multiprocessors), (1 << 20, 4));
}

#[test]
fn runs_kernels_and_counts() {
    let fake = Fake::new("kernels");
    assert_eq!(scale(6, 2), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
    assert_eq!(scale(6, 2), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
    assert_eq!(take_error(), None);
    let expected = Counters {
        launches: 2,
        allocations: 2,
        allocated_bytes: 512,
        peak_bytes: 512,
        to_device_bytes: 96,
        to_host_bytes: 96,
        on_device_bytes: 0,
    };
    assert_eq!(take_counters(), expected);
    assert_eq!(take_counters(), Counters::default());
    assert_eq!((fake.calls("cuInit"), fake.calls("cuStreamCreate")), (1, 1));
    assert_eq!((fake.calls("cuMemAlloc_v2"), fake.calls("cuMemFree_v2")), (2, 0));
}

#[test]
fn launches_no_empty_grid() {
    let fake = Fake::new("empty");
    scale(0, 0);
    assert_eq!(take_error(), None);
    assert_eq!((fake.calls("cuLaunchKernel"), fake.calls("cuMemcpyAsync")), (0, 0));
    scale(1, -1);
    let error = take_error().unwrap();
    assert_eq!(error, "kernel \"scale\": cannot be launched with the size -1");
}

#[test]
fn waits_for_copies_with_the_host_only() {
    let fake = Fake::new("waits");
    let (x, y) = (allocate(1024), allocate(1024));
    let mut words = [0u32; 256];
    // SAFETY: buffers have the size of the array.
    unsafe {
        let stream = mgpuStreamCreate();
        mgpuMemset32(x, 0x1234_5678, 128, stream);
        mgpuMemset16(x.byte_add(512), 0xabcd, 256, stream);
        mgpuMemcpy(y.byte_add(256), x.byte_add(256), 512, stream);
        mgpuStreamSynchronize(stream);
        assert_eq!(fake.calls("cuStreamSynchronize"), 0);
        mgpuMemcpy(words.as_mut_ptr().cast(), y, 1024, stream);
        assert_eq!(fake.calls("cuStreamSynchronize"), 1);
        mgpuStreamDestroy(stream);
    }
    assert_eq!((words[64], words[127], words[128]), (0x1234_5678, 0x1234_5678, 0xabcd_abcd));
    let counters = take_counters();
    assert_eq!((counters.on_device_bytes, counters.to_host_bytes), (512, 1024));
    free(x);
    free(y);
}

#[test]
fn knows_memory_that_others_made_on_the_device() {
    let fake = Fake::new("others");
    let y = allocate(1024);
    // SAFETY: the function has this type, buffers the size of what is copied.
    let x = unsafe {
        let make = fake.library.get::<unsafe extern "C" fn(usize) -> u64>(b"fake_allocate");
        let x = make.unwrap()(1024);
        mgpuMemcpy(y, (x + 512) as *const c_void, 512, mgpuStreamCreate());
        x
    };
    assert_eq!((take_counters().on_device_bytes, fake.calls("cuStreamSynchronize")), (512, 0));
    // SAFETY: it is not ours, which is an error.
    unsafe { ad_cuda_free(x as *mut c_void) };
    assert!(take_error().unwrap().ends_with("which is no buffer on the device"));
}

#[test]
fn works_on_a_stream_of_the_user() {
    let fake = Fake::new("stream");
    assert_eq!(scale(2, 1), [0.0, 2.0]);
    let waits = fake.calls("cuStreamSynchronize");
    let mut mine = 0u64;
    let stream = (&raw mut mine).cast::<c_void>();
    // SAFETY: the fake driver compares addresses of streams only.
    unsafe { ad_cuda_set_stream(stream) };
    assert_eq!(fake.calls("cuStreamSynchronize"), waits + 1, "for the stream before");
    assert_eq!(take_error().map(|error| !error.is_empty()), Some(true), "it is another one");
    fake.expect_stream(stream);
    assert_eq!(scale(2, 1), [0.0, 2.0]);
    assert_eq!(take_error(), None);
}

#[test]
fn waits_where_the_host_sees_buffers() {
    let fake = Fake::new("managed");
    // SAFETY: the buffer is freed once.
    unsafe {
        let stream = mgpuStreamCreate();
        let shared = mgpuMemAlloc(100, stream, 0xabcd_ef01);
        mgpuStreamSynchronize(stream);
        assert_eq!(fake.calls("cuStreamSynchronize"), 1);
        mgpuMemFree(shared, stream);
    }
    assert_eq!((fake.calls("cuMemAllocManaged"), fake.calls("cuMemFree_v2")), (1, 1));
    assert_eq!(take_error(), None);
}

#[test]
fn gives_free_buffers_back_before_it_is_out_of_memory() {
    let fake = Fake::new("memory");
    let x = allocate(700 << 10);
    free(x);
    let y = allocate(500 << 10);
    assert!(!y.is_null());
    assert_eq!(fake.calls("cuMemFree_v2"), 1);
    assert_eq!(take_error(), None);

    assert!(allocate(600 << 10).is_null());
    assert!(allocate(16).is_null(), "nothing is done after an error");
    free(y);
    let error = take_error().unwrap();
    let expected = "a buffer of 614400 bytes on the device: \
        cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY: out of memory";
    assert_eq!(error, expected);
    assert!(!allocate(600 << 10).is_null(), "the error was taken, and the other buffer is free");
    assert_eq!(take_error(), None);
    assert!(
        !allocate(8_u64.wrapping_neg()).is_null(),
        "a size below zero is that of an empty buffer"
    );
    assert_eq!(take_error(), None);
    assert!(allocate(1 << 62).is_null());
    let error = take_error().unwrap();
    assert!(error.starts_with("a buffer of 4611686018427387904 bytes on the device: "), "{error}");
}

#[test]
fn keeps_the_first_error() {
    let fake = Fake::new("errors");
    launch(kernel("broken"), 1, &mut []);
    free(0x10 as *mut c_void);
    let expected = "kernel \"broken\": \
        cuLaunchKernel: CUDA_ERROR_LAUNCH_FAILED: unspecified launch failure";
    let waits = fake.calls("cuStreamSynchronize");
    assert_eq!(take_error().unwrap(), expected);
    assert_eq!(fake.calls("cuStreamSynchronize"), waits + 1, "what came before is waited for");

    assert!(kernel("missing").is_null());
    let expected =
        "kernel \"missing\": cuModuleGetFunction: CUDA_ERROR_NOT_FOUND: named symbol not found";
    assert_eq!(take_error().unwrap(), expected);

    free(0x10 as *mut c_void);
    assert_eq!(take_error().unwrap(), "freed 0x10, which is no buffer on the device");

    fake.fail_later(700);
    let expected = "cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS: \
        an illegal memory access was encountered";
    assert_eq!(take_error().unwrap(), expected);

    fake.fail("cuMemcpyAsync", 12345);
    scale(3, 1);
    assert_eq!(take_error().unwrap(), "cuMemcpyAsync: error 12345");
}

#[test]
fn says_what_the_compiler_said() {
    let fake = Fake::new("image");
    let name = c"scale".as_ptr();
    // SAFETY: the image ends with a zero.
    unsafe {
        let module = mgpuModuleLoad(c"no text".as_ptr().cast(), 8);
        assert_eq!(fake.calls("cuInit"), 0, "loading a library does not need a device");
        assert!(mgpuModuleGetFunction(module, name).is_null());
        let expected = "cuModuleLoadDataEx: CUDA_ERROR_INVALID_IMAGE: \
            device kernel image is invalid: ptxas: level 4, no version";
        assert_eq!(take_error().unwrap(), expected);

        let module = mgpuModuleLoadJIT(PTX.as_ptr().cast(), 3);
        assert_eq!(mgpuModuleGetFunction(module, name), mgpuModuleGetFunction(module, name));
        assert_eq!(fake.calls("cuModuleGetFunction"), 1);
        mgpuModuleUnload(module);
        mgpuModuleUnload(module);
        assert_eq!(fake.calls("cuModuleUnload"), 1);
        assert!(mgpuModuleGetFunction(module, name).is_null());
        mgpuModuleUnload(null_mut());
    }
    assert_eq!(take_error().unwrap(), "kernel \"scale\" of a module that is not loaded");
}

#[test]
fn gives_kernels_memory_that_call_malloc() {
    const CALLS: &[u8] =
        b".version 7.0\n.extern .func  (.param .b64 func_retval0) malloc\n(\n\t.param .b64 x\n);\n\
        .visible .entry scale(\n\0";
    let fake = Fake::new("heap");
    kernel("scale");
    assert_eq!(fake.calls("cuCtxSetLimit"), 0);
    // SAFETY: texts end with a zero.
    let kernel = unsafe {
        mgpuModuleGetFunction(mgpuModuleLoadJIT(CALLS.as_ptr().cast(), 3), c"scale".as_ptr())
    };
    assert!(!kernel.is_null());
    assert_eq!((fake.calls("cuCtxSetLimit"), take_error()), (2, None), "an eighth is refused");
}

#[test]
fn asks_for_more_shared_memory() {
    let fake = Fake::new("shared");
    let kernel = kernel("broken");
    // SAFETY: the fake kernel takes no parameters.
    let launch = |bytes| unsafe {
        let stream = mgpuStreamCreate();
        mgpuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, bytes, stream, null_mut(), null_mut(), 0);
        take_error().unwrap()
    };
    assert!(launch(0).contains("LAUNCH_FAILED"));
    assert_eq!(fake.calls("cuFuncSetAttribute"), 0);
    assert!(launch(48 << 10).contains("LAUNCH_FAILED"));
    assert_eq!(fake.calls("cuFuncSetAttribute"), 1, "a kernel may have shared memory beside it");
    assert!(launch(64 << 10).contains("LAUNCH_FAILED"));
    assert_eq!(fake.calls("cuFuncSetAttribute"), 2);
    assert!(launch(1 << 20).starts_with("kernel \"broken\": cuFuncSetAttribute: "));
}

#[test]
fn runs_without_a_driver() {
    let fake = Fake::new("absent");
    load_from(&fake.path.with_file_name("libabsent.so.1"));
    assert_eq!(take_error(), None);
    assert!(allocate(8).is_null());
    assert_eq!(scale(2, 1), [0.0, 1.0], "nothing is done");
    let error = take_error().unwrap();
    let start = format!("the CUDA driver {}", fake.path.with_file_name("libabsent.so.1").display());
    assert!(error.starts_with(&format!("{start} cannot be loaded: ")), "{error}");
    assert_eq!(available().unwrap_err(), error);
    assert_eq!(take_error(), None, "asking is no error");
}

#[test]
fn runs_without_a_device() {
    let fake = Fake::new("no-device");
    fake.fail("cuInit", 100);
    assert!(allocate(8).is_null());
    let expected = "cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected";
    let mut text = [1u8; 16];
    // SAFETY: there is as much room as is said.
    unsafe {
        assert_eq!(ad_cuda_take_error(text.as_mut_ptr().cast(), text.len()), expected.len());
        assert_eq!(ad_cuda_take_error(null_mut(), 0), 0);
    }
    assert_eq!(&text, b"cuInit: CUDA_ER\0");
}

#[test]
fn lists_all_functions() {
    assert_eq!(SYMBOLS.len(), 21);
    assert!(
        symbols()
            .iter()
            .zip(SYMBOLS)
            .all(|((a, p), b)| a == b && *p != null::<c_void>().cast_mut())
    );
}
