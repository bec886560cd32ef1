//! The numbered examples, checked to the number.

#[path = "../../examples/01_thread_value.rs"]
mod thread_value;

#[path = "../../examples/02_permuted_partition.rs"]
mod permuted_partition;

#[path = "../../examples/03_print_layouts.rs"]
mod print_layouts;

#[path = "../../examples/05_relayouts.rs"]
mod relayouts;

use proptest::prelude::*;
use relayouts::Convolution;

#[test]
fn thread_value_layout_of_24_elements() {
    let held = thread_value::held_by_threads().unwrap();
    assert_eq!(
        held,
        [
            [0, 1, 4, 5, 8, 9],
            [2, 3, 6, 7, 10, 11],
            [12, 13, 16, 17, 20, 21],
            [14, 15, 18, 19, 22, 23]
        ]
    );
    let owners = thread_value::owners().unwrap();
    for (thread, values) in held.iter().enumerate() {
        assert!(values.iter().all(|&element| owners[element] == thread));
    }
}

#[test]
fn permuted_partitions_of_c() {
    let text = |a: &str, b: &str| (a.to_string(), b.to_string());
    assert_eq!(
        permuted_partition::layouts(),
        [
            text(
                "((16,4,2),(16,4,2)):((512,128,8192),(4,1,64))",
                "(1,(4,2),(4,2)):(0,(128,8192),(1,64))"
            ),
            text(
                "((16,4,2),(16,4,2)):((128,2048,8192),(1,16,64))",
                "(1,(4,2),(4,2)):(0,(2048,8192),(16,64))"
            ),
            text("((16,8,1),(16,8,1)):((1024,128,0),(8,1,0))", "(1,(8,1),(8,1)):(0,(128,0),(1,0))"),
        ]
    );
}

#[test]
fn every_thread_owns_its_rows_and_columns() {
    let owners = permuted_partition::owners().unwrap();
    assert_eq!(owners.len(), 128 * 128);
    for (element, &(times, thread)) in owners.iter().enumerate() {
        let (row, column) = (element / 128, element % 128);
        assert_eq!(times, 1, "element ({row},{column})");
        // Thread (tm, tn) has rows tm*4 .. tm*4+3 and those 64 further, and columns alike.
        assert_eq!(
            (thread % 16, thread / 16),
            (row % 64 / 4, column % 64 / 4),
            "element ({row},{column})"
        );
    }
}

#[test]
fn three_layouts_of_a_2x4_matrix() {
    assert_eq!(print_layouts::text(), include_str!("three_layouts.txt"));
}

fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|k| (k * 37 % 101) as f32).collect()
}

#[test]
fn a_blocked_transpose_is_a_transpose() {
    for (m, n) in [(32, 32), (64, 96), (160, 32)] {
        let from = numbers(m * n);
        let to = relayouts::transpose(&from, (m, n)).unwrap();
        assert!((0..m).all(|i| (0..n).all(|j| to[j * m + i] == from[i * n + j])));
    }
    let error = relayouts::transpose(&numbers(33 * 32), (33, 32)).unwrap_err();
    assert_eq!(error.kind().as_str(), "divisibility");
}

proptest! {
    #[test]
    fn a_convolution_is_that_of_plain_loops(
        (channels, filters, rows, columns) in (1usize..4, 1usize..4, 1usize..4, 1usize..4),
        (step, dilation) in (1usize..4, 1usize..3),
        (more, wider) in (0usize..6, 0usize..6),
    ) {
        let (height, width) = ((rows - 1) * dilation + 1 + more, (columns - 1) * dilation + 1 + wider);
        let shape = Convolution { channels, height, width, filters, rows, columns, step, dilation };
        let (image, weights) = (numbers(channels * height * width), numbers(filters * channels * rows * columns));
        let out = shape.run(&image, &weights).unwrap();
        let (p, q) = shape.output();
        prop_assert_eq!(out.len(), filters * p * q);
        for k in 0..filters {
            for (i, j) in (0..p).flat_map(|i| (0..q).map(move |j| (i, j))) {
                let mut sum = 0.0;
                for c in 0..channels {
                    for (r, s) in (0..rows).flat_map(|r| (0..columns).map(move |s| (r, s))) {
                        let pixel = image[(c * height + i * step + r * dilation) * width + j * step + s * dilation];
                        sum += pixel * weights[((k * channels + c) * rows + r) * columns + s];
                    }
                }
                prop_assert_eq!(out[(k * p + i) * q + j], sum);
            }
        }
    }

    #[test]
    fn a_batch_of_products_is_that_of_plain_loops(batch in 0usize..4, m in 1usize..7, n in 1usize..7, k in 1usize..7) {
        let (a, b) = (numbers(batch * m * k), numbers(k * n));
        let c = relayouts::batched(&a, &b, batch, (m, n, k)).unwrap();
        for (l, (i, j)) in (0..batch).flat_map(|l| (0..m * n).map(move |e| (l, (e / n, e % n)))) {
            let sum: f32 = (0..k).map(|h| a[(l * m + i) * k + h] * b[h * n + j]).sum();
            prop_assert_eq!(c[(l * m + i) * n + j], sum);
        }
    }
}
