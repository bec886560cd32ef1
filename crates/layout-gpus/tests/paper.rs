//! The tables of the kernels, run on the host: random pairs of distributions beside what each rank
//! has to have, element by element. `DRAWS` says how many, `SEED` from which seed.

mod draws;

use draws::{Draw, number_of};
use layout_gpus::PushPlan;

#[test]
fn random_redistributions_are_right_on_the_host() {
    let (seed, count) = (number_of("SEED", 1), number_of("DRAWS", 600));
    println!("SEED={seed} DRAWS={count}");
    let (mut refused, mut sums) = (0, 0);
    for draw in seed..seed + count {
        let ranks = 1 + (draw % 4) as usize;
        let Ok(Draw { .. }) = Draw::new(draw, ranks, 1 << 13) else {
            refused += 1;
            continue;
        };
        let of = Draw::new(draw, ranks, 1 << 13).expect("the same again");
        let plan = PushPlan::new(&of.from, &of.to, of.element)
            .unwrap_or_else(|error| panic!("{draw}: {} to {}: {error}", of.from, of.to));
        sums += u64::from(!of.summed.is_empty());
        let expected = of.expected(true);
        let mut parts: Vec<Vec<u8>> = expected.iter().map(|part| vec![0xa5; part.len()]).collect();
        plan.run_on_host(&of.parts(true), &mut parts).expect("parts of these sizes");
        for (rank, (part, expected)) in parts.iter().zip(&expected).enumerate() {
            let wrong = part.iter().zip(expected).position(|(a, b)| a != b);
            assert!(
                part == expected,
                "SEED={draw}: rank {rank} of {ranks}, byte {wrong:?}, {:?}: {} to {}",
                of.element,
                of.from,
                of.to
            );
        }
    }
    println!("{sums} sums, {refused} refused");
    assert!(refused * 20 < count && sums * 20 > count, "{sums} sums, {refused} refused");
}
