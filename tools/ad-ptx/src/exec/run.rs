//! Goes on with one thread until it waits for others, has ended, or has made so many accesses.

use super::{
    Machine, access,
    matrix::WHOLE_WARP,
    thread::{Status, Thread},
    warp::Collective,
};
use crate::{
    fault::{ASSERT, Fault, ILLEGAL_INSTRUCTION, LAUNCH_FAILED, LAUNCH_TIMEOUT},
    program::{ALWAYS, Action, Instruction, Special},
    types::Space,
};

/// Branches after which others go on: one of them may be waited for.
const PATIENCE: u32 = 1 << 16;
/// How deep calls may be.
const DEPTH: usize = 1000;

/// Goes on; the place is that of an instruction that waits, or of one that failed.
pub fn run(machine: &mut Machine, thread: &mut Thread, accesses: u32) -> Result<(), Fault> {
    let program = machine.program;
    let code = program.code.as_slice();
    let (mut accesses, mut patience) = (accesses, PATIENCE);
    while thread.status == Status::Ready {
        let Some(instruction) = code.get(thread.place as usize) else {
            return Err(Fault::new(LAUNCH_FAILED, "no instruction is there"));
        };
        if instruction.guard != ALWAYS
            && thread.get::<bool>(instruction.guard) == instruction.negated
        {
            thread.place += 1;
            continue;
        }
        machine.counts[instruction.class as usize] += 1;
        match &instruction.action {
            Action::Compute(compute) => {
                compute(&mut thread.frame(), &instruction.slots);
                thread.place += 1;
            }
            Action::Jump(_) | Action::Choose(_) => {
                thread.place = target(thread, instruction)?;
                patience -= 1;
                if patience == 0 {
                    return pay(machine);
                }
            }
            Action::Load(_) | Action::Store(_) | Action::Atomic(..) => {
                let space = memory(machine, thread, instruction)?;
                thread.place += 1;
                if !matches!(space, Space::Param | Space::Local) {
                    accesses -= 1;
                    if accesses == 0 {
                        return Ok(());
                    }
                }
            }
            Action::Nothing => thread.place += 1,
            _ => control(machine, thread, instruction)?,
        }
    }
    Ok(())
}

/// Where a branch leads.
fn target(thread: &Thread, instruction: &Instruction) -> Result<u32, Fault> {
    match &instruction.action {
        Action::Jump(place) => Ok(*place),
        Action::Choose(places) => {
            let number = thread.get::<u32>(instruction.slots[0]);
            let text = || format!("branch number {number} of {}", places.len());
            let place = places.get(number as usize).copied();
            place.ok_or_else(|| Fault::new(ILLEGAL_INSTRUCTION, text()))
        }
        _ => Ok(thread.place + 1),
    }
}

/// Takes branches off what the launch may still take.
fn pay(machine: &mut Machine) -> Result<(), Fault> {
    match machine.branches_left.checked_sub(PATIENCE.into()) {
        Some(left) => machine.branches_left = left,
        None => return Err(Fault::new(LAUNCH_TIMEOUT, "too many branches: it does not end")),
    }
    Ok(())
}

/// An access of memory, and where it was meant to be.
fn memory(
    machine: &mut Machine,
    thread: &mut Thread,
    instruction: &Instruction,
) -> Result<Space, Fault> {
    let slots = &instruction.slots;
    match &instruction.action {
        Action::Load(access) => {
            access::load(machine, thread, access, slots)?;
            Ok(access.space)
        }
        Action::Store(access) => {
            access::store(machine, thread, access, slots)?;
            Ok(access.space)
        }
        Action::Atomic(access, atomic) => {
            access::change(machine, thread, access, atomic, slots)?;
            Ok(access.space)
        }
        _ => Ok(Space::Param),
    }
}

/// `malloc` and `free`, which the hardware's driver has.
fn heap(machine: &mut Machine, thread: &mut Thread, action: &Action) -> Result<(), Fault> {
    let word = |thread: &mut Thread, at: u32| {
        access::read(machine, thread, access::Place::Param(at as usize), 8)
    };
    match action {
        Action::Allocate(size, result) => {
            let size = word(thread, *size);
            let address = machine.memory.allocate_heap(size as usize);
            let place = access::Place::Param(*result as usize);
            access::write(machine, thread, place, 8, address);
        }
        Action::Free(address) => {
            let address = word(thread, *address);
            if address != 0 && !machine.memory.free_heap(address) {
                let text = format!("free of {address:#x}, where no memory of malloc begins");
                return Err(Fault::new(LAUNCH_FAILED, text));
            }
        }
        _ => {}
    }
    thread.place += 1;
    Ok(())
}

/// What an assertion says that failed.
fn assertion(machine: &Machine, thread: &mut Thread, message: u32) -> Fault {
    let first = access::read(machine, thread, access::Place::Param(message as usize), 8);
    let bytes = (first..).map_while(|at| machine.memory.read(at, 1).filter(|&byte| byte != 0));
    let text: Vec<u8> = bytes.map(|byte| byte as u8).collect();
    Fault::new(ASSERT, format!("assertion failed: {}", String::from_utf8_lossy(&text)))
}

/// Calls, ends, and what waits.
fn control(
    machine: &mut Machine,
    thread: &mut Thread,
    instruction: &Instruction,
) -> Result<(), Fault> {
    let slots = &instruction.slots;
    match &instruction.action {
        Action::Call(_) if thread.depth() >= DEPTH => {
            return Err(Fault::new(LAUNCH_FAILED, "calls are too deep: the stack is full"));
        }
        Action::Call(call) => thread.call(machine.program, call),
        Action::Allocate(..) | Action::Free(_) => heap(machine, thread, &instruction.action)?,
        Action::Assert(message) => return Err(assertion(machine, thread, *message)),
        Action::Return if thread.leave(&machine.program.code) => {}
        Action::Return => thread.status = Status::Exited,
        Action::Exit => thread.status = Status::Exited,
        Action::Trap => return Err(Fault::new(ILLEGAL_INSTRUCTION, "the kernel trapped")),
        Action::Barrier => {
            let count = slots[1];
            let threads = (count != Special::Sink as u32).then(|| thread.get::<u32>(count));
            if threads.is_some_and(|n| n == 0 || !n.is_multiple_of(32)) {
                return Err(Fault::new(LAUNCH_FAILED, "a barrier is for whole warps"));
            }
            thread.status = Status::Barrier(thread.get(slots[0]), threads);
        }
        Action::Product(_) | Action::Rows(_) => {
            thread.status = Status::Warp(WHOLE_WARP);
        }
        Action::Collective(Collective::Present) => thread.status = Status::Anyone,
        Action::Collective(_) => {
            let mask: u32 = thread.get(slots[5]);
            let lane: u32 = thread.get(Special::Lane as u32);
            if mask >> lane & 1 == 0 {
                let text = format!("lane {lane} is not in its own mask {mask:#010x}");
                return Err(Fault::new(LAUNCH_FAILED, text));
            }
            thread.status = Status::Warp(mask);
        }
        _ => {}
    }
    Ok(())
}
