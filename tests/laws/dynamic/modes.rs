//! Modes: operations that split and join them.

use proptest::prelude::*;

use super::brute::{Plain, offsets};
use super::generate::layout;
use layout_algebra::prelude::*;

/// The modes of `l` in a list.
fn list(l: &DynLayout) -> Vec<DynLayout> {
    l.modes().collect()
}

proptest! {
    #[test]
    fn modes_are_the_children(a in layout(4)) {
        let l = a.to_layout();
        for (k, mode) in l.modes().enumerate() {
            prop_assert_eq!(Plain::of(&mode), a.mode(k));
            prop_assert_eq!(l.mode(k).unwrap(), mode);
        }
        prop_assert_eq!(l.modes().count(), l.rank());
        prop_assert_eq!(l.mode(l.rank()).unwrap_err().kind(), ErrorKind::Rank);
        if a.shape.depth() > 0 {
            prop_assert_eq!(&DynLayout::tuple(&list(&l)).unwrap(), &l);
        }
    }

    #[test]
    fn select_take_append_prepend_replace_are_lists_of_modes(
        a in layout(4),
        b in layout(2),
        i in 0usize..4,
        j in 0usize..4,
    ) {
        let (l, x) = (a.to_layout(), b.to_layout());
        let modes = list(&l);
        let (i, j) = (i % modes.len(), j % modes.len());
        let tuple = |modes: Vec<DynLayout>| DynLayout::tuple(&modes).unwrap();
        prop_assert_eq!(l.select(&[i, j]).unwrap(), tuple(vec![modes[i].clone(), modes[j].clone()]));
        if i < j {
            prop_assert_eq!(l.take(i, j).unwrap(), tuple(modes[i..j].to_vec()));
        } else {
            prop_assert_eq!(l.take(i, j).unwrap_err().kind(), ErrorKind::Rank);
        }
        prop_assert_eq!(l.append(&x).unwrap(), tuple([modes.clone(), vec![x.clone()]].concat()));
        prop_assert_eq!(l.prepend(&x).unwrap(), tuple([vec![x.clone()], modes.clone()].concat()));
        let mut replaced = modes.clone();
        replaced[i] = x.clone();
        prop_assert_eq!(l.replace(i, &x).unwrap(), tuple(replaced));
        prop_assert_eq!(l.replace(modes.len(), &x).unwrap_err().kind(), ErrorKind::Rank);
        prop_assert_eq!(l.select(&[modes.len()]).unwrap_err().kind(), ErrorKind::Rank);
        prop_assert_eq!(l.select(&[]).unwrap_err().kind(), ErrorKind::Profile);
    }

    #[test]
    fn group_and_ungroup_keep_the_function(a in layout(4), first in 0usize..4, count in 1usize..4) {
        let l = a.to_layout();
        let (first, last) = (first % l.rank(), first % l.rank() + count);
        prop_assume!(a.shape.depth() > 0);
        match l.group(first, last) {
            Ok(grouped) => {
                prop_assert_eq!(offsets(&grouped), a.offsets());
                prop_assert_eq!(grouped.rank(), l.rank() + 1 - count);
                prop_assert_eq!(grouped.mode(first).unwrap(), l.take(first, last).unwrap());
                prop_assert_eq!(grouped.ungroup(first).unwrap(), l);
            }
            Err(error) => prop_assert!(last > l.rank() && error.kind() == ErrorKind::Rank),
        }
    }

    #[test]
    fn reverse_is_its_own_inverse(a in layout(4)) {
        let l = a.to_layout();
        prop_assert_eq!(l.reverse().reverse(), l.clone());
        let mut modes = list(&l);
        modes.reverse();
        prop_assert_eq!(list(&l.reverse()), modes);
        if l.rank() == 2 {
            let t = l.transpose().unwrap();
            for i in 0..a.mode(0).size() {
                for j in 0..a.mode(1).size() {
                    prop_assert_eq!(t.index([j, i]), l.index([i, j]));
                }
            }
        } else {
            prop_assert_eq!(l.transpose().unwrap_err().kind(), ErrorKind::Rank);
        }
    }
}

#[test]
fn depth_counts_the_tuples_around_a_leaf() {
    for (text, depth) in [
        ("4", 0),
        ("(4)", 1),
        ("(4,(2,3))", 2),
        ("((2,3),4)", 2),
        ("(((4)),(2))", 3),
        ("((1),(2),((3)))", 3),
    ] {
        assert_eq!(text.parse::<DynShape>().unwrap().depth(), depth, "{text}");
    }
}
