//! Which threads run, in which order, and what is refused.

mod common;

use std::cell::RefCell;

use common::{alone, cells, launch, launch_calls, no_errors, only_error};

/// The order in which threads of a grid begin, as their ids.
fn order(seed: u64, fibres: bool) -> Vec<[i64; 6]> {
    let _alone = alone(seed, false);
    let threads = RefCell::new(Vec::new());
    let kernel = |t: common::Thread<'_>| {
        let ids = [0, 1, 2, 3, 4, 5].map(|kind| t.id(kind));
        assert_eq!([6, 7, 8, 9, 10, 11].map(|kind| t.id(kind)), [4, 3, 2, 5, 6, 7]);
        threads.borrow_mut().push(ids);
    };
    let (grid, block) = ([5, 6, 7], [4, 3, 2]);
    if fibres {
        launch(grid, block, kernel);
    } else {
        launch_calls(grid, block, kernel);
    }
    no_errors();
    threads.into_inner()
}

#[test]
fn every_thread_runs_once_in_an_order_of_the_seed() {
    for fibres in [false, true] {
        let first = order(1, fibres);
        assert_eq!(first, order(1, fibres));
        let second = order(2, fibres);
        let place = |order: &[[i64; 6]], range: std::ops::Range<usize>| -> Vec<i64> {
            order.iter().flat_map(|ids| ids[range.clone()].to_vec()).collect()
        };
        assert_ne!(place(&first, 0..3), place(&second, 0..3), "threads");
        assert_ne!(place(&first, 3..6), place(&second, 3..6), "blocks");
        for mut order in [first, second] {
            order.sort_unstable();
            order.dedup();
            assert_eq!(order.len(), 5 * 6 * 7 * 4 * 3 * 2);
        }
    }
}

#[test]
fn the_order_changes_at_barriers() {
    let _alone = alone(1, false);
    let threads = RefCell::new(Vec::new());
    launch([1, 1, 1], [32, 1, 1], |t| {
        threads.borrow_mut().push(t.x());
        t.barrier();
        threads.borrow_mut().push(t.x());
    });
    no_errors();
    let threads = threads.into_inner();
    assert_ne!(threads[..32], threads[32..]);
}

#[test]
fn limits_of_cuda_are_errors() {
    let _alone = alone(1, false);
    for (grid, block, error) in [
        ([1, 1, 1], [1025, 1, 1], "the size of the block in x is 1025, CUDA allows 1024"),
        ([1, 1, 1], [1, 1025, 1], "the size of the block in y is 1025, CUDA allows 1024"),
        ([1, 1, 1], [1, 1, 65], "the size of the block in z is 65, CUDA allows 64"),
        ([1, 1, 1], [32, 33, 1], "a block has 1056 threads, CUDA allows 1024"),
        (
            [1 << 31, 1, 1],
            [1, 1, 1],
            "the size of the grid in x is 2147483648, CUDA allows 2147483647",
        ),
        ([1, 65_536, 1], [1, 1, 1], "the size of the grid in y is 65536, CUDA allows 65535"),
        ([1, 1, 65_536], [1, 1, 1], "the size of the grid in z is 65536, CUDA allows 65535"),
        ([1, -1, 0], [1, 1, 1], "the size of the grid in y is negative: -1"),
        (
            [0, 1, 1],
            [1, 1, i64::MIN],
            "the size of the block in z is negative: -9223372036854775808",
        ),
        (
            [i64::MAX; 3],
            [i64::MAX; 3],
            "the size of the grid in x is 9223372036854775807, CUDA allows 2147483647",
        ),
    ] {
        launch(grid, block, |_| panic!("a thread ran"));
        assert_eq!(only_error(), format!("launch of @k: {error}"));
    }
    assert_eq!(ad_emulate::take_counters(), ad_emulate::Counters::default());
}

#[test]
fn empty_grids_and_blocks_run_nothing() {
    let _alone = alone(1, true);
    for (grid, block) in
        [([0, 1, 1], [8, 1, 1]), ([1, 1, 0], [8, 1, 1]), ([9, 9, 9], [1, 0, 1]), ([0; 3], [0; 3])]
    {
        launch(grid, block, |_| panic!("a thread ran"));
        launch_calls(grid, block, |_| panic!("a thread ran"));
        no_errors();
    }
    assert_eq!(ad_emulate::take_counters(), ad_emulate::Counters::default());
}

#[test]
fn the_largest_sizes_are_allowed() {
    let _alone = alone(1, false);
    for block in [[1024, 1, 1], [1, 1024, 1], [16, 1, 64]] {
        launch([1, 1, 1], block, |t| t.barrier());
    }
    launch_calls([1, 65_535, 1], [1, 1, 1], |_| {});
    launch_calls([1, 1, 65_535], [1, 1, 1], |_| {});
    no_errors();
    assert_eq!(ad_emulate::take_counters().blocks, 3 + 2 * 65_535);
}

#[test]
fn a_million_threads_run_each_way() {
    let _alone = alone(1, false);
    for fibres in [false, true] {
        let (blocks, sum) = (4000, cells(1, 0));
        let kernel = |t: common::Thread<'_>| {
            if fibres {
                t.barrier();
            }
            sum[0].set(sum[0].get() + t.block() * 250 + t.x());
        };
        if fibres {
            launch([blocks, 1, 1], [250, 1, 1], kernel);
        } else {
            launch_calls([blocks, 1, 1], [250, 1, 1], kernel);
        }
        no_errors();
        assert_eq!(sum[0].get(), 1_000_000 * 999_999 / 2);
        assert_eq!(ad_emulate::take_counters().threads, 1_000_000);
    }
}

#[test]
fn launches_use_the_same_stacks_and_memory_again() {
    let _alone = alone(1, true);
    let memory = cells(1024, 0.0);
    let round = || {
        for _ in 0..300 {
            launch([2, 1, 1], [200, 1, 1], |t| {
                let place = &memory[t.block() * 200 + t.x()];
                t.write(place, 1.0, 1);
                t.barrier();
            });
            launch([1, 1, 1], [200, 1, 1], |t| {
                if t.x() == 7 {
                    t.barrier();
                }
            });
            ad_emulate::take_errors();
        }
        ad_emulate::stacks()
    };
    let stacks = round();
    assert!(stacks >= 200);
    let before = mapped();
    assert_eq!(round(), stacks);
    let after = mapped();
    // Other threads of the test harness may map a little.
    assert!(after < before + (8 << 20), "{before} and {after} bytes");
}

/// The address space of the process in bytes; nothing where it cannot be asked for.
fn mapped() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = text.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0);
    pages * 4096
}

#[test]
fn an_unknown_index_is_an_error() {
    let _alone = alone(1, false);
    launch([2, 1, 1], [2, 1, 1], |t| assert_eq!(t.id(12), 0));
    assert_eq!(only_error(), "an index of unknown kind 12 in @k");
    launch_calls([2, 1, 1], [2, 1, 1], |t| assert_eq!(t.id(-1), 0));
    assert_eq!(only_error(), "an index of unknown kind -1 in @k");
}

#[test]
fn all_functions_are_listed() {
    let _alone = alone(1, false);
    let names: Vec<&str> = ad_emulate::SYMBOLS.iter().map(|(name, _)| *name).collect();
    assert_eq!(names.len(), 11);
    assert!(names.iter().all(|name| name.starts_with("ad_emulate_")));
}
