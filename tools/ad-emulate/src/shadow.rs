//! Remembers who accessed which byte, and finds two accesses that race.
//!
//! Two accesses of different threads to one byte race if at least one writes, two atomic ones excepted, unless both
//! threads are in one block and a barrier lies between. A thread of the same block in the same phase, between the same
//! two barriers, may come before or after; a thread of another block always may.
//!
//! What is remembered of a byte is its `cell`; bytes share one four at a time until one of them is accessed alone;
//! pages of cells are found by address.
//! Time goes to cache misses, as a cell is larger than what it stands for: lines of the source are therefore apart.
//! After the first race nothing is recorded any more.
//! Stamps of earlier launches are recognised by their block number and count as absent, so that nothing is cleared.
//!
//! Memory of a block, which the next block uses again, is marked with each access: there, stamps of earlier blocks
//! count as absent too.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

use crate::cell::{self, Cell, Lines, MAX_PHASE, Present, Raced, Stamp};

pub(crate) use crate::cell::{Access, Kind};

/// Stands for the stamp of writes where each byte has a cell of its own; no block has this number.
const SPLIT: Stamp = Stamp::MAX;
const MAX_BLOCK: u64 = u32::MAX as u64 - 1;

const CELLS: usize = 1024;
/// Pages are kept for the next launch up to this number (384 MiB).
const KEPT_PAGES: usize = 16384;
const RECENT: usize = 256;

/// An access that races with the present one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Earlier {
    pub(crate) kind: Kind,
    /// The number of its block in the order of the launch, and that of the present one.
    pub(crate) block: u64,
    pub(crate) now: u64,
    /// The thread; none if it is only known that there is one.
    pub(crate) thread: Option<u16>,
    pub(crate) line: u32,
}

/// The cells of 4096 bytes; those of eight that belong together share a cache line.
#[repr(align(64))]
struct Page {
    cells: [Cell; CELLS],
    lines: [Lines; CELLS],
}

/// The stamps of all memory.
pub(crate) struct Shadow {
    pages: Vec<Box<Page>>,
    index: HashMap<u64, u32, BuildHasherDefault<Multiply>>,
    /// Pages that were used lately, by the lowest bits of their number.
    recent: [(u64, u32); RECENT],
    /// Cells of single bytes, where four were split.
    split: Vec<[(Cell, Lines); 4]>,
    /// Numbers of the first block of the launch, of the block that runs, and of the first block of the next launch.
    first: u64,
    block: u64,
    next: u64,
    phase: u64,
}

impl Default for Shadow {
    fn default() -> Self {
        Self {
            pages: Vec::new(),
            index: HashMap::default(),
            recent: [(u64::MAX, 0); RECENT],
            split: Vec::new(),
            first: 1,
            block: 1,
            next: 1,
            phase: 0,
        }
    }
}

impl Shadow {
    /// Begins a launch of so many blocks; false if stamps cannot hold their numbers.
    pub(crate) fn begin_launch(&mut self, blocks: u64) -> bool {
        let fits = |next: u64| next.checked_add(blocks).is_some_and(|end| end <= MAX_BLOCK);
        if self.pages.len() > KEPT_PAGES || !fits(self.next) {
            *self = Self::default();
        }
        let fits = fits(self.next);
        self.first = self.next;
        self.next += if fits { blocks } else { 0 };
        fits
    }

    /// Begins a block, by its number in the order of the launch.
    pub(crate) fn begin_block(&mut self, number: u64) {
        self.block = self.first + number;
        self.phase = 0;
    }

    /// All threads of the block reached a barrier.
    pub(crate) fn pass_barrier(&mut self) {
        if self.phase == MAX_PHASE {
            self.forget_phases();
        }
        self.phase += 1;
    }

    /// Records an access of a thread, unless it races with an earlier one.
    pub(crate) fn access(
        &mut self,
        address: u64,
        bytes: u64,
        thread: u16,
        access: Access,
    ) -> Option<Earlier> {
        let oldest = if access.of_block { self.block } else { self.first };
        let present = Present::new([self.block, self.phase], thread, access, oldest);
        let end = address.saturating_add(bytes);
        let mut at = address;
        while at < end {
            let next = (at | 3).saturating_add(1).min(end);
            let page = self.page(at >> 12);
            let page = self.pages.get_mut(page)?;
            let place = (at >> 2) as usize % CELLS;
            let (cell, lines) = (&mut page.cells[place], &mut page.lines[place]);
            let raced = if next - at == 4 && cell.written != SPLIT {
                cell.access(lines, present)
            } else {
                let bytes = split(cell, *lines, &mut self.split)?;
                let (from, to) = ((at & 3) as usize, ((next - 1) & 3) as usize);
                let mut bytes = bytes.get_mut(from..=to)?.iter_mut();
                bytes.find_map(|(cell, lines)| cell.access(lines, present))
            };
            if let Some(raced) = raced {
                return Some(self.earlier(raced, thread));
            }
            at = next;
        }
        None
    }

    fn earlier(&self, raced: Raced, thread: u16) -> Earlier {
        let (block, other) = cell::block_and_thread(raced.stamp);
        let known = raced.known && (block != self.block || other != thread);
        Earlier {
            kind: raced.kind,
            block: block - self.first,
            now: self.block - self.first,
            thread: known.then_some(other),
            line: if known { raced.line } else { 0 },
        }
    }

    fn page(&mut self, number: u64) -> usize {
        let recent = &mut self.recent[number as usize % RECENT];
        if recent.0 != number {
            let fresh = self.pages.len() as u32;
            let page = *self.index.entry(number).or_insert(fresh);
            if page == fresh {
                self.pages.push(Box::new(Page {
                    cells: [Cell::default(); CELLS],
                    lines: [Lines::default(); CELLS],
                }));
            }
            *recent = (number, page);
        }
        recent.1 as usize
    }

    /// Phases have used up their bits: all that this block did gets phase 0, which the next ones come after.
    #[cold]
    fn forget_phases(&mut self) {
        let cells = self.pages.iter_mut().flat_map(|page| &mut page.cells);
        // Where a cell was split, it has neither the number of this block nor, in its index, any.
        for cell in cells.chain(self.split.iter_mut().flatten().map(|(cell, _)| cell)) {
            cell.forget_phase(self.block);
        }
        self.phase = 0;
    }
}

/// Returns the cells of single bytes, and makes them of the cell that they had in common.
fn split<'a>(
    cell: &mut Cell,
    lines: Lines,
    split: &'a mut Vec<[(Cell, Lines); 4]>,
) -> Option<&'a mut [(Cell, Lines); 4]> {
    if cell.written != SPLIT {
        split.push([(*cell, lines); 4]);
        *cell = Cell { written: SPLIT, read: split.len() as u64 - 1 };
    }
    split.get_mut(cell.read as usize)
}

/// A hash for page numbers: they are not chosen by an adversary.
#[derive(Default)]
struct Multiply(u64);

impl Hasher for Multiply {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(26);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITE: Access = Access { kind: Kind::Write, of_block: false, line: 1 };

    #[test]
    fn phases_may_be_more_than_a_stamp_can_hold() {
        let mut shadow = Shadow::default();
        assert!(shadow.begin_launch(3));
        shadow.begin_block(1);
        // One cell of four bytes, one that is split, and one of the latest phase. The first phase after 2^19 has the
        // same number as this one.
        shadow.pass_barrier();
        assert_eq!(shadow.access(0, 4, 1, WRITE), None);
        assert_eq!(shadow.access(9, 1, 1, WRITE), None);
        for _ in 0..MAX_PHASE {
            shadow.pass_barrier();
            assert_eq!(shadow.access(100, 4, 1, WRITE), None);
        }
        assert_eq!(shadow.access(0, 12, 2, WRITE), None);
        assert!(shadow.access(100, 4, 2, WRITE).is_some());
        shadow.begin_block(2);
        assert!(shadow.access(0, 1, 1, WRITE).is_some());
    }

    #[test]
    fn blocks_of_all_launches_may_be_more_than_a_stamp_can_hold() {
        let mut shadow = Shadow::default();
        for blocks in [MAX_BLOCK - 1, 3, MAX_BLOCK - 5, 4, 1] {
            assert!(shadow.begin_launch(blocks), "{blocks}");
            shadow.begin_block(0);
            assert_eq!(shadow.access(64, 4, 0, WRITE), None);
            shadow.begin_block(blocks - 1);
            assert_eq!(shadow.access(64, 4, 0, WRITE).is_some(), blocks > 1);
        }
        assert!(!shadow.begin_launch(MAX_BLOCK));
        assert!(shadow.begin_launch(1));
        shadow.begin_block(0);
        assert_eq!(shadow.access(64, 4, 0, WRITE), None);
    }

    #[test]
    fn pages_are_found_wherever_they_are() {
        let mut shadow = Shadow::default();
        assert!(shadow.begin_launch(1));
        shadow.begin_block(0);
        // Pages that share a place among the recent ones, and the ends of memory.
        let far = (0..600).map(|page| (page * (RECENT as u64 / 2)) << 12);
        let addresses: Vec<u64> = far.chain([u64::MAX - 3, u64::MAX - 4096]).collect();
        for &address in &addresses {
            assert_eq!(shadow.access(address, 3, 1, WRITE), None);
        }
        for &address in &addresses {
            assert!(shadow.access(address + 2, 1, 2, WRITE).is_some(), "{address}");
        }
        assert_eq!(shadow.pages.len(), addresses.len());
    }
}
