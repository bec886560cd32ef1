//! Keeps the measured figures from run to run, and draws GFLOP/s against size.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use crate::peers::NAMES;

/// One line of the table.
pub struct Record {
    pub element: String,
    pub set: String,
    pub size: [usize; 3],
    pub peak: f64,
    pub rates: [Option<f64>; NAMES.len()],
}

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("gemm.csv")
}

impl Record {
    fn key(&self) -> (String, String, [usize; 3]) {
        (self.element.clone(), self.set.clone(), self.size)
    }

    /// Writes the record beside those of earlier runs, in the place of one of the same size.
    pub fn keep(self) {
        let mut records = read();
        records.insert(self.key(), self);
        let mut text = String::new();
        for Record { element, set, size: [m, n, k], peak, rates } in records.values() {
            write!(text, "{element},{set},{m},{n},{k},{peak:.2}").expect("into a string");
            for rate in rates {
                write!(text, ",{}", rate.map(|rate| format!("{rate:.3}")).unwrap_or_default())
                    .expect("into a string");
            }
            text.push('\n');
        }
        fs::create_dir_all(file().parent().expect("a file is in a folder"))
            .expect("the folder of the target can be made");
        fs::write(file(), text).expect("the results can be written");
    }

    fn parse(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split(',').collect();
        let [element, set, m, n, k, peak, rates @ ..] = &fields[..] else { return None };
        let size = [m.parse().ok()?, n.parse().ok()?, k.parse().ok()?];
        let rates: Vec<Option<f64>> = rates.iter().map(|rate| rate.parse().ok()).collect();
        let (element, set) = (element.to_string(), set.to_string());
        Some(Record { element, set, size, peak: peak.parse().ok()?, rates: rates.try_into().ok()? })
    }
}

fn read() -> BTreeMap<(String, String, [usize; 3]), Record> {
    let text = fs::read_to_string(file()).unwrap_or_default();
    text.lines().filter_map(Record::parse).map(|record| (record.key(), record)).collect()
}

const COLORS: [&str; NAMES.len()] = ["#d62728", "#1f77b4", "#2ca02c", "#ff7f0e", "#9467bd"];
const WIDTH: f64 = 430.0;
const HEIGHT: f64 = 300.0;

/// Draws the squares of both elements on the fastest instruction set, and prints them as a table.
pub fn draw() {
    let records = read();
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1040 420\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"1040\" height=\"420\" fill=\"white\"/>\n",
    );
    for (panel, element) in ["f32", "f64"].into_iter().enumerate() {
        let squares: Vec<&Record> = records
            .values()
            .filter(|r| {
                r.element == element
                    && r.set == "Avx512"
                    && r.size.iter().all(|n| n.is_power_of_two() && *n == r.size[0])
            })
            .collect();
        let Some(peak) = squares.iter().map(|r| r.peak).reduce(f64::max) else {
            eprintln!("nothing has been measured for {element}");
            continue;
        };
        println!("| {element} | {} |\n|---|{}", NAMES.join(" | "), "---|".repeat(NAMES.len()));
        for record in &squares {
            let rates =
                record.rates.map(|rate| rate.map_or("-".into(), |rate| format!("{rate:.0}")));
            println!("| {} | {} |", record.size[0], rates.join(" | "));
        }
        panel_of(&mut svg, 60.0 + 510.0 * panel as f64, element, peak, &squares);
    }
    for (i, (name, color)) in NAMES.iter().zip(COLORS).enumerate() {
        let x = 190.0 + 140.0 * i as f64;
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"390\" width=\"14\" height=\"4\" fill=\"{color}\"/><text x=\"{}\" y=\"396\">{name}</text>",
            x + 20.0
        );
    }
    svg.push_str("</svg>\n");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/gemm/gemm.svg");
    fs::write(path, svg).expect("the picture can be written");
    println!("benches/gemm/gemm.svg");
}

/// One pair of axes: sizes from 4 to 2048 by powers of two, GFLOP/s up to the peak.
fn panel_of(svg: &mut String, left: f64, element: &str, peak: f64, squares: &[&Record]) {
    let x = |n: usize| left + WIDTH * ((n as f64).log2() - 2.0) / 9.0;
    let y = |rate: f64| 40.0 + HEIGHT * (1.0 - rate / (1.05 * peak));
    let (right, bottom) = (left + WIDTH, y(0.0));
    let mut line = |text: String| {
        svg.push_str(&text);
        svg.push('\n');
    };
    line(format!(
        "<text x=\"{left}\" y=\"25\" font-weight=\"bold\">{element}: GFLOP/s on one core, N x N x N</text>"
    ));
    for step in 0..=4 {
        let rate = 0.25 * peak * step as f64;
        let (y, middle) = (y(rate), y(rate) + 4.0);
        line(format!(
            "<line x1=\"{left}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>"
        ));
        line(format!(
            "<text x=\"{}\" y=\"{middle:.1}\" text-anchor=\"end\">{rate:.0}</text>",
            left - 6.0
        ));
    }
    line(format!(
        "<text x=\"{right}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#888\">FMA peak</text>",
        y(peak) - 4.0
    ));
    for power in 2..=11 {
        line(format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x(1 << power),
            bottom + 18.0,
            1 << power
        ));
    }
    for (i, color) in COLORS.iter().enumerate() {
        let points: Vec<String> = squares
            .iter()
            .filter_map(|r| Some(format!("{:.1},{:.1}", x(r.size[0]), y(r.rates[i]?))))
            .collect();
        line(format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>",
            points.join(" ")
        ));
    }
}
