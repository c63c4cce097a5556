//! The entry points, called as a program calls a driver. There is one device for the process, so this is one test.

#![allow(unsafe_code)]

mod common;

use std::{
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    ptr::null_mut,
};

// So that the library is linked, of which only symbols are used.
use ad_ptx as _;
use common::text;

type Handle = *mut c_void;

unsafe extern "C" {
    fn cuInit(flags: c_uint) -> c_int;
    fn cuDeviceGet(device: *mut c_int, number: c_int) -> c_int;
    fn cuDeviceGetAttribute(value: *mut c_int, which: c_int, device: c_int) -> c_int;
    fn cuDevicePrimaryCtxRetain(context: *mut Handle, device: c_int) -> c_int;
    fn cuCtxPushCurrent_v2(context: Handle) -> c_int;
    fn cuCtxPopCurrent_v2(context: *mut Handle) -> c_int;
    fn cuStreamCreate(stream: *mut Handle, flags: c_uint) -> c_int;
    fn cuStreamSynchronize(stream: Handle) -> c_int;
    fn cuStreamDestroy_v2(stream: Handle) -> c_int;
    fn cuEventCreate(event: *mut Handle, flags: c_uint) -> c_int;
    fn cuEventRecord(event: Handle, stream: Handle) -> c_int;
    fn cuEventElapsedTime(time: *mut f32, start: Handle, end: Handle) -> c_int;
    fn cuEventDestroy_v2(event: Handle) -> c_int;
    fn cuModuleLoadDataEx(
        module: *mut Handle,
        image: *const c_void,
        count: c_uint,
        options: *const c_int,
        values: *mut *mut c_void,
    ) -> c_int;
    fn cuModuleGetFunction(function: *mut Handle, module: Handle, name: *const c_char) -> c_int;
    fn cuMemAlloc_v2(address: *mut u64, bytes: usize) -> c_int;
    fn cuMemAllocManaged(address: *mut u64, bytes: usize, flags: c_uint) -> c_int;
    fn cuMemFree_v2(address: u64) -> c_int;
    fn cuMemcpyAsync(to: u64, from: u64, bytes: usize, stream: Handle) -> c_int;
    fn cuMemsetD32Async(to: u64, value: c_uint, count: usize, stream: Handle) -> c_int;
    fn cuPointerGetAttribute(data: *mut c_void, attribute: c_int, address: u64) -> c_int;
    fn cuGetErrorName(error: c_int, name: *mut *const c_char) -> c_int;
    fn cuLaunchKernel(
        function: Handle,
        gx: c_uint,
        gy: c_uint,
        gz: c_uint,
        bx: c_uint,
        by: c_uint,
        bz: c_uint,
        shared: c_uint,
        stream: Handle,
        parameters: *mut *mut c_void,
        extra: *mut *mut c_void,
    ) -> c_int;
}

/// Loads a text, and gives the code and the log.
fn load(text: &str, module: &mut Handle) -> (c_int, String) {
    let image = format!("{text}\0");
    let mut log = [0u8; 256];
    let options = [5, 6];
    let mut values: [*mut c_void; 2] = [log.as_mut_ptr().cast(), log.len() as *mut c_void];
    // SAFETY: two options with their values, and a text with a zero at its end.
    let code = unsafe {
        cuModuleLoadDataEx(module, image.as_ptr().cast(), 2, options.as_ptr(), values.as_mut_ptr())
    };
    let text = CStr::from_bytes_until_nul(&log).expect("there is a zero");
    (code, text.to_string_lossy().into_owned())
}

/// Each of eight threads writes twice the number that it reads.
const BODY: &str = "
    sub.s64 %rd3, %rd2, %rd1;
    add.s64 %rd3, %rd3, %rd0;
    ld.global.b64 %rd4, [%rd3];
    add.s64 %rd4, %rd4, %rd4;
    st.global.b64 [%rd2], %rd4;";

#[test]
fn a_program() {
    // SAFETY: all pointers are those of variables, as cuda.h wants them.
    unsafe {
        let (mut device, mut context, mut stream) = (7, null_mut(), null_mut());
        assert_eq!(cuInit(0), 0);
        assert_eq!(cuDeviceGet(&mut device, 1), 101);
        assert_eq!(cuDeviceGet(&mut device, 0), 0);
        let mut major = 0;
        assert_eq!((cuDeviceGetAttribute(&mut major, 75, device), major), (0, 8));
        assert_eq!(cuDevicePrimaryCtxRetain(&mut context, device), 0);
        // Without a context nothing can be done.
        assert_eq!(cuStreamCreate(&mut stream, 1), 201);
        assert_eq!(cuCtxPushCurrent_v2(context), 0);
        assert_eq!(cuStreamCreate(&mut stream, 1), 0);

        let mut module = null_mut();
        let (code, log) = load(&text("", "", "nonsense.b32 %r1;"), &mut module);
        assert_eq!(code, 218);
        assert!(log.contains("nonsense.b32: the instruction is not known"), "{log}");
        assert_eq!(load(&text("", "", BODY), &mut module), (0, String::new()));
        let mut function = null_mut();
        assert_eq!(cuModuleGetFunction(&mut function, module, c"nothing".as_ptr()), 500);
        assert_eq!(cuModuleGetFunction(&mut function, module, c"k".as_ptr()), 0);

        let (mut from, mut to, mut kind) = (0u64, 0u64, 0u32);
        assert_eq!(cuMemAlloc_v2(&mut from, 64), 0);
        assert_eq!(cuMemAllocManaged(&mut to, 64, 1), 0);
        let kind_of =
            |kind: &mut u32, address| cuPointerGetAttribute((kind as *mut u32).cast(), 2, address);
        assert_eq!((kind_of(&mut kind, from + 63), kind), (0, 2));
        let mut numbers = [1u64, 2, 3, 4, 5, 6, 7, 8];
        let here = numbers.as_mut_ptr() as u64;
        assert_eq!(kind_of(&mut kind, here), 1);
        assert_eq!(cuMemcpyAsync(from, here, 64, stream), 0);
        assert_eq!(cuMemcpyAsync(from, here, 65, stream), 1);
        assert_eq!(cuMemcpyAsync(from + 8, here, 64, stream), 1);

        let mut parameters: [*mut c_void; 2] =
            [(&mut from as *mut u64).cast(), (&mut to as *mut u64).cast()];
        let mut launch = |threads| {
            cuLaunchKernel(
                function,
                1,
                1,
                1,
                threads,
                1,
                1,
                0,
                stream,
                parameters.as_mut_ptr(),
                null_mut(),
            )
        };
        let mut events = [null_mut(); 2];
        for event in &mut events {
            assert_eq!(cuEventCreate(event, 0), 0);
        }
        assert_eq!(cuEventRecord(events[0], stream), 0);
        assert_eq!(launch(8), 0);
        assert_eq!(cuEventRecord(events[1], stream), 0);
        let mut time = -1f32;
        assert_eq!(cuEventElapsedTime(&mut time, events[0], events[1]), 0);
        assert!(time > 0.0);
        assert_eq!(cuEventDestroy_v2(events[0]), 0);
        assert_eq!(cuEventDestroy_v2(events[0]), 400);
        assert_eq!(cuStreamSynchronize(stream), 0);
        // Managed memory is the host's, too.
        assert_eq!(*((to + 56) as *const u64), 16);
        assert_eq!(cuMemcpyAsync(here, to, 64, stream), 0);
        assert_eq!(numbers, [2, 4, 6, 8, 10, 12, 14, 16]);
        assert_eq!(cuMemsetD32Async(from, 7, 16, stream), 0);
        assert_eq!(cuMemcpyAsync(here, from, 64, stream), 0);
        assert_eq!(numbers, [7 << 32 | 7; 8]);
        assert_eq!(cuMemsetD32Async(from, 7, 17, stream), 1);

        // The error of a kernel shows later, and stays.
        assert_eq!(launch(1025), 701);
        assert_eq!(launch(9), 0);
        assert_eq!(cuStreamSynchronize(stream), 700);
        assert_eq!(cuMemFree_v2(from), 700);
        assert_eq!(cuStreamDestroy_v2(stream), 0);
        let mut name = std::ptr::null();
        assert_eq!(cuGetErrorName(700, &mut name), 0);
        assert_eq!(CStr::from_ptr(name), c"CUDA_ERROR_ILLEGAL_ADDRESS");
        assert_eq!(cuCtxPopCurrent_v2(&mut context), 0);
        assert_eq!(cuCtxPopCurrent_v2(&mut context), 201);
    }
}
