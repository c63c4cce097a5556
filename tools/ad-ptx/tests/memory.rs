//! Memory: spaces, vectors, constants, and accesses that are not allowed.

mod common;

use ad_ptx::fault::{ASSERT, ILLEGAL_ADDRESS, MISALIGNED_ADDRESS};
use common::{Test, one};

#[test]
fn constants_and_vectors() {
    let before = ".global .align 8 .b64 table[3] = {1, -2, 0d3FF0000000000000};\n\
                  .const .align 4 .b8 bytes[4] = {1, 2, 255};";
    let test = Test { before: before.to_owned(), words: 4, ..Test::threads(1) };
    let body = "
        mov.b64 %rd3, table;
        ld.global.nc.b64 %rd4, [%rd3+8];
        ld.global.b64 %rd5, [table+16];
        ld.const.s8 %rd6, [bytes+2];
        ld.const.u8 %rd7, [bytes+3];
        st.global.v2.b64 [%rd1], {%rd4, %rd5};
        st.global.v2.b64 [%rd1+16], {%rd6, %rd7};";
    let expected = vec![-2i64 as u64, 1f64.to_bits(), -1i64 as u64, 0];
    assert_eq!(test.run(body, &[]), Ok(expected));
}

/// A generic address finds shared and local memory.
#[test]
fn generic_addresses() {
    let body = "
        .shared .align 8 .b8 s[8];
        .local .align 8 .b8 l[8];
        mov.b64 %rd4, s;
        cvta.shared.u64 %rd4, %rd4;
        mov.b64 %rd5, l;
        cvta.local.u64 %rd5, %rd5;
        st.b64 [%rd4], 3;
        st.b64 [%rd5], 4;
        ld.shared.b64 %rd6, [s];
        ld.local.b64 %rd7, [l];
        isspacep.shared %p1, %rd4;
        isspacep.global %p2, %rd1;
        shl.b64 %rd6, %rd6, 4;
        or.b64 %rd3, %rd6, %rd7;
        @%p1 or.b64 %rd3, %rd3, 256;
        @%p2 or.b64 %rd3, %rd3, 512;";
    assert_eq!(one(body), 0x334);
}

#[test]
fn nothing_is_zero_that_nobody_wrote() {
    for seed in 0..3 {
        let test = Test { seed, ..Test::threads(1) };
        for read in [
            ".shared .align 8 .b8 s[8]; ld.shared.b64 %rd3, [s];",
            ".local .align 8 .b8 l[8]; ld.local.b64 %rd3, [l];",
            "ld.global.b64 %rd3, [%rd1];",
            "mov.b64 %rd3, %rd9;",
        ] {
            let found = test.run(&format!("{read} st.global.b64 [%rd2], %rd3;"), &[]);
            assert_ne!(found.expect("it runs")[0], 0, "{read}");
        }
    }
}

#[test]
fn outside() {
    let illegal = |body: &str, says: &str| {
        let (code, text) = Test { words: 2, ..Test::threads(2) }.fails(body);
        assert_eq!(code, ILLEGAL_ADDRESS, "{text}");
        assert!(text.contains(says), "{text}");
    };
    illegal("ld.global.b64 %rd3, [%rd1+16];", "8 bytes at 16 of an allocation of 16 bytes");
    illegal("st.global.b64 [%rd1+-8], 0;", "beyond the end of an allocation of 32 bytes");
    illegal("ld.global.b32 %r3, [%rd2+12];", "thread [1, 0, 0]");
    illegal("ld.global.b64 %rd3, [16];", "memory of the host");
    illegal("atom.global.add.u32 %r3, [%rd1+16], 1;", "of an allocation of 16 bytes");
    illegal(
        ".shared .align 8 .b8 s[16]; ld.shared.b64 %rd3, [s+16];",
        "byte 16 of a variable of 16",
    );
    illegal(".local .align 8 .b8 l[16]; st.local.b64 [l+16], 0;", "the thread has 16 bytes");
    let (code, text) = Test::threads(1).fails("ld.global.v2.b64 {%rd3, %rd4}, [%rd0+8];");
    assert_eq!(code, MISALIGNED_ADDRESS);
    assert!(text.contains("is no multiple of 16"), "{text}");
    let (code, _) = Test::threads(1).fails("ld.global.b64 %rd3, [%rd0+4];");
    assert_eq!(code, MISALIGNED_ADDRESS);
}

/// Between two variables in shared memory there is nothing, though the hardware has them side by side.
#[test]
fn between_variables() {
    let body = ".shared .align 8 .b8 s[16]; .shared .align 8 .b8 t[16];
        st.shared.b64 [s], 1; st.shared.b64 [t], 2; mov.b64 %rd3, s; ld.shared.b64 %rd4, [%rd3+16];";
    assert_eq!(Test::threads(1).fails(body).0, ILLEGAL_ADDRESS);
}

/// Each thread has memory of its own, and frees it.
#[test]
fn memory_of_kernels() {
    let call = |name: &str, size: &str| {
        let results = if name == "malloc" { "(result), " } else { "" };
        format!(
            "{{ .param .b64 given; .param .b64 result; st.param.b64 [given], {size}; call.uni {results}{name}, (given); \
             ld.param.b64 %rd3, [result]; }}"
        )
    };
    let (malloc, free) = (call("malloc", "16"), call("free", "%rd4"));
    let body = format!(
        "{malloc} mov.b64 %rd4, %rd3; cvt.u64.u32 %rd5, %r0; st.b64 [%rd4+8], %rd5; ld.b64 %rd6, [%rd4+8]; \
         {free} st.global.b64 [%rd2], %rd6;"
    );
    assert_eq!(Test::threads(4).run(&body, &[]), Ok(vec![0, 1, 2, 3]));
    let twice = format!("{malloc} mov.b64 %rd4, %rd3; {free} {free}");
    assert!(Test::threads(1).fails(&twice).1.contains("where no memory of malloc begins"));
    let beyond = format!("{malloc} ld.b64 %rd6, [%rd3+16];");
    assert_eq!(Test::threads(1).fails(&beyond).0, ILLEGAL_ADDRESS);
    // More than the heap has is not there.
    let large = format!("{} st.global.b64 [%rd2], %rd3;", call("malloc", "8388609"));
    assert_eq!(Test::threads(1).run(&large, &[]), Ok(vec![0]));
}

/// The address of a parameter of a kernel may be chosen, and read by `ld.param` only.
#[test]
fn parameters_by_address() {
    let choose = "setp.eq.u32 %p1, %r0, 0; mov.b64 %rd3, k_param_0; mov.b64 %rd4, k_param_1; \
                  selp.b64 %rd5, %rd3, %rd4, %p1;";
    let body = format!(
        "{choose} ld.param.b64 %rd6, [%rd5]; sub.s64 %rd6, %rd6, %rd1; st.global.b64 [%rd2], %rd6;"
    );
    let values = Test::threads(2).run(&body, &[7]).unwrap();
    assert!(values[0] != 0 && values[1] == 0, "{values:?}");
    let global = format!("{choose} ld.global.b64 %rd6, [%rd5];");
    assert_eq!(Test::threads(1).fails(&global).0, ILLEGAL_ADDRESS);
    let beyond = format!("{choose} ld.param.b64 %rd6, [%rd5+1000];");
    assert!(Test::threads(1).fails(&beyond).1.contains("no parameter"));
}

/// What fails is said by the message that `__assertfail` is given.
#[test]
fn assertions() {
    let mut test = Test::threads(2);
    test.before = ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e)\n\
                   .noreturn;\n.global .align 1 .b8 message[4] = {111, 104, 33};"
        .into();
    let call = |condition: &str| {
        format!(
            "setp.{condition}.u32 %p1, %r0, 5; @%p1 bra $L1; \
             {{ .param .b64 p0; .param .b64 p1; .param .b32 p2; .param .b64 p3; .param .b64 p4; \
             mov.b64 %rd3, message; cvta.global.u64 %rd4, %rd3; st.param.b64 [p0], %rd4; st.param.b64 [p1], %rd4; \
             st.param.b32 [p2], 1; st.param.b64 [p3], %rd4; st.param.b64 [p4], 1; \
             call.uni __assertfail, (p0, p1, p2, p3, p4); }}\n$L1: st.global.b64 [%rd2], 1;"
        )
    };
    assert_eq!(test.run(&call("lt"), &[]), Ok(vec![1, 1]));
    let (code, text) = test.run(&call("gt"), &[]).unwrap_err();
    assert_eq!(code, ASSERT);
    assert!(text.contains("assertion failed: oh!"), "{text}");
}
