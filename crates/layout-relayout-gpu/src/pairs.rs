//! The caches: of pairs of layouts, and of compiled programs.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use layout_emit::{EmitError, NamedLayout, RelayoutKernel};

use crate::axes::Axes;
use crate::error::RelayoutError;

/// The default number of the first run of a pair with a specialized kernel.
pub(crate) const OWN_FROM: usize = 2;

/// Locks, ignoring poison: entries are inserted as a whole, so a panic leaves none half-written.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A pair of layouts, the bytes of an element, and the kernels of the pair on a device.
pub(crate) struct KeptPair<K> {
    /// Makes the specialized kernel of the pair.
    pub relayout: RelayoutKernel,
    pub bytes: usize,
    /// `None` if the layouts have no common axes: then only a specialized kernel can move them.
    pub axes: Option<Axes>,
    /// Bytes of the source and of the target.
    pub buffer_bytes: [u64; 2],
    runs: AtomicUsize,
    general: OnceLock<K>,
    /// The general kernel for buffers of any alignment.
    #[cfg(feature = "cuda")]
    anywhere: OnceLock<K>,
    own: OnceLock<K>,
}

impl<K> KeptPair<K> {
    fn new(from: &NamedLayout, to: &NamedLayout, bytes: usize) -> Result<Self, RelayoutError> {
        let mut relayout = RelayoutKernel::new(from, to, bytes)?;
        if to.as_dynamic().is_some_and(|to| !to.is_injective()) {
            return Err(EmitError::Refused(format!(
                "two elements go to one place: {to} gives two coordinates one offset"
            ))
            .into());
        }
        let both = from.as_dynamic().zip(to.as_dynamic());
        let (axes, cosizes) = (both.and_then(|(from, to)| Axes::new(from, to)), relayout.cosizes());
        if let Some(axes) = &axes {
            let [from, to] = axes.layouts().map_err(EmitError::from)?;
            relayout = RelayoutKernel::new(&from, &to, bytes)?;
        }
        let fit = |(cosize, layout): (u128, &NamedLayout)| {
            let all = cosize.checked_mul(bytes as u128).and_then(|all| u64::try_from(all).ok());
            all.ok_or_else(|| {
                EmitError::Refused(format!(
                    "{cosize} elements of {bytes} bytes, which {layout} takes, are beyond 2^64 bytes"
                ))
            })
        };
        let buffer_bytes = [fit((cosizes[0], from))?, fit((cosizes[1], to))?];
        Ok(KeptPair {
            relayout,
            bytes,
            axes,
            buffer_bytes,
            runs: AtomicUsize::new(0),
            general: OnceLock::new(),
            #[cfg(feature = "cuda")]
            anywhere: OnceLock::new(),
            own: OnceLock::new(),
        })
    }

    /// The kernel of the next run: the general one for runs before `own_from`, if the pair has axes
    /// and `general` makes a kernel for them. No lock is held while a kernel is made.
    ///
    /// # Errors
    /// Those of the two functions.
    pub fn find_kernel(
        &self,
        own_from: usize,
        general: impl FnOnce(&Axes) -> Result<Option<K>, RelayoutError>,
        own: impl FnOnce(&RelayoutKernel) -> Result<K, RelayoutError>,
    ) -> Result<&K, RelayoutError> {
        if let Some(kernel) = self.own.get() {
            return Ok(kernel);
        }
        let is_early = self.runs.load(Ordering::Relaxed) + 1 < own_from;
        let general = if is_early { self.find_in(&self.general, general)? } else { None };
        if let Some(kernel) = general {
            return Ok(kernel);
        }
        let kernel = own(&self.relayout)?;
        Ok(self.own.get_or_init(|| kernel))
    }

    /// The general kernel for buffers of any alignment, for any run.
    ///
    /// # Errors
    /// Those of the function.
    #[cfg(feature = "cuda")]
    pub fn find_anywhere(
        &self,
        general: impl FnOnce(&Axes) -> Result<Option<K>, RelayoutError>,
    ) -> Result<Option<&K>, RelayoutError> {
        self.find_in(&self.anywhere, general)
    }

    fn find_in<'a>(
        &self,
        place: &'a OnceLock<K>,
        make: impl FnOnce(&Axes) -> Result<Option<K>, RelayoutError>,
    ) -> Result<Option<&'a K>, RelayoutError> {
        if place.get().is_none() {
            let Some(axes) = &self.axes else { return Ok(None) };
            let Some(kernel) = make(axes)? else { return Ok(None) };
            return Ok(Some(place.get_or_init(|| kernel)));
        }
        Ok(place.get())
    }

    /// Counts a successful run.
    pub fn count_run(&self) {
        self.runs.fetch_add(1, Ordering::Relaxed);
    }
}

/// Both layouts as text, and the bytes of an element.
type Texts = (String, String, usize);

type Map<N, K> = Mutex<HashMap<N, Arc<KeptPair<K>>>>;

/// All cached pairs of a device.
pub(crate) struct Pairs<K> {
    by_text: Map<Texts, K>,
    /// Pairs that are the same function share an entry.
    by_axes: Map<(Axes, usize), K>,
}

impl<K> Default for Pairs<K> {
    fn default() -> Self {
        Pairs { by_text: Mutex::default(), by_axes: Mutex::default() }
    }
}

impl<K> Pairs<K> {
    /// The entry of a pair; `None` if the layouts are empty.
    ///
    /// # Errors
    /// [`RelayoutError::Layouts`] if no run of the pair is possible, with any buffers.
    pub fn find(
        &self,
        from: &NamedLayout,
        to: &NamedLayout,
        bytes: usize,
    ) -> Result<Option<Arc<KeptPair<K>>>, RelayoutError> {
        let sizes = [from, to].map(|layout| layout.as_dynamic().map(|plain| plain.size()));
        if sizes == [Some(0), Some(0)] {
            return Ok(None);
        }
        let texts = (from.to_string(), to.to_string(), bytes);
        if let Some(pair) = lock(&self.by_text).get(&texts) {
            return Ok(Some(pair.clone()));
        }
        let mut pair = Arc::new(KeptPair::new(from, to, bytes)?);
        if let Some(axes) = &pair.axes {
            pair = find_or_insert(&self.by_axes, (axes.clone(), bytes), pair.clone());
        }
        Ok(Some(find_or_insert(&self.by_text, texts, pair)))
    }

    pub fn clear(&self) {
        lock(&self.by_text).clear();
        lock(&self.by_axes).clear();
    }
}

fn find_or_insert<N: Hash + Eq, V: Clone>(map: &Mutex<HashMap<N, V>>, name: N, value: V) -> V {
    lock(map).entry(name).or_insert(value).clone()
}

/// Compiled programs by their source.
pub(crate) struct Programs<P>(Mutex<HashMap<String, P>>);

impl<P> Default for Programs<P> {
    fn default() -> Self {
        Programs(Mutex::default())
    }
}

impl<P: Clone> Programs<P> {
    /// The program of a source, from the cache or compiled.
    ///
    /// # Errors
    /// Those of `compile`.
    pub fn find(
        &self,
        text: &str,
        compile: impl FnOnce() -> Result<P, RelayoutError>,
    ) -> Result<P, RelayoutError> {
        let kept = lock(&self.0).get(text).cloned();
        // Other threads need not wait for the compiler: no lock is held.
        kept.map_or_else(|| Ok(find_or_insert(&self.0, text.into(), compile()?)), Ok)
    }

    pub fn len(&self) -> usize {
        lock(&self.0).len()
    }

    pub fn clear(&self) {
        lock(&self.0).clear();
    }
}

/// The source without comments, which name the layouts: pairs with the same code share a program.
pub(crate) fn without_comments(text: &str) -> String {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    text.lines().filter(is_code).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(pairs: &Pairs<()>, from: &str, to: &str, bytes: usize) -> Result<Texted, String> {
        let [from, to] = [from, to].map(|text| text.parse::<NamedLayout>().expect(text));
        pairs.find(&from, &to, bytes).map_err(|error| error.to_string())
    }

    type Texted = Option<Arc<KeptPair<()>>>;

    #[test]
    fn pairs_of_one_function_are_one_pair() {
        let pairs = Pairs::default();
        let pair = |from: &str, to: &str, bytes| {
            find(&pairs, from, to, bytes).expect("a pair").expect("elements")
        };
        let first = pair("(4,6):(6,1)", "(4,6):(1,4)", 4);
        assert_eq!(first.buffer_bytes, [96, 96]);
        assert!(Arc::ptr_eq(&first, &pair("(4,6):(6,1)", "(4,6):(1,4)", 4)));
        assert!(Arc::ptr_eq(&first, &pair("((2,2),6):((6,12),1)", "((2,2),6):((1,2),4)", 4)));
        assert!(Arc::ptr_eq(&first, &pair("(4,6):(-6,-1)", "(4,6):(-1,-4)", 4)));
        assert!(!Arc::ptr_eq(&first, &pair("(4,6):(6,1)", "(4,6):(1,4)", 2)));
        assert!(!Arc::ptr_eq(&first, &pair("(4,6):(6,-1)", "(4,6):(1,4)", 4)));
        // Swizzles have no axes, and what is refused is not kept.
        assert!(pair("Sw<1,4,3> o 0 o (16,64):(64,1)", "(16,64):(1,16)", 4).axes.is_none());
        assert_eq!((lock(&pairs.by_text).len(), lock(&pairs.by_axes).len()), (6, 3));
        assert!(find(&pairs, "(4,6):(6,1)", "(4,6):(1,1)", 4).is_err());
        assert!(find(&pairs, "(0,6):(6,1)", "(0,6):(1,4)", 4).expect("nothing").is_none());
        assert_eq!(lock(&pairs.by_text).len(), 6);
    }

    #[test]
    fn what_no_buffer_has_is_refused() {
        let refused = |from, to| find(&Pairs::default(), from, to, 4).err().expect("refused");
        assert_eq!(
            refused("(4,4):(1,4)", "(4,4):(1,4611686018427387904)"),
            "13835058055282163716 elements of 4 bytes, which (4,4):(1,4611686018427387904) takes, \
             are beyond 2^64 bytes"
        );
    }

    #[test]
    fn kernels_are_made_when_they_are_needed() {
        let pair = KeptPair::new(
            &"(4,6):(6,1)".parse().expect("a layout"),
            &"(4,6):(1,4)".parse().expect("a layout"),
            4,
        );
        let pair = pair.expect("a pair");
        let find = |own_from| {
            let kernel =
                pair.find_kernel(own_from, |_| Ok(Some("general")), |_| Ok("own")).expect("one");
            *kernel
        };
        // What was not counted was no run.
        assert_eq!([find(2), find(2)], ["general"; 2]);
        pair.count_run();
        assert_eq!(find(3), "general");
        assert_eq!(find(2), "own");
        assert_eq!(find(9), "own");
    }
}
