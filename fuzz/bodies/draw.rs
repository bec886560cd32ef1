//! Bytes as a source of choices: zeros where there are none left.

pub(crate) struct Draw<'a>(&'a [u8]);

#[allow(dead_code, reason = "each body draws what it needs")]
impl<'a> Draw<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Draw(bytes)
    }
    pub(crate) fn byte(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or(0)
    }
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::from(u16::from_le_bytes([self.byte(), self.byte()])) % n.max(1)
    }
    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }
    pub(crate) fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
    pub(crate) fn number(&mut self) -> u64 {
        let bytes = [(); 8].map(|()| self.byte());
        u64::from_le_bytes(bytes)
    }
    pub(crate) fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.byte()).collect()
    }
    /// A number as headers that lie have it.
    pub(crate) fn lie(&mut self, length: u64) -> u64 {
        match self.below(8) {
            0 => 0,
            1 => u64::MAX - self.below(3) as u64,
            2 => 1 << self.below(64),
            3 => (1 << self.below(64)) - 1,
            4 => length.wrapping_add(self.below(3) as u64).wrapping_sub(1),
            5 => 100_000_000 + self.below(3) as u64 - 1,
            6 => self.below(300) as u64,
            _ => self.number(),
        }
    }
    /// Some bytes changed, cut off or repeated; most often none.
    pub(crate) fn spoil(&mut self, bytes: &mut Vec<u8>, header: usize) {
        for _ in 0..self.of(&[0, 0, 1, 1, 2, 3]) {
            let (at, length) = (self.below(header.min(bytes.len()).max(1)), bytes.len() as u64);
            match self.below(5) {
                0 => bytes.truncate(at),
                1 | 2 => {
                    let lie = self.lie(length).to_le_bytes();
                    let of = self.of(&[1, 4, 8]).min(bytes.len().saturating_sub(at));
                    bytes[at..at + of].copy_from_slice(&lie[..of]);
                }
                3 => bytes.extend(self.bytes(5)),
                _ => {
                    let again = bytes[at..bytes.len().min(at + 40)].to_vec();
                    bytes.splice(at..at, again);
                }
            }
        }
    }
}
