//! Numbers for tests: random sizes, from a seed that a failure names.

/// A generator of pseudo-random numbers.
#[derive(Clone, Debug)]
pub struct Random {
    seed: u64,
    state: u64,
}
impl Random {
    /// From the clock, or from the variable `SEED`.
    #[must_use]
    pub fn from_clock() -> Self {
        let clock =
            std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0, |it| it.as_nanos() as u64);
        let seed = std::env::var("SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(clock);
        println!("SEED={seed}");
        Random { seed, state: seed }
    }
    /// The value of `SEED` for the same numbers.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }
    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        // SplitMix64.
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(x ^ (x >> 31)) * end as u128) >> 64) as usize
    }
}
