//! Shuffles against the definition of `gpu.shuffle`, lane by lane.

mod common;

use ad_emulate::shuffle::{DOWN, IDX, UP, XOR};
use common::{alone, cells, launch, launch_calls, no_errors, only_error};

const DIVERGENT: &str = "shuffle is not reached by all threads of a subgroup of @k";

/// The lane that a lane reads, written down once more.
fn source(lane: i32, offset: i32, width: i32, mode: i32) -> Option<i32> {
    let other = match mode {
        XOR => lane ^ offset,
        UP => lane - offset,
        DOWN => lane + offset,
        _ => offset,
    };
    (lane < width && (0..width).contains(&other)).then_some(other)
}

#[test]
fn all_modes_widths_and_offsets_read_the_lanes_they_name() {
    let _alone = alone(7, false);
    // The last subgroup has 16 lanes, and in the second all from the lane 20 have ended.
    let (threads, ended) = (80, 52..64);
    for mode in [XOR, UP, DOWN, IDX] {
        for width in [1, 2, 7, 8, 16, 31, 32] {
            for offset in [0, 1, 2, 5, 15, 16, 31, 32, -1] {
                let got = cells(threads, (0, false));
                launch([1, 1, 1], [threads as i64, 1, 1], |t| {
                    if !ended.contains(&t.x()) {
                        let value = t.shuffle(t.x() as i32 + 100, offset, width, mode);
                        got[t.x()].set((value, t.valid(offset, width, mode)));
                    }
                });
                no_errors();
                for thread in (0..threads).filter(|thread| !ended.contains(thread)) {
                    let first = thread / 32 * 32;
                    let other = source((thread - first) as i32, offset, width, mode);
                    let active = other
                        .map(|lane| first + lane as usize)
                        .filter(|other| *other < threads && !ended.contains(other));
                    let expected = (active.unwrap_or(thread) as i32 + 100, other.is_some());
                    let case = format!("thread {thread}, {mode} {offset} {width}");
                    assert_eq!(got[thread].get(), expected, "{case}");
                }
            }
        }
    }
}

#[test]
fn butterflies_sum_in_every_type_and_order() {
    for seed in 0..4 {
        let _alone = alone(seed, false);
        let sums = cells(96, (0, 0, 0.0, 0.0));
        launch([1, 1, 1], [32, 3, 1], |t| {
            let i = t.x() + 32 * t.id(1) as usize;
            let large = i64::MAX / 64 + i as i64;
            let (mut a, mut b, mut c, mut d) = (-(i as i32), large, i as f32 / 4.0, i as f64 / 3.0);
            for offset in [16, 8, 4, 2, 1] {
                a += t.shuffle(a, offset, 32, XOR);
                b += t.shuffle_i64(b, offset, 32, XOR);
                c += t.shuffle_f32(c, offset, 32, XOR);
                d += t.shuffle_f64(d, offset, 32, XOR);
            }
            sums[i].set((a, b, c, d));
        });
        no_errors();
        for (i, sum) in sums.iter().enumerate() {
            let total = 32 * (i / 32 * 32) + 496;
            let (a, b, c, d) = sum.get();
            assert_eq!(a, -(total as i32));
            assert_eq!(b, i64::MAX / 64 * 32 + total as i64);
            assert_eq!(c, total as f32 / 4.0);
            assert!((d - total as f64 / 3.0).abs() < 1e-9);
        }
    }
}

#[test]
fn bits_of_numbers_are_kept() {
    let _alone = alone(0, false);
    let got = cells(2, (0, 0));
    let signalling = f32::from_bits(0xffa0_0001);
    launch([1, 1, 1], [2, 1, 1], |t| {
        let single = t.shuffle_f32(signalling, 1, 2, XOR);
        let double = t.shuffle_f64(-0.0, 1, 2, XOR);
        got[t.x()].set((single.to_bits(), double.to_bits()));
    });
    no_errors();
    assert!(got.iter().all(|got| got.get() == (0xffa0_0001, 1 << 63)));
}

#[test]
fn lanes_that_go_on_without_a_shuffle_are_missed() {
    let _alone = alone(2, false);
    launch([1, 1, 1], [64, 1, 1], |t| {
        if t.x() == 33 {
            t.barrier();
        }
        t.shuffle(0, 1, 32, XOR);
        t.barrier();
    });
    assert_eq!(ad_emulate::take_errors()[0], DIVERGENT);
}

#[test]
fn lanes_at_different_shuffles_are_found() {
    let _alone = alone(2, false);
    let different = "shuffle differs in width, mode or type between threads of a subgroup of @k";
    launch([1, 1, 1], [32, 1, 1], |t| {
        t.shuffle(0, 1, if t.x() == 5 { 16 } else { 32 }, XOR);
    });
    assert_eq!(only_error(), different);
    launch([1, 1, 1], [32, 1, 1], |t| {
        if t.x() == 5 {
            t.shuffle_i64(0, 1, 32, XOR);
        } else {
            t.shuffle(0, 1, 32, XOR);
        }
    });
    assert_eq!(only_error(), different);
}

#[test]
fn widths_modes_and_launches_that_do_not_exist_are_errors() {
    let _alone = alone(2, false);
    launch([4, 1, 1], [32, 1, 1], |t| {
        t.shuffle(0, 1, 33, XOR);
    });
    assert_eq!(only_error(), "shuffle has width 33, which is not from 1 to 32, in @k");
    launch([4, 1, 1], [32, 1, 1], |t| {
        t.shuffle(0, 1, 32, 4);
    });
    assert_eq!(only_error(), "shuffle has mode 4, which is not from 0 to 3, in @k");
    launch_calls([4, 1, 1], [32, 1, 1], |t| {
        assert_eq!(t.shuffle(3, 1, 32, XOR), 3);
    });
    assert_eq!(only_error(), "a shuffle though the launch says that there are none in @k");
}
