//! Codes of errors as the driver has them, and what a kernel did wrong.

/// `CUDA_SUCCESS`.
pub const SUCCESS: i32 = 0;
/// `CUDA_ERROR_INVALID_VALUE`.
pub const INVALID_VALUE: i32 = 1;
/// `CUDA_ERROR_OUT_OF_MEMORY`.
pub const OUT_OF_MEMORY: i32 = 2;
/// `CUDA_ERROR_NOT_INITIALIZED`.
pub const NOT_INITIALIZED: i32 = 3;
/// `CUDA_ERROR_INVALID_DEVICE`.
pub const INVALID_DEVICE: i32 = 101;
/// `CUDA_ERROR_INVALID_IMAGE`.
pub const INVALID_IMAGE: i32 = 200;
/// `CUDA_ERROR_INVALID_CONTEXT`.
pub const INVALID_CONTEXT: i32 = 201;
/// `CUDA_ERROR_INVALID_PTX`.
pub const INVALID_PTX: i32 = 218;
/// `CUDA_ERROR_INVALID_HANDLE`.
pub const INVALID_HANDLE: i32 = 400;
/// `CUDA_ERROR_NOT_FOUND`.
pub const NOT_FOUND: i32 = 500;
/// `CUDA_ERROR_NOT_READY`.
pub const NOT_READY: i32 = 600;
/// `CUDA_ERROR_ILLEGAL_ADDRESS`.
pub const ILLEGAL_ADDRESS: i32 = 700;
/// `CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES`.
pub const OUT_OF_RESOURCES: i32 = 701;
/// `CUDA_ERROR_LAUNCH_TIMEOUT`.
pub const LAUNCH_TIMEOUT: i32 = 702;
/// `CUDA_ERROR_ASSERT`.
pub const ASSERT: i32 = 710;
/// `CUDA_ERROR_ILLEGAL_INSTRUCTION`.
pub const ILLEGAL_INSTRUCTION: i32 = 715;
/// `CUDA_ERROR_MISALIGNED_ADDRESS`.
pub const MISALIGNED_ADDRESS: i32 = 716;
/// `CUDA_ERROR_LAUNCH_FAILED`.
pub const LAUNCH_FAILED: i32 = 719;

/// Codes with their names and texts, each with a zero at its end.
pub const TEXTS: [(i32, &str, &str); 18] = [
    (SUCCESS, "CUDA_SUCCESS\0", "no error\0"),
    (INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE\0", "invalid argument\0"),
    (OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY\0", "out of memory\0"),
    (NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED\0", "initialization error\0"),
    (INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE\0", "invalid device ordinal\0"),
    (INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE\0", "device kernel image is invalid\0"),
    (INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT\0", "invalid device context\0"),
    (INVALID_PTX, "CUDA_ERROR_INVALID_PTX\0", "a PTX JIT compilation failed\0"),
    (INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE\0", "invalid resource handle\0"),
    (NOT_FOUND, "CUDA_ERROR_NOT_FOUND\0", "named symbol not found\0"),
    (NOT_READY, "CUDA_ERROR_NOT_READY\0", "device not ready\0"),
    (ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS\0", "an illegal memory access was encountered\0"),
    (
        OUT_OF_RESOURCES,
        "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES\0",
        "too many resources requested for launch\0",
    ),
    (LAUNCH_TIMEOUT, "CUDA_ERROR_LAUNCH_TIMEOUT\0", "the launch timed out and was terminated\0"),
    (ASSERT, "CUDA_ERROR_ASSERT\0", "device-side assert triggered\0"),
    (
        ILLEGAL_INSTRUCTION,
        "CUDA_ERROR_ILLEGAL_INSTRUCTION\0",
        "an illegal instruction was encountered\0",
    ),
    (MISALIGNED_ADDRESS, "CUDA_ERROR_MISALIGNED_ADDRESS\0", "misaligned address\0"),
    (LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED\0", "unspecified launch failure\0"),
];

/// What went wrong in a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// As the driver reports it.
    pub code: i32,
    /// In words.
    pub text: String,
}

impl Fault {
    /// A fault.
    pub fn new(code: i32, text: impl Into<String>) -> Self {
        Self { code, text: text.into() }
    }
}
