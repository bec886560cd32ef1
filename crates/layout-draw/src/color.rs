//! The colours of numbers, light and dark.

/// The mapping from the numbers of cells to colours.
#[derive(Clone, Copy)]
pub(crate) enum Scale {
    /// A gradient from 0 to `most`.
    Ramp { most: usize },
    /// A hue for each number. Numbers that differ by 1 to 8, 16 or 32 have distinguishable hues.
    Hues,
    /// A hue for each number below `count`, around the circle.
    Circle { count: usize },
}

impl Scale {
    /// Are the numbers categories, not quantities?
    pub(crate) fn has_categories(self) -> bool {
        !matches!(self, Scale::Ramp { .. })
    }
    /// The colour of `number`, paler the larger `shade` is.
    pub(crate) fn color(self, number: usize, shade: u8) -> Color {
        // In 128 bits no product of this overflows.
        let part = |most: usize, parts: u128| {
            (number.min(most) as u128 * parts / (most as u128).max(1)) as u8
        };
        match self {
            Scale::Ramp { most } => Color::Ramp(part(most, 63)),
            // A few categories have fixed colours, which are distinguishable with any colour
            // vision.
            Scale::Hues if number < FEW => Color::Of(number as u8, shade),
            // 71 / 256 of a turn: the step whose multiples by 1 to 8, 12, .., 32 are the farthest
            // from a turn.
            Scale::Hues => Color::Hue((number % 256 * 71 % 256) as u8, shade),
            Scale::Circle { count } => {
                Color::Hue((number % count.max(1) * 256 / count.max(1)) as u8, shade)
            }
        }
    }
}

/// The shade of value `value` of `values`: one of four, for more are not distinguishable.
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
    /// A category, in 4 shades.
    Of(u8, u8),
}

/// The number of categories with fixed colours.
const FEW: usize = 8;
// From a search for the colours with the largest pairwise difference: at least 22 in light and 21
// in dark (CIE76), also under the three matrices of Machado, Oliveira and Fernandes for colour
// blindness. Further categories are distinguished by their labels.
const LIGHT: [u32; FEW] =
    [0xa9defd, 0xe2977e, 0xddffba, 0xb79cf2, 0xf6e781, 0x4eb6b1, 0xbea648, 0x71f6d7];
const DARK: [u32; FEW] =
    [0x2d5ba9, 0x5f2203, 0x60643f, 0x442269, 0x7e5b06, 0x102034, 0x311510, 0x9d396b];

// Hues and gradients of equal lightness, computed in OKLCH, so that text is equally legible on all.
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
        self.rgb(&LIGHT_RAMP, &LIGHT_HUES, &LIGHT, 0xffffff)
    }
    /// Under light text.
    pub(crate) fn dark(self) -> u32 {
        self.rgb(&DARK_RAMP, &DARK_HUES, &DARK, 0x20242b)
    }
    fn rgb(self, ramp: &[u32; 5], hues: &[u32; 16], few: &[u32; FEW], pale: u32) -> u32 {
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
            Color::Of(number, shade) => mix(few[usize::from(number)], pale, u32::from(shade), 5),
        }
    }
}

/// The colour at `part / whole` between `a` and `b`.
fn mix(a: u32, b: u32, part: u32, whole: u32) -> u32 {
    let channel = |shift: u32| {
        let (a, b) = (a >> shift & 255, b >> shift & 255);
        ((a * (whole - part) + b * part + whole / 2) / whole) << shift
    };
    channel(16) | channel(8) | channel(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Matrix = [[f64; 3]; 3];
    const EYES: [Matrix; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        // Machado, Oliveira, Fernandes 2009, of severity 1: protan, deutan, tritan.
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
    ];

    fn times(matrix: &Matrix, color: [f64; 3]) -> [f64; 3] {
        matrix.map(|row| row.iter().zip(color).map(|(a, b)| a * b).sum())
    }

    fn linear(rgb: u32) -> [f64; 3] {
        [16, 8, 0].map(|shift| {
            let part = f64::from(rgb >> shift & 255) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        })
    }

    /// The colour in CIELAB.
    fn lab(rgb: u32, eye: &Matrix) -> [f64; 3] {
        const XYZ: Matrix = [
            [0.4124564, 0.3575761, 0.1804375],
            [0.2126729, 0.7151522, 0.0721750],
            [0.0193339, 0.1191920, 0.9503041],
        ];
        let seen = times(&XYZ, times(eye, linear(rgb)).map(|part| part.clamp(0.0, 1.0)));
        let white = times(&XYZ, [1.0; 3]);
        let [x, y, z] = [0, 1, 2].map(|k| {
            let part = seen[k] / white[k];
            if part > 216.0 / 24389.0 {
                part.cbrt()
            } else {
                (24389.0 / 27.0 * part + 16.0) / 116.0
            }
        });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    fn luminance(rgb: u32) -> f64 {
        linear(rgb).iter().zip([0.2126, 0.7152, 0.0722]).map(|(part, weight)| part * weight).sum()
    }

    /// Eight categories are distinguishable with any colour vision, and text on them is legible.
    #[test]
    fn few_categories_differ_to_every_eye() {
        for (eye, dark) in EYES.iter().flat_map(|eye| [(eye, false), (eye, true)]) {
            let color = |number| Scale::Hues.color(number, 0);
            let rgb = |number| if dark { color(number).dark() } else { color(number).light() };
            for (i, j) in (0..8).flat_map(|i| (0..i).map(move |j| (i, j))) {
                let (one, other) = (lab(rgb(i), eye), lab(rgb(j), eye));
                let far: f64 = one.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum();
                assert!(far.sqrt() >= 10.0, "{i} and {j} differ by {} (dark: {dark})", far.sqrt());
            }
        }
        let contrast = |a: f64, b: f64| (a.max(b) + 0.05) / (a.min(b) + 0.05);
        for number in 0..8 {
            let color = Scale::Hues.color(number, 0);
            assert!(contrast(luminance(color.light()), luminance(0x1b1f24)) >= 4.5);
            assert!(contrast(luminance(color.dark()), luminance(0xe6edf3)) >= 4.5);
        }
    }
}
