//! What the driver refuses: modules, launches, handles; and errors of kernels that show later.

mod common;

use ad_ptx::{
    device::{Device, Settings},
    fault::{
        ILLEGAL_ADDRESS, ILLEGAL_INSTRUCTION, INVALID_HANDLE, INVALID_IMAGE, INVALID_PTX,
        INVALID_VALUE, LAUNCH_TIMEOUT, NOT_FOUND, OUT_OF_RESOURCES,
    },
    launch::Launch,
};
use common::{Test, text};

fn device() -> Device {
    let mut device = Device::new(Settings::default());
    device.prints = false;
    device
}

fn refused(text: &str) -> String {
    let (code, said) = device().load(text).expect_err("it must be refused");
    assert_eq!(code, INVALID_PTX, "{said}");
    said
}

#[test]
fn bad_texts() {
    let body = |body: &str| refused(&text("", "", body));
    assert!(
        body("frobnicate.b32 %r3, 1;").contains("frobnicate.b32: the instruction is not known")
    );
    assert!(body("add.s32 %r3, %rd0, 1;").contains("%rd0 of 64 bits is no operand of 32 bits"));
    assert!(body("add.warm.s32 %r3, 1, 1;").contains("the modifier .warm is not known"));
    assert!(body("add.s32 %r3, %r77, 1;").contains("'%r77' is not known"));
    assert!(body("bra NOWHERE;").contains("there is no label NOWHERE"));
    assert!(
        body("mov.b32 %r3, 1").contains("',' is expected")
            || body("mov.b32 %r3, 1").contains("';' is expected")
    );
    assert!(body("fma.f64 %rd3, %rd3, %rd3, %rd3;").contains("'fma' is not there"));
    assert!(body("ld.global.v4.b32 {%r1, %r2}, [%rd0];").contains("do not fit the vector"));
    assert!(body("ld.param.b64 %rd3, [k_param_1+8];").contains("is not in a parameter"));
    assert!(body("call.uni nobody;").contains("there is no function nobody"));
    // The head has 7 lines, and the prelude 9.
    assert!(body("\nnonsense;").contains("ptx, line 18;"), "{}", body("\nnonsense;"));
    assert!(refused(".version 7.0\n.target sm_90\n").contains("the device is sm_80, not sm_90"));
    let (code, _) = device().load("no text").expect_err("it must be refused");
    assert_eq!(code, INVALID_IMAGE);
}

#[test]
fn sizes() {
    let code = |test: Test| test.fails("").0;
    let test = Test::threads(1);
    assert_eq!(code(Test::threads(1025)), OUT_OF_RESOURCES);
    assert_eq!(code(Test { block: [1, 1, 65], ..test.clone() }), OUT_OF_RESOURCES);
    assert_eq!(code(Test { grid: [1, 65536, 1], ..test.clone() }), OUT_OF_RESOURCES);
    assert_eq!(code(Test { grid: [1 << 31, 1, 1], ..test.clone() }), OUT_OF_RESOURCES);
    assert_eq!(code(Test { grid: [0, 1, 1], ..test.clone() }), INVALID_VALUE);
    assert_eq!(code(Test { shared: 48 * 1024 + 1, ..test.clone() }), OUT_OF_RESOURCES);
    let directives = ".maxntid 64, 1, 1".to_owned();
    assert_eq!(code(Test { directives, ..Test::threads(65) }), OUT_OF_RESOURCES);
    assert!(Test { grid: [1, 1, 65535], ..test }.run("", &[]).is_ok());
    let large = Test::threads(1).fails(".shared .align 8 .b8 s[49160];");
    assert_eq!(large.0, OUT_OF_RESOURCES);
}

/// More dynamic shared memory than 48 KiB must be asked for.
#[test]
fn dynamic_shared_memory() {
    let mut device = device();
    let before = ".extern .shared .align 16 .b8 dynamic[];";
    let body = "mov.b64 %rd3, dynamic; st.shared.b64 [%rd3+65528], 7;";
    let module = device.load(&text(before, "", body)).expect("it loads");
    let kernel = device.function(module, "k").expect("it is there");
    let launch = |shared| Launch {
        grid: [1; 3],
        block: [1; 3],
        shared,
        allowed_shared: 0,
        parameters: vec![0; 16],
    };
    assert_eq!(device.launch(kernel, launch(65536), 0), Err(OUT_OF_RESOURCES));
    assert_eq!(device.allow_shared(kernel, 164 * 1024), Err(INVALID_VALUE));
    assert_eq!(device.allow_shared(kernel, 65536), Ok(()));
    assert_eq!(device.launch(kernel, launch(65536), 0), Ok(()));
    assert_eq!(device.synchronize(0), Ok(()));
    assert_eq!(device.launch(kernel, launch(65528), 0), Ok(()));
    assert_eq!(device.synchronize(0), Err(ILLEGAL_ADDRESS));
}

/// A kernel's error shows at the next call, and at all others.
#[test]
fn errors_stay() {
    let mut device = device();
    let module = device.load(&text("", "", "st.global.b64 [%rd0], 0;")).expect("it loads");
    let kernel = device.function(module, "k").expect("it is there");
    assert_eq!(device.function(module, "l"), Err(NOT_FOUND));
    assert_eq!(device.function(kernel, "k"), Err(INVALID_HANDLE));
    let buffer = device.allocate(64, false).expect("there is memory");
    assert_eq!(device.free(buffer + 8), Err(INVALID_VALUE));
    device.free(buffer).expect("it is free");
    let parameters = [buffer.to_le_bytes(), [0; 8]].concat();
    let launch = Launch { grid: [1; 3], block: [1; 3], shared: 0, allowed_shared: 0, parameters };
    assert_eq!(device.launch(kernel, launch.clone(), 0), Ok(()));
    assert!(device.message.contains("byte 0 of freed memory of 64 bytes"), "{}", device.message);
    assert_eq!(device.allocate(8, false), Err(ILLEGAL_ADDRESS));
    assert_eq!(device.launch(kernel, launch, 0), Err(ILLEGAL_ADDRESS));
    assert_eq!(device.synchronize(0), Err(ILLEGAL_ADDRESS));
    let report = device.report.json();
    assert!(
        report.contains("\"k\": {\"launches\": 1, \"threads\": 1, \"failures\": 1"),
        "{report}"
    );
}

#[test]
fn kernels_that_end_badly() {
    assert_eq!(Test::threads(1).fails("trap;").0, ILLEGAL_INSTRUCTION);
    assert_eq!(Test::threads(1).fails("L: bra.uni L;").0, LAUNCH_TIMEOUT);
}
