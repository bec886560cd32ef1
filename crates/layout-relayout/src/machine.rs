//! The processor: its instruction sets and its caches.

use std::fmt;
use std::sync::OnceLock;

/// An instruction set that the loops are compiled for. [`detect`](Self::detect) returns the best
/// instruction set of the processor; tests use each of them.
///
/// ```
/// use layout_relayout::InstructionSet;
/// assert!(InstructionSet::detect().is_available());
/// assert!(InstructionSet::Portable.is_available());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InstructionSet {
    /// The same loops with arrays of 16 bytes; at the edges, the registers of 16 bytes that every
    /// processor of the architecture has, if any.
    Portable,
    /// Registers of 16 bytes of AArch64.
    Neon,
    /// Registers of 16 bytes, which every x86-64 has.
    Sse2,
    /// Registers of 32 bytes.
    Avx2,
    /// Registers of 64 bytes.
    Avx512,
}

impl InstructionSet {
    /// All instruction sets, the best one last.
    pub const ALL: [Self; 5] = [Self::Portable, Self::Neon, Self::Sse2, Self::Avx2, Self::Avx512];

    /// The best instruction set of this processor.
    ///
    /// ```
    /// use layout_relayout::InstructionSet;
    /// assert!(InstructionSet::ALL.into_iter().all(|set| !set.is_available() || set <= InstructionSet::detect()));
    /// ```
    pub fn detect() -> Self {
        Self::ALL.into_iter().rfind(|set| set.is_available()).unwrap_or(Self::Portable)
    }

    /// Whether this processor has the instruction set.
    ///
    /// ```
    /// use layout_relayout::InstructionSet;
    /// assert_eq!(InstructionSet::Sse2.is_available(), cfg!(target_arch = "x86_64"));
    /// ```
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            Self::Neon => cfg!(target_arch = "aarch64"),
            #[cfg(target_arch = "x86_64")]
            Self::Sse2 => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
            }
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }
}

/// `AVX-512`.
impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Portable => "no instruction set",
            Self::Neon => "NEON",
            Self::Sse2 => "SSE2",
            Self::Avx2 => "AVX2",
            Self::Avx512 => "AVX-512",
        })
    }
}

/// The bytes of the data caches of one core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Caches {
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) last: usize,
}

impl Caches {
    /// The sizes to assume if the processor does not report them.
    const USUAL: Self = Caches { first: 32 << 10, second: 1 << 20, last: 32 << 20 };

    /// The caches of this machine, which are detected once.
    pub(crate) fn of_this_machine() -> Self {
        static CACHES: OnceLock<Caches> = OnceLock::new();
        *CACHES.get_or_init(|| Self::ask().unwrap_or(Self::USUAL))
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
        let second = bytes(2, CacheType::Unified)?;
        let last = bytes(3, CacheType::Unified).unwrap_or(second);
        Some(Caches { first: bytes(1, CacheType::Data)?, second, last })
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn ask() -> Option<Self> {
        None
    }
}
