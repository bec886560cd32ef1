//! The offsets of all values of all threads, quickly: const evaluation is slow, and there are
//! thousands.
//!
//! ```text
//! L(a + b) = L(a) + L(b)
//!         if no digit of a + b carries: then one table for threads and one for values say all
//! ```

use crate::layout::flat::{FlatLayout, LEAVES, multiple_added, sum};

/// The most threads and the most values that are tabled.
const MANY: usize = 1024;

/// The memory's offsets of a thread-value layout.
pub(super) struct OffsetTables<'a> {
    memory: &'a FlatLayout,
    threads: &'a FlatLayout,
    by_thread: [usize; MANY],
    by_value: [usize; MANY],
    /// Is `offset(t, v) = maps(by_thread[t] + by_value[v])`?
    additive: bool,
    /// Do these sums never carry from bit to bit, and are all maps swizzles?
    pub(super) bitwise: bool,
}

/// The largest digit of each mode.
type LargestDigits = [usize; LEAVES];

impl<'a> OffsetTables<'a> {
    #[track_caller]
    pub(super) const fn new(memory: &'a FlatLayout, threads: &'a FlatLayout) -> Self {
        let (count, values) = (threads.threads(), threads.values());
        let mut all = OffsetTables {
            memory,
            threads,
            by_thread: [0; MANY],
            by_value: [0; MANY],
            additive: threads.is_plain() && count <= MANY && values <= MANY && memory.size() > 0,
            bitwise: false,
        };
        if all.additive && threads.size() > 0 {
            let (mut least, mut most, mut k) = ([0; LEAVES], [0; LEAVES], 0);
            let (mut thread_bits, mut value_bits) = (0, 0);
            let (mut by_thread, mut by_value) = (0, 0);
            while k < count {
                let inner = spread(memory, sum(threads.offset, threads.thread_part(k)), &mut least);
                all.by_thread[k] = sum(memory.offset, inner);
                thread_bits |= all.by_thread[k];
                if all.by_thread[k] > by_thread {
                    by_thread = all.by_thread[k];
                }
                k += 1;
            }
            k = 0;
            while k < values {
                all.by_value[k] = spread(memory, threads.value_part(k), &mut most);
                value_bits |= all.by_value[k];
                if all.by_value[k] > by_value {
                    by_value = all.by_value[k];
                }
                k += 1;
            }
            // If a sum would exceed `usize`, the offset is computed as a whole, which reports the
            // error.
            all.additive = by_value <= usize::MAX - by_thread;
            k = 0;
            while k + 1 < memory.modes.count {
                all.additive &= least[k] < memory.modes.extents[k] - most[k];
                k += 1;
            }
            all.bitwise = all.additive && memory.only_swizzled() && thread_bits & value_bits == 0;
        }
        all
    }

    /// The offset of value `value` of thread `thread`.
    #[track_caller]
    pub(super) const fn get(&self, thread: usize, value: usize) -> usize {
        if self.additive {
            self.memory.map(self.by_thread[thread] + self.by_value[value])
        } else {
            self.memory.at(self.threads.of_thread(thread, value))
        }
    }
}

/// The inner offset of a coordinate, with its digits noted.
#[track_caller]
const fn spread(memory: &FlatLayout, mut number: usize, digits: &mut LargestDigits) -> usize {
    let modes = &memory.modes;
    let (mut offset, mut k) = (0, 0);
    while k + 1 < modes.count {
        let digit = number % modes.extents[k];
        number /= modes.extents[k];
        if digit > digits[k] {
            digits[k] = digit;
        }
        offset = multiple_added(offset, digit, modes.strides[k]);
        k += 1;
    }
    if k < modes.count { multiple_added(offset, number, modes.strides[k]) } else { offset }
}
