//! Reads and writes of memory, and what is wrong with some.

use super::{Machine, thread::Thread};
use crate::{
    fault::{Fault, ILLEGAL_ADDRESS, MISALIGNED_ADDRESS},
    memory::{LOCAL_WINDOW, SHARED_WINDOW, WINDOW},
    program::Access,
    types::Space,
    value::Slots,
};

/// Where an address is after all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In memory of the device.
    Global(u64),
    /// In memory of the block.
    Shared(usize),
    /// In memory of the thread.
    Local(usize),
    /// Among parameters.
    Param(usize),
}

/// Finds the place of an address, and checks all bytes of a vector.
#[inline]
pub fn place(
    machine: &Machine,
    thread: &mut Thread,
    space: Space,
    address: u64,
    [bytes, align]: [u32; 2],
) -> Result<Place, Fault> {
    let (space, offset) = match space {
        Space::Generic => generic(address),
        space => (space, address),
    };
    if address & u64::from(align - 1) != 0 {
        let text = format!("address {address:#x} in {space:?} memory is no multiple of {align}");
        return Err(Fault::new(MISALIGNED_ADDRESS, text));
    }
    let wrong = |why: String| {
        let text =
            format!("illegal address {address:#x} of {bytes} bytes in {space:?} memory: {why}");
        Err(Fault::new(ILLEGAL_ADDRESS, text))
    };
    let is_within =
        |size: usize| offset.checked_add(bytes.into()).is_some_and(|end| end <= size as u64);
    match space {
        Space::Shared => match machine.has_shared(offset, bytes) {
            true => Ok(Place::Shared(offset as usize)),
            false => wrong(machine.explain_shared(offset)),
        },
        Space::Local if is_within(thread.local.len()) => Ok(Place::Local(offset as usize)),
        Space::Local => wrong(format!("the thread has {} bytes", thread.local.len())),
        Space::Param if is_within(thread.params().len()) => Ok(Place::Param(offset as usize)),
        Space::Param => wrong("no parameter".to_owned()),
        _ if machine.memory.pointer(offset, bytes as usize).is_some() => Ok(Place::Global(offset)),
        _ => wrong(machine.memory.explain(offset, bytes as usize)),
    }
}

/// The space of a generic address, and the address there.
pub fn generic(address: u64) -> (Space, u64) {
    let within = |first: u64| address.wrapping_sub(first) < WINDOW;
    match () {
        () if within(SHARED_WINDOW) => (Space::Shared, address - SHARED_WINDOW),
        () if within(LOCAL_WINDOW) => (Space::Local, address - LOCAL_WINDOW),
        () => (Space::Global, address),
    }
}

/// Reads bytes at a place that was checked.
#[inline]
pub fn read(machine: &Machine, thread: &mut Thread, place: Place, bytes: usize) -> u64 {
    let from = |memory: &[u8], offset: usize| {
        let mut value = [0; 8];
        value[..bytes].copy_from_slice(&memory[offset..offset + bytes]);
        u64::from_le_bytes(value)
    };
    match place {
        Place::Global(address) => machine.memory.read(address, bytes).unwrap_or(0),
        Place::Shared(offset) => from(&machine.shared, offset),
        Place::Local(offset) => from(&thread.local, offset),
        Place::Param(offset) => from(thread.params(), offset),
    }
}

/// Writes bytes at a place that was checked.
#[inline]
pub fn write(machine: &mut Machine, thread: &mut Thread, place: Place, bytes: usize, value: u64) {
    let value = value.to_le_bytes();
    let to = |memory: &mut [u8], offset: usize| {
        memory[offset..offset + bytes].copy_from_slice(&value[..bytes]);
    };
    match place {
        Place::Global(address) => {
            let _ = machine.memory.write(address, bytes, u64::from_le_bytes(value));
        }
        Place::Shared(offset) => to(&mut machine.shared, offset),
        Place::Local(offset) => to(&mut thread.local, offset),
        Place::Param(offset) => to(thread.params(), offset),
    }
}

impl Place {
    /// So many bytes further on.
    pub fn after(self, bytes: usize) -> Self {
        match self {
            Self::Global(address) => Self::Global(address + bytes as u64),
            Self::Shared(offset) => Self::Shared(offset + bytes),
            Self::Local(offset) => Self::Local(offset + bytes),
            Self::Param(offset) => Self::Param(offset + bytes),
        }
    }
}

/// The place of an access; its address is in the fifth register.
fn place_of(
    machine: &Machine,
    thread: &mut Thread,
    access: &Access,
    slots: &Slots,
) -> Result<Place, Fault> {
    let address = thread.get::<u64>(slots[4]).wrapping_add(access.offset as u64);
    let all = access.bytes * access.count;
    place(machine, thread, access.space, address, [all, all])
}

/// Reads registers from memory.
#[inline]
pub fn load(
    machine: &Machine,
    thread: &mut Thread,
    access: &Access,
    slots: &Slots,
) -> Result<(), Fault> {
    let mut place = place_of(machine, thread, access, slots)?;
    let bytes = access.bytes as usize;
    for slot in &slots[..access.count as usize] {
        let mut value = read(machine, thread, place, bytes);
        if access.extend != 0 {
            let unused = 64 - 8 * access.bytes;
            value =
                ((value << unused) as i64 >> unused) as u64 & (u64::MAX >> (64 - access.extend));
        }
        thread.set(*slot, value);
        place = place.after(bytes);
    }
    Ok(())
}

/// Writes registers to memory.
#[inline]
pub fn store(
    machine: &mut Machine,
    thread: &mut Thread,
    access: &Access,
    slots: &Slots,
) -> Result<(), Fault> {
    let mut place = place_of(machine, thread, access, slots)?;
    let bytes = access.bytes as usize;
    for slot in &slots[..access.count as usize] {
        let value = thread.get(*slot);
        write(machine, thread, place, bytes, value);
        place = place.after(bytes);
    }
    Ok(())
}

/// Changes memory: registers are the old value, one or two operands, and the address in the fifth place.
pub fn change(
    machine: &mut Machine,
    thread: &mut Thread,
    access: &Access,
    f: &(dyn Fn(u64, u64, u64) -> u64 + Send + Sync),
    slots: &Slots,
) -> Result<(), Fault> {
    let place = place_of(machine, thread, access, slots)?;
    let bytes = access.bytes as usize;
    if matches!(place, Place::Local(_)) {
        return Err(Fault::new(ILLEGAL_ADDRESS, "an atomic operation in local memory"));
    }
    let old = read(machine, thread, place, bytes);
    let new = f(old, thread.get(slots[1]), thread.get(slots[2]));
    write(machine, thread, place, bytes, new);
    thread.set(slots[0], old);
    Ok(())
}
