//! Numbers that look random and are the same every time, everywhere.

/// A generator with 64 bits of state (SplitMix64).
pub struct Numbers(u64);

impl Numbers {
    /// The sequence that belongs to a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// One number, every one between the bounds as likely.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// One number of the normal distribution with mean 0 and variance 1 (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform(0.0, 1.0)).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform(0.0, 1.0)).cos()
    }

    /// An index below the bound, which is not zero.
    pub fn index(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    /// Uniform numbers.
    pub fn uniforms(&mut self, count: usize, low: f64, high: f64) -> Vec<f64> {
        (0..count).map(|_| self.uniform(low, high)).collect()
    }

    /// Normal numbers.
    pub fn normals(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.normal()).collect()
    }

    /// Indices below the bound.
    pub fn indices(&mut self, count: usize, bound: usize) -> Vec<i64> {
        (0..count).map(|_| self.index(bound) as i64).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distributions() {
        let mut numbers = Numbers::new(1);
        let normals = numbers.normals(100_000);
        let mean = normals.iter().sum::<f64>() / 1e5;
        let variance = normals.iter().map(|v| v * v).sum::<f64>() / 1e5;
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
        let uniforms = numbers.uniforms(100_000, -1.0, 3.0);
        assert!(uniforms.iter().all(|v| (-1.0..3.0).contains(v)));
        assert!((uniforms.iter().sum::<f64>() / 1e5 - 1.0).abs() < 0.02);
        assert!(numbers.indices(1000, 7).iter().all(|i| (0..7).contains(i)));
    }
}
