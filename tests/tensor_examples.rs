//! The numbered examples, checked to the number.

#[path = "../examples/01_thread_value.rs"]
mod thread_value;

#[path = "../examples/02_permuted_partition.rs"]
mod permuted_partition;

#[path = "../examples/03_print_layouts.rs"]
mod print_layouts;

#[test]
fn thread_value_layout_of_24_elements() {
    let held = thread_value::held_by_threads().unwrap();
    assert_eq!(held, [[0, 1, 4, 5, 8, 9], [2, 3, 6, 7, 10, 11], [12, 13, 16, 17, 20, 21], [14, 15, 18, 19, 22, 23]]);
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
            text("((16,4,2),(16,4,2)):((512,128,8192),(4,1,64))", "(1,(4,2),(4,2)):(0,(128,8192),(1,64))"),
            text("((16,4,2),(16,4,2)):((128,2048,8192),(1,16,64))", "(1,(4,2),(4,2)):(0,(2048,8192),(16,64))"),
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
        assert_eq!((thread % 16, thread / 16), (row % 64 / 4, column % 64 / 4), "element ({row},{column})");
    }
}

#[test]
fn three_layouts_of_a_2x4_matrix() {
    assert_eq!(print_layouts::text(), include_str!("tensor_examples/three_layouts.txt"));
}
