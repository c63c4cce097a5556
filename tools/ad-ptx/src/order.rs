//! The order in which threads run, and what memory holds that nobody wrote.

/// A generator of numbers that look random: splitmix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below a count.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.number()) * count as u128) >> 64) as usize
    }

    /// Permutes items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let chosen = self.below(last + 1);
            items.swap(last, chosen);
        }
    }
}

/// What is in memory and in registers at first.
#[derive(Clone, Debug)]
pub enum Poison {
    /// The same byte everywhere: for the seed 0.
    Byte(u8),
    /// Random bytes.
    Random(Random),
}

impl Poison {
    /// The poison of a seed.
    pub fn new(seed: u64) -> Self {
        if seed == 0 { Self::Byte(0xee) } else { Self::Random(Random::new(!seed)) }
    }

    /// Fills bytes.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        match self {
            Self::Byte(byte) => bytes.fill(*byte),
            Self::Random(random) => {
                for chunk in bytes.chunks_mut(8) {
                    chunk.copy_from_slice(&random.number().to_le_bytes()[..chunk.len()]);
                }
            }
        }
    }

    /// A word.
    pub fn word(&mut self) -> u64 {
        let mut bytes = [0; 8];
        self.fill(&mut bytes);
        u64::from_le_bytes(bytes)
    }
}
