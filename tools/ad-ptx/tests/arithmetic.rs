//! Instructions that compute: values are worked out by hand.

mod common;

use common::{f32_text, f64_text, one, one_32, one_f32, one_f64};

/// The result of one instruction in `%r3`.
fn op_32(instruction: &str) -> u32 {
    one_32(&format!("{instruction};"))
}

#[test]
fn integers() {
    assert_eq!(op_32("add.s32 %r3, 7, -9"), -2i32 as u32);
    assert_eq!(op_32("mul.hi.u32 %r3, 0x80000000, 6"), 3);
    assert_eq!(op_32("mul.hi.s32 %r3, 0x80000000, 6"), -3i32 as u32);
    assert_eq!(op_32("mad.lo.s32 %r3, -3, 5, 1"), -14i32 as u32);
    assert_eq!(op_32("div.s32 %r3, -7, 2"), -3i32 as u32);
    assert_eq!(op_32("rem.s32 %r3, -7, 2"), -1i32 as u32);
    assert_eq!(op_32("div.u32 %r3, -7, 2"), 0x7fff_fffc);
    assert_eq!(op_32("min.s32 %r3, -7, 2"), -7i32 as u32);
    assert_eq!(op_32("min.u32 %r3, -7, 2"), 2);
    assert_eq!(op_32("abs.s32 %r3, -7"), 7);
    assert_eq!(op_32("sad.s32 %r3, -7, 2, 1"), 10);
    assert_eq!(op_32("add.sat.s32 %r3, 0x7fffffff, 2"), 0x7fff_ffff);
    assert_eq!(one("mul.wide.s32 %rd3, -3, 4;"), -12i64 as u64);
    assert_eq!(one("mul.wide.u32 %rd3, -3, 4;"), 4 * 0xffff_fffd);
    assert_eq!(one("mul.hi.u64 %rd3, -1, -1;"), u64::MAX - 1);
    assert_eq!(one("mul.hi.s64 %rd3, -1, -1;"), 0);
    assert_eq!(one("add.s16 %rs1, 0x7fff, 1; cvt.s64.s16 %rd3, %rs1;"), -32768i64 as u64);
}

/// A sum and a product of 128 bits in words of 32 and 64 bits.
#[test]
fn carries() {
    assert_eq!(one("add.cc.u64 %rd4, -1, 1; addc.u64 %rd3, 5, 0;"), 6);
    assert_eq!(one("sub.cc.u64 %rd4, 0, 1; subc.u64 %rd3, 5, 0;"), 4);
    assert_eq!(op_32("add.cc.u32 %r4, -1, 1; addc.cc.u32 %r5, -1, 0; addc.u32 %r3, 0, 0"), 1);
    assert_eq!(op_32("sub.cc.u32 %r4, 3, 3; subc.u32 %r3, 9, 4"), 5);
    // (2^32 - 1)^2 = 2^64 - 2^33 + 1: the sum of its halves and 2^32 - 1 carries.
    assert_eq!(op_32("mad.lo.cc.u32 %r4, -1, -1, -1; madc.hi.u32 %r3, -1, -1, 0"), 0xffff_ffff);
    assert_eq!(op_32("mad.lo.cc.u32 %r4, -1, -1, 0; madc.hi.u32 %r3, -1, -1, 0"), 0xffff_fffe);
}

#[test]
fn bits() {
    assert_eq!(op_32("bfe.u32 %r3, 0xabcd1234, 8, 12"), 0xd12);
    assert_eq!(op_32("bfe.s32 %r3, 0xabcd1234, 20, 12"), 0xffff_fabc);
    // Beyond the top bit, the sign goes on.
    assert_eq!(op_32("bfe.s32 %r3, 0x80000000, 28, 12"), 0xffff_fff8);
    assert_eq!(op_32("bfe.u32 %r3, 0x80000000, 28, 12"), 8);
    assert_eq!(op_32("bfi.b32 %r3, 0xff, 0x12345678, 8, 4"), 0x1234_5f78);
    assert_eq!(op_32("brev.b32 %r3, 1"), 0x8000_0000);
    assert_eq!(op_32("clz.b64 %r3, 1"), 63);
    assert_eq!(op_32("popc.b64 %r3, -1"), 64);
    assert_eq!(op_32("bfind.u32 %r3, 0x100"), 8);
    assert_eq!(op_32("bfind.s32 %r3, -1"), u32::MAX);
    assert_eq!(op_32("prmt.b32 %r3, 0x33221100, 0x77665584, 0x7c40"), 0x77_ff_84_00);
    assert_eq!(op_32("shf.l.wrap.b32 %r3, 0x80000001, 0x12, 33"), 0x25);
    assert_eq!(op_32("shf.r.clamp.b32 %r3, 0x80000001, 0x12, 40"), 0x12);
    assert_eq!(op_32("lop3.b32 %r3, 12, 10, 6, 0x96"), 12 ^ 10 ^ 6);
    // Amounts are not taken modulo the width.
    assert_eq!(op_32("shl.b32 %r3, 1, 32"), 0);
    assert_eq!(op_32("shr.s32 %r3, -8, 40"), u32::MAX);
    assert_eq!(op_32("shr.u32 %r3, -8, 40"), 0);
    assert_eq!(op_32("shr.s32 %r3, -8, 2"), -2i32 as u32);
    assert_eq!(op_32("cnot.b32 %r3, 0"), 1);
}

#[test]
fn rounding() {
    let (one, tiny) = (f32_text(1.0), f32_text(1e-20));
    let add = |how: &str| one_f32(&format!("add.{how}.f32 %r3, {one}, {tiny};"));
    assert_eq!(add("rn"), 1.0);
    assert_eq!(add("rz"), 1.0);
    assert_eq!(add("rm"), 1.0);
    assert_eq!(add("rp"), 1f32.next_up());
    let negative = f32_text(-1e-20);
    assert_eq!(one_f32(&format!("add.rz.f32 %r3, {one}, {negative};")), 1f32.next_down());
    let third =
        |how: &str| one_f64(&format!("div.{how}.f64 %rd3, {}, {};", f64_text(1.0), f64_text(3.0)));
    // 1/3 is rounded down to nearest.
    assert_eq!(third("rn"), 1.0 / 3.0);
    assert_eq!(third("rm"), 1.0 / 3.0);
    assert_eq!(third("rp"), (1.0f64 / 3.0).next_up());
    let fma = |how: &str| {
        let x = f64_text(1.0 + f64::EPSILON);
        one_f64(&format!("fma.{how}.f64 %rd3, {x}, {x}, {};", f64_text(-1.0)))
    };
    // (1 + e)^2 - 1 = 2 e + e^2.
    assert_eq!(fma("rz"), 2.0 * f64::EPSILON + f64::EPSILON * f64::EPSILON);
    let sqrt = |how: &str| one_f64(&format!("sqrt.{how}.f64 %rd3, {};", f64_text(2.0)));
    assert_eq!(sqrt("rn"), 2f64.sqrt());
    assert!(sqrt("rm") < sqrt("rp"));
}

#[test]
fn floats() {
    let subnormal = f32_text(1e-40);
    assert_eq!(one_f32(&format!("add.f32 %r3, {subnormal}, {subnormal};")), 1e-40f32 + 1e-40f32);
    assert_eq!(one_f32(&format!("add.ftz.f32 %r3, {subnormal}, {subnormal};")), 0.0);
    assert_eq!(one_f32(&format!("mul.sat.f32 %r3, {}, {};", f32_text(3.0), f32_text(2.0))), 1.0);
    let (nan, two) = (f64_text(f64::NAN), f64_text(2.0));
    assert_eq!(one_f64(&format!("max.f64 %rd3, {nan}, {two};")), 2.0);
    let zeros = format!("min.f64 %rd3, {}, {};", f64_text(0.0), f64_text(-0.0));
    assert!(one_f64(&zeros).is_sign_negative());
    let signs = format!("copysign.f64 %rd3, {}, {two};", f64_text(-0.0));
    assert_eq!(one_f64(&signs), -2.0);
    assert_eq!(one_f32(&format!("ex2.approx.ftz.f32 %r3, {};", f32_text(3.0))), 8.0);
    // The lower half of neither number counts.
    let rough = format!("rcp.approx.ftz.f64 %rd3, {};", f64_text(3.0));
    assert_eq!(one(&rough) & 0xffff_ffff, 0);
    assert!((one_f64(&rough) - 1.0 / 3.0).abs() < 1e-6);
    let test = |what: &str, x: f64| {
        one_32(&format!("testp.{what}.f64 %p1, {}; selp.b32 %r3, 1, 0, %p1;", f64_text(x)))
    };
    assert_eq!(
        [test("finite", 1.0), test("finite", f64::INFINITY), test("subnormal", 1e-310)],
        [1, 0, 1]
    );
}

#[test]
fn comparisons() {
    let compare = |what: &str, a: f64, b: f64| {
        one_32(&format!(
            "setp.{what}.f64 %p1|%p2, {}, {}; selp.b32 %r3, 1, 0, %p1; selp.b32 %r4, 2, 0, %p2; or.b32 %r3, %r3, %r4;",
            f64_text(a),
            f64_text(b)
        ))
    };
    assert_eq!(compare("lt", 1.0, 2.0), 1);
    assert_eq!(compare("lt", 1.0, f64::NAN), 2);
    assert_eq!(compare("ltu", 1.0, f64::NAN), 1);
    assert_eq!(compare("ne", f64::NAN, f64::NAN), 2);
    assert_eq!(compare("neu", f64::NAN, f64::NAN), 1);
    assert_eq!(compare("nan", f64::NAN, 0.0), 1);
    assert_eq!(compare("num", 0.0, 0.0), 1);
    let combine =
        "setp.eq.s32 %p1, 1, 1; setp.gt.and.u32 %p2, -1, 1, !%p1; selp.b32 %r3, 1, 0, %p2;";
    assert_eq!(one_32(combine), 0);
    // What is negated is as it was afterwards.
    let kept = "setp.eq.s32 %p1, 1, 1; setp.gt.or.u32 %p2, 0, 1, !%p1; selp.b32 %r3, 1, 0, %p1;";
    assert_eq!(one_32(kept), 1);
}

#[test]
fn conversions() {
    let to_integer =
        |how: &str, x: f64| one_32(&format!("cvt.{how}.s32.f64 %r3, {};", f64_text(x))) as i32;
    assert_eq!(
        [to_integer("rni", 2.5), to_integer("rni", 3.5), to_integer("rni", -2.5)],
        [2, 4, -2]
    );
    assert_eq!(
        [to_integer("rzi", -2.9), to_integer("rmi", -2.1), to_integer("rpi", -2.9)],
        [-2, -3, -2]
    );
    // Beyond the bounds are the bounds; what is no number is zero only for narrow types.
    assert_eq!([to_integer("rzi", 1e10), to_integer("rzi", -1e10)], [i32::MAX, i32::MIN]);
    assert_eq!(one(&format!("cvt.rzi.s64.f64 %rd3, {};", f64_text(f64::NAN))), 1 << 63);
    assert_eq!(one_32(&format!("cvt.rzi.s32.f32 %r3, {};", f32_text(f32::NAN))), 0);
    assert_eq!(one("cvt.s64.s32 %rd3, -5;"), -5i64 as u64);
    assert_eq!(one("cvt.u64.u32 %rd3, -5;"), 0xffff_fffb);
    assert_eq!(op_32("cvt.s32.s8 %r3, 0xf0"), -16i32 as u32);
    assert_eq!(op_32("cvt.u32.u64 %r3, 0x123456789"), 0x2345_6789);
    assert_eq!(op_32("cvt.sat.u8.s32 %r3, 300"), 255);
    assert_eq!(one_f32("cvt.rn.f32.s32 %r3, 16777217;"), 16_777_216.0);
    assert_eq!(one_f32("cvt.rp.f32.s32 %r3, 16777217;"), 16_777_218.0);
    assert_eq!(one_f32(&format!("cvt.rn.f32.f64 %r3, {};", f64_text(0.1))), 0.1);
    assert_eq!(one_f32(&format!("cvt.rm.f32.f64 %r3, {};", f64_text(0.1))), 0.1f32.next_down());
    assert_eq!(one_f64(&format!("cvt.rmi.f64.f64 %rd3, {};", f64_text(-0.5))), -1.0);
}

/// Half precision: 2049 lies between 2048 and 2050; 65520 is the first that overflows; 2^-24 is the least.
#[test]
fn halves() {
    let half = |ty: &str, how: &str, x: f32| {
        one_32(&format!("cvt.{how}.{ty}.f32 %rs1, {}; cvt.u32.u16 %r3, %rs1;", f32_text(x)))
    };
    assert_eq!(half("f16", "rn", 1.0), 0x3c00);
    assert_eq!([half("f16", "rn", 2049.0), half("f16", "rn", 2051.0)], [0x6800, 0x6802]);
    assert_eq!([half("f16", "rn", 65519.0), half("f16", "rn", 65520.0)], [0x7bff, 0x7c00]);
    assert_eq!(half("f16", "rz", 1e9), 0x7bff);
    assert_eq!([half("f16", "rn", 5.960_464_5e-8), half("f16", "rn", 2e-8)], [1, 0]);
    assert_eq!(half("bf16", "rn", 1.0 + 1.0 / 256.0), 0x3f80);
    assert_eq!(half("bf16", "rn", -2.0), 0xc000);
    let back = "mov.b16 %rs1, 0xbe00; cvt.f32.f16 %r3, %rs1;";
    assert_eq!(one_f32(back), -1.5);
    let sum = "mov.b16 %rs1, 0x3c00; add.f16 %rs2, %rs1, %rs1; cvt.f32.f16 %r3, %rs2;";
    assert_eq!(one_f32(sum), 2.0);
    // Two in a register: 1 and -2, to both of which 1 is added; NaN beside a number.
    let packed = |operation: &str, b: &str| {
        let start = "mov.b32 %r1, 0xc0003c00";
        one_32(&format!("{start}; mov.b32 %r2, {b}; {operation} %r3, %r1, %r2;"))
    };
    assert_eq!(packed("add.rn.f16x2", "0x3c003c00"), 0xbc00_4000);
    assert_eq!(packed("max.f16x2", "0x38007e00"), 0x3800_3c00);
    assert_eq!(packed("max.NaN.f16x2", "0x38007e00") >> 16, 0x3800);
    assert!(packed("max.NaN.f16x2", "0x38007e00") & 0x7fff > 0x7c00);
    // Each half has a predicate: 1 is compared with what is no number, -2 with 2.
    let compared = |how: &str| {
        let start = "mov.b32 %r1, 0xc0003c00; mov.b32 %r2, 0x40007e00";
        let end = "selp.b32 %r3, 1, 0, %p1; selp.b32 %r4, 2, 0, %p2; or.b32 %r3, %r3, %r4;";
        one_32(&format!("{start}; setp.{how}.f16x2 %p1|%p2, %r1, %r2; {end}"))
    };
    assert_eq!(["nan", "num", "lt", "geu"].map(compared), [1, 2, 2, 1]);
    let tf32 = one_32(&format!("cvt.rna.tf32.f32 %r3, {};", f32_text(f32::from_bits(0x3f80_1000))));
    assert_eq!(tf32, 0x3f80_2000);
}

#[test]
fn moves() {
    assert_eq!(one("mov.b64 %rd3, {5, 7};"), 7 << 32 | 5);
    assert_eq!(op_32("mov.b64 {_, %r3}, 0x700000005"), 7);
    let scope = "mov.b64 %rd4, 0x700000005; { .reg .b32 t; mov.b64 {%r3, t}, %rd4; }";
    assert_eq!(one_32(scope), 5);
    assert_eq!(op_32("slct.b32.s32 %r3, 1, 2, -1"), 2);
    assert_eq!(
        one("mov.b16 %rs1, 1; mov.b16 %rs2, 2; mov.b32 %r1, {%rs1, %rs2}; cvt.u64.u32 %rd3, %r1;"),
        0x20001
    );
}
