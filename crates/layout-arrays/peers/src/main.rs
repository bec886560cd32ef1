//! The eight binary instances of tenferro's benchmark of einsum, in turns: every turn runs each
//! library once, and a ratio is that of one turn. One thread, elements of 8 bytes, all memory made
//! before, but where a library makes its result itself.

use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use layout_arrays::{ArrayLayout, Contraction};
use ndarray::{ArrayD, IxDyn};
use ndarray_einsum::{OptimizationMethod, einsum_path};
use strided_einsum2::einsum2_into;
use strided_view::{StridedView, StridedViewMut};

type View<'a> = StridedView<'a, f64>;

struct Instance {
    name: &'static str,
    /// One letter an axis, as NumPy writes it.
    pattern: &'static str,
    left: &'static [usize],
    right: &'static [usize],
    repetitions: usize,
}

const INSTANCES: [Instance; 8] = [
    Instance {
        name: "batched products",
        pattern: "bij,bjk->bik",
        left: &[32, 64, 64],
        right: &[32, 64, 64],
        repetitions: 20,
    },
    Instance {
        name: "outer, compact",
        pattern: "tkj,to->tokj",
        left: &[64, 16, 16],
        right: &[64, 64],
        repetitions: 10,
    },
    Instance {
        name: "outer, not compact",
        pattern: "tjk,to->tokj",
        left: &[64, 16, 16],
        right: &[64, 64],
        repetitions: 10,
    },
    Instance {
        name: "permuted",
        pattern: "abcd,dbef->acef",
        left: &[32; 4],
        right: &[32; 4],
        repetitions: 1,
    },
    Instance {
        name: "high rank",
        pattern: "abcdefghmnop,efghijklmnop->abcdijklmnop",
        left: &[2; 12],
        right: &[2; 12],
        repetitions: 200,
    },
    Instance {
        name: "element-wise",
        pattern: "ij,ij->ij",
        left: &[2048; 2],
        right: &[2048; 2],
        repetitions: 2,
    },
    Instance {
        name: "product of 256",
        pattern: "ij,jk->ik",
        left: &[256; 2],
        right: &[256; 2],
        repetitions: 10,
    },
    Instance {
        name: "rank 10",
        pattern: "abcdefghij,fghijklmno->abcdeklmno",
        left: &[2; 10],
        right: &[2; 10],
        repetitions: 200,
    },
];

/// `numpy_einsum.py`, which measures itself.
struct Numpy(Child, ChildStdin, BufReader<ChildStdout>);

impl Numpy {
    fn start() -> Self {
        let python = std::env::var("PYTHON").unwrap_or("python3".into());
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/numpy_einsum.py");
        let mut child = Command::new(python)
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Python");
        let (to, from) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        Numpy(child, to, BufReader::new(from))
    }

    fn ask(&mut self, line: &str) -> String {
        writeln!(self.1, "{line}").expect("it listens");
        let mut answer = String::new();
        self.2.read_line(&mut answer).expect("it answers");
        answer.trim().into()
    }
}

impl Drop for Numpy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The time of a call, after one that brings its memory into the caches.
fn seconds(repetitions: usize, mut call: impl FnMut()) -> f64 {
    call();
    let begin = Instant::now();
    (0..repetitions).for_each(|_| call());
    begin.elapsed().as_secs_f64() / repetitions as f64
}

/// Memory on huge pages, where the system has some for those who ask: NumPy asks for its own.
fn memory(n: usize) -> Vec<f64> {
    let numbers: Vec<f64> = Vec::with_capacity(n);
    let (begin, page) = (numbers.as_ptr() as usize, 4096);
    let aligned = begin.next_multiple_of(page);
    let length = (begin + 8 * n).saturating_sub(aligned) / page * page;
    // SAFETY: advice about whole pages of one allocation, whose contents it does not change.
    unsafe { libc::madvise(aligned as *mut libc::c_void, length, libc::MADV_HUGEPAGE) };
    numbers
}

fn zeros(n: usize) -> Vec<f64> {
    let mut numbers = memory(n);
    numbers.resize(n, 0.0);
    numbers
}

fn least(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(f64::INFINITY, f64::min)
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

fn main() {
    let mut numpy = std::env::args().any(|word| word == "numpy").then(Numpy::start);
    let only: Vec<String> =
        std::env::args().skip(1).filter(|word| word != "numpy" && !word.starts_with('-')).collect();
    let turns = 25;
    println!("the least time of {turns} turns; how much longer the others take (median of turns)");
    for instance in INSTANCES
        .iter()
        .filter(|i| only.is_empty() || only.iter().any(|word| i.name.contains(&word[..])))
    {
        let Instance { name, pattern, left, right, repetitions } = *instance;
        let (sides, result) = pattern.split_once("->").expect("an arrow");
        let (first, second) = sides.split_once(',').expect("a comma");
        let spaced = |names: &str| names.chars().map(|c| format!("{c} ")).collect::<String>();
        let words = format!("{}, {} -> {}", spaced(first), spaced(second), spaced(result));
        let random = |n: usize, seed: u64| -> Vec<f64> {
            let mut numbers = memory(n);
            numbers.extend((0..n as u64).map(|i| ((i * 7919 + seed) % 1009) as f64 / 1009.0));
            numbers
        };
        let (a, b) = (random(left.iter().product(), 1), random(right.iter().product(), 5));
        let layouts = [left, right].map(|shape| ArrayLayout::row_major(shape).expect("small"));
        let plan = Contraction::plan(&words, &layouts[0], &layouts[1]).expect("a contraction");
        let shape = plan.shape().to_vec();
        let mut c = zeros(shape.iter().product());
        let mut room = Vec::new();

        let nd = [(left, &a), (right, &b)]
            .map(|(shape, x)| ArrayD::from_shape_vec(IxDyn(shape), x.clone()).expect("compact"));
        let path = einsum_path(pattern, &[&nd[0], &nd[1]], OptimizationMethod::Naive);
        let path = path.expect("a contraction");

        // The same memory with the first axis fastest, as this library has it.
        let backwards = |shape: &[usize]| -> (Vec<usize>, Vec<isize>) {
            let dims: Vec<usize> = shape.iter().rev().copied().collect();
            let strides =
                dims.iter().scan(1, |next, &n| Some(std::mem::replace(next, *next * n as isize)));
            let strides = strides.collect();
            (dims, strides)
        };
        let ids = |names: &str| names.chars().rev().collect::<Vec<char>>();
        let (ia, ib, ic) = (ids(first), ids(second), ids(result));
        let (da, db, dc) = (backwards(left), backwards(right), backwards(&shape));
        let mut strided = zeros(c.len());

        if let Some(numpy) = &mut numpy {
            let text =
                |shape: &[usize]| shape.iter().map(|n| n.to_string()).collect::<Vec<_>>().join(",");
            let line = format!(
                "instance;{name};{pattern};{};{};{}",
                text(left),
                text(right),
                text(&shape)
            );
            assert_eq!(numpy.ask(&line), "ready");
        }
        let (mut own, mut others) = (Vec::new(), [const { Vec::new() }; 4]);
        for _ in 0..turns {
            let mine = seconds(repetitions, || {
                plan.run_in(black_box(&a), black_box(&b), &mut c, &mut room).expect("it runs");
            });
            let planned = seconds(repetitions, || {
                let plan =
                    Contraction::plan(&words, &layouts[0], &layouts[1]).expect("a contraction");
                plan.run_in(black_box(&a), black_box(&b), &mut c, &mut room).expect("it runs");
            });
            let of_ndarray = seconds(repetitions, || {
                black_box(black_box(&path).contract_operands(&[&nd[0], &nd[1]]));
            });
            let of_strided = seconds(repetitions, || {
                let x: View<'_> = StridedView::new(black_box(&a), &da.0, &da.1, 0).expect("within");
                let y: View<'_> = StridedView::new(black_box(&b), &db.0, &db.1, 0).expect("within");
                let z = StridedViewMut::new(&mut strided, &dc.0, &dc.1, 0).expect("within");
                einsum2_into(z, &x, &y, &ic, &ia, &ib, 1.0, 0.0).expect("it runs");
            });
            own.push(mine);
            others[0].push(planned);
            others[1].push(of_ndarray);
            others[2].push(of_strided);
            if let Some(numpy) = &mut numpy {
                let took: f64 = numpy.ask(&repetitions.to_string()).parse().expect("seconds");
                others[3].push(took);
            }
        }
        let close = |x: &f64, y: &f64| (x - y).abs() <= 1e-9 * x.abs().max(1.0);
        assert!(c.iter().zip(&strided).all(|(x, y)| close(x, y)), "{name}: two results");
        let made = path.contract_operands(&[&nd[0], &nd[1]]);
        assert!(c.iter().zip(made.iter()).all(|(x, y)| close(x, y)), "{name}: two results");
        print!("{name:20}{:10.1} us", least(&own) * 1e6);
        let names = ["with its plan", "ndarray-einsum", "strided-einsum2", "NumPy"];
        for (name, times) in names.into_iter().zip(others).filter(|x| !x.1.is_empty()) {
            let in_turns = own.iter().zip(&times).map(|(own, time)| time / own).collect();
            print!("   {name} {:.2} ({:.2})", least(&times) / least(&own), median(in_turns));
        }
        println!();
        println!("{:20}{}", "", plan.to_string().replace('\n', "\n                    "));
    }
}
