//! The caches of a core, which decide how large a block is.

use std::sync::OnceLock;

/// The bytes of data that the caches of one core hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caches {
    pub first: usize,
    pub second: usize,
}

impl Caches {
    /// Those of a large core, and what is taken where the processor does not say.
    pub const LARGE: Self = Caches { first: 48 << 10, second: 2 << 20 };

    /// Those of this machine, which is asked once.
    pub fn of_this_machine() -> Self {
        static CACHES: OnceLock<Caches> = OnceLock::new();
        *CACHES.get_or_init(|| Self::ask().unwrap_or(Self::LARGE))
    }

    #[cfg(target_arch = "x86_64")]
    fn ask() -> Option<Self> {
        use raw_cpuid::{CacheType, CpuId};
        let caches: Vec<_> = CpuId::new().get_cache_parameters()?.collect();
        let bytes = |level, kind| {
            let cache =
                caches.iter().find(|cache| cache.level() == level && cache.cache_type() == kind)?;
            let line = cache.physical_line_partitions() * cache.coherency_line_size();
            Some(cache.associativity() * line * cache.sets())
        };
        Some(Caches { first: bytes(1, CacheType::Data)?, second: bytes(2, CacheType::Unified)? })
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn ask() -> Option<Self> {
        None
    }
}

/// `48 KiB and 2048 KiB`.
impl std::fmt::Display for Caches {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} KiB and {} KiB", self.first >> 10, self.second >> 10)
    }
}
