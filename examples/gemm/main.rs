//! quick
#![allow(clippy::incompatible_msrv)]
mod product;
use layout_algebra::prelude::*;
use product::*;
use std::time::Instant;
fn mat(col: bool, m: usize, n: usize) -> tiles::Matrix {
    if col { layout!((m,n):(usize::from(true),m)) } else { layout!((m,n):(n,usize::from(true))) }
}
fn main() {
    let v: Vec<usize> = std::env::args().skip(1).map(|x| x.parse().unwrap()).collect();
    let (m, n, k, o, set) = (v[0], v[1], v[2], v[3], InstructionSet::ALL[v[4]]);
    let (la, lb, lc) = (mat(o & 1 == 0, m, k), mat(o & 2 == 0, k, n), mat(o & 4 == 0, m, n));
    let mut x = 1u64;
    let mut r = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 40) as f32 / (1u64 << 24) as f32 - 0.5
    };
    let a: Vec<f32> = (0..m * k).map(|_| r()).collect();
    let b: Vec<f32> = (0..k * n).map(|_| r()).collect();
    let mut c = vec![0f32; m * n];
    let mut d = vec![0f32; m * n];
    let mut ws = Workspace::default();
    let fl = 2.0 * (m * n * k) as f64;
    let reps = ((if fl < 1e6 { 1e7 } else { 1e8 } / fl) as usize).clamp(1, 20000);
    let (mut t1, mut t2, mut rr) = (vec![], vec![], vec![]);
    for _ in 0..15 {
        let s = Instant::now();
        for _ in 0..reps {
            product(set, Blocking::default(), &mut ws, (&a, la), (&b, lb), (&mut c, lc));
        }
        let e1 = s.elapsed().as_secs_f64() / reps as f64;
        let s = Instant::now();
        for _ in 0..reps {
            unsafe {
                matrixmultiply::sgemm(
                    m,
                    k,
                    n,
                    1.0,
                    a.as_ptr(),
                    la.stride().0 as isize,
                    la.stride().1 as isize,
                    b.as_ptr(),
                    lb.stride().0 as isize,
                    lb.stride().1 as isize,
                    0.0,
                    d.as_mut_ptr(),
                    lc.stride().0 as isize,
                    lc.stride().1 as isize,
                )
            }
        }
        let e2 = s.elapsed().as_secs_f64() / reps as f64;
        t1.push(e1);
        t2.push(e2);
        rr.push(e2 / e1);
    }
    let med = |v: &mut Vec<f64>| {
        v.sort_by(f64::total_cmp);
        v[v.len() / 2]
    };
    let err =
        c.iter().zip(&d).map(|(x, y)| (x - y).abs()).fold(0f32, f32::max) / d.iter().fold(0f32, |m, x| m.max(x.abs()));
    println!(
        "{m}x{n}x{k} o{o} ours {:.1} mm {:.1} ratio {:.3} err {err:.1e}",
        fl / med(&mut t1) / 1e9,
        fl / med(&mut t2) / 1e9,
        med(&mut rr)
    );
}
