//! What subgroups ask of memory, as a GPU counts it.
//!
//! Threads of a subgroup that execute one access together make one request. A request to the device's memory moves
//! every sector of 32 bytes of which any thread needs a part; one to the shared memory of a block takes a turn for each
//! word of four bytes that a bank has to give, as often as the bank with the most words says.
//!
//! Threads run one after another here, so that requests are put together afterwards: the n-th time that each thread of a
//! subgroup executes an access between two barriers is one request. That is what a GPU does where all threads go the
//! same way, and an estimate where they part. Atomic updates of one place are done one after another, and count as such.
//!
//! Counts are of accesses as they are written in the kernel: what a compiler keeps in registers, or reads several of at
//! once, is not known here.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    mem,
};

use crate::{
    shadow::{Access, Kind},
    shuffle::LANES,
};

/// The bytes that memory moves at least.
pub const SECTOR: u64 = 32;
/// The banks of shared memory, of four bytes each.
const BANKS: usize = 32;

/// What the launches of a kernel asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Requests {
    /// Launches of the kernel.
    pub launches: u64,
    /// Threads of these.
    pub threads: u64,
    /// Requests to the device's memory.
    pub requests: u64,
    /// Bytes that threads asked for there, each counting as often as a thread asks.
    pub bytes: u64,
    /// Bytes of the sectors that were moved to or from there.
    pub moved_bytes: u64,
    /// Bytes of the sectors that a launch touched, each once: what a perfect cache leaves.
    pub touched_bytes: u64,
    /// Atomic updates of the device's memory.
    pub atomics: u64,
    /// Turns that these took: where threads of a request update one place, each takes its own.
    pub atomic_turns: u64,
    /// Requests to the shared memory of blocks.
    pub shared_requests: u64,
    /// Turns that these took.
    pub shared_turns: u64,
}

/// Whether an access is to the shared memory of a block, and whether it is an atomic update.
#[derive(Clone, Copy)]
struct Place {
    of_block: bool,
    is_atomic: bool,
}

/// Where the threads of a subgroup access memory at a time.
struct Request {
    place: Place,
    bytes: u64,
    /// By lane; none where a thread does not take part.
    addresses: [Option<u64>; LANES],
}

/// What a launch asks for.
#[derive(Default)]
pub(crate) struct Counting {
    counts: Requests,
    touched: HashSet<u64>,
    /// How often each thread executed an access since the last barrier.
    executed: HashMap<(u16, u32), u32>,
    /// Requests by subgroup, access, and how often it was executed before.
    open: HashMap<(u16, u32, u32), Request>,
}

impl Counting {
    pub(crate) fn new(threads: u64) -> Self {
        let counts = Requests { launches: 1, threads, ..Requests::default() };
        Self { counts, ..Self::default() }
    }

    /// Notes what a thread accesses, by the number of the access in its kernel.
    pub(crate) fn access(
        &mut self,
        [address, bytes]: [u64; 2],
        thread: u16,
        number: u32,
        access: Access,
    ) {
        let executed = self.executed.entry((thread, number)).or_default();
        let place =
            Place { of_block: access.of_block, is_atomic: matches!(access.kind, Kind::Atomic) };
        let request = self.open.entry((thread / LANES as u16, number, *executed));
        let request = request.or_insert_with(|| Request { place, bytes, addresses: [None; LANES] });
        if let Some(own) = request.addresses.get_mut(usize::from(thread) % LANES) {
            *own = Some(address);
        }
        *executed += 1;
    }

    /// Closes all requests: a barrier was reached, or the block has ended.
    pub(crate) fn close(&mut self) {
        self.executed.clear();
        for (_, request) in mem::take(&mut self.open) {
            self.count(&request);
        }
    }

    fn count(&mut self, request: &Request) {
        let Request { place, bytes, addresses } = request;
        let counts = &mut self.counts;
        if place.of_block {
            counts.shared_requests += 1;
            counts.shared_turns += turns(addresses, *bytes);
            return;
        }
        let addresses: Vec<u64> = addresses.iter().flatten().copied().collect();
        let sectors: HashSet<u64> = addresses
            .iter()
            .flat_map(|address| address / SECTOR..=(address + bytes.max(&1) - 1) / SECTOR)
            .collect();
        counts.requests += 1;
        counts.bytes += bytes * addresses.len() as u64;
        counts.moved_bytes += SECTOR * sectors.len() as u64;
        if place.is_atomic {
            counts.atomics += addresses.len() as u64;
            counts.atomic_turns += most_equal(&addresses);
        }
        self.touched.extend(sectors);
    }

    pub(crate) fn end(mut self) -> Requests {
        self.close();
        self.counts.touched_bytes = SECTOR * self.touched.len() as u64;
        self.counts
    }
}

/// How often shared memory has to give something for a request. Threads with more than four bytes each take turns, as
/// many as move 128 bytes at a time.
fn turns(addresses: &[Option<u64>; LANES], bytes: u64) -> u64 {
    let together = (4 * LANES as u64 / bytes.max(4)).max(1) as usize;
    let of_part = |part: &[Option<u64>]| {
        let part = part.iter().flatten();
        let words: HashSet<u64> =
            part.flat_map(|address| address / 4..(address + bytes).div_ceil(4)).collect();
        let mut banks = [0_u64; BANKS];
        for word in words {
            banks[word as usize % BANKS] += 1;
        }
        banks.into_iter().max().unwrap_or(0)
    };
    addresses.chunks(together).map(of_part).sum()
}

/// How many of the addresses are the same, at most.
fn most_equal(addresses: &[u64]) -> u64 {
    let mut times = BTreeMap::<u64, u64>::new();
    for &address in addresses {
        *times.entry(address).or_default() += 1;
    }
    times.into_values().max().unwrap_or(0)
}

impl Requests {
    /// Adds what other launches of the kernel asked for.
    pub(crate) fn add(&mut self, other: &Self) {
        self.launches += other.launches;
        self.threads += other.threads;
        self.requests += other.requests;
        self.bytes += other.bytes;
        self.moved_bytes += other.moved_bytes;
        self.touched_bytes += other.touched_bytes;
        self.atomics += other.atomics;
        self.atomic_turns += other.atomic_turns;
        self.shared_requests += other.shared_requests;
        self.shared_turns += other.shared_turns;
    }
}
