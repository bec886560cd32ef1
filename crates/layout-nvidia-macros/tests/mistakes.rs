//! Functions that are no kernels: each has one error, with its sentence beside it.
//! `TRYBUILD=overwrite` writes the sentences anew; read them before they are committed.

#[test]
fn each_mistake_has_a_sentence() {
    trybuild::TestCases::new().compile_fail("tests/mistakes/*.rs");
}
