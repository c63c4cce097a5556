//! The threads of a block: which goes on, and what they wait for.

use fastrand::Rng;

use super::{
    LANES, Machine, matrix, run,
    thread::{Status, Thread},
    warp,
};
use crate::{
    fault::{Fault, LAUNCH_FAILED},
    program::{Action, Special},
};

/// Accesses after which another thread goes on, if the order is random.
const ACCESSES: u32 = 8;

/// A fault, and the thread.
pub type Failed = (usize, Fault);

/// Runs all threads to their ends: in order, or in a random order that changes at accesses of memory.
pub fn run_block(
    machine: &mut Machine,
    threads: &mut [Thread],
    random: &mut Option<Rng>,
) -> Result<(), Failed> {
    loop {
        let scope = if random.is_some() { threads.len().max(1) } else { LANES };
        let mut goes_on = false;
        for first in (0..threads.len()).step_by(scope) {
            let end = (first + scope).min(threads.len());
            while run_some(machine, threads, [first, end], random)? {
                goes_on = true;
            }
        }
        goes_on |= release(threads)?;
        if threads.iter().all(|thread| thread.status == Status::Exited) {
            return Ok(());
        }
        if !goes_on {
            return Err(stuck(machine, threads));
        }
    }
}

/// Goes on with all threads of a range that do not wait, then does what warps do together; false if there was nothing.
fn run_some(
    machine: &mut Machine,
    threads: &mut [Thread],
    [first, end]: [usize; 2],
    random: &mut Option<Rng>,
) -> Result<bool, Failed> {
    let mut ready: Vec<usize> =
        (first..end).filter(|number| threads[*number].status == Status::Ready).collect();
    if let Some(random) = random {
        random.shuffle(&mut ready);
    }
    let mut goes_on = !ready.is_empty();
    for number in ready {
        let accesses = random.as_mut().map_or(u32::MAX, |r| r.u32(1..=ACCESSES));
        run::run(machine, &mut threads[number], accesses).map_err(|fault| (number, fault))?;
    }
    for lane in (first..end).step_by(LANES) {
        let warp = &mut threads[lane..end.min(lane + LANES)];
        goes_on |= together(machine, warp).map_err(|(number, fault)| (lane + number, fault))?;
    }
    Ok(goes_on)
}

/// Does what all lanes of a mask have come to; false if there was nothing.
fn together(machine: &mut Machine, warp: &mut [Thread]) -> Result<bool, Failed> {
    let mut goes_on = false;
    for lane in 0..warp.len() {
        let (status, place) = (warp[lane].status, warp[lane].place);
        if !matches!(status, Status::Warp(_) | Status::Anyone) {
            continue;
        }
        let members: Vec<usize> = (0..warp.len())
            .filter(|other| warp[*other].place == place && warp[*other].status == status)
            .collect();
        let here = members.iter().fold(0u32, |all, member| all | 1 << member);
        if matches!(status, Status::Warp(mask) if mask != here) {
            continue;
        }
        let instruction = &machine.program.code[place as usize];
        let result = match &instruction.action {
            Action::Collective(what) => warp::collect(what, warp, &members, &instruction.slots),
            Action::Product(product) => {
                matrix::multiply(product, warp);
                Ok(())
            }
            Action::Rows(rows) => matrix::read(machine, rows, warp),
            _ => Ok(()),
        };
        result.map_err(|fault| (lane, fault))?;
        for member in members {
            warp[member].status = Status::Ready;
            warp[member].place += 1;
        }
        goes_on = true;
    }
    Ok(goes_on)
}

/// Lets threads go on that all others have come to the barrier of; those that have ended count.
fn release(threads: &mut [Thread]) -> Result<bool, Failed> {
    let Some(first) = threads.iter().position(|t| matches!(t.status, Status::Barrier(..))) else {
        return Ok(false);
    };
    let exited = threads.iter().filter(|t| t.status == Status::Exited).count();
    let mut goes_on = false;
    for number in first..threads.len() {
        let status = threads[number].status;
        let Status::Barrier(_, count) = status else { continue };
        let arrived = threads.iter().filter(|t| t.status == status).count();
        let expected = count.map_or(threads.len() - exited, |count| count as usize);
        if arrived > expected {
            let text = format!("{arrived} threads came to a barrier for {expected}");
            return Err((number, Fault::new(LAUNCH_FAILED, text)));
        }
        if arrived < expected {
            continue;
        }
        goes_on = true;
        for thread in threads.iter_mut().filter(|t| t.status == status) {
            thread.status = Status::Ready;
            thread.place += 1;
        }
    }
    Ok(goes_on)
}

/// Why nothing goes on.
fn stuck(machine: &Machine, threads: &[Thread]) -> Failed {
    let line = |thread: &Thread| {
        machine.program.code.get(thread.place as usize).map_or(0, |instruction| instruction.line)
    };
    if let Some(number) = threads.iter().position(|t| matches!(t.status, Status::Warp(_)))
        && let Status::Warp(mask) = threads[number].status
    {
        let first = number / LANES * LANES;
        let mut missing = vec![];
        for lane in (0..LANES).filter(|lane| mask >> lane & 1 != 0) {
            missing.push(match threads.get(first + lane) {
                None => format!("lane {lane} is not there"),
                Some(other) if other.status == Status::Exited => format!("lane {lane} has ended"),
                Some(other) if other.place != threads[number].place => {
                    format!("lane {lane} waits at line {}", line(other))
                }
                Some(other) if other.status != threads[number].status => {
                    format!("lane {lane} has another mask")
                }
                Some(_) => continue,
            });
        }
        let lane: u32 = threads[number].get(Special::Lane as u32);
        let count = missing.len();
        missing.truncate(3);
        let text = format!(
            "lane {lane} waits for lanes that never come, mask {mask:#010x}: {}{}",
            missing.join(", "),
            if count > 3 { format!(" and {} more", count - 3) } else { String::new() }
        );
        return (number, Fault::new(LAUNCH_FAILED, text));
    }
    let waits = |thread: &&Thread| matches!(thread.status, Status::Barrier(..));
    let number = threads.iter().position(|thread| waits(&thread)).unwrap_or(0);
    let arrived = threads.iter().filter(waits).count();
    let text = format!(
        "a barrier waits for threads that never come: {arrived} of {} are at barriers",
        threads.len()
    );
    (number, Fault::new(LAUNCH_FAILED, text))
}
