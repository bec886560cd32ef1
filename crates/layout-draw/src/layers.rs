//! SVG text in layers: fills, lines, letters.
//!
//! All numbers are integer pixels, and all letters have the same width, so text sizes are known.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;

use crate::color::Color;

/// Sizes of letters: titles and notes, coordinates, and the largest and the smallest in cells.
pub(crate) const TITLE: usize = 13;
pub(crate) const TICK: usize = 10;
pub(crate) const LARGEST: usize = 12;
pub(crate) const SMALLEST: usize = 6;
/// The margin around the picture and between panels.
pub(crate) const MARGIN: usize = 16;

/// The width of `letters` of a size.
pub(crate) fn width_of(letters: usize, size: usize) -> usize {
    (letters * size * 61).div_ceil(100)
}

/// The height of capital letters and digits.
pub(crate) fn capital(size: usize) -> usize {
    (size * 73).div_ceil(100)
}

/// From the top of the first line to the baseline of the last.
pub(crate) fn letters_height(lines: usize, size: usize) -> usize {
    lines.saturating_sub(1) * (size + 1) + capital(size)
}

/// What is drawn, in layers.
#[derive(Default)]
pub(crate) struct Layers {
    /// The size of the letters in cells.
    pub(crate) letters: usize,
    pub(crate) fills: BTreeMap<Color, String>,
    /// Lines by what ends there: a cell, a mode, an outer mode, ..
    pub(crate) lines: [String; 3],
    pub(crate) chosen: String,
    pub(crate) conflicts: String,
    pub(crate) labels: String,
    pub(crate) ticks: String,
    pub(crate) titles: String,
}

impl Layers {
    /// A text at a place, of a class if it has one.
    pub(crate) fn text(layer: &mut String, class: &str, x: usize, y: usize, text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        layer.push_str(&format!("<text{class} x=\"{x}\" y=\"{y}\">{text}</text>\n"));
    }
}

/// The file. Its CSS rules use a class of this picture alone, so one page may contain several
/// pictures.
pub(crate) fn document(title: &str, (width, height): (usize, usize), layers: &Layers) -> String {
    let mut body = String::new();
    let (mut light, mut dark) = (String::new(), String::new());
    for (k, (color, path)) in layers.fills.iter().enumerate() {
        light.push_str(&format!(".c{k}{{fill:#{:06x}}}\n", color.light()));
        dark.push_str(&format!(".c{k}{{fill:#{:06x}}}\n", color.dark()));
        body.push_str(&format!("<path class=\"c{k}\" d=\"{path}\"/>\n"));
    }
    let layer = |body: &mut String, class: &str, path: &str| {
        if !path.is_empty() {
            body.push_str(&format!("<path class=\"{class}\" d=\"{path}\"/>\n"));
        }
    };
    let group = |body: &mut String, attributes: &str, texts: &str| {
        if !texts.is_empty() {
            body.push_str(&format!("<g {attributes}>\n{texts}</g>\n"));
        }
    };
    for (k, lines) in layers.lines.iter().enumerate() {
        layer(&mut body, &format!("l l{k}"), lines);
    }
    layer(&mut body, "k", &layers.chosen);
    layer(&mut body, "x", &layers.conflicts);
    group(&mut body, &format!("class=\"m\" font-size=\"{}\"", layers.letters), &layers.labels);
    group(&mut body, &format!("class=\"m t\" font-size=\"{TICK}\""), &layers.ticks);
    group(&mut body, &format!("font-size=\"{TITLE}\""), &layers.titles);

    let name = body.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let name = format!("p{name:016x}");
    let own =
        |rules: &str| rules.lines().map(|rule| format!(".{name} {rule}\n")).collect::<String>();
    let title = title.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!(
        "<svg class=\"{name}\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} \
         {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans \
         Mono',monospace\">\n<title>{title}</title>\n<style>\n{}{}@media(prefers-color-scheme:\
         dark){{\n{}{}}}\n</style>\n<rect class=\"b\" width=\"{width}\" \
         height=\"{height}\"/>\n{body}</svg>\n",
        own(LIGHT),
        own(&light),
        own(DARK),
        own(&dark),
    )
}

const LIGHT: &str = "\
.b{fill:#ffffff}
text{fill:#1b1f24}
.t text{fill:#59636e}
.m{text-anchor:middle}
.m .e{text-anchor:end}
.l{fill:none;stroke:#1b1f24}
.l0{stroke-width:1;stroke-opacity:.15}
.l1{stroke-width:1.5}
.l2{stroke-width:3}
.k{fill:none;stroke:#1b1f24;stroke-width:2.5;stroke-linecap:square}
.x{fill:none;stroke:#d1242f;stroke-width:2}
";
const DARK: &str = "\
.b{fill:#0f1318}
text{fill:#e6edf3}
.t text{fill:#9198a1}
.l{stroke:#c9d1d9}
.l0{stroke-opacity:.22}
.k{stroke:#ffffff}
.x{stroke:#ff7b72}
";
