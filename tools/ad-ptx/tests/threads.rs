//! Threads together: branches, calls, barriers, shuffles, votes, atomic operations, and what goes wrong.

mod common;

use ad_ptx::fault::LAUNCH_FAILED;
use common::{Test, one, one_f64};

/// Each lane of a warp writes what a shuffle gives, and whether it was within its bounds, times 100.
fn shuffle(instruction: &str) -> Vec<u64> {
    let body = format!(
        "{instruction}; cvt.u64.u32 %rd3, %r3; @%p1 add.s64 %rd3, %rd3, 100; st.global.b64 [%rd2], %rd3;"
    );
    Test::threads(32).run(&body, &[]).expect("it runs")
}

#[test]
fn shuffles() {
    let expect = |f: &dyn Fn(u64) -> (u64, bool)| -> Vec<u64> {
        (0..32).map(f).map(|(lane, within)| lane + if within { 100 } else { 0 }).collect()
    };
    let up = expect(&|l| if l >= 3 { (l - 3, true) } else { (l, false) });
    assert_eq!(shuffle("shfl.sync.up.b32 %r3|%p1, %r0, 3, 0, -1"), up);
    let down = expect(&|l| if l + 5 < 32 { (l + 5, true) } else { (l, false) });
    assert_eq!(shuffle("shfl.sync.down.b32 %r3|%p1, %r0, 5, 31, -1"), down);
    assert_eq!(shuffle("shfl.sync.bfly.b32 %r3|%p1, %r0, 6, 31, -1"), expect(&|l| (l ^ 6, true)));
    assert_eq!(shuffle("shfl.sync.idx.b32 %r3|%p1, %r0, 9, 31, -1"), expect(&|_| (9, true)));
    // In segments of 8 lanes: the upper bits of the bounds are those of the lane that stay.
    let segments = expect(&|l| if l % 8 + 2 < 8 { (l + 2, true) } else { (l, false) });
    assert_eq!(shuffle("shfl.sync.down.b32 %r3|%p1, %r0, 2, 0x1807, -1"), segments);
    assert_eq!(
        shuffle("shfl.sync.idx.b32 %r3|%p1, %r0, 3, 0x1807, -1"),
        expect(&|l| (l / 8 * 8 + 3, true))
    );
}

#[test]
fn votes_and_reductions() {
    let odd = "and.b32 %r1, %r0, 1; setp.ne.b32 %p1, %r1, 0;";
    let ballot = format!(
        "{odd} vote.sync.ballot.b32 %r3, !%p1, -1; cvt.u64.u32 %rd3, %r3; st.global.b64 [%rd2], %rd3;"
    );
    assert_eq!(Test::threads(32).run(&ballot, &[]), Ok(vec![0x5555_5555; 32]));
    let any = format!(
        "{odd} vote.sync.any.pred %p2, %p1, -1; vote.sync.all.pred %p3, %p1, -1; \
         selp.b64 %rd3, 1, 0, %p2; selp.b64 %rd4, 2, 0, %p3; or.b64 %rd3, %rd3, %rd4; st.global.b64 [%rd2], %rd3;"
    );
    assert_eq!(Test::threads(32).run(&any, &[]), Ok(vec![1; 32]));
    let sum = "redux.sync.add.s32 %r3, %r0, -1; cvt.u64.u32 %rd3, %r3; st.global.b64 [%rd2], %rd3;";
    assert_eq!(Test::threads(32).run(sum, &[]), Ok(vec![31 * 16; 32]));
}

/// Lanes that come to an instruction together are told who they are, whatever branch they came through.
#[test]
fn active_lanes() {
    let write = "cvt.u64.u32 %rd3, %r3; st.global.b64 [%rd2], %rd3;";
    let all = format!("activemask.b32 %r3; {write}");
    assert_eq!(
        Test::threads(40).run(&all, &[]),
        Ok([[0xffff_ffff; 32].as_slice(), &[0xff; 8]].concat())
    );
    let body = format!(
        "setp.lt.u32 %p1, %r0, 5; @%p1 bra LOW; activemask.b32 %r3; bra.uni DONE; \
         LOW: activemask.b32 %r3; DONE: bar.warp.sync %r3; {write}"
    );
    let expected = (0..32).map(|lane| if lane < 5 { 0x1f } else { 0xffff_ffe0 });
    assert_eq!(Test::threads(32).run(&body, &[]), Ok(expected.collect()));
}

/// Lanes below 16 and the others shuffle by themselves, each with the mask of its half.
#[test]
fn divergent_branches() {
    let body = "
        setp.lt.u32 %p1, %r0, 16;
        mov.b32 %r3, 7;
        @%p1 bra LOW;
        shfl.sync.idx.b32 %r3, %r0, 20, 31, 0xffff0000;
        bra.uni DONE;
    LOW:
        shfl.sync.idx.b32 %r3, %r0, 2, 31, 0x0000ffff;
    DONE:
        bar.warp.sync -1;
        cvt.u64.u32 %rd3, %r3;
        st.global.b64 [%rd2], %rd3;";
    for seed in 0..4 {
        let found = Test { seed, ..Test::threads(32) }.run(body, &[]);
        let expected: Vec<u64> = (0..32).map(|lane| if lane < 16 { 2 } else { 20 }).collect();
        assert_eq!(found, Ok(expected));
    }
}

/// Threads reverse an array in shared memory; some have ended before the second barrier.
#[test]
fn barriers() {
    let body = "
        .shared .align 8 .b8 s[512];
        mov.b64 %rd3, s;
        shl.b32 %r1, %r0, 3;
        cvt.u64.u32 %rd4, %r1;
        add.s64 %rd5, %rd3, %rd4;
        cvt.u64.u32 %rd6, %r0;
        st.shared.b64 [%rd5], %rd6;
        bar.sync 0;
        sub.s64 %rd5, %rd3, %rd4;
        ld.shared.b64 %rd7, [%rd5+504];
        st.global.b64 [%rd2], %rd7;
        setp.gt.u32 %p1, %r0, 40;
        @%p1 exit;
        bar.sync 0;";
    let expected: Vec<u64> = (0..64).rev().collect();
    for seed in 0..4 {
        assert_eq!(Test { seed, ..Test::threads(64) }.run(body, &[]), Ok(expected.clone()));
    }
    // Without the barrier, threads read what others have not written yet, in some order.
    let racing = body.replacen("bar.sync 0;", "", 1);
    let differs =
        |seed| Test { seed, ..Test::threads(64) }.run(&racing, &[]) != Ok(expected.clone());
    assert!((0..4).any(differs));
}

#[test]
fn lanes_that_never_come() {
    let (code, text) = Test::threads(32).fails(
        "
        setp.eq.u32 %p1, %r0, 3;
        @%p1 ret;
        shfl.sync.down.b32 %r3, %r0, 1, 31, -1;",
    );
    assert_eq!(code, LAUNCH_FAILED);
    assert!(text.contains("waits for lanes that never come"), "{text}");
    assert!(text.contains("lane 3 has ended"), "{text}");
    assert!(text.contains("'shfl.sync.down.b32 %r3, %r0, 1, 31, -1;'"), "{text}");
    let (code, text) = Test::threads(16).fails("shfl.sync.down.b32 %r3, %r0, 1, 31, -1;");
    assert_eq!(code, LAUNCH_FAILED);
    assert!(text.contains("lane 16 is not there"), "{text}");
    let (_, text) = Test::threads(32).fails("shfl.sync.down.b32 %r3, %r0, 1, 31, 1;");
    assert!(text.contains("lane 1 is not in its own mask 0x00000001"), "{text}");
    let (_, text) = Test::threads(64).fails(
        "
        setp.lt.u32 %p1, %r0, 32;
        @%p1 bar.sync 0;
        @!%p1 bar.sync 1;",
    );
    assert!(text.contains("a barrier waits for threads that never come"), "{text}");
}

/// A function gives twice what it is given, and one more in a second result field, from local memory.
const TWICE: &str = "
    .func (.param .align 8 .b8 result[16]) twice(.param .b64 given)
    {
        .local .align 8 .b8 depot[16];
        .reg .b64 %SP;
        .reg .b64 %rd<4>;
        mov.b64 %SP, depot;
        ld.param.b64 %rd1, [given];
        add.s64 %rd2, %rd1, %rd1;
        st.local.b64 [%SP+8], %rd2;
        ld.local.b64 %rd3, [%SP+8];
        st.param.b64 [result], %rd3;
        add.s64 %rd3, %rd3, 1;
        st.param.b64 [result+8], %rd3;
        ret;
    }";

#[test]
fn calls() {
    let body = "
        cvt.u64.u32 %rd4, %r0;
        {
        .param .b64 param0;
        .param .align 8 .b8 retval0[16];
        st.param.b64 [param0], %rd4;
        call.uni (retval0), twice, (param0);
        ld.param.b64 %rd5, [retval0];
        ld.param.b64 %rd6, [retval0+8];
        }
        mul.lo.s64 %rd5, %rd5, %rd6;
        st.global.b64 [%rd2], %rd5;";
    let test = Test { before: TWICE.to_owned(), ..Test::threads(40) };
    let expected = (0..40).map(|n| 2 * n * (2 * n + 1)).collect();
    assert_eq!(test.run(body, &[]), Ok(expected));
}

#[test]
fn atomics() {
    let body = "
        atom.global.add.u64 %rd3, [%rd0], 2;
        red.global.max.s64 [%rd0+8], %rd3;
        atom.global.add.f64 %rd4, [%rd0+16], 0d3FF8000000000000;
        atom.global.cas.b64 %rd5, [%rd0+24], 0, 5;
        atom.global.inc.u32 %r1, [%rd0+32], 6;
        bar.sync 0;
        shl.b32 %r1, %r0, 3;
        cvt.u64.u32 %rd6, %r1;
        add.s64 %rd6, %rd6, %rd0;
        ld.global.b64 %rd7, [%rd6];
        st.global.b64 [%rd2], %rd7;";
    // Only the first five threads read what all have made.
    let body = body.replace("bar.sync 0;", "bar.sync 0; setp.gt.u32 %p1, %r0, 4; @%p1 ret;");
    let test = Test { words: 5, seed: 3, ..Test::threads(96) };
    let minus = -1i64 as u64;
    let found = test.run(&body, &[10, minus, 0, 0, 0]).expect("it runs");
    assert_eq!(found, [10 + 2 * 96, 10 + 2 * 95, 144f64.to_bits(), 5, 96 % 7]);
}

/// The sum of 1/n for n up to 10, in a loop.
#[test]
fn loops() {
    let sum = one_f64(
        "
        mov.b64 %rd3, 0d0000000000000000;
        mov.b64 %rd4, 0d3FF0000000000000;
        mov.b32 %r1, 0;
    L:
        rcp.rn.f64 %rd5, %rd4;
        add.f64 %rd3, %rd3, %rd5;
        add.f64 %rd4, %rd4, 0d3FF0000000000000;
        add.s32 %r1, %r1, 1;
        setp.lt.s32 %p1, %r1, 10;
        @%p1 bra L;",
    );
    assert_eq!(sum, (1..=10).map(|n| 1.0 / f64::from(n)).sum());
    assert_eq!(one("mov.b64 %rd3, 1; setp.eq.s32 %p1, 0, 1; @!%p1 mov.b64 %rd3, 2;"), 2);
}

/// Lanes go on at one of several labels, by their number; there has to be one for each.
#[test]
fn branches_by_number() {
    let body = |lanes: &str| {
        format!(
            "and.b32 %r1, %r0, {lanes}; mov.b64 %rd3, 9;
             LIST: .branchtargets FIRST, SECOND, DONE;
             brx.idx %r1, LIST;
             FIRST: mov.b64 %rd3, 5; bra.uni DONE;
             SECOND: mov.b64 %rd3, 7;
             DONE: st.global.b64 [%rd2], %rd3;"
        )
    };
    let expect: Vec<u64> = (0..32).map(|lane| [5, 7, 5, 7][lane % 4]).collect();
    assert_eq!(Test::threads(32).run(&body("1"), &[]), Ok(expect));
    let expect: Vec<u64> = (0..32).map(|lane| [5, 5, 9, 9][lane % 4]).collect();
    assert_eq!(Test::threads(32).run(&body("2"), &[]), Ok(expect));
    assert!(Test::threads(32).run(&body("3"), &[]).is_err());
}
