//! Colours: which one a number has, in light and in dark.

/// How the numbers of cells become colours.
#[derive(Clone, Copy)]
pub(crate) enum Scale {
    /// From 0 to `most`, one colour turning into the next.
    Ramp { most: usize },
    /// A hue for each number. Numbers that differ by 1 to 8, 16 or 32 have hues that differ to the
    /// eye.
    Hues,
    /// A hue for each number below `count`, around the circle.
    Circle { count: usize },
}

impl Scale {
    /// The colour of `number`, paler the larger `shade` is.
    pub(crate) fn color(self, number: usize, shade: u8) -> Color {
        // In 128 bits no product of this overflows.
        let part = |most: usize, parts: u128| {
            (number.min(most) as u128 * parts / (most as u128).max(1)) as u8
        };
        match self {
            Scale::Ramp { most } => Color::Ramp(part(most, 63)),
            // 71 / 256 of a turn: the step whose multiples by 1 to 8, 12, .., 32 are the farthest
            // from a turn.
            Scale::Hues => Color::Hue((number % 256 * 71 % 256) as u8, shade),
            Scale::Circle { count } => {
                Color::Hue((number % count.max(1) * 256 / count.max(1)) as u8, shade)
            }
        }
    }
}

/// The shade of value `value` of `values`: four of them, since more do not differ to the eye.
pub(crate) fn shade(value: usize, values: usize) -> u8 {
    (value as u128 * 4 / (values as u128).max(1)).min(3) as u8
}

/// A colour with a light and a dark form, under dark and light text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Color {
    /// 0 to 63.
    Ramp(u8),
    /// 256 hues, each in 4 shades.
    Hue(u8, u8),
}

// Hues and steps of equal lightness, worked out in OKLCH: text on them is as easy to read on one as
// on another.
const LIGHT_HUES: [u32; 16] = [
    0xffa9a8, 0xfeae8d, 0xf3b67a, 0xe1c071, 0xc8ca78, 0xaad38c, 0x8bd9a6, 0x70dbc3, 0x65d9df,
    0x6fd3f5, 0x89cbff, 0xa6c2ff, 0xc3b9ff, 0xdcb0f5, 0xefaadf, 0xfca7c4,
];
const DARK_HUES: [u32; 16] = [
    0x81393b, 0x7f3d21, 0x774500, 0x6a4e00, 0x565700, 0x3c5e1d, 0x136239, 0x006452, 0x006268,
    0x005d7a, 0x145786, 0x3a4f8a, 0x534785, 0x65407a, 0x733b68, 0x7d3853,
];
const LIGHT_RAMP: [u32; 5] = [0xfbf8ca, 0xcff3ac, 0x7be9cd, 0x6ccdea, 0x89a9f1];
const DARK_RAMP: [u32; 5] = [0x33244b, 0x283b67, 0x00536b, 0x00675e, 0x3b723e];

impl Color {
    /// Under dark text.
    pub(crate) fn light(self) -> u32 {
        self.rgb(&LIGHT_RAMP, &LIGHT_HUES, 0xffffff)
    }
    /// Under light text.
    pub(crate) fn dark(self) -> u32 {
        self.rgb(&DARK_RAMP, &DARK_HUES, 0x20242b)
    }
    fn rgb(self, ramp: &[u32; 5], hues: &[u32; 16], pale: u32) -> u32 {
        match self {
            Color::Ramp(step) => {
                let at = usize::from(step) * 4;
                mix(ramp[at / 63], ramp[(at / 63 + 1).min(4)], at as u32 % 63, 63)
            }
            Color::Hue(hue, shade) => {
                let at = usize::from(hue);
                let full = mix(hues[at / 16], hues[(at / 16 + 1) % 16], at as u32 % 16, 16);
                mix(full, pale, u32::from(shade), 5)
            }
        }
    }
}

/// The colour `part` of `whole` on the way from `a` to `b`.
fn mix(a: u32, b: u32, part: u32, whole: u32) -> u32 {
    let channel = |shift: u32| {
        let (a, b) = (a >> shift & 255, b >> shift & 255);
        ((a * (whole - part) + b * part + whole / 2) / whole) << shift
    };
    channel(16) | channel(8) | channel(0)
}
