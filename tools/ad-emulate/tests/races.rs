//! The detector: single cases with their messages, and random kernels against the definition.

mod common;

use std::cell::{Cell, RefCell};

use ad_emulate::calls::{ATOMIC, OF_BLOCK, READ, WRITE};
use common::{Thread, alone, cells, launch, launch_calls, no_errors, only_error};

/// Runs two blocks of two threads, each thread with its accesses of each of three phases, and returns the error.
fn error(accesses: &[(usize, usize, usize, i64, i64, i32)]) -> Option<String> {
    let _alone = alone(0, true);
    launch([2, 1, 1], [2, 1, 1], |t| {
        for phase in 0..3 {
            for &(block, thread, when, address, bytes, kind) in accesses {
                if (block, thread, when) == (t.block(), t.x(), phase) {
                    t.access(4096 + address, bytes, kind, 0);
                }
            }
            t.barrier();
        }
    });
    let errors = ad_emulate::take_errors();
    assert!(errors.len() < 2, "{errors:?}");
    errors.into_iter().next()
}

#[test]
fn two_threads_of_a_phase_race_and_others_do_not() {
    for (first, second, race) in [
        (READ, READ, false),
        (READ, WRITE, true),
        (WRITE, READ, true),
        (WRITE, WRITE, true),
        (ATOMIC, ATOMIC, false),
        (ATOMIC, READ, true),
        (READ, ATOMIC, true),
        (ATOMIC, WRITE, true),
        (WRITE, ATOMIC, true),
    ] {
        let at = |block, thread, phase| {
            error(&[(0, 0, 0, 0, 4, first), (block, thread, phase, 0, 4, second)]).is_some()
        };
        assert_eq!(at(0, 1, 0), race, "{first} and {second} of a phase");
        assert!(!at(0, 0, 0), "{first} and {second} of a thread");
        assert!(!at(0, 1, 1), "{first} and {second} with a barrier between");
        assert_eq!(at(1, 0, 0), race, "{first} and {second} of two blocks");
        assert_eq!(at(1, 1, 1), race, "{first} and {second} of two blocks, later");
    }
}

#[test]
fn accesses_race_where_they_overlap() {
    let races = |first: (i64, i64), second: (i64, i64)| {
        error(&[(0, 0, 0, first.0, first.1, WRITE), (0, 1, 0, second.0, second.1, READ)]).is_some()
    };
    assert!(races((0, 8), (4, 4)));
    assert!(races((4, 4), (0, 8)));
    assert!(races((0, 1), (0, 4)));
    assert!(races((3, 1), (0, 4)));
    assert!(races((0, 64), (63, 1)));
    assert!(races((2, 4), (5, 1)));
    assert!(races((4094, 4), (4097, 1)), "across pages");
    assert!(!races((0, 1), (1, 1)));
    assert!(!races((0, 4), (4, 4)));
    assert!(!races((2, 4), (6, 2)));
    assert!(!races((2, 4), (0, 2)));
    assert!(!races((0, 0), (0, 4)));
    assert!(!races((0, -4), (0, 4)));
}

#[test]
fn updates_of_a_block_do_not_hide_what_it_wrote_before() {
    let mut errors = [0, 1].map(|block| {
        let update = (block, 1, 1, 0, 4, ATOMIC);
        let written = [(block, 0, 0, 0, 4, WRITE), update, (block, 0, 2, 0, 4, ATOMIC)];
        assert_eq!(error(&written), None);
        let [write, once, twice] = written;
        let other = (1 - block, 0, 0, 0, 4, ATOMIC);
        assert_eq!(error(&[once, twice, other]), None);
        let told = error(&[write, once, other]).unwrap();
        assert_eq!(error(&[write, once, twice, other]), Some(told.clone()));
        told
    });
    // One block comes first.
    errors.sort_by_key(|error| error.contains("updates"));
    assert!(errors[0].contains(" writes what thread (0, 0, 0) of block ("), "{errors:?}");
    assert!(errors[1].contains(" updates what another thread of block ("), "{errors:?}");
}

#[test]
fn memory_of_a_block_races_within_it_only() {
    let write = WRITE | OF_BLOCK;
    let read = READ | OF_BLOCK;
    assert_eq!(error(&[(0, 0, 0, 0, 4, write), (1, 1, 0, 0, 4, write)]), None);
    assert!(error(&[(0, 0, 0, 0, 4, write), (0, 1, 0, 0, 4, read)]).is_some());
    assert!(
        error(&[(1, 0, 0, 0, 4, read), (1, 1, 0, 0, 4, write), (0, 0, 0, 0, 4, write)]).is_some()
    );
}

#[test]
fn messages_name_threads_blocks_and_lines() {
    let _alone = alone(0, true);
    let place = cells(1, 0.0);
    for (first, second, text) in [
        (7, 9, " (line 9 and line 7)"),
        (7, 0, " (an unknown line and line 7)"),
        (0, 9, " (line 9 and an unknown one)"),
        (0, 0, ""),
    ] {
        launch([3, 2, 1], [2, 2, 1], |t| {
            let (x, y) = (t.id(0), t.id(1));
            let here = (t.id(3), t.id(4)) == (2, 1);
            if here && (x, y) == (0, 1) {
                t.read(&place[0], first);
            }
            // The order of the two, as far as this emulator goes.
            t.shuffle(0, 0, 32, 0);
            if here && (x, y) == (1, 0) {
                t.write(&place[0], 1.0, second);
            }
        });
        let threads = "thread (1, 0, 0) of block (2, 1, 0) writes what thread (0, 1, 0) of block (2, 1, 0) read";
        assert_eq!(only_error(), format!("race in @k: {threads}{text}"));
    }
}

#[test]
fn messages_name_two_blocks() {
    let _alone = alone(0, true);
    let place = cells(1, 0.0);
    let blocks = RefCell::new(Vec::new());
    launch_calls([2, 2, 2], [1, 1, 1], |t| {
        if t.id(3) == t.id(4) && t.id(5) == 1 {
            blocks.borrow_mut().push([3, 4, 5].map(|kind| t.id(kind)));
            t.add(&place[0], 1.0, 3);
            t.write(&place[0], 1.0, 4);
        }
    });
    let [[a, b, c], [x, y, z]] = blocks.into_inner()[..] else { panic!("not two blocks") };
    assert_eq!(
        only_error(),
        format!(
            "race in @k: thread (0, 0, 0) of block ({x}, {y}, {z}) updates \
             what thread (0, 0, 0) of block ({a}, {b}, {c}) wrote (line 3 and line 4)"
        )
    );
}

#[test]
fn a_thread_that_races_with_one_of_several_is_not_told_that_it_is_itself() {
    let _alone = alone(0, true);
    let place = cells(1, 0.0);
    launch([1, 1, 1], [3, 1, 1], |t| {
        for turn in 0..3 {
            if t.x() == turn {
                t.read(&place[0], 1);
            }
            t.shuffle(0, 0, 32, 0);
        }
        if t.x() == 0 {
            t.write(&place[0], 1.0, 2);
        }
    });
    assert_eq!(
        only_error(),
        "race in @k: thread (0, 0, 0) of block (0, 0, 0) writes \
         what another thread of block (0, 0, 0) read (line 2 and an unknown one)"
    );
}

#[test]
fn only_the_first_race_of_a_launch_is_told_and_launches_do_not_race() {
    let _alone = alone(0, true);
    let place = cells(4, 0.0);
    for _ in 0..2 {
        launch_calls([2, 1, 1], [32, 1, 1], |t| {
            place.iter().for_each(|place| t.write(place, 0.0, 1))
        });
        only_error();
    }
    for _ in 0..3 {
        launch_calls([1, 1, 1], [1, 1, 1], |t| t.write(&place[0], 0.0, 1));
        no_errors();
    }
    ad_emulate::configure(ad_emulate::Settings::default());
    launch_calls([2, 1, 1], [32, 1, 1], |t| t.write(&place[0], 0.0, 1));
    no_errors();
}

#[test]
fn sums_with_atomic_updates_do_not_race_until_they_are_read() {
    let _alone = alone(0, true);
    let sum = cells(1, 0.0);
    launch_calls([100, 1, 1], [100, 1, 1], |t| t.add(&sum[0], 1.0, 3));
    no_errors();
    assert_eq!(sum[0].get(), 10_000.0);
    launch_calls([100, 1, 1], [100, 1, 1], |t| {
        t.add(&sum[0], 1.0, 3);
        if t.block() == 5 && t.x() == 5 {
            t.read(&sum[0], 4);
        }
    });
    let error = only_error();
    assert!(error.contains("line 3") && error.contains("line 4"), "{error}");
}

#[test]
fn shuffles_do_not_order_memory() {
    let _alone = alone(0, true);
    let place = cells(33, 0);
    launch([1, 1, 1], [32, 1, 1], |t| {
        t.write(&place[t.x()], 1, 1);
        t.shuffle(0, 1, 32, 0);
        t.read(&place[t.x() ^ 1], 2);
    });
    assert!(only_error().contains("reads what"));
}

/// An access: block, phase, thread, address, bytes, kind.
type Access = (usize, usize, usize, i64, i64, i32);

/// The definition.
fn race(a: Access, b: Access) -> bool {
    let atomic = (a.5 == ATOMIC, b.5 == ATOMIC);
    let overlap = a.3 < b.3 + b.4 && b.3 < a.3 + a.4;
    let conflict = (a.5, b.5) != (READ, READ) && atomic != (true, true);
    let ordered = a.0 == b.0 && (a.2 == b.2 || a.1 != b.1);
    overlap && conflict && !ordered
}

fn number(state: &Cell<u64>, below: u64) -> u64 {
    state.set(
        state.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407),
    );
    (state.get() >> 33) % below
}

#[test]
fn random_kernels_race_at_the_access_that_the_definition_names() {
    let mut found = 0;
    for seed in 0..20_000 {
        let _alone = alone(seed, true);
        let random = Cell::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (threads, phases) = (1 + number(&random, 5), 1 + number(&random, 4) as usize);
        // Few writes in much memory, or many in little: about half of the kernels shall race.
        let (memory, writes) = (8 << number(&random, 6), 2 + number(&random, 12));
        let all = RefCell::new(Vec::<Access>::new());
        let first = Cell::new(None);
        let access = |t: Thread<'_>, phase: usize| {
            let kind = number(&random, writes) as usize;
            let kind = [WRITE, ATOMIC].get(kind).copied().unwrap_or(READ);
            let bytes = [1, 2, 4, 4, 4, 8, 16][number(&random, 7) as usize];
            let address = 4090 + number(&random, memory) as i64;
            all.borrow_mut().push((t.block(), phase, t.x(), address, bytes, kind));
            t.access(address, bytes, kind, 1);
            if !ad_emulate::take_errors().is_empty() {
                assert_eq!(first.replace(Some(all.borrow().len() - 1)), None);
            }
        };
        // Shuffles change between threads within a phase.
        let (steps, shuffles) = (number(&random, 5), number(&random, 2) == 0);
        let kernel = |t: Thread<'_>| {
            for phase in 0..phases {
                for _ in 0..steps {
                    if number(&random, 2) == 0 {
                        access(t, phase);
                    }
                    if shuffles {
                        t.shuffle(0, 0, 32, 0);
                    }
                }
                t.barrier();
            }
        };
        launch([1 + number(&random, 3) as i64, 1, 1], [threads as i64, 1, 1], kernel);
        let all = all.into_inner();
        let expected = (0..all.len()).find(|&last| all[..last].iter().any(|&a| race(a, all[last])));
        assert_eq!(first.get(), expected, "seed {seed}: {all:?}");
        found += usize::from(expected.is_some());
    }
    assert!((4_000..16_000).contains(&found), "{found} races");
}
