//! What subgroups ask of memory, with values counted by hand.
#![allow(clippy::unwrap_used)]

mod common;

use ad_emulate::{
    Requests, Settings,
    calls::{OF_BLOCK, READ, WRITE},
};
use common::{Thread, alone, cells, launch};

/// Launches one block of 64 threads, and returns what it asked for.
fn count(kernel: impl Fn(Thread<'_>)) -> Requests {
    let _alone = alone(1, false);
    ad_emulate::configure(Settings { count_requests: true, ..Settings::default() });
    ad_emulate::take_requests();
    launch([1, 1, 1], [64, 1, 1], kernel);
    ad_emulate::take_requests()["k"]
}

/// An access with a number, to an address that is a multiple of 128 bytes from the beginning on.
fn access(thread: Thread<'_>, address: usize, bytes: i64, kind: i32, number: i64) {
    thread.access((1 << 20) + address as i64, bytes, kind, number << 32 | 1);
}

#[test]
fn neighbours_move_what_they_ask_for() {
    let counted = count(|thread| access(thread, 8 * thread.x(), 8, READ, 0));
    let expected =
        Requests { launches: 1, threads: 64, requests: 2, bytes: 512, moved_bytes: 512, ..counted };
    assert_eq!(counted, expected);
    assert_eq!([counted.touched_bytes, counted.atomics, counted.shared_requests], [512, 0, 0]);
}

#[test]
fn rows_of_threads_move_a_sector_each() {
    // Four neighbours of each thread, one after the other: each request moves 32 sectors, of which there are 64.
    let counted = count(|thread| {
        (0..4).for_each(|i| access(thread, 32 * thread.x() + 8 * i, 8, WRITE, 0));
    });
    assert_eq!([counted.requests, counted.bytes], [8, 2048]);
    assert_eq!([counted.moved_bytes, counted.touched_bytes], [8 * 32 * 32, 2048]);
}

#[test]
fn one_place_for_all_moves_once_per_subgroup() {
    let counted = count(|thread| access(thread, 0, 4, READ, 0));
    assert_eq!([counted.requests, counted.bytes], [2, 256]);
    assert_eq!([counted.moved_bytes, counted.touched_bytes], [64, 32]);
}

#[test]
fn accesses_are_told_apart_by_number_and_barrier() {
    let two = |thread: Thread<'_>, numbers: [i64; 2]| {
        // Even threads begin with the first access, odd ones with the second.
        let [first, second] = if thread.x().is_multiple_of(2) { [0, 1] } else { [1, 0] };
        access(thread, 0, 4, READ, numbers[first]);
        access(thread, 128, 4, READ, numbers[second]);
    };
    assert_eq!(count(|thread| two(thread, [0, 1])).requests, 4);
    let apart = count(|thread| {
        if thread.x() < 16 {
            access(thread, 0, 4, READ, 0);
        }
        thread.barrier();
        if thread.x() >= 16 {
            access(thread, 0, 4, READ, 0);
        }
    });
    assert_eq!(apart.requests, 3);
}

#[test]
fn updates_of_one_place_take_turns() {
    let places = cells(64, 0.0);
    let counted = count(|thread| thread.add(&places[thread.x() / 4], 1.0, 1));
    assert_eq!([counted.atomics, counted.atomic_turns], [64, 8]);
}

#[test]
fn banks_of_shared_memory() {
    let shared = |stride: usize, bytes: i64| {
        let counted =
            count(|thread| access(thread, stride * thread.x(), bytes, READ + OF_BLOCK, 0));
        assert_eq!([counted.requests, counted.shared_requests], [0, 2]);
        counted.shared_turns
    };
    assert_eq!(shared(0, 4), 2, "all threads read one word");
    assert_eq!(shared(4, 4), 2, "each has a bank of its own");
    assert_eq!(shared(8, 4), 4, "every second bank");
    assert_eq!(shared(128, 4), 64, "one bank");
    assert_eq!(shared(8, 8), 4, "half of the threads at a time");
    assert_eq!(shared(16, 8), 8, "half of the threads at a time, every second pair of banks");
}
