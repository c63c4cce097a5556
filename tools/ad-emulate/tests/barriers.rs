//! Barriers: what they order, and what happens if not all threads reach one.

mod common;

use std::cell::Cell;

use common::{Thread, alone, cells, launch, launch_calls, no_errors, only_error};

const DIVERGENT: &str = "barrier is not reached by all threads of a block of @k";

/// Sums 1 to the size of the block in workgroup memory, halving the number of terms between barriers.
fn reduce(t: Thread<'_>, memory: &[Cell<f64>], barrier: bool) {
    let (i, mut count) = (t.x(), memory.len());
    t.write(&memory[i], i as f64 + 1.0, 1);
    while count > 1 {
        if barrier {
            t.barrier();
        }
        let half = count.div_ceil(2);
        if i + half < count {
            let sum = t.read(&memory[i], 2) + t.read(&memory[i + half], 3);
            t.write(&memory[i], sum, 4);
        }
        count = half;
    }
}

#[test]
fn a_tree_sums_for_every_size_of_block_and_order() {
    for seed in 0..4 {
        let _alone = alone(seed, true);
        for size in [1, 2, 3, 31, 32, 33, 100, 255, 256, 1000, 1024] {
            let memory = cells(size, 0.0);
            launch([1, 1, 1], [size as i64, 1, 1], |t| reduce(t, &memory, true));
            no_errors();
            assert_eq!(memory[0].get(), (size * (size + 1) / 2) as f64, "{size} threads");
        }
    }
}

#[test]
fn a_tree_without_barriers_races() {
    let _alone = alone(1, true);
    let memory = cells(64, 0.0);
    launch([1, 1, 1], [64, 1, 1], |t| reduce(t, &memory, false));
    let error = only_error();
    assert!(error.starts_with("race in @k: thread ("), "{error}");
}

#[test]
fn every_block_has_its_own_barriers() {
    let _alone = alone(5, false);
    let results = cells(60, 0.0);
    launch([3, 4, 5], [8, 2, 4], |t| {
        let block = t.id(3) + 3 * (t.id(4) + 4 * t.id(5));
        let thread = t.id(0) + 8 * (t.id(1) + 2 * t.id(2));
        let place = &results[block as usize];
        for turn in 0..64 {
            if turn == thread {
                place.set(place.get() * 0.5 + turn as f64);
            }
            t.barrier();
        }
    });
    no_errors();
    let expected = (0..64).fold(0.0, |sum, turn| sum * 0.5 + f64::from(turn));
    assert!(results.iter().all(|result| result.get() == expected));
    let counters = ad_emulate::take_counters();
    assert_eq!((counters.launches, counters.blocks), (1, 60));
    assert_eq!((counters.threads, counters.barriers), (60 * 64, 60 * 64));
}

#[test]
fn ended_threads_are_missed_at_a_barrier() {
    for seed in 0..8 {
        let _alone = alone(seed, false);
        let passed = cells(1, 0);
        launch([100, 1, 1], [64, 1, 1], |t| {
            if t.x() != 40 {
                t.barrier();
                passed[0].set(1);
            }
        });
        assert_eq!(only_error(), DIVERGENT);
        assert_eq!(passed[0].get(), 0);
        assert_eq!(ad_emulate::take_counters().blocks, 1);
    }
}

#[test]
fn one_barrier_too_many_is_found() {
    let _alone = alone(3, false);
    launch([1, 1, 1], [96, 1, 1], |t| {
        for _ in 0..if t.x() == 95 { 4 } else { 3 } {
            t.barrier();
        }
    });
    assert_eq!(only_error(), DIVERGENT);
    assert_eq!(ad_emulate::take_counters().barriers, 3);
}

#[test]
fn a_shuffle_and_a_barrier_do_not_meet() {
    let _alone = alone(3, false);
    launch([1, 1, 1], [32, 1, 1], |t| {
        if t.x() < 16 {
            t.barrier();
        } else {
            t.shuffle(1, 1, 32, 0);
        }
    });
    let shuffle = "shuffle is not reached by all threads of a subgroup of @k";
    assert_eq!(ad_emulate::take_errors(), [shuffle, DIVERGENT]);
}

#[test]
fn a_barrier_waits_for_subgroups_that_shuffle() {
    let _alone = alone(3, false);
    let memory = cells(64, 0);
    launch([1, 1, 1], [64, 1, 1], |t| {
        if t.x() >= 32 {
            let next = t.shuffle(t.x() as i32, 1, 32, 0);
            memory[t.x()].set(t.shuffle(next, 2, 32, 0));
        }
        t.barrier();
        if t.x() < 32 {
            memory[t.x()].set(memory[t.x() + 32].get());
        }
    });
    no_errors();
    assert!((0..32).all(|i| memory[i].get() as usize == (i ^ 3) + 32));
}

#[test]
fn a_launch_after_an_abandoned_one_is_whole() {
    let _alone = alone(1, false);
    for _ in 0..50 {
        launch([1, 1, 1], [1024, 1, 1], |t| {
            if t.x() % 2 == 0 {
                t.barrier();
            }
        });
        assert_eq!(only_error(), DIVERGENT);
        let memory = cells(1024, 0.0);
        launch([1, 1, 1], [1024, 1, 1], |t| reduce(t, &memory, true));
        no_errors();
        assert_eq!(memory[0].get(), 524_800.0);
        assert_eq!(ad_emulate::stacks(), 1024);
    }
}

#[test]
fn a_barrier_in_a_launch_without_any_is_an_error() {
    let _alone = alone(1, false);
    let calls = cells(1, 0);
    launch_calls([10, 1, 1], [32, 1, 1], |t| {
        calls[0].set(calls[0].get() + 1);
        t.barrier();
    });
    assert_eq!(only_error(), "a barrier though the launch says that there are none in @k");
    assert_eq!(calls[0].get(), 1);
}
