//! What is remembered of a byte, or of four that were accessed alike.
//!
//! One stamp per byte for reads and one for writes and atomic updates are enough to find the first race exactly,
//! because blocks run one after another and phases of a block too. A stamp holds block, phase, thread, and whether
//! more threads of that phase made such an access. A stamp of an earlier block is kept for ever: whatever conflicts
//! with it from now on races. One of an earlier phase is replaced: what comes later is ordered after it, and after all
//! that were before it. A write replaces the atomic updates of its own thread and phase, and not the other way round:
//! whatever races with the update races with the write. Where an update replaces a write of an earlier phase, the stamp
//! keeps that there was one: updates of later blocks race with it.

/// A stamp, from the highest bit: 32 bits of block, 19 of phase, 10 of thread, and the three that follow.
pub(crate) type Stamp = u64;
const BLOCK_SHIFT: u32 = 32;
const PHASE_SHIFT: u32 = 13;
pub(crate) const MAX_PHASE: u64 = (1 << (BLOCK_SHIFT - PHASE_SHIFT)) - 1;
const THREAD_SHIFT: u32 = 3;
const THREAD_MASK: u64 = 0x3ff;
/// More threads of the phase made such an access.
const SEVERAL: Stamp = 4;
/// The stamp is of atomic updates, and some thread of the block wrote in an earlier phase.
const WROTE: Stamp = 2;
/// The stamp is of atomic updates.
const ATOMIC: Stamp = 1;

/// How memory is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Read,
    Write,
    Atomic,
}

/// An access, apart from where and by whom.
#[derive(Clone, Copy)]
pub(crate) struct Access {
    pub(crate) kind: Kind,
    /// The memory belongs to the block: what other blocks did there is another matter.
    pub(crate) of_block: bool,
    /// The line of the source, or 0.
    pub(crate) line: u32,
}

/// Stamps of four bytes, or of one.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cell {
    /// Of writes and atomic updates.
    pub(crate) written: Stamp,
    pub(crate) read: Stamp,
}

/// The lines of the source for the stamps of a cell.
#[derive(Clone, Copy, Default)]
pub(crate) struct Lines {
    pub(crate) written: u32,
    pub(crate) read: u32,
}

/// The present access, and the oldest stamp that counts.
#[derive(Clone, Copy)]
pub(crate) struct Present {
    stamp: Stamp,
    oldest: Stamp,
    kind: Kind,
    line: u32,
}

/// The earlier access that the present one races with.
pub(crate) struct Raced {
    pub(crate) kind: Kind,
    pub(crate) stamp: Stamp,
    /// The line of the source, or 0.
    pub(crate) line: u32,
    /// The thread is that of the stamp.
    pub(crate) known: bool,
}

pub(crate) fn block_and_thread(stamp: Stamp) -> (u64, u16) {
    (stamp >> BLOCK_SHIFT, (stamp >> THREAD_SHIFT & THREAD_MASK) as u16)
}

impl Present {
    /// Makes an access of a thread in a block and phase; stamps of blocks before the oldest count as absent.
    pub(crate) fn new([block, phase]: [u64; 2], thread: u16, access: Access, oldest: u64) -> Self {
        let stamp = block << BLOCK_SHIFT
            | phase << PHASE_SHIFT
            | u64::from(thread) << THREAD_SHIFT
            | if access.kind == Kind::Atomic { ATOMIC } else { 0 };
        Self { stamp, oldest: oldest << BLOCK_SHIFT, kind: access.kind, line: access.line }
    }

    /// Whether an earlier access, with which this one conflicts, is not ordered before it.
    fn races_with(self, stamp: Stamp) -> bool {
        let differs = (stamp ^ self.stamp) & !(ATOMIC | WROTE);
        stamp >= self.oldest
            && (differs >> BLOCK_SHIFT != 0 || differs >> PHASE_SHIFT == 0 && differs != 0)
    }

    /// Whether a stamp gives way to that of this access: it is absent, or of an earlier phase of the block.
    fn replaces(self, stamp: Stamp) -> bool {
        let differs = stamp ^ self.stamp;
        stamp < self.oldest || differs >> BLOCK_SHIFT == 0 && differs >> PHASE_SHIFT != 0
    }

    /// Whether a stamp is of another thread, or of this one and others, of the same phase.
    fn joins(self, stamp: Stamp) -> bool {
        let differs = (stamp ^ self.stamp) & !(ATOMIC | WROTE);
        differs >> PHASE_SHIFT == 0 && differs != 0
    }
}

impl Cell {
    /// Stamps the cell, or returns what the access races with.
    pub(crate) fn access(&mut self, lines: &mut Lines, present: Present) -> Option<Raced> {
        let updated = self.written & ATOMIC != 0;
        let same_block = (self.written ^ present.stamp) >> BLOCK_SHIFT == 0;
        if updated && present.kind == Kind::Atomic {
            // Updates do not race with each other, but those of another block do with a write that one replaced.
            let wrote = self.written & WROTE != 0 && !same_block;
            if wrote && present.races_with(self.written) {
                let (kind, stamp) = (Kind::Write, self.written);
                return Some(Raced { kind, stamp, line: 0, known: false });
            }
        } else if present.races_with(self.written) {
            let kind = if updated { Kind::Atomic } else { Kind::Write };
            let (stamp, line) = (self.written, lines.written);
            return Some(Raced { kind, stamp, line, known: true });
        }
        if present.kind == Kind::Read {
            if present.replaces(self.read) {
                self.read = present.stamp;
                lines.read = present.line;
            } else if present.joins(self.read) {
                self.read |= SEVERAL;
            }
            return None;
        }
        if present.races_with(self.read) {
            let (kind, stamp, line) = (Kind::Read, self.read, lines.read);
            return Some(Raced { kind, stamp, line, known: true });
        }
        if present.replaces(self.written) || updated && present.kind == Kind::Write {
            let wrote = same_block && (!updated || self.written & WROTE != 0);
            let keeps = wrote && present.kind == Kind::Atomic;
            self.written = present.stamp | if keeps { WROTE } else { 0 };
            lines.written = present.line;
        } else if present.joins(self.written) {
            self.written |= SEVERAL;
        }
        None
    }

    /// Makes phase 0 of whatever phases of a block are stamped.
    pub(crate) fn forget_phase(&mut self, block: u64) {
        for stamp in [&mut self.written, &mut self.read] {
            if *stamp >> BLOCK_SHIFT == block {
                *stamp &= !(MAX_PHASE << PHASE_SHIFT);
            }
        }
    }
}
