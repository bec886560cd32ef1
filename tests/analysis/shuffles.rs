//! Redistributions of registers by shuffles: each plan runs on the CPU, and exhaustive search finds
//! no plan with fewer shuffles.

use std::collections::{BTreeMap, BTreeSet};

use layout_algebra::analysis::*;
use layout_algebra::composed::Chain;
use layout_algebra::prelude::*;
use proptest::prelude::*;

use super::questions::{flat, text};
use super::shared::{panics, table};

// ---- a warp -------------------------------------------------------------------------------------

/// (lane, register) -> element, as a table: the lanes vary fastest.
type Registers = Vec<usize>;

fn registers(layout: &FlatLayout) -> Registers {
    (0..layout.size()).map(|i| layout.at(i)).collect()
}

/// Carries a plan out, and returns what each lane has in each register.
fn carried_out(plan: &Shuffles, before: &Registers) -> Registers {
    let (lanes, count) = (plan.lanes(), plan.registers());
    let mut after = vec![usize::MAX; lanes * count];
    let mut put = |lane: usize, register: usize, element: usize| {
        let place = &mut after[lane + lanes * register];
        assert_eq!(*place, usize::MAX, "register {register} of lane {lane} is got twice");
        *place = element;
    };
    for lane in 0..lanes {
        for register in 0..count {
            if let Some(kept) = plan.kept(lane, register) {
                put(lane, register, before[lane + lanes * kept]);
            }
        }
    }
    for round in 0..plan.rounds {
        // One register of each lane, and then each lane reads one of these.
        let given: Vec<_> =
            (0..lanes).map(|lane| before[lane + lanes * plan.gives(round, lane)]).collect();
        for lane in 0..lanes {
            put(lane, plan.takes(round, lane), given[plan.source(round, lane)]);
        }
    }
    after
}

fn checked(before: &FlatLayout, after: &FlatLayout) -> Shuffles {
    let plan = before.fewest_shuffles(after);
    assert_eq!(carried_out(&plan, &registers(before)), registers(after), "{before} to {after}");
    // The registers that a lane gets one by one, counted.
    let (before, after, lanes) = (registers(before), registers(after), plan.lanes());
    let of = |all: &Registers, lane: usize| {
        all.iter().skip(lane).step_by(lanes).copied().collect::<BTreeSet<_>>()
    };
    let missing =
        (0..lanes).map(|lane| of(&after, lane).difference(&of(&before, lane)).count()).max();
    assert_eq!((plan.rounds, plan.least), (missing.unwrap(), missing.unwrap()));
    assert!(plan.is_optimal());
    plan
}

// ---- all plans ----------------------------------------------------------------------------------

/// Is there a plan of so many shuffles? All that a warp can do is tried, relays included: what each
/// lane knows is a set.
fn is_possible(before: &Registers, after: &Registers, lanes: usize, rounds: usize) -> bool {
    let of = |all: &Registers, lane: usize| {
        all.iter().skip(lane).step_by(lanes).fold(0u32, |set, e| set | 1 << e)
    };
    let wanted: Vec<_> = (0..lanes).map(|lane| of(after, lane)).collect();
    let mut states = BTreeSet::from([(0..lanes).map(|lane| of(before, lane)).collect::<Vec<_>>()]);
    for _ in 0..rounds {
        let mut next = BTreeSet::new();
        for state in &states {
            // What each lane gives ..
            let mut gifts = vec![vec![]];
            for has in state {
                let each = (0..32).filter(|e| has >> e & 1 == 1);
                gifts = each
                    .flat_map(|e| {
                        gifts.iter().map(move |gift: &Vec<u32>| [&gift[..], &[e]].concat())
                    })
                    .collect();
            }
            for gift in gifts {
                // .. and what each lane then has: of what is given, any one.
                let mut all = vec![vec![]];
                for has in state {
                    let sets: BTreeSet<u32> = gift.iter().map(|e| has | 1 << e).collect();
                    let longer = |&s: &u32| {
                        all.iter()
                            .map(move |all: &Vec<u32>| [&all[..], &[s]].concat())
                            .collect::<Vec<_>>()
                    };
                    all = sets.iter().flat_map(longer).collect();
                }
                next.extend(all);
            }
        }
        states = next;
    }
    states.iter().any(|state| state.iter().zip(&wanted).all(|(has, wants)| has & wants == *wants))
}

/// All invertible matrices of `bits` x `bits`, as the images of the bits.
fn matrices(bits: usize) -> Vec<Vec<usize>> {
    (0..bits).fold(vec![vec![]], |all, _| {
        let longer = |before: &Vec<usize>| {
            let (span, before) = (table(before), before.clone());
            (1..1 << bits)
                .filter(move |v| !span.contains(v))
                .map(move |v| [&before[..], &[v]].concat())
        };
        all.iter().flat_map(longer).collect()
    })
}

/// A conversion from registers in order to the registers of a matrix, as swizzles over a
/// permutation where it has to be one.
fn dealt(vectors: &[usize], lane_bits: usize) -> Option<FlatLayout> {
    // Bits that have none in common are strides.
    let all = vectors.iter().fold((0, true), |(all, apart), v| (all | v, apart && all & v == 0));
    let mode = |strides: &[usize]| match strides {
        [] => ("1".to_string(), "0".to_string()),
        _ => {
            let text = strides.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
            (format!("({})", vec!["2"; strides.len()].join(",")), format!("({text})"))
        }
    };
    let plain = |vectors: &[usize]| {
        let ((s0, d0), (s1, d1)) = (mode(&vectors[..lane_bits]), mode(&vectors[lane_bits..]));
        text::<DynLayout>(&format!("({s0},{s1}):({d0},{d1})"))
    };
    if all.1 {
        return Some(flat(&plain(vectors)));
    }
    // Else a chain of two swizzles at most that makes strides of them.
    let bits = vectors.len() as i32;
    let swizzles = || {
        let each = (0..bits).flat_map(move |m| (1..bits).flat_map(move |s| [(m, s), (m, -s)]));
        each.filter(move |(m, s)| m + s.abs() < bits)
            .filter_map(|(m, s)| DynSwizzle::new(1, m as u32, s).ok())
    };
    for first in swizzles() {
        for second in swizzles() {
            let back: Vec<_> = vectors.iter().map(|&v| first.apply(second.apply(v))).collect();
            if back.iter().all(|v| v.is_power_of_two()) {
                return Some(flat(&ComposedLayout::new(
                    Chain::new(second, first),
                    0,
                    plain(&back),
                )));
            }
        }
    }
    None
}

#[test]
fn no_plan_at_all_is_shorter_on_four_lanes() {
    // Two lanes of two and four registers, four lanes of one and two: every bijection that can be
    // written as two swizzles.
    for (lane_bits, register_bits, least) in [(1, 1, 4), (1, 2, 60), (2, 0, 4), (2, 1, 60)] {
        let bits = lane_bits + register_bits;
        let plain: Vec<_> = (0..bits).map(|bit| 1 << bit).collect();
        let (mut found, before) = (BTreeMap::new(), dealt(&plain, lane_bits).unwrap());
        for after in matrices(bits).iter().filter_map(|matrix| dealt(matrix, lane_bits)) {
            let plan = checked(&before, &after);
            let (from, to) = (registers(&before), registers(&after));
            let shorter =
                plan.rounds > 0 && is_possible(&from, &to, 1 << lane_bits, plan.rounds - 1);
            assert!(!shorter, "{before} to {after}: fewer than {}", plan.rounds);
            *found.entry(plan.rounds).or_insert(0) += 1;
        }
        assert!(found.values().sum::<usize>() >= least, "{found:?}");
    }
}

/// Four lanes of four registers: what a lane can get in fewer rounds, all choices tried, is never
/// what it is to have.
#[test]
fn four_lanes_of_four_registers() {
    let mut found = BTreeMap::new();
    let before = dealt(&[1, 2, 4, 8], 2).unwrap();
    for matrix in matrices(4).iter().step_by(23) {
        let Some(after) = dealt(matrix, 2) else { continue };
        let plan = checked(&before, &after);
        let (from, to) = (registers(&before), registers(&after));
        let of = |all: &Registers, lane: usize| {
            all.iter().skip(lane).step_by(4).fold(0u32, |set, e| set | 1 << e)
        };
        // After k rounds a lane has its own registers and k others, be they what they may.
        let enough = |rounds: usize| {
            (0..4).all(|lane| {
                let mut sets = BTreeSet::from([of(&from, lane)]);
                for _ in 0..rounds {
                    sets = sets.iter().flat_map(|set| (0..16).map(move |e| set | 1 << e)).collect();
                }
                sets.iter().any(|set| set & of(&to, lane) == of(&to, lane))
            })
        };
        assert!(enough(plan.rounds) && (plan.rounds == 0 || !enough(plan.rounds - 1)), "{after}");
        *found.entry(plan.rounds).or_insert(0) += 1;
    }
    assert!(found.len() >= 3, "{found:?}");
}

// ---- warps --------------------------------------------------------------------------------------

/// Bijections of lanes and registers, plain and swizzled.
fn warp(lane_bits: usize, register_bits: usize) -> impl Strategy<Value = FlatLayout> {
    let bits = lane_bits + register_bits;
    let order = Just((0..bits).map(|bit| 1 << bit).collect::<Vec<usize>>()).prop_shuffle();
    (order, 0..=bits / 2, any::<bool>()).prop_map(move |(order, count, down)| {
        let layout = dealt(&order, lane_bits).unwrap();
        if count == 0 {
            return layout;
        }
        let distance = (bits - count) as i32 * if down { -1 } else { 1 };
        let swizzle = DynSwizzle::new(count as u32, 0, distance).unwrap();
        let plain: DynLayout = text(&layout.to_string());
        let split = plain_modes(&plain, lane_bits);
        flat(&ComposedLayout::new(swizzle, 0, split))
    })
}

/// Flat modes of 2, the first ones of which are the lane's.
fn plain_modes(layout: &DynLayout, lane_bits: usize) -> DynLayout {
    let strides: Vec<usize> =
        (0..layout.size().ilog2()).map(|bit| layout.index(1usize << bit)).collect();
    let mode = |strides: &[usize]| match strides {
        [] => ("1".to_string(), "0".to_string()),
        _ => {
            let text = strides.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
            (format!("({})", vec!["2"; strides.len()].join(",")), format!("({text})"))
        }
    };
    let ((s0, d0), (s1, d1)) = (mode(&strides[..lane_bits]), mode(&strides[lane_bits..]));
    text(&format!("({s0},{s1}):({d0},{d1})"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_plan_takes_every_element_to_its_place(
        (before, after) in (0usize..=5, 0usize..=4).prop_flat_map(|(l, r)| (warp(l, r), warp(l, r))),
    ) {
        checked(&before, &after);
    }
}

#[test]
fn conversions_of_practice() {
    let [rows, columns, stay] =
        ["(32,32):(32,1)", "(32,32):(1,32)", "(32,(2,16)):(32,(16,1))"].map(text::<DynLayout>);
    // A transpose of 32 x 32: of each lane's registers one stays. Registers of a lane renamed:
    // nothing.
    assert_eq!(checked(&flat(&rows), &flat(&columns)).rounds, 31);
    assert_eq!(checked(&flat(&rows), &flat(&stay)).rounds, 0);
    // Lanes reversed: all registers go.
    let all: DynComposedLayout = text("Sw<2,0,-2> o 0 o ((4,8),2):((1,4),32)");
    let plain: DynLayout = text("((4,8),2):((1,4),32)");
    assert_eq!(checked(&flat(&plain), &flat(&all)).rounds, 2);
}

#[test]
fn registers_that_are_no_bijection_are_refused() {
    let refused = |before: &str, after: &str| {
        let [before, after] = [before, after].map(|layout| flat(&text::<DynLayout>(layout)));
        panics(|| before.fewest_shuffles(&after)).expect("a refusal")
    };
    assert_eq!(
        refused("(32,4):(4,1)", "(32,4):(0,1)"),
        "the registers after are no bijection of 128 elements: each of them has to be in one register of one lane"
    );
    assert_eq!(
        refused("(32,3):(1,32)", "(32,3):(3,1)"),
        "the registers before are not linear in bits: an extent is 3, which is no power of two"
    );
    assert_eq!(
        refused("(32,4):(4,1)", "(16,8):(8,1)"),
        "32 lanes of 4 registers become 16 of 8: they have to be as many"
    );
    assert_eq!(
        refused("(64,4):(4,1)", "(64,4):(4,1)"),
        "the registers before: 64 lanes of 4 registers, and 32 lanes of 256 are the most"
    );
}
