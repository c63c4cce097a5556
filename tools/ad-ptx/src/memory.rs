//! Memory of the device: allocations, and what lies outside them.
//!
//! Addresses are such that the host faults when it uses one, but those of managed memory, which the host may use.
//! They are not used again, and allocations do not touch each other, so that any access outside is found.

use std::{
    alloc::{Layout, alloc, dealloc, handle_alloc_error},
    cell::Cell,
    collections::BTreeMap,
    ptr::NonNull,
};

use crate::poison::Poison;

/// Where memory of the device begins: no address of the host looks like this.
const FIRST: u64 = 1 << 51;
/// Where shared memory is among generic addresses.
pub const SHARED_WINDOW: u64 = 1 << 50;
/// Where local memory is among generic addresses.
pub const LOCAL_WINDOW: u64 = 1 << 49;
/// How many bytes a window has.
pub const WINDOW: u64 = 1 << 32;
/// What the first address of an allocation is a multiple of, and the least distance between two.
const GRAIN: usize = 512;

/// How many bytes kernels may have at a time, unless the host says otherwise.
const HEAP: usize = 8 << 20;

/// An allocation.
struct Block {
    data: NonNull<u8>,
    bytes: usize,
    managed: bool,
    /// Whether a kernel made it.
    heap: bool,
}

// SAFETY: the bytes belong to the block alone.
unsafe impl Send for Block {}

impl Block {
    fn layout(bytes: usize) -> Option<Layout> {
        Layout::from_size_align(bytes.max(1), GRAIN).ok()
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if let Some(layout) = Self::layout(self.bytes) {
            // SAFETY: it was allocated with this layout.
            unsafe { dealloc(self.data.as_ptr(), layout) }
        }
    }
}

/// Bytes from an address on that one allocation has.
#[derive(Clone, Copy, Default)]
struct Span {
    first: u64,
    end: u64,
    data: usize,
}

/// All allocations.
pub struct Memory {
    blocks: BTreeMap<u64, Block>,
    freed: BTreeMap<u64, usize>,
    next: u64,
    used: usize,
    heap: usize,
    /// How many bytes kernels may have at a time.
    pub most_heap: usize,
    limit: usize,
    poison: Poison,
    /// What was found last, for addresses that end alike.
    recent: [Cell<Span>; 8],
}

impl Memory {
    /// So many bytes.
    pub fn new(limit: usize, poison: Poison) -> Self {
        Self {
            blocks: BTreeMap::new(),
            freed: BTreeMap::new(),
            next: FIRST,
            used: 0,
            heap: 0,
            most_heap: HEAP,
            limit,
            poison,
            recent: Default::default(),
        }
    }

    /// How many bytes there are.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// How many bytes are in use.
    pub fn used(&self) -> usize {
        self.used
    }

    /// New memory, poisoned, or nothing if there is not enough.
    pub fn allocate(&mut self, bytes: usize, managed: bool) -> Option<u64> {
        let total = self.used.checked_add(bytes)?;
        let layout = Block::layout(bytes).filter(|_| total <= self.limit)?;
        // SAFETY: the size is not zero.
        let data = unsafe { alloc(layout) };
        let Some(data) = NonNull::new(data) else { handle_alloc_error(layout) };
        // SAFETY: so many bytes are there.
        self.poison.fill(unsafe { std::slice::from_raw_parts_mut(data.as_ptr(), bytes) });
        let address = if managed { data.as_ptr() as u64 } else { self.next };
        if !managed {
            self.next += (bytes.next_multiple_of(GRAIN) + GRAIN) as u64;
        }
        self.freed.remove(&address);
        self.used = total;
        self.blocks.insert(address, Block { data, bytes, managed, heap: false });
        Some(address)
    }

    /// New memory for a kernel, or 0 if its heap is full.
    pub fn allocate_heap(&mut self, bytes: usize) -> u64 {
        if bytes == 0 || bytes > self.most_heap.saturating_sub(self.heap) {
            return 0;
        }
        let Some(address) = self.allocate(bytes, false) else { return 0 };
        self.heap += bytes;
        if let Some(block) = self.blocks.get_mut(&address) {
            block.heap = true;
        }
        address
    }

    /// Gives an allocation of the host back; false if none begins there.
    pub fn free(&mut self, address: u64) -> bool {
        self.release(address, false).is_some()
    }

    /// Gives an allocation of a kernel back; false if none begins there.
    pub fn free_heap(&mut self, address: u64) -> bool {
        let bytes = self.release(address, true);
        self.heap -= bytes.unwrap_or(0);
        bytes.is_some()
    }

    fn release(&mut self, address: u64, heap: bool) -> Option<usize> {
        if self.blocks.get(&address)?.heap != heap {
            return None;
        }
        let block = self.blocks.remove(&address)?;
        self.used -= block.bytes;
        self.freed.insert(address, block.bytes);
        self.recent = Default::default();
        Some(block.bytes)
    }

    /// Whether an address is the device's: not the host's, whether it is valid or not.
    pub fn is_device(&self, address: u64) -> bool {
        address >= LOCAL_WINDOW || self.around(address).is_some()
    }

    /// The allocation that begins before an address or at it, if the address is in it or at its end.
    fn around(&self, address: u64) -> Option<(u64, &Block)> {
        let (first, block) = self.blocks.range(..=address).next_back()?;
        (address - first <= block.bytes as u64).then_some((*first, block))
    }

    /// The host's pointer to bytes of one allocation.
    #[inline]
    pub fn pointer(&self, address: u64, bytes: usize) -> Option<*mut u8> {
        let recent = &self.recent[(address >> 12) as usize % 8];
        let span = recent.get();
        if address >= span.first && address < span.end && span.end - address >= bytes as u64 {
            return Some((span.data + (address - span.first) as usize) as *mut u8);
        }
        let (first, block) = self.around(address)?;
        let end = first + block.bytes as u64;
        if end - address < bytes as u64 {
            return None;
        }
        recent.set(Span { first, end, data: block.data.as_ptr() as usize });
        Some((block.data.as_ptr() as usize + (address - first) as usize) as *mut u8)
    }

    /// Reads at most 8 bytes.
    #[inline]
    pub fn read(&self, address: u64, bytes: usize) -> Option<u64> {
        let from = self.pointer(address, bytes)?;
        let mut value = [0; 8];
        // SAFETY: one allocation has these bytes, which nothing else uses while a kernel runs.
        unsafe { from.copy_to_nonoverlapping(value.as_mut_ptr(), bytes.min(8)) };
        Some(u64::from_le_bytes(value))
    }

    /// Writes at most 8 bytes.
    #[inline]
    pub fn write(&self, address: u64, bytes: usize, value: u64) -> Option<()> {
        let to = self.pointer(address, bytes)?;
        // SAFETY: one allocation has these bytes, which nothing else uses while a kernel runs.
        unsafe { to.copy_from_nonoverlapping(value.to_le_bytes().as_ptr(), bytes.min(8)) };
        Some(())
    }

    /// Writes bytes.
    pub fn write_all(&self, address: u64, bytes: &[u8]) -> Option<()> {
        let to = self.pointer(address, bytes.len())?;
        // SAFETY: one allocation has these bytes.
        unsafe { to.copy_from(bytes.as_ptr(), bytes.len()) };
        Some(())
    }

    /// What is wrong with an address, in words.
    pub fn explain(&self, address: u64, bytes: usize) -> String {
        if let Some((first, block)) = self.around(address) {
            let kind = if block.managed { "managed allocation" } else { "allocation" };
            let offset = address - first;
            return format!("{bytes} bytes at {offset} of an {kind} of {} bytes", block.bytes)
                .replace("an managed", "a managed");
        }
        let freed = self.freed.range(..=address).next_back();
        if let Some((first, size)) = freed.filter(|(first, size)| address - **first < **size as u64)
        {
            return format!("byte {} of freed memory of {size} bytes", address - first);
        }
        let before = self.blocks.range(..=address).next_back();
        match before.filter(|_| address >= FIRST) {
            Some((first, block)) => {
                let beyond = address - first - block.bytes as u64;
                format!("{beyond} bytes beyond the end of an allocation of {} bytes", block.bytes)
            }
            None if address < LOCAL_WINDOW => "memory of the host, or none".to_owned(),
            None => "no allocation".to_owned(),
        }
    }
}
