//! What memory holds that nobody wrote.

use fastrand::Rng;

/// What is in memory and in registers at first.
#[derive(Clone, Debug)]
pub enum Poison {
    /// The same byte everywhere: for the seed 0.
    Byte(u8),
    /// Random bytes.
    Random(Rng),
}

impl Poison {
    /// The poison of a seed.
    pub fn new(seed: u64) -> Self {
        if seed == 0 { Self::Byte(0xee) } else { Self::Random(Rng::with_seed(!seed)) }
    }

    /// Fills bytes.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        match self {
            Self::Byte(byte) => bytes.fill(*byte),
            Self::Random(random) => random.fill(bytes),
        }
    }

    /// A word.
    pub fn word(&mut self) -> u64 {
        let mut bytes = [0; 8];
        self.fill(&mut bytes);
        u64::from_le_bytes(bytes)
    }
}
