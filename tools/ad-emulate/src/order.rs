//! The orders in which blocks and threads run.
//!
//! A kernel must not depend on them, so they are shuffled; they depend on the seed alone, so that a run can be repeated.

/// A generator of numbers that look random: splitmix64.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// Permutes items, all orders being about equally likely.
    pub(crate) fn shuffle(&mut self, items: &mut [u16]) {
        for last in (1..items.len()).rev() {
            let chosen = ((self.next() >> 32) * (last as u64 + 1)) >> 32;
            items.swap(last, chosen as usize);
        }
    }
}

/// A permutation of the numbers below a count, computed rather than stored: grids may have 2^60 blocks.
///
/// It is a Feistel network on the next even number of bits, applied until the result is below the count again.
pub(crate) struct Permutation {
    count: u64,
    half: u32,
    keys: [u64; 4],
}

impl Permutation {
    pub(crate) fn new(count: u64, random: &mut Random) -> Self {
        let bits = u64::BITS - count.saturating_sub(1).leading_zeros();
        Self { count, half: bits.div_ceil(2), keys: std::array::from_fn(|_| random.next()) }
    }

    /// Returns what comes at a position, which is below the count.
    pub(crate) fn at(&self, position: u64) -> u64 {
        let mask = (1 << self.half) - 1;
        let mut number = position;
        loop {
            let (mut left, mut right) = (number >> self.half, number & mask);
            for key in self.keys {
                (left, right) = (right, left ^ (mix(right ^ key) & mask));
            }
            number = left << self.half | right;
            if number < self.count {
                return number;
            }
        }
    }
}

fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permutation_has_every_number_once() {
        for count in [1, 2, 3, 4, 5, 16, 17, 1000, 65_537] {
            let order = Permutation::new(count, &mut Random::new(count));
            let mut numbers: Vec<u64> = (0..count).map(|position| order.at(position)).collect();
            numbers.sort_unstable();
            assert!(numbers.into_iter().eq(0..count), "of {count}");
        }
    }

    #[test]
    fn a_permutation_of_the_largest_grid_stays_in_range() {
        let count = ((1 << 31) - 1) * 65_535 * 65_535;
        let order = Permutation::new(count, &mut Random::new(1));
        for position in [0, 1, count / 2, count - 1] {
            assert!(order.at(position) < count);
        }
    }
}
