//! Buffers on the device: which are in use, and which are free to be used again.
//!
//! A freed buffer is kept by its size. As all work is on one stream, it may be used again at once: what still reads it
//! comes before what writes it next.

use std::collections::{BTreeMap, HashMap};

/// All buffers. Invariant: an address is either in use or free.
#[derive(Default)]
pub struct Pool {
    /// First address and size of those in use.
    used: BTreeMap<u64, usize>,
    /// First addresses of free ones, by size.
    free: HashMap<usize, Vec<u64>>,
    bytes: usize,
    peak: usize,
}

impl Pool {
    /// The size of the buffer for so many bytes: at most an eighth more, or 256.
    pub fn size(bytes: usize) -> Option<usize> {
        let step = (bytes.checked_next_power_of_two()? / 16).max(256);
        bytes.max(1).checked_next_multiple_of(step)
    }

    /// Takes a free buffer of a size.
    pub fn reuse(&mut self, size: usize) -> Option<u64> {
        self.free.get_mut(&size)?.pop()
    }

    /// Notes that a buffer is in use.
    pub fn insert(&mut self, address: u64, size: usize) {
        self.used.insert(address, size);
        self.bytes += size;
        self.peak = self.peak.max(self.bytes);
    }

    /// Notes that a buffer is free; false if it is none that is in use.
    pub fn release(&mut self, address: u64) -> bool {
        let Some(size) = self.used.remove(&address) else { return false };
        self.bytes -= size;
        self.free.entry(size).or_default().push(address);
        true
    }

    /// Whether an address lies in a buffer in use.
    pub fn holds(&self, address: u64) -> bool {
        self.used
            .range(..=address)
            .next_back()
            .is_some_and(|(start, size)| address - start < *size as u64)
    }

    /// The bytes in use.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Forgets all free buffers, which are to be given back.
    pub fn drain(&mut self) -> Vec<u64> {
        self.free.drain().flat_map(|(_, addresses)| addresses).collect()
    }

    /// The most bytes that were in use at a time since the last call.
    pub fn take_peak(&mut self) -> usize {
        std::mem::replace(&mut self.peak, self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_waste_at_most_an_eighth() {
        assert_eq!(Pool::size(0), Some(256));
        assert_eq!(Pool::size(256), Some(256));
        assert_eq!(Pool::size(257), Some(512));
        for bytes in [4097, 65_537, 1_000_001, 123_456_789] {
            let size = Pool::size(bytes).unwrap();
            assert!(size >= bytes && size - bytes <= bytes / 8, "{bytes} {size}");
            assert_eq!(Pool::size(size), Some(size));
        }
        assert_eq!(Pool::size(usize::MAX), None);
    }

    #[test]
    fn knows_addresses_inside_of_buffers() {
        let mut pool = Pool::default();
        pool.insert(1000, 256);
        assert!(!pool.holds(999) && pool.holds(1000) && pool.holds(1255) && !pool.holds(1256));
        assert!(pool.release(1000) && !pool.release(1000) && !pool.holds(1000));
        assert_eq!((pool.reuse(512), pool.reuse(256), pool.reuse(256)), (None, Some(1000), None));
    }
}
