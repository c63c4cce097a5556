//! What the tests of programs share.

/// Numbers that look random, the same every time.
pub struct Numbers(pub u64);

impl Numbers {
    /// A number in a range.
    pub fn next(&mut self, low: f64, high: f64) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * ((self.0 >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// Numbers in a range.
    pub fn vector(&mut self, count: usize, low: f64, high: f64) -> Vec<f64> {
        (0..count).map(|_| self.next(low, high)).collect()
    }
}
