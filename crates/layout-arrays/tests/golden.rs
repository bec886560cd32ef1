//! Views as NumPy and PyTorch give them: lines that `golden/answers.py` has written.

use layout_arrays::{ArrayError, ArrayLayout};

fn numbers<T: std::str::FromStr>(text: &str) -> Vec<T> {
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("{text} is no number"));
    text.split(',').filter(|text| !text.is_empty()).map(number).collect()
}

/// Compares each line, all strides if `unit_axes` count too: how many lines there were, and how
/// many said `copy`.
fn compare(lines: &str, unit_axes: bool) -> [usize; 2] {
    let (mut compared, mut copies) = (0, 0);
    for line in lines.lines() {
        let fields: Vec<_> = line.split(';').collect();
        let [operation, shape, strides, offset, arguments, answer @ ..] = &fields[..] else {
            panic!("{line}")
        };
        let offset = offset.parse().expect("a number");
        let l =
            ArrayLayout::from_parts(&numbers(shape), &numbers(strides), offset).expect("a layout");
        let to = numbers::<usize>;
        let found = match *operation {
            "reshape" => l.reshape(&to(arguments)),
            "broadcast" => l.broadcast_to(&to(arguments)),
            "permute" => l.permute(&to(arguments)),
            "slice" => {
                let [axis, start, end, step] = numbers::<isize>(arguments)[..] else {
                    panic!("{line}")
                };
                l.slice(axis as usize, start as usize..end as usize, step)
            }
            _ => panic!("{line}"),
        };
        compared += 1;
        match (answer, found) {
            (["copy"], Err(ArrayError::NeedsCopy(_))) => copies += 1,
            ([shape, strides, offset], Ok(view)) => {
                let strides: Vec<isize> = numbers(strides);
                assert_eq!(view.shape(), to(shape), "{line}");
                // An empty array has no elements that its offset and its strides could lead to.
                let moves =
                    |axis: &usize| unit_axes && *operation == "reshape" || view.shape()[*axis] != 1;
                for axis in (0..view.rank()).filter(moves).filter(|_| view.size() != 0) {
                    assert_eq!(
                        view.strides()[axis],
                        strides[axis],
                        "{line}: axis {axis} of {view}"
                    );
                }
                assert!(view.size() == 0 || view.offset().to_string() == *offset, "{line}: {view}");
            }
            (_, found) => panic!("{line}: {found:?}"),
        }
    }
    [compared, copies]
}

#[test]
fn numpy_gives_the_same_views() {
    let [compared, copies] = compare(include_str!("golden/numpy.txt"), true);
    assert!(compared >= 1000 && copies >= 100, "{compared} lines, {copies} of them copies");
}

/// PyTorch has its own strides for axes of one element.
#[test]
fn pytorch_gives_the_same_views() {
    let [compared, copies] = compare(include_str!("golden/torch.txt"), false);
    assert!(compared >= 1000 && copies >= 100, "{compared} lines, {copies} of them copies");
}

/// Any number of lines: `GOLDEN=file`.
#[test]
fn a_file_of_lines_has_the_same_views() {
    let Ok(file) = std::env::var("GOLDEN") else { return };
    let [compared, copies] = compare(&std::fs::read_to_string(&file).expect("readable"), false);
    println!("{compared} lines, {copies} of them copies");
}
